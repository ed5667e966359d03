"""The knowledge graph: creating, deleting, reading, searching."""

import json
from typing import Any

from farm.appkit import Answer, Episode, JavaScriptJson, Result, Row, parse_json

from . import errors


def create_entities(ep: Episode, *, entities: list[Any]) -> Result:
    """Store the entities whose names are new and return them."""
    known = {row["name"] for row in ep.db.all("SELECT name FROM entities")}
    created = [
        {
            "name": entity["name"],
            "entityType": entity["entityType"],
            "observations": list(entity["observations"]),
        }
        for entity in entities
        if entity["name"] not in known
    ]
    for entity in created:
        ep.db.insert(
            "entities",
            row_id=ep.next_number("entities", "row_id"),
            name=entity["name"],
            entity_type=entity["entityType"],
            observations=json.dumps(entity["observations"]),
        )
    return _answer(created, {"entities": created})


def create_relations(ep: Episode, *, relations: list[Any]) -> Result:
    """Store the relations that are new and return them."""
    known = {
        (row["source_name"], row["target_name"], row["relation_type"])
        for row in ep.db.all("SELECT source_name, target_name, relation_type FROM relations")
    }
    created = [
        {
            "from": relation["from"],
            "to": relation["to"],
            "relationType": relation["relationType"],
        }
        for relation in relations
        if (relation["from"], relation["to"], relation["relationType"]) not in known
    ]
    for relation in created:
        ep.db.insert(
            "relations",
            row_id=ep.next_number("relations", "row_id"),
            source_name=relation["from"],
            target_name=relation["to"],
            relation_type=relation["relationType"],
        )
    return _answer(created, {"relations": created})


def add_observations(ep: Episode, *, observations: list[Any]) -> Result:
    """Add the observations that an entity has not yet, and return them.

    Raises:
        EntityNotFound: no entity has this name.
    """
    results = []
    for item in observations:
        row = _first_entity(ep, item["entityName"])
        if row is None:
            raise errors.EntityNotFound(name=item["entityName"])
        present = parse_json(row["observations"])
        added = [content for content in item["contents"] if content not in present]
        ep.db.update("entities", {"row_id": row["row_id"]}, observations=json.dumps(present + added))
        results.append({"entityName": item["entityName"], "addedObservations": added})
    return _answer(results, {"results": results})


def delete_entities(ep: Episode, *, entityNames: list[Any]) -> Result:
    """Delete entities and every relation that touches them."""
    for name in entityNames:
        ep.db.execute("DELETE FROM entities WHERE name = ?", name)
        ep.db.execute("DELETE FROM relations WHERE source_name = ? OR target_name = ?", name, name)
    return _done("Entities deleted successfully")


def delete_observations(ep: Episode, *, deletions: list[Any]) -> Result:
    """Delete observations; unknown entities are passed over."""
    for deletion in deletions:
        row = _first_entity(ep, deletion["entityName"])
        if row is None:
            continue
        gone = deletion["observations"]
        kept = [text for text in parse_json(row["observations"]) if text not in gone]
        ep.db.update("entities", {"row_id": row["row_id"]}, observations=json.dumps(kept))
    return _done("Observations deleted successfully")


def delete_relations(ep: Episode, *, relations: list[Any]) -> Result:
    """Delete relations; unknown ones are passed over."""
    for relation in relations:
        ep.db.execute(
            "DELETE FROM relations WHERE source_name = ? AND target_name = ? AND relation_type = ?",
            relation["from"],
            relation["to"],
            relation["relationType"],
        )
    return _done("Relations deleted successfully")


def read_graph(ep: Episode) -> Result:
    """Return everything."""
    graph = {"entities": _entities(ep), "relations": _relations(ep)}
    return _answer(graph, graph)


def search_nodes(ep: Episode, *, query: str) -> Result:
    """Return the entities that contain the words, and the relations that touch them."""
    wanted = query.lower()
    found = [
        entity
        for entity in _entities(ep)
        if wanted in entity["name"].lower()
        or wanted in entity["entityType"].lower()
        or any(wanted in text.lower() for text in entity["observations"])
    ]
    return _part(ep, found)


def open_nodes(ep: Episode, *, names: list[Any]) -> Result:
    """Return the entities of these names, and the relations that touch them."""
    return _part(ep, [entity for entity in _entities(ep) if entity["name"] in names])


def _part(ep: Episode, found: list[Any]) -> Result:
    names = {entity["name"] for entity in found}
    touching = [
        relation for relation in _relations(ep) if relation["from"] in names or relation["to"] in names
    ]
    graph = {"entities": found, "relations": touching}
    return _answer(graph, graph)


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
        {
            "from": row["source_name"],
            "to": row["target_name"],
            "relationType": row["relation_type"],
        }
        for row in ep.db.all("SELECT * FROM relations ORDER BY row_id")
    ]


def _first_entity(ep: Episode, name: str) -> Row | None:
    return ep.db.one("SELECT * FROM entities WHERE name = ? ORDER BY row_id LIMIT 1", name)


def _answer(body: Any, structured: Any) -> Result:
    return Answer(JavaScriptJson(indented=True).text(body), structured=structured)


def _done(message: str) -> Result:
    return Answer(message, structured={"success": True, "message": message})
