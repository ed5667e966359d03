"""Which ids are taken, and what they find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.december_2025.conftest import Says
from tests.apps.telegram.rows import BO, CLOSED, GIL, LUNCH, QUITTED, USERS

Fails = Callable[..., None]


@pytest.mark.fact("ids")
@pytest.mark.parametrize("given", ["abcd", "bob smith", "", "@no!", "x-y-z-w", "1.5"])
def test_what_is_no_id_is_said_so(says: Says, given: str) -> None:
    text = f"Invalid chat_id: '{given}'. Must be a valid integer ID, or a username string."

    assert says("send_message", chat_id=given, message="hi") == text


@pytest.mark.fact("ids")
@pytest.mark.parametrize("given", [2**63, -(2**63) - 1, str(2**63)])
def test_a_number_beyond_64_bits_is_said_so(says: Says, given: Any) -> None:
    assert says("get_chat", chat_id=given) == f"Invalid chat_id: {given}. ID is out of the valid integer range."


@pytest.mark.fact("ids")
def test_each_item_of_a_list_is_looked_at_under_the_lists_name(says: Says) -> None:
    text = "Invalid user_ids: '?'. Must be a valid integer ID, or a username string."

    assert says("create_group", title="x", user_ids=[BO, "?"]) == text


@pytest.mark.fact("session")
@pytest.mark.parametrize("given", [BO, str(BO), f" {BO} ", -BO, "bo_brook", "@BO_Brook"])
def test_a_user_is_found_by_number_and_by_name(says: Says, given: Any) -> None:
    assert says("get_user_status", user_id=given).startswith(
        "UserStatusOnline(expires=datetime.datetime(2026, 3, 9, 1,"
    )


@pytest.mark.fact("session")
@pytest.mark.parametrize("given", [USERS, -1000000000000 - USERS, -USERS, "plum_users"])
def test_a_supergroup_is_found_with_its_mark_and_without(says: Says, given: Any) -> None:
    assert says("get_chat", chat_id=given).startswith(f"ID: {USERS}\nTitle: Plum Users\nType: Supergroup\n")


@pytest.mark.fact("session")
@pytest.mark.parametrize("given", [GIL, CLOSED, 5, 0, "nobody_here"])
def test_strangers_and_closed_chats_are_not_found(fails: Fails, given: Any) -> None:
    fails("get_messages", chat_id=given)


@pytest.mark.fact("session")
def test_a_public_chat_that_was_left_can_still_be_read(says: Says) -> None:
    assert says("get_messages", chat_id=QUITTED) == "No messages found for this page."


@pytest.mark.fact("codes")
@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    # What Python says of abs(hash(tool)) % 1000 under PYTHONHASHSEED=0.
    [
        ("send_message", {"message": "x"}, "GEN-ERR-489"),
        ("get_messages", {}, "GEN-ERR-122"),
        ("get_chat", {}, "CHAT-ERR-597"),
    ],
)
def test_what_was_not_foreseen_is_a_code_of_the_tools_name(
    says: Says, tool: str, arguments: dict[str, Any], code: str
) -> None:
    text = f"An error occurred (code: {code}). Check mcp_errors.log for details."

    assert says(tool, chat_id=GIL, **arguments) == text


@pytest.mark.fact("plain-groups")
@pytest.mark.parametrize("tool", ["get_participants", "get_admins", "get_banned_users"])
def test_of_a_plain_group_everybody_is_listed_whatever_was_asked(says: Says, tool: str) -> None:
    names = [line.partition("Name: ")[2] for line in says(tool, chat_id=LUNCH).splitlines()]

    assert names == ["Ada Ames", "Bo None", "Eli None", "雷 李"]


@pytest.mark.fact("plain-groups")
@pytest.mark.parametrize("tool", ["promote_admin", "demote_admin", "invite_to_group", "ban_user", "unban_user"])
def test_what_wants_a_channel_fails_in_a_plain_group(fails: Fails, tool: str) -> None:
    group = "chat_id" if "ban" in tool else "group_id"
    who = {"user_ids": [BO]} if tool == "invite_to_group" else {"user_id": BO}

    fails(tool, **{group: LUNCH}, **who)


@pytest.mark.fact("connection")
def test_where_nobody_is_logged_in_nothing_reaches_telegram(start: Callable[..., LocalApp]) -> None:
    app = start("telegram", profile="paper-2025")

    def says(tool: str, **arguments: Any) -> str:
        return str(app.result(tool, **arguments)["content"][0]["text"])

    for tool in ("get_me", "get_chats", "list_contacts", "get_drafts", "get_sticker_sets", "get_privacy_settings"):
        assert says(tool).startswith("An error occurred (code: "), tool
    assert says("send_message", chat_id="bob smith", message="x").startswith("Invalid chat_id: ")
    assert says("send_file", chat_id=1, file_path="/none") == "File not found: /none"
    assert says("create_group", title="x", user_ids=[1]) == "Error: Could not find user with ID 1"
    disconnected = "Cannot send requests while disconnected"
    assert says("join_chat_by_link", link="x") == f"Error joining chat: {disconnected}"
    assert says("get_gif_search", query="x") == f"Could not search GIFs using available methods: {disconnected}"
