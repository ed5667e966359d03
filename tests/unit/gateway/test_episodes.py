"""Changes over several apps: whole, or undone, or finished by the next gateway."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from farm.context.corrupt_file import CorruptFileError
from farm.context.settings import Settings
from farm.errors import ConflictError, FarmError, NotFoundError, UnavailableError
from gateway.registry import Registry
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
        gateway.apps.fails["slack", "verify"] = refusal("snapshot 'cut' of slack is broken")

        episodes = gateway.episodes
        asked = episodes.restore("default", "cut") if action == "restore" else episodes.fork("default", "cut", 2)
        with pytest.raises(FarmError, match="snapshot 'cut' of slack is broken"):
            await asked

        assert gateway.apps.paths("slack") == gateway.apps.paths("rednote") == ["POST verify"]
        assert folders(tmp_path) == {"default"}
        assert await gateway.intents() == []


async def test_a_lost_registry_is_made_anew_from_the_folders(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
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
    assert caplog.messages == ["registry.db had no episodes; found 1 in their folders"]


async def test_a_gateway_killed_before_it_looked_into_the_folders_leaves_that_to_the_next(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as first:
        made = await first.episodes.create({})
        for app in APPS:
            (tmp_path / "episodes" / made["id"] / f"{app}.0.db").touch()
    for path in tmp_path.glob("registry.db*"):
        path.unlink()
    killed = Registry(tmp_path / "registry.db")
    await killed.open()
    await killed.close()

    async with Gateway(tmp_path, *APPS) as again:
        assert {each["id"] for each in again.episodes.every()} == {"default", made["id"]}


@pytest.mark.parametrize("is_known", [True, False])
async def test_a_default_episode_that_is_broken_keeps_nobody_else_from_being_served(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, is_known: bool
) -> None:
    async with Gateway(tmp_path, *APPS) as first:
        made = await first.episodes.create({})
        if not is_known:
            await first.registry.drop_episode("default")
    path = tmp_path / "episodes" / "default" / "episode.json"
    path.write_text("{")

    async with Gateway(tmp_path, *APPS) as again:
        assert [each["id"] for each in again.episodes.every()] == [made["id"]]
        (line,) = caplog.messages
        assert line.startswith(f"there is no default episode: {path} cannot be read")


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

        with pytest.raises(ConflictError, match="episode 'default' was not held to the end in slack; do it again"):
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
async def test_a_create_interrupted_by_a_kill_is_undone_at_the_next_start(tmp_path: Path, app: str, where: str) -> None:
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
async def test_a_restore_interrupted_by_a_kill_is_completed_at_the_next_start(tmp_path: Path, action: str) -> None:
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


async def test_a_snapshot_interrupted_by_a_kill_leaves_its_name_free(tmp_path: Path) -> None:
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


async def test_a_snapshot_interrupted_by_a_kill_goes_only_when_every_app_has_heard_of_the_next_gateway(
    tmp_path: Path,
) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.fails["slack", "snapshots"] = Killed()
        with pytest.raises(Killed):
            await gateway.episodes.snapshot("default", "cut")
        (stored,) = {body["name"] for _, _, path, body in gateway.apps.asked if path.endswith("/snapshots")}
        left = tmp_path / "episodes" / "default" / "snapshots" / stored
        left.mkdir(parents=True)

    again = Gateway(tmp_path, *APPS)
    again.apps.fails["slack", "release"] = UnavailableError("app 'slack' does not answer")
    with pytest.raises(UnavailableError):
        await again.__aenter__()
    assert left.exists()
    assert await again.intents() == ["snapshot"]
    await again.episodes.recover()

    assert not left.exists()
    assert again.episodes.snapshots("default") == []
    assert await again.intents() == []
    await again.registry.close()


@pytest.mark.parametrize(
    "gone", [NotFoundError("no episode 'default'"), CorruptFileError("episode.json cannot be read")]
)
async def test_a_snapshot_interrupted_by_a_kill_goes_with_an_episode_that_is_gone_or_broken(
    tmp_path: Path, gone: FarmError
) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.fails["slack", "snapshots"] = Killed()
        with pytest.raises(Killed):
            await gateway.episodes.snapshot("default", "cut")

    again = Gateway(tmp_path, *APPS)
    again.apps.fails["rednote", "release"] = gone
    async with again:
        assert await again.intents() == []


@pytest.mark.parametrize(("moved", "left"), [((), APPS), (("rednote",), ("slack",)), (APPS, ())])
async def test_a_clock_moved_in_some_apps_when_the_gateway_was_killed_is_moved_in_the_others(
    tmp_path: Path, moved: tuple[str, ...], left: tuple[str, ...]
) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.clocks_ms = dict.fromkeys(APPS, 7_000)
        gateway.apps.fails["slack", "POST clock"] = Killed()
        with pytest.raises(Killed):
            await gateway.episodes.set_clock("default", {"advance_s": 5})
        assert await gateway.intents() == ["clock"]

    again = Gateway(tmp_path, *APPS)
    # One that was moved has taken a writing call since.
    again.apps.clocks_ms = {app: 12_001 if app in moved else 7_000 for app in APPS}
    async with again:
        asked = [
            (app, body["to_ms"])
            for app, method, path, body in again.apps.asked
            if (method, path[-6:]) == ("POST", "/clock")
        ]
        assert asked == [(app, 12_000) for app in left]
        assert all("POST release" in again.apps.paths(app) for app in APPS)
        assert await again.intents() == []


@pytest.mark.parametrize("action", ["hold", "POST clock"])
async def test_a_clock_that_cannot_be_moved_is_not_moved_by_a_later_start(tmp_path: Path, action: str) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.fails["slack", action] = refusal()
        with pytest.raises(FarmError, match="the disk is full"):
            await gateway.episodes.set_clock("default", {"advance_s": 5})

        assert await gateway.intents() == []


async def test_a_drop_interrupted_by_a_kill_is_completed_at_the_next_start(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        made = (await gateway.episodes.create({}))["id"]
        gateway.apps.fails["slack", made] = Killed()
        with pytest.raises(Killed):
            await gateway.episodes.drop(made)

    async with Gateway(tmp_path, *APPS) as again:
        with pytest.raises(NotFoundError):
            again.episodes.apps_of(made)
        assert folders(tmp_path) == {"default"}


async def test_what_an_app_that_does_not_answer_leaves_undone_is_tried_again(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.fails["slack", "reset"] = Killed()
        with pytest.raises(Killed):
            await gateway.episodes.reset("default")

    again = Gateway(tmp_path, *APPS)
    again.apps.fails["slack", "reset"] = UnavailableError("app 'slack' does not answer")
    with pytest.raises(UnavailableError):
        await again.__aenter__()
    await again.episodes.recover()

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
        assert [type(each) for each in others] == [NotFoundError, NotFoundError]


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

        assert await gateway.episodes.clock("default") == {
            "now": "2026-02-25T06:13:20.123+00:00",
            "live": True,
            "rate": 1,
        }


async def test_a_clock_may_stay_and_may_not_go_back_even_by_a_millisecond(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.clocks_ms = {"rednote": 7_000, "slack": 7_001}

        async def moved_to(**given: Any) -> list[tuple[str, Any]]:
            gateway.apps.asked.clear()
            await gateway.episodes.set_clock("default", given)
            return [
                (app, body["to_ms"])
                for app, method, path, body in gateway.apps.asked
                if (method, path[-6:]) == ("POST", "/clock")
            ]

        for given, to_ms in (
            ({"to": "1970-01-01T00:00:07.001Z"}, 7_001),
            ({"advance_s": 0}, 7_001),
            ({"advance_s": 0.001}, 7_002),
            ({"to": "1970-01-01T08:00:08+08:00"}, 8_000),
        ):
            assert await moved_to(**given) == [(app, to_ms) for app in APPS]
        with pytest.raises(FarmError, match=r"^a clock only moves forward; reset the episode to go back$"):
            await moved_to(to="1970-01-01T00:00:07.000Z")
        assert [path for _, method, path, _ in gateway.apps.asked if method == "POST" and path.endswith("clock")] == []
        assert await gateway.intents() == []


async def test_new_episodes_go_to_the_workers_in_turn_and_copies_stay_with_their_original(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS, workers=3) as gateway:
        made = [(await gateway.episodes.create({}))["id"] for _ in range(4)]
        copies = await gateway.episodes.fork(made[2], None, 2)

    assert [each.split("-")[:2] for each in made] == [["c0", "0"], ["c0", "1"], ["c0", "2"], ["c0", "0"]]
    assert [each["id"].split("-")[:2] for each in copies] == [["c0", "2"]] * 2


async def test_an_app_that_joins_the_farm_joins_the_default_episode_and_one_that_leaves_stays_in_it(
    tmp_path: Path,
) -> None:
    async with Gateway(tmp_path, "slack"):
        pass
    async with Gateway(tmp_path, "lark", "slack") as more:
        assert (more.apps.paths("slack"), more.apps.paths("lark")) == ([], ["POST create"])
        assert (await more.episodes.get("default"))["apps"] == ("lark", "slack")
    async with Gateway(tmp_path, "lark") as fewer:
        assert fewer.apps.asked == []
        default = await fewer.episodes.get("default")
        assert (default["apps"], list(default["profiles"])) == (("lark", "slack"), ["lark"])
    async with Gateway(tmp_path, "rednote") as other:
        assert other.apps.paths("rednote") == ["POST create"]
        assert (await other.episodes.get("default"))["apps"] == ("lark", "rednote", "slack")


async def test_a_default_episode_made_elsewhere_is_taken_with_the_apps_it_has(tmp_path: Path) -> None:
    folder = tmp_path / "episodes" / "default"
    folder.mkdir(parents=True)
    Settings("default", None, ("lark",), created_at="2026-03-09T09:00:00.000+00:00").save(folder)

    async with Gateway(tmp_path, "slack") as gateway:
        default = await gateway.episodes.get("default")
        assert gateway.apps.asked[0] == ("slack", "POST", "/episodes/default/create", None)
        assert (default["apps"], default["created_at"]) == (("lark", "slack"), "2026-03-09T09:00:00.000+00:00")


@pytest.mark.parametrize("action", ["reset", "restore", "snapshot", "fork", "drop", "create"])
async def test_the_operator_hears_what_was_interrupted_and_what_cannot_be_finished(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, action: str
) -> None:
    path = {"snapshot": "snapshots"}.get(action, action)
    async with Gateway(tmp_path, *APPS) as gateway:
        made = (await gateway.episodes.create({}))["id"]
        await gateway.episodes.snapshot(made, "cut")
        act: dict[str, Callable[[], Awaitable[object]]] = {
            "reset": lambda: gateway.episodes.reset(made),
            "restore": lambda: gateway.episodes.restore(made, "cut"),
            "snapshot": lambda: gateway.episodes.snapshot(made, None),
            "fork": lambda: gateway.episodes.fork(made, None, 2),
            "drop": lambda: gateway.episodes.drop(made),
            "create": lambda: gateway.episodes.create({}),
        }
        gateway.apps.fails["slack", made if action == "drop" else path] = Killed()
        with pytest.raises(Killed):
            await act[action]()
        (intent,) = await gateway.left()

    again = Gateway(tmp_path, *APPS)
    again.apps.fails["slack", intent.detail.get("targets", [intent.episode_id])[0]] = refusal("it is broken")
    again.apps.fails["slack", action] = refusal("it is broken")
    async with again:
        assert await again.intents() == []

    said = [f"finishing '{action}' of episode {intent.episode_id}, which was interrupted"]
    if action != "snapshot":
        said.append(f"'{action}' of episode {intent.episode_id} cannot be finished: it is broken")
    assert caplog.messages == said


async def test_what_is_left_for_another_start_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.fails["slack", "reset"] = Killed()
        with pytest.raises(Killed):
            await gateway.episodes.reset("default")

    async with Gateway(tmp_path, "slack"):
        away = "episode 'default' has apps this farm does not run: rednote; start it with --apps rednote,slack"
        assert caplog.messages == [
            "finishing 'reset' of episode default, which was interrupted",
            f"left for another start: {away}",
        ]


async def test_what_a_change_asks_of_each_app_is_the_change_and_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        made = (await gateway.episodes.create({}))["id"]
        at = f"/episodes/{made}"

        async def asked(change: Awaitable[object]) -> list[tuple[str, str, object]]:
            gateway.apps.asked.clear()
            await change
            found = [each[1:] for each in gateway.apps.asked if each[0] == "slack"]
            assert found == [each[1:] for each in gateway.apps.asked if each[0] == "rednote"]
            return found

        held, released = ("POST", f"{at}/hold", None), ("POST", f"{at}/release", None)
        assert await asked(gateway.episodes.snapshot(made, "cut")) == [
            held,
            ("POST", f"{at}/snapshots", {"name": gateway.registry.snapshots(made)["cut"].stored_as}),
            released,
        ]
        stored = {"snapshot": gateway.registry.snapshots(made)["cut"].stored_as}
        assert await asked(gateway.episodes.restore(made, "cut")) == [
            ("POST", f"{at}/verify", stored),
            held,
            ("POST", f"{at}/restore", stored),
            released,
            ("GET", at, None),
        ]
        assert await asked(gateway.episodes.reset(made)) == [held, ("POST", f"{at}/reset", {}), released]
        forked = await asked(gateway.episodes.fork(made, "cut", 2))
        targets = [body["target"] for _, path, body in forked if path.endswith("/fork") and isinstance(body, dict)]
        assert forked == [
            ("POST", f"{at}/verify", stored),
            *(("POST", f"{at}/fork", {"target": target, **stored}) for target in targets),
        ]
        assert set(targets) < set(gateway.registry.apps)
        monkeypatch.setattr("gateway.episodes.wall_ms", lambda: 7000)
        assert await asked(gateway.episodes.set_clock(made, {"advance_s": 2})) == [
            held,
            ("GET", f"{at}/clock", None),
            ("POST", f"{at}/clock", {"to_ms": 2000, "rate": None, "at_ms": 7000}),
            released,
        ]
        assert await asked(gateway.episodes.drop(made)) == [("DELETE", at, None)]


async def test_a_snapshots_files_have_a_name_of_their_own_that_begins_like_the_snapshots(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        for _ in range(2):
            await gateway.episodes.snapshot("default", None)
        await gateway.episodes.snapshot("default", "s4")
        await gateway.episodes.snapshot("default", "x" * 64)
        taken = await gateway.episodes.snapshot("default", None)
        for name in ("s4", "start"):
            with pytest.raises(ConflictError) as refused:
                await gateway.episodes.snapshot("default", name)
            said = f"episode 'default' has a snapshot '{name}' already; choose another name"
            assert str(refused.value) == said

        kept = gateway.registry.snapshots("default")
        assert list(kept) == ["s1", "s2", "s4", "x" * 64, "s5"]
        assert all(re.fullmatch(rf"{name[:48]}\.[0-9a-f]{{8}}", each.stored_as) for name, each in kept.items())
        assert taken == {"snapshot": "s5", "created_at": kept["s5"].created_at}
        assert gateway.episodes.snapshots("default")[-1] == taken
        with pytest.raises(NotFoundError) as missing:
            await gateway.episodes.restore("default", "gone")
        assert str(missing.value) == f"no snapshot 'gone' of episode 'default'; have {', '.join(kept)}"


async def test_a_snapshot_that_fails_leaves_no_file_and_no_name(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        gateway.apps.fails["slack", "snapshots"] = refusal()
        folder = tmp_path / "episodes" / "default" / "snapshots"
        ask = gateway.apps.ask

        async def saving(app: str, method: str, path: str, body: Any = None, **query: Any) -> dict[str, Any]:
            if path.endswith("/snapshots"):
                (folder / body["name"]).mkdir(parents=True, exist_ok=True)
            return await ask(app, method, path, body, **query)

        gateway.apps.ask = saving  # type: ignore[method-assign]
        with pytest.raises(FarmError, match="the disk is full"):
            await gateway.episodes.snapshot("default", "cut")

        assert list(folder.iterdir()) == []
        assert gateway.episodes.snapshots("default") == []
        assert await gateway.intents() == []
        assert (await gateway.episodes.snapshot("default", "cut"))["snapshot"] == "cut"


async def test_episodes_are_listed_in_the_order_they_were_made_also_after_a_restart(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as gateway:
        made = [(await gateway.episodes.create({"label": str(number)}))["id"] for number in range(3)]
        assert [each["id"] for each in gateway.episodes.every()] == ["default", *made]
        before = list(gateway.episodes.every())

    async with Gateway(tmp_path, *APPS) as again:
        assert sorted(each["id"] for each in again.episodes.every()) == sorted(["default", *made])
        assert sorted(before, key=lambda each: str(each["id"])) == sorted(
            again.episodes.every(), key=lambda each: str(each["id"])
        )


async def test_an_export_is_one_moment_and_makes_nothing(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS, episodes_max=1) as gateway:
        made = (await gateway.episodes.create({"seed": 5}))["id"]
        await gateway.episodes.snapshot(made, "then")
        (stored,) = gateway.registry.snapshots(made).values()
        with pytest.raises(NotFoundError, match=r"no folder .*/exports/mine; name this farm's own data folder"):
            await gateway.episodes.export(made, "mine", None)
        (tmp_path / "exports" / "mine").mkdir(parents=True)
        gateway.apps.asked.clear()

        found = await gateway.episodes.export(made, "mine", None)
        assert (found["seed"], found["shift_days"], found["apps"]) == (5, 0, APPS)
        for app in APPS:
            assert gateway.apps.paths(app) == ["POST hold", "POST export", "POST release"]
        gateway.apps.asked.clear()
        await gateway.episodes.export(made, "mine", "then")
        asked = [(path.rsplit("/", 1)[1], body) for _, _, path, body in gateway.apps.asked]
        assert asked == [("export", {"folder": "mine", "snapshot": stored.stored_as})] * len(APPS)

        gateway.apps.lost_holds.add(APPS[0])
        with pytest.raises(ConflictError, match="was not held to the end"):
            await gateway.episodes.export(made, "mine", None)
        with pytest.raises(NotFoundError, match="no snapshot 'never'"):
            await gateway.episodes.export(made, "mine", "never")
        assert {each["id"] for each in gateway.episodes.every()} == {"default", made}
        assert await gateway.intents() == []
