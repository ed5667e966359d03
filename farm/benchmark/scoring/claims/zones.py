"""Convert a clock that names another zone than the writer's: 02:00 UTC is 10:00 in Shanghai."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from farm.benchmark.scoring.claims.rules import Value, words

_NAMES = {
    "Etc/UTC": "utc gmt",
    "Europe/Berlin": "berlin german cet 柏林 德国",
    "Europe/London": "london uk 伦敦",
    "Asia/Singapore": "singapore sgt 新加坡",
    "Asia/Shanghai": "shanghai beijing china 上海 北京",
    "Asia/Tokyo": "tokyo jst 东京",
    "America/New_York": "new_york est edt",
    "America/Los_Angeles": "pst pdt california",
}
_ZONES = {name: ZoneInfo(zone) for zone, line in _NAMES.items() for name in words(line)}
_NAME = "|".join(map(re.escape, _ZONES))
_BEHIND = re.compile(
    r"(?:, (?=[a-z]+ time)|[ (]{0,2})(?:in the (?:morning|afternoon|evening) )?(?:for you )?"
    rf"(?:in |on )?(?:the )?({_NAME})(?![a-z]| ?[+-] ?\d)"
)
_BEFORE = re.compile(rf"(?<![a-z])({_NAME})(?: time|时间|那边)?(?:是|也是)?[ :]{{0,2}}$")


def in_local_time(text: str, value: Value, now: datetime) -> tuple[Value, str]:
    """Return a clock in the writer's zone, and the name of the zone that the text gives it in, if it is another."""
    found = _BEHIND.match(text, value.end) or _BEFORE.search(text[max(0, value.start - 16) : value.start])
    if found is None:
        return value, ""
    there = now.astimezone(_ZONES[found[1]]).utcoffset()
    here = now.utcoffset()
    if there is None or here is None or there == here:
        return value, ""
    shift = int((here - there).total_seconds()) // 60
    return replace(value, options=tuple(_shifted(clock, shift) for clock in value.options)), found[1]


def _shifted(clock: str, minutes: int) -> str:
    total = (int(clock[:2]) * 60 + int(clock[3:]) + minutes) % 1440
    return f"{total // 60:02}:{total % 60:02}"
