"""Reading the graph."""

from typing import Any

from farm.appkit import Episode, Result, Row

from .entities import shown_entity
from .relations import shown_relation


def read_graph(ep: Episode) -> Result:
    """Return everything. Reads all rows: the tool has no pages."""
    return _graph(_entities(ep), _relations(ep))


def search_nodes(ep: Episode, *, query: str) -> Result:
    """Return entities that contain the words, and relations that touch them. Reads all rows: there is no index."""
    words = query.lower()
    found = [
        each
        for each in _entities(ep)
        if words in each["name"].lower()
        or words in each["entityType"].lower()
        or any(words in text.lower() for text in each["observations"])
    ]
    return _touching(ep, found)


def open_nodes(ep: Episode, *, names: list[Any]) -> Result:
    """Return entities by name, and relations that touch them. Reads all rows: there is no index."""
    return _touching(ep, [each for each in _entities(ep) if each["name"] in names])


def _touching(ep: Episode, found: list[Row]) -> Row:
    names = {each["name"] for each in found}
    return _graph(found, [each for each in _relations(ep) if each["from"] in names or each["to"] in names])


def _entities(ep: Episode) -> list[Row]:
    return [shown_entity(row) for row in ep.db.all("SELECT * FROM entities ORDER BY row_id")]


def _relations(ep: Episode) -> list[Row]:
    return [shown_relation(row) for row in ep.db.all("SELECT * FROM relations ORDER BY row_id")]


def _graph(entities: list[Row], relations: list[Row]) -> Row:
    return {"entities": entities, "relations": relations}
