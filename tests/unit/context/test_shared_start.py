"""Contexts nobody has written to: they are read from the start itself, and are their own from the first write on."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from farm.context.settings import Settings
from farm.context.template import build
from farm.server.pipeline import Outcome, call
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


RESTORES = {
    "tar": "tar -cf ../kept.tar . && rm -r * && tar -xf ../kept.tar && rm ../kept.tar",
    "tar without times": "tar -cf ../kept.tar . && rm -r * && tar -xmf ../kept.tar && rm ../kept.tar",
    "cp": "cp -r . ../kept && rm -r * && cp -r ../kept/. . && rm -r ../kept",
    "touch": "find . -type f -exec touch {} +",
    "one time for all": "find . -type f -exec touch -d 2009-02-13T23:31:30Z {} +",
}


@pytest.mark.parametrize("how", RESTORES)
def test_contexts_are_fresh_or_written_as_before_when_the_data_folder_was_restored(slack: LocalApp, how: str) -> None:
    twin = twin_of(slack)
    post(slack, "one")
    before = {episode: history(slack, episode) for episode in (EPISODE, twin)}
    slack.store.close_all()

    subprocess.run(RESTORES[how], shell=True, check=True, cwd=slack.store.episodes.parent)

    assert {episode: history(slack, episode) for episode in (EPISODE, twin)} == before
    assert held(slack.store.files(EPISODE).db(0))
    assert not held(slack.store.files(twin).db(0))


def test_a_written_file_with_the_times_of_a_fresh_one_is_read_itself(slack: LocalApp) -> None:
    path = slack.store.files(EPISODE).db(0)
    fresh = path.stat()
    post(slack, "one")
    slack.store.close_all()
    os.utime(path, ns=(fresh.st_atime_ns, fresh.st_mtime_ns))

    assert b"one" in history(slack)


def test_a_start_that_is_no_longer_its_worlds_is_read_from_the_file(slack: LocalApp) -> None:
    renamed = [{**row, "name": "renamed"} if row["table"] == "channels" else row for row in ROWS]
    before = call(slack.store.open(EPISODE), "slack_list_channels", {}).result
    slack.store.close_all()
    slack.store.starts.keep(None, 0, build(slack.store.loaded.schema, renamed))

    assert call(slack.store.open(EPISODE), "slack_list_channels", {}).result == before

    slack.store.reset(EPISODE)
    assert b"renamed" in call(slack.store.open(EPISODE), "slack_list_channels", {}).result


def test_a_first_write_that_was_killed_half_way_never_happened(slack: LocalApp, tmp_path: Path) -> None:
    before = history(slack)
    slack.store.close_all()
    path = slack.store.files(EPISODE).db(0)
    start = path.read_bytes()
    # With a cache of nothing, SQLite writes pages to the file before it commits; the copies are what a kill leaves.
    copy = tmp_path / "copy.db"
    copy.write_bytes(start)
    db = sqlite3.connect(copy, isolation_level=None)
    db.executescript("PRAGMA synchronous=OFF; PRAGMA cache_size=1; BEGIN")
    db.executemany("INSERT INTO teams VALUES (?, ?, 'x')", [(f"T{number}", "x" * 999) for number in range(99)])
    path.write_bytes(copy.read_bytes())
    Path(f"{path}-journal").write_bytes(Path(f"{copy}-journal").read_bytes())
    db.close()
    assert path.read_bytes() != start

    assert history(slack) == before
    assert not held(path)

    post(slack, "one")
    assert [change["new"]["text"] for change in slack.changes()["messages"]] == ["one"]
    assert slack.episode.db.scalar("PRAGMA integrity_check") == "ok"
    assert slack.episode.db.scalar("SELECT count(*) FROM teams") == 1


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
