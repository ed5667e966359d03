"""Dates as moment.js reads them strictly, in its ``en`` locale: weeks begin on Sunday, the first has January 1st."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_TOKENS = {
    "YYYY": r"\d{4}", "YY": r"\d{2}", "gggg": r"\d{4}", "gg": r"\d{2}", "GGGG": r"\d{4}", "GG": r"\d{2}", "Q": r"\d",
    "MMMM": "|".join(_MONTHS), "MMM": "|".join(name[:3] for name in _MONTHS), "MM": r"\d{2}", "M": r"\d{1,2}",
    "Do": r"\d{1,2}(?:st|nd|rd|th)", "DDDD": r"\d{3}", "DDD": r"\d{1,3}", "DD": r"\d{2}", "D": r"\d{1,2}",
    "ww": r"\d{2}", "w": r"\d{1,2}", "WW": r"\d{2}", "W": r"\d{1,2}",
    "dddd": "|".join(_DAYS), "ddd": "|".join(name[:3] for name in _DAYS), "dd": "|".join(name[:2] for name in _DAYS),
    "d": r"\d", "e": r"\d", "E": r"\d", "HH": r"\d{2}", "H": r"\d{1,2}", "mm": r"\d{2}", "m": r"\d{1,2}",
    "ss": r"\d{2}", "s": r"\d{1,2}",
}  # fmt: skip
# What tells a day by its week, unless a month or a day of one is told.
_OF_WEEKS = frozenset(("gggg", "gg", "GGGG", "GG", "ww", "w", "WW", "W", "dddd", "ddd", "dd", "d", "e", "E"))
_OF_MONTHS = frozenset(("MMMM", "MMM", "MM", "M", "Q", "DD", "D", "Do"))
_PART = re.compile(
    r"\[([^\]]*)\]|Do|YYYY|YY|gggg|gg|GGGG|GG|M{1,4}|D{1,4}|d{1,4}|ww?|WW?|HH?|mm?|ss?|[QeE]|(.)", re.DOTALL
)


def _compiled(pattern: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Return what a name must look like, and which tokens its groups are."""
    tokens: list[str] = []
    written = ""
    for part in _PART.finditer(pattern):
        if part[1] is not None or part[2] is not None:
            written += re.escape(part[1] if part[1] is not None else part[2])
        else:
            tokens.append(part[0])
            written += f"({_TOKENS[part[0]]})"
    return re.compile(written, re.ASCII | re.IGNORECASE), tuple(tokens)


def parse_strictly(text: str, pattern: str, today: date) -> date | None:
    """Return the day that a text means in a format, or None; what it leaves open is as today, or the first."""
    compiled, tokens = _compiled(pattern)
    found = compiled.fullmatch(text)
    if found is None or not tokens:
        return None
    given = dict(zip(tokens, found.groups(), strict=True))
    try:
        is_by_week = _OF_WEEKS & given.keys() and not _OF_MONTHS & given.keys()
        day = _week_day(given, today) if is_by_week else _calendar_day(given, today)
    except ValueError:
        return None
    named = next((given[name] for name in ("dddd", "ddd", "dd") if name in given), None)
    if named is not None and not _DAYS[day.isoweekday() % 7].lower().startswith(named.lower()):
        return None
    return day


def _year(given: Mapping[str, str], long: str, short: str) -> int | None:
    if long in given:
        return int(given[long])
    if short in given:
        return int(given[short]) + (1900 if int(given[short]) > 68 else 2000)
    return None


def _number(given: Mapping[str, str], *names: str) -> int | None:
    return next((int(re.sub(r"\D", "", given[name])) for name in names if name in given), None)


def _calendar_day(given: Mapping[str, str], today: date) -> date:
    year, quarter = _year(given, "YYYY", "YY"), _number(given, "Q")
    month, day = _number(given, "MM", "M"), _number(given, "DD", "D", "Do")
    for name, length in (("MMMM", 20), ("MMM", 3)):
        if name in given:
            month = [each[:length].lower() for each in _MONTHS].index(given[name].lower()) + 1
    if quarter is not None and month is None:
        if not 1 <= quarter <= 4:
            raise ValueError("no such quarter")
        month = 3 * quarter - 2
    of_year = _number(given, "DDDD", "DDD")
    if of_year is not None:
        start = date(year or today.year, 1, 1)
        if not 1 <= of_year <= (date(start.year + 1, 1, 1) - start).days:
            raise ValueError("no such day of the year")
        return start + timedelta(days=of_year - 1)
    if year is None and month is None and day is None:
        return today
    if month is None and year is None:
        month = today.month
    return date(year or today.year, month or 1, day or 1)


def _week_day(given: Mapping[str, str], today: date) -> date:
    """Return the day that a week and a weekday mean; untold, a week of ISO is the first, one of the locale today's."""
    if {"GGGG", "GG", "WW", "W", "E"} & given.keys():
        year = _year(given, "GGGG", "GG") or _year(given, "YYYY", "YY") or today.isocalendar().year
        week, weekday = _number(given, "WW", "W"), _number(given, "E")
        return date.fromisocalendar(year, 1 if week is None else week, 1 if weekday is None else weekday)
    year = _year(given, "gggg", "gg") or _year(given, "YYYY", "YY") or _week_year(today)
    week = _number(given, "ww", "w")
    if week is None:
        week = (_week_start(today) - _week_start(date(_week_year(today), 1, 1))).days // 7 + 1
    weekday = next((_named_day(given[name]) for name in ("dddd", "ddd", "dd") if name in given), None)
    weekday = _number(given, "d", "e") if weekday is None else weekday
    start = _week_start(date(year, 1, 1))
    if not 1 <= week <= (_week_start(date(year + 1, 1, 1)) - start).days // 7 or (weekday or 0) > 6:
        raise ValueError("no such week or day")
    return start + timedelta(days=7 * (week - 1) + (weekday or 0))


def _named_day(name: str) -> int:
    return next(place for place, day in enumerate(_DAYS) if day.lower().startswith(name.lower()))


def _week_start(day: date) -> date:
    return day - timedelta(days=day.isoweekday() % 7)


def _week_year(day: date) -> int:
    return day.year + (_week_start(date(day.year + 1, 1, 1)) <= day)


def period_start(day: date, period: str) -> date:
    """Return the first day of the period that a day is in."""
    match period:
        case "daily":
            return day
        case "weekly":
            return _week_start(day)
        case "monthly":
            return day.replace(day=1)
        case "quarterly":
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case _:
            return day.replace(month=1, day=1)
