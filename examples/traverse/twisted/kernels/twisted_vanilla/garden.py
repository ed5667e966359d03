"""The garden: nodes, ties, remarks."""

import json
from typing import Any

from farm.appkit import Answer, Episode, JavaScriptJson, Result, Row, parse_json

from . import errors


def plant_nodes(ep: Episode, *, nodes: list[Any]) -> Result:
    """Store the nodes whose labels did not exist before the call."""
    known = {row["label"] for row in ep.db.all("SELECT label FROM plants")}
    created = [
        {"label": item["label"], "kind": item["kind"], "remarks": list(item["remarks"])}
        for item in nodes
        if item["label"] not in known
    ]
    for item in created:
        ep.db.insert(
            "plants",
            row_id=ep.next_number("plants", "row_id"),
            label=item["label"],
            kind=item["kind"],
            remarks=json.dumps(item["remarks"]),
        )
    return _printed(created, {"nodes": created})


def tie_nodes(ep: Episode, *, ties: list[Any]) -> Result:
    """Store the ties that did not exist before the call."""
    known = {(row["source_label"], row["target_label"], row["bond"]) for row in ep.db.all("SELECT * FROM ties")}
    created = [
        {"source": item["source"], "target": item["target"], "bond": item["bond"]}
        for item in ties
        if (item["source"], item["target"], item["bond"]) not in known
    ]
    for item in created:
        ep.db.insert(
            "ties",
            row_id=ep.next_number("ties", "row_id"),
            source_label=item["source"],
            target_label=item["target"],
            bond=item["bond"],
        )
    return _printed(created, {"ties": created})


def jot_remarks(ep: Episode, *, remarks: list[Any]) -> Result:
    """Add the remarks that a node does not have yet.

    Raises:
        NodeNotFound: no node has this label.
    """
    results = []
    for item in remarks:
        row = _first(ep, item["nodeLabel"])
        if row is None:
            raise errors.NodeNotFound(label=item["nodeLabel"])
        present = parse_json(row["remarks"])
        added = [text for text in item["jottings"] if text not in present]
        ep.db.update("plants", {"row_id": row["row_id"]}, remarks=json.dumps(present + added))
        results.append({"nodeLabel": item["nodeLabel"], "addedRemarks": added})
    return _printed(results, {"results": results})


def drop_nodes(ep: Episode, *, nodeLabels: list[Any]) -> Result:
    """Drop nodes with the ties from and to them."""
    for label in nodeLabels:
        ep.db.delete("plants", label=label)
        ep.db.delete("ties", source_label=label)
        ep.db.delete("ties", target_label=label)
    return _done("Nodes dropped successfully")


def strike_remarks(ep: Episode, *, strikes: list[Any]) -> Result:
    """Strike remarks of nodes; what does not exist is passed over."""
    for item in strikes:
        row = _first(ep, item["nodeLabel"])
        if row is not None:
            kept = [text for text in parse_json(row["remarks"]) if text not in item["remarks"]]
            ep.db.update("plants", {"row_id": row["row_id"]}, remarks=json.dumps(kept))
    return _done("Remarks struck successfully")


def untie_nodes(ep: Episode, *, ties: list[Any]) -> Result:
    """Remove ties; what does not exist is passed over."""
    for item in ties:
        ep.db.delete("ties", source_label=item["source"], target_label=item["target"], bond=item["bond"])
    return _done("Nodes untied successfully")


def whole_garden(ep: Episode) -> Result:
    """Return all nodes and ties."""
    garden = {"nodes": _nodes(ep), "ties": _ties(ep)}
    return _printed(garden, garden)


def find_nodes(ep: Episode, *, start: str) -> Result:
    """Return the nodes whose labels begin with the text, and their ties."""
    return _selection(ep, [node for node in _nodes(ep) if node["label"].startswith(start)])


def show_nodes(ep: Episode, *, labels: list[Any]) -> Result:
    """Return the nodes with these labels, and their ties."""
    return _selection(ep, [node for node in _nodes(ep) if node["label"] in labels])


def _selection(ep: Episode, found: list[Any]) -> Answer:
    chosen = {node["label"] for node in found}
    kept = [item for item in _ties(ep) if item["source"] in chosen or item["target"] in chosen]
    garden = {"nodes": found, "ties": kept}
    return _printed(garden, garden)


def _first(ep: Episode, label: str) -> Row | None:
    return ep.db.one("SELECT * FROM plants WHERE label = ? ORDER BY row_id LIMIT 1", label)


def _nodes(ep: Episode) -> list[Any]:
    return [
        {"label": row["label"], "kind": row["kind"], "remarks": parse_json(row["remarks"])}
        for row in ep.db.all("SELECT * FROM plants ORDER BY row_id")
    ]


def _ties(ep: Episode) -> list[Any]:
    return [
        {"source": row["source_label"], "target": row["target_label"], "bond": row["bond"]}
        for row in ep.db.all("SELECT * FROM ties ORDER BY row_id")
    ]


def _printed(body: Any, structured: dict[str, Any]) -> Answer:
    return Answer(JavaScriptJson(indented=True).text(body), structured=structured)


def _done(message: str) -> Answer:
    return Answer(message, structured={"success": True, "message": message})
