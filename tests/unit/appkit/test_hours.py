"""When people did what nobody waits for: shortly before something, at work or awake."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from farm.appkit.world_spec import AT_WORK, AWAKE, Hours, shortly_before
from farm.world import Spec

ZONE = "Asia/Shanghai"
Drawn = Callable[..., list[datetime]]


def _s(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(ZONE)).timestamp())


@pytest.fixture
def drawn() -> Drawn:
    """Return a function that gives a hundred times before an end, after a start."""
    number = Spec.load("mini").app("slack").number

    def times(end: str, after: str = "2026-01-01T00:00", hours: Hours = AT_WORK) -> list[datetime]:
        seconds = (shortly_before(number, ZONE, _s(end), each, after_s=_s(after), hours=hours) for each in range(100))
        return [datetime.fromtimestamp(each, ZoneInfo(ZONE)) for each in seconds]

    return times


def test_two_working_days_before_a_monday_are_thursday_and_friday(drawn: Drawn) -> None:
    times = drawn("2026-03-09T00:00")

    assert {time.day for time in times} == {5, 6}
    assert all(9 <= time.hour < 19 for time in times)


def test_the_day_itself_counts_up_to_the_end(drawn: Drawn) -> None:
    times = drawn("2026-03-04T10:30")

    assert {time.day for time in times} == {2, 3, 4}
    assert max(times) < datetime(2026, 3, 4, 10, 30, tzinfo=ZoneInfo(ZONE))


def test_who_is_awake_does_things_on_weekends_too(drawn: Drawn) -> None:
    times = drawn("2026-03-09T00:00", hours=AWAKE)

    assert {time.day for time in times} == {5, 6, 7, 8}
    assert all(8 <= time.hour < 23 for time in times)


@pytest.mark.parametrize(
    ("after", "end"),
    [
        ("2026-03-06T14:00", "2026-03-09T00:00"),
        ("2026-03-07T11:00", "2026-03-09T00:00"),  # no hour of work is left
        ("2026-03-08T23:30", "2026-03-09T00:00"),  # none in which people are awake
    ],
)
def test_nobody_does_things_before_what_caused_them(drawn: Drawn, after: str, end: str) -> None:
    times = drawn(end, after)

    assert all(_s(after) < time.timestamp() < _s(end) for time in times)
