"""Scheduled rows on frozen clocks: each arrives once, in order over all apps, in steps or in one leap alike."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from farm.errors import FarmError
from farm.testing import LocalWorld

APPS = ["lark", "rednote", "slack"]
DAY = timedelta(days=1)
# After the last thing that comes due in the world.
END = datetime.fromisoformat("2026-07-01T00:00:00+08:00")


def make(**options: Any) -> LocalWorld:
    return LocalWorld("harbor", APPS, **{"arrivals": True, **options})


def states(world: LocalWorld) -> dict[str, Any]:
    return {
        f"{app}.{table}": world.rows(app, table)
        for app in APPS
        for table in ("messages", "reactions", "comments", "notifications", "posts")
        if _has(world, app, table)
    }


def _has(world: LocalWorld, app: str, table: str) -> bool:
    try:
        world.rows(app, table)
    except FarmError:
        return False
    return True


def in_one_leap(world: LocalWorld) -> list[dict[str, Any]]:
    return world.move_clock(to=END.isoformat())


def by_days(world: LocalWorld) -> list[dict[str, Any]]:
    came = []
    while world.now < END:
        came += world.move_clock(to=min(END, world.now + DAY).isoformat())
    return came


def one_by_one(world: LocalWorld) -> list[dict[str, Any]]:
    came = []
    while True:
        try:
            came += world.move_clock(next=True)
        except FarmError:
            world.advance_to(END)
            return came


@pytest.mark.parametrize("stepping", [by_days, one_by_one])
def test_a_week_in_steps_is_the_same_as_in_one_leap(stepping: Callable[[LocalWorld], list[dict[str, Any]]]) -> None:
    with make() as leaping, make() as walking:
        leap, walk = in_one_leap(leaping), stepping(walking)

        assert leap == walk
        assert len(leap) > 100
        assert [each["at"] for each in leap] == sorted(each["at"] for each in leap)
        assert states(leaping) == states(walking)
        assert leaping.diff() == walking.diff() == {}
        assert leaping.now == walking.now


def test_a_frozen_clock_without_arrivals_brings_no_row() -> None:
    with make(arrivals=False) as world:
        before = states(world)

        came = in_one_leap(world)

        assert {(each["table"], each["due"]) for each in came} == {("events", "start_at"), ("tasks", "due_at")}
        assert states(world) == before
        assert world.diff() == {}
        with pytest.raises(FarmError, match="nothing waits to arrive or comes due; rows arrive in the world's week"):
            world.move_clock(next=True)


def test_what_comes_due_is_told_to_the_person_whom_it_concerns_alone() -> None:
    def due(me: str) -> list[str]:
        with LocalWorld("harbor", ["lark"], me=me) as world:
            return [each["what"] for each in world.move_clock(advance_s=86_400)]

    mine, his = due("lin.wan"), due("yu.han")
    assert "S2 风险一页纸：先写" in mine
    assert "S2 风险一页纸：先写" not in his
    assert mine != his


def test_forks_and_restored_worlds_wait_for_the_same_arrivals() -> None:
    with make() as world:
        world.advance(DAY)
        saved = world.snapshot()
        rest = world.move_clock(quiet=True)

        with world.fork(saved) as fork:
            assert fork.move_clock(quiet=True) == rest
        world.restore(saved)
        assert world.move_clock(quiet=True) == rest
        assert world.move_clock(quiet=True) == []


def test_what_no_longer_fits_is_told_as_dropped(tmp_path: Path) -> None:
    with make(data=tmp_path) as world:
        store = world._session.store("slack")
        context = store.open(world.id)
        context.connection.execute("BEGIN")
        context.connection.execute(
            "UPDATE _scheduled SET row = json_set(row, '$.ts', (SELECT ts FROM messages LIMIT 1), '$.channel_id', "
            "(SELECT channel_id FROM messages LIMIT 1)) "
            "WHERE id = (SELECT min(id) FROM _scheduled WHERE \"table\" = 'messages')"
        )
        context.connection.execute("COMMIT")

        came = world.move_clock(quiet=True)

        assert sum("dropped" in each for each in came) >= 1
