"""Times as the API writes them, and dates as people give them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from farm.appkit.formats.times import js_iso

from .request_validation import RequestField, fault, refuse

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MINUTE_MS = 60_000
_FIRST, _LAST = datetime(1, 1, 3, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)


def minute(ms: int) -> str:
    """Return a time as nearly everything shows it: rounded down to the minute."""
    return js_iso(ms // _MINUTE_MS * _MINUTE_MS)


def exact(ms: int) -> str:
    """Return a time as databases show it."""
    return js_iso(ms).replace("Z", "+00:00")


def read_moment(text: str) -> datetime | None:
    """Return the moment that a date or a date with a time stands for, in UTC where it names no zone; or None.

    The first and the last days that there are would be none in another zone, so they are left out.
    """
    try:
        if _DAY.fullmatch(text):
            found: datetime | None = datetime.combine(date.fromisoformat(text), datetime.min.time(), UTC)
        else:
            found = datetime.fromisoformat(text) if re.match(r"\d{4}-\d{2}-\d{2}[T ]", text) else None
    except ValueError:
        return None
    if found is None or not _FIRST <= found.replace(tzinfo=UTC) < _LAST:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def is_day(text: str) -> bool:
    """Whether a text is a date without a time."""
    return _DAY.fullmatch(text) is not None


def date_value(place: RequestField) -> dict[str, Any]:
    """Return the value of a date property, or of a mention, as it is kept.

    Raises:
        Invalid: it has no start, or something in it is no date.
    """
    place.a("object").only("start", "end", "time_zone")
    zone = place.at("time_zone")
    has_zone = zone.is_there and zone.value is not None
    if has_zone:
        try:
            ZoneInfo(zone.a("string").value)
        except (ZoneInfoNotFoundError, ValueError, OSError):  # a folder of zones, or a name that no file can have
            raise zone.fault("a valid time zone") from None
    name = zone.value if has_zone else None
    start = _moment(place.at("start"), name)
    end = place.at("end")
    until = None if not end.is_there or end.value is None else _moment(end.or_else("`null`", "`undefined`"), name)
    if until is not None and _order(until) < _order(start):
        raise refuse(fault(end.path, "after the start date", end.value))
    return {"start": start, "end": until, "time_zone": None}


def _moment(place: RequestField, zone: str | None) -> str:
    text = place.a("string").value
    found = read_moment(text)
    if found is None:
        raise place.fault("a valid ISO 8601 date string")
    if is_day(text):
        return str(text)
    if zone is not None:
        found = found.replace(tzinfo=ZoneInfo(zone))
    return found.isoformat(timespec="milliseconds")


def _order(text: str) -> datetime:
    found = read_moment(text)
    assert found is not None, "it was read before"
    return found
