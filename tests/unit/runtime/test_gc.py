"""What is removed as it is over, and what stays."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from farm._util import temp_folders
from farm.cli import main
from farm.context.settings import Settings
from farm.errors import FarmError
from farm.runtime.data_format import DATA_FORMAT
from farm.runtime.maintenance import work_folders
from farm.runtime.maintenance.doctor import examine
from farm.runtime.maintenance.gc import Removal, collect
from farm.runtime.supervisor.state import DataLock
from farm.server.pipeline import call
from farm.testing import EPISODE, LocalApp
from tests.unit._gateway import Gateway
from tests.unit._slack import ROWS

WEEK = timedelta(days=7)
MINE = "0123456789abcdef"
KILLED = "fedcba9876543210-1"


@pytest.fixture(autouse=True)
def _runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "runs").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "runs"))


@pytest.fixture
def slack(start: Callable[..., LocalApp]) -> LocalApp:
    return start("slack", rows=ROWS, me="me")


def episode(slack: LocalApp, name: str, *, calls: int = 0, **limits: Any) -> Path:
    """Make an episode and calls in it."""
    folder = slack.store.episodes / name
    folder.mkdir()
    replace(slack.store.settings(EPISODE), id=name, **limits).save(folder)
    slack.store.create(name)
    for _ in range(calls):
        call(slack.store.open(name), "slack_list_channels", {})
    slack.store.close(name)
    return folder


def at(moment: datetime) -> str:
    return moment.isoformat()


def age(path: Path, by: timedelta) -> None:
    """Let a file, or all in a folder, have been changed some time ago."""
    for each in (path, *path.rglob("*")):
        os.utime(each, (time.time() - by.total_seconds(),) * 2)


def names(removals: list[Removal]) -> set[tuple[str, str]]:
    return {(each.kind, each.path.name) for each in removals}


def test_only_episodes_that_take_no_more_calls_go_and_only_when_they_are_old(slack: LocalApp) -> None:
    data, now = slack.store.episodes.parent, datetime.now(UTC)
    episode(slack, "expired", expires_at=at(now - WEEK - timedelta(minutes=1)))
    episode(slack, "expired-lately", expires_at=at(now - WEEK + timedelta(minutes=1)))
    age(episode(slack, "used-up", calls=3, calls_max=3), WEEK * 2)
    episode(slack, "used-up-lately", calls=3, calls_max=3)
    age(episode(slack, "unfinished", calls=2, calls_max=3), WEEK * 50)
    age(episode(slack, "without-limits", calls=2), WEEK * 50)
    age(episode(slack, "default", calls=1, calls_max=1, expires_at=at(now - WEEK * 9)), WEEK * 9)
    before = {path.name for path in slack.store.episodes.iterdir()}

    found = collect(data, WEEK, now, is_dry=True)

    assert names(found) == {("episodes", "expired"), ("episodes", "used-up")}
    assert all(each.size_bytes > 0 for each in found)
    assert {path.name for path in slack.store.episodes.iterdir()} == before
    assert names(collect(data, WEEK, now, is_dry=False)) == names(found)
    assert {path.name for path in slack.store.episodes.iterdir()} == before - {"expired", "used-up"}
    assert collect(data, WEEK, now, is_dry=False) == []
    assert names(collect(data, timedelta(), datetime.now(UTC), is_dry=True)) >= {
        ("episodes", "expired-lately"),
        ("episodes", "used-up-lately"),
    }


async def test_with_the_farm_down_the_registry_forgets_what_went(slack: LocalApp) -> None:
    data, now = slack.store.episodes.parent, datetime.now(UTC)
    async with Gateway(data, "slack") as gateway:
        gone = (await gateway.episodes.create({"expires_at": at(now - WEEK * 2)}))["id"]
        await gateway.episodes.snapshot(gone, "one")
        stays = (await gateway.episodes.create({}))["id"]

    assert names(collect(data, WEEK, now, is_dry=False)) == {("episodes", gone)}

    async with Gateway(data, "slack") as again:
        assert gone not in again.registry.apps
        assert stays in again.registry.apps
        assert again.registry.snapshots(gone) == {}


async def test_snapshots_that_the_registry_does_not_list_go(slack: LocalApp) -> None:
    data, now = slack.store.episodes.parent, datetime.now(UTC)
    async with Gateway(data, "slack") as gateway:
        made = (await gateway.episodes.create({}))["id"]
        await gateway.episodes.snapshot(made, "kept")
        (kept,) = gateway.registry.snapshots(made).values()
    folder = data / "episodes" / made / "snapshots"
    for name in (kept.stored_as, "lost.0a", "lately.0b"):
        (folder / name).mkdir(parents=True)
        (folder / name / "slack.db").write_bytes(b"x")
        if name != "lately.0b":
            age(folder / name, WEEK * 2)

    assert names(collect(data, WEEK, now, is_dry=False)) == {("snapshots", "lost.0a")}
    assert {path.name for path in folder.iterdir()} == {kept.stored_as, "lately.0b"}


def test_starts_that_nobody_needs_go_and_the_others_stay(start: Callable[..., LocalApp]) -> None:
    slack = start("slack", world="harbor")
    data = slack.store.episodes.parent
    slack.store.starts.get("harbor", 7)
    needed = slack.store.starts.cached("harbor", 0)
    (data / "starts" / "slack-0123.db").write_bytes(b"of a world as it was once")
    (data / "starts" / "nothing-0123.db").write_bytes(b"of an app that is not here")
    lately = data / "starts" / "slack-4567.db"
    age(data / "starts", WEEK * 2)
    lately.write_bytes(b"x")

    gone = {("starts", slack.store.starts.cached("harbor", 7).name), ("starts", "slack-0123.db")}
    assert names(collect(data, WEEK, datetime.now(UTC), is_dry=False)) == gone | {("starts", "nothing-0123.db")}
    assert {path.name for path in (data / "starts").glob("*.db")} == {needed.name, lately.name}


def test_what_was_set_aside_goes_after_a_while_and_what_was_left_at_once(slack: LocalApp) -> None:
    data, now = slack.store.episodes.parent, datetime.now(UTC)
    slack.store.close_all()
    broken = [data / "registry.db.broken", slack.store.episodes / EPISODE / "slack.3.db.broken"]
    left = slack.store.episodes / EPISODE / "slack.9.db.tmp"
    for path in (*broken, left):
        path.write_bytes(b"x" * 5000)
        age(path, WEEK * 2)  # of the file; it was set aside just now
    dead, lock = temp_folders.made("farm-run-")
    os.close(lock)

    found = collect(data, WEEK, now, is_dry=False)

    assert names(found) == {("leftovers", left.name), ("leftovers", dead.name)}
    assert not dead.exists()
    assert not left.exists()
    assert names(collect(data, WEEK, now + WEEK * 2, is_dry=False)) == {("quarantined", each.name) for each in broken}
    assert not [path for path in broken if path.exists()]


@pytest.mark.parametrize("kind", ["imports", "exports"])
def test_an_import_or_export_under_way_is_let_be_and_one_that_was_killed_goes(slack: LocalApp, kind: str) -> None:
    data = slack.store.episodes.parent
    slack.store.close_all()
    killed, others = data / kind / KILLED, data / kind / "backup"
    for folder in (killed, others):
        folder.mkdir(parents=True)
        (folder / "slack.0.db").write_bytes(b"half of it")

    with work_folders.taken(data / kind, MINE) as folder:
        (folder / "slack.0.db").write_bytes(b"half of it")
        found = collect(data, timedelta(0), datetime.now(UTC) + timedelta(minutes=1), is_dry=False)

        assert ("leftovers", KILLED) in names(found)
        assert not killed.exists()
        assert others.exists()  # that is no name of ours
        assert (folder / "slack.0.db").exists()
    assert (folder / "slack.0.db").exists()


def test_what_was_fetched_is_kept_for_the_next_try_and_what_was_copied_to_be_exported_is_not(slack: LocalApp) -> None:
    data = slack.store.episodes.parent
    slack.store.close_all()
    for kind in ("imports", "exports"):
        (data / kind / KILLED).mkdir(parents=True)
        (data / kind / KILLED / "slack.0.db").touch()

    (gone,) = collect(data, WEEK, datetime.now(UTC), is_dry=False)
    assert gone.path == data / "exports" / KILLED
    assert collect(data, WEEK, datetime.now(UTC) + WEEK * 2, is_dry=True)[0].path == data / "imports" / KILLED


def test_a_folder_that_somebody_takes_up_again_is_not_removed(slack: LocalApp) -> None:
    data = slack.store.episodes.parent
    slack.store.close_all()
    killed = data / "exports" / f"{MINE}-1"
    killed.mkdir(parents=True)
    (found,) = collect(data, WEEK, datetime.now(UTC), is_dry=True)

    with work_folders.taken(data / "exports", MINE) as folder:
        assert folder == killed
        (folder / "slack.0.db").touch()
        found.remove()
        assert (folder / "slack.0.db").exists()


def test_the_command_says_what_it_freed(slack: LocalApp, capsys: pytest.CaptureFixture[str]) -> None:
    data, now = slack.store.episodes.parent, datetime.now(UTC)
    (data / "format").write_text(f"{DATA_FORMAT}\n")
    folder = episode(slack, "expired", expires_at=at(now - timedelta(hours=2)))

    def run(*options: str) -> str:
        with pytest.raises(SystemExit) as end:
            main(["gc", "--data", str(data), *options])
        assert not end.value.code
        return capsys.readouterr().out

    assert run() == f"nothing has been over for 7d in {data}\n"
    dry = run("--older-than", "1h", "--dry-run").splitlines()
    assert dry[0].startswith(f"episodes     {folder}  ")
    assert dry[-1].startswith("would free ")
    told = json.loads(run("--older-than=1h", "--json"))
    assert [each["path"] for each in told["removed"]] == [str(folder)]
    assert told["freed_bytes"] > 0
    assert not folder.exists()
    episode(slack, "expired", expires_at=at(now - timedelta(hours=2)))
    assert run("--older-than=1h").startswith("freed ")
    assert "1 episode (" in dry[-1]


def test_a_farm_that_is_starting_is_let_be(slack: LocalApp) -> None:
    data = slack.store.episodes.parent
    lock = DataLock(data)
    try:
        with pytest.raises(FarmError, match=r"is starting or ending; ask again in a moment"):
            collect(data, WEEK, datetime.now(UTC), is_dry=True)
    finally:
        lock.release()


def test_settings_that_cannot_be_read_hide_no_others(slack: LocalApp) -> None:
    data, now = slack.store.episodes.parent, datetime.now(UTC)
    (episode(slack, "spoilt") / "episode.json").write_bytes(b"{")
    episode(slack, "expired", expires_at=at(now - WEEK * 2))

    assert names(collect(data, WEEK, now, is_dry=False)) == {("episodes", "expired")}
    assert Settings.load(slack.store.episodes / EPISODE).id == EPISODE


def test_settings_that_name_another_folder_remove_none(slack: LocalApp) -> None:
    data, now = slack.store.episodes.parent, datetime.now(UTC)
    victim = data.parent / "victim"
    victim.mkdir()
    path = episode(slack, "evil", expires_at=at(now - WEEK * 2)) / "episode.json"
    for name in ("../../../victim", EPISODE, "\x1b[2J"):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"id": name}))
        assert collect(data, timedelta(0), now, is_dry=False) == []
    (found,) = [each for each in examine(data).findings if each.kind == "settings"]

    assert found.problem == r"it is of another episode, '\x1b[2J'"
    assert victim.exists()
    assert (slack.store.episodes / EPISODE).exists()
