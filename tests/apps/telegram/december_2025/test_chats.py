"""The list of chats, and what is done with chats as a whole."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.december_2025.conftest import Says
from tests.apps.telegram.rows import (
    ASKED,
    BO,
    BOARD,
    BOT,
    CITY,
    CREW,
    CY,
    DEE,
    FAY,
    FORUM,
    LUNCH,
    ME,
    NEWS,
    SAVED,
    USERS,
    WEATHER,
)  # fmt: skip

Fails = Callable[..., None]
IN_ORDER = [USERS, BOARD, ME, BOT, LUNCH, BO, NEWS, CITY, FORUM, CREW, FAY]


def listed(text: str) -> list[int]:
    return [int(line.removeprefix("Chat ID: ").partition(",")[0]) for line in text.splitlines()]


@pytest.mark.fact("dialogs")
def test_pinned_chats_come_first_and_then_those_with_the_newest_message(says: Says) -> None:
    assert listed(says("get_chats")) == IN_ORDER


@pytest.mark.fact("dialogs")
def test_a_line_tells_type_username_and_what_is_unread(says: Says) -> None:
    lines = says("list_chats").splitlines()

    assert lines[0] == f"Chat ID: {USERS}, Title: Plum Users, Type: group, Username: @plum_users, Unread: 1"
    assert lines[4] == f"Chat ID: {LUNCH}, Title: Lunch, Type: group, Unread: marked"
    assert lines[5] == f"Chat ID: {BO}, Name: Bo, Type: user, Username: @bo_brook, Unread: 2"
    assert lines[-1].endswith(", No unread messages")


@pytest.mark.fact("dialogs")
def test_a_type_is_looked_for_among_the_first_chats_only(says: Says) -> None:
    assert listed(says("list_chats", chat_type="Channel")) == [NEWS, CITY]
    assert says("list_chats", chat_type="channel", limit=3) == "No chats found matching the criteria."


@pytest.mark.fact("pages")
def test_a_page_is_cut_out_as_python_cuts(says: Says) -> None:
    assert listed(says("get_chats", page=2, page_size=4)) == IN_ORDER[4:8]
    assert listed(says("get_chats", page=-1, page_size=3)) == IN_ORDER[-6:-3]
    assert says("get_chats", page=0) == ""
    assert says("get_chats", page=3, page_size=10) == "Page out of range."


@pytest.mark.fact("get-chat")
def test_what_was_last_said_is_of_the_first_chat_of_the_list(says: Says) -> None:
    *_, unread, last, message = says("get_chat", chat_id=BO).splitlines()

    assert unread == "Unread Messages: 1"
    assert last == "Last Message: From Cy Carr at 2026-03-09 00:51:40+00:00"
    assert message == "Message: Dock Road"


@pytest.mark.fact("archive")
def test_archiving_pins_a_chat_above_the_others(says: Says) -> None:
    assert says("archive_chat", chat_id=CITY) == f"Chat {CITY} archived."
    assert listed(says("get_chats"))[:3] == [CITY, USERS, BOARD]
    assert says("unarchive_chat", chat_id=USERS) == f"Chat {USERS} unarchived."
    assert listed(says("get_chats"))[:2] == [CITY, USERS]


@pytest.mark.fact("archive")
def test_the_sixth_pin_is_refused_and_an_empty_chat_too(says: Says, fails: Fails) -> None:
    for each in (BO, LUNCH, NEWS, CITY):
        says("archive_chat", chat_id=each)

    fails("archive_chat", chat_id=FORUM)
    fails("archive_chat", chat_id=DEE)


@pytest.mark.fact("read")
def test_reading_takes_the_count_away(says: Says) -> None:
    assert says("mark_as_read", chat_id=BO) == f"Marked all messages as read in chat {BO}."
    assert f"Chat ID: {BO}, Name: Bo, Type: user, Username: @bo_brook, No unread messages" in says("list_chats")


@pytest.mark.fact("groups")
def test_a_new_group_is_answered_by_its_marked_id(telegram: LocalApp, says: Says) -> None:
    text = says("create_group", title="Picnic", user_ids=[BO, "dee_dale"])

    (made,) = [row["new"] for row in telegram.changes()["chats"]]
    assert text == f"Group created with ID: -{made['chat_id']}"
    assert [each["new"]["role"] for each in telegram.changes()["members"]] == ["creator", "member", "member"]
    assert "Message: None" in says("get_messages", chat_id=made["chat_id"])


@pytest.mark.fact("groups")
def test_a_group_needs_somebody_who_is_known(says: Says, fails: Fails) -> None:
    assert says("create_group", title="Picnic", user_ids=[]) == "Error: No valid users provided"
    assert says("create_group", title="x", user_ids=[BO, 77]) == "Error: Could not find user with ID 77"
    fails("create_group", title="Alone", user_ids=[ME])
    fails("create_group", title=" ", user_ids=[BO])


@pytest.mark.fact("blocks")
def test_who_blocked_the_account_is_left_out_of_a_new_group(telegram: LocalApp, says: Says) -> None:
    telegram.episode.db.insert("blocks", owner_id=BO, peer_id=ME)

    assert says("create_group", title="Picnic", user_ids=[BO, CY]).startswith("Group created with ID: ")

    added = {row["new"]["user_id"] for row in telegram.changes()["members"]}
    assert added == {ME, CY}


@pytest.mark.fact("groups")
def test_a_new_channel_is_answered_by_its_bare_id(telegram: LocalApp, says: Says) -> None:
    text = says("create_channel", title="Tarts", megagroup=True)

    (made,) = [row["new"] for row in telegram.changes()["chats"]]
    assert text == f"Channel 'Tarts' created with ID: {made['chat_id']}"
    assert made["kind"] == "supergroup"


@pytest.mark.fact("flood")
def test_under_the_spam_guards_limit_only_contacts_are_reached(telegram: LocalApp, says: Says, fails: Fails) -> None:
    telegram.episode.db.update("users", {"user_id": ME}, is_limited=1)

    fails("send_message", chat_id=DEE, message="hi")
    fails("create_group", title="x", user_ids=[CY])
    assert says("send_message", chat_id=BO, message="hi") == "Message sent successfully."


@pytest.mark.fact("flood")
def test_a_slow_mode_lasts(fails: Fails) -> None:
    fails("send_message", chat_id=BOARD, message="again")


@pytest.mark.fact("rights")
def test_titles_and_photos_are_changed_by_who_may(telegram: LocalApp, says: Says, fails: Fails) -> None:
    assert says("edit_chat_title", chat_id=USERS, title="Plums") == f"Chat {USERS} title updated to 'Plums'."
    assert says("edit_chat_photo", chat_id=LUNCH, file_path="/home/ada/cake.png") == f"Chat {LUNCH} photo updated."
    assert says("delete_chat_photo", chat_id=LUNCH) == f"Chat {LUNCH} photo deleted."
    fails("edit_chat_title", chat_id=BOARD, title="x")
    fails("edit_chat_title", chat_id=USERS, title="Plums")
    fails("delete_chat_photo", chat_id=LUNCH)
    class_name = "<class 'telethon.tl.types.User'>"
    assert says("edit_chat_title", chat_id=BO, title="x") == f"Cannot edit title for this entity type ({class_name})."
    assert telegram.episode.db.scalar("SELECT title FROM chats WHERE chat_id = ?", USERS) == "Plums"


@pytest.mark.fact("joining")
def test_a_public_channel_is_joined_once(says: Says) -> None:
    assert says("subscribe_public_channel", channel="weather_now") == "Subscribed to Weather."
    assert says("subscribe_public_channel", channel=WEATHER) == "Already subscribed to Weather."
    assert WEATHER in listed(says("get_chats"))


@pytest.mark.fact("joining")
@pytest.mark.parametrize(
    ("link", "text"),
    [
        ("https://t.me/+AAAAAAAAAAAAAAAA", "Successfully joined chat: Weather"),
        ("t.me/joinchat/BBBBBBBBBBBBBBBB", "You are already a member of this chat: Plum Users"),
        ("DDDDDDDDDDDDDDDD", "The invite hash has expired and is no longer valid."),
        ("EEEEEEEEEEEEEEEE", "The invite hash has expired and is no longer valid."),
        ("+AAAAAAAAAAAAAAAA", "The invite hash is invalid or malformed."),
        ("", "Error joining chat: The invite hash is empty (caused by ImportChatInviteRequest)"),
    ],
)
def test_a_link_is_followed_or_says_why_not(says: Says, link: str, text: str) -> None:
    assert says("join_chat_by_link", link=link) == text


@pytest.mark.fact("joining")
def test_where_an_admin_decides_the_account_waits_outside(says: Says, fails: Fails) -> None:
    said = "You have successfully requested to join this chat or channel (caused by ImportChatInviteRequest)"

    assert says("join_chat_by_link", link="CCCCCCCCCCCCCCCC") == f"Error joining chat: {said}"
    assert ASKED not in listed(says("get_chats"))
    fails("import_chat_invite", hash="CCCCCCCCCCCCCCCC")


@pytest.mark.fact("rights")
def test_who_made_a_channel_cannot_leave_it(says: Says, fails: Fails) -> None:
    assert says("leave_chat", chat_id=CITY) == f"Left channel/supergroup City Alerts (ID: {CITY})."
    assert says("leave_chat", chat_id=LUNCH) == f"Left basic group Lunch (ID: {LUNCH})."
    assert CITY not in listed(says("get_chats"))
    fails("leave_chat", chat_id=NEWS)
    fails("leave_chat", chat_id=CREW)
    fails("leave_chat", chat_id=BO)


@pytest.mark.fact("invites")
def test_each_link_is_a_new_one(telegram: LocalApp, says: Says, fails: Fails) -> None:
    first, second = (says("get_invite_link", chat_id=USERS) for _ in range(2))

    assert first != second
    assert {f"https://t.me/+{row['new']['hash']}" for row in telegram.changes()["invites"]} == {first, second}
    assert says("get_invite_link", chat_id=BOARD) == "Could not retrieve invite link for this chat."
    fails("export_chat_invite", chat_id=BOARD)


@pytest.mark.fact("drafts")
def test_a_draft_takes_the_place_of_the_one_there(says: Says) -> None:
    says("save_draft", chat_id=BO, message="Rather not", reply_to_msg_id=3)

    drafts = json.loads(says("get_drafts"))
    assert drafts["count"] == 3
    assert (drafts["drafts"][0]["message"], drafts["drafts"][0]["reply_to_msg_id"]) == ("Rather not", 3)
    assert [each["peer_id"] for each in drafts["drafts"]] == [BO, -LUNCH, -1000000000000 - NEWS]


@pytest.mark.fact("drafts")
def test_without_drafts_a_sentence_says_so(says: Says) -> None:
    for each in (BO, LUNCH, NEWS):
        assert says("clear_draft", chat_id=each) == f"Draft cleared from chat {each}."

    assert says("get_drafts") == "No drafts found."


@pytest.mark.fact("dialogs")
def test_muting_is_kept_for_the_account_alone(telegram: LocalApp, says: Says) -> None:
    assert says("mute_chat", chat_id="bo_brook") == "Chat bo_brook muted."
    assert [row["new"]["is_muted"] for row in telegram.changes()["dialogs"]] == [1]
    assert SAVED not in [row["new"]["chat_id"] for row in telegram.changes()["dialogs"]]


@pytest.mark.fact("misfits")
def test_topics_are_out_of_reach_in_a_forum(says: Says, fails: Fails) -> None:
    fails("list_topics", chat_id=FORUM)
    assert says("list_topics", chat_id=LUNCH) == "The specified chat is not a supergroup."
    assert says("list_topics", chat_id=USERS) == "The specified supergroup does not have forum topics enabled."
