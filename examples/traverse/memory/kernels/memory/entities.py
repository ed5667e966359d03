"""Entities and their observations."""

import json
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import errors


def create_entities(ep: Episode, *, entities: list[Any]) -> Result:
    """Store the entities whose names are new and return them."""
    known = {row["name"] for row in ep.db.all("SELECT name FROM entities ORDER BY row_id")}
    new = [each for each in entities if each["name"] not in known]
    for each in new:
        ep.db.insert(
            "entities",
            row_id=ep.next_number("entities", "row_id"),
            name=each["name"],
            entity_type=each["entityType"],
            observations=json.dumps(each["observations"]),
        )
    return new


def add_observations(ep: Episode, *, observations: list[Any]) -> Result:
    """Add observations that an entity does not have yet."""
    results = []
    for each in observations:
        row = ep.db.one("SELECT * FROM entities WHERE name = ? ORDER BY row_id LIMIT 1", each["entityName"])
        if row is None:
            raise errors.EntityNotFound(name=each["entityName"])
        has = parse_json(row["observations"])
        new = [text for text in each["contents"] if text not in has]
        ep.db.update("entities", {"row_id": row["row_id"]}, observations=json.dumps(has + new))
        results.append({"entityName": each["entityName"], "addedObservations": new})
    return results


def delete_entities(ep: Episode, *, entityNames: list[Any]) -> Result:
    """Delete entities by name, with the relations that touch them."""
    for name in entityNames:
        ep.db.execute("DELETE FROM entities WHERE name = ?", name)
        ep.db.execute("DELETE FROM relations WHERE from_name = ? OR to_name = ?", name, name)
    return "Entities deleted successfully"


def delete_observations(ep: Episode, *, deletions: list[Any]) -> Result:
    """Delete observations of the first entity of each name."""
    for each in deletions:
        row = ep.db.one("SELECT * FROM entities WHERE name = ? ORDER BY row_id LIMIT 1", each["entityName"])
        if row is not None:
            left = [text for text in parse_json(row["observations"]) if text not in each["observations"]]
            ep.db.update("entities", {"row_id": row["row_id"]}, observations=json.dumps(left))
    return "Observations deleted successfully"


def shown_entity(row: Row) -> Row:
    """Return an entity as answers show it."""
    return {
        "name": row["name"],
        "entityType": row["entity_type"],
        "observations": parse_json(row["observations"]),
    }
