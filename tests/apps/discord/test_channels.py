"""Channels and threads: made, deleted, written in and read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp

from .conftest import (
    ASLEEP,
    BOT,
    CLUB,
    CONNECT,
    FORUM,
    GROUP,
    HELLO,
    HIDDEN,
    IN_PAST,
    LOCKED,
    PAST,
    RULES,
    SILENT,
    TALK,
    THREAD,
    USUAL,
    VOICE,
    Refusal,
    rows,
)

DENIED = "403 Forbidden (error code: 50013): Missing Permissions"
NOW_MS = 1_773_018_000_000
FORM = "400 Bad Request (error code: 50035): Invalid Form Body\nIn "


def _column(discord: LocalApp, column: str, channel_id: str) -> object:
    return discord.episode.db.scalar(f"SELECT {column} FROM channels WHERE channel_id = ?", channel_id)


@pytest.mark.fact("create")
def test_a_channel_is_made_under_discord_s_name_for_it(discord: LocalApp) -> None:
    said = discord.text("create_text_channel", server_id=CLUB, name=" Day Trips!  (2026)", topic="One day")

    [change] = discord.changes()["channels"]
    made = change["new"]
    assert said == f"Created text channel #day-trips-2026 (ID: {made['channel_id']})"
    assert (int(made["channel_id"]) >> 22) + 1_420_070_400_000 == discord.episode.now_ms
    assert (made["kind"], made["topic"], made["parent_id"], made["position"]) == ("text", "One day", None, 8)


@pytest.mark.fact("create")
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": ""}, "name: This field is required"),
        ({"name": None}, "name: This field is required"),
        ({"name": "\0"}, "name: This field is required"),
        ({"name": "x" * 101}, "name: Must be between 1 and 100 in length."),
        ({"name": "x", "topic": "y" * 1025}, "topic: Must be 1024 or fewer in length."),
    ],
)
def test_a_name_or_topic_that_does_not_fit_is_refused(refusal: Refusal, given: dict[str, str], said: str) -> None:
    assert refusal("create_text_channel", server_id=CLUB, **given) == FORM + said


@pytest.mark.fact("create")
def test_channels_are_for_who_may_manage_them(start: Callable[..., LocalApp]) -> None:
    weak = start("discord", rows=rows(bot_may=USUAL), me="ada")

    assert weak.result("create_text_channel", server_id=CLUB, name="x")["content"][0]["text"] == DENIED
    assert weak.result("delete_channel", channel_id=TALK)["content"][0]["text"] == DENIED


@pytest.mark.fact("create")
def test_the_space_around_a_name_does_not_count(discord: LocalApp) -> None:
    said = discord.text("create_text_channel", server_id=CLUB, name="  " + "x" * 100 + " ")

    assert said.startswith(f"Created text channel #{'x' * 100} (ID: ")


@pytest.mark.fact("category")
def test_the_category_is_never_found(discord: LocalApp) -> None:
    discord.call("create_text_channel", server_id=CLUB, name="x", category_id=GROUP)

    assert discord.changes()["channels"][0]["new"]["parent_id"] is None


@pytest.mark.fact("delete")
def test_a_channel_goes_with_its_threads_and_what_was_said(discord: LocalApp, refusal: Refusal) -> None:
    assert discord.text("delete_channel", channel_id=TALK, reason="spring cleaning") == "Deleted channel successfully"

    gone = {change["old"]["channel_id"] for change in discord.changes()["channels"]}
    assert gone == {TALK, LOCKED, ASLEEP}
    assert discord.episode.db.scalar("SELECT count(*) FROM reactions") == 0
    assert discord.result("read_messages", channel_id=TALK)["isError"]


@pytest.mark.fact("delete")
def test_a_category_leaves_its_channels(discord: LocalApp) -> None:
    discord.call("delete_channel", channel_id=GROUP)

    assert _column(discord, "parent_id", TALK) is None


@pytest.mark.fact("delete")
def test_a_community_keeps_its_rules(refusal: Refusal) -> None:
    said = "400 Bad Request (error code: 50074): Cannot delete a channel required for Community guilds"

    assert refusal("delete_channel", channel_id=RULES) == said
    assert refusal("delete_channel", channel_id=TALK, reason=5) == "quote_from_bytes() expected bytes"
    assert refusal("delete_channel", channel_id=THREAD) == DENIED


@pytest.mark.fact("delete-voice")
def test_a_voice_channel_that_cannot_be_connected_to_stays(start: Callable[..., LocalApp]) -> None:
    shut = {"table": "overwrites", "channel_id": VOICE, "target_id": BOT, "deny": CONNECT}
    app = start("discord", rows=[*rows(), shut], me="ada")

    said = app.result("delete_channel", channel_id=VOICE)["content"][0]["text"]
    assert said == "403 Forbidden (error code: 50001): Missing Access"
    assert app.changes() == {}


@pytest.mark.fact("reason")
def test_a_reason_has_up_to_512_characters(discord: LocalApp, refusal: Refusal) -> None:
    said = FORM + "reason: Must be 512 or fewer in length."

    assert refusal("delete_channel", channel_id=TALK, reason="x" * 513) == said
    discord.call("delete_channel", channel_id=TALK, reason="x" * 512)


@pytest.mark.fact("send")
def test_a_message_is_kept_without_the_space_around_it(discord: LocalApp) -> None:
    said = discord.text("send_message", channel_id=TALK, content="  See you at six\n")

    made = discord.changes()["messages"][0]["new"]
    assert said == f"Message sent successfully. Message ID: {made['message_id']}"
    assert made["content"] == "See you at six"
    assert discord.text("read_messages", channel_id=TALK, limit=1).splitlines() == [
        "Retrieved 1 messages:",
        "",
        "Helper#4821 (2026-03-09T01:00:00+00:00): See you at six",
        "Reactions: No reactions",
    ]


@pytest.mark.fact("send")
def test_what_is_no_text_is_sent_as_python_prints_it(discord: LocalApp) -> None:
    for content, kept in ((5, "5"), (True, "True"), (["a"], "['a']"), ("x" * 2000, "x" * 2000)):
        discord.call("send_message", channel_id=TALK, content=content)
        newest = "SELECT content FROM messages ORDER BY sent_ms DESC, message_id DESC"
        assert discord.episode.db.scalar(newest) == kept


@pytest.mark.fact("send")
def test_a_message_is_neither_empty_nor_too_long(refusal: Refusal) -> None:
    empty = "400 Bad Request (error code: 50006): Cannot send an empty message"

    assert [refusal("send_message", channel_id=TALK, content=each) for each in ("", " \n", None)] == [empty] * 3
    too_long = refusal("send_message", channel_id=TALK, content="x" * 2001)
    assert too_long == FORM + "content: Must be 2000 or fewer in length."
    assert refusal("send_message", channel_id=SILENT, content="x") == DENIED
    assert (
        refusal("send_message", channel_id=HIDDEN, content="x") == "403 Forbidden (error code: 50001): Missing Access"
    )


@pytest.mark.fact("kinds")
def test_nobody_speaks_in_a_category_or_a_forum(refusal: Refusal) -> None:
    category, forum = "'CategoryChannel' object has no attribute", "'ForumChannel' object has no attribute"

    assert refusal("send_message", channel_id=GROUP) == f"{category} 'send'"
    assert refusal("read_messages", channel_id=FORUM, limit=0) == f"{forum} 'history'"
    assert refusal("add_reaction", channel_id=GROUP) == f"{category} 'fetch_message'"


@pytest.mark.fact("kinds")
def test_a_voice_channel_has_a_text_of_its_own(discord: LocalApp) -> None:
    discord.call("send_message", channel_id=VOICE, content="crackle")

    assert ": crackle\n" in discord.text("read_messages", channel_id=VOICE)


@pytest.mark.fact("threads")
def test_an_archived_thread_wakes_and_a_locked_one_stays(discord: LocalApp, refusal: Refusal) -> None:
    closed = refusal("send_message", channel_id=LOCKED, content="x")
    assert closed == "403 Forbidden (error code: 50083): Thread is archived"

    discord.call("send_message", channel_id=ASLEEP, content="again")
    discord.call("send_message", channel_id=THREAD, content="again")

    assert _column(discord, "is_archived", ASLEEP) == 0


@pytest.mark.fact("read")
def test_messages_are_read_newest_first(discord: LocalApp) -> None:
    assert discord.text("read_messages", channel_id=TALK) == (
        "Retrieved 3 messages:\n\n"
        "Weather#0000 (2025-01-02T03:04:05.680000+00:00): Rain from noon\nReactions: No reactions\n"
        "bea.b (2025-01-02T03:04:05.679000+00:00): \nReactions: No reactions\n"
        "ada (2025-01-02T03:04:05.678000+00:00): hello\nReactions: lamp(1), 👍(2), lost(1)"
    )
    assert discord.text("read_messages", channel_id=TALK, limit=1.9).startswith("Retrieved 1 messages")
    assert discord.text("read_messages", channel_id=TALK, limit=-3) == "Retrieved 0 messages:\n\n"


@pytest.mark.fact("webhook")
def test_a_webhook_bears_its_own_name(discord: LocalApp) -> None:
    assert discord.text("read_messages", channel_id=TALK, limit=1).splitlines()[2].startswith("Weather#0000 (")


@pytest.mark.fact("history")
def test_without_the_history_there_is_nothing_to_read(discord: LocalApp, refusal: Refusal) -> None:
    assert discord.text("read_messages", channel_id=PAST) == "Retrieved 0 messages:\n\n"
    assert refusal("add_reaction", channel_id=PAST, message_id=IN_PAST, emoji="👍").endswith("Missing Access")


@pytest.mark.fact("moderate")
def test_moderating_deletes_nothing(refusal: Refusal) -> None:
    said = "PartialMessage.delete() got an unexpected keyword argument 'reason'"

    assert refusal("moderate_message", channel_id=TALK, message_id=HELLO, reason="x", timeout_minutes=5) == said
    assert refusal("moderate_message", channel_id=TALK, message_id=HELLO) == "'reason'"
    assert refusal("moderate_message", channel_id=TALK, message_id="5").endswith("10008): Unknown Message")


@pytest.mark.fact("create")
@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("General", "general"),
        ("two words", "two-words"),
        ("a -  - b", "a-b"),
        ("under_score", "under_score"),
        ("Ausflüge 2026", "ausflüge-2026"),
        ("登山 计划", "登山-计划"),
        ('what\'s "up"? (now)', "whats-up-now"),
        ("tab\there\nand there", "tab-here-and-there"),
        (2026, "2026"),
        (1.5, "15"),
    ],
)
def test_a_name_is_kept_in_lower_case_with_hyphens(discord: LocalApp, name: object, kept: str) -> None:
    said = discord.text("create_text_channel", server_id=CLUB, name=name)

    made = discord.changes()["channels"][0]["new"]
    assert (said, made["name"]) == (f"Created text channel #{kept} (ID: {made['channel_id']})", kept)


@pytest.mark.fact("create")
@pytest.mark.parametrize(
    ("topic", "kept"), [(None, None), ("", None), ("y" * 1024, "y" * 1024), (7, "7"), ("Two\nlines", "Two\nlines")]
)
def test_a_topic_may_be_missing_and_has_up_to_1024_characters(
    discord: LocalApp, topic: object, kept: str | None
) -> None:
    discord.call("create_text_channel", server_id=CLUB, name="x", topic=topic)

    assert discord.changes()["channels"][0]["new"]["topic"] == kept


@pytest.mark.fact("create")
def test_everything_that_is_wrong_with_a_channel_is_told_at_once(refusal: Refusal) -> None:
    both = refusal("create_text_channel", server_id=CLUB, name="", topic="y" * 1025)
    assert both == FORM + "name: This field is required\nIn topic: Must be 1024 or fewer in length."
    kinds = refusal("create_text_channel", server_id=CLUB, name=True, topic=["a"])
    assert kinds == (
        FORM + 'name: Could not interpret "True" as string.\nIn topic: Could not interpret "[\'a\']" as string.'
    )
    assert refusal("create_text_channel", server_id=CLUB, name={}) == FORM + 'name: Could not interpret "{}" as string.'
    assert refusal("create_text_channel", server_id=CLUB, name="x", topic=False) == (
        FORM + 'topic: Could not interpret "False" as string.'
    )


@pytest.mark.fact("create")
def test_channels_made_one_after_the_other_stand_below_and_have_ids_that_grow(discord: LocalApp) -> None:
    for name in ("one", "two", "three"):
        discord.call("create_text_channel", server_id=CLUB, name=name)

    made = sorted((change["new"] for change in discord.changes()["channels"]), key=lambda row: int(row["channel_id"]))
    assert [(row["name"], row["position"]) for row in made] == [("one", 8), ("two", 9), ("three", 10)]
    assert [(int(row["channel_id"]) >> 22) + 1_420_070_400_000 for row in made] == [*(NOW_MS, NOW_MS + 1, NOW_MS + 2)]
    assert len({row["channel_id"] for row in made}) == 3


@pytest.mark.fact("create")
def test_a_server_has_up_to_500_channels_not_counting_threads(discord: LocalApp) -> None:
    there = "SELECT count(*) FROM channels WHERE guild_id = ? AND kind <> 'thread'"
    left = 500 - discord.episode.db.scalar(there, CLUB)
    for number in range(left - 1):
        discord.episode.db.insert("channels", channel_id=str(10**18 + number), guild_id=CLUB, name=f"c{number}")

    assert discord.text("create_text_channel", server_id=CLUB, name="last").startswith("Created text channel #last")
    full = discord.result("create_text_channel", server_id=CLUB, name="x")["content"][0]["text"]
    assert full == "400 Bad Request (error code: 30013): Maximum number of server channels reached (500)"
    assert discord.episode.db.scalar(there, CLUB) == 500


@pytest.mark.fact("delete")
@pytest.mark.parametrize("reason", [None, "", "x"])
def test_a_channel_is_deleted_with_a_reason_or_without(discord: LocalApp, reason: str | None) -> None:
    assert discord.text("delete_channel", channel_id=SILENT, reason=reason) == "Deleted channel successfully"

    assert [change["old"]["channel_id"] for change in discord.changes()["channels"]] == [SILENT]


@pytest.mark.fact("delete")
def test_a_deleted_channel_leaves_nothing_behind(discord: LocalApp) -> None:
    discord.call("delete_channel", channel_id=TALK)

    gone = {table: len(changes) for table, changes in discord.changes().items()}
    # Itself and two threads; three messages and one in a thread; four reactions; the webhook.
    assert gone == {"channels": 3, "messages": 4, "reactions": 4, "webhooks": 1}
    discord.call("delete_channel", channel_id=SILENT)
    assert len(discord.changes()["overwrites"]) == 1


@pytest.mark.fact("delete")
def test_of_a_deleted_category_every_channel_stays_where_it_was(discord: LocalApp) -> None:
    discord.call("delete_channel", channel_id=GROUP)

    changed = {change["op"]: change for change in discord.changes()["channels"]}
    assert changed["delete"]["old"]["channel_id"] == GROUP
    assert changed["update"]["new"] == changed["update"]["old"] | {"parent_id": None}
    assert len(discord.changes()["channels"]) == 2


@pytest.mark.fact("delete")
def test_a_community_keeps_the_channel_of_its_updates(discord: LocalApp) -> None:
    discord.episode.db.update("guilds", {"guild_id": CLUB}, updates_channel_id=SILENT)

    said = discord.result("delete_channel", channel_id=SILENT)["content"][0]["text"]

    assert said == "400 Bad Request (error code: 50074): Cannot delete a channel required for Community guilds"


@pytest.mark.fact("read")
def test_ten_messages_are_read_unless_more_are_asked_for_and_a_hundred_at_most(discord: LocalApp) -> None:
    for number in range(110):
        # Two of each moment: the later id is the newer.
        said: dict[str, Any] = {
            "author_id": BOT,
            "content": f"no. {number}",
            "sent_ms": 1_735_900_000_000 + number // 2,
        }
        discord.episode.db.insert("messages", message_id=str(15 * 10**17 + number), channel_id=VOICE, **said)

    def read(**more: object) -> list[str]:
        first, *lines = discord.text("read_messages", channel_id=VOICE, **more).split("\n")
        told = [line.rpartition(": ")[2] for line in lines if line.startswith("Helper#4821 (")]
        assert first == f"Retrieved {len(told)} messages:"
        return told

    assert read() == [f"no. {number}" for number in range(109, 99, -1)]
    assert [len(read(limit=limit)) for limit in (1, "3", 100, 101, 10**6)] == [1, 3, 100, 100, 100]
    assert read(limit=101)[-1] == "no. 10"


@pytest.mark.fact("read")
def test_a_limit_is_what_python_makes_of_it(refusal: Refusal) -> None:
    assert refusal("read_messages", channel_id=TALK, limit="ten") == "invalid literal for int() with base 10: 'ten'"
    assert refusal("read_messages", channel_id=TALK, limit=None).startswith("int() argument must be a string")
    assert refusal("list_members", server_id=CLUB, limit="ten") == "invalid literal for int() with base 10: 'ten'"


@pytest.mark.fact("send")
def test_messages_sent_one_after_the_other_have_ids_that_grow_from_the_moment(discord: LocalApp) -> None:
    said = [discord.text("send_message", channel_id=TALK, content=str(number)) for number in range(3)]

    ids = [int(each.removeprefix("Message sent successfully. Message ID: ")) for each in said]
    assert sorted(set(ids)) == ids
    # Each writing call takes a millisecond.
    assert [(each >> 22) + 1_420_070_400_000 for each in ids] == [NOW_MS, NOW_MS + 1, NOW_MS + 2]
    made = discord.changes()["messages"][0]["new"]
    assert made == {
        "message_id": str(ids[0]),
        "channel_id": TALK,
        "author_id": BOT,
        "username": None,
        "content": "0",
        "sent_ms": NOW_MS,
    }


@pytest.mark.fact("threads")
def test_a_thread_that_wakes_is_the_only_one(discord: LocalApp) -> None:
    discord.call("send_message", channel_id=ASLEEP, content="again")

    assert {table: len(changes) for table, changes in discord.changes().items()} == {"messages": 1, "channels": 1}
    assert _column(discord, "is_archived", LOCKED) == 1


@pytest.mark.fact("send")
def test_of_what_is_made_within_a_millisecond_ids_count_up(discord: LocalApp) -> None:
    of_now = (NOW_MS - 1_420_070_400_000) << 22
    taken: dict[str, Any] = {"author_id": BOT, "content": "x", "sent_ms": NOW_MS}
    for made in (of_now + 4096, of_now - 1, of_now + (1 << 22)):
        discord.episode.db.insert("messages", message_id=str(made), channel_id=VOICE, **taken)

    said = discord.text("send_message", channel_id=TALK, content="x")

    assert said == f"Message sent successfully. Message ID: {of_now + 4097}"
