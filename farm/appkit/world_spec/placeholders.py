"""Date placeholders in texts. They are rendered when a start is built, so a world can be shifted by whole weeks.

``{{date:+3 zh_week}}`` is the day three days after the Monday of the world's first week. ``{{ms:+3 14:05}}``,
``{{s:…}}`` and ``{{rfc3339:…}}`` are points in time in the world's zone, for JSON columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

_DATE = re.compile(r"\{\{date:([+-]?\d+) (\w+)\}\}")
_POINT = re.compile(r"\{\{(ms|s|rfc3339):([+-]?\d+) (\d{1,2}):(\d{2})\}\}")
_DAYS_ZH = "一二三四五六日"

FORMATS: dict[str, Callable[[date], str]] = {
    "iso": lambda d: d.isoformat(),
    "en": lambda d: f"{d.day} {d:%B}",
    "en_short": lambda d: f"{d:%a} {d.day} {d:%b}",
    "en_md": lambda d: f"{d:%B} {d.day}",
    "weekday_en": lambda d: f"{d:%A}",
    "zh": lambda d: f"{d.month}月{d.day}日",
    "zh_week": lambda d: f"{d.month}月{d.day}日周{_DAYS_ZH[d.weekday()]}",
    "weekday_zh": lambda d: f"周{_DAYS_ZH[d.weekday()]}",
    "dot": lambda d: f"{d.month}.{d.day}",
    "slash": lambda d: f"{d.month}/{d.day}",
    "day": lambda d: f"{d.day}",
}


def render_dates(text: str, monday: date, zone: ZoneInfo) -> str:
    """Return the text with every placeholder replaced; ``monday`` is the first day of the world's first week.

    Raises:
        ValueError: a placeholder names an unknown format, or a day that no calendar has.
    """
    if "{{" not in text:
        return text

    def day(match: re.Match[str]) -> str:
        offset, name = int(match[1]), match[2]
        if name not in FORMATS:
            raise ValueError(f"no date format '{name}' in {match[0]}; have {', '.join(FORMATS)}")
        return FORMATS[name](monday + timedelta(days=offset))

    def point(match: re.Match[str]) -> str:
        when = datetime(monday.year, monday.month, monday.day, int(match[3]), int(match[4]), tzinfo=zone)
        when += timedelta(days=int(match[2]))
        if match[1] == "rfc3339":
            return when.isoformat()
        return str(int(when.timestamp()) * (1000 if match[1] == "ms" else 1))

    try:
        return _POINT.sub(point, _DATE.sub(day, text))
    except OverflowError:
        raise ValueError(f"a day in '{text[:60]}' is too far away; write at most five digits") from None
