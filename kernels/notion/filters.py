"""Filters and sorts of a query: how they are read, and which pages they let through."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from farm.appkit import Episode, Row
from farm.appkit.formats.times import local

from . import errors
from .json_columns import plain_text
from .property_types import find_property
from .property_values import PageValues
from .request_validation import RequestField, fault, refuse
from .times import is_day, read_moment

Cells = Mapping[str, str]
Test = Callable[[Row, Cells], bool]
Condition = Callable[[Any], bool]

_DEPTH_MAX, _FILTERS_MAX = 2, 100
_TEXT = ("equals", "does_not_equal", "contains", "does_not_contain", "starts_with", "ends_with")
_NUMBER = ("equals", "does_not_equal", "greater_than", "less_than", "greater_than_or_equal_to", "less_than_or_equal_to")
_DATE = ("equals", "before", "after", "on_or_before", "on_or_after")
_RELATIVE = ("past_week", "past_month", "past_year", "this_week", "next_week", "next_month", "next_year")
_EMPTY = ("is_empty", "is_not_empty")
# Which kinds of filter fit which types of property, but for the type's own.
_ALSO = {
    **dict.fromkeys(("title", "url", "email", "phone_number"), ("rich_text",)),
    "created_time": ("date",),
    "last_edited_time": ("date",),
    "created_by": ("people",),
    "last_edited_by": ("people",),
    "unique_id": ("number",),
}
_TEXT_KINDS = ("title", "rich_text", "url", "email", "phone_number")
_KINDS = (
    *("title", "rich_text", "number", "checkbox", "select", "multi_select", "status", "date", "people", "files", "url"),
    *("email", "phone_number", "relation", "created_by", "created_time", "last_edited_by", "last_edited_time"),
    *("formula", "unique_id", "rollup"),
)


class Filters:
    """Reads the filter of a query over one data source."""

    def __init__(self, ep: Episode, values: PageValues, *, is_old: bool = False) -> None:
        self.values, self.is_old = values, is_old
        self.now = ep.now.astimezone(ep.zone)
        self.zone = ep.zone

    def read(self, place: RequestField, depth: int = 0) -> Test:
        """Return whether a page fits a filter.

        Raises:
            Invalid: it is none, asks for what no property has, or is nested too deep.
        """
        given = place.a("object").value
        for word in ("and", "or"):
            if word in given:
                if depth >= _DEPTH_MAX:
                    raise place.at(word).fault("not present")
                place.only(word)
                parts = place.at(word).a("array").most(_FILTERS_MAX).items()
                tests = [self.read(each, depth + 1) for each in parts]
                return _all(tests) if word == "and" else _any(tests)
        if "timestamp" in given:
            return self._timestamp(place)
        if "property" not in given:
            raise refuse(*(fault(f"{place.path}.{each}", "defined") for each in ("or", "and", "property", "timestamp")))
        return self._property(place)

    def _timestamp(self, place: RequestField) -> Test:
        kind = place.at("timestamp").one_of(("created_time", "last_edited_time")).value
        place.only("timestamp", kind, "type")
        test = self._date(place.at(kind).a("object"))
        column = "created_ms" if kind == "created_time" else "edited_ms"

        def passes(page: Row, cells: Cells) -> bool:
            moment = local(page[column] // 60_000 * 60_000, self.zone)
            return test({"start": moment.isoformat(), "end": None})

        return passes

    def _property(self, place: RequestField) -> Test:
        name = place.at("property").a("string").value
        kinds = [kind for kind in _KINDS if kind in place.value]
        if not kinds:
            raise refuse(*(fault(f"{place.path}.{kind}", "defined") for kind in ("or", "and", *_KINDS)))
        kind = kinds[0]
        place.only("property", "type", kind)
        row = find_property(self.values.properties, name)
        if row is None:
            raise errors.Invalid(f"Could not find property with name or id: {name}")
        _require_fit(row, kind)
        condition = self._condition(kind, row, place.at(kind).a("object"))
        return lambda page, cells: condition(self.values.value(row, page, cells))

    def _condition(self, kind: str, row: Row, what: RequestField) -> Condition:
        if kind == "formula":
            return self._inner(what, ("string", "checkbox", "number", "date"))
        if kind == "rollup":
            return self._rollup(what, self.values.rolled(row))
        if kind in _TEXT_KINDS:
            return _text(what)
        if kind in ("number", "unique_id"):
            return _number(what, is_unique_id=row["type"] == "unique_id")
        if kind == "checkbox":
            return _checkbox(what)
        if kind in ("select", "status"):
            return _select(what, is_old=self.is_old)
        if kind == "multi_select":
            return _tags(what, is_old=self.is_old)
        if kind in ("people", "relation", "created_by", "last_edited_by"):
            return _members(what)
        if kind == "files":
            return _present(what)
        date = self._date(what)
        return lambda value: date({"start": value, "end": None} if isinstance(value, str) else value)

    def _inner(self, what: RequestField, kinds: tuple[str, ...]) -> Condition:
        kind = next((each for each in kinds if each in what.value), None)
        if kind is None:
            raise refuse(*(fault(f"{what.path}.{each}", "defined") for each in kinds))
        inner = what.at(kind).a("object")
        readers: Mapping[str, Callable[[RequestField], Condition]] = {
            "string": _text,
            "checkbox": _checkbox,
            "number": _number,
            "date": self._date,
        }
        test, member = readers[kind](inner), {"checkbox": "boolean"}.get(kind, kind)
        return lambda value: bool(value) and value["type"] == member and test(value[member])

    def _rollup(self, what: RequestField, rolled: Row | None) -> Condition:
        for word in ("any", "every", "none"):
            if word in what.value:
                inner = what.at(word).a("object")
                kind = next((each for each in _KINDS if each in inner.value), None)
                if kind is None:
                    raise refuse(*(fault(f"{inner.path}.{each}", "defined") for each in _KINDS))
                if rolled is None:
                    return lambda value: word != "any"  # over nothing
                _require_fit(rolled, kind)
                return _over(word, self._condition(kind, rolled, inner.at(kind).a("object")))
        return self._inner(what, ("number", "date"))

    def _date(self, what: RequestField) -> Condition:
        word = _word(what, (*_DATE, *_RELATIVE, *_EMPTY))
        if word in _EMPTY:
            return _present(what)
        if word in _RELATIVE:
            what.at(word).a("object").only()
            first, end = _span(word, self.now)
            return lambda value: bool(value) and first <= self._moment(value["start"]) < end
        text = what.at(word).a("string").value
        wanted = read_moment(text)
        if wanted is None:
            raise what.at(word).fault("a valid ISO 8601 date string")
        return lambda value: bool(value) and self._compare(word, value["start"], text)

    def _compare(self, word: str, held: str, wanted: str) -> bool:
        """Compare days where one of the two is a day, else moments."""
        left, right = self._moment(held), self._moment(wanted)
        if is_day(held) or is_day(wanted):
            one, other = left.date(), right.date()
            return _DATE_TESTS[word]((one > other) - (one < other))
        return _DATE_TESTS[word]((left > right) - (left < right))

    def _moment(self, text: str) -> datetime:
        found = read_moment(text)
        assert found is not None, "it was read before"
        return found.replace(tzinfo=self.zone) if is_day(text) else found.astimezone(self.zone)


def _require_fit(row: Row, kind: str) -> None:
    """Refuse a kind of filter that does not fit a property's type."""
    if kind != row["type"] and kind not in _ALSO.get(row["type"], ()):
        named = "text" if row["type"] == "rich_text" else row["type"]
        raise errors.Invalid(
            "The property type in the database does not match the property type of the filter provided:"
            f" database property {named} does not match filter {kind}"
        )


_DATE_TESTS: Mapping[str, Callable[[int], bool]] = {
    "equals": lambda order: order == 0,
    "before": lambda order: order < 0,
    "after": lambda order: order > 0,
    "on_or_before": lambda order: order <= 0,
    "on_or_after": lambda order: order >= 0,
}


def _all(tests: list[Test]) -> Test:
    return lambda page, cells: all(test(page, cells) for test in tests)


def _any(tests: list[Test]) -> Test:
    return lambda page, cells: any(test(page, cells) for test in tests)


def _over(word: str, test: Condition) -> Condition:
    def passes(value: Any) -> bool:
        items = value["array"] if value and value["type"] == "array" else []
        found = [test(each[each["type"]]) for each in items]
        return any(found) if word == "any" else all(found) if word == "every" else not any(found)

    return passes


def _ids(value: Any) -> list[str]:
    """Return the ids of what stands in a property: several, one, or none."""
    held = value if isinstance(value, list) else [value] if value else []
    return [each["id"] for each in held]


def _word(what: RequestField, words: tuple[str, ...]) -> str:
    found = next((each for each in words if each in what.value), None)
    if found is None:
        raise refuse(*(fault(f"{what.path}.{each}", "defined") for each in words))
    what.only(found)
    return found


def _present(what: RequestField) -> Condition:
    word = _word(what, _EMPTY)
    if what.at(word).value is not True:
        raise what.at(word).fault("`true`")
    wanted = word == "is_not_empty"
    return lambda value: (value not in (None, "", [])) is wanted


def _text(what: RequestField) -> Condition:
    word = _word(what, (*_TEXT, *_EMPTY))
    if word in _EMPTY:
        return _present(what)
    wanted = str(what.at(word).a("string").value).casefold()

    def passes(value: Any) -> bool:
        held = (plain_text(value) if isinstance(value, list) else value or "").casefold()
        tests = {
            "equals": held == wanted,
            "contains": wanted in held,
            "starts_with": held.startswith(wanted),
            "ends_with": held.endswith(wanted),
            "does_not_equal": held != wanted,
            "does_not_contain": wanted not in held,
        }
        return tests[word]

    return passes


def _number(what: RequestField, *, is_unique_id: bool = False) -> Condition:
    word = _word(what, (*_NUMBER, *_EMPTY))
    if word in _EMPTY:
        return _present(what)
    wanted = what.at(word).a("number").value
    tests: Mapping[str, Callable[[Any], bool]] = {
        "equals": lambda held: held == wanted,
        "greater_than": lambda held: held > wanted,
        "less_than": lambda held: held < wanted,
        "greater_than_or_equal_to": lambda held: held >= wanted,
        "less_than_or_equal_to": lambda held: held <= wanted,
    }

    def passes(value: Any) -> bool:
        held = value["number"] if is_unique_id and value else value
        if word == "does_not_equal":
            return bool(held != wanted)
        return held is not None and tests[word](held)

    return passes


def _checkbox(what: RequestField) -> Condition:
    word = _word(what, ("equals", "does_not_equal"))
    wanted = what.at(word).a("boolean").value
    return lambda value: (bool(value) == wanted) is (word == "equals")


def _select(what: RequestField, *, is_old: bool) -> Condition:
    word = _word(what, ("equals", "does_not_equal", *_EMPTY))
    if word in _EMPTY:
        return _present(what)
    wanted = _names(what.at(word), is_old=is_old)
    return lambda value: ((value or {}).get("name") in wanted) is (word == "equals")


def _tags(what: RequestField, *, is_old: bool) -> Condition:
    word = _word(what, ("contains", "does_not_contain", *_EMPTY))
    if word in _EMPTY:
        return _present(what)
    wanted = _names(what.at(word), is_old=is_old)
    return lambda value: any(each["name"] in wanted for each in value or []) is (word == "contains")


def _names(place: RequestField, *, is_old: bool) -> frozenset[str]:
    """Return the options that a filter names; since April 2026 several may stand for any of them."""
    if not is_old and type(place.value) is list:
        return frozenset(each.a("string").value for each in place.most(_FILTERS_MAX).items())
    return frozenset((place.a("string").value,))


def _members(what: RequestField) -> Condition:
    word = _word(what, ("contains", "does_not_contain", *_EMPTY))
    if word in _EMPTY:
        return _present(what)
    wanted = what.at(word).uuid()
    return lambda value: (wanted in _ids(value)) is (word == "contains")


def _span(word: str, now: datetime) -> tuple[datetime, datetime]:
    """Return from when until when a word reaches, whole days at both ends; weeks begin on Sunday."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    tomorrow = today + timedelta(days=1)
    if word == "this_week":
        sunday = today - timedelta(days=(today.weekday() + 1) % 7)
        return sunday, sunday + timedelta(days=7)
    direction, _, unit = word.partition("_")
    sign = -1 if direction == "past" else 1
    other = (
        today + timedelta(days=7 * sign) if unit == "week" else _months(today, sign * (1 if unit == "month" else 12))
    )
    return (other, tomorrow) if sign < 0 else (today, other + timedelta(days=1))


def _months(day: datetime, count: int) -> datetime:
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    return day.replace(year=year, month=month + 1, day=min(day.day, calendar.monthrange(year, month + 1)[1]))


# -- sorts ------------------------------------------------------------------------------------------------------------


def sort_pages(sorts: RequestField, pages: list[tuple[Row, Cells]], values: PageValues) -> list[tuple[Row, Cells]]:
    """Return pages in the order of a query; earlier sorts count first, and what is empty comes last.

    Raises:
        Invalid: a sort is none, or by what no property has.
    """
    for sort in reversed(sorts.a("array").most(100).items()):
        key = _sort_key(sort.a("object"), values)
        is_down = sort.at("direction").one_of(("ascending", "descending")).value == "descending"
        filled = [(key(page), page) for page in pages]
        there = [each for each in filled if each[0] is not None]
        there.sort(key=lambda each: each[0], reverse=is_down)
        pages = [page for _, page in there] + [page for value, page in filled if value is None]
    return pages


def _sort_key(sort: RequestField, values: PageValues) -> Callable[[tuple[Row, Cells]], Any]:
    if "timestamp" in sort.value:
        kind = sort.at("timestamp").one_of(("created_time", "last_edited_time")).value
        column = "created_ms" if kind == "created_time" else "edited_ms"
        return lambda page: page[0][column] // 60_000
    if "property" not in sort.value:
        raise refuse(fault(f"{sort.path}.property", "defined"), fault(f"{sort.path}.timestamp", "defined"))
    name = sort.at("property").a("string").value
    row = find_property(values.properties, name)
    if row is None:
        raise errors.Invalid(f"Could not find sort property with name or id: {name}")
    order = _order(row)
    return lambda page: order(values.value(row, *page))


def _order(row: Row) -> Callable[[Any], Any]:
    kind = row["type"]
    if kind in ("title", "rich_text"):
        return lambda value: plain_text(value).casefold() or None
    if kind in ("select", "status"):
        places = {each["id"]: number for number, each in enumerate(row["config"]["options"])}
        return lambda value: places.get(value["id"]) if value else None
    if kind == "multi_select":
        return lambda value: ", ".join(each["name"] for each in value) or None
    if kind == "date":
        return lambda value: _instant(value["start"]) if value else None
    if kind == "unique_id":
        return lambda value: value["number"]
    if kind in ("formula", "rollup"):
        return _computed
    if kind in ("people", "relation", "files"):
        return lambda value: str(value[0].get("name") or value[0].get("id", "")) if value else None
    if kind in ("created_by", "last_edited_by"):
        return lambda value: value.get("name", "")
    return lambda value: value if isinstance(value, str | int | float) else None


def _instant(text: str) -> float | None:
    found = read_moment(text)
    return None if found is None else found.timestamp()


def _computed(value: Any) -> Any:
    held = value[value["type"]]
    if isinstance(held, dict):
        held = held.get("start")
    # Values of one formula may be of several sorts; texts come after numbers.
    if isinstance(held, int | float):
        return (0, float(held), "")
    return (1, 0.0, held) if isinstance(held, str) and held else None
