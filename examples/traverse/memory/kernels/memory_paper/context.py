"""The stored knowledge graph: entities with observations, and relations, both in the order of their making."""

import json
from typing import Any

from farm.appkit import Episode, Row, parse_json


def entity_names(ep: Episode) -> set[str]:
    """Return the names of all entities."""
    return {row["name"] for row in ep.db.all("SELECT name FROM entities")}


def all_entities(ep: Episode) -> list[dict[str, Any]]:
    """Return all entities as the answers show them."""
    return [
        {
            "name": row["name"],
            "entityType": row["entity_type"],
            "observations": parse_json(row["observations"]),
        }
        for row in ep.db.all("SELECT * FROM entities ORDER BY row_id")
    ]


def all_relations(ep: Episode) -> list[dict[str, Any]]:
    """Return all relations as the answers show them."""
    return [
        {"from": row["from_name"], "to": row["to_name"], "relationType": row["relation_type"]}
        for row in ep.db.all("SELECT * FROM relations ORDER BY row_id")
    ]


def find_entity(ep: Episode, name: str) -> Row | None:
    """Return the row of the first entity of this exact name."""
    return ep.db.one("SELECT * FROM entities WHERE name = ? ORDER BY row_id LIMIT 1", name)


def observations_of(row: Row) -> list[str]:
    """Return the observations of an entity's row."""
    return parse_json(row["observations"])


def store_entity(ep: Episode, name: str, entity_type: str, observations: list[str]) -> None:
    """Append an entity."""
    ep.db.insert(
        "entities",
        row_id=ep.next_number("entities", "row_id"),
        name=name,
        entity_type=entity_type,
        observations=json.dumps(observations),
    )


def set_observations(ep: Episode, row: Row, observations: list[str]) -> None:
    """Replace the observations of an entity's row."""
    ep.db.update("entities", {"row_id": row["row_id"]}, observations=json.dumps(observations))


def remove_entity(ep: Episode, name: str) -> None:
    """Remove the entities of this name, and the relations from and to it, whether it exists or not."""
    ep.db.delete("entities", name=name)
    ep.db.delete("relations", from_name=name)
    ep.db.delete("relations", to_name=name)


def store_relation(ep: Episode, from_name: str, to_name: str, relation_type: str) -> None:
    """Append a relation; its ends need not exist."""
    ep.db.insert(
        "relations",
        row_id=ep.next_number("relations", "row_id"),
        from_name=from_name,
        to_name=to_name,
        relation_type=relation_type,
    )


def remove_relation(ep: Episode, from_name: str, to_name: str, relation_type: str) -> None:
    """Remove the relations that are equal to this one."""
    ep.db.delete("relations", from_name=from_name, to_name=to_name, relation_type=relation_type)


def subgraph(ep: Episode, entities: list[dict[str, Any]]) -> dict[str, Any]:
    """Return entities with all relations that have one of them at either end."""
    names = {entity["name"] for entity in entities}
    relations = [one for one in all_relations(ep) if one["from"] in names or one["to"] in names]
    return {"entities": entities, "relations": relations}
