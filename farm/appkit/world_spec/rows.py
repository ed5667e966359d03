"""Helpers to build rows and to read facts from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson

from farm.appkit.handler_api import Row


def as_json(value: Any) -> str:
    """Return compact JSON, as stored in a JSON column."""
    return orjson.dumps(value).decode()


def identities_of(rows: Iterable[Row], table: str, **columns: str) -> dict[str, dict[str, str]]:
    """Return person → their identity in an app, for apps that store it in columns of one table.

    Args:
        rows: the app's rows.
        table: the table.
        columns: the kind of value (``name``, ``address``, ``handle``, ``title``) → its column.
    """
    people = [row for row in rows if row["table"] == table and row.get("person")]
    return {row["person"]: {what: row[column] for what, column in columns.items()} for row in people}
