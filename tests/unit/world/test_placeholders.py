"""Dates inside texts: every way to write one, and points in time in the world's zone."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

import pytest

from farm.appkit.world_spec.placeholders import FORMATS, render_dates

MONDAY = date(2026, 3, 9)
SHANGHAI, NEW_YORK = ZoneInfo("Asia/Shanghai"), ZoneInfo("America/New_York")


def rendered(text: str, zone: ZoneInfo = SHANGHAI) -> str:
    return render_dates(text, MONDAY, zone)


WAYS = {
    "iso": "2026-03-12",
    "en": "12 March",
    "en_short": "Thu 12 Mar",
    "en_md": "March 12",
    "weekday_en": "Thursday",
    "zh": "3月12日",
    "zh_week": "3月12日周四",
    "weekday_zh": "周四",
    "dot": "3.12",
    "slash": "3/12",
    "day": "12",
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_day_is_written_in_every_way(name: str) -> None:
    assert rendered(f"on {{{{date:+3 {name}}}}}!") == f"on {WAYS[name]}!"


@pytest.mark.parametrize(("offset", "day"), [("0", "2026-03-09"), ("-9", "2026-02-28"), ("23", "2026-04-01")])
def test_days_count_from_the_first_monday_in_both_directions(offset: str, day: str) -> None:
    assert rendered(f"{{{{date:{offset} iso}}}}") == day


def test_a_sunday_is_the_last_day_of_a_chinese_week() -> None:
    assert rendered("{{date:+6 weekday_zh}} {{date:+7 weekday_zh}}") == "周日 周一"


def test_points_in_time_stand_in_the_worlds_zone() -> None:
    # 2026-03-11T14:05+08:00 is 06:05 UTC, 1773209100 seconds after 1970 began.
    assert rendered("{{s:+2 14:05}}") == "1773209100"
    assert rendered("{{ms:+2 14:05}}") == "1773209100000"
    assert rendered("{{rfc3339:+2 14:05}} {{rfc3339:+2 9:05}}") == (
        "2026-03-11T14:05:00+08:00 2026-03-11T09:05:00+08:00"
    )
    assert rendered("{{rfc3339:+2 14:05}}", NEW_YORK) == "2026-03-11T14:05:00-04:00"


def test_a_clock_time_stays_the_same_over_a_change_to_winter_time() -> None:
    before, after = rendered("{{rfc3339:0 08:00}} {{rfc3339:+240 08:00}}", NEW_YORK).split()

    assert (before, after) == ("2026-03-09T08:00:00-04:00", "2026-11-04T08:00:00-05:00")


def test_every_placeholder_of_a_text_is_rendered_and_nothing_else() -> None:
    text = "{{date:0 dot}}–{{date:+1 dot}}, {{ name }}, {date:0 iso}, {{s:0 9}}"

    assert rendered(text) == "3.9–3.10, {{ name }}, {date:0 iso}, {{s:0 9}}"
    assert rendered("nothing to render") == "nothing to render"


def test_a_format_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(ValueError, match=r"no date format 'us' in \{\{date:\+3 us\}\}; have iso, en, "):
        rendered("{{date:+3 us}}")
