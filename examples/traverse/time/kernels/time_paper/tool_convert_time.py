"""A time of today in another zone."""

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from farm.appkit import Episode, Result, VendorError

from . import context

TZDATA = "/tmp/farm-traverse/python-2/lib/python3.11/site-packages/tzdata/zoneinfo"


class MissingZone(VendorError):
    """Missing required argument: {argument}"""

    code = "missing_zone"


class UnknownZone(VendorError):
    """Invalid timezone: {reason}"""

    code = "unknown_zone"


class InvalidTime(VendorError):
    """Invalid time format. Expected HH:MM [24-hour format]"""

    code = "invalid_time"


class SkippedTime(VendorError):
    """Invalid time: {time} does not exist in {zone} on {day}"""

    code = "skipped_time"


def convert_time(ep: Episode, *, source_timezone: str, time: str, target_timezone: str) -> Result:
    """Tell what a time of today in one zone is in another.

    Raises:
        MissingZone: a zone is empty.
        UnknownZone: a zone is unknown.
        InvalidTime: the time is no time of day.
        SkippedTime: the clock skips the time.
    """
    if not source_timezone:
        raise MissingZone(argument="source_timezone")
    if not target_timezone:
        raise MissingZone(argument="target_timezone")
    source_zone = _zone(source_timezone)
    target_zone = _zone(target_timezone)
    try:
        parsed = datetime.strptime(time, "%H:%M")
    except ValueError:
        raise InvalidTime()
    source = context.today_at(ep, source_zone, parsed.hour, parsed.minute)
    back = source.astimezone(timezone.utc).astimezone(source_zone)
    if (back.hour, back.minute) != (source.hour, source.minute):
        raise SkippedTime(time=time, zone=source_timezone, day=source.date().isoformat())
    target = source.astimezone(target_zone)
    return {
        "source": context.told(source_timezone, source),
        "target": context.told(target_timezone, target),
        "time_difference": context.difference_of(source, target),
    }


def _zone(name: str) -> ZoneInfo:
    parts = name.split("/")
    if len(parts[-1].encode("utf-8", "replace")) > 255 and parts[0] and ".." not in parts:
        raise UnknownZone(reason=f"[Errno 36] File name too long: '{TZDATA}/{name}'")
    if "\x00" in name:
        raise UnknownZone(reason="embedded null byte")
    try:
        return ZoneInfo(name)
    except Exception as error:
        raise UnknownZone(reason=str(error))
