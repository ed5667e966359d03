"""Points in time as JavaScript, Go, Python and mail programs write them.

Every function takes milliseconds since 1970 UTC (``ep.now_ms``, a column) and, where the text is local, the zone the
server runs in (``ep.zone``).
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from email.utils import format_datetime

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_LONG_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LONG_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
# English names of zones, in winter and in summer, as Node 20 prints them (CLDR 48).
_ZONE_NAMES = {
    "UTC": ("Coordinated Universal Time",) * 2,
    "Asia/Shanghai": ("China Standard Time",) * 2,
    "Asia/Taipei": ("Taiwan Standard Time",) * 2,
    "Asia/Hong_Kong": ("Hong Kong Standard Time",) * 2,
    "Asia/Singapore": ("Singapore Standard Time",) * 2,
    "Asia/Tokyo": ("Japan Standard Time",) * 2,
    "Asia/Kolkata": ("India Standard Time",) * 2,
    "Europe/London": ("Greenwich Mean Time", "British Summer Time"),
    "Europe/Berlin": ("Central European Standard Time", "Central European Summer Time"),
    "Europe/Paris": ("Central European Standard Time", "Central European Summer Time"),
    "America/New_York": ("Eastern Standard Time", "Eastern Daylight Time"),
    "America/Los_Angeles": ("Pacific Standard Time", "Pacific Daylight Time"),
}


def local(at_ms: int, zone: tzinfo = UTC) -> datetime:
    """Return a point in time as an aware datetime in a zone."""
    return (_EPOCH + timedelta(milliseconds=at_ms)).astimezone(zone)


def _offset(when: datetime, colon: str = "") -> str:
    # Rounded towards zero, as in V8 and Go: offsets before standard time had seconds.
    minutes = int((when.utcoffset() or timedelta()) / timedelta(minutes=1))
    sign, minutes = ("-", -minutes) if minutes < 0 else ("+", minutes)
    return f"{sign}{minutes // 60:02}{colon}{minutes % 60:02}"


def _clock_12(when: datetime) -> str:
    return f"{when.hour % 12 or 12}:{when:%M:%S} {'AM' if when.hour < 12 else 'PM'}"


# -- JavaScript -------------------------------------------------------------------------------------------------------


def js_iso(at_ms: int) -> str:
    """Return what ``toISOString`` gives: ``2026-03-09T01:00:00.000Z``."""
    when = local(at_ms)
    return f"{when.year:04}-{when:%m-%dT%H:%M:%S}.{at_ms % 1000:03}Z"


def js_date(at_ms: int, zone: tzinfo = UTC) -> str:
    """Return what ``String(date)`` gives: ``Mon Mar 09 2026 09:00:00 GMT+0800 (China Standard Time)``.

    Raises:
        LookupError: the zone's English name is not in the table above.
    """
    when = local(at_ms, zone)
    day, month = _DAYS[when.weekday()], _MONTHS[when.month - 1]
    return f"{day} {month} {when:%d} {when.year:04} {when:%H:%M:%S} GMT{_offset(when)} ({_long_zone(when)})"


def _long_zone(when: datetime) -> str:
    zone = str(when.tzinfo)
    if zone.startswith("UTC") and zone != "UTC":
        # Fixed offsets have no name; this is how CLDR writes them.
        return f"GMT{_offset(when, ':')}"
    try:
        return _ZONE_NAMES[zone][bool(when.dst())]
    except KeyError:
        raise LookupError(
            f"no English name known for time zone {zone!r}; add it to farm/appkit/formats/times.py"
        ) from None


def js_utc(at_ms: int) -> str:
    """Return what ``toUTCString`` gives: ``Mon, 09 Mar 2026 01:00:00 GMT``."""
    when = local(at_ms)
    return f"{_DAYS[when.weekday()]}, {when:%d} {_MONTHS[when.month - 1]} {when.year:04} {when:%H:%M:%S} GMT"


def js_locale(at_ms: int, zone: tzinfo = UTC) -> str:
    """Return what ``toLocaleString`` gives in en-US: ``3/9/2026, 9:00:00 AM``."""
    when = local(at_ms, zone)
    return f"{js_locale_date(at_ms, zone)}, {_clock_12(when)}"


def js_locale_date(at_ms: int, zone: tzinfo = UTC) -> str:
    """Return what ``toLocaleDateString`` gives in en-US: ``3/9/2026``."""
    when = local(at_ms, zone)
    return f"{when.month}/{when.day}/{when.year}"


# -- Python -----------------------------------------------------------------------------------------------------------


def python_iso(at_ms: int, zone: tzinfo = UTC) -> str:
    """Return ``isoformat`` of an aware datetime: ``2026-03-09T09:00:00+08:00``, with six digits for a fraction."""
    return local(at_ms, zone).isoformat()


def python_text(at_ms: int, zone: tzinfo = UTC) -> str:
    """Return ``str`` of an aware datetime: ``2026-03-09 09:00:00+08:00``."""
    return str(local(at_ms, zone))


def mail_date(at_ms: int, zone: tzinfo = UTC) -> str:
    """Return a mail's Date header: ``Mon, 09 Mar 2026 09:00:00 +0800`` (RFC 5322)."""
    return format_datetime(local(at_ms, zone).replace(microsecond=0))


# -- Go ---------------------------------------------------------------------------------------------------------------


# The parts of Go's reference time; of parts with a common beginning the longest comes first.
_GO_PART = re.compile(
    r"January|Jan|Monday|Mon|MST|2006|02|01|03|04|05|06|002|15|_2|PM|pm|Z07:00|Z0700|-07:00|-0700|-07|[.,]0+|[.,]9+|[1-5]"
)


def go_format(at_ms: int, layout: str, zone: tzinfo = UTC) -> str:
    """Return what ``Format`` gives for a layout of Go's reference time, such as ``2006-01-02 15:04:05 -0700 MST``."""
    when = local(at_ms, zone)
    return _GO_PART.sub(lambda part: _go_part(when, part[0]), layout)


def go_rfc3339(at_ms: int, zone: tzinfo = UTC) -> str:
    """Return ``time.RFC3339``: whole seconds, ``Z`` for UTC."""
    return go_format(at_ms, "2006-01-02T15:04:05Z07:00", zone)


def _go_part(when: datetime, part: str) -> str:
    match part:
        case "January":
            return _LONG_MONTHS[when.month - 1]
        case "Jan":
            return _MONTHS[when.month - 1]
        case "Monday":
            return _LONG_DAYS[when.weekday()]
        case "Mon":
            return _DAYS[when.weekday()]
        case "MST":
            name = when.tzname() or ""
            # A fixed offset has no name in Go, which prints -0700 instead; Python calls it "UTC-07:00".
            return _offset(when) if name.startswith(("UTC+", "UTC-")) else name
        case "PM" | "pm":
            name = "AM" if when.hour < 12 else "PM"
            return name if part == "PM" else name.lower()
        case "Z07:00" | "Z0700" if not when.utcoffset():
            return "Z"
        case "Z07:00" | "-07:00":
            return _offset(when, ":")
        case "Z0700" | "-0700":
            return _offset(when)
        case "-07":
            return _offset(when)[:3]
    if part[0] in ".,":
        digits = f"{when.microsecond * 1000:09}"[: len(part) - 1]
        digits = digits.rstrip("0") if part[1] == "9" else digits
        return part[0] + digits if digits else ""
    return _go_number(when, part)


def _go_number(when: datetime, part: str) -> str:
    numbers = {
        "2006": f"{when.year:04}",
        "06": f"{when.year % 100:02}",
        "01": f"{when.month:02}",
        "1": str(when.month),
        "02": f"{when.day:02}",
        "_2": f"{when.day:2}",
        "2": str(when.day),
        "002": f"{when.timetuple().tm_yday:03}",
        "15": f"{when.hour:02}",
        "03": f"{when.hour % 12 or 12:02}",
        "3": str(when.hour % 12 or 12),
        "04": f"{when.minute:02}",
        "4": str(when.minute),
        "05": f"{when.second:02}",
        "5": str(when.second),
    }
    return numbers[part]
