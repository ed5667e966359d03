"""Simple filters and sorts, which the server turns into the API's own by the schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit import Row

from .errors import ServerError
from .simple_values import Rows, expect, known_option, known_property

_TEXT = ("equals", "does_not_equal", "contains", "does_not_contain")
_NUMBER = ("equals", "does_not_equal", "greater_than", "less_than", "greater_than_or_equal_to", "less_than_or_equal_to")
_DATE = ("equals", "before", "after", "on_or_before", "on_or_after")
_EMPTY = ("is_empty", "is_not_empty")
_BY_CONTENT = ("title", "rich_text", "multi_select", "relation", "people")
# Type → which operators it has, but for those that ask whether there is anything.
_OPERATORS = {
    "title": _TEXT,
    "rich_text": _TEXT,
    "number": _NUMBER,
    "select": ("equals", "does_not_equal"),
    "status": ("equals", "does_not_equal"),
    "multi_select": ("contains", "does_not_contain"),
    "date": _DATE,
}


def check_query(filters: list[Any], sorts: list[Any]) -> None:
    """Refuse what names no property."""
    for kind, parts in (("filters", filters), ("sorts", sorts)):
        for number, part in enumerate(parts):
            if not part["property"]:
                raise ServerError(f"{kind}[{number}].property must be a non-empty property name string.")


def build_query(rows: Rows, filters: list[Any], match: str | None, sorts: list[Any]) -> dict[str, Any]:
    """Return the API's filter and sorts.

    Raises:
        ServerError: the schema has no such property or option, or the operator or value does not fit its type.
    """
    query: dict[str, Any] = {}
    if len(filters) == 1:
        query["filter"] = _filter(rows, filters[0])
    elif filters:
        query["filter"] = {"or" if match == "any" else "and": [_filter(rows, each) for each in filters]}
    if sorts:
        for sort in sorts:
            known_property(rows, sort["property"])
        query["sorts"] = [
            {"property": each["property"], "direction": each.get("direction") or "ascending"} for each in sorts
        ]
    return query


def _filter(rows: Rows, given: Mapping[str, Any]) -> dict[str, Any]:
    row = known_property(rows, given["property"])
    kind = row["type"]
    operator = given.get("operator") or ("contains" if kind in _BY_CONTENT else "equals")
    return {"property": given["property"], kind: _condition(row, operator, given.get("value"))}


def _condition(row: Row, operator: str, value: Any) -> dict[str, Any]:
    name, kind = row["name"], row["type"]
    if kind == "checkbox":
        wanted = expect(name, value, bool)
        if operator not in ("equals", "does_not_equal"):
            raise ServerError(f"Checkbox filters only support equals or does_not_equal, got '{operator}'.")
        return {operator: wanted}
    if kind not in (*_OPERATORS, "relation", "people"):
        raise ServerError(
            f"Property '{name}' has unsupported type '{kind}' for simple querying. "
            "Use notion_query_data_source with raw Notion filter JSON."
        )
    if operator in _EMPTY:
        return {operator: True}
    if kind in ("relation", "people"):
        if operator not in ("contains", "does_not_contain"):
            raise ServerError(
                f"Relation and people filters only support contains or does_not_contain, got '{operator}'."
            )
        return {operator: expect(name, value, str)}
    allowed = _OPERATORS[kind]
    if operator not in allowed:
        told = ", ".join((*allowed, *_EMPTY))
        raise ServerError(f"Property '{name}' does not support operator '{operator}'. Allowed operators: {told}.")
    if kind == "number":
        return {operator: expect(name, value, float)}
    text = expect(name, value, str)
    return {operator: known_option(row, text) if kind in ("select", "status", "multi_select") else text}
