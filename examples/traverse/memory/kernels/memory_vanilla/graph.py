"""The knowledge graph: entities, relations, observations."""

import json
from typing import Any

from farm.appkit import Answer, Episode, JavaScriptJson, Result, Row, parse_json

from . import errors


def create_entities(ep: Episode, *, entities: list[Any]) -> Result:
    """Store the entities whose names did not exist before the call."""
    known = {row["name"] for row in ep.db.all("SELECT name FROM entities")}
    created = [
        {"name": item["name"], "entityType": item["entityType"], "observations": list(item["observations"])}
        for item in entities
        if item["name"] not in known
    ]
    for item in created:
        ep.db.insert(
            "entities",
            row_id=ep.next_number("entities", "row_id"),
            name=item["name"],
            entity_type=item["entityType"],
            observations=json.dumps(item["observations"]),
        )
    return _printed(created, {"entities": created})


def create_relations(ep: Episode, *, relations: list[Any]) -> Result:
    """Store the relations that did not exist before the call."""
    known = {
        (row["from_name"], row["to_name"], row["relation_type"]) for row in ep.db.all("SELECT * FROM relations")
    }
    created = [
        {"from": item["from"], "to": item["to"], "relationType": item["relationType"]}
        for item in relations
        if (item["from"], item["to"], item["relationType"]) not in known
    ]
    for item in created:
        ep.db.insert(
            "relations",
            row_id=ep.next_number("relations", "row_id"),
            from_name=item["from"],
            to_name=item["to"],
            relation_type=item["relationType"],
        )
    return _printed(created, {"relations": created})


def add_observations(ep: Episode, *, observations: list[Any]) -> Result:
    """Add the observations that an entity does not have yet.

    Raises:
        EntityNotFound: no entity has this name.
    """
    results = []
    for item in observations:
        row = _first(ep, item["entityName"])
        if row is None:
            raise errors.EntityNotFound(name=item["entityName"])
        present = parse_json(row["observations"])
        added = [content for content in item["contents"] if content not in present]
        ep.db.update("entities", {"row_id": row["row_id"]}, observations=json.dumps(present + added))
        results.append({"entityName": item["entityName"], "addedObservations": added})
    return _printed(results, {"results": results})


def delete_entities(ep: Episode, *, entityNames: list[Any]) -> Result:
    """Delete entities with the relations from and to them."""
    for name in entityNames:
        ep.db.delete("entities", name=name)
        ep.db.delete("relations", from_name=name)
        ep.db.delete("relations", to_name=name)
    return _done("Entities deleted successfully")


def delete_observations(ep: Episode, *, deletions: list[Any]) -> Result:
    """Delete observations of entities; what does not exist is passed over."""
    for item in deletions:
        row = _first(ep, item["entityName"])
        if row is not None:
            kept = [text for text in parse_json(row["observations"]) if text not in item["observations"]]
            ep.db.update("entities", {"row_id": row["row_id"]}, observations=json.dumps(kept))
    return _done("Observations deleted successfully")


def delete_relations(ep: Episode, *, relations: list[Any]) -> Result:
    """Delete relations; what does not exist is passed over."""
    for item in relations:
        ep.db.delete("relations", from_name=item["from"], to_name=item["to"], relation_type=item["relationType"])
    return _done("Relations deleted successfully")


def read_graph(ep: Episode) -> Result:
    """Return all entities and relations."""
    graph = {"entities": _entities(ep), "relations": _relations(ep)}
    return _printed(graph, graph)


def search_nodes(ep: Episode, *, query: str) -> Result:
    """Return the entities in whose name, type or observations the text occurs, and their relations."""
    wanted = query.lower()
    found = [
        entity
        for entity in _entities(ep)
        if wanted in entity["name"].lower()
        or wanted in entity["entityType"].lower()
        or any(wanted in text.lower() for text in entity["observations"])
    ]
    return _selection(ep, found)


def open_nodes(ep: Episode, *, names: list[Any]) -> Result:
    """Return the entities with these names, and their relations."""
    return _selection(ep, [entity for entity in _entities(ep) if entity["name"] in names])


def _selection(ep: Episode, found: list[Any]) -> Answer:
    chosen = {entity["name"] for entity in found}
    kept = [item for item in _relations(ep) if item["from"] in chosen or item["to"] in chosen]
    graph = {"entities": found, "relations": kept}
    return _printed(graph, graph)


def _first(ep: Episode, name: str) -> Row | None:
    return ep.db.one("SELECT * FROM entities WHERE name = ? ORDER BY row_id LIMIT 1", name)


def _entities(ep: Episode) -> list[Any]:
    return [
        {
            "name": row["name"],
            "entityType": row["entity_type"],
            "observations": parse_json(row["observations"]),
        }
        for row in ep.db.all("SELECT * FROM entities ORDER BY row_id")
    ]


def _relations(ep: Episode) -> list[Any]:
    return [
        {"from": row["from_name"], "to": row["to_name"], "relationType": row["relation_type"]}
        for row in ep.db.all("SELECT * FROM relations ORDER BY row_id")
    ]


def _printed(body: Any, structured: dict[str, Any]) -> Answer:
    return Answer(JavaScriptJson(indented=True).text(body), structured=structured)


def _done(message: str) -> Answer:
    return Answer(message, structured={"success": True, "message": message})
