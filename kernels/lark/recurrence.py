"""Series: the part of RFC 5545 that this calendar expands, and refuses beyond."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice, takewhile
from typing import Literal
from zoneinfo import ZoneInfo

from dateutil.rrule import DAILY, MONTHLY, WEEKLY, rrule, weekday

FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_DAYS = {"MO": 0, "TU": 1, "WE": 2, "TH": 3, "FR": 4, "SA": 5, "SU": 6}
_BYDAY = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)")
_UNTIL = re.compile(r"(\d{8})(?:T(\d{6})(Z?))?")
_NUMBER = re.compile(r"-?\d{1,9}")
_PARTS = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "WKST"}
# A series that ends nowhere is followed this far; nothing asks for more.
_HORIZON = timedelta(days=366 * 30)
_LAST_YEAR = 9900
# dateutil searches the days of a year month by month.
_DATEUTIL_FREQUENCIES: dict[str, Literal[1, 2, 3]] = {
    "DAILY": DAILY,
    "WEEKLY": WEEKLY,
    "MONTHLY": MONTHLY,
    "YEARLY": MONTHLY,
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A parsed recurrence rule.

    Attributes:
        by_day: ``(ordinal, weekday)`` pairs; ordinal 0 means every such day of the period.
        until: last moment, UTC seconds; for a plain date the end of that day in the event's zone is meant.
    """

    freq: str
    interval: int = 1
    count: int | None = None
    until: str | None = None
    by_day: tuple[tuple[int, int], ...] = ()
    by_month_day: tuple[int, ...] = ()
    by_month: tuple[int, ...] = ()
    week_start: int = 0


def parse(text: str) -> Rule | None:
    """Return the rule, or None when it is malformed or says something that is not expanded here."""
    parts: dict[str, str] = {}
    for piece in text.strip().rstrip(";").upper().split(";"):
        name, equals, value = piece.partition("=")
        if not equals or not value or name in parts or name not in _PARTS:
            return None
        parts[name] = value
    if parts.get("FREQ") not in FREQUENCIES or {"COUNT", "UNTIL"} <= parts.keys():
        return None
    if "UNTIL" in parts and _until(parts["UNTIL"], UTC) is None:
        return None
    try:
        rule = Rule(
            freq=parts["FREQ"],
            interval=_number(parts.get("INTERVAL", "1"), 1, 1000),
            count=_number(parts["COUNT"], 1, 10_000) if "COUNT" in parts else None,
            until=parts.get("UNTIL"),
            by_day=tuple(_by_day(each) for each in parts["BYDAY"].split(",")) if "BYDAY" in parts else (),
            by_month_day=_numbers(parts.get("BYMONTHDAY"), 31),
            by_month=_numbers(parts.get("BYMONTH"), 12),
            week_start=_DAYS[parts.get("WKST", "MO")],
        )
    except (ValueError, KeyError):
        return None
    if rule.freq in ("DAILY", "WEEKLY") and any(ordinal for ordinal, _ in rule.by_day):
        return None
    # Counted weekdays of a year, and weekdays that are also days of the month, are left to real calendars.
    odd = rule.by_day and (rule.freq == "YEARLY" or (rule.freq == "MONTHLY" and rule.by_month_day))
    weekly = rule.freq == "WEEKLY" and rule.by_month_day
    return None if odd or weekly or any(month < 1 for month in rule.by_month) else rule


def _number(text: str, least: int, most: int) -> int:
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise ValueError(text)
    return int(text)


def _numbers(text: str | None, most: int) -> tuple[int, ...]:
    numbers = tuple(_number(each, -most, most) for each in text.split(",")) if text else ()
    if 0 in numbers:
        raise ValueError(text)
    return numbers


def _by_day(text: str) -> tuple[int, int]:
    match = _BYDAY.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return int(match[1] or 0), _DAYS[match[2]]


def _until(text: str, zone: tzinfo) -> int | None:
    match = _UNTIL.fullmatch(text)
    if match is None:
        return None
    try:
        moment = datetime.strptime(match[1] + (match[2] or "235959"), "%Y%m%d%H%M%S")  # noqa: DTZ007 - zone set below
    except ValueError:
        return None
    zoned = moment.replace(tzinfo=UTC if match[3] else zone)
    return int(zoned.timestamp())


def starts(rule: Rule, start_at: int, zone: ZoneInfo, after: int, before: int) -> Iterator[int]:
    """Yield the seconds at which instances start, in order, from ``after`` on and before ``before``.

    Args:
        start_at: start of the first instance; it counts as one even when the rule would not give it.
        zone: where the wall clock stays the same over daylight saving.
    """
    first = datetime.fromtimestamp(start_at, zone).replace(tzinfo=None)
    until = _until(rule.until, zone) if rule.until else None
    end = before if until is None else min(before, until + 1)
    moments = _moments(rule, first, first if rule.count else _begin(first, after))
    timed = ((int(each.replace(tzinfo=zone, fold=first.fold).timestamp()), each) for each in moments)
    in_range = takewhile(lambda pair: pair[0] < end, timed)
    selected = (at for at, each in in_range if each == first or _is_selected(rule, first, each))
    yield from (at for at in islice(selected, rule.count) if at >= after)


def _begin(first: datetime, after: int) -> datetime:
    """Return where the search for instances after ``after`` begins: at least a day earlier, whatever the time zone."""
    day = datetime.fromtimestamp(max(after, 0), UTC) - timedelta(days=2)
    return max(first, datetime.combine(day.date(), first.time()))


def _moments(rule: Rule, first: datetime, begin: datetime) -> Iterator[datetime]:
    """Yield the first moment, and from ``begin`` on the rule's moments without regard to INTERVAL and BYMONTH.

    rrule compares only its results with ``until`` and searches up to the year 9999. A rule that never matches would
    take seconds. Without INTERVAL and BYMONTH every rule matches often; ``_is_selected`` applies these two.
    """
    yield first
    freq = _DATEUTIL_FREQUENCIES[rule.freq]
    weekdays = _weekdays(rule, first)
    if begin.year > _LAST_YEAR or (rule.by_day and not weekdays):
        return
    days = rule.by_month_day or ((first.day,) if freq == MONTHLY and not weekdays else None)
    found = rrule(freq, begin, until=begin + _HORIZON, byweekday=weekdays or None, bymonthday=days)
    yield from (each for each in found if each > first)


def _weekdays(rule: Rule, first: datetime) -> list[weekday]:
    if rule.freq == "WEEKLY" and not rule.by_day:
        return [weekday(first.weekday())]
    if rule.freq != "MONTHLY":
        return [weekday(day) for _, day in rule.by_day]
    # rrule combines plain and counted weekdays with "and", RFC 5545 with "or"; so every weekday is counted.
    counted = ((day, n) for ordinal, day in rule.by_day for n in ((ordinal,) if ordinal else range(1, 6)))
    return [weekday(day, n) for day, n in counted if abs(n) <= 5]


def _is_selected(rule: Rule, first: datetime, moment: datetime) -> bool:
    """Check INTERVAL and BYMONTH."""
    months = rule.by_month or ((first.month,) if rule.freq == "YEARLY" and not rule.by_month_day else ())
    ahead = _period(rule, moment) - _period(rule, first)
    return ahead % rule.interval == 0 and (not months or moment.month in months)


def _period(rule: Rule, moment: datetime) -> int:
    """Return the number of the day, week, month or year that a moment is in."""
    match rule.freq:
        case "DAILY":
            return moment.toordinal()
        case "WEEKLY":
            # Ordinal 1 is a Monday.
            return (moment.toordinal() - 1 - rule.week_start) // 7
        case "MONTHLY":
            return moment.year * 12 + moment.month
    return moment.year
