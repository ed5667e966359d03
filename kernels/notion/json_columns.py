"""JSON columns, the words of rich texts in them, and the order of what stands below something."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import orjson

from farm.appkit import Episode, Row, parse_json


def load(text: str | None) -> Any:
    """Return what a JSON column holds."""
    return None if text is None else parse_json(text)


def dump(value: Any) -> str:
    """Return a value as a JSON column holds it."""
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        # Half a character, or an integer beyond 64 bits.
        return json.dumps(value)


def plain_text(text: Iterable[dict[str, Any]]) -> str:
    """Return the words of a rich text."""
    return "".join(item["plain_text"] for item in text)


def row_of(ep: Episode, table: str, key: str) -> Row:
    """Return a row that is there: it was just written, or what names it by a foreign key."""
    row = ep.db.one(f"SELECT * FROM {table} WHERE id = ?", key)
    assert row is not None, f"{table} has no {key}"
    return row


def last_position(ep: Episode, parent_id: str) -> float:
    """Return the largest number among what stands below something, in the trash or not."""
    found = ep.db.one(
        "SELECT (SELECT max(position) FROM blocks WHERE parent_id = :id) AS block,"
        " (SELECT max(position) FROM pages WHERE parent_id = :id) AS page,"
        " (SELECT max(position) FROM databases WHERE parent_id = :id) AS base",
        id=parent_id,
    )
    assert found is not None, "it has no FROM"
    return max((float(each) for each in found.values() if each is not None), default=0.0)
