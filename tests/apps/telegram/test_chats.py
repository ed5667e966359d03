"""Chats: the list, the archive, settings, admins, and who people are."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.conftest import After, Says, Told
from tests.apps.telegram.rows import (
    BO,
    BOARD,
    BOT,
    CITY,
    CY,
    DEE,
    ELI,
    HAL,
    LUNCH,
    ME,
    NEWS,
    USERS,
    rows_of_2026,
)


@pytest.mark.fact("archive")
def test_a_chat_is_archived_and_not_pinned(after: After, says: Says, told: Told) -> None:
    says("archive_chat", chat_id=LUNCH)

    (row,) = after("dialogs")
    assert (row["chat_id"], row["is_archived"], row.get("pin")) == (LUNCH, 1, None)
    assert told("get_chat", chat_id=LUNCH)["archived"] is True
    assert {each["chat_id"] for each in told("list_chats", archived=True)["results"]} == {
        -LUNCH,
        -1000000000000 - CITY,
    }
    says("unarchive_chat", chat_id=LUNCH)
    assert told("get_chat", chat_id=LUNCH)["archived"] is False


@pytest.mark.fact("archive")
def test_a_chat_that_the_account_is_not_in_is_not_archived(fails: Callable[..., None]) -> None:
    fails("archive_chat", chat_id="weather_now")


@pytest.mark.fact("lists")
def test_chats_are_filtered_after_the_list_was_cut(told: Told, says: Says) -> None:
    unread = told("list_chats", unread_only=True)["results"]

    assert {each["chat_id"] for each in unread} >= {BO, -LUNCH}
    assert all(each["unread"] or each["unread_mark"] for each in unread)
    assert not any(each["muted"] for each in told("list_chats", unmuted_only=True)["results"])
    assert says("list_chats", limit=1, chat_type="user") == "No chats found matching the criteria."


@pytest.mark.fact("lists")
def test_descriptions_come_with_the_list_when_they_are_asked_for(told: Told) -> None:
    about = {each["chat_id"]: each["about"] for each in told("list_chats", with_about=True)["results"]}

    assert about[-1000000000000 - USERS] == "Everybody"
    assert about[BO] == "[empty]"


@pytest.mark.fact("lists")
def test_common_chats_come_by_their_ids(says: Says, fails: Callable[..., None]) -> None:
    assert says("get_common_chats", user_id=BO).splitlines() == [
        f"Chat ID: -{LUNCH}, Title: Lunch, Type: Group (Basic)",
        f"Chat ID: {-1000000000000 - BOARD}, Title: Board, Type: Supergroup",
        f"Chat ID: {-1000000000000 - USERS}, Title: Plum Users, Type: Supergroup, Username: @plum_users",
    ]
    assert says("get_common_chats", user_id=DEE) == f"No common chats found with user {DEE}."
    fails("get_common_chats", user_id=USERS)


@pytest.mark.fact("lists")
def test_members_come_in_pages(says: Says) -> None:
    first = says("get_participants", chat_id=USERS, page_size=2)

    assert first.endswith("Page 1 (showing 2 participants) — more results available on page 2")
    assert says("get_participants", chat_id=USERS, page=9) == '{"results": []}'
    assert says("get_participants", chat_id=USERS, page_size=1001).startswith("Error: page_size cannot exceed 1000")


@pytest.mark.fact("get-chat")
def test_a_chat_is_shown_with_its_own_last_message(told: Told) -> None:
    board = told("get_chat", chat_id=BOARD)

    assert (board["participants"], board["unread"]) == (3, 0)
    assert board["last_message"]["text"] == "Thanks"
    assert told("get_full_chat", chat_id="plum_users")["about"] == "Everybody"


@pytest.mark.fact("get-chat")
def test_a_public_channel_counts_subscribers_who_have_no_row(start: Callable[..., LocalApp]) -> None:
    more = [row | {"more_members": 2_900} if row.get("username") == "plum_users" else row for row in rows_of_2026()]

    few, many = (
        json.loads(start("telegram", rows=rows, me="ada").text("get_full_chat", chat_id="plum_users"))
        for rows in (rows_of_2026(), more)
    )

    assert many["participants_count"] == few["participants_count"] + 2_900


@pytest.mark.fact("settings")
def test_a_description_is_changed_and_stands_in_the_admin_log(after: After, says: Says, told: Told) -> None:
    assert says("edit_chat_about", chat_id=USERS, about="New") == f"Chat {USERS} description updated."

    assert after("chats")[0]["about"] == "New"
    assert told("get_recent_actions", chat_id=USERS)[0]["action"] == {
        "_": "ChannelAdminLogEventActionChangeAbout", "prev_value": "Everybody", "new_value": "New",
    }  # fmt: skip


@pytest.mark.fact("settings")
@pytest.mark.parametrize(
    ("chat", "about", "text"),
    [
        (USERS, "Everybody", f"Chat {USERS} description is already set to the requested value."),
        (USERS, "x" * 256, "Error: description exceeds Telegram's 255 character limit."),
        (BOARD, "x", "Error: admin rights required to edit the chat description."),
    ],
)
def test_a_description_that_cannot_be_is_refused(
    telegram: LocalApp, says: Says, chat: int, about: str, text: str
) -> None:
    assert says("edit_chat_about", chat_id=chat, about=about) == text
    assert telegram.changes() == {}


@pytest.mark.fact("settings")
def test_what_members_may_not_do_is_what_is_not_allowed(after: After, says: Says) -> None:
    says("set_default_chat_permissions", chat_id=USERS, send_polls=False, pin_messages=True)

    (row,) = after("chats")
    assert json.loads(row["banned_rights"]) == ["send_polls", "change_info"]
    again = says("set_default_chat_permissions", chat_id=USERS, send_polls=False, pin_messages=True)
    assert again == f"Chat {USERS} default permissions unchanged (already matched)."
    assert says("set_default_chat_permissions", chat_id=BOARD) == (
        "Error: admin rights required to change default permissions."
    )


@pytest.mark.fact("settings")
def test_slow_mode_takes_telegram_s_steps_only(after: After, says: Says, fails: Callable[..., None]) -> None:
    fails("toggle_slow_mode", chat_id=USERS, seconds=7)
    fails("toggle_slow_mode", chat_id=USERS, seconds=0)
    assert says("toggle_slow_mode", chat_id=LUNCH, seconds=30) == (
        "Error: slow mode is only supported for supergroups."
    )

    assert says("toggle_slow_mode", chat_id=USERS, seconds=30) == (
        f"Slow mode enabled for chat {USERS} (interval: 30s)."
    )
    assert after("chats")[0]["slow_mode_s"] == 30
    assert says("toggle_slow_mode", chat_id=USERS) == f"Slow mode disabled for chat {USERS}."


@pytest.mark.fact("rights")
def test_an_admin_gets_exactly_the_rights_that_are_named(after: After, says: Says) -> None:
    says("edit_admin_rights", chat_id=NEWS, user_id=ELI, rank="Baker", post_messages=True, manage_topics=True)

    (row,) = after("members")
    assert (row["role"], row["rank"]) == ("admin", "Baker")
    assert json.loads(row["rights"]) == ["post_messages", "manage_topics"]


@pytest.mark.fact("rights")
def test_without_rights_an_admin_is_a_plain_member(after: After, says: Says) -> None:
    says("edit_admin_rights", chat_id=NEWS, user_id=BO)

    assert after("members")[0]["role"] == "member"


@pytest.mark.fact("rights")
@pytest.mark.parametrize(
    ("chat", "arguments", "text"),
    [
        (BOARD, {"pin_messages": True}, "Error: you need admin rights (with 'add_admins') to modify admin rights."),
        (USERS, {"post_messages": True},
         "Error: some of the requested rights are not allowed for your account or for this chat."),
    ],
)  # fmt: skip
def test_rights_that_cannot_be_given_are_refused(
    telegram: LocalApp, says: Says, chat: int, arguments: dict[str, bool], text: str
) -> None:
    assert says("edit_admin_rights", chat_id=chat, user_id=ELI, **arguments) == text
    assert telegram.changes() == {}


@pytest.mark.fact("people")
def test_a_contact_is_added_by_username(after: After, says: Says) -> None:
    text = says("add_contact", username="@hal_hart", first_name="Hal")

    (row,) = after("contacts")
    assert text == "Contact Hal  (@hal_hart) added successfully."
    assert (row["owner_id"], row["user_id"], row["first_name"]) == (ME, HAL, "Hal")


@pytest.mark.fact("people")
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "Error: Either phone or username must be provided."),
        ({"username": "@"}, "Error: Username cannot be empty."),
        ({"username": "plum_users", "first_name": "x"}, "Error: User with username @plum_users not found."),
    ],
)
def test_a_contact_without_a_way_to_somebody_is_refused(
    telegram: LocalApp, says: Says, arguments: dict[str, str], text: str
) -> None:
    assert says("add_contact", **arguments) == text
    assert telegram.changes() == {}


@pytest.mark.fact("people")
def test_a_profile_is_shown(told: Told, fails: Callable[..., None]) -> None:
    bot = told("get_full_user", username="van_bot")

    assert (bot["id"], bot["bio"], bot["bot"], bot["premium"]) == (BOT, "Where the van is", True, False)
    assert told("get_full_user", username=CY)["last_name"] == "Carr"
    assert told("get_bot_info", bot_username="van_bot")["bot_info"]["about"] == "Where the van is"
    fails("get_full_user", username="plum_users")
