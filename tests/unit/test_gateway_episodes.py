"""Changes over several apps: whole, or undone, or finished by the next gateway."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from pathlib import Path

import pytest

from farm.context.settings import Settings
from farm.errors import Conflict, FarmError, NotFound, Unavailable
from tests.unit._gateway import Gateway, Killed, refusal

APPS = ("rednote", "slack")


def folders(data: Path) -> set[str]:
    return {path.name for path in (data / "episodes").iterdir()}


async def test_the_first_start_makes_the_default_episode_and_the_second_keeps_it(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as first:
        assert first.apps.paths("slack") == first.apps.paths("rednote") == ["POST create"]
        made = await first.episodes.get("default")

    async with Gateway(tmp_path, *APPS) as second:
        assert second.apps.asked == []
        assert await second.episodes.get("default") == made
        assert made["token"] is None


async def test_beyond_loopback_the_default_episode_wants_a_bearer_that_the_operator_is_told(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS, guards_default=True) as gateway:
        made = await gateway.episodes.get("default")
        (copy,) = await gateway.episodes.fork("default", None, 1)

    settings = Settings.load(tmp_path / "episodes" / "default")
    assert settings.token_sha256 == sha256(made["token"].encode()).hexdigest()
    assert copy["token"] not in (None, made["token"])


async def test_a_lost_registry_takes_over_the_default_episode_that_is_there(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as first:
        made = await first.episodes.get("default")
    for path in tmp_path.glob("registry.db*"):
        path.unlink()

    async with Gateway(tmp_path, *APPS) as second:
        assert await second.episodes.get("default") == made


@pytest.mark.parametrize("action", ["restore", "fork"])
async def test_nothing_is_touched_anywhere_when_one_app_finds_its_part_of_a_snapshot_broken(
    tmp_path: Path, action: str
) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        await gateway.episodes.snapshot("default", "cut")
        gateway.apps.asked.clear()
        gateway.apps.fails["slack", "prove"] = refusal("snapshot 'cut' of slack is broken")

        episodes = gateway.episodes
        asked = episodes.restore("default", "cut") if action == "restore" else episodes.fork("default", "cut", 2)
        with pytest.raises(FarmError, match="snapshot 'cut' of slack is broken"):
            await asked

        assert gateway.apps.paths("slack") == gateway.apps.paths("rednote") == ["POST prove"]
        assert folders(tmp_path) == {"default"}
        assert await gateway.intents() == []


async def test_a_lost_registry_is_made_anew_from_the_folders(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as first:
        made = await first.episodes.create({})
        half = await first.episodes.create({})
        folder = tmp_path / "episodes" / made["id"]
        for app in APPS:
            (folder / f"{app}.0.db").touch()
        (tmp_path / "episodes" / half["id"] / "slack.0.db").touch()
        for name in ("before", "after"):
            await first.episodes.snapshot(made["id"], name)
        for stored in first.registry.snapshots(made["id"]).values():
            (folder / "snapshots" / stored.stored_as).mkdir(parents=True)
            for app in APPS:
                (folder / "snapshots" / stored.stored_as / f"{app}.db").touch()
        stored_as = {each.name: each.stored_as for each in first.registry.snapshots(made["id"]).values()}
    for path in tmp_path.glob("registry.db*"):
        path.unlink()

    for _ in range(2):
        async with Gateway(tmp_path, *APPS) as again:
            assert {each["id"] for each in again.episodes.every()} == {"default", made["id"]}
            assert (await again.episodes.get(made["id"]))["token"] == made["token"]
            kept = again.registry.snapshots(made["id"]).values()
            assert {each.name: each.stored_as for each in kept} == stored_as


@pytest.mark.parametrize("action", ["hold", "reset", "release"])
async def test_a_hold_is_released_whatever_fails(tmp_path: Path, action: str) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.asked.clear()
        gateway.apps.fails["rednote", action] = refusal()

        with pytest.raises(FarmError, match="the disk is full"):
            await gateway.episodes.reset("default")

        for app in APPS:
            asked = gateway.apps.paths(app)
            assert asked[0] == "POST hold"
            assert asked[-1] == "POST release"
        assert await gateway.intents() == []


async def test_a_hold_that_ran_out_is_a_conflict(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.lost_holds.add("slack")

        with pytest.raises(Conflict, match="episode 'default' was not held to the end in slack; do it again"):
            await gateway.episodes.snapshot("default", "cut")

        assert gateway.episodes.snapshots("default") == []


async def test_a_create_that_fails_leaves_nothing(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.fails["slack", "create"] = refusal()

        with pytest.raises(FarmError, match="the disk is full"):
            await gateway.episodes.create({})

        assert [each["id"] for each in gateway.episodes.every()] == ["default"]
        assert folders(tmp_path) == {"default"}
        assert await gateway.intents() == []


async def test_a_fork_that_fails_leaves_no_copy(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.fails["slack", "fork"] = refusal()

        with pytest.raises(FarmError, match="the disk is full"):
            await gateway.episodes.fork("default", None, 3)

        assert folders(tmp_path) == {"default"}
        assert await gateway.intents() == []


async def test_many_forks_hold_their_source_for_one_copy_only(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.asked.clear()

        copies = await gateway.episodes.fork("default", None, 3)

        first = copies[0]["id"]
        asked = [(path, body) for app, _, path, body in gateway.apps.asked if app == "slack"]
        assert asked == [
            ("/episodes/default/hold", None),
            ("/episodes/default/fork", {"target": first}),
            ("/episodes/default/release", None),
            *((f"/episodes/{first}/fork", {"target": copy["id"]}) for copy in copies[1:]),
        ]


@pytest.mark.parametrize(("app", "where"), [("rednote", "create"), ("slack", "create")])
async def test_a_create_cut_by_a_kill_is_undone_at_the_next_start(tmp_path: Path, app: str, where: str) -> None:
    gateway = Gateway(tmp_path, *APPS)
    async with gateway:
        gateway.apps.fails[app, where] = Killed()
        with pytest.raises(Killed):
            await gateway.episodes.create({})
        assert await gateway.intents() == ["create"]
        (begun,) = folders(tmp_path) - {"default"}

    async with Gateway(tmp_path, *APPS) as again:
        assert [path for _, method, path, _ in again.apps.asked if method == "DELETE"] == [f"/episodes/{begun}"] * 2
        assert folders(tmp_path) == {"default"}
        assert await again.intents() == []


@pytest.mark.parametrize("action", ["hold", "restore", "release"])
async def test_a_restore_cut_by_a_kill_is_completed_at_the_next_start(tmp_path: Path, action: str) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        await gateway.episodes.snapshot("default", "cut")
        gateway.apps.fails["slack", action] = Killed()
        with pytest.raises(Killed):
            await gateway.episodes.restore("default", "cut")
        assert await gateway.intents() == ["restore"]

    async with Gateway(tmp_path, *APPS) as again:
        for app in APPS:
            assert again.apps.paths(app) == ["POST hold", "POST restore", "POST release"]
        (stored,) = {body["snapshot"] for _, _, path, body in again.apps.asked if path.endswith("/restore")}
        assert stored.startswith("cut.")
        assert await again.intents() == []


async def test_a_snapshot_cut_by_a_kill_leaves_its_name_free(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.fails["slack", "snapshots"] = Killed()
        with pytest.raises(Killed):
            await gateway.episodes.snapshot("default", "cut")
        (stored,) = {body["name"] for _, _, path, body in gateway.apps.asked if path.endswith("/snapshots")}
        left = tmp_path / "episodes" / "default" / "snapshots" / stored
        left.mkdir(parents=True)

    async with Gateway(tmp_path, *APPS) as again:
        assert not left.exists()
        assert (await again.episodes.snapshot("default", "cut"))["snapshot"] == "cut"


async def test_a_drop_cut_by_a_kill_is_completed_at_the_next_start(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        made = (await gateway.episodes.create({}))["id"]
        gateway.apps.fails["slack", made] = Killed()
        with pytest.raises(Killed):
            await gateway.episodes.drop(made)

    async with Gateway(tmp_path, *APPS) as again:
        with pytest.raises(NotFound):
            again.episodes.apps_of(made)
        assert folders(tmp_path) == {"default"}


async def test_what_an_app_that_does_not_answer_leaves_undone_is_tried_again(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.fails["slack", "reset"] = Killed()
        with pytest.raises(Killed):
            await gateway.episodes.reset("default")

    again = Gateway(tmp_path, *APPS)
    again.apps.fails["slack", "reset"] = Unavailable("app 'slack' does not answer")
    with pytest.raises(Unavailable):
        await again.__aenter__()
    await again.episodes.settle()

    assert again.apps.paths("slack")[-2:] == ["POST reset", "POST release"]
    assert await again.intents() == []
    await again.registry.close()


async def test_what_needs_apps_that_are_not_here_waits_for_a_start_with_them(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.fails["slack", "reset"] = Killed()
        with pytest.raises(Killed):
            await gateway.episodes.reset("default")

    async with Gateway(tmp_path, "slack") as fewer:
        assert fewer.apps.asked == []
        assert await fewer.intents() == ["reset"]
    async with Gateway(tmp_path, *APPS) as whole:
        assert "POST reset" in whole.apps.paths("slack")
        assert await whole.intents() == []


async def test_changes_of_one_episode_come_one_after_the_other(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        taken = await asyncio.gather(*(gateway.episodes.snapshot("default", None) for _ in range(5)))

        assert [each["snapshot"] for each in taken] == ["s1", "s2", "s3", "s4", "s5"]
        asked = [path for path in gateway.apps.paths("slack") if path != "POST create"]
        assert asked == ["POST hold", "POST snapshots", "POST release"] * 5


async def test_who_waited_for_an_episode_that_is_dropped_does_not_find_it(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        made = (await gateway.episodes.create({}))["id"]

        dropped, *others = await asyncio.gather(
            gateway.episodes.drop(made),
            gateway.episodes.reset(made),
            gateway.episodes.drop(made),
            return_exceptions=True,
        )

        assert dropped is None
        assert [type(each) for each in others] == [NotFound, NotFound]


async def test_a_token_is_told_again_after_a_restart_and_is_nobody_elses(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        made, other = await gateway.episodes.create({}), await gateway.episodes.create({})

    async with Gateway(tmp_path, *APPS) as again:
        assert (await again.episodes.get(made["id"]))["token"] == made["token"] != other["token"]
        saved = again.episodes.settings(made["id"]).token_sha256
        assert saved is not None
        assert made["token"] not in saved
        assert len(made["id"].rsplit("-", 1)[1]) * 4 >= 128


@pytest.mark.parametrize("ahead", APPS)
async def test_an_episodes_time_is_that_of_the_app_that_is_furthest(tmp_path: Path, ahead: str) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.clocks_ms[ahead] = 1_772_000_000_123

        assert await gateway.episodes.clock("default") == {"now": "2026-02-25T06:13:20.123+00:00", "live": True}
