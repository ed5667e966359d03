"""What a page needs to know of an app's tables: one JSON object an app, derived from its schema."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from sqlalchemy import Column, Table

from farm.appkit.schema import Schema
from farm.appkit.table_view import View

# The part of a view that a column fills → the roles that fill it if the view names no column, the first match.
_BY_ROLE = {"title": ("title",), "body": ("body",), "author": ("author",), "when": ("time",)}
_DECLARED = tuple(each.name for each in fields(View) if each.name not in ("kind", "why"))


def table_models(schema: Schema) -> dict[str, Any]:
    """Return table → how it is shown, parents before children.

    Each has ``kind``, ``why`` if it is hidden, ``key`` (its key columns), ``columns`` (name → role, format, time,
    target, and so on), ``notifies``, ``one`` and ``many`` (what rows are called), and the columns that the view
    names or that roles imply: ``title``, ``body``, ``author``, ``when``, ``until``, ``within``, ``thread`` and others.
    """
    return {str(table.name): _table(table) for table in schema.tables}


def _table(table: Table) -> dict[str, Any]:
    view: View = table.info["view"]
    found: dict[str, Any] = {"kind": view.kind, "key": [str(c.name) for c in table.primary_key.columns]}
    found |= {"columns": {str(c.name): _column(c) for c in table.columns}}
    found |= {name: value for name in _DECLARED if (value := getattr(view, name) or _implied(name, table))}
    found.setdefault("one", singular(str(table.name)))
    found.setdefault("many", plural(found["one"]))
    found |= {flag: True for flag in ("notifies", "internal") if table.info.get(flag)}
    return found | ({"why": view.why} if view.why else {})


def _column(column: Column[Any]) -> dict[str, Any]:
    info = column.info
    key = next(iter(column.foreign_keys), None)
    found = {name: info[name] for name in ("role", "format", "time", "deleted_value", "read_mark") if info.get(name)}
    if key is not None:
        found["target"] = [str(key.column.table.name), str(key.column.name)]
        found |= {"parent": True} if key.info.get("parent") else {}
    found |= {"json": True} if info.get("json") else {}
    return found | ({"hidden": True} if info.get("seen_by") == "nobody" else {})


def _implied(name: str, table: Table) -> str | None:
    if name == "within":
        return _owner(table.columns)
    roles = _BY_ROLE.get(name, ())
    return next((str(c.name) for role in roles for c in table.columns if _fills(c, role)), None)


def _fills(column: Column[Any], role: str) -> bool:
    """Return whether a column has a role; as a time, only a moment or a day counts."""
    info = column.info
    if info.get("seen_by") == "nobody":
        return False
    return bool(info.get("time")) if role == "time" else info.get("role") == role


def _owner(columns: Iterable[Column[Any]]) -> str | None:
    for column in columns:
        if any(key.info.get("parent") for key in column.foreign_keys):
            return str(column.name)
    return None


def singular(table: str) -> str:
    """Return what one row of a table is called, by the table's name."""
    words = table.replace("_", " ")
    if words.endswith("ies"):
        return words[:-3] + "y"
    return words[:-1] if words.endswith("s") and not words.endswith(("ss", "us")) else words


def plural(noun: str) -> str:
    """Return the plural of a noun."""
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")
