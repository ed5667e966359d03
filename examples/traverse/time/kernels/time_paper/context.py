"""What the tools share. The service stores nothing: it only tells the time of the call in zones."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import Episode


def now_in(ep: Episode, zone: ZoneInfo) -> datetime:
    """Return the time of the call in a zone."""
    return ep.now.astimezone(zone)


def today_at(ep: Episode, zone: ZoneInfo, hour: int, minute: int) -> datetime:
    """Return a time of the present day of a zone, in that zone."""
    today = now_in(ep, zone)
    return datetime(today.year, today.month, today.day, hour, minute, tzinfo=zone)


def told(name: str, moment: datetime) -> dict[str, Any]:
    """Return a time as the answers show it."""
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    return {
        "timezone": name,
        "datetime": moment.isoformat(timespec="seconds"),
        "day_of_week": days[moment.weekday()],
        "is_dst": bool(moment.dst()),
    }


def difference_of(source: datetime, target: datetime) -> str:
    """Return the difference of two offsets as "+10.0h" or "+5.75h"."""
    offset = (target.utcoffset() or timedelta()) - (source.utcoffset() or timedelta())
    hours = offset.total_seconds() / 3600
    if hours.is_integer():
        return f"{hours:+.1f}h"
    return f"{hours:+.2f}".rstrip("0").rstrip(".") + "h"
