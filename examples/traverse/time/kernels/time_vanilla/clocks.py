"""The time in zones."""

import json
from datetime import datetime, timedelta, timezone as fixed_zone
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import Answer, Episode, Result

from . import errors


def get_current_time(ep: Episode, *, timezone: str) -> Result:
    """Tell the time in a zone.

    Raises:
        ToolFailed: the zone is empty or unknown.
    """
    tool = "get_current_time"
    _require(tool, "timezone", timezone)
    zone = _zone(tool, timezone)
    return _answer(_told(timezone, ep.now.astimezone(zone)))


def convert_time(ep: Episode, *, source_timezone: str, time: str, target_timezone: str) -> Result:
    """Tell what a time of today in one zone is in another.

    Raises:
        ToolFailed: a zone is empty or unknown, or the time is no time of day.
    """
    tool = "convert_time"
    _require(tool, "source_timezone", source_timezone)
    _require(tool, "target_timezone", target_timezone)
    source_zone = _zone(tool, source_timezone)
    target_zone = _zone(tool, target_timezone)
    try:
        parsed = datetime.strptime(time, "%H:%M")
    except ValueError:
        raise errors.ToolFailed(tool=tool, reason="Invalid time format. Expected HH:MM [24-hour format]")
    today = ep.now.astimezone(source_zone)
    source = datetime(today.year, today.month, today.day, parsed.hour, parsed.minute, tzinfo=source_zone)
    back = source.astimezone(fixed_zone.utc).astimezone(source_zone)
    if (back.hour, back.minute) != (source.hour, source.minute):
        raise errors.ToolFailed(
            tool=tool,
            reason=f"Invalid time: {time} does not exist in {source_timezone} on {source.date().isoformat()}",
        )
    target = source.astimezone(target_zone)
    difference = (target.utcoffset() or timedelta()) - (source.utcoffset() or timedelta())
    return _answer(
        {
            "source": _told(source_timezone, source),
            "target": _told(target_timezone, target),
            "time_difference": _difference(difference.total_seconds() / 3600),
        }
    )


def _require(tool: str, argument: str, value: str) -> None:
    if not value:
        raise errors.ToolFailed(tool=tool, reason=f"Missing required argument: {argument}")


def _zone(tool: str, name: str) -> ZoneInfo:
    try:
        zone = ZoneInfo(name)
    except Exception as error:
        raise errors.ToolFailed(tool=tool, reason=f"Invalid timezone: {error}")
    if name.startswith(("posix/", "right/")) or name in ("posixrules", "localtime"):
        reason = f"Invalid timezone: 'No time zone found with key {name}'"
        raise errors.ToolFailed(tool=tool, reason=reason)
    return zone


def _told(name: str, moment: datetime) -> dict[str, Any]:
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    return {
        "timezone": name,
        "datetime": moment.isoformat(timespec="seconds"),
        "day_of_week": days[moment.weekday()],
        "is_dst": bool(moment.dst()),
    }


def _difference(hours: float) -> str:
    if hours.is_integer():
        return f"{hours:+.1f}h"
    return f"{hours:+.2f}".rstrip("0").rstrip(".") + "h"


def _answer(body: dict[str, Any]) -> Answer:
    return Answer(json.dumps(body, indent=2), structured=body)
