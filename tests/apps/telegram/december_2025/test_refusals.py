"""What Telegram refuses, by the name that its documentation has for it; agents see the tool's code alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.december_2025.conftest import Says
from tests.apps.telegram.rows import (
    BO,
    BOARD,
    BOT,
    CITY,
    CREW,
    CY,
    DEE,
    ELI,
    FAY,
    FOLDER,
    FORUM,
    GIL,
    GIVEN,
    HAL,
    LEI,
    LUNCH,
    ME,
    NEWS,
    NOW_S,
    QUITTED,
    USERS,
    WITH_BO,
    file,
)

Refused = Callable[..., str]
DAY_S = 86_400


@pytest.fixture
def refused(telegram: LocalApp) -> Refused:
    """Make a call that must fail and change nothing; return Telegram's name of what is wrong, or ours of its kind."""

    def make(tool: str, **arguments: Any) -> str:
        before = telegram.changes()
        outcome = telegram.outcome(tool, arguments)
        text = json.loads(outcome.result)["content"][0]["text"]
        assert text.startswith("An error occurred (code: "), text
        assert telegram.changes() == before
        name = getattr(outcome.error, "name", None)
        return str(name or getattr(outcome.error, "code", None))

    return make


def change(app: LocalApp, table: str, key: dict[str, Any], **columns: Any) -> None:
    assert app.episode.db.update(table, key, **columns)


CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("send_message", {"chat_id": FAY, "message": "x"}, "YOU_BLOCKED_USER"),
    ("send_message", {"chat_id": CITY, "message": "x"}, "CHAT_ADMIN_REQUIRED"),
    ("send_message", {"chat_id": CREW, "message": "x"}, "CHAT_WRITE_FORBIDDEN"),
    ("send_message", {"chat_id": "weather_now", "message": "x"}, "CHAT_WRITE_FORBIDDEN"),
    ("send_message", {"chat_id": BOARD, "message": "x"}, "SLOWMODE_WAIT"),
    ("send_message", {"chat_id": BO, "message": " "}, "MESSAGE_EMPTY"),
    ("send_message", {"chat_id": BO, "message": "x" * 4097}, "MESSAGE_TOO_LONG"),
    ("send_message", {"chat_id": BO, "message": "`" * 65_537}, "MESSAGE_TOO_LONG"),
    ("send_message", {"chat_id": BO, "message": "\ud83d"}, "NOT_FITTING"),
    ("send_message", {"chat_id": GIL, "message": "x"}, "NOT_FOUND"),
    ("send_message", {"chat_id": -(2**63), "message": "x"}, "NOT_FOUND"),
    ("edit_message", {"chat_id": BO, "message_id": 2, "new_text": "x"}, "MESSAGE_EDIT_TIME_EXPIRED"),
    ("edit_message", {"chat_id": BO, "message_id": 3, "new_text": "x"}, "MESSAGE_AUTHOR_REQUIRED"),
    ("edit_message", {"chat_id": BO, "message_id": 6, "new_text": "Nice"}, "MESSAGE_NOT_MODIFIED"),
    ("edit_message", {"chat_id": BO, "message_id": 7, "new_text": "x"}, "MESSAGE_ID_INVALID"),
    ("edit_message", {"chat_id": LUNCH, "message_id": 4, "new_text": "x"}, "MESSAGE_ID_INVALID"),
    ("edit_message", {"chat_id": BO, "message_id": 2**31, "new_text": "x"}, "NOT_FITTING"),
    ("delete_message", {"chat_id": BOARD, "message_id": 1}, "MESSAGE_DELETE_FORBIDDEN"),
    ("delete_message", {"chat_id": BO, "message_id": 2**31}, "NOT_FITTING"),
    ("forward_message", {"from_chat_id": BOARD, "message_id": 1, "to_chat_id": BO}, "CHAT_FORWARDS_RESTRICTED"),
    ("forward_message", {"from_chat_id": LUNCH, "message_id": 4, "to_chat_id": BO}, "MESSAGE_ID_INVALID"),
    ("reply_to_message", {"chat_id": BO, "message_id": 10, "text": "x"}, "REPLY_MESSAGE_ID_INVALID"),
    ("pin_message", {"chat_id": BOARD, "message_id": 1}, "CHAT_ADMIN_REQUIRED"),
    ("pin_message", {"chat_id": CITY, "message_id": 1}, "CHAT_ADMIN_REQUIRED"),
    ("pin_message", {"chat_id": CREW, "message_id": 12}, "CHAT_WRITE_FORBIDDEN"),
    ("unpin_message", {"chat_id": "weather_now", "message_id": 0}, "CHAT_WRITE_FORBIDDEN"),
    ("pin_message", {"chat_id": BO, "message_id": 10}, "MESSAGE_ID_INVALID"),
    ("pin_message", {"chat_id": LUNCH, "message_id": 4}, "MESSAGE_ID_INVALID"),
    ("unpin_message", {"chat_id": BO, "message_id": 2**31}, "NOT_FITTING"),
    ("get_messages", {"chat_id": BO, "page": 2**31, "page_size": 2}, "NOT_FITTING"),
    ("get_messages", {"chat_id": BO, "page": -(2**31), "page_size": 2}, "NOT_FITTING"),
    ("search_messages", {"chat_id": BO, "query": "\ud83d"}, "NOT_FITTING"),
    ("create_channel", {"title": " "}, "CHAT_TITLE_EMPTY"),
    ("create_channel", {"title": "\udc00"}, "NOT_FITTING"),
    ("create_channel", {"title": "x", "about": "x" * 256}, "CHAT_ABOUT_TOO_LONG"),
    ("create_channel", {"title": "x", "about": "\udc00"}, "NOT_FITTING"),
    ("create_group", {"title": " ", "user_ids": [BO]}, "CHAT_TITLE_EMPTY"),
    ("create_group", {"title": "x", "user_ids": [ME]}, "USERS_TOO_FEW"),
    ("create_group", {"title": "x", "user_ids": [BO, USERS]}, "NOT_FITTING"),
    ("edit_chat_title", {"chat_id": -LUNCH, "title": "x"}, "CHAT_ID_INVALID"),
    ("edit_chat_title", {"chat_id": LUNCH, "title": " "}, "CHAT_TITLE_EMPTY"),
    ("edit_chat_title", {"chat_id": LUNCH, "title": " Lunch "}, "CHAT_NOT_MODIFIED"),
    ("edit_chat_title", {"chat_id": BOARD, "title": "x"}, "CHAT_ADMIN_REQUIRED"),
    ("edit_chat_photo", {"chat_id": LUNCH, "file_path": f"{FOLDER}/list.txt"}, "PHOTO_EXT_INVALID"),
    ("delete_chat_photo", {"chat_id": LUNCH}, "CHAT_NOT_MODIFIED"),
    ("delete_chat_photo", {"chat_id": -LUNCH}, "CHAT_ID_INVALID"),
    ("leave_chat", {"chat_id": NEWS}, "USER_CREATOR"),
    ("leave_chat", {"chat_id": CREW}, "USER_NOT_PARTICIPANT"),
    ("mute_chat", {"chat_id": "weather_now"}, "PEER_ID_INVALID"),
    ("unmute_chat", {"chat_id": CREW}, "PEER_ID_INVALID"),
    ("archive_chat", {"chat_id": DEE}, "PEER_HISTORY_EMPTY"),
    ("list_topics", {"chat_id": FORUM}, "FAILED"),
    ("get_participants", {"chat_id": CITY}, "CHAT_ADMIN_REQUIRED"),
    ("get_admins", {"chat_id": "weather_now"}, "CHAT_ADMIN_REQUIRED"),
    ("get_banned_users", {"chat_id": BOARD}, "CHAT_ADMIN_REQUIRED"),
    ("invite_to_group", {"group_id": USERS, "user_ids": [DEE]}, "USER_KICKED"),
    ("invite_to_group", {"group_id": USERS, "user_ids": []}, "USERS_TOO_FEW"),
    ("invite_to_group", {"group_id": USERS, "user_ids": [LUNCH]}, "NOT_FITTING"),
    ("invite_to_group", {"group_id": USERS, "user_ids": [-5]}, "NOT_FOUND"),
    ("invite_to_group", {"group_id": BOARD, "user_ids": [CY]}, "CHAT_ADMIN_REQUIRED"),
    ("invite_to_group", {"group_id": NEWS, "user_ids": [BOT]}, "USER_BOT"),
    ("promote_admin", {"group_id": LUNCH, "user_id": BO}, "NOT_FITTING"),
    ("promote_admin", {"group_id": USERS, "user_id": LUNCH}, "NOT_FITTING"),
    ("promote_admin", {"group_id": BOARD, "user_id": ELI}, "CHAT_ADMIN_REQUIRED"),
    ("promote_admin", {"group_id": USERS, "user_id": BO}, "USER_CREATOR"),
    ("promote_admin", {"group_id": USERS, "user_id": CY}, "CHAT_ADMIN_REQUIRED"),
    ("promote_admin", {"group_id": USERS, "user_id": ELI}, "RIGHT_FORBIDDEN"),
    ("promote_admin", {"group_id": USERS, "user_id": HAL}, "USER_PRIVACY_RESTRICTED"),
    ("demote_admin", {"group_id": NEWS, "user_id": DEE}, "USER_NOT_PARTICIPANT"),
    ("demote_admin", {"group_id": USERS, "user_id": CY}, "CHAT_ADMIN_REQUIRED"),
    ("demote_admin", {"group_id": USERS, "user_id": BO}, "USER_CREATOR"),
    ("ban_user", {"chat_id": LUNCH, "user_id": BO}, "NOT_FITTING"),
    ("ban_user", {"chat_id": BOARD, "user_id": ELI}, "CHAT_ADMIN_REQUIRED"),
    ("ban_user", {"chat_id": USERS, "user_id": ME}, "PARTICIPANT_ID_INVALID"),
    ("unban_user", {"chat_id": USERS, "user_id": LUNCH}, "PARTICIPANT_ID_INVALID"),
    ("ban_user", {"chat_id": USERS, "user_id": BO}, "USER_ADMIN_INVALID"),
    ("unban_user", {"chat_id": USERS, "user_id": CY}, "USER_ADMIN_INVALID"),
    ("export_chat_invite", {"chat_id": BO}, "PEER_ID_INVALID"),
    ("export_chat_invite", {"chat_id": BOARD}, "CHAT_ADMIN_REQUIRED"),
    ("import_chat_invite", {"hash": ""}, "INVITE_HASH_EMPTY"),
    ("get_recent_actions", {"chat_id": BOARD}, "CHAT_ADMIN_REQUIRED"),
    ("get_recent_actions", {"chat_id": LUNCH}, "NOT_FITTING"),
    ("search_contacts", {"query": " "}, "SEARCH_QUERY_EMPTY"),
    ("search_public_chats", {"query": "\ud83d"}, "NOT_FITTING"),
    ("add_contact", {"phone": "1", "first_name": "\ud83d"}, "NOT_FITTING"),
    ("import_contacts", {"contacts": ["x"]}, "FAILED"),
    ("block_user", {"user_id": LUNCH}, "CONTACT_ID_INVALID"),
    ("block_user", {"user_id": ME}, "CONTACT_ID_INVALID"),
    ("unblock_user", {"user_id": LUNCH}, "NOT_FITTING"),
    ("delete_contact", {"user_id": USERS}, "NOT_FITTING"),
    ("update_profile", {"first_name": " "}, "FIRSTNAME_INVALID"),
    ("update_profile", {"about": "x" * 71}, "ABOUT_TOO_LONG"),
    ("update_profile", {"last_name": "\ud83d"}, "NOT_FITTING"),
    ("set_profile_photo", {"file_path": f"{FOLDER}/none.png"}, "FAILED"),
    ("set_profile_photo", {"file_path": f"{FOLDER}/list.txt"}, "PHOTO_EXT_INVALID"),
    ("get_user_photos", {"user_id": BO, "limit": 2**31}, "NOT_FITTING"),
    ("get_user_status", {"user_id": USERS}, "FAILED"),
    ("resolve_username", {"username": "nobody_here"}, "USERNAME_NOT_OCCUPIED"),
    ("resolve_username", {"username": "\ud83d"}, "NOT_FITTING"),
    ("set_privacy_settings", {"key": "status", "allow_users": [BO]}, "INPUT_FETCH_ERROR"),
    ("set_privacy_settings", {"key": "phone", "disallow_users": [GIL, BO]}, "INPUT_FETCH_ERROR"),
    ("send_file", {"chat_id": BO, "file_path": f"{FOLDER}/empty.bin"}, "FILE_PARTS_INVALID"),
    ("send_file", {"chat_id": BO, "file_path": f"{FOLDER}/list.txt", "caption": "x" * 1025}, "MESSAGE_TOO_LONG"),
    ("send_file", {"chat_id": BO, "file_path": "\ud83d"}, "NOT_FITTING"),
    ("send_file", {"chat_id": CITY, "file_path": f"{FOLDER}/list.txt"}, "CHAT_ADMIN_REQUIRED"),
    ("get_media_info", {"chat_id": BO, "message_id": 0}, "NOT_FITTING"),
    ("download_media", {"chat_id": BO, "message_id": 8, "file_path": "\ud83d"}, "NOT_FITTING"),
    ("get_gif_search", {"query": "\ud83d"}, "NOT_FITTING"),
    ("send_gif", {"chat_id": BO, "gif_id": 5}, "NOT_FITTING"),
    ("send_reaction", {"chat_id": "weather_now", "message_id": 1, "emoji": "👍"}, "CHANNEL_PRIVATE"),
    ("send_reaction", {"chat_id": CREW, "message_id": 12, "emoji": "👍"}, "CHANNEL_PRIVATE"),
    ("send_reaction", {"chat_id": BO, "message_id": 1, "emoji": "😂"}, "REACTION_INVALID"),
    ("send_reaction", {"chat_id": BO, "message_id": 10, "emoji": "👍"}, "MESSAGE_ID_INVALID"),
    ("remove_reaction", {"chat_id": BO, "message_id": 1}, "MESSAGE_NOT_MODIFIED"),
    ("get_message_reactions", {"chat_id": NEWS, "message_id": 1}, "BROADCAST_FORBIDDEN"),
    ("press_inline_button", {"chat_id": BOT, "button_text": "Slow"}, "BOT_RESPONSE_TIMEOUT"),
    ("list_inline_buttons", {"chat_id": BOT, "message_id": "²"}, "NOT_FITTING"),
    ("get_bot_info", {"bot_username": "plum_users"}, "NOT_FITTING"),
    ("get_bot_info", {"bot_username": "\ud83d"}, "NOT_FITTING"),
    ("save_draft", {"chat_id": BO, "message": "\ud83d"}, "NOT_FITTING"),
    ("save_draft", {"chat_id": BO, "message": "x", "reply_to_msg_id": 2**31}, "NOT_FITTING"),
]


@pytest.mark.fact("rights")
@pytest.mark.fact("codes")
@pytest.mark.parametrize(("tool", "arguments", "name"), CALLS)
def test_a_call_is_refused_by_its_name(refused: Refused, tool: str, arguments: dict[str, Any], name: str) -> None:
    assert refused(tool, **arguments) == name


@pytest.mark.fact("codes")
@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    # Python's own abs(hash(tool)) % 1000 under PYTHONHASHSEED=0.
    [
        ("get_me", {}, "GEN-ERR-105"),
        ("get_chats", {}, "CHAT-ERR-069"),
        ("list_chats", {}, "CHAT-ERR-683"),
        ("list_contacts", {}, "CONTACT-ERR-275"),
        ("get_contact_ids", {}, "CONTACT-ERR-799"),
        ("export_contacts", {}, "CONTACT-ERR-785"),
        ("search_contacts", {"query": "x"}, "CONTACT-ERR-956"),
        ("search_public_chats", {"query": "x"}, "CHAT-ERR-917"),
        ("add_contact", {"phone": "1", "first_name": "x"}, "CONTACT-ERR-604"),
        ("import_contacts", {"contacts": []}, "CONTACT-ERR-724"),
        ("get_blocked_users", {}, "GEN-ERR-622"),
        ("get_admins", {"chat_id": 1}, "ADMIN-ERR-845"),
        ("promote_admin", {"group_id": 1, "user_id": 1}, "ADMIN-ERR-050"),
        ("ban_user", {"chat_id": 1, "user_id": 1}, "GEN-ERR-801"),
        ("create_channel", {"title": "x"}, "GEN-ERR-832"),
        ("get_direct_chat_by_contact", {"contact_query": "x"}, "CHAT-ERR-562"),
        ("send_reaction", {"chat_id": 1, "message_id": 1, "emoji": "👍"}, "GEN-ERR-001"),
        ("mark_as_read", {"chat_id": 1}, "GEN-ERR-043"),
        ("archive_chat", {"chat_id": 1}, "CHAT-ERR-026"),
        ("invite_to_group", {"group_id": 1, "user_ids": []}, "GROUP-ERR-931"),
        ("download_media", {"chat_id": 1, "message_id": 1, "file_path": "x"}, "MEDIA-ERR-298"),
        ("update_profile", {"about": "x"}, "PROFILE-ERR-463"),
        ("set_profile_photo", {"file_path": f"{FOLDER}/cake.png"}, "PROFILE-ERR-439"),
        ("delete_profile_photo", {}, "PROFILE-ERR-674"),
        ("get_privacy_settings", {}, "GEN-ERR-095"),
        ("set_privacy_settings", {"key": "phone"}, "GEN-ERR-114"),
        ("set_bot_commands", {"bot_username": "x", "commands": []}, "GEN-ERR-092"),
        ("get_bot_info", {"bot_username": "x"}, "GEN-ERR-689"),
        ("get_user_photos", {"user_id": 1}, "GEN-ERR-745"),
        ("resolve_username", {"username": "x"}, "GEN-ERR-098"),
        ("get_sticker_sets", {}, "GEN-ERR-742"),
        ("get_drafts", {}, "GEN-ERR-614"),
        ("import_chat_invite", {"hash": "x"}, "CHAT-ERR-226"),
        ("create_poll", {"chat_id": 1, "question": "?", "options": []}, "GEN-ERR-586"),
        ("list_topics", {"chat_id": 1}, "GEN-ERR-499"),
    ],
)
def test_where_nobody_is_logged_in_every_tool_has_its_code(
    start: Callable[..., LocalApp], tool: str, arguments: dict[str, Any], code: str
) -> None:
    app = start("telegram", profile="paper-2025", rows=[file(FOLDER, "cake.png", owner_id=0)])

    text = app.result(tool, **arguments)["content"][0]["text"]

    assert text == f"An error occurred (code: {code}). Check mcp_errors.log for details."
    error = app.outcome(tool, arguments).error
    assert str(error) == "Cannot send requests while disconnected"


@pytest.mark.fact("blocks")
def test_blocks_and_limits_count_in_the_right_direction(telegram: LocalApp, says: Says, refused: Refused) -> None:
    telegram.episode.db.insert("blocks", owner_id=DEE, peer_id=ME)
    assert refused("send_message", chat_id=DEE, message="x") == "USER_IS_BLOCKED"
    # Of others among themselves nothing is to be seen.
    telegram.episode.db.insert("blocks", owner_id=CY, peer_id=BO)
    assert says("send_message", chat_id=CY, message="x") == "Message sent successfully."


@pytest.mark.fact("flood")
def test_the_spam_guards_limit_binds_towards_strangers(telegram: LocalApp, says: Says, refused: Refused) -> None:
    change(telegram, "users", {"user_id": ME}, is_limited=1)

    assert refused("send_message", chat_id=DEE, message="x") == "PEER_FLOOD"
    assert refused("create_group", title="x", user_ids=[BO, CY]) == "PEER_FLOOD"
    assert says("send_message", chat_id=ME, message="x") == "Message sent successfully."
    assert says("send_message", chat_id=LUNCH, message="x") == "Message sent successfully."
    assert says("create_group", title="Ours", user_ids=[BO]).startswith("Group created with ID: -")


@pytest.mark.fact("flood")
@pytest.mark.parametrize(("slow_mode_s", "is_refused"), [(661, True), (660, False), (0, False)])
def test_a_slow_mode_of_up_to_a_minute_is_slept_through(
    telegram: LocalApp, says: Says, refused: Refused, slow_mode_s: int, is_refused: bool
) -> None:
    """The account's last message there is 600 seconds old."""
    change(telegram, "chats", {"chat_id": BOARD}, slow_mode_s=slow_mode_s)

    if is_refused:
        assert refused("send_message", chat_id=BOARD, message="x") == "SLOWMODE_WAIT"
    else:
        assert says("send_message", chat_id=BOARD, message="x") == "Message sent successfully."


@pytest.mark.fact("flood")
def test_a_slow_mode_binds_plain_members_who_wrote(telegram: LocalApp, says: Says) -> None:
    change(telegram, "chats", {"chat_id": USERS}, slow_mode_s=9000)
    assert says("send_message", chat_id=USERS, message="x") == "Message sent successfully."
    telegram.episode.db.execute("DELETE FROM messages WHERE chat_id = ? AND sender_id = ?", BOARD, ME)
    assert says("send_message", chat_id=BOARD, message="x") == "Message sent successfully."


@pytest.mark.fact("flood")
@pytest.mark.parametrize(("count", "age_s", "is_refused"), [(50, 0, True), (49, 0, False), (50, DAY_S, False)])
def test_fifty_groups_and_channels_are_made_a_day(
    telegram: LocalApp, says: Says, refused: Refused, count: int, age_s: int, is_refused: bool
) -> None:
    for number in range(count):
        chat: dict[str, Any] = {"chat_id": 4_200_000_000 + number, "kind": "group", "title": "x"}
        telegram.episode.db.insert("chats", **chat, created_s=NOW_S - age_s)
        telegram.episode.db.insert("members", chat_id=chat["chat_id"], user_id=ME, role="creator")

    if is_refused:
        assert refused("create_channel", title="x") == "FLOOD_WAIT"
        assert refused("create_group", title="x", user_ids=[BO]) == "FLOOD_WAIT"
    else:
        assert says("create_channel", title="x").startswith("Channel 'x' created with ID: 2")


@pytest.mark.fact("rights")
def test_who_is_banned_from_a_plain_group_writes_nothing(telegram: LocalApp, refused: Refused) -> None:
    change(telegram, "members", {"chat_id": CREW, "user_id": ME}, role="banned")
    assert refused("send_message", chat_id=CREW, message="x") == "USER_BANNED_IN_CHANNEL"


@pytest.mark.fact("session")
@pytest.mark.parametrize(("chat", "part"), [(QUITTED, "banned"), (BOARD, "left"), (BOARD, "banned"), (BOARD, "asked")])
def test_a_channel_is_closed_to_who_is_out(telegram: LocalApp, refused: Refused, chat: int, part: str) -> None:
    change(telegram, "members", {"chat_id": chat, "user_id": ME}, role=part)
    assert refused("get_messages", chat_id=chat) == "CHANNEL_PRIVATE"


# Member rights of a supergroup, and what is called to use each.
USES: list[tuple[str, str, dict[str, Any]]] = [
    ("send_messages", "send_message", {"message": "x"}),
    ("send_media", "send_file", {"file_path": f"{FOLDER}/list.txt"}),
    ("send_stickers", "send_sticker", {"file_path": f"{FOLDER}/smile.webp"}),
    ("send_polls", "create_poll", {"question": "?", "options": ["a", "b"]}),
    ("change_info", "edit_chat_title", {"title": "Ours"}),
    ("pin_messages", "pin_message", {"message_id": 1}),
]


@pytest.mark.fact("kinds")
@pytest.mark.parametrize(("right", "tool", "arguments"), USES)
def test_a_right_that_members_have_is_taken_from_them_alone(
    telegram: LocalApp, says: Says, refused: Refused, right: str, tool: str, arguments: dict[str, Any]
) -> None:
    change(telegram, "chats", {"chat_id": BOARD}, banned_rights=json.dumps([right]), slow_mode_s=0)
    name = "CHAT_WRITE_FORBIDDEN" if right.startswith("send_") else "CHAT_ADMIN_REQUIRED"
    assert refused(tool, chat_id=BOARD, **arguments) == name

    # An admin who was given nothing sends what admins may, and does no more than members may.
    change(telegram, "members", {"chat_id": BOARD, "user_id": ME}, role="admin", rights="[]")
    if right.startswith("send_"):
        assert not says(tool, chat_id=BOARD, **arguments).startswith("An error")
    else:
        assert refused(tool, chat_id=BOARD, **arguments) == name
        change(telegram, "members", {"chat_id": BOARD, "user_id": ME}, rights=json.dumps([right]))
        assert not says(tool, chat_id=BOARD, **arguments).startswith("An error")


@pytest.mark.fact("kinds")
@pytest.mark.parametrize(("right", "tool", "arguments"), USES)
def test_what_is_not_taken_from_members_they_have(
    telegram: LocalApp, says: Says, right: str, tool: str, arguments: dict[str, Any]
) -> None:
    others = [each for each, *_ in USES if each not in (right, "send_messages", "send_media")]
    change(telegram, "chats", {"chat_id": BOARD}, banned_rights=json.dumps(others), slow_mode_s=0)

    assert not says(tool, chat_id=BOARD, **arguments).startswith("An error")


# -- admins and bans --------------------------------------------------------------------------------------------------


OURS = {
    "change_info": True,
    "delete_messages": True,
    "ban_users": True,
    "invite_users": True,
    "pin_messages": True,
    "add_admins": True,
    "post_messages": False,
    "edit_messages": False,
    "manage_call": False,
    "other": False,
}
LEFT = (
    "Error: Cannot promote users who are not mutual contacts. Please ensure the user is in your contacts and has added "
    "you back."
)


def own_rights(app: LocalApp, *taken: str) -> None:
    kept = [each for each in GIVEN if each not in taken]
    change(app, "members", {"chat_id": USERS, "user_id": ME}, rights=json.dumps(kept))


@pytest.mark.fact("admins")
def test_an_admin_hands_on_what_they_have(telegram: LocalApp, says: Says, refused: Refused) -> None:
    done = f"Successfully promoted user {ELI} to admin in Plum Users"
    assert says("promote_admin", group_id=USERS, user_id=ELI, rights=OURS) == done
    # Whom the account has promoted it may change, and make a member again.
    assert says("promote_admin", group_id=USERS, user_id=ELI, rights={**OURS, "add_admins": False}) == done
    assert says("demote_admin", group_id=USERS, user_id=ELI) == (
        f"Successfully demoted user {ELI} from admin in Plum Users"
    )
    own_rights(telegram, "pin_messages")
    change(telegram, "chats", {"chat_id": USERS}, banned_rights='["pin_messages"]')
    assert refused("promote_admin", group_id=USERS, user_id=ELI, rights=OURS) == "RIGHT_FORBIDDEN"
    own_rights(telegram, "add_admins")
    assert refused("promote_admin", group_id=USERS, user_id=ELI, rights=OURS) == "CHAT_ADMIN_REQUIRED"


@pytest.mark.fact("admins")
def test_demoting_a_plain_member_changes_nothing(telegram: LocalApp, says: Says) -> None:
    assert says("demote_admin", group_id=NEWS, user_id=ELI) == (
        f"Successfully demoted user {ELI} from admin in Plum News"
    )
    assert says("promote_admin", group_id=NEWS, user_id=ELI, rights={}) == (
        f"Successfully promoted user {ELI} to admin in Plum News"
    )
    assert [row["new"]["role"] for row in telegram.changes()["members"]] == ["admin"]
    assert len(telegram.changes()["events"]) == 1


@pytest.mark.fact("admins")
def test_to_bring_in_an_admin_one_needs_the_rights_for_it(telegram: LocalApp, says: Says, refused: Refused) -> None:
    assert says("promote_admin", group_id=USERS, user_id=FAY, rights=OURS) == LEFT
    own_rights(telegram, "ban_users")
    rights = {**OURS, "ban_users": False}
    # Who is banned is brought back by who may lift bans alone.
    assert refused("promote_admin", group_id=USERS, user_id=DEE, rights=rights) == "CHAT_ADMIN_INVITE_REQUIRED"
    assert says("promote_admin", group_id=USERS, user_id=LEI, rights=rights).startswith("Successfully promoted")
    own_rights(telegram, "invite_users")
    change(telegram, "chats", {"chat_id": USERS}, banned_rights='["invite_users"]')
    rights = {**OURS, "invite_users": False}
    assert refused("promote_admin", group_id=USERS, user_id=GIL, rights=rights) == "NOT_FOUND"
    assert refused("promote_admin", group_id=USERS, user_id=DEE, rights=rights) == "CHAT_ADMIN_INVITE_REQUIRED"
    own_rights(telegram)
    assert says("promote_admin", group_id=USERS, user_id=DEE, rights=OURS).startswith("Successfully promoted")
    telegram.episode.db.insert("contacts", owner_id=HAL, user_id=ME, first_name="Ada")
    assert says("promote_admin", group_id=USERS, user_id=HAL, rights=OURS).startswith("Successfully promoted")


@pytest.mark.fact("admins")
@pytest.mark.parametrize(("more", "is_refused"), [(49, True), (48, False)])
def test_a_channel_has_fifty_admins(
    telegram: LocalApp, says: Says, refused: Refused, more: int, is_refused: bool
) -> None:
    """There is one to begin with."""
    for number in range(more):
        telegram.episode.db.insert("users", user_id=6_200_000_000 + number, first_name="x")
        telegram.episode.db.insert("members", chat_id=NEWS, user_id=6_200_000_000 + number, role="admin")

    if is_refused:
        assert refused("promote_admin", group_id=NEWS, user_id=ELI) == "ADMINS_TOO_MUCH"
        assert says("promote_admin", group_id=NEWS, user_id=BO).startswith("Successfully promoted")
        assert says("demote_admin", group_id=NEWS, user_id=BO).startswith("Successfully demoted")
    assert says("promote_admin", group_id=NEWS, user_id=ELI).startswith("Successfully promoted")


@pytest.mark.fact("bans")
def test_a_ban_is_set_and_lifted_once(telegram: LocalApp, says: Says) -> None:
    assert says("ban_user", chat_id=USERS, user_id=DEE) == f"User {DEE} banned from chat Plum Users (ID: {USERS})."
    assert says("unban_user", chat_id=USERS, user_id=ELI) == f"User {ELI} unbanned from chat Plum Users (ID: {USERS})."
    assert telegram.changes() == {}
    # An admin that the account has made it may ban.
    change(telegram, "members", {"chat_id": USERS, "user_id": CY}, by_id=ME)
    assert says("ban_user", chat_id=USERS, user_id=CY).startswith(f"User {CY} banned")
    assert says("unban_user", chat_id=USERS, user_id=CY).startswith(f"User {CY} unbanned")
    assert says("ban_user", chat_id=NEWS, user_id=BO).startswith(f"User {BO} banned")


# -- links ------------------------------------------------------------------------------------------------------------


@pytest.mark.fact("joining")
@pytest.mark.parametrize(("expires_s", "is_over"), [(NOW_S, True), (NOW_S + 1, False), (None, False)])
def test_a_link_ends_with_its_second(telegram: LocalApp, says: Says, expires_s: int | None, is_over: bool) -> None:
    change(telegram, "invites", {"hash": "A" * 16}, expires_s=expires_s)

    said = says("import_chat_invite", hash="A" * 16)

    over = "The invite hash has expired and is no longer valid."
    assert said == (over if is_over else "Successfully joined chat: Weather")


@pytest.mark.fact("joining")
@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("x" * 15, "The invite hash is invalid or malformed."),
        ("x" * 25, "The invite hash is invalid or malformed."),
        ("x y" * 6, "The invite hash is invalid or malformed."),
        ("x" * 24, "The invite hash has expired and is no longer valid."),
        ("https://t.me/x/+AAAAAAAAAAAAAAAA", "Successfully joined chat: Weather"),
        ("https://t.me/AAAAAAAAAAAAAAAA", "Successfully joined chat: Weather"),
        ("https://t.me/", "Error joining chat: The invite hash is empty (caused by ImportChatInviteRequest)"),
    ],
)
def test_what_stands_behind_the_last_slash_is_followed(says: Says, link: str, said: str) -> None:
    assert says("join_chat_by_link", link=link) == said


@pytest.mark.fact("joining")
def test_a_link_is_over_for_who_is_banned(telegram: LocalApp, says: Says, refused: Refused) -> None:
    change(telegram, "members", {"chat_id": QUITTED, "user_id": ME}, role="banned")
    telegram.episode.db.insert("invites", hash="F" * 16, chat_id=QUITTED, admin_id=ELI, made_s=NOW_S)

    over = "The invite hash has expired and is no longer valid."
    assert says("import_chat_invite", hash="F" * 16) == over
    assert says("import_chat_invite", hash="+" + "B" * 16) == "You are already a member of this chat: Plum Users"
    assert says("subscribe_public_channel", channel=QUITTED) == (
        "Cannot subscribe: this channel is private or requires an invite link."
    )


@pytest.mark.fact("invites")
def test_links_are_made_by_who_runs_a_chat(telegram: LocalApp, says: Says, refused: Refused) -> None:
    assert says("export_chat_invite", chat_id=LUNCH).startswith("https://t.me/+")
    change(telegram, "members", {"chat_id": LUNCH, "user_id": ME}, role="member")
    # A plain member may invite, but makes no links.
    assert refused("export_chat_invite", chat_id=LUNCH) == "CHAT_ADMIN_REQUIRED"
    assert says("get_invite_link", chat_id=LUNCH) == "Could not retrieve invite link for this chat."
    assert says("get_invite_link", chat_id=BO) == "Could not retrieve invite link for this chat."


# -- polls and texts --------------------------------------------------------------------------------------------------


@pytest.mark.fact("polls")
@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"question": " "}, "POLL_QUESTION_INVALID"),
        ({"question": "q" * 256}, "POLL_QUESTION_INVALID"),
        ({"question": "q" * 255}, None),
        ({"options": ["a", " "]}, "POLL_ANSWER_INVALID"),
        ({"options": ["a", "b" * 101]}, "POLL_ANSWER_INVALID"),
        ({"options": ["a", "b" * 100]}, None),
        ({"options": ["a", 5]}, "NOT_FITTING"),
        ({"options": ["a", "\ud83d"]}, "NOT_FITTING"),
        ({"question": "\ud83d"}, "NOT_FITTING"),
        ({"options": list("abcdefghij")}, None),
        ({"quiz_mode": True}, "QUIZ_CORRECT_ANSWERS_EMPTY"),
        ({"close_date": "2026-03-09 01:00:04"}, "POLL_CLOSE_DATE_INVALID"),
        ({"close_date": "2026-03-09 01:00:05"}, None),
        ({"close_date": "2026-03-09T02:10:00+01:00"}, None),
        ({"close_date": "2026-03-09T01:10:01Z"}, "POLL_CLOSE_DATE_INVALID"),
        ({"chat_id": BO}, "MEDIA_INVALID"),
        ({"chat_id": BOT}, None),
        ({"chat_id": ME}, None),
        ({"chat_id": FAY}, "YOU_BLOCKED_USER"),
        ({"chat_id": NEWS}, "POLL_PUBLIC_VOTERS_FORBIDDEN"),
        ({"chat_id": CITY}, "CHAT_ADMIN_REQUIRED"),
    ],
)
def test_a_poll_keeps_to_its_limits(says: Says, refused: Refused, given: dict[str, Any], name: str | None) -> None:
    asked = {"chat_id": LUNCH, "question": "Where?", "options": ["a", "b"], **given}

    if name is None:
        assert says("create_poll", **asked) == f"Poll created successfully in chat {asked['chat_id']}."
    else:
        assert refused("create_poll", **asked) == name


@pytest.mark.fact("profile")
def test_names_and_bios_are_cut_or_refused_at_their_limits(telegram: LocalApp, says: Says) -> None:
    assert says("update_profile", first_name=" " + "a" * 65, last_name="b" * 65, about="c" * 70) == "Profile updated."
    (row,) = [each["new"] for each in telegram.changes()["users"]]
    assert (row["first_name"], row["last_name"], row["about"]) == ("a" * 64, "b" * 64, "c" * 70)
    assert says("update_profile", last_name=" ") == "Profile updated."
    assert json.loads(says("get_me"))["name"] == "a" * 64


@pytest.mark.fact("length")
def test_titles_and_captions_are_cut_or_refused_at_their_limits(telegram: LocalApp, says: Says) -> None:
    says("create_channel", title=" " + "t" * 129, about="a" * 255)
    (row,) = [each["new"] for each in telegram.changes()["chats"]]
    assert (row["title"], row["about"]) == ("t" * 128, "a" * 255)
    path = f"{FOLDER}/list.txt"
    assert says("send_file", chat_id=BO, file_path=path, caption="x" * 1024) == f"File sent to chat {BO}."


@pytest.mark.fact("edits")
def test_a_caption_that_is_edited_has_a_captions_limit(telegram: LocalApp, says: Says, refused: Refused) -> None:
    says("send_file", chat_id=BO, file_path=f"{FOLDER}/list.txt", caption="x")

    assert refused("edit_message", chat_id=BO, message_id=18, new_text="x" * 1025) == "MESSAGE_TOO_LONG"
    assert says("edit_message", chat_id=BO, message_id=18, new_text="x" * 1024) == "Message 18 edited."
    assert says("edit_message", chat_id=BO, message_id=6, new_text="x" * 4096) == "Message 6 edited."


@pytest.mark.fact("pins")
def test_a_pin_among_ones_own_notes_is_told_nobody(telegram: LocalApp, says: Says) -> None:
    assert says("pin_message", chat_id=ME, message_id=15) == f"Message 15 pinned in chat {ME}."

    (row,) = telegram.changes()["messages"]
    assert (row["op"], row["new"]["message_id"], row["new"]["is_pinned"]) == ("update", 15, 1)


@pytest.mark.fact("pins")
def test_pins_go_on_and_off_where_they_stand(telegram: LocalApp, says: Says) -> None:
    says("unpin_message", chat_id=BO, message_id=6)
    says("unpin_message", chat_id=BO, message_id=3)
    assert [(row["new"]["message_id"], row["new"]["is_pinned"]) for row in telegram.changes()["messages"]] == [(6, 0)]
    says("pin_message", chat_id=USERS, message_id=-1)
    changed = {row["key"]["chat_id"]: row["new"]["is_pinned"] for row in telegram.changes()["messages"]}
    # The pins of other chats stay.
    assert changed == {WITH_BO: 0, USERS: 0}
    assert says("get_pinned_messages", chat_id=LUNCH).startswith("ID: 10 ")


@pytest.mark.fact("misfits")
@pytest.mark.parametrize(
    ("limit", "is_refused"), [(2**31, True), (-(2**31) - 1, True), (2**31 - 1, False), (-(2**31), False)]
)
def test_a_limit_beyond_32_bits_is_no_search_of_gifs(says: Says, limit: int, is_refused: bool) -> None:
    wrong = "'i' format requires -2147483648 <= number <= 2147483647"
    said = says("get_gif_search", query="cat", limit=limit)

    assert said == (f"Could not search GIFs using available methods: {wrong}" if is_refused else "[]")
