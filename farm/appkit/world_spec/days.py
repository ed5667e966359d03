"""Points in time as a specification writes them: ``+3 14:05`` is three days after the world's first Monday."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from farm.appkit.world_spec.facts.trace import plain

_POINT = re.compile(r"([+-]\d+) (\d{1,2}):(\d{2})")
_DAY = re.compile(r"[+-]\d{1,5}")


def zone_of(name: str) -> ZoneInfo:
    """Return the time zone of this name.

    Raises:
        ValueError: the zone does not exist.
    """
    if not isinstance(name, str):
        raise ValueError(f"a time zone is a text such as 'Asia/Shanghai', not {name!r}")
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        # A folder or a partial path is found, but is not a zone.
        raise ValueError(f"no time zone '{name}'; write a name such as 'Asia/Shanghai'") from None


@dataclass(frozen=True)
class Days:
    """The calendar of a world: its first Monday and its time zone."""

    monday: date
    zone: ZoneInfo

    def day(self, text: str) -> date:
        """Return the day of an offset such as ``-3``.

        Raises:
            ValueError: the value is not a text with a signed number of at most five digits.
        """
        if not isinstance(text, str) or not _DAY.fullmatch(text := plain(text)):
            raise ValueError(f"'{text}' is no day; write a signed number of at most five digits such as '+3' or '-12'")
        return self.monday + timedelta(days=int(text))

    def at(self, text: str) -> datetime:
        """Return the point in time of an offset such as ``+3 14:05``.

        Raises:
            ValueError: the value is not a text of this form, or the time of day does not exist.
        """
        match = _POINT.fullmatch(plain(text)) if isinstance(text, str) else None
        if match is None:
            raise ValueError(f"'{text}' is no point in time; write a day and a time such as '+3 14:05'")
        day, hour, minute = self.day(match[1]), int(match[2]), int(match[3])
        if hour > 23 or minute > 59:
            raise ValueError(f"'{text}' has no such time of day; hours end at 23 and minutes at 59")
        return datetime(day.year, day.month, day.day, hour, minute, tzinfo=self.zone)
