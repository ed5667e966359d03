"""What an app does by itself when a moment comes: Telegram sends messages that were scheduled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from farm.testing import LocalWorld

VANS = -4155316572
TEN, TWELVE = "2026-06-01T10:00:00+00:00", "2026-06-01T12:00:00+00:00"


@pytest.fixture
def world() -> Iterator[LocalWorld]:
    with LocalWorld("mini", ["telegram", "slack"]) as made:
        for at, text in ((TWELVE, "later"), (TEN, "See you at ten.")):
            made.call("telegram", "send_scheduled_message", chat_id=VANS, message=text, schedule_date=at)
        yield made


def sent(world: LocalWorld) -> list[tuple[str, int]]:
    rows = [row for row in world.rows("telegram", "messages") if row["text"] in ("later", "See you at ten.")]
    return [(row["text"], row["sent_s"]) for row in sorted(rows, key=lambda row: row["message_id"])]


def waiting(world: LocalWorld) -> list[str]:
    return [row["text"] for row in world.rows("telegram", "scheduled_messages")]


def test_each_is_sent_at_its_time_in_steps_and_in_one_leap(world: LocalWorld) -> None:
    with world.fork() as leaping:
        came = [*world.move_clock(next=True), *world.move_clock(next=True)]
        assert leaping.move_clock(advance_s=86_400)[:2] == came

        assert [(each["at"], each["what"], each["table"]) for each in came] == [
            (TEN, "See you at ten.", "messages"),
            (TWELVE, "later", "messages"),
        ]
        assert sent(world) == sent(leaping) == [("See you at ten.", 1780308000), ("later", 1780315200)]
        assert waiting(world) == waiting(leaping) == []


def test_the_diff_has_what_the_agent_scheduled_and_nothing_else(world: LocalWorld) -> None:
    world.move_clock(quiet=True)

    (changes,) = world.diff()["telegram"].values()
    assert [change["new"]["text"] for change in changes] == ["later", "See you at ten."]


def test_one_that_is_taken_back_is_not_sent(world: LocalWorld) -> None:
    world.call("telegram", "delete_scheduled_message", chat_id=VANS, message_ids=[1])
    world.move_clock(quiet=True)

    assert [text for text, _ in sent(world)] == ["See you at ten."]


def test_snapshots_and_restores_send_again(world: LocalWorld) -> None:
    saved = world.snapshot()
    first = world.move_clock(next=True)
    world.restore(saved)

    assert sent(world) == []
    assert world.move_clock(next=True) == first


def test_who_may_not_write_there_any_more_sends_nothing(world: LocalWorld) -> None:
    world.call("telegram", "leave_chat", chat_id=VANS)
    came: list[dict[str, Any]] = world.move_clock(next=True)

    assert [each.get("dropped") for each in came] == [True]
    assert sent(world) == []
    assert waiting(world) == ["later"]


def test_a_pace_sends_with_the_next_call() -> None:
    with LocalWorld("mini", ["telegram"], pace="1h") as world:
        world.call("telegram", "send_scheduled_message", chat_id=VANS, message="See you at ten.", schedule_date=TWELVE)
        world.call("telegram", "list_chats")
        assert sent(world) == []
        world.call("telegram", "list_chats")
        assert sent(world) == [("See you at ten.", 1780315200)]
