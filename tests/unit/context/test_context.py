"""The state engine: what survives a killed process, and that snapshots, forks and diffs tell the truth."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.context import diff
from farm.context.log import CallLog, Sealed, read_lines
from farm.context.settings import Settings
from farm.errors import ConflictError, FarmError, NotFoundError
from farm.testing import EPISODE, LocalApp
from tests.unit._slack import GENERAL, ROWS, TEAM


@pytest.fixture
def slack(start: Callable[..., LocalApp]) -> LocalApp:
    return start("slack", rows=ROWS, me="me")


def post(slack: LocalApp, text: str) -> Any:
    return slack.call("slack_post_message", channel_id=GENERAL, text=text)


def texts(slack: LocalApp) -> list[str]:
    history = slack.call("slack_get_channel_history", channel_id=GENERAL, limit=100)
    return [message["text"] for message in reversed(history["messages"])]


def calls(slack: LocalApp) -> list[tuple[int, str]]:
    return [(entry["n"], entry["tool"]) for entry in slack.store.calls(EPISODE)]


def reopen(slack: LocalApp) -> None:
    slack.store.close_all()
    slack.store.open(EPISODE)


def log_path(slack: LocalApp) -> Path:
    return slack.store.open(EPISODE).log.path


def test_a_torn_last_line_is_truncated_when_the_log_is_opened(slack: LocalApp) -> None:
    post(slack, "one")
    path = log_path(slack)
    slack.store.close_all()
    with path.open("ab") as log:
        log.write(b'{"n":2,"tool":"slack_post_mess')

    reopen(slack)

    assert calls(slack) == [(1, "slack_post_message")]
    post(slack, "two")
    assert [n for n, _ in calls(slack)] == [1, 2]


def test_a_call_killed_between_log_and_commit_is_truncated_from_the_log(slack: LocalApp) -> None:
    post(slack, "one")
    path = log_path(slack)
    line = path.read_bytes().splitlines()[-1]
    slack.store.close_all()
    # What the process had written when it died: the line of call 2, whose commit never came.
    with path.open("ab") as log:
        log.write(line.replace(b'"n":1', b'"n":2') + b"\n")

    reopen(slack)

    assert [n for n, _ in calls(slack)] == [1]
    assert texts(slack) == ["one"]


def test_a_refused_call_above_the_last_commit_stays_in_the_log(slack: LocalApp) -> None:
    post(slack, "one")
    slack.outcome("slack_post_message", {"channel_id": "C0NOTHERE1", "text": "x"})

    reopen(slack)

    assert [n for n, _ in calls(slack)] == [1, 2]


_WRITER = """
import sys
from pathlib import Path
from farm.context.store import Store
from farm.content import load_app
from farm.server.pipeline import call
store = Store(load_app("slack"), Path(sys.argv[1]))
context = store.open("ep")
while True:
    outcome = call(context, "slack_post_message", {"channel_id": "C0123ABCD", "text": "x" * 300})
    assert not outcome.refused
    print(outcome.call, flush=True)
"""


@pytest.mark.e2e
@pytest.mark.parametrize("kill", range(5))
def test_no_acknowledged_call_is_lost_to_kill_9(slack: LocalApp, kill: int) -> None:
    data = slack.store.episodes.parent
    slack.store.close_all()
    command = [sys.executable, "-c", textwrap.dedent(_WRITER), str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for _ in range(20 + 37 * kill):
            acknowledged = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        acknowledged = max([acknowledged, *map(int, (line for line in writer.stdout.read().split("\n")[:-1] if line))])

    reopen(slack)

    logged = [n for n, _ in calls(slack)]
    stored = slack.episode.db.scalar("SELECT count(*) FROM messages")
    assert logged == list(range(1, len(logged) + 1))
    assert len(logged) == stored >= acknowledged
    assert slack.episode.db.scalar("PRAGMA integrity_check") == "ok"


def test_a_half_written_generation_is_ignored_and_cleaned_up(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.close_all()
    files = slack.store.files(EPISODE)
    torn = Path(f"{files.db(1)}.tmp")
    torn.write_bytes(b"SQLite format 3")

    reopen(slack)

    assert texts(slack) == ["one"]
    assert not torn.exists()


def test_the_newest_generation_wins_when_the_old_one_was_not_removed(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.snapshot(EPISODE, "s")
    post(slack, "two")
    slack.store.close_all()
    files = slack.store.files(EPISODE)
    files.log(1).write_bytes(files.snapshot_log("s").read_bytes())
    files.db(1).write_bytes(files.snapshot_db("s").read_bytes())

    reopen(slack)

    assert texts(slack) == ["one"]
    assert files.generations() == [1]


def test_reset_brings_back_the_start_with_no_calls(slack: LocalApp) -> None:
    first = post(slack, "one")

    slack.store.reset(EPISODE)

    assert calls(slack) == []
    assert texts(slack) == []
    assert slack.changes() == {}
    assert post(slack, "one") == first


def test_restore_brings_back_rows_and_calls_and_what_follows_differs_only_by_what_was_done(slack: LocalApp) -> None:
    post(slack, "one")
    slack.store.snapshot(EPISODE, "s")
    before = texts(slack)
    post(slack, "two")

    slack.store.restore(EPISODE, "s")

    assert slack.store.diff(EPISODE, "s") == {}
    assert texts(slack) == before
    post(slack, "three")
    since = slack.store.diff(EPISODE, "s")
    assert [change["new"]["text"] for change in since["messages"]] == ["three"]
    assert [change["new"]["text"] for change in slack.changes()["messages"]] == ["one", "three"]


def test_restoring_to_a_state_behind_another_snapshot_shows_what_is_gone(slack: LocalApp) -> None:
    slack.store.snapshot(EPISODE, "early")
    post(slack, "one")
    slack.store.snapshot(EPISODE, "late")

    slack.store.restore(EPISODE, "early")

    # The journal knows nothing of this deletion; only the comparison of two states does.
    assert [(c["op"], c["old"]["text"]) for c in slack.store.diff(EPISODE, "late")["messages"]] == [("delete", "one")]


def test_journal_and_comparison_tell_the_same(slack: LocalApp) -> None:
    slack.store.snapshot(EPISODE, "start")
    ts = post(slack, "one")["ts"]
    slack.call("slack_add_reaction", channel_id=GENERAL, timestamp=ts, reaction="eyes")
    slack.call("slack_reply_to_thread", channel_id=GENERAL, thread_ts=ts, text="two")

    def plain(changes: diff.Changes) -> list[tuple[str, Any, Any, Any, Any]]:
        return [(t, c["op"], c["key"], c["old"], c["new"]) for t, found in changes.items() for c in found]

    assert plain(slack.changes()) == plain(slack.store.diff(EPISODE, "start"))


def test_a_row_that_came_back_as_it_was_is_no_change(slack: LocalApp) -> None:
    db = slack.episode.db
    db.update("channels", {"id": GENERAL}, topic="x")
    db.update("channels", {"id": GENERAL}, topic="")

    assert slack.changes() == {}


def test_a_replaced_row_is_in_the_journal(slack: LocalApp) -> None:
    slack.episode.db.execute("REPLACE INTO teams VALUES (?, 'Acme 2', 'acme')", TEAM)

    assert slack.changes()["teams"][0]["new"]["name"] == "Acme 2"


def test_a_fork_carries_rows_and_calls_and_goes_its_own_way(slack: LocalApp) -> None:
    post(slack, "one")
    twin = slack.store.episodes / "twin"
    twin.mkdir()
    Settings("twin", None, ("slack",), seed=7, now="2026-03-09T09:00:00+08:00", me="me").save(twin)

    slack.store.fork(EPISODE, "twin")
    post(slack, "two")

    assert texts(slack) == ["one", "two"]
    forked = slack.store.calls("twin")
    assert [entry["tool"] for entry in forked] == ["slack_post_message"]
    assert slack.store.rows("twin", "messages")["total"] == 1


def test_a_snapshot_costs_no_copy_of_the_log(slack: LocalApp) -> None:
    for number in range(50):
        post(slack, f"{number}")

    slack.store.snapshot(EPISODE, "s")

    assert slack.store.files(EPISODE).snapshot_log("s").stat().st_size < 200
    slack.store.restore(EPISODE, "s")
    assert len(slack.store.calls(EPISODE)) == 50


def test_a_snapshot_name_is_taken_once(slack: LocalApp) -> None:
    slack.store.snapshot(EPISODE, "s")

    with pytest.raises(ConflictError, match="has a snapshot 's' already"):
        slack.store.snapshot(EPISODE, "s")


def test_an_unknown_snapshot_names_those_there_are(slack: LocalApp) -> None:
    slack.store.snapshot(EPISODE, "s")

    with pytest.raises(NotFoundError, match="no snapshot 'x' of episode 'ep'; have s"):
        slack.store.restore(EPISODE, "x")


def test_a_second_owner_is_kept_out(slack: LocalApp) -> None:
    post(slack, "one")
    path = slack.store.files(EPISODE).db(0)

    with pytest.raises(sqlite3.OperationalError, match="locked"):
        sqlite3.connect(path, timeout=0).execute("SELECT count(*) FROM messages")


def test_copying_for_a_snapshot_keeps_the_lock(slack: LocalApp) -> None:
    slack.store.snapshot(EPISODE, "s")

    with pytest.raises(sqlite3.OperationalError, match="locked"):
        sqlite3.connect(slack.store.files(EPISODE).db(0), timeout=0).execute("SELECT count(*) FROM messages")


def test_the_clock_stands_still_but_for_a_millisecond_a_write(slack: LocalApp) -> None:
    before = slack.store.clock_ms(EPISODE)
    texts(slack)
    assert slack.store.clock_ms(EPISODE) == before

    post(slack, "one")

    assert slack.store.clock_ms(EPISODE) == before + 1


def test_the_clock_moves_forward_only(slack: LocalApp) -> None:
    now = slack.store.clock_ms(EPISODE)
    slack.store.set_clock(EPISODE, now + 60_000)
    assert slack.store.clock_ms(EPISODE) == now + 60_000

    with pytest.raises(FarmError, match="only moves forward"):
        slack.store.set_clock(EPISODE, now)


def test_the_same_seed_and_calls_give_the_same_answers_and_another_seed_does_not(
    start: Callable[..., LocalApp],
) -> None:
    def play(seed: int) -> list[bytes]:
        app = start("slack", rows=ROWS, me="me", seed=seed)
        return [app.outcome("slack_post_message", {"channel_id": GENERAL, "text": text}).result for text in "abc"]

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_refusals_and_reads_in_between_do_not_shift_what_follows(start: Callable[..., LocalApp]) -> None:
    plain, busy = (start("slack", rows=ROWS, me="me") for _ in range(2))
    busy.outcome("slack_post_message", {"channel_id": "C0NOTHERE1", "text": "x"})
    texts(busy)

    assert post(plain, "one") == post(busy, "one")


def test_a_pool_of_one_serves_many_episodes(start: Callable[..., LocalApp]) -> None:
    slack = start("slack", rows=ROWS, me="me")
    slack.store._contexts.open_max = 1
    for name in ("a", "b", "c"):
        folder = slack.store.episodes / name
        folder.mkdir()
        Settings(name, None, ("slack",), seed=1, now="2026-03-09T09:00:00+08:00", me="me").save(folder)
        slack.store.fork(EPISODE, name)

    assert [slack.store.rows(name, "channels")["total"] for name in ("a", "b", "c", EPISODE)] == [1, 1, 1, 1]
    assert len(slack.store._open) == 1


def test_an_episode_without_the_app_says_what_it_has(slack: LocalApp) -> None:
    folder = slack.store.episodes / "bare"
    folder.mkdir()
    Settings("bare", None, ("lark",)).save(folder)

    with pytest.raises(NotFoundError, match="episode 'bare' has no app 'slack'; it has lark"):
        slack.store.open("bare")


def test_a_log_line_is_one_json_object_with_the_result(slack: LocalApp) -> None:
    post(slack, "one")

    entry = next(read_lines(log_path(slack)))

    assert entry["arguments"] == {"channel_id": GENERAL, "text": "one"}
    assert orjson.loads(entry["result"]["content"][0]["text"])["ok"] is True
    assert entry["wrote"] is True
    assert entry["ended_ns"] >= entry["started_ns"]


def test_a_log_keeps_its_sealed_parts_when_reopened(tmp_path: Path) -> None:
    sealed = Sealed((("slack.0.log", 12),), 4)
    CallLog(tmp_path / "slack.1.log", sealed).close()

    again = CallLog(tmp_path / "slack.1.log")

    assert again.sealed == sealed
    assert again.repair(committed=0) == 4
    again.close()


def delete_channel(slack: LocalApp) -> None:
    slack.episode.db.execute("DELETE FROM members WHERE channel_id = ?", GENERAL)
    slack.episode.db.delete("channels", id=GENERAL)


def test_each_call_tells_what_a_row_became_in_it_though_later_calls_changed_it_again(slack: LocalApp) -> None:
    db, context = slack.episode.db, slack.store.open(EPISODE)
    for number, topic in enumerate(("first", "second", "third"), 1):
        context.begin(number, 0)
        db.update("channels", {"id": GENERAL}, topic=topic)
        context.commit(0)
    context.begin(4, 0)
    delete_channel(slack)
    context.commit(0)

    found = slack.store.changes_by_call(EPISODE, after=1)

    assert {
        call: [
            (c["op"], c["old"] and c["old"]["topic"], c["new"] and c["new"]["topic"], c["call"])
            for c in each["channels"]
        ]
        for call, each in found.items()
    } == {
        2: [("update", "first", "second", 2)],
        3: [("update", "second", "third", 3)],
        4: [("delete", "third", None, 4)],
    }


def test_rows_that_go_with_their_owner_are_in_the_journal(start: Callable[..., LocalApp]) -> None:
    slack = start("slack", rows=ROWS, me="me")
    schema = slack.store.loaded.schema
    owned = {
        (str(key.referred_table.name), str(table.name))
        for table in schema.tables
        for key in table.foreign_key_constraints
        if key.ondelete == "CASCADE"
    }
    assert ("channels", "members") in owned

    slack.episode.db.delete("channels", id=GENERAL)

    assert [change["op"] for change in slack.changes()["members"]] == ["delete"]


def test_a_change_after_a_refused_one_is_in_the_journal(slack: LocalApp) -> None:
    context, db = slack.store.open(EPISODE), slack.episode.db
    context.begin(1, 0)
    db.update("channels", {"id": GENERAL}, topic="refused")
    context.rollback()
    # A constraint may end a transaction by itself, too.
    context.begin(1, 0)
    with pytest.raises(sqlite3.IntegrityError):
        db.execute("INSERT OR ROLLBACK INTO channels SELECT * FROM channels")

    context.begin(1, 0)
    db.update("channels", {"id": GENERAL}, topic="kept")
    db.execute("INSERT INTO teams VALUES ('T2', 'Other', 'other')")
    context.commit(0)

    assert {table: [c["op"] for c in found] for table, found in slack.changes().items()} == {
        "channels": ["update"],
        "teams": ["insert"],
    }


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE teams SET name = 'x'",
        "update Teams set name = 'x'",
        "UPDATE \"teams\" SET name = 'x'",
        "UPDATE OR IGNORE main.teams SET name = 'x'",
        "WITH new AS (SELECT 'x' AS name) UPDATE teams SET name = (SELECT name FROM new)",
        "INSERT INTO teams SELECT * FROM teams WHERE true ON CONFLICT DO UPDATE SET name = 'x'",
        "-- first of all\nUPDATE/**/teams SET name = 'x' RETURNING id",
        "REPLACE INTO teams SELECT id, 'x', domain FROM teams",
    ],
)
def test_no_way_to_write_escapes_the_journal(slack: LocalApp, sql: str) -> None:
    slack.episode.db.execute("PRAGMA foreign_keys=OFF")
    slack.episode.db.connection.execute(sql).fetchall()

    assert [change["new"]["name"] for change in slack.changes()["teams"]] == ["x"]


def test_a_cursor_and_a_script_are_journaled_too(slack: LocalApp) -> None:
    connection = slack.store.open(EPISODE).connection
    connection.cursor().execute("UPDATE teams SET name = 'x'")
    connection.executescript("UPDATE channels SET topic = 'x'")
    connection.executemany("UPDATE users SET name = ?", [("x",)])

    assert sorted(slack.changes()) == ["channels", "teams", "users"]


def test_a_primary_key_never_changes(slack: LocalApp) -> None:
    db = slack.episode.db
    db.execute("INSERT INTO teams VALUES ('T2', 'Other', 'other')")

    with pytest.raises(sqlite3.IntegrityError, match="a primary key never changes"):
        db.execute("UPDATE teams SET id = id || 'x', name = 'x' WHERE id = 'T2'")

    assert db.one("SELECT name FROM teams WHERE id = 'T2'")["name"] == "Other"  # type: ignore[index]


def test_an_unwritten_context_has_the_seed_and_clock_of_its_episode_wherever_it_goes(slack: LocalApp) -> None:
    now = slack.store.clock_ms(EPISODE)
    slack.store.snapshot(EPISODE, "s")
    twin = slack.store.episodes / "twin"
    twin.mkdir()
    Settings("twin", None, ("slack",), seed=99, now="2001-01-01T00:00:00+00:00", me="me").save(twin)

    slack.store.fork(EPISODE, "twin")
    slack.store.restore(EPISODE, "s")

    assert [slack.store.clock_ms(name) for name in ("twin", EPISODE)] == [now, now]
    assert slack.store.open("twin").seed == 7
