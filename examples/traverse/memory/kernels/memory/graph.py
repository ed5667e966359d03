"""The knowledge graph: entities, their observations, and the relations between them."""

import json
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import errors


def create_entities(ep: Episode, *, entities: list[Any]) -> Result:
    """Store the entities whose names are new, and return them."""
    known = {row["name"] for row in _entity_rows(ep)}
    added = [
        {
            "name": entity["name"],
            "entityType": entity["entityType"],
            "observations": list(entity["observations"]),
        }
        for entity in entities
        if entity["name"] not in known
    ]
    for entity in added:
        ep.db.insert(
            "entities",
            row_id=ep.next_number("entities", "row_id"),
            name=entity["name"],
            entity_type=entity["entityType"],
            observations=json.dumps(entity["observations"]),
        )
    return added


def create_relations(ep: Episode, *, relations: list[Any]) -> Result:
    """Store the relations that are new, and return them."""
    known = {(row["from_name"], row["to_name"], row["relation_type"]) for row in _relation_rows(ep)}
    added = [
        {"from": relation["from"], "to": relation["to"], "relationType": relation["relationType"]}
        for relation in relations
        if (relation["from"], relation["to"], relation["relationType"]) not in known
    ]
    for relation in added:
        ep.db.insert(
            "relations",
            row_id=ep.next_number("relations", "row_id"),
            from_name=relation["from"],
            to_name=relation["to"],
            relation_type=relation["relationType"],
        )
    return added


def add_observations(ep: Episode, *, observations: list[Any]) -> Result:
    """Add the contents that an entity does not have yet.

    Raises:
        EntityNotFound: no entity has this name.
    """
    results = []
    for item in observations:
        row = _first_entity(ep, item["entityName"])
        if row is None:
            raise errors.EntityNotFound(name=item["entityName"])
        present = parse_json(row["observations"])
        fresh = [content for content in item["contents"] if content not in present]
        ep.db.update("entities", {"row_id": row["row_id"]}, observations=json.dumps(present + fresh))
        results.append({"entityName": item["entityName"], "addedObservations": fresh})
    return results


def delete_entities(ep: Episode, *, entityNames: list[Any]) -> Result:
    """Delete entities and all relations that touch them."""
    for row in _entity_rows(ep):
        if row["name"] in entityNames:
            ep.db.delete("entities", row_id=row["row_id"])
    for row in _relation_rows(ep):
        if row["from_name"] in entityNames or row["to_name"] in entityNames:
            ep.db.delete("relations", row_id=row["row_id"])
    return "Entities deleted successfully"


def delete_observations(ep: Episode, *, deletions: list[Any]) -> Result:
    """Delete observations; unknown entities are passed over."""
    for item in deletions:
        row = _first_entity(ep, item["entityName"])
        if row is None:
            continue
        kept = [text for text in parse_json(row["observations"]) if text not in item["observations"]]
        ep.db.update("entities", {"row_id": row["row_id"]}, observations=json.dumps(kept))
    return "Observations deleted successfully"


def delete_relations(ep: Episode, *, relations: list[Any]) -> Result:
    """Delete the relations that equal one of those given."""
    gone = {(relation["from"], relation["to"], relation["relationType"]) for relation in relations}
    for row in _relation_rows(ep):
        if (row["from_name"], row["to_name"], row["relation_type"]) in gone:
            ep.db.delete("relations", row_id=row["row_id"])
    return "Relations deleted successfully"


def read_graph(ep: Episode) -> Result:
    """Return everything."""
    return {
        "entities": [_entity(row) for row in _entity_rows(ep)],
        "relations": [_relation(row) for row in _relation_rows(ep)],
    }


def search_nodes(ep: Episode, *, query: str) -> Result:
    """Return the entities that contain the query, and the relations that touch them."""
    wanted = query.lower()
    return _part(ep, [row for row in _entity_rows(ep) if _matches(row, wanted)])


def open_nodes(ep: Episode, *, names: list[Any]) -> Result:
    """Return the entities of these names, and the relations that touch them."""
    return _part(ep, [row for row in _entity_rows(ep) if row["name"] in names])


def _part(ep: Episode, rows: list[Row]) -> Result:
    shown = {row["name"] for row in rows}
    return {
        "entities": [_entity(row) for row in rows],
        "relations": [
            _relation(row)
            for row in _relation_rows(ep)
            if row["from_name"] in shown or row["to_name"] in shown
        ],
    }


def _matches(row: Row, wanted: str) -> bool:
    if wanted in row["name"].lower() or wanted in row["entity_type"].lower():
        return True
    return any(wanted in text.lower() for text in parse_json(row["observations"]))


def _first_entity(ep: Episode, name: str) -> Row | None:
    for row in _entity_rows(ep):
        if row["name"] == name:
            return row
    return None


def _entity_rows(ep: Episode) -> list[Row]:
    return ep.db.all("SELECT * FROM entities ORDER BY row_id")


def _relation_rows(ep: Episode) -> list[Row]:
    return ep.db.all("SELECT * FROM relations ORDER BY row_id")


def _entity(row: Row) -> Row:
    return {
        "name": row["name"],
        "entityType": row["entity_type"],
        "observations": parse_json(row["observations"]),
    }


def _relation(row: Row) -> Row:
    return {"from": row["from_name"], "to": row["to_name"], "relationType": row["relation_type"]}
