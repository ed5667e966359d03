"""What a program may do where: roles, a channel's own rules for roles and members, threads, voice channels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp

from .conftest import (
    ASLEEP,
    BOSSES,
    BOT,
    BOTS_OWN,
    CLUB,
    CONNECT,
    CYR,
    EXTERNAL,
    FORUM,
    HELLO,
    HIKERS,
    HISTORY,
    IN_PAST,
    IN_THREAD,
    LAMP,
    LOCKED,
    MANAGE_CHANNELS,
    MANAGE_ROLES,
    MODERATORS,
    OTHERS,
    OWL,
    PAST,
    REACT,
    SEND,
    TALK,
    THREAD,
    THREADS,
    USUAL,
    VIEW,
    VOICE,
    rows,
)

Start = Callable[..., LocalApp]
ADMINISTRATOR, MANAGE_THREADS = 1 << 3, 1 << 34
CLOSED = "403 Forbidden (error code: 50001): Missing Access"
DENIED = "403 Forbidden (error code: 50013): Missing Permissions"


def overwrite(channel_id: str, target_id: str, *, allow: int = 0, deny: int = 0) -> dict[str, Any]:
    said = {"channel_id": channel_id, "target_id": target_id, "allow": allow, "deny": deny}
    return {"table": "overwrites", **said}


def of_bot(role_id: str) -> dict[str, Any]:
    return {"table": "member_roles", "guild_id": CLUB, "user_id": BOT, "role_id": role_id}


def said(app: LocalApp, tool: str, **arguments: Any) -> str:
    return str(app.result(tool, **arguments)["content"][0]["text"])


@pytest.mark.fact("overwrites")
@pytest.mark.parametrize(
    ("more", "is_seen"),
    [
        ([], True),
        ([overwrite(TALK, CLUB, deny=VIEW)], False),
        ([overwrite(TALK, CLUB, deny=VIEW), overwrite(TALK, BOTS_OWN, allow=VIEW)], True),
        ([overwrite(TALK, CLUB, deny=VIEW), overwrite(TALK, HIKERS, allow=VIEW)], False),
        ([overwrite(TALK, CLUB, deny=VIEW), overwrite(TALK, BOT, allow=VIEW)], True),
        ([overwrite(TALK, CLUB, deny=VIEW), overwrite(TALK, CYR, allow=VIEW)], False),
        ([overwrite(TALK, CLUB, deny=VIEW), overwrite(VOICE, BOT, allow=VIEW)], False),
        ([overwrite(TALK, BOTS_OWN, deny=VIEW)], False),
        ([overwrite(TALK, HIKERS, deny=VIEW)], True),
        ([overwrite(TALK, CLUB, allow=VIEW), overwrite(TALK, BOTS_OWN, deny=VIEW)], False),
        # Of two roles the one that allows wins, whichever is higher.
        ([of_bot(HIKERS), overwrite(TALK, BOTS_OWN, deny=VIEW), overwrite(TALK, HIKERS, allow=VIEW)], True),
        ([of_bot(HIKERS), overwrite(TALK, BOTS_OWN, allow=VIEW), overwrite(TALK, HIKERS, deny=VIEW)], True),
        # What is said to a member comes last.
        ([overwrite(TALK, BOTS_OWN, allow=VIEW), overwrite(TALK, BOT, deny=VIEW)], False),
        ([overwrite(TALK, BOTS_OWN, deny=VIEW), overwrite(TALK, BOT, allow=VIEW)], True),
        ([overwrite(TALK, CLUB, deny=SEND), overwrite(TALK, BOT, deny=REACT)], True),
    ],
)
def test_a_channel_s_rules_are_for_everybody_then_for_roles_then_for_members(
    start: Start, more: list[dict[str, Any]], is_seen: bool
) -> None:
    app = start("discord", rows=[*rows(), *more], me="ada")

    assert said(app, "read_messages", channel_id=TALK, limit=0) == ("Retrieved 0 messages:\n\n" if is_seen else CLOSED)


@pytest.mark.fact("overwrites")
def test_what_the_role_of_everybody_has_not_a_channel_can_allow(start: Start) -> None:
    bare = [
        row | {"permissions": 0} if row.get("role_id") == CLUB and "permissions" in row else row
        for row in rows(bot_may=0)
    ]
    app = start("discord", rows=[*bare, overwrite(VOICE, BOT, allow=VIEW | CONNECT | SEND | HISTORY)], me="ada")

    assert said(app, "send_message", channel_id=VOICE, content="x").startswith("Message sent successfully")
    assert said(app, "read_messages", channel_id=VOICE).endswith(": x\nReactions: No reactions")
    assert said(app, "read_messages", channel_id=TALK) == CLOSED


@pytest.mark.fact("administrator")
def test_an_administrator_and_the_owner_are_held_up_by_no_rule(start: Start) -> None:
    shut = [overwrite(TALK, CLUB, deny=VIEW | SEND), overwrite(TALK, BOT, deny=VIEW)]
    owned = [row | {"owner_id": BOT} if "owner_id" in row else row for row in rows(bot_may=0)]

    for app in (
        start("discord", rows=[*rows(bot_may=ADMINISTRATOR), *shut], me="ada"),
        start("discord", rows=[*owned, *shut], me="ada"),
    ):
        assert said(app, "send_message", channel_id=TALK, content="x").startswith("Message sent successfully")
        assert said(app, "send_message", channel_id=LOCKED, content="x").startswith("Message sent successfully")
        assert said(app, "create_text_channel", server_id=CLUB, name="x").startswith("Created text channel #x (ID: ")
        assert said(app, "add_role", server_id=CLUB, user_id=CYR, role_id=HIKERS) == "Added role Hikers to user cyr"
        assert said(app, "delete_channel", channel_id=TALK) == "Deleted channel successfully"


@pytest.mark.fact("administrator")
def test_an_administrator_is_no_higher_than_their_roles(start: Start) -> None:
    app = start("discord", rows=rows(bot_may=ADMINISTRATOR), me="ada")

    assert said(app, "add_role", server_id=CLUB, user_id=CYR, role_id=BOSSES) == DENIED


@pytest.mark.fact("threads")
def test_a_thread_has_the_rules_of_the_channel_it_hangs_on(start: Start) -> None:
    on = {"channel_id": THREAD, "message_id": IN_THREAD, "emoji": "👍"}
    hidden = start("discord", rows=[*rows(), overwrite(FORUM, CLUB, deny=VIEW)], me="ada")
    silent = start("discord", rows=[*rows(), overwrite(FORUM, BOTS_OWN, deny=THREADS)], me="ada")
    # Whether one may write in channels does not count in threads.
    spoken = start("discord", rows=[*rows(), overwrite(FORUM, BOTS_OWN, deny=SEND)], me="ada")

    assert said(hidden, "read_messages", channel_id=THREAD) == said(hidden, "add_reaction", **on) == CLOSED
    assert said(silent, "send_message", channel_id=THREAD, content="x") == DENIED
    assert said(silent, "send_message", channel_id=TALK, content="x").startswith("Message sent successfully")
    assert said(spoken, "send_message", channel_id=THREAD, content="x").startswith("Message sent successfully")
    assert said(silent, "read_messages", channel_id=THREAD) == (
        "Retrieved 1 messages:\n\n"
        "Helper#4821 (2025-01-02T03:04:05.682000+00:00): 06:10 at the station\nReactions: No reactions"
    )


@pytest.mark.fact("threads")
def test_who_may_manage_threads_writes_in_locked_ones_and_deletes_them(start: Start) -> None:
    may = start("discord", rows=rows(bot_may=USUAL | MANAGE_THREADS), me="ada")
    may_not = start("discord", rows=rows(bot_may=USUAL | MANAGE_CHANNELS), me="ada")

    assert said(may, "send_message", channel_id=LOCKED, content="x").startswith("Message sent successfully")
    assert may.episode.db.one("SELECT is_archived, is_locked FROM channels WHERE channel_id = ?", LOCKED) == {
        "is_archived": 0,
        "is_locked": 1,
    }
    assert said(may, "delete_channel", channel_id=ASLEEP) == "Deleted channel successfully"
    assert said(may, "delete_channel", channel_id=TALK) == DENIED
    assert said(may_not, "delete_channel", channel_id=ASLEEP) == DENIED
    may_not.episode.db.update("channels", {"channel_id": LOCKED}, is_archived=0)
    assert said(may_not, "send_message", channel_id=LOCKED, content="x") == (
        "403 Forbidden (error code: 160005): Thread is locked"
    )


@pytest.mark.fact("threads")
def test_a_thread_goes_alone(start: Start) -> None:
    app = start("discord", rows=rows(bot_may=USUAL | MANAGE_THREADS), me="ada")

    app.call("delete_channel", channel_id=ASLEEP)

    assert [change["old"]["channel_id"] for change in app.changes()["channels"]] == [ASLEEP]


@pytest.mark.fact("delete-voice")
@pytest.mark.parametrize("kind", ["voice", "stage"])
def test_without_connect_a_voice_channel_is_neither_read_nor_written(start: Start, kind: str) -> None:
    shut = [overwrite(VOICE, BOT, deny=CONNECT), overwrite(TALK, BOT, deny=CONNECT)]
    kinds = [row | {"kind": kind} if row.get("kind") == "voice" else row for row in rows()]
    app = start("discord", rows=[*kinds, *shut], me="ada")
    on = {"channel_id": VOICE, "message_id": HELLO}

    assert said(app, "read_messages", channel_id=VOICE) == CLOSED
    assert said(app, "send_message", channel_id=VOICE, content="x") == CLOSED
    assert said(app, "add_reaction", **on, emoji="👍") == CLOSED
    assert said(app, "moderate_message", **on, reason="x") == CLOSED
    assert said(app, "delete_channel", channel_id=VOICE) == CLOSED
    # A text channel is not connected to.
    assert said(app, "send_message", channel_id=TALK, content="x").startswith("Message sent successfully")


@pytest.mark.fact("react")
def test_without_the_history_nothing_is_done_to_a_message(start: Start) -> None:
    app = start("discord", rows=rows(), me="ada")
    on = {"channel_id": PAST, "message_id": IN_PAST}

    assert said(app, "remove_reaction", **on, emoji="👍") == CLOSED
    assert said(app, "add_multiple_reactions", **on, emojis=["👍"]) == CLOSED
    assert said(app, "moderate_message", **on, reason="x") == CLOSED


@pytest.mark.fact("roles")
def test_of_two_roles_at_one_position_the_older_one_is_higher(start: Start) -> None:
    newer = "1323797000000000009"
    beside = [row | {"position": 5} if row.get("role_id") == HIKERS and "position" in row else row for row in rows()]
    another = {"table": "roles", "role_id": newer, "guild_id": CLUB, "name": "Newer", "position": 5}
    app = start("discord", rows=[*beside, another], me="ada")

    assert said(app, "add_role", server_id=CLUB, user_id=CYR, role_id=HIKERS) == DENIED
    assert said(app, "add_role", server_id=CLUB, user_id=CYR, role_id=newer) == "Added role Newer to user cyr"


@pytest.mark.fact("roles")
def test_the_highest_of_several_roles_counts_and_any_of_them_may_give_the_right(start: Start) -> None:
    weak = [row | {"position": 0} if row.get("role_id") == BOTS_OWN and "position" in row else row for row in rows()]
    low = start("discord", rows=weak, me="ada")
    high = start("discord", rows=[*weak, of_bot(MODERATORS)], me="ada")
    role = {"server_id": CLUB, "user_id": CYR, "role_id": HIKERS}

    assert said(low, "add_role", **role) == DENIED
    assert said(high, "add_role", **role) == "Added role Hikers to user cyr"
    without = start("discord", rows=rows(bot_may=USUAL | MANAGE_CHANNELS), me="ada")
    assert said(without, "add_role", **role) == said(without, "remove_role", **role) == DENIED
    only = start("discord", rows=rows(bot_may=MANAGE_ROLES), me="ada")
    assert said(only, "add_role", **role) == "Added role Hikers to user cyr"


@pytest.mark.fact("roles")
def test_the_role_of_a_program_is_nobody_s_to_give(start: Start) -> None:
    managed = {"table": "roles", "role_id": "1323797000000000008", "guild_id": CLUB, "name": "Radio", "is_managed": 1}
    theirs = {"table": "roles", "role_id": "1323797000000000007", "guild_id": OTHERS, "name": "Theirs"}
    app = start("discord", rows=[*rows(), managed, theirs], me="ada")
    of_cyr = {"server_id": CLUB, "user_id": CYR}

    assert said(app, "add_role", **of_cyr, role_id="1323797000000000008") == DENIED
    assert said(app, "remove_role", **of_cyr, role_id="1323797000000000008") == DENIED
    # Of another server's roles this one knows none.
    assert said(app, "add_role", **of_cyr, role_id="1323797000000000007") == ("'NoneType' object has no attribute 'id'")
    assert app.changes() == {}


@pytest.mark.fact("emoji")
def test_another_server_s_emoji_needs_membership_there_and_the_permission_here(start: Start) -> None:
    on = {"channel_id": TALK, "message_id": HELLO, "emoji": f"owl:{OWL}"}
    there = {"table": "members", "guild_id": OTHERS, "user_id": BOT}
    may = start("discord", rows=[*rows(), there], me="ada")
    shut = [overwrite(TALK, BOT, deny=EXTERNAL)]
    may_not = start("discord", rows=[*rows(), there, *shut], me="ada")

    assert said(may, "add_reaction", **on) == f"Added reaction owl:{OWL} to message"
    assert said(may, "read_messages", channel_id=TALK).endswith("lamp(1), 👍(2), lost(1), owl(1)")
    assert said(may_not, "add_reaction", **on) == "400 Bad Request (error code: 10014): Unknown Emoji"
    lamp = on | {"emoji": f"lamp:{LAMP}"}
    assert said(may_not, "add_reaction", **lamp) == f"Added reaction lamp:{LAMP} to message"
