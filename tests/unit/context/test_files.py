"""Whole files: copying them, what a restore leaves behind, and how a process that makes calls ends."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from farm.context.files import copy_new
from farm.context.settings import Settings
from farm.context.store import Store
from farm.testing import EPISODE, LocalApp
from tests.unit._slack import GENERAL, ROWS


@pytest.fixture
def slack(start: Callable[..., LocalApp]) -> LocalApp:
    return start("slack", rows=ROWS, me="me")


def logs(slack: LocalApp) -> list[str]:
    return sorted(path.name for path in slack.store.files(EPISODE).folder.glob("*.log"))


def copied(source: Path, target: Path) -> bytes:
    descriptor = os.open(source, os.O_RDONLY)
    try:
        copy_new(target, descriptor)
    finally:
        os.close(descriptor)
    return target.read_bytes()


@pytest.mark.parametrize("size", [0, 1, 3_000_000])
def test_a_copy_has_the_same_bytes(tmp_path: Path, size: int) -> None:
    data = os.urandom(size)
    (tmp_path / "a").write_bytes(data)

    assert copied(tmp_path / "a", tmp_path / "b") == data


@pytest.mark.skipif(not hasattr(os, "copy_file_range"), reason="only Linux copies files in the kernel")
def test_a_copy_is_made_by_hand_where_the_kernel_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: Any) -> int:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "copy_file_range", refuses)
    data = os.urandom(2_500_000)
    (tmp_path / "a").write_bytes(data)

    assert copied(tmp_path / "a", tmp_path / "b") == data


def test_a_copy_never_takes_a_name_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"new")
    (tmp_path / "b").write_bytes(b"old")

    with pytest.raises(FileExistsError):
        copied(tmp_path / "a", tmp_path / "b")

    assert (tmp_path / "b").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_restoring_again_and_again_leaves_no_logs_behind(slack: LocalApp) -> None:
    slack.call("slack_post_message", channel_id=GENERAL, text="kept")
    slack.store.snapshot(EPISODE, "s")

    for _ in range(3):
        slack.store.restore(EPISODE, "s")
        slack.call("slack_post_message", channel_id=GENERAL, text="undone")

    # The log the snapshot was sealed in, and that of the present generation.
    assert logs(slack) == ["slack.0.log", "slack.3.log"]
    assert [entry["n"] for entry in slack.store.calls(EPISODE)] == [1, 2]


def test_a_log_that_another_snapshot_names_outlives_a_restore(slack: LocalApp) -> None:
    slack.store.snapshot(EPISODE, "early")
    slack.store.restore(EPISODE, "early")
    slack.call("slack_post_message", channel_id=GENERAL, text="later")
    slack.store.snapshot(EPISODE, "late")

    slack.store.restore(EPISODE, "early")
    slack.store.restore(EPISODE, "late")

    assert [entry["arguments"]["text"] for entry in slack.store.calls(EPISODE)] == ["later"]


@pytest.mark.e2e
def test_a_process_that_made_calls_ends_with_status_zero() -> None:
    # The timer that stops long calls still ticks when Python has put SIGALRM's deadly default back.
    program = textwrap.dedent("""
        import tempfile
        from pathlib import Path
        from farm.server.pipeline import call, install_deadline
        from farm.testing import EPISODE, LocalApp
        install_deadline()
        slack = LocalApp("slack", Path(tempfile.mkdtemp()))
        assert not call(slack.store.open(EPISODE), "slack_get_users", {"limit": 1}).refused
    """)

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def names(slack: LocalApp) -> list[str]:
    return sorted(path.name for path in slack.store.files(EPISODE).folder.iterdir() if path.is_file())


def test_resetting_again_and_again_leaves_one_context_and_one_spare_file(slack: LocalApp) -> None:
    for text in ("one", "two", "three"):
        slack.call("slack_post_message", channel_id=GENERAL, text=text * 9_000)
        slack.store.reset(EPISODE)

    start = slack.store.starts.get(None)
    assert names(slack) == ["episode.json", "slack.3.db", "slack.3.log", "slack.spare"]
    assert slack.store.files(EPISODE).db(3).read_bytes() == start
    slack.store.close_all()
    assert names(slack) == ["episode.json", "slack.3.db", "slack.3.log"]


def test_a_restore_to_less_than_there_was_leaves_nothing_of_it(slack: LocalApp) -> None:
    slack.store.snapshot(EPISODE, "small")
    saved = slack.store.files(EPISODE).snapshot_db("small").read_bytes()
    for _ in range(3):
        slack.call("slack_post_message", channel_id=GENERAL, text="x" * 39_000)
        slack.store.restore(EPISODE, "small")

        assert slack.store.files(EPISODE).db(slack.store.files(EPISODE).newest() or 0).read_bytes() == saved


def test_a_spare_of_a_killed_process_is_not_believed_and_goes(slack: LocalApp) -> None:
    slack.call("slack_post_message", channel_id=GENERAL, text="kept")
    slack.store.close_all()
    (slack.store.files(EPISODE).folder / "slack.spare").write_bytes(b"half of a conte")

    assert [entry["n"] for entry in slack.store.calls(EPISODE)] == [1]
    assert "slack.spare" not in names(slack)


def test_a_rollback_journal_without_its_context_is_never_played_back(slack: LocalApp) -> None:
    slack.store.close_all()
    files = slack.store.files(EPISODE)
    files.db(0).unlink()
    stray = Path(f"{files.db(0)}-journal")
    stray.write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"\xff" * 5_000)

    slack.store.create(EPISODE)

    assert not stray.exists()
    assert slack.changes() == {}


def test_everything_in_quick_succession_ends_in_the_last_state(slack: LocalApp) -> None:
    slack.call("slack_post_message", channel_id=GENERAL, text="one")
    slack.store.snapshot(EPISODE, "one")
    slack.store.reset(EPISODE)
    slack.store.restore(EPISODE, "one")
    slack.store.reset(EPISODE)
    slack.store.snapshot(EPISODE, "none")
    slack.store.restore(EPISODE, "one")
    twin = slack.store.episodes / "twin"
    twin.mkdir()
    Settings("twin", None, ("slack",), seed=7, now="2026-03-09T09:00:00+08:00", me="me").save(twin)
    slack.store.fork(EPISODE, "twin")
    slack.store.restore(EPISODE, "none")
    slack.store.reset("twin")
    slack.store.restore(EPISODE, "one")

    assert slack.store.rows(EPISODE, "messages")["total"] == 1
    assert slack.store.rows("twin", "messages")["total"] == 0
    assert [entry["n"] for entry in slack.store.calls(EPISODE)] == [1]
    for episode in (EPISODE, "twin"):
        slack.store.drop(episode)
    assert names(slack) == ["episode.json"]
    assert [path.name for path in twin.iterdir()] == ["episode.json"]


def test_a_reset_of_an_episode_that_is_not_open_keeps_no_spare(slack: LocalApp) -> None:
    slack.call("slack_post_message", channel_id=GENERAL, text="one")
    slack.store.close_all()

    slack.store.reset(EPISODE)

    assert names(slack) == ["episode.json", "slack.1.db", "slack.1.log"]


def test_no_more_spares_are_kept_than_contexts_may_be_open(slack: LocalApp) -> None:
    slack.store._contexts.open_max = 1
    twin = slack.store.episodes / "twin"
    twin.mkdir()
    Settings("twin", None, ("slack",), seed=7, now="2026-03-09T09:00:00+08:00", me="me").save(twin)
    slack.store.create("twin")

    for episode in (EPISODE, "twin"):
        slack.store.open(episode)
        slack.store.reset(episode)

    assert "slack.spare" not in names(slack)
    assert (twin / "slack.spare").exists()


@pytest.mark.parametrize("already", [0, 2])
def test_a_restore_that_breaks_off_leaves_all_as_it_was_and_the_next_one_leaves_nothing_of_it(
    slack: LocalApp, monkeypatch: pytest.MonkeyPatch, already: int
) -> None:
    slack.call("slack_post_message", channel_id=GENERAL, text="kept")
    slack.store.snapshot(EPISODE, "s")
    for _ in range(already):
        slack.store.restore(EPISODE, "s")
    slack.call("slack_post_message", channel_id=GENERAL, text="later")

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("farm.context.files._write_all", full)
        with pytest.raises(OSError, match="No space"):
            slack.store.restore(EPISODE, "s")
    assert [entry["n"] for entry in slack.store.calls(EPISODE)] == [1, 2]
    assert len(slack.changes()["messages"]) == 2

    slack.store.restore(EPISODE, "s")

    assert len(slack.changes()["messages"]) == 1
    assert logs(slack) == ["slack.0.log", f"slack.{already + 1}.log"]
    slack.store.close_all()
    kept = [f"slack.{already + 1}.db", *logs(slack)]
    assert [name for name in names(slack) if not name.endswith(("-journal", ".json"))] == sorted(kept)


def test_a_reset_of_a_fork_leaves_none_of_the_calls_it_brought_along(slack: LocalApp) -> None:
    slack.call("slack_post_message", channel_id=GENERAL, text="before")
    settings = slack.store.settings(EPISODE)
    (slack.store.episodes / "twin").mkdir()
    replace(settings, id="twin").save(slack.store.episodes / "twin")
    slack.store.fork(EPISODE, "twin")
    assert [entry["n"] for entry in slack.store.calls("twin")] == [1]

    slack.store.reset("twin")

    assert slack.store.calls("twin") == []
    assert not list(slack.store.files("twin").folder.glob("*.part*"))


def test_a_file_that_ends_while_it_is_copied_makes_no_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"cut short")
    monkeypatch.setattr(os, "copy_file_range", lambda *_: 0, raising=False)
    monkeypatch.setattr(os, "pread", lambda *_: b"")

    with pytest.raises(OSError, match="a file ended while it was copied") as ended:
        copied(tmp_path / "a", tmp_path / "b")

    assert ended.value.errno == errno.EIO
    assert not (tmp_path / "b").exists()


def test_a_copy_that_comes_in_pieces_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    data = os.urandom(1_000)

    def some(source: int, target: int, count: int, at: int, to: int) -> int:
        asked.append(count)
        return os.pwrite(target, os.pread(source, min(count, 300), at), to)

    monkeypatch.setattr(os, "copy_file_range", some, raising=False)
    (tmp_path / "a").write_bytes(data)

    assert copied(tmp_path / "a", tmp_path / "b") == data
    # Never more than there is left: what is behind the end is nobody's.
    assert asked == [1_000, 700, 400, 100]


def test_a_log_that_a_snapshot_names_outlives_a_reset_by_another_process(slack: LocalApp) -> None:
    slack.call("slack_post_message", channel_id=GENERAL, text="kept")
    slack.store.snapshot(EPISODE, "s")
    slack.store.close_all()
    other = Store(slack.store.loaded, slack.store.episodes.parent)
    other.starts.keep(None, 0, slack.store.starts.get(None))

    other.reset(EPISODE)
    other.restore(EPISODE, "s")

    assert [entry["arguments"]["text"] for entry in other.calls(EPISODE)] == ["kept"]
    other.close_all()
