"""Contexts nobody has written to: they are read from the start itself, and are their own from the first write on."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from farm.context.settings import Settings
from farm.pipeline import Outcome, call
from farm.testing import EPISODE, LocalApp
from tests.unit._slack import GENERAL, ME, ROWS


@pytest.fixture
def slack(start: Callable[..., LocalApp]) -> LocalApp:
    return start("slack", rows=ROWS, me="me")


def twin_of(slack: LocalApp, seed: int = 8) -> str:
    folder = slack.store.episodes / "twin"
    folder.mkdir()
    Settings("twin", None, ("slack",), seed=seed, now="2026-03-09T09:00:00+08:00", me="me").save(folder)
    slack.store.create("twin")
    return "twin"


def post(slack: LocalApp, text: str, episode: str = EPISODE) -> Outcome:
    return call(slack.store.open(episode), "slack_post_message", {"channel_id": GENERAL, "text": text})


def history(slack: LocalApp, episode: str = EPISODE) -> bytes:
    return call(slack.store.open(episode), "slack_get_channel_history", {"channel_id": GENERAL}).result


def held(path: Path) -> bool:
    """Whether somebody holds this file exclusively."""
    db = sqlite3.connect(path, timeout=0)
    try:
        db.execute("SELECT count(*) FROM messages")
    except sqlite3.OperationalError:
        return True
    finally:
        db.close()
    return False


def test_reading_a_fresh_context_opens_no_file_and_the_first_write_does(slack: LocalApp) -> None:
    path = slack.store.files(EPISODE).db(0)
    before = history(slack)
    assert not held(path)

    post(slack, "one")

    assert held(path)
    assert b"one" in history(slack)
    assert history(slack) != before


def test_a_write_in_one_episode_is_in_no_other(slack: LocalApp) -> None:
    twin = twin_of(slack)
    before = history(slack, twin)

    post(slack, "one")

    assert history(slack, twin) == before
    assert slack.store.rows(twin, "messages")["total"] == 0
    assert slack.store.diff(twin) == {}
    assert slack.store.rows(EPISODE, "messages")["total"] == 1


def test_fresh_contexts_have_their_own_seed_account_and_calls(slack: LocalApp) -> None:
    twin = twin_of(slack, seed=99)
    history(slack, twin)
    history(slack)

    assert (slack.store.open(EPISODE).seed, slack.store.open(twin).seed) == (7, 99)
    assert slack.store.open(twin).episode.me == slack.store.open(EPISODE).episode.me == ME
    assert len(slack.store.calls(twin)) == 1


def test_a_refused_first_write_leaves_the_context_as_it_was(slack: LocalApp) -> None:
    before = history(slack)

    refused = call(slack.store.open(EPISODE), "slack_post_message", {"channel_id": "C0NOTHERE1", "text": "x"})

    assert refused.refused
    assert history(slack) == before
    assert slack.changes() == {}
    assert not post(slack, "one").refused


def test_what_was_written_is_there_after_closing(slack: LocalApp) -> None:
    post(slack, "one")
    after = history(slack)

    slack.store.close_all()

    assert history(slack) == after


def test_a_context_that_was_only_opened_is_still_fresh_and_a_reset_one_is_again(slack: LocalApp) -> None:
    fresh = history(slack)
    assert slack.episode.db.scalar("SELECT count(*) FROM users") == 1
    slack.store.close_all()
    assert not held(slack.store.files(EPISODE).db(0))

    post(slack, "one")
    slack.store.reset(EPISODE)

    assert history(slack) == fresh
    assert not held(slack.store.files(EPISODE).db(1))


def test_a_file_that_somebody_changed_is_read_itself(slack: LocalApp) -> None:
    slack.store.close_all()
    db = sqlite3.connect(slack.store.files(EPISODE).db(0))
    with db:
        db.execute("UPDATE channels SET name = 'changed'")
    db.close()

    listed = call(slack.store.open(EPISODE), "slack_list_channels", {}).result

    assert b"changed" in listed


def test_the_same_bytes_under_another_time_are_read_from_the_file(slack: LocalApp) -> None:
    path = slack.store.files(EPISODE).db(0)
    os.utime(path)

    history(slack)

    assert held(path)


def test_nobody_writes_to_what_all_share(slack: LocalApp) -> None:
    reader = slack.store.open(EPISODE).reader

    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("DELETE FROM members")


def test_an_episode_whose_world_is_gone_still_opens(start: Callable[..., LocalApp]) -> None:
    slack = start("slack", world="harbor")
    before = slack.call("slack_list_channels")
    slack.store.close_all()
    settings = slack.store.files(EPISODE).folder / "episode.json"
    settings.write_bytes(settings.read_bytes().replace(b'"harbor"', b'"sunken"'))

    assert slack.call("slack_list_channels") == before


def test_searching_a_fresh_context_answers_as_searching_its_file(start: Callable[..., LocalApp]) -> None:
    rednote = start("rednote", world="harbor")
    asked = [{"keyword": word} for word in ("咖啡", "上海", "的", "plan")]
    shared = [rednote.result("search_feeds", **each) for each in asked]

    assert rednote.episode.db.scalar("SELECT count(*) FROM notes")

    assert [rednote.result("search_feeds", **each) for each in asked] == shared
