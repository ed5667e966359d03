"""The gateway's memory: what it knows and what it forgets is the same on the disk."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gateway.registry import FoundEpisode, Intent, Registry, Snapshot

AT, LATER = "2026-03-09T09:00:00.000+00:00", "2026-03-09T10:00:00.000+00:00"


@asynccontextmanager
async def registry(data: Path) -> AsyncIterator[tuple[Registry, list[Intent]]]:
    """Open a registry; one opened again on the same folder is what a restart finds."""
    made = Registry(data / "registry.db")
    try:
        yield made, list(await made.open())
    finally:
        await made.close()


async def test_a_dropped_episode_leaves_no_snapshot_to_one_of_the_same_name(tmp_path: Path) -> None:
    async with registry(tmp_path) as (first, _):
        for episode_id in ("default", "other"):
            await first.put_episode(episode_id, ("slack",), AT)
            intent_id = await first.intend("snapshot", episode_id)
            await first.add_snapshot(episode_id, Snapshot("s1", "s1.ab", AT), intent_id=intent_id)

        await first.drop_episode("default")
        await first.drop_episode("default")
        assert first.snapshots("default") == {}
        assert set(first.apps) == {"other"}
        await first.put_episode("default", ("slack",), AT)

    async with registry(tmp_path) as (again, left):
        assert left == []
        assert again.snapshots("default") == {}
        assert list(again.snapshots("other")) == ["s1"]
        assert set(again.apps) == {"default", "other"}


async def test_what_was_added_is_there_after_a_restart_oldest_first(tmp_path: Path) -> None:
    late, early = Snapshot("late", "late.ab", LATER), Snapshot("early", "early.cd", AT)
    async with registry(tmp_path) as (first, _):
        await first.add_episodes([("z", ("lark", "slack"), LATER), ("b", ("slack",), AT)], intent_id=0)
        await first.add_found([FoundEpisode("a", ("lark",), AT, (late, early)), FoundEpisode("c", ("lark",), AT, ())])
        assert first.snapshots("a") == {"late": late, "early": early}
        assert first.snapshots("c") == {}
        known = dict(first.apps)

    async with registry(tmp_path) as (again, _):
        assert list(again.apps.items()) == [
            ("a", ("lark",)),
            ("b", ("slack",)),
            ("c", ("lark",)),
            ("z", ("lark", "slack")),
        ]
        assert again.apps == known
        assert list(again.snapshots("a").values()) == [early, late]
        assert again.snapshots("b") == again.snapshots("nowhere") == {}


async def test_an_episode_that_is_put_again_has_the_apps_of_then(tmp_path: Path) -> None:
    async with registry(tmp_path) as (first, _):
        await first.put_episode("default", ("slack",), AT)
        await first.put_episode("other", ("slack",), AT)
        await first.put_episode("default", ("lark", "slack"), LATER)
        assert first.apps == {"default": ("lark", "slack"), "other": ("slack",)}

    async with registry(tmp_path) as (again, _):
        assert list(again.apps.items()) == [("other", ("slack",)), ("default", ("lark", "slack"))]


async def test_what_is_left_undone_is_told_oldest_first_with_all_that_was_written_down(tmp_path: Path) -> None:
    async with registry(tmp_path) as (first, _):
        numbers = [
            await first.intend("restore", "z", snapshot="s.ab"),
            await first.intend("create", "a", apps=["slack"]),
        ]

    async with registry(tmp_path) as (_, left):
        assert left == [
            Intent(numbers[0], "restore", "z", {"snapshot": "s.ab"}),
            Intent(numbers[1], "create", "a", {"apps": ["slack"]}),
        ]


async def test_each_end_forgets_its_own_intent_and_no_other(tmp_path: Path) -> None:
    async with registry(tmp_path) as (first, _):
        stays, done, made, dropped, taken = [await first.intend(f"i{n}", "ep") for n in range(5)]
        await first.done(done)
        await first.add_episodes([("ep", ("slack",), AT)], intent_id=made)
        await first.add_snapshot("ep", Snapshot("s1", "s1.ab", AT), intent_id=taken)
        await first.drop_episode("ep", intent_id=dropped)

    async with registry(tmp_path) as (again, left):
        assert [(intent.id, intent.action) for intent in left] == [(stays, "i0")]
        assert again.apps == {}


async def test_what_cannot_be_written_down_is_not_known_either(tmp_path: Path) -> None:
    async with registry(tmp_path) as (first, _):
        await first.put_episode("ep", ("slack",), AT)
        intent_id = await first.intend("create", "new")

        with pytest.raises(sqlite3.IntegrityError):
            await first.add_episodes([("new", ("lark",), AT), ("ep", ("lark",), AT)], intent_id=intent_id)

        assert first.apps == {"ep": ("slack",)}

    async with registry(tmp_path) as (again, left):
        assert again.apps == {"ep": ("slack",)}
        assert [intent.id for intent in left] == [intent_id]
