"""What comes to a world after its start: where the clock is live, its rows are there when their time has come."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.content import load_app
from farm.context import scheduled_rows
from farm.context.context import Context
from farm.context.template import load_world, read_rows, shift_scheduled_rows
from farm.testing import EPISODE, LocalApp

Start = Callable[..., LocalApp]
WORLD = "harbor"
STARTS_AT = load_world(WORLD).starts_at
APPS = [app for app in content.world_apps(WORLD) if content.find_scheduled_rows(WORLD, app)]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], int]:
    """Return a function that sets the wall clock and gives its milliseconds."""

    def set_to(at: datetime) -> int:
        monkeypatch.setattr(time, "time_ns", lambda: int(at.timestamp()) * 1_000_000_000)
        return int(at.timestamp()) * 1000

    return set_to


def _newest(slack: LocalApp, channel: str) -> str:
    (row,) = slack.episode.db.all("SELECT id FROM channels WHERE name = ?", channel)
    history = slack.call("slack_get_channel_history", channel_id=row["id"], limit=1)
    return str(history["messages"][0]["text"])


@pytest.mark.parametrize("app", ["rednote", "slack"])
def test_apps_whose_inbox_is_read_have_a_week_to_come(app: str) -> None:
    assert app in APPS


@pytest.mark.parametrize("day", range(7), ids=WEEKDAYS)
@pytest.mark.parametrize("app", APPS)
def test_on_no_day_of_the_week_are_the_last_24_hours_empty(app: str, day: int) -> None:
    schema, path = load_app(app).schema, content.find_scheduled_rows(WORLD, app)
    assert path is not None
    # The start's own rows are from the night before it.
    came = [int(STARTS_AT.timestamp()) * 1000]
    came += [at_ms for at_ms, _ in shift_scheduled_rows(schema, read_rows(path), load_world(WORLD), 0)]

    hours = [STARTS_AT.replace(hour=0) + timedelta(days=day, hours=hour) for hour in range(0 if day else 9, 25)]
    ages_ms = {
        each: min(abs(each.timestamp() * 1000 - at) for at in came if at <= each.timestamp() * 1000) for each in hours
    }

    assert [each for each, age_ms in ages_ms.items() if age_ms > 86_400_000] == []


def test_what_comes_to_slack_comes_into_the_protagonists_own_channels_each_day(start: Start) -> None:
    slack = start("slack", world=WORLD)
    mine = {
        row["channel_id"]
        for row in slack.episode.db.all("SELECT channel_id FROM members WHERE user_id = ?", slack.episode.me)
    }
    path = content.find_scheduled_rows(WORLD, "slack")
    assert path is not None

    days = {
        datetime.fromtimestamp(row["due_at_s"], STARTS_AT.tzinfo).weekday()
        for row in read_rows(path)
        if row["table"] == "messages" and row["channel_id"] in mine and row["user_id"] != slack.episode.me
    }

    assert days == set(range(7))


def test_a_message_is_there_from_its_time_on(start: Start, clock: Callable[[datetime], int]) -> None:
    clock(STARTS_AT)
    slack = start("slack", world=WORLD, now="live")
    before = _newest(slack, "office-shanghai")

    clock(STARTS_AT + timedelta(hours=1, minutes=31))

    assert _newest(slack, "office-shanghai") != before
    assert "青椒肉丝" in _newest(slack, "office-shanghai")
    assert slack.changes() == {}, "nobody's call did it"


@pytest.mark.parametrize("day", range(7), ids=WEEKDAYS)
def test_on_every_day_of_the_week_somebody_comments_likes_and_tells(
    start: Start, clock: Callable[[datetime], int], day: int
) -> None:
    midnight = STARTS_AT.replace(hour=0) + timedelta(days=day)
    clock(max(STARTS_AT, midnight))
    rednote = start("rednote", world=WORLD, now="live")
    before = rednote.call("get_unread_count")

    clock(midnight + timedelta(days=1))
    told = rednote.call("list_notifications", tab="mentions", limit=1)["items"][0]

    assert rednote.call("get_unread_count")["likes"] > before["likes"]
    assert told["type"] == "comment/item"
    assert told["time"] >= max(STARTS_AT, midnight).timestamp()
    note = {"feed_id": told["feed_id"], "xsec_token": told["feed_xsec_token"]}
    shown = rednote.call("get_feed_detail", **note)["data"]["comments"]["list"]
    assert told["comment_text"] in [each["content"] for each in shown]


def test_nothing_comes_while_the_clock_stands_still(start: Start, clock: Callable[[datetime], int]) -> None:
    clock(STARTS_AT + timedelta(days=5))
    slack = start("slack", world=WORLD)

    assert "青椒肉丝" not in _newest(slack, "office-shanghai")
    assert slack.store.open(EPISODE).next_due_ms == scheduled_rows.NEVER


def test_a_saved_context_receives_again_what_came_after_it_was_saved(
    start: Start, clock: Callable[[datetime], int]
) -> None:
    clock(STARTS_AT)
    slack = start("slack", world=WORLD, now="live")
    start_of_day = _newest(slack, "office-shanghai")
    slack.store.snapshot(EPISODE, "saved")
    clock(STARTS_AT + timedelta(hours=2))
    later = _newest(slack, "office-shanghai")

    slack.store.restore(EPISODE, "saved")
    assert later != start_of_day
    assert _newest(slack, "office-shanghai") == later


def test_what_belongs_to_something_that_is_gone_is_gone_too(start: Start, clock: Callable[[datetime], int]) -> None:
    now_ms = clock(STARTS_AT)
    slack = start("slack", world=WORLD, now="live")
    context: Context = slack.store.open(EPISODE)
    rows = [
        {"table": "messages", "channel_id": "C0GONE", "ts": "1773020000.000100", "text": "nowhere"},
        {"table": "emoji", "name": "came"},
    ]
    scheduled_rows.store(context.connection, [(now_ms, row) for row in rows])

    scheduled_rows.deliver_due(context.connection, now_ms)

    assert context.connection.execute("SELECT count(*) FROM messages WHERE channel_id = 'C0GONE'").fetchone()[0] == 0
    assert context.connection.execute("SELECT count(*) FROM emoji WHERE name = 'came'").fetchone()[0] == 1
    assert context.connection.execute("SELECT count(*) FROM _scheduled WHERE at_ms <= ?", (now_ms,)).fetchone()[0] == 0
    entries = context.connection.execute('SELECT call, "by", "table", key FROM _journal ORDER BY id').fetchall()
    assert [tuple(each) for each in entries] == [(None, "world", None, None), (None, None, "emoji", "came")]
    assert slack.changes() == {}, "nobody's call did it"


def test_what_cannot_be_written_waits_and_the_call_goes_on(
    start: Start, clock: Callable[[datetime], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock(STARTS_AT)
    slack = start("slack", world=WORLD, now="live")
    before = _newest(slack, "office-shanghai")

    def full(db: sqlite3.Connection, until_ms: int) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(scheduled_rows, "deliver_due", full)
        clock(STARTS_AT + timedelta(hours=2))
        assert _newest(slack, "office-shanghai") == before
    assert _newest(slack, "office-shanghai") == before, "it is not tried with every call"

    clock(STARTS_AT + timedelta(hours=2, minutes=1))
    assert _newest(slack, "office-shanghai") != before


def _post(slack: LocalApp, text: str) -> None:
    slack.call("slack_post_message", channel_id="#general", text=text)


def _texts(found: dict[str, list[dict[str, Any]]]) -> list[tuple[str, str | None]]:
    return [(table, change["new"]["text"]) for table, changes in found.items() for change in changes]


def test_a_snapshot_holds_what_was_due_when_it_was_taken(start: Start, clock: Callable[[datetime], int]) -> None:
    clock(STARTS_AT + timedelta(hours=2))
    slack = start("slack", world=WORLD, now="live")

    slack.store.snapshot(EPISODE, "before")

    assert "青椒肉丝" in str(slack.store.rows(EPISODE, "messages", at="before", limit=1000))
    _post(slack, "hi")
    assert _texts(slack.store.diff(EPISODE, "before")) == [("messages", "hi")]


@pytest.mark.parametrize("since", ["start", "before"])
def test_what_comes_due_after_a_snapshot_is_in_no_diff(
    start: Start, clock: Callable[[datetime], int], since: str
) -> None:
    clock(STARTS_AT)
    slack = start("slack", world=WORLD, now="live")
    slack.store.snapshot(EPISODE, "before")
    clock(STARTS_AT + timedelta(days=1))
    _post(slack, "one")
    clock(STARTS_AT + timedelta(days=2))

    assert _texts(slack.store.diff(EPISODE, since)) == [("messages", "one")]
    assert slack.store.reverted(EPISODE, since) == {}
    assert list(slack.store.changes_by_call(EPISODE)) == [1]

    slack.store.restore(EPISODE, "before")
    assert slack.store.diff(EPISODE, since) == {}
    _post(slack, "two")
    assert _texts(slack.store.diff(EPISODE, since)) == [("messages", "two")]


def test_a_diff_since_a_snapshot_that_was_gone_back_from_shows_calls_alone(
    start: Start, clock: Callable[[datetime], int]
) -> None:
    clock(STARTS_AT)
    slack = start("slack", world=WORLD, now="live")
    slack.store.snapshot(EPISODE, "early")
    clock(STARTS_AT + timedelta(days=1))
    _post(slack, "one")
    slack.store.snapshot(EPISODE, "late")
    clock(STARTS_AT + timedelta(days=2))

    slack.store.restore(EPISODE, "early")

    (change,) = slack.store.diff(EPISODE, "late")["messages"]
    assert (change["op"], change["old"]["text"]) == ("delete", "one")


def test_what_an_agent_does_to_a_row_that_came_is_told_against_the_row_as_it_came(
    start: Start, clock: Callable[[datetime], int]
) -> None:
    clock(STARTS_AT)
    gmail = start("gmail", world=WORLD, now="live")
    gmail.store.snapshot(EPISODE, "before")
    clock(STARTS_AT + timedelta(days=6))
    held = {row["message_id"] for row in gmail.store.rows(EPISODE, "messages", at="before", limit=1000)["rows"]}
    now = gmail.store.rows(EPISODE, "messages", limit=1000)["rows"]
    came = next(row["message_id"] for row in now if row["message_id"] not in held)

    gmail.call("modify_email", messageId=came, removeLabelIds=["UNREAD"])

    for since in ("start", "before"):
        changed = gmail.store.diff(EPISODE, since)
        assert [(name, c["op"], c["key"]["message_id"]) for name, found in changed.items() for c in found] == [
            ("message_labels", "delete", came)
        ]


def test_rows_forks_and_exports_have_what_is_due_before_any_call(
    start: Start, clock: Callable[[datetime], int], tmp_path: Path
) -> None:
    clock(STARTS_AT)
    slack = start("slack", world=WORLD, now="live")
    folder = slack.store.episodes / "copy"
    folder.mkdir()
    replace(slack.store.settings(EPISODE), id="copy").save(folder)
    (slack.store.episodes.parent / "exports" / "out").mkdir(parents=True)
    clock(STARTS_AT + timedelta(hours=2))

    slack.store.fork(EPISODE, "copy")
    slack.store.export(EPISODE, "out")
    _post(slack, "hi")

    for path in (folder, slack.store.episodes.parent / "exports" / "out"):
        with closing(sqlite3.connect(path / "slack.0.db")) as db:
            assert db.execute("SELECT count(*) FROM messages WHERE text LIKE '%青椒肉丝%'").fetchone()[0] == 1
    assert slack.store.diff("copy") == {}
    assert "青椒肉丝" in str(slack.store.rows(EPISODE, "messages", limit=1000))


def test_a_table_shows_what_is_due_though_nobody_has_called(start: Start, clock: Callable[[datetime], int]) -> None:
    clock(STARTS_AT + timedelta(hours=2))
    slack = start("slack", world=WORLD, now="live")

    assert "青椒肉丝" in str(slack.store.rows(EPISODE, "messages", limit=1000))
    assert slack.store.diff(EPISODE) == {}


@pytest.mark.parametrize("app", APPS)
def test_a_week_of_every_app_leaves_nothing_in_a_diff(app: str, start: Start, clock: Callable[[datetime], int]) -> None:
    clock(STARTS_AT)
    local = start(app, world=WORLD, now="live")
    local.store.snapshot(EPISODE, "before")
    for day in (2, 5, 7):
        clock(STARTS_AT + timedelta(days=day))
        assert local.store.diff(EPISODE) == {}
        assert local.store.diff(EPISODE, "before") == {}

    assert local.store.open(EPISODE).next_due_ms == scheduled_rows.NEVER


def test_a_clock_that_was_moved_brings_nothing_into_a_diff(start: Start) -> None:
    slack = start("slack", world=WORLD)
    slack.store.snapshot(EPISODE, "before")
    slack.store.set_clock(EPISODE, int((STARTS_AT + timedelta(days=3)).timestamp() * 1000))

    _post(slack, "hi")

    assert _texts(slack.store.diff(EPISODE, "before")) == [("messages", "hi")]
