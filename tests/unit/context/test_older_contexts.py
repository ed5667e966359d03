"""Contexts and snapshots that a farm made before the journal said who changed a row."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from farm.context import journal
from farm.context.template import load_world
from farm.runtime.maintenance.episode_check import check_episode
from farm.testing import EPISODE, LocalApp

Start = Callable[..., LocalApp]
STARTS_AT = load_world("harbor").starts_at
# As farms wrote it until November 2026.
OLD_DDL = """
CREATE TABLE _journal (
    id INTEGER PRIMARY KEY,
    call INTEGER,
    writes INTEGER,
    now_ms INTEGER,
    "table" TEXT,
    key ANY,
    old TEXT
) STRICT;
"""


def made_old(path: Path) -> None:
    """Give a context the journal that an older farm would have made."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute('SELECT id, call, writes, now_ms, "table", key, old FROM _journal').fetchall()
        db.execute("DROP TABLE _journal")
        db.executescript(OLD_DDL)
        db.executemany("INSERT INTO _journal VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        db.commit()


def journal_sql(path: Path) -> str:
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as db:
        ((sql,),) = db.execute("SELECT sql FROM sqlite_master WHERE name = '_journal'").fetchall()
    return str(sql)


def post(slack: LocalApp, text: str) -> None:
    slack.call("slack_post_message", channel_id="#general", text=text)


def texts(slack: LocalApp, since: str = "start") -> list[str]:
    found = slack.store.diff(EPISODE, since)
    assert set(found) <= {"messages"}
    return [change["new"]["text"] for change in found.get("messages", ())]


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """Return a function that sets the wall clock."""
    return lambda at: monkeypatch.setattr(time, "time_ns", lambda: int(at.timestamp()) * 1_000_000_000)


@pytest.fixture
def old(start: Start, wait: Callable[[datetime], None]) -> LocalApp:
    """A live context of an older farm with one call and a snapshot of it, both as that farm left them."""
    wait(STARTS_AT)
    slack = start("slack", world="harbor", now="live")
    post(slack, "one")
    slack.store.close_all()
    path = slack.store.files(EPISODE).db(0)
    made_old(path)
    slack.store.snapshot(EPISODE, "before")
    for each in (path, slack.store.files(EPISODE).snapshot_db("before")):
        assert journal_sql(each) == OLD_DDL.strip().removesuffix(";")
    return slack


def test_a_context_that_gets_the_column_has_the_schema_of_a_new_one(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "old.db")) as db:
        db.executescript(OLD_DDL)
        journal.begin_turn(db, "world", 5)
        journal.begin_turn(db, "world", 6)
        db.commit()
        assert db.execute('SELECT id, now_ms, "by" FROM _journal').fetchall() == [(1, 5, "world"), (2, 6, "world")]
    with closing(sqlite3.connect(tmp_path / "new.db")) as db:
        db.executescript(journal.DDL)

    assert journal_sql(tmp_path / "old.db") == journal_sql(tmp_path / "new.db")


def test_an_old_context_is_read_without_being_written_to(old: LocalApp) -> None:
    path = old.store.files(EPISODE).db(0)
    before = path.read_bytes()

    assert texts(old) == ["one"]
    assert texts(old, "before") == []
    assert old.store.reverted(EPISODE) == {}
    assert list(old.store.changes_by_call(EPISODE)) == [1]
    assert path.read_bytes() == before


def test_rows_that_come_due_in_an_old_context_are_in_no_diff(old: LocalApp, wait: Callable[[datetime], None]) -> None:
    # The triggers that write the journal are there before it changes.
    post(old, "two")
    wait(STARTS_AT + timedelta(days=2))
    post(old, "three")

    assert texts(old) == ["one", "two", "three"]
    assert texts(old, "before") == ["two", "three"]
    assert {n: list(changes) for n, changes in old.store.changes_by_call(EPISODE).items()} == {
        n: ["messages"] for n in (1, 2, 3)
    }
    folder = old.store.files(EPISODE).folder
    assert check_episode(folder, old.store.settings(EPISODE), {"before": "before"}).findings == ()


def test_an_old_snapshot_is_restored_forked_and_compared_with(old: LocalApp, wait: Callable[[datetime], None]) -> None:
    wait(STARTS_AT + timedelta(days=2))
    post(old, "two")
    folder = old.store.episodes / "copy"
    folder.mkdir()
    replace(old.store.settings(EPISODE), id="copy").save(folder)

    old.store.fork(EPISODE, "copy", "before")
    old.store.restore(EPISODE, "before")

    assert texts(old, "before") == []
    assert texts(old) == ["one"]
    assert [change["new"]["text"] for change in old.store.diff("copy")["messages"]] == ["one"]
    post(old, "again")
    assert texts(old, "before") == ["again"]
    before = old.store.rows(EPISODE, "messages", at="before")["total"]
    assert old.store.rows(EPISODE, "messages")["total"] > before + 1
