"""Filters and sort orders of record searches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import Episode, Row

from . import cell_json, errors
from .cells import DATE_LEAST, DATE_MOST
from .envelope import require_length
from .fields import Field, Kind
from .users import find_users

CONDITIONS_MOST, VALUES_MOST, SORTS_MOST, NAME_MOST = 50, 10, 100, 1000
DAY = timedelta(days=1)

# A record under test: its row and its cells.
Test = Callable[[Row, Mapping[str, Any]], bool]
Key = Callable[[Row, Mapping[str, Any]], Any]

TEXTS = (Kind.TEXT, Kind.PHONE, Kind.URL, Kind.LOCATION, Kind.AUTO_NUMBER)
CHOICES = (
    Kind.SINGLE_SELECT,
    Kind.MULTI_SELECT,
    Kind.USER,
    Kind.CREATED_USER,
    Kind.MODIFIED_USER,
    Kind.LINK,
    Kind.DUPLEX_LINK,
    Kind.GROUP,
)
PEOPLE = (Kind.USER, Kind.CREATED_USER, Kind.MODIFIED_USER)
DATES = (Kind.DATE, Kind.CREATED_TIME, Kind.MODIFIED_TIME)
EMPTINESS = ("isEmpty", "isNotEmpty")
_MEMBERSHIP = ("is", "isNot", "contains", "doesNotContain", *EMPTINESS)
_COMPARISONS = ("is", "isNot", "isGreater", "isGreaterEqual", "isLess", "isLessEqual", *EMPTINESS)
# Formulas and look-ups cannot be searched by, and nothing can by like and in.
OPERATORS: Mapping[int, tuple[str, ...]] = {
    **dict.fromkeys((*TEXTS, *CHOICES), _MEMBERSHIP),
    **dict.fromkeys(DATES, ("is", "isGreater", "isLess", *EMPTINESS)),
    Kind.NUMBER: _COMPARISONS,
    Kind.CHECKBOX: ("is",),
    Kind.ATTACHMENT: EMPTINESS,
}
_TIMESTAMP = re.compile(r"-?\d{1,15}")


@dataclass(frozen=True, slots=True)
class ViewContext:
    """What filters and orders look at records with."""

    columns: Mapping[str, Field]
    zone: ZoneInfo
    now: datetime
    id_type: str


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition, checked: what the field holds is compared with ``values``."""

    field: Field
    operator: str
    values: tuple[str, ...]


def require_form(wanted: Mapping[str, Any], order: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a filter or sort that is too long or lacks a part, as the platform does before it looks for the base.

    Raises:
        FieldValidationFailed: it is.
    """
    conditions = wanted.get("conditions") or []
    if conditions and "conjunction" not in wanted:
        raise errors.FieldValidationFailed("filter.conjunction", "filter.conjunction is required")
    require_length("sort", order, SORTS_MOST)
    require_length("filter.conditions", conditions, CONDITIONS_MOST)
    for index, each in enumerate(order):
        require_length(f"sort[{index}].field_name", each.get("field_name", ""), NAME_MOST)
    for index, each in enumerate(conditions):
        where = f"filter.conditions[{index}]"
        require_length(f"{where}.field_name", each["field_name"], NAME_MOST)
        if each.get("value") is None:
            raise errors.FieldValidationFailed(f"{where}.value", f"{where}.value is required")
        require_length(f"{where}.value", each["value"], VALUES_MOST)


def require_filter(ep: Episode, wanted: Mapping[str, Any], view_context: ViewContext) -> Test | None:
    """Return the test a filter makes, or None when it lets everything through.

    Raises:
        InvalidFilter: no such field, or an operator or value that does not fit it.
    """
    conditions = wanted.get("conditions") or []
    if not conditions:
        return None
    checked = [_require_condition(each, view_context) for each in conditions]
    tests = [_test(condition, view_context) for condition in _with_open_ids(ep, checked, view_context.id_type)]
    together = all if wanted["conjunction"] == "and" else any
    return lambda row, cells: together(test(row, cells) for test in tests)


def _require_condition(wanted: Mapping[str, Any], view_context: ViewContext) -> Condition:
    name, operator, values = wanted["field_name"], wanted["operator"], wanted["value"]
    field = view_context.columns.get(name)
    if field is None:
        raise errors.InvalidFilter(_says(f"field '{name}' not found"))
    allowed = OPERATORS.get(field.kind, ())
    if operator not in allowed:
        choice = f"the operators of field '{name}' are {', '.join(allowed)}" if allowed else f"'{name}' has no filter"
        raise errors.InvalidFilter(_says(choice))
    if operator in EMPTINESS:
        if values:
            raise errors.InvalidFilter(_says(f"the value of operator '{operator}' must be []"))
    elif field.kind not in DATES and len(values) > 1 and (field.kind not in CHOICES or operator in ("is", "isNot")):
        raise errors.InvalidFilter(_says(f"field '{name}' with operator '{operator}' takes one value"))
    return Condition(field, operator, tuple(values))


def _says(what: str) -> str:
    return f"Invalid request parameter: ''. Correct format : {what}. Please check and modify accordingly."


def _with_open_ids(ep: Episode, conditions: list[Condition], id_type: str) -> list[Condition]:
    named = [each for each in conditions if each.field.kind in PEOPLE]
    people = find_users(ep, [value for each in named for value in each.values], id_type)
    for each in named:
        if not people.keys() >= set(each.values):
            listed = " ".join(each.values)
            raise errors.InvalidFilter(
                _says(f"UserCondition field '{each.field.name}' value '[{listed}]',id is invalid")
            )
    return [
        Condition(each.field, each.operator, tuple(people[value]["open_id"] for value in each.values))
        if each.field.kind in PEOPLE
        else each
        for each in conditions
    ]


def _test(condition: Condition, view_context: ViewContext) -> Test:
    held = _held(condition.field, view_context)
    if condition.operator == "isEmpty":
        return lambda row, cells: held(row, cells) in _NOTHINGS
    if condition.operator == "isNotEmpty":
        return lambda row, cells: held(row, cells) not in _NOTHINGS
    if not condition.values:
        # An operator without a value is a condition that is not filled in yet; it holds back nothing.
        return lambda _row, _cells: True
    compare = _comparison(condition, view_context)
    return lambda row, cells: compare(held(row, cells))


_NOTHINGS: tuple[Any, ...] = (None, "", [], set())


def _held(field: Field, view_context: ViewContext) -> Key:
    """Return what reads a record's value of a field, in the form its comparisons use."""
    field_id, kind = field.field_id, field.kind
    match kind:
        case Kind.CREATED_TIME | Kind.MODIFIED_TIME:
            column = "created_at" if kind == Kind.CREATED_TIME else "modified_at"
            return lambda row, _cells: row[column]
        case Kind.CREATED_USER | Kind.MODIFIED_USER:
            column = "created_by" if kind == Kind.CREATED_USER else "modified_by"
            return lambda row, _cells: {row[column]}
        case Kind.AUTO_NUMBER:
            return lambda row, _cells: cell_json.serial(field, row, view_context.zone)
        case Kind.TEXT | Kind.URL | Kind.LOCATION | Kind.PHONE:
            return lambda _row, cells: _as_text(kind, cells.get(field_id))
        case Kind.SINGLE_SELECT | Kind.MULTI_SELECT | Kind.LINK | Kind.DUPLEX_LINK:
            return lambda _row, cells: _as_set(cells.get(field_id))
        case Kind.USER | Kind.GROUP:
            return lambda _row, cells: {each["id"] for each in cells.get(field_id) or ()}
        case _:
            return lambda _row, cells: cells.get(field_id)


def _as_text(kind: int, cell: Any) -> str:
    if cell is None:
        return ""
    if kind == Kind.URL:
        return str(cell.get("text") or cell.get("link") or "")
    if kind == Kind.LOCATION:
        return str(cell.get("full_address") or cell.get("location") or "")
    return "".join(segment.get("text", "") for segment in cell) if isinstance(cell, list) else str(cell)


def _as_set(cell: Any) -> set[str]:
    if cell is None:
        return set()
    return {cell} if isinstance(cell, str) else set(cell)


def _comparison(condition: Condition, view_context: ViewContext) -> Callable[[Any], bool]:
    kind = condition.field.kind
    if kind in CHOICES:
        return _choice(condition.operator, set(condition.values))
    if kind in DATES:
        return _date(condition, view_context)
    if kind == Kind.NUMBER:
        return _number(condition)
    if kind == Kind.CHECKBOX:
        if condition.values[0] not in ("true", "false"):
            raise errors.InvalidFilter(_says(f"field '{condition.field.name}' takes 'true' or 'false'"))
        ticked = condition.values[0] == "true"
        return lambda held: bool(held) is ticked
    return _words(condition.operator, condition.values[0])


def _choice(operator: str, values: set[str]) -> Callable[[Any], bool]:
    match operator:
        case "is":
            return lambda held: bool(held == values)
        case "isNot":
            return lambda held: bool(held != values)
        case "contains":
            return lambda held: bool(held & values)
        case _:
            return lambda held: not held & values


def _words(operator: str, value: str) -> Callable[[Any], bool]:
    folded = value.casefold()
    match operator:
        case "is":
            return lambda held: bool(held == value)
        case "isNot":
            return lambda held: bool(held != value)
        case "contains":
            return lambda held: folded in held.casefold()
        case _:
            return lambda held: folded not in held.casefold()


def _number(condition: Condition) -> Callable[[Any], bool]:
    try:
        value = float(condition.values[0])
    except ValueError:
        raise errors.InvalidFilter(_says(f"field '{condition.field.name}' takes a number")) from None
    match condition.operator:
        case "is":
            return lambda held: held is not None and held == value
        case "isNot":
            return lambda held: held is None or held != value
        case "isGreater":
            return lambda held: held is not None and held > value
        case "isGreaterEqual":
            return lambda held: held is not None and held >= value
        case "isLess":
            return lambda held: held is not None and held < value
        case _:
            return lambda held: held is not None and held <= value


def _date(condition: Condition, view_context: ViewContext) -> Callable[[Any], bool]:
    """Compare by whole days of the base's zone: ``[first, last)`` is the time a value means."""
    first, last = _span(condition, view_context)
    match condition.operator:
        case "is":
            return lambda held: held is not None and first <= held < last
        case "isGreater":
            return lambda held: held is not None and held >= last
        case _:
            return lambda held: held is not None and held < first


def _span(condition: Condition, view_context: ViewContext) -> tuple[int, int]:
    name, values = condition.field.name, condition.values
    word = values[0]
    today = view_context.now.astimezone(view_context.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    if word == "ExactDate":
        if len(values) != 2 or not _TIMESTAMP.fullmatch(values[1]) or not DATE_LEAST <= int(values[1]) <= DATE_MOST:
            raise errors.InvalidFilter(_says(f"ExactDate of field '{name}' takes a timestamp in milliseconds"))
        exact = datetime.fromtimestamp(int(values[1]) / 1000, view_context.zone)
        return _days(exact.replace(hour=0, minute=0, second=0, microsecond=0), 1)
    spans = {"Today": (0, 1), "Tomorrow": (1, 1), "Yesterday": (-1, 1)}
    if condition.operator == "is":
        week, month = -today.weekday(), 1 - today.day
        spans |= {"CurrentWeek": (week, 7), "LastWeek": (week - 7, 7)}
        # Today is one of the seven or thirty days, on either side.
        spans |= {"TheLastWeek": (-6, 7), "TheNextWeek": (0, 7), "TheLastMonth": (-29, 30), "TheNextMonth": (0, 30)}
        before = (today + DAY * month - DAY).day
        length = ((today + DAY * month + DAY * 31).replace(day=1) - (today + DAY * month)).days
        spans |= {"CurrentMonth": (month, length), "LastMonth": (month - before, before)}
    if word not in spans or len(values) != 1:
        raise errors.InvalidFilter(_says(f"field '{name}' takes no such date with operator '{condition.operator}'"))
    offset, length = spans[word]
    return _days(today + DAY * offset, length)


def _days(first: datetime, length: int) -> tuple[int, int]:
    return int(first.timestamp() * 1000), int((first + DAY * length).timestamp() * 1000)


def require_order(wanted: Iterable[Mapping[str, Any]], view_context: ViewContext) -> list[tuple[Key, bool]]:
    """Return the keys to sort by, with whether each runs backwards.

    Raises:
        InvalidSort: no such field, or no field named.
    """
    keys = []
    for each in wanted:
        field = view_context.columns.get(each.get("field_name", ""))
        if field is None:
            raise errors.InvalidSort(_says(f"field '{each.get('field_name', '')}' not found"))
        keys.append((_order(field, view_context), bool(each.get("desc", False))))
    return keys


def _order(field: Field, view_context: ViewContext) -> Key:
    """Return a sort key: empty cells come last, options in the field's order, the rest by value."""
    held, kind = _held(field, view_context), field.kind
    rank = {name: index for index, name in enumerate(field.options)}

    def key(row: Row, cells: Mapping[str, Any]) -> tuple[bool, Any]:
        value = held(row, cells)
        if kind == Kind.AUTO_NUMBER:
            return (False, row["number"])
        if kind in (Kind.SINGLE_SELECT, Kind.MULTI_SELECT):
            return (not value, sorted(rank.get(name, len(rank)) for name in value))
        if kind in CHOICES:
            return (not value, sorted(value))
        if kind == Kind.CHECKBOX:
            return (False, bool(value))
        if kind in (Kind.NUMBER, *DATES):
            return (value is None, value or 0)
        if kind in (Kind.FORMULA, Kind.LOOKUP, Kind.ATTACHMENT):
            return (value is None, str(value))
        return (not value, value.casefold())

    return key


def in_order(records: list[tuple[Row, dict[str, Any]]], keys: list[tuple[Key, bool]]) -> None:
    """Sort records in place, the first key counting most; what is equal stays as it stands."""
    for key, backwards in reversed(keys):
        records.sort(key=lambda record, key=key: key(*record), reverse=backwards)  # type: ignore[misc]
