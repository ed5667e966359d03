"""What formulas reckon with beside texts, numbers, truths and lists: days, ranges, people and pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from farm.appkit.formats.javascript import js_number_text

from .times import is_day, read_moment


class Day(datetime):
    """A date without a time."""


@dataclass(frozen=True, slots=True)
class DateRange:
    """Two moments; what asks for one of them asks for the first."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, as a property shows them."""

    id: str
    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page, of this data source or of a related one.

    Attributes:
        look: a property's name → its type and its value, as the API shows it.
    """

    id: str
    title: str
    look: Callable[[str], tuple[str, Any]]


def read_day_or_moment(written: str) -> datetime | None:
    """Return what a date or a date with a time stands for, or None."""
    found = read_moment(written)
    return as_day(found) if found is not None and is_day(written) else found


def as_day(moment: datetime) -> Day:
    """Return the day of a moment, from its midnight."""
    return Day(moment.year, moment.month, moment.day, tzinfo=moment.tzinfo)


def with_time(moment: datetime) -> datetime:
    """Return a moment that has a time, be it midnight."""
    return datetime.combine(moment.date(), moment.timetz())


def read_date(value: dict[str, Any] | None) -> datetime | DateRange | None:
    """Return what a date property holds."""
    if not value:
        return None
    start = read_day_or_moment(value["start"])
    end = read_day_or_moment(value["end"]) if value.get("end") else None
    return DateRange(start, end) if start is not None and end is not None else start


def read_person(user: dict[str, Any]) -> Person:
    """Return somebody; who is not known has neither name nor mail."""
    return Person(user["id"], user.get("name") or "", user.get("person", {}).get("email") or "")


def first_moment(value: Any) -> Any:
    """Return a range's beginning, and anything else as it is."""
    return value.start if isinstance(value, DateRange) else value


def range_of(start: datetime, end: datetime | DateRange) -> DateRange:
    """Return what reaches from one date to another; where one has a time, both have: the last minute of a last day."""
    last = end.end if isinstance(end, DateRange) else end
    if isinstance(start, Day) == isinstance(last, Day):
        return DateRange(start, last)
    last = with_time(last).replace(hour=23, minute=59) if isinstance(last, Day) else last
    return DateRange(with_time(start), last)


def text(value: Any) -> str:
    """Return a value as text, as ``+`` and ``format`` write it, of a list its values with commas between."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return js_number_text(value)
        case list():
            return ", ".join(map(text, value))
        case datetime():
            day = f"{value:%B} {value.day}, {value.year}"
            return day if isinstance(value, Day) else f"{day} {value:%H:%M}"
        case DateRange():
            return f"{text(value.start)} → {text(value.end)}"
        case Person():
            return value.name
        case Page():
            return value.title
        case _:
            return str(value)
