"""Seconds that a specification does not tell: spread, in order, and always the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from farm.world import Spec

AT = datetime(2026, 3, 9, 8, 30, tzinfo=UTC)
AT_MS = int(AT.timestamp()) * 1000


@pytest.mark.parametrize(("together", "step_ms"), [(1, 1000), (2, 1000), (7, 1000), (60, 1000), (7, 1)])
def test_what_came_in_one_minute_keeps_its_order_and_its_minute(together: int, step_ms: int) -> None:
    seconds = Spec.load("mini").app("gmail").seconds([AT] * together, "x", step_ms=step_ms)

    drawn = [seconds.ms(AT) for _ in range(together)]

    assert drawn == sorted(set(drawn))
    assert drawn[0] >= AT_MS
    assert drawn[-1] < AT_MS + 60_000
    assert all(each % step_ms == 0 for each in drawn)


def test_seconds_are_spread_and_always_the_same() -> None:
    part = Spec.load("mini").app("gmail")
    moments = [AT + timedelta(minutes=minute) for minute in range(600)]

    one, again, other = (part.seconds(moments, key) for key in ("a", "a", "b"))
    drawn = [one.ms(at) // 1000 % 60 for at in moments]

    assert drawn == [again.ms(at) // 1000 % 60 for at in moments]
    assert drawn != [other.ms(at) // 1000 % 60 for at in moments]
    assert set(drawn) == set(range(60))
    assert max(drawn.count(second) for second in range(60)) < 30


def test_a_single_time_has_a_second_of_its_minute() -> None:
    part = Spec.load("mini").app("gmail")

    drawn = {part.second_ms("-1 09:30", "here", key) - part.ms("-1 09:30", "here") for key in range(300)}

    assert drawn == {second * 1000 for second in range(60)}
