"""Every episode's contexts: what is read of them, what a fork and a drop take along, and what is kept open."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.context import context as context_module
from farm.context import store as store_module
from farm.context.clock import FROZEN, LIVE, Motion, wall_ms
from farm.context.corrupt_file import CorruptFileError
from farm.context.files import EpisodeFiles, write_new
from farm.context.journal import journal_plan
from farm.context.log import Sealed
from farm.context.open_contexts import OpenContexts
from farm.context.settings import Settings
from farm.context.store import Store
from farm.context.template import InitialStates, build
from farm.errors import ConflictError, FarmError, NotFoundError
from farm.server.pipeline import call
from farm.testing import EPISODE, LocalApp
from tests.unit._slack import GENERAL, ROWS

NOW_MS = 1_773_018_000_000


@pytest.fixture
def slack(start: Callable[..., LocalApp]) -> LocalApp:
    return start("slack", rows=ROWS, me="me")


def post(slack: LocalApp, text: str, episode: str = EPISODE) -> None:
    assert not call(slack.store.open(episode), "slack_post_message", {"channel_id": GENERAL, "text": text}).refused


def texts(slack: LocalApp, episode: str = EPISODE, **options: Any) -> list[str]:
    return [row["text"] for row in slack.store.rows(episode, "messages", **options)["rows"]]


def posted(slack: LocalApp, episode: str = EPISODE) -> list[tuple[int, str]]:
    return [(entry["n"], entry["arguments"]["text"]) for entry in slack.store.calls(episode)]


def folder_of(slack: LocalApp, name: str, **changes: Any) -> str:
    """Make the folder of another episode like the first."""
    folder = slack.store.episodes / name
    folder.mkdir()
    replace(slack.store.settings(EPISODE), id=name, **changes).save(folder)
    return name


def names(slack: LocalApp, episode: str = EPISODE) -> list[str]:
    folder = slack.store.files(episode).folder
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def add_channels(slack: LocalApp, count: int) -> None:
    for number in range(count):
        slack.episode.db.insert("channels", id=f"C{number:03}", team_id=ROWS[0]["id"], name=f"c{number}")


def test_sealed_calls_are_read_in_the_episode_that_has_them(slack: LocalApp) -> None:
    post(slack, "one")
    folder = slack.store.files(EPISODE).folder
    line = b'{"n":1,"tool":"t"}\n'
    (folder / "slack.9.log").write_bytes(line)
    (folder / "slack.8.log").write_bytes(b"no JSON\n")

    slack.store.read_calls(EPISODE, Sealed((("slack.9.log", len(line)),), 1))

    with pytest.raises(CorruptFileError):
        slack.store.read_calls(EPISODE, Sealed((("slack.8.log", 8),), 1))


def test_rows_come_by_key_a_page_at_a_time(slack: LocalApp) -> None:
    add_channels(slack, 4)
    everything = sorted(["C000", "C001", "C002", "C003", GENERAL])

    def page(**options: Any) -> tuple[list[str], int, int | None]:
        found = slack.store.rows(EPISODE, "channels", **options)
        return [row["id"] for row in found["rows"]], found["total"], found["next"]

    assert page() == (everything, 5, None)
    assert page(limit=2) == (everything[:2], 5, 2)
    assert page(limit=2, after=2) == (everything[2:4], 5, 4)
    assert page(limit=2, after=4) == (everything[4:], 5, None)
    assert page(limit=5) == (everything, 5, None)
    assert page(after=5) == ([], 5, None)
    assert page(limit=0) == (everything[:1], 5, 1)
    assert page(limit=-3, after=-3) == (everything[:1], 5, 1)


def test_a_page_has_no_more_than_a_thousand_rows_and_a_hundred_unless_asked(slack: LocalApp) -> None:
    add_channels(slack, 1_000)

    assert len(slack.store.rows(EPISODE, "channels")["rows"]) == 100
    assert len(slack.store.rows(EPISODE, "channels", limit=5_000)["rows"]) == store_module.ROWS_MAX == 1_000


def test_rows_of_a_key_of_two_columns_are_ordered_by_both(slack: LocalApp) -> None:
    add_channels(slack, 2)
    for user in ("U2", "U1"):
        slack.episode.db.insert("users", id=user, team_id=ROWS[0]["id"], name=user, real_name=user)
    for channel, user in (("C001", "U2"), ("C000", "U2"), ("C001", "U1")):
        slack.episode.db.insert("members", channel_id=channel, user_id=user)

    found = slack.store.rows(EPISODE, "members")["rows"]

    assert [(row["channel_id"], row["user_id"]) for row in found[:3]] == [
        ("C000", "U2"),
        ("C001", "U1"),
        ("C001", "U2"),
    ]


def test_rows_as_they_were_at_a_snapshot_are_read_from_it(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.snapshot(EPISODE, "s")
    post(slack, "two")

    assert sorted(texts(slack, at="s")) == ["one"]
    assert sorted(texts(slack)) == ["one", "two"]
    # The snapshot's file is let go of: it can still be brought back, and written to by nobody.
    slack.store.restore(EPISODE, "s")
    assert texts(slack) == ["one"]


def test_an_unknown_table_is_named_with_those_there_are(slack: LocalApp) -> None:
    with pytest.raises(NotFoundError, match=r"^no table 'mesages' in slack; have .*channels, .*members, messages, "):
        slack.store.rows(EPISODE, "mesages")


def test_an_unknown_snapshot_is_named_where_there_is_none(slack: LocalApp) -> None:
    with pytest.raises(NotFoundError, match=r"^no snapshot 'x' of episode 'ep'; have none$"):
        slack.store.rows(EPISODE, "messages", at="x")


def test_snapshots_are_listed_by_name(slack: LocalApp) -> None:
    assert slack.store.snapshots(EPISODE) == []
    for name in ("b", "c", "a"):
        slack.store.snapshot(EPISODE, name)

    assert slack.store.snapshots(EPISODE) == ["a", "b", "c"]


def test_an_episode_without_any_app_says_so(slack: LocalApp) -> None:
    folder_of(slack, "bare", apps=())

    with pytest.raises(NotFoundError, match=r"^episode 'bare' has no app 'slack'; it has none$"):
        slack.store.require("bare")


def test_an_episode_that_does_not_exist_is_named(slack: LocalApp) -> None:
    for ask in (slack.store.open, slack.store.require, slack.store.settings, slack.store.reset):
        with pytest.raises(NotFoundError, match="no episode 'nowhere'"):
            ask("nowhere")


def test_creating_twice_is_the_same_as_once(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.close_all()
    before = names(slack)

    slack.store.create(EPISODE)

    assert names(slack) == before
    assert texts(slack) == ["one"]


def test_a_created_context_is_whole_and_has_its_log_at_once(slack: LocalApp) -> None:
    name = folder_of(slack, "new")

    slack.store.create(name)

    assert names(slack, name) == ["episode.json", "slack.0.db", "slack.0.log"]
    assert slack.store.files(name).db(0).read_bytes() == slack.store.starts.get(None)
    assert slack.store.files(name).log(0).read_bytes() == b""


def test_a_log_left_by_a_create_that_was_killed_is_not_believed(slack: LocalApp) -> None:
    name = folder_of(slack, "new")
    slack.store.files(name).log(0).write_bytes(b'{"log":1,"parts":[],"calls":99}\n')

    slack.store.create(name)

    assert slack.store.open(name).calls == 0


@pytest.mark.parametrize("at", [None, "s"])
@pytest.mark.parametrize("links", [True, False])
def test_a_fork_has_the_rows_and_calls_of_its_source_and_nothing_of_what_comes_after(
    slack: LocalApp, monkeypatch: pytest.MonkeyPatch, at: str | None, links: bool
) -> None:
    if not links:

        def refuses(*_: Any) -> None:
            raise OSError("no hard links here")

        monkeypatch.setattr(os, "link", refuses)
    post(slack, "one")
    slack.store.snapshot(EPISODE, "s")
    slack.store.restore(EPISODE, "s")
    post(slack, "two")
    twin = folder_of(slack, "twin")
    expected = [(1, "one"), (2, "two")] if at is None else [(1, "one")]

    slack.store.fork(EPISODE, twin, at)
    post(slack, "three")
    post(slack, "three", twin)

    assert posted(slack, twin) == [*expected, (len(expected) + 1, "three")]
    assert sorted(texts(slack, twin)) == sorted(text for _, text in posted(slack, twin))
    assert posted(slack) == [(1, "one"), (2, "two"), (3, "three")]
    # The source may go; what the fork brought along is its own.
    slack.store.drop(EPISODE)
    slack.store.close_all()
    assert posted(slack, twin) == [*expected, (len(expected) + 1, "three")]
    assert [name for name in names(slack, twin) if "part" in name][:1] == ["slack.part0.log"]


def test_a_fork_never_takes_the_place_of_a_context(slack: LocalApp) -> None:
    twin = folder_of(slack, "twin")
    slack.store.create(twin)

    with pytest.raises(ConflictError, match=r"^episode 'twin' has a context of 'slack' already$"):
        slack.store.fork(EPISODE, twin)


def test_a_fork_of_a_snapshot_that_does_not_exist_leaves_nothing(slack: LocalApp) -> None:
    twin = folder_of(slack, "twin")

    with pytest.raises(NotFoundError, match="no snapshot 'x'"):
        slack.store.fork(EPISODE, twin, "x")

    assert names(slack, twin) == ["episode.json"]


def test_dropping_takes_this_apps_files_and_leaves_the_others(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.snapshot(EPISODE, "s")
    slack.store.reset(EPISODE)
    folder = slack.store.files(EPISODE).folder
    others = ["lark.0.db", "lark.0.log", "slack2.0.db", "snapshots/s/lark.db"]
    for name in others:
        (folder / name).touch()

    slack.store.drop(EPISODE)

    assert names(slack) == sorted(["episode.json", *others])
    assert slack.store.open_count == 0
    with pytest.raises(NotFoundError, match="has no app 'slack'"):
        slack.store.open(EPISODE)


def test_files_of_apps_whose_names_begin_alike_are_kept_apart(tmp_path: Path) -> None:
    for name in ("a.0.db", "a.2.db", "a.10.db", "a.3.db-journal", "ab.7.db", "a.7.db.tmp", "a.8.log", "xa.9.db"):
        (tmp_path / name).touch()
    files = EpisodeFiles(str(tmp_path), "a")

    assert files.generations() == [0, 2, 10]
    assert files.newest() == 10
    assert files.of_generation(files.names(), 1) == set()
    assert files.of_generation(files.names(), 10) == {"a.10.db"}
    assert files.logs(files.names()) == {"a.8.log"}
    assert EpisodeFiles(str(tmp_path / "none"), "a").newest() is None


@pytest.mark.parametrize("but_spare", [False, True])
def test_cleaning_keeps_the_newest_context_logs_and_other_apps(tmp_path: Path, but_spare: bool) -> None:
    kept = {"a.10.db", "a.10.db-journal", "a.8.log", "a.10.log", "ab.7.db", "ab.spare", "ab.1.db.tmp", "episode.json"}
    gone = {"a.0.db", "a.9.db", "a.9.db-journal", "a.9.db-wal", "a.9.db-shm", "a.11.db-journal", "a.11.db.tmp"}
    for name in kept | gone | {"a.spare"}:
        (tmp_path / name).touch()

    assert EpisodeFiles(str(tmp_path), "a").clean(but_spare=but_spare) == 10

    assert set(os.listdir(tmp_path)) == kept | ({"a.spare"} if but_spare else set())


def test_a_new_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, data = os.write, os.urandom(5_000)
    monkeypatch.setattr(os, "write", lambda descriptor, view: write(descriptor, view[:700]))

    write_new(tmp_path / "a", data)

    assert (tmp_path / "a").read_bytes() == data
    assert os.listdir(tmp_path) == ["a"]

    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        write_new(tmp_path / "b", data)
    assert not (tmp_path / "b").exists()


def test_a_spare_that_is_written_on_keeps_nothing_of_what_it_was(tmp_path: Path) -> None:
    (tmp_path / "spare").write_bytes(b"long" * 1_000)

    write_new(tmp_path / "a", b"short", str(tmp_path / "spare"))

    assert (tmp_path / "a").read_bytes() == b"short"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("operation", ["reset", "restore"])
def test_a_swap_writes_on_the_file_that_the_last_one_left(slack: LocalApp, operation: str) -> None:
    slack.store.snapshot(EPISODE, "s")

    def swap() -> None:
        post(slack, "x")
        slack.store.reset(EPISODE) if operation == "reset" else slack.store.restore(EPISODE, "s")

    swap()
    spare = os.stat(slack.store.files(EPISODE).folder / "slack.spare").st_ino
    swap()

    files = slack.store.files(EPISODE)
    assert files.db(files.newest() or 0).stat().st_ino == spare


def test_a_reset_brings_back_the_start_of_its_own_world_and_week(start: Callable[..., LocalApp]) -> None:
    slack = start("slack", world="harbor")
    moved = folder_of(slack, "moved", shift_days=7)
    slack.store.create(moved)
    slack.call("slack_list_channels")
    fresh = {name: slack.store.files(name).db(0).read_bytes() for name in (EPISODE, moved)}
    assert fresh[EPISODE] != fresh[moved]

    for name in fresh:
        slack.store.reset(name)
        slack.store.reset(name)
        assert slack.store.files(name).db(2).read_bytes() == fresh[name]


def test_the_calls_after_one_are_given_as_they_stand_in_the_logs(slack: LocalApp) -> None:
    for text in "ab":
        post(slack, text)
    slack.store.snapshot(EPISODE, "s")
    slack.store.restore(EPISODE, "s")
    for text in "cd":
        post(slack, text)

    def numbers(after: int) -> list[int]:
        return [orjson.loads(line)["n"] for line in slack.store.call_lines(EPISODE, after)]

    assert [numbers(after) for after in range(5)] == [[1, 2, 3, 4], [2, 3, 4], [3, 4], [4], []]
    assert [orjson.loads(line) for line in slack.store.call_lines(EPISODE)] == slack.store.calls(EPISODE)


def test_moves_of_the_clock_are_in_the_log_and_are_no_calls(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.set_clock(EPISODE, NOW_MS + 60_000)
    post(slack, "two")

    assert posted(slack) == [(1, "one"), (2, "two")]
    moves = [orjson.loads(line) for line in slack.store.open(EPISODE).log.path.read_bytes().splitlines()[1:]]
    # The clock is where it was put once the one write before is counted.
    assert [entry for entry in moves if "n" not in entry] == [{"clock_ms": NOW_MS + 59_999, "after": 1}]
    assert [entry["now_ms"] for entry in slack.store.calls(EPISODE)] == [NOW_MS, NOW_MS + 60_000]


def test_a_clock_that_was_moved_stands_there_after_opening_anew_and_after_a_restore(slack: LocalApp) -> None:
    post(slack, "one")
    post(slack, "two")
    slack.store.set_clock(EPISODE, NOW_MS + 60_000)
    slack.store.snapshot(EPISODE, "s")
    slack.store.close_all()
    assert slack.store.clock_ms(EPISODE) == NOW_MS + 60_000
    slack.store.set_clock(EPISODE, NOW_MS + 90_000)

    slack.store.restore(EPISODE, "s")

    assert slack.store.clock_ms(EPISODE) == NOW_MS + 60_000
    slack.store.reset(EPISODE)
    assert slack.store.clock_ms(EPISODE) == NOW_MS


def test_a_clock_may_be_put_where_it_stands(slack: LocalApp) -> None:
    slack.store.set_clock(EPISODE, NOW_MS)

    assert slack.store.clock_ms(EPISODE) == NOW_MS


def test_each_write_moves_a_standing_clock_by_a_millisecond_also_over_openings(slack: LocalApp) -> None:
    times = []
    for text in "abc":
        post(slack, text)
        times.append(slack.store.clock_ms(EPISODE))
        slack.store.close_all()

    assert times == [NOW_MS + 1, NOW_MS + 2, NOW_MS + 3]
    for text in "de":
        post(slack, text)
    assert slack.store.clock_ms(EPISODE) == NOW_MS + 5


def test_a_live_clock_is_moved_ahead_of_this_machines_and_stays_ahead(start: Callable[..., LocalApp]) -> None:
    slack = start("slack", rows=ROWS, me="me", now="live")
    hour_ms, at_ms = 3_600_000, wall_ms()

    slack.store.set_clock(EPISODE, at_ms + hour_ms, at_ms=at_ms)
    post(slack, "an hour from now")
    slack.store.close_all()

    assert slack.store.open(EPISODE).motion == Motion(1, hour_ms)
    assert 0 <= slack.store.clock_ms(EPISODE) - at_ms - hour_ms < 60_000
    slack.store.set_clock(EPISODE, at_ms)  # it has moved on since, and never goes back
    assert slack.store.clock_ms(EPISODE) >= at_ms + hour_ms


def test_a_clock_is_made_fast_and_frozen_again_and_both_last(slack: LocalApp) -> None:
    at_ms = wall_ms() - 1000
    slack.store.set_clock(EPISODE, NOW_MS, 60, at_ms)
    slack.store.close_all()
    fast_ms = slack.store.clock_ms(EPISODE)
    post(slack, "fast")

    slack.store.set_clock(EPISODE, slack.store.clock_ms(EPISODE), 0)
    slack.store.snapshot(EPISODE, "later")
    slack.store.close_all()
    frozen_ms = slack.store.clock_ms(EPISODE)
    slack.store.reset(EPISODE)
    begun_ms = slack.store.clock_ms(EPISODE)
    slack.store.restore(EPISODE, "later")

    assert NOW_MS + 60_000 <= fast_ms <= frozen_ms == slack.store.clock_ms(EPISODE)
    assert begun_ms == NOW_MS


@pytest.mark.parametrize("motion", [FROZEN, LIVE, Motion(1, 3_600_000), Motion(60, -98_765_432_101), Motion(1000, 7)])
def test_a_file_holds_how_its_clock_moves_in_one_integer(motion: Motion) -> None:
    assert Motion.unpack(motion.pack()) == motion
    assert (FROZEN.pack(), LIVE.pack()) == (0, 1)  # as in the files of older farms
    assert motion.through(5, 10).at(10) == (5 if motion.rate else 0)


def test_what_the_episode_is_played_as_is_the_account_of_its_person(start: Callable[..., LocalApp]) -> None:
    played = {me: start("slack", rows=ROWS, me=me).store.open(EPISODE).episode.me for me in ("me", None)}

    assert played == {"me": ROWS[1]["id"], None: ""}


def test_an_app_without_accounts_is_played_as_the_person(
    start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FARM_CONTENT", str(Path(__file__).parents[2] / "protocol" / "content"))

    assert start("toy", me="lin.wan").store.open(EPISODE).episode.me == "lin.wan"
    assert start("toy").store.open(EPISODE).episode.me == ""


def test_what_changed_is_told_by_call_and_since_a_snapshot(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.snapshot(EPISODE, "s")
    post(slack, "two")
    post(slack, "three")

    def told(changes: dict[str, Any]) -> list[str]:
        return sorted(change["new"]["text"] for change in changes["messages"])

    assert told(slack.store.diff(EPISODE)) == ["one", "three", "two"]
    assert told(slack.store.diff(EPISODE, "s")) == ["three", "two"]
    assert {n: told(each) for n, each in slack.store.changes_by_call(EPISODE).items()} == {
        1: ["one"],
        2: ["two"],
        3: ["three"],
    }
    assert list(slack.store.changes_by_call(EPISODE, after=2)) == [3]


def test_the_context_used_least_lately_is_closed_first(slack: LocalApp) -> None:
    store = Store(slack.store.loaded, slack.store.episodes.parent, contexts=OpenContexts(2))
    for name in ("a", "b", "c"):
        store.create(folder_of(slack, name))
    opened = {name: store.open(name) for name in ("a", "b")}
    assert store.open("a") is opened["a"]

    store.open("c")

    assert store.open_count == 2
    assert store.open("a") is opened["a"]
    assert store.open("b") is not opened["b"]
    store.close_all()
    assert store.open_count == 0


def test_what_is_known_of_episodes_is_bounded_and_looked_up_again(
    slack: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "_KNOWN_MAX", 2)
    for name in ("a", "b", "c", "d"):
        slack.store.create(folder_of(slack, name))
        post(slack, name, name)

    assert len(slack.store._known) <= 2
    slack.store.reset("a")
    assert [texts(slack, name) for name in ("a", "b", "c", "d")] == [[], ["b"], ["c"], ["d"]]


def test_an_episode_whose_folder_was_made_anew_is_opened_as_it_is_now(slack: LocalApp) -> None:
    for _ in range(2):
        post(slack, "old")
        slack.store.reset(EPISODE)
    name = folder_of(slack, "twin")
    slack.store.create(name)
    slack.store.reset(name)
    shutil.rmtree(slack.store.files(name).folder)

    with pytest.raises(NotFoundError, match="no episode 'twin'"):
        slack.store.open(name)

    folder_of(slack, "twin", seed=99)
    shutil.copyfile(slack.store.files(EPISODE).db(2), slack.store.files(name).db(0))
    slack.store.files(name).log(0).touch()
    assert slack.store.open(name).seed == 99


def test_a_second_farm_on_the_same_folder_is_told_why_it_cannot_write(
    slack: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    post(slack, "one")
    # It would wait five seconds.
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0))
    second = Store(slack.store.loaded, slack.store.episodes.parent)

    with pytest.raises(FarmError) as refused:
        second.open(EPISODE)

    path = slack.store.files(EPISODE).db(0)
    assert str(refused.value) == (
        f"{path} cannot be opened (database is locked); is a second farm using this data folder?"
    )


def test_a_context_with_an_open_transaction_is_not_copied(slack: LocalApp) -> None:
    context = slack.store.open(EPISODE)
    context.begin(1, 0)

    with pytest.raises(FarmError, match=r"^the context is busy; a handler left a transaction open$"):
        slack.store.snapshot(EPISODE, "s")

    context.rollback()
    assert slack.store.snapshots(EPISODE) == []
    slack.store.snapshot(EPISODE, "s")
    assert slack.store.snapshots(EPISODE) == ["s"]


def test_undoing_without_a_transaction_is_nothing(slack: LocalApp) -> None:
    context = slack.store.open(EPISODE)
    context.rollback()
    post(slack, "one")

    context.rollback()

    assert texts(slack) == ["one"]


def test_contexts_keep_their_rules_whoever_writes(slack: LocalApp) -> None:
    connection = slack.store.open(EPISODE).connection

    assert connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    assert connection.execute("PRAGMA recursive_triggers").fetchone()[0] == 1
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "persist"
    assert connection.execute("PRAGMA synchronous").fetchone()[0] == 0
    assert connection.isolation_level is None
    assert connection.row_factory is sqlite3.Row


def test_a_file_that_is_no_context_is_closed_again(tmp_path: Path, slack: LocalApp) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(b"no database " * 1_000)

    with pytest.raises(sqlite3.DatabaseError, match="not a database"):
        context_module.connect(str(path), journal_plan(slack.store.loaded.schema))
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        context_module.connect(str(tmp_path / "none.db"), journal_plan(slack.store.loaded.schema))
    assert not (tmp_path / "none.db").exists()


def test_a_snapshot_is_not_there_before_it_is_whole(slack: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    post(slack, "one")

    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("farm.context.files._write_all", full)
        with pytest.raises(OSError, match="No space"):
            slack.store.snapshot(EPISODE, "s")

    assert slack.store.snapshots(EPISODE) == []
    slack.store.snapshot(EPISODE, "s")
    slack.store.restore(EPISODE, "s")
    assert texts(slack) == ["one"]


def test_the_settings_of_an_episode_are_those_it_was_created_with(slack: LocalApp) -> None:
    name = folder_of(slack, "twin", seed=5, label="x")
    saved = Settings.load(slack.store.episodes / name)

    assert slack.store.settings(name) == saved
    slack.store.create(name)
    assert slack.store.settings(name) == slack.store.require(name) == saved
    assert slack.store.open(name).seed == 5


def test_rows_given_in_place_of_a_world_are_the_start_from_then_on(slack: LocalApp) -> None:
    slack.store.starts.keep(None, 0, build(slack.store.loaded.schema, ROWS[:1]))

    slack.store.reset(EPISODE)

    assert slack.store.rows(EPISODE, "channels")["total"] == 0


def test_a_log_of_a_swap_that_was_killed_is_not_taken_for_that_of_the_next(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.snapshot(EPISODE, "s")
    # A restore writes the log first and then the context; it was killed in between, and nobody has looked since.
    slack.store.files(EPISODE).log(1).write_bytes(slack.store.files(EPISODE).snapshot_log("s").read_bytes())

    slack.store.reset(EPISODE)

    assert slack.store.calls(EPISODE) == []
    assert slack.store.open(EPISODE).calls == 0


def test_a_fork_of_an_episode_that_only_others_were_read_before_keeps_its_seed(slack: LocalApp) -> None:
    first, second = (folder_of(slack, name, seed=seed) for name, seed in (("first", 1), ("second", 2)))
    for name in (first, second):
        slack.store.create(name)
    slack.store.open(first)
    twin = folder_of(slack, "twin", seed=3)

    slack.store.fork(second, twin)

    assert slack.store.open(twin).seed == 2


def test_calls_of_several_sealed_logs_come_in_order(slack: LocalApp) -> None:
    for text in "abc":
        post(slack, text)
        slack.store.snapshot(EPISODE, text)
        slack.store.restore(EPISODE, text)
    post(slack, "d")

    assert [orjson.loads(line)["arguments"]["text"] for line in slack.store.call_lines(EPISODE)] == list("abcd")
    assert [orjson.loads(line)["n"] for line in slack.store.call_lines(EPISODE, 1)] == [2, 3, 4]


def test_messages_list_what_there_is_one_after_the_other(slack: LocalApp) -> None:
    folder_of(slack, "bare", apps=("lark", "rednote"))
    for name in ("b", "a"):
        slack.store.snapshot(EPISODE, name)

    with pytest.raises(NotFoundError, match=r"it has lark, rednote$"):
        slack.store.open("bare")
    with pytest.raises(NotFoundError, match=r"^no snapshot 'x' of episode 'ep'; have a, b$"):
        slack.store.restore(EPISODE, "x")


def test_an_episode_nobody_has_opened_can_be_dropped(slack: LocalApp) -> None:
    slack.store.close_all()

    slack.store.drop(EPISODE)

    assert names(slack) == ["episode.json"]
    slack.store.drop("nowhere")


# -- files that are not what was written -----------------------------------------------------------------------------


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _alter(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-200] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("spoil", [_cut, _alter])
@pytest.mark.parametrize("action", ["restore", "fork", "verify", "diff", "rows"])
def test_a_snapshot_that_is_not_what_was_saved_is_set_aside_and_nothing_is_touched(
    slack: LocalApp, spoil: Callable[[Path], None], action: str
) -> None:
    post(slack, "saved")
    slack.store.snapshot(EPISODE, "cut")
    post(slack, "good")
    before = slack.store.rows(EPISODE, "messages")
    target = folder_of(slack, "twin")
    saved = slack.store.files(EPISODE).snapshot_db("cut")
    spoil(saved)
    told = f"snapshot 'cut' of slack is broken: its context is not what was saved; kept as {saved}.broken"

    def act() -> None:
        store = slack.store
        match action:
            case "restore":
                store.restore(EPISODE, "cut")
            case "fork":
                store.fork(EPISODE, target, "cut")
            case "verify":
                store.verify(EPISODE, "cut")
            case "diff":
                store.diff(EPISODE, "cut")
            case "rows":
                store.rows(EPISODE, "messages", at="cut")

    with pytest.raises(CorruptFileError, match=re.escape(told)):
        act()
    with pytest.raises(
        CorruptFileError, match=re.escape(f"snapshot 'cut' of slack is broken, and kept as {saved}.broken")
    ):
        act()

    assert slack.store.rows(EPISODE, "messages") == before
    assert [path.name for path in slack.store.files(target).folder.iterdir()] == ["episode.json"]
    assert not saved.exists()


def test_nothing_stays_of_a_copy_of_a_broken_snapshot(slack: LocalApp) -> None:
    post(slack, "saved")
    slack.store.snapshot(EPISODE, "cut")
    slack.store.reset(EPISODE)
    post(slack, "good")
    files = slack.store.files(EPISODE)
    before, names = slack.store.rows(EPISODE, "messages"), set(files.names())
    assert "slack.spare" in names, "there is a file to write the copy on"
    _alter(files.snapshot_db("cut"))

    with pytest.raises(CorruptFileError):
        slack.store.restore(EPISODE, "cut")

    assert slack.store.rows(EPISODE, "messages") == before
    assert set(files.names()) == names - {"slack.spare"}
    slack.store.reset(EPISODE)
    assert texts(slack) == []


def test_a_snapshot_whose_calls_are_missing_is_not_restored(slack: LocalApp) -> None:
    post(slack, "saved")
    slack.store.snapshot(EPISODE, "cut")
    slack.store.restore(EPISODE, "cut")
    post(slack, "good")
    before = slack.store.rows(EPISODE, "messages")
    slack.store.files(EPISODE).log(0).unlink()

    with pytest.raises(CorruptFileError, match=r"slack\.0\.log has 0 of the \d+ bytes"):
        slack.store.restore(EPISODE, "cut")

    assert slack.store.rows(EPISODE, "messages") == before


def test_a_missing_log_is_reported_until_the_episode_is_reset_and_what_was_there_is_kept(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.close_all()
    files = slack.store.files(EPISODE)
    files.log(0).unlink()

    for _ in range(2):
        with pytest.raises(CorruptFileError, match=r"slack\.0\.log is missing, and its calls with it; put it back"):
            slack.store.calls(EPISODE)

    slack.store.reset(EPISODE)
    assert slack.store.calls(EPISODE) == []
    assert "slack.0.db.broken" in files.names()


def test_what_is_found_broken_at_the_second_look_is_kept_by_a_reset(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.close(EPISODE)
    files = slack.store.files(EPISODE)
    files.db(0).rename(files.db(1))

    with pytest.raises(CorruptFileError, match=r"slack\.1\.log is missing"):
        slack.store.calls(EPISODE)

    slack.store.reset(EPISODE)
    assert "slack.1.db.broken" in files.names()


def test_what_was_mended_by_hand_is_no_longer_set_aside_by_a_reset(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.close_all()
    files = slack.store.files(EPISODE)
    log = files.log(0).read_bytes()
    files.log(0).unlink()
    with pytest.raises(CorruptFileError):
        slack.store.open(EPISODE)
    files.log(0).write_bytes(log)
    assert len(slack.store.calls(EPISODE)) == 1
    slack.store.close_all()

    slack.store.reset(EPISODE)

    assert not [name for name in files.names() if name.endswith(".broken")]


def test_a_log_that_lost_its_end_is_reported_and_not_numbered_anew(slack: LocalApp) -> None:
    for text in ("one", "two", "three"):
        post(slack, text)
    slack.store.close_all()
    log = slack.store.files(EPISODE).log(0)
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:2]))

    with pytest.raises(CorruptFileError, match=r"slack\.0\.log ends with call 1, and the context holds call 3"):
        slack.store.open(EPISODE)

    log.write_bytes(b"".join(lines))
    assert len(slack.store.calls(EPISODE)) == 3


@pytest.mark.parametrize("spoil", [_cut, _alter])
def test_a_start_that_is_not_what_was_written_is_set_aside_and_made_anew(
    slack: LocalApp, tmp_path: Path, spoil: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    good = InitialStates(slack.store.loaded, tmp_path / "cache").get(None)
    (cached,) = (tmp_path / "cache").glob("slack-*.db")
    spoil(cached)

    assert InitialStates(slack.store.loaded, cached.parent).get(None) == good
    assert cached.with_name(f"{cached.name}.broken").exists()
    assert caplog.messages == [f"{cached} was not what was written; it is kept as {cached.name}.broken and made anew"]
    assert InitialStates(slack.store.loaded, cached.parent).get(None) == good


# -- what a broken context leaves, and what brings an episode back -----------------------------------------------------


def _lose(files: EpisodeFiles) -> None:
    files.db(0).unlink()


def _lose_most(files: EpisodeFiles) -> None:
    files.db(0).write_bytes(files.db(0).read_bytes()[:3000])


def _overwrite_head(files: EpisodeFiles) -> None:
    files.db(0).write_bytes(b"x" * 100 + files.db(0).read_bytes()[100:])


def _lose_last_call(files: EpisodeFiles) -> None:
    lines = files.log(0).read_bytes().splitlines(keepends=True)
    files.log(0).write_bytes(b"".join(lines[:-1]))


@pytest.mark.parametrize("spoil", [_lose, _lose_most, _overwrite_head, _lose_last_call])
@pytest.mark.parametrize("is_noticed", [True, False])
@pytest.mark.parametrize("action", ["restore", "reset"])
def test_a_snapshot_can_be_restored_whatever_became_of_the_context_after_it_also_after_a_reset(
    slack: LocalApp, spoil: Callable[[EpisodeFiles], None], is_noticed: bool, action: str
) -> None:
    post(slack, "saved")
    slack.store.snapshot(EPISODE, "cut")
    post(slack, "later")
    slack.store.close_all()
    files = slack.store.files(EPISODE)
    spoil(files)
    left = {name: Path(files.at(name)).read_bytes() for name in ("slack.0.db", "slack.0.log") if name in files.names()}
    if is_noticed:
        with pytest.raises(CorruptFileError):
            slack.store.open(EPISODE)

    if action == "reset":
        slack.store.reset(EPISODE)
        assert (texts(slack), posted(slack)) == ([], [])
        slack.store.close_all()
    slack.store.restore(EPISODE, "cut")

    assert (texts(slack), posted(slack)) == (["saved"], [(1, "saved")])
    kept = {name: Path(files.at(f"{name}.broken")).read_bytes() for name in left}
    assert kept == left
    slack.store.restore(EPISODE, "cut")
    assert texts(slack) == ["saved"]


@pytest.mark.parametrize("action", ["restore", "reset"])
def test_a_context_removed_while_it_is_open_keeps_nobody_from_restoring_a_snapshot(
    slack: LocalApp, action: str
) -> None:
    post(slack, "saved")
    slack.store.snapshot(EPISODE, "cut")
    post(slack, "later")
    slack.store.files(EPISODE).db(0).unlink()

    if action == "reset":
        slack.store.reset(EPISODE)
        assert (texts(slack), posted(slack)) == ([], [])
    slack.store.restore(EPISODE, "cut")

    assert (texts(slack), posted(slack)) == (["saved"], [(1, "saved")])
    slack.store.close_all()
    assert (texts(slack), posted(slack)) == (["saved"], [(1, "saved")])


def test_calls_of_a_broken_context_that_no_snapshot_has_are_kept_too(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.snapshot(EPISODE, "cut")
    slack.store.restore(EPISODE, "cut")
    post(slack, "two")
    slack.store.close_all()
    files = slack.store.files(EPISODE)
    calls = files.log(1).read_bytes()
    files.db(1).write_bytes(b"nothing that SQLite knows")

    slack.store.reset(EPISODE)

    assert Path(files.at("slack.1.log.broken")).read_bytes() == calls
    assert "slack.0.log" in files.names()
    assert "slack.0.log.broken" not in files.names(), "it is the snapshot's, and nothing is wrong with it"


def test_a_reset_sets_nothing_aside_that_can_be_opened_whatever_kept_it_from_being_opened_before(
    slack: LocalApp,
) -> None:
    post(slack, "one")
    slack.store.snapshot(EPISODE, "cut")
    post(slack, "two")
    slack.store.close_all()
    settings = slack.store.episodes / EPISODE / "episode.json"
    good = settings.read_bytes()
    settings.write_bytes(b"{")
    with pytest.raises(CorruptFileError):
        slack.store.open(EPISODE)
    settings.write_bytes(good)

    slack.store.reset(EPISODE)

    assert not [name for name in names(slack) if name.endswith(".broken")]
    slack.store.restore(EPISODE, "cut")
    assert posted(slack) == [(1, "one")]


def test_a_context_that_is_gone_is_named_until_it_is_back_and_its_calls_are_never_begun_anew(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.close_all()
    files = slack.store.files(EPISODE)
    content = files.db(0).read_bytes()
    files.db(0).unlink()

    for _ in range(2):
        with pytest.raises(
            CorruptFileError, match=r"slack\.0\.db is missing; put it back from a copy, or reset the episode"
        ):
            slack.store.open(EPISODE)
    slack.store.create(EPISODE)
    assert slack.store.require(EPISODE).id == EPISODE, "it may be held and reset"

    files.db(0).write_bytes(content)
    assert posted(slack) == [(1, "one")]


def test_where_a_disk_has_no_second_names_calls_of_a_broken_context_are_copied(
    slack: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    post(slack, "one")
    slack.store.snapshot(EPISODE, "cut")
    slack.store.close_all()
    files = slack.store.files(EPISODE)
    files.db(0).unlink()
    calls = files.log(0).read_bytes()
    monkeypatch.setattr(os, "link", partial(_refuse, errno.EPERM))

    slack.store.reset(EPISODE)

    assert files.log(0).read_bytes() == Path(files.at("slack.0.log.broken")).read_bytes() == calls


def _refuse(number: int, *_: object) -> None:
    raise OSError(number, os.strerror(number))
