"""The current time in a zone, and the conversion between zones."""

import posixpath
import re
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import Episode, Result

from . import errors

ZONE_FILES = "/tmp/farm-traverse/python-2/lib/python3.11/site-packages/tzdata/zoneinfo/"
FOLDERS = (
    "Africa",
    "America",
    "America/Argentina",
    "America/Indiana",
    "America/Kentucky",
    "America/North_Dakota",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Brazil",
    "Canada",
    "Chile",
    "Etc",
    "Europe",
    "Indian",
    "Mexico",
    "Pacific",
    "US",
)
NO_ZONES = ("iso3166.tab", "leap-seconds.list", "leapseconds", "tzdata.zi", "zone.tab", "zone1970.tab", "zonenow.tab")
SYSTEM_ZONE = "localtime"
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CLOCK_TIME = re.compile(r"(2[0-3]|[0-1]\d|\d):([0-5]\d|\d)")


def get_current_time(ep: Episode, *, timezone: str) -> Result:
    """Return the current time in a zone.

    Raises:
        MissingArgument: the name is empty.
        InvalidTimezone: there is no such zone.
    """
    if not timezone:
        raise errors.MissingArgument(name="timezone")
    zone = _zone(timezone)
    return _shown(timezone, ep.now.astimezone(zone))


def convert_time(ep: Episode, *, source_timezone: str, time: str, target_timezone: str) -> Result:
    """Return a time of today in one zone, and the same moment in another.

    Raises:
        MissingArgument: the name of a zone is empty.
        InvalidTimezone: there is no such zone.
        InvalidTime: the time has another form.
    """
    for argument, value in (
        ("source_timezone", source_timezone),
        ("target_timezone", target_timezone),
    ):
        if not value:
            raise errors.MissingArgument(name=argument)
    source_zone = _zone(source_timezone)
    target_zone = _zone(target_timezone)
    match = CLOCK_TIME.fullmatch(time)
    if match is None:
        raise errors.InvalidTime()
    today = ep.now.astimezone(source_zone)
    source = datetime(
        today.year, today.month, today.day, int(match.group(1)), int(match.group(2)), tzinfo=source_zone
    )
    target = source.astimezone(target_zone)
    difference = (target.utcoffset() or timedelta()) - (source.utcoffset() or timedelta())
    hours = difference.total_seconds() / 3600
    if hours.is_integer():
        text = f"{hours:+.1f}h"
    else:
        text = f"{hours:+.2f}".rstrip("0").rstrip(".") + "h"
    return {
        "source": _shown(source_timezone, source),
        "target": _shown(target_timezone, target),
        "time_difference": text,
    }


def _shown(name: str, moment: datetime) -> dict[str, Any]:
    return {
        "timezone": name,
        "datetime": moment.isoformat(timespec="seconds"),
        "day_of_week": DAYS[moment.weekday()],
        "is_dst": bool(moment.dst()),
    }


def _zone(name: str) -> ZoneInfo:
    """Return a zone, or refuse as Python's zoneinfo with the package tzdata does."""
    if name.startswith("/"):
        raise errors.InvalidTimezone(reason=f"ZoneInfo keys may not be absolute paths, got: {name}")
    if len(posixpath.normpath(name)) != len(name):
        raise errors.InvalidTimezone(reason=f"ZoneInfo keys must be normalized relative paths, got: {name}")
    if not posixpath.normpath("_/" + name).startswith("_/"):
        raise errors.InvalidTimezone(reason=f"ZoneInfo keys must refer to subdirectories of TZPATH, got: {name}")
    folder, _slash, file_name = name.rpartition("/")
    if name == SYSTEM_ZONE:
        return ZoneInfo("UTC")
    if (folder and folder not in FOLDERS) or name == "posixrules":
        raise errors.InvalidTimezone(reason=_unknown(name))
    if "\x00" in file_name:
        raise errors.InvalidTimezone(reason="embedded null byte")
    path = ZONE_FILES + name
    if len(file_name.encode("utf-8", "surrogatepass")) > 255:
        raise errors.InvalidTimezone(reason=f"[Errno 36] File name too long: {path!r}")
    if name in FOLDERS or file_name == "__pycache__":
        raise errors.InvalidTimezone(reason=f"[Errno 21] Is a directory: {path!r}")
    if file_name == "__init__.py" or name in NO_ZONES:
        raise errors.InvalidTimezone(reason="Invalid TZif file: magic not found")
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise errors.InvalidTimezone(reason=_unknown(name)) from None


def _unknown(name: str) -> str:
    message = f"No time zone found with key {name}"
    return f"{message!r}"
