"""Series: the part of RFC 5545 that this calendar expands, and refuses beyond."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import count, islice
from zoneinfo import ZoneInfo

FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_DAYS = {"MO": 0, "TU": 1, "WE": 2, "TH": 3, "FR": 4, "SA": 5, "SU": 6}
_BYDAY = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)")
_UNTIL = re.compile(r"(\d{8})(?:T(\d{6})(Z?))?")
_NUMBER = re.compile(r"-?\d{1,9}")
_PARTS = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "BYMONTHDAY", "BYMONTH", "WKST"}
# A series that ends nowhere is followed this far; nothing asks for more.
_HORIZON = timedelta(days=366 * 30)
_STEPS_MOST = 20_000


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
    clock = first.time()
    until = _until(rule.until, zone) if rule.until else None
    days = _days(rule, first.date(), None if rule.count else _day_before(after))
    for day in islice(days, rule.count):
        at = int(datetime.combine(day, clock, tzinfo=zone).timestamp())
        if at >= before or (until is not None and at > until):
            return
        if at >= after:
            yield at


def _day_before(at: int) -> date:
    return (datetime.fromtimestamp(max(at, 0), UTC) - timedelta(days=2)).date()


def _days(rule: Rule, first: date, skip_to: date | None) -> Iterator[date]:
    """Yield the days of a series, the first day first; those long before ``skip_to`` may be left out."""
    if first.year > 9900:
        yield first
        return
    last = min(max(first, skip_to or first) + _HORIZON, date(9990, 1, 1))
    yield first
    for period in _periods(rule, first, skip_to):
        for day in _period_days(rule, first, period):
            if day > last:
                return
            if day > first:
                yield day
        if period > last:
            return


def _periods(rule: Rule, first: date, skip_to: date | None) -> Iterator[date]:
    """Yield the first day of each day, week, month or year that the interval selects."""
    ahead = max((skip_to - first).days, 0) if skip_to else 0
    if rule.freq in ("DAILY", "WEEKLY"):
        length = 1 if rule.freq == "DAILY" else 7
        begin = first if length == 1 else first - timedelta(days=(first.weekday() - rule.week_start) % 7)
        step = length * rule.interval
        for index in range(ahead // step, ahead // step + _STEPS_MOST):
            yield begin + timedelta(days=index * step)
        return
    months = rule.interval * (1 if rule.freq == "MONTHLY" else 12)
    # 31 days a month never overshoots.
    for index in count(ahead // 31 // months):
        year, month = divmod(first.year * 12 + first.month - 1 + index * months, 12)
        if year > 9990:
            return
        yield date(year, month + 1, 1)


def _period_days(rule: Rule, first: date, begin: date) -> list[date]:
    if rule.freq == "DAILY":
        days = [begin]
    elif rule.freq == "WEEKLY":
        days = [begin + later for later in _in_week(rule, first.weekday())]
    elif rule.freq == "MONTHLY":
        days = _month_days(rule, first, begin)
    else:
        months = rule.by_month or (first.month,)
        days = [day for month in sorted(months) for day in _month_days(rule, first, begin.replace(month=month, day=1))]
    if rule.by_month and rule.freq != "YEARLY":
        days = [day for day in days if day.month in rule.by_month]
    if rule.freq == "DAILY":
        weekdays = {weekday for _, weekday in rule.by_day}
        days = [day for day in days if not weekdays or day.weekday() in weekdays]
        days = [day for day in days if not rule.by_month_day or _is_month_day(day, rule.by_month_day)]
    return days


def _in_week(rule: Rule, weekday: int) -> tuple[timedelta, ...]:
    """Return how far into its weeks a series has days; without any named it keeps its first day's weekday."""
    wanted = {each for _, each in rule.by_day} or {weekday}
    return tuple(timedelta(days=n) for n in range(7) if (rule.week_start + n) % 7 in wanted)


def _is_month_day(day: date, wanted: tuple[int, ...]) -> bool:
    length = calendar.monthrange(day.year, day.month)[1]
    return day.day in wanted or day.day - length - 1 in wanted


def _month_days(rule: Rule, first: date, begin: date) -> list[date]:
    length = calendar.monthrange(begin.year, begin.month)[1]
    month = [begin.replace(day=number) for number in range(1, length + 1)]
    if rule.by_day:
        found: set[date] = set()
        for ordinal, weekday in rule.by_day:
            same = [day for day in month if day.weekday() == weekday]
            if not ordinal:
                found.update(same)
            elif abs(ordinal) <= len(same):
                found.add(same[ordinal - 1 if ordinal > 0 else ordinal])
        return sorted(found)
    wanted = rule.by_month_day or (first.day,)
    return [day for day in month if _is_month_day(day, wanted)]
