"""Simple values of a new page, which the server turns into the API's own by the schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Result, Row

from .access import Access
from .databases import parent_source
from .errors import ServerError
from .mcp_validation import js_truthy, require
from .pages import create_item
from .property_types import list_properties

Rows = Mapping[str, Row]

_WORDS = {str: "a string", float: "a number", bool: "a boolean"}
_TEXTS, _LINKS, _CHOICES = ("title", "rich_text"), ("url", "email", "phone_number"), ("select", "status")


def create_data_source_item_from_values(ep: Episode, *, data_source_id: str, values: dict[str, Any]) -> Result:
    """Make a page in a data source from plain values."""
    if not data_source_id or not js_truthy(values):
        require(data_source_id=data_source_id, values=values)
    reach = Access(ep)
    source = reach.require_source(data_source_id)
    rows = {row["name"]: row for row in list_properties(ep, source["id"])}
    properties = {}
    for name, value in values.items():
        properties[name] = _property(known_property(rows, name), value)
    return create_item(ep, reach, parent_source(reach, data_source_id), properties)


def _property(row: Row, value: Any) -> dict[str, Any]:
    name, kind = row["name"], row["type"]
    if kind in _TEXTS:
        text = expect(name, value, str)
        return {kind: [{"type": "text", "text": {"content": text}, "plain_text": text}]}
    if kind == "number":
        return {kind: expect(name, value, float)}
    if kind == "checkbox":
        return {kind: expect(name, value, bool)}
    if kind in _CHOICES:
        return {kind: {"name": known_option(row, expect(name, value, str))}}
    if kind == "multi_select":
        return {kind: [{"name": known_option(row, each)} for each in _texts(name, value)]}
    if kind == "date":
        return {kind: _date(name, value)}
    if kind in _LINKS:
        return {kind: None if value is None else expect(name, value, str)}
    if kind in ("relation", "people"):
        return {kind: [{"id": each} for each in _texts(name, value)]}
    raise ServerError(
        f"Property '{name}' has unsupported type '{kind}' for simple value creation. "
        "Use notion_create_data_source_item with raw Notion properties."
    )


def _texts(name: str, value: Any) -> list[str]:
    if type(value) is str:
        return [value]
    if type(value) is list and all(type(each) is str for each in value):
        return value
    raise ServerError(f"Property '{name}' must be a string or an array of strings.")


def _date(name: str, value: Any) -> dict[str, Any]:
    if type(value) is str:
        return {"start": value}
    if type(value) is not dict:
        raise ServerError(f"Property '{name}' must be an ISO date string or {{ start, end?, time_zone? }}.")
    if type(value.get("start")) is not str:
        raise ServerError(f"Property '{name}' date value requires a string start.")
    return {key: value[key] for key in ("start", "end", "time_zone") if type(value.get(key)) is str}


def known_property(rows: Rows, name: str) -> Row:
    """Return the property of a name that the schema has.

    Raises:
        ServerError: it has none.
    """
    if name not in rows:
        raise ServerError(f"Unknown property '{name}'. Use notion_inspect_data_source to list valid properties.")
    return rows[name]


def expect(name: str, value: Any, kind: type) -> Any:
    """Return a value of the right sort.

    Raises:
        ServerError: it is of another.
    """
    kinds = (int, float) if kind is float else (kind,)
    if type(value) not in kinds:
        raise ServerError(f"Property '{name}' must be {_WORDS[kind]}.")
    return value


def known_option(row: Row, wanted: str) -> str:
    """Return the name of an option that the schema has.

    Raises:
        ServerError: it has others; it is told which, and which is meant where only the case differs.
    """
    names = [each["name"] for each in row["config"].get("options", ())]
    if not names or wanted in names:
        return wanted
    near = next((each for each in names if each.lower() == wanted.lower()), None)
    told = [
        f"Property '{row['name']}' does not have option '{wanted}'.",
        f"Valid options: {', '.join(names)}.",
        *([] if near is None else [f"Did you mean '{near}'?"]),
        "Use notion_inspect_data_source to confirm current options.",
    ]
    raise ServerError(" ".join(told))
