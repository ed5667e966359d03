"""Draw when somebody did what nobody waits for: at work, or, of their own things, while awake."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from farm.appkit.world_spec.draws import Number

_SATURDAY = 5
# What is still new: it was made in so many working days.
_RECENT = 2


class Hours(NamedTuple):
    """The hours of a day from ``first`` up to ``end``, and whether weekends have them."""

    first: int
    end: int
    on_weekends: bool

    def spans(self, zone: ZoneInfo, first_s: int, end_s: int) -> Iterator[tuple[int, int]]:
        """Yield these hours between two times as first second and end."""
        day = datetime.fromtimestamp(first_s, zone).date()
        while _s(day, 0, zone) < end_s:
            low, high = max(first_s, _s(day, self.first, zone)), min(end_s, _s(day, self.end, zone))
            if low < high and (self.on_weekends or day.weekday() < _SATURDAY):
                yield low, high
            day += timedelta(days=1)


AT_WORK, AWAKE = Hours(9, 19, on_weekends=False), Hours(8, 23, on_weekends=True)


def shortly_before(
    number: Number, time_zone: str, end_s: int, *parts: object, after_s: int = 0, hours: Hours = AT_WORK
) -> int:
    """Return a second of the two working days before ``end_s`` or of its own day, later than ``after_s``.

    If ``after_s`` leaves none of the ``hours``, others in which people are awake count, and then any.

    Args:
        number: draws numbers.
        time_zone: that of the person.
        end_s: before which time, in seconds since 1970.
        parts: what the draw depends on.
        after_s: after which time; below ``end_s``.
        hours: in which hours.
    """
    zone = ZoneInfo(time_zone)
    first_s = max(after_s + 1, _s(_working_days_before(datetime.fromtimestamp(end_s, zone).date()), 0, zone))
    for each in (hours, AWAKE):
        if spans := [*each.spans(zone, first_s, end_s)]:
            break
    else:
        spans = [(min(first_s, end_s - 1), end_s)]
    at = number(0, sum(high - low for low, high in spans) - 1, "shortly before", *parts)
    for low, high in spans:
        if at < high - low:
            return low + at
        at -= high - low
    raise AssertionError("the numbers end at the sum of the spans")


def _working_days_before(day: date) -> date:
    left = _RECENT
    while left:
        day -= timedelta(days=1)
        left -= day.weekday() < _SATURDAY
    return day


def _s(day: date, hour: int, zone: ZoneInfo) -> int:
    return int(datetime.combine(day, time(hour), zone).timestamp())
