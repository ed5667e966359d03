"""Waiting for what comes in, and the feed of it."""

from __future__ import annotations

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.conftest import Says, Told
from tests.apps.telegram.rows import BO, DEE, WITH_BO, message

_NOTHING = {"event": False, "reason": "timeout", "waiting_for": None}


@pytest.mark.fact("waiting")
def test_what_came_in_since_the_server_started_is_told_of_without_being_taken_off(
    telegram: LocalApp, told: Told
) -> None:
    first = told("wait_for_new_message")

    pending = {"chat_id": BO, "name": "Bo", "username": "bo_brook", "count": 3, "last_message_id": 19}
    assert first == {"event": True, "pending_chats": [pending]}
    assert told("wait_for_new_message", chat_id="boss of bread") == first
    assert telegram.changes() == {}


@pytest.mark.fact("waiting")
def test_nobody_else_ends_the_wait_for_one_person(told: Told) -> None:
    assert told("wait_for_new_message", chat_id=DEE) == {**_NOTHING, "waiting_for": DEE}
    assert told("wait_for_settled_message", chat_id="dee_dale") == {**_NOTHING, "waiting_for": DEE}


@pytest.mark.fact("waiting")
def test_a_settled_burst_is_told_of_once(told: Told) -> None:
    burst = told("wait_for_settled_message")

    assert (burst["chat_id"], burst["message_count"]) == (BO, 3)
    assert (burst["first_message_id"], burst["last_message_id"], burst["burst_seconds"]) == (9, 19, 100.0)
    assert told("wait_for_settled_message") == _NOTHING
    assert told("wait_for_new_message") == _NOTHING


@pytest.mark.fact("waiting")
def test_a_chat_that_is_not_quiet_in_time_is_not_told_of(telegram: LocalApp, told: Told) -> None:
    row = message(WITH_BO, 30, BO, 1, "And")
    del row["table"]
    telegram.episode.db.insert("messages", **row)

    assert told("wait_for_settled_message", settle_ms=60_000, max_wait_ms=1000) == _NOTHING
    assert told("wait_for_settled_message", settle_ms=60_000, max_wait_ms=60_000)["message_count"] == 4


@pytest.mark.fact("waiting")
def test_the_feed_takes_off_what_has_settled(telegram: LocalApp, told: Told, says: Says) -> None:
    assert told("enable_incoming_feed", settle_ms=100)["enabled"] is True
    assert told("incoming_feed_status")["settle_ms"] == 100
    assert told("wait_for_new_message") == _NOTHING

    assert says("disable_incoming_feed") == "Incoming feed disabled."
    assert says("disable_incoming_feed") == "Incoming feed is not enabled."
    assert told("wait_for_new_message") == _NOTHING
    assert set(telegram.changes()) == {"bursts", "listeners"}
