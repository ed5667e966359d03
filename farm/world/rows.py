"""What the rows of most apps are made with, and what is read from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson

from farm.kernel import Row


def as_json(value: Any) -> str:
    """Return compact JSON, as stored in a JSON column."""
    return orjson.dumps(value).decode()


def identities_of(rows: Iterable[Row], table: str, **columns: str) -> dict[str, dict[str, str]]:
    """Return person → what an app shows of them, for apps that keep it in columns of one table.

    Args:
        columns: what it is (``name``, ``address``, ``handle``, ``title``) → the column.
    """
    people = [row for row in rows if row["table"] == table and row.get("person")]
    return {row["person"]: {what: row[column] for what, column in columns.items()} for row in people}
