"""The stored garden: nodes with remarks, and ties, both in the order of their making. Labels are kept in lower case."""

import json
from typing import Any

from farm.appkit import Episode, Row, parse_json

LONGEST_LABEL = 24
MOST_REMARKS = 4


def as_label(text: str) -> str:
    """Return a label as it is stored and shown."""
    return text.lower()


def node_labels(ep: Episode) -> set[str]:
    """Return the labels of all nodes."""
    return {row["label"] for row in ep.db.all("SELECT label FROM plants")}


def all_nodes(ep: Episode) -> list[dict[str, Any]]:
    """Return all nodes as the answers show them."""
    return [
        {"label": row["label"], "kind": row["kind"], "remarks": parse_json(row["remarks"])}
        for row in ep.db.all("SELECT * FROM plants ORDER BY row_id")
    ]


def all_ties(ep: Episode) -> list[dict[str, Any]]:
    """Return all ties as the answers show them."""
    return [
        {"source": row["source_label"], "target": row["target_label"], "bond": row["bond"]}
        for row in ep.db.all("SELECT * FROM ties ORDER BY row_id")
    ]


def find_node(ep: Episode, label: str) -> Row | None:
    """Return the row of the first node of this label, which is in lower case."""
    return ep.db.one("SELECT * FROM plants WHERE label = ? ORDER BY row_id LIMIT 1", label)


def remarks_of(row: Row) -> list[str]:
    """Return the remarks of a node's row."""
    return parse_json(row["remarks"])


def store_node(ep: Episode, label: str, kind: str, remarks: list[str]) -> None:
    """Append a node."""
    ep.db.insert(
        "plants",
        row_id=ep.next_number("plants", "row_id"),
        label=label,
        kind=kind,
        remarks=json.dumps(remarks),
    )


def set_remarks(ep: Episode, row: Row, remarks: list[str]) -> None:
    """Replace the remarks of a node's row."""
    ep.db.update("plants", {"row_id": row["row_id"]}, remarks=json.dumps(remarks))


def remove_node(ep: Episode, label: str) -> None:
    """Remove the nodes of this label, and the ties from and to it."""
    ep.db.delete("plants", label=label)
    ep.db.delete("ties", source_label=label)
    ep.db.delete("ties", target_label=label)


def store_tie(ep: Episode, source: str, target: str, bond: str) -> None:
    """Append a tie."""
    ep.db.insert(
        "ties",
        row_id=ep.next_number("ties", "row_id"),
        source_label=source,
        target_label=target,
        bond=bond,
    )


def remove_tie(ep: Episode, source: str, target: str, bond: str) -> None:
    """Remove the ties that are equal to this one."""
    ep.db.delete("ties", source_label=source, target_label=target, bond=bond)


def touching_ties(ep: Episode, labels: set[str]) -> list[dict[str, Any]]:
    """Return the ties with at least one end among the labels (show_nodes)."""
    return [tie for tie in all_ties(ep) if tie["source"] in labels or tie["target"] in labels]


def inner_ties(ep: Episode, labels: set[str]) -> list[dict[str, Any]]:
    """Return the ties with both ends among the labels (find_nodes)."""
    return [tie for tie in all_ties(ep) if tie["source"] in labels and tie["target"] in labels]
