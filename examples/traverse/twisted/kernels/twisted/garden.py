"""The garden: nodes, their remarks, and the ties between them."""

import json
from typing import Any

from farm.appkit import Episode, Result, parse_json

from . import errors

LONGEST_LABEL = 24
MOST_REMARKS = 4


def plant_nodes(ep: Episode, *, nodes: list[Any]) -> Result:
    """Add the nodes whose labels are new, each with the first of its remarks.

    Raises:
        LabelTooLong: a label is longer than allowed.
    """
    wanted = [
        {"label": _key(node["label"]), "kind": node["kind"], "remarks": list(node["remarks"])[:MOST_REMARKS]}
        for node in nodes
    ]
    for node in wanted:
        length = len(node["label"])
        if length > LONGEST_LABEL:
            raise errors.LabelTooLong(length=length)
    known = _known_labels(ep)
    fresh = [node for node in wanted if node["label"] not in known]
    for node in fresh:
        ep.db.insert(
            "nodes",
            row_id=ep.next_number("nodes", "row_id"),
            label=node["label"],
            kind=node["kind"],
            remarks=json.dumps(node["remarks"]),
        )
    return fresh


def tie_nodes(ep: Episode, *, ties: list[Any]) -> Result:
    """Add the ties that are new.

    Raises:
        CannotTie: an end is no node.
    """
    known = _known_labels(ep)
    wanted = [_tie(tie) for tie in ties]
    for tie in wanted:
        missing = [end for end in (tie["source"], tie["target"]) if end not in known]
        if missing:
            raise errors.CannotTie(labels=" or ".join(missing))
    existing = _all_ties(ep)
    fresh = [tie for tie in wanted if tie not in existing]
    for tie in fresh:
        ep.db.insert(
            "ties",
            row_id=ep.next_number("ties", "row_id"),
            source=tie["source"],
            target=tie["target"],
            bond=tie["bond"],
        )
    return fresh


def jot_remarks(ep: Episode, *, remarks: list[Any]) -> Result:
    """Add remarks to nodes: the room at all known ones (the last of a label) is checked first.

    Raises:
        NoRoom: the node would have too many remarks.
        NoSuchNode: no node has this label.
    """
    for entry in remarks:
        label = _key(entry["nodeLabel"])
        row = _last_node(ep, label)
        if row is not None:
            room = MOST_REMARKS - len(parse_json(row["remarks"]))
            if len(entry["jottings"]) > room:
                raise errors.NoRoom(label=label, room=max(room, 0))
    results = []
    for entry in remarks:
        label = _key(entry["nodeLabel"])
        row = _first_node(ep, label)
        if row is None:
            raise errors.NoSuchNode(label=label)
        present = parse_json(row["remarks"])
        added = [jotting for jotting in entry["jottings"] if jotting not in present]
        ep.db.update("nodes", {"row_id": row["row_id"]}, remarks=json.dumps(present + added))
        results.append({"nodeLabel": label, "addedRemarks": added})
    return results


def drop_nodes(ep: Episode, *, nodeLabels: list[Any]) -> Result:
    """Remove nodes that have no ties.

    Raises:
        StillTied: a node has ties.
    """
    for name in nodeLabels:
        label = _key(name)
        count = ep.db.scalar("SELECT COUNT(*) FROM ties WHERE source = ? OR target = ?", label, label)
        if count:
            raise errors.StillTied(label=label, ties="1 tie" if count == 1 else f"{count} ties")
        ep.db.execute("DELETE FROM nodes WHERE label = ?", label)
    return "Dropped"


def strike_remarks(ep: Episode, *, strikes: list[Any]) -> Result:
    """Remove remarks from nodes."""
    for entry in strikes:
        row = _first_node(ep, _key(entry["nodeLabel"]))
        if row is not None:
            kept = [remark for remark in parse_json(row["remarks"]) if remark not in entry["remarks"]]
            ep.db.update("nodes", {"row_id": row["row_id"]}, remarks=json.dumps(kept))
    return "Struck"


def untie_nodes(ep: Episode, *, ties: list[Any]) -> Result:
    """Remove ties."""
    for entry in ties:
        tie = _tie(entry)
        ep.db.execute(
            "DELETE FROM ties WHERE source = ? AND target = ? AND bond = ?",
            tie["source"],
            tie["target"],
            tie["bond"],
        )
    return "Untied"


def whole_garden(ep: Episode) -> Result:
    """Return everything."""
    return {"nodes": _all_nodes(ep), "ties": _all_ties(ep)}


def find_nodes(ep: Episode, *, start: str) -> Result:
    """Return the nodes whose label begins so, and the ties among them."""
    lowered = start.lower()
    nodes = [node for node in _all_nodes(ep) if node["label"].startswith(lowered)]
    labels = [node["label"] for node in nodes]
    ties = [tie for tie in _all_ties(ep) if tie["source"] in labels and tie["target"] in labels]
    return {"nodes": nodes, "ties": ties}


def show_nodes(ep: Episode, *, labels: list[Any]) -> Result:
    """Return the nodes of these labels, and the ties at them."""
    keys = [_key(label) for label in labels]
    nodes = [node for node in _all_nodes(ep) if node["label"] in keys]
    found = [node["label"] for node in nodes]
    ties = [tie for tie in _all_ties(ep) if tie["source"] in found or tie["target"] in found]
    return {"nodes": nodes, "ties": ties}


def _key(label: str) -> str:
    return label.strip().lower()


def _tie(tie: dict[str, Any]) -> dict[str, Any]:
    return {"source": _key(tie["source"]), "target": _key(tie["target"]), "bond": tie["bond"]}


def _first_node(ep: Episode, label: str) -> dict[str, Any] | None:
    return ep.db.one("SELECT * FROM nodes WHERE label = ? ORDER BY row_id LIMIT 1", label)


def _last_node(ep: Episode, label: str) -> dict[str, Any] | None:
    return ep.db.one("SELECT * FROM nodes WHERE label = ? ORDER BY row_id DESC LIMIT 1", label)


def _known_labels(ep: Episode) -> list[str]:
    return [row["label"] for row in ep.db.all("SELECT label FROM nodes ORDER BY row_id")]


def _all_nodes(ep: Episode) -> list[dict[str, Any]]:
    return [
        {"label": row["label"], "kind": row["kind"], "remarks": parse_json(row["remarks"])}
        for row in ep.db.all("SELECT * FROM nodes ORDER BY row_id")
    ]


def _all_ties(ep: Episode) -> list[dict[str, Any]]:
    return [
        {"source": row["source"], "target": row["target"], "bond": row["bond"]}
        for row in ep.db.all("SELECT * FROM ties ORDER BY row_id")
    ]
