"""What every writing tool stores, row by row, and what the account then sees of it."""

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
    CY,
    DEE,
    ELI,
    FAY,
    FOLDER,
    GIL,
    HAL,
    LEI,
    LUNCH,
    ME,
    NEW_PHOTO,
    NEWS,
    NOW_S,
    OLD_PHOTO,
    POLL,
    QUITTED,
    USERS,
    WEATHER,
    WITH_BO,
    WITH_BOT,
)

Made = Callable[..., list[dict[str, Any]]]
MARK = -1_000_000_000_000
NOW = "2026-03-09T01:00:00+00:00"


@pytest.fixture
def made(telegram: LocalApp) -> Made:
    """Return the rows of a table that are new, in the order of their calls, without what they do not have."""

    def make(table: str, op: str = "insert") -> list[dict[str, Any]]:
        found = [row for row in telegram.changes().get(table, []) if row["op"] == op]
        found.sort(key=lambda row: int(row["call"]))
        return [
            {key: value for key, value in {**row["key"], **row["new"]}.items() if value is not None} for row in found
        ]

    return make


def said(chat: int, number: int, **more: Any) -> dict[str, Any]:
    """Return the row of a message that the account sends now."""
    row = {"chat_id": chat, "message_id": number, "sender_id": ME, "sent_s": NOW_S, "is_pinned": 0, "is_deleted": 0}
    return {key: value for key, value in {**row, **more}.items() if value is not None}


def part(chat: int, user: int, role: str = "member", **more: Any) -> dict[str, Any]:
    """Return the row of somebody who is in a chat since now."""
    return {"chat_id": chat, "user_id": user, "role": role, "rights": "[]", "rank": "", "since_s": NOW_S, **more}


def chat_row(number: int, kind: str, title: str = "", **more: Any) -> dict[str, Any]:
    flags = dict.fromkeys(("is_verified", "is_forum", "is_guarded", "asks_to_join", "slow_mode_s", "more_members"), 0)
    named = {"chat_id": number, "kind": kind, "title": title, "about": "", "created_s": NOW_S, "banned_rights": "[]"}
    return {**named, **flags, **more}


@pytest.mark.fact("counters")
def test_a_message_is_stored_once(says: Says, made: Made) -> None:
    for chat in (BO, LUNCH, USERS, NEWS):
        says("send_message", chat_id=chat, message="Hi")

    assert made("messages") == [
        said(WITH_BO, 18, text="Hi"),
        said(LUNCH, 19, text="Hi"),
        said(USERS, 5, text="Hi"),
        said(NEWS, 3, text="Hi", sender_id=None, author_id=ME),
    ]
    assert made("chats") == made("members") == []


@pytest.mark.fact("counters")
def test_a_private_chat_begins_with_its_first_message(says: Says, made: Made) -> None:
    says("send_message", chat_id=DEE, message="Hi")

    (chat,) = made("chats")
    number = chat["chat_id"]
    assert chat == chat_row(number, "private", low_id=ME, high_id=DEE)
    assert 9 * 10**12 <= number < 10**13
    assert made("members") == [part(number, ME), part(number, DEE)]
    assert made("messages") == [said(number, 18, text="Hi")]
    assert says("get_history", chat_id=DEE) == "ID: 18 | Ada Ames | Date: 2026-03-09 01:00:00+00:00 | Message: Hi"


@pytest.mark.fact("dialogs")
@pytest.mark.parametrize(
    ("tool", "columns"), [("mute_chat", {"is_muted": 1}), ("unmute_chat", {}), ("archive_chat", {"pin": 2})]
)
def test_what_is_kept_of_a_chat_is_the_accounts_own(says: Says, made: Made, tool: str, columns: dict[str, int]) -> None:
    says(tool, chat_id=NEWS)

    usual = {"user_id": ME, "chat_id": NEWS, "is_marked_unread": 0, "is_muted": 0, "is_archived": 0, "read_id": 0}
    assert made("dialogs") == [{**usual, **columns}]


@pytest.mark.fact("dialogs")
def test_muting_somebody_begins_a_chat_with_them(says: Says, made: Made) -> None:
    says("mute_chat", chat_id=DEE)

    (chat,) = made("chats")
    assert (chat["low_id"], chat["high_id"]) == (ME, DEE)
    assert made("messages") == []
    # A chat in which nobody has said anything is in no list.
    assert str(DEE) not in says("get_chats")


@pytest.mark.fact("groups")
def test_a_new_group_is_stored_with_who_is_in_it(says: Says, made: Made) -> None:
    text = says("create_group", title=" Picnic ", user_ids=[BO, "dee_dale", BO, ME, HAL])

    (chat,) = made("chats")
    number = chat["chat_id"]
    assert chat == chat_row(number, "group", "Picnic")
    assert made("members") == [part(number, ME, "creator"), part(number, BO, by_id=ME), part(number, DEE, by_id=ME)]
    assert made("messages") == [said(number, 18, action="create")]
    # It is looked for under the title as it was given.
    assert text == "Group created successfully. Please check your recent chats for ' Picnic '."


@pytest.mark.fact("groups")
def test_a_group_of_a_persons_name_is_answered_with_the_first_such_chat(says: Says) -> None:
    says("send_message", chat_id=CY, message="x")
    assert says("create_group", title="Plum Users", user_ids=[BO]) == f"Group created with ID: {MARK - USERS}"
    text = says("create_group", title="Cy Carr", user_ids=[BO])
    assert text.startswith("Group created with ID: -4")


@pytest.mark.fact("groups")
@pytest.mark.parametrize(("is_group", "kind"), [(True, "supergroup"), (False, "channel")])
def test_a_new_channel_is_stored_with_what_it_is_about(says: Says, made: Made, is_group: bool, kind: str) -> None:
    says("create_channel", title="Tarts", about="Sweet", megagroup=is_group)

    (chat,) = made("chats")
    number = chat["chat_id"]
    assert chat == chat_row(number, kind, "Tarts", about="Sweet")
    assert made("members") == [part(number, ME, "creator")]
    own = {} if is_group else {"sender_id": None, "author_id": ME}
    assert made("messages") == [said(number, 1, action="create", **own)]
    assert f"Chat ID: {number}, Title: Tarts" in says("get_chats")


def logged(number: int, chat: int, action: str, **details: Any) -> dict[str, Any]:
    row = {"event_id": number, "chat_id": chat, "user_id": ME, "happened_s": NOW_S, "action": action}
    return {**row, "details": json.dumps(details)}


@pytest.mark.fact("joining")
def test_joining_is_told_in_supergroups_and_written_down(telegram: LocalApp, says: Says, made: Made) -> None:
    says("subscribe_public_channel", channel="weather_now")
    says("subscribe_public_channel", channel=QUITTED)

    assert made("members") == [part(WEATHER, ME)]
    (again,) = made("members", "update")
    assert (again["chat_id"], again["role"], again["since_s"]) == (QUITTED, "member", NOW_S)
    assert made("messages") == [said(QUITTED, 1, action="join")]
    assert made("events") == [logged(6, WEATHER, "join"), logged(7, QUITTED, "join")]


@pytest.mark.fact("joining")
def test_who_asks_to_join_waits(telegram: LocalApp, says: Says) -> None:
    telegram.episode.db.update("chats", {"chat_id": WEATHER}, asks_to_join=1)
    outcome = telegram.outcome("import_chat_invite", {"hash": "A" * 16})

    assert str(outcome.error) == "You have successfully requested to join this chat or channel"
    told = "(caused by ImportChatInviteRequest)"
    assert says("join_chat_by_link", link="C" * 16) == f"Error joining chat: {outcome.error} {told}"


@pytest.mark.fact("log")
def test_leaving_is_told_in_groups_and_written_down_elsewhere(says: Says, made: Made) -> None:
    says("leave_chat", chat_id=LUNCH)
    says("leave_chat", chat_id=USERS)

    assert made("messages") == [said(LUNCH, 18, action="leave")]
    assert made("events") == [logged(6, USERS, "leave")]
    left = made("members", "update")
    assert [(row["chat_id"], row["role"]) for row in left] == [(LUNCH, "left"), (USERS, "left")]


@pytest.mark.fact("log")
def test_titles_and_photos_are_told_and_written_down(says: Says, made: Made) -> None:
    says("edit_chat_title", chat_id=USERS, title=" Plums ")
    says("edit_chat_photo", chat_id=USERS, file_path=f"{FOLDER}/cake.png")
    says("delete_chat_photo", chat_id=USERS)

    (photo,) = made("photos")
    number = photo["photo_id"]
    assert photo["peer_id"] == MARK - USERS
    assert (photo["made_s"], 6 * 10**18 <= number < 7 * 10**18) == (NOW_S, True)
    assert [row["action"] for row in made("messages")] == ["title", "photo", "photo"]
    assert made("events") == [
        logged(6, USERS, "title", was="Plum Users", now="Plums"),
        logged(7, USERS, "photo", was=OLD_PHOTO + 2, now=number),
        logged(8, USERS, "photo", was=number, now=None),
    ]
    newest, before, title = json.loads(says("get_recent_actions", chat_id=USERS))[:3]
    shown = before["action"]["new_photo"]
    assert shown == {
        "_": "Photo",
        "id": number,
        "access_hash": shown["access_hash"],
        "file_reference": shown["file_reference"],
        "date": NOW,
        "sizes": [{"_": "PhotoSize", "type": "c", "w": 640, "h": 640, "size": 51200}],
        "dc_id": 5,
        "has_stickers": False,
        "video_sizes": [],
    }
    old = before["action"]["prev_photo"]
    assert (old["id"], old["date"]) == (OLD_PHOTO + 2, "2026-03-08T05:33:20+00:00")
    assert newest["action"] == {
        "_": "ChannelAdminLogEventActionChangePhoto",
        "prev_photo": shown,
        "new_photo": {"_": "PhotoEmpty", "id": 0},
    }
    assert title == {
        "_": "ChannelAdminLogEvent",
        "id": 6,
        "date": NOW,
        "user_id": ME,
        "action": {"_": "ChannelAdminLogEventActionChangeTitle", "prev_value": "Plum Users", "new_value": "Plums"},
    }


BANNED = (
    *("view_messages", "send_messages", "send_media", "send_stickers", "send_gifs", "send_games", "send_inline"),
    *("embed_links", "send_polls", "change_info", "invite_users", "pin_messages"),
)
ADMIN_RIGHTS = (
    *("change_info", "post_messages", "edit_messages", "delete_messages", "ban_users", "invite_users"),
    *("pin_messages", "add_admins", "anonymous", "manage_call", "other", "manage_topics", "post_stories"),
    *("edit_stories", "delete_stories", "manage_direct_messages"),
)
BANNED_RIGHTS = (
    *("view_messages", "send_messages", "send_media", "send_stickers", "send_gifs", "send_games", "send_inline"),
    *("embed_links", "send_polls", "change_info", "invite_users", "pin_messages", "manage_topics", "send_photos"),
    *("send_videos", "send_roundvideos", "send_audios", "send_voices", "send_docs", "send_plain"),
)
USUAL = (
    *("change_info", "post_messages", "edit_messages", "delete_messages", "ban_users", "invite_users"),
    *("pin_messages", "manage_call", "other"),
)


def admin_rights(*given: str) -> dict[str, Any]:
    return {"_": "ChatAdminRights", **{right: right in given for right in ADMIN_RIGHTS}}


def plain(user: int, date: str) -> dict[str, Any]:
    return {"_": "ChannelParticipant", "user_id": user, "date": date, "subscription_until_date": None}


def admin(user: int, date: str, rank: str | None, *given: str, by: int = ME) -> dict[str, Any]:
    held = {"promoted_by": by, "date": date, "admin_rights": admin_rights(*given), "can_edit": False, "is_self": False}
    return {"_": "ChannelParticipantAdmin", "user_id": user, **held, "inviter_id": None, "rank": rank}


def banned(user: int, date: str = NOW, by: int = ME) -> dict[str, Any]:
    rights = {right: right in BANNED for right in BANNED_RIGHTS}
    until = {"_": "ChatBannedRights", "until_date": "2038-01-19T03:14:07+00:00", **rights}
    peer = {"_": "PeerUser", "user_id": user}
    return {
        "_": "ChannelParticipantBanned",
        "peer": peer,
        "kicked_by": by,
        "date": date,
        "banned_rights": until,
        "left": True,
    }


def left(user: int) -> dict[str, Any]:
    return {"_": "ChannelParticipantLeft", "peer": {"_": "PeerUser", "user_id": user}}


def since(user: int) -> str:
    """Return since when somebody is in their chats to begin with."""
    return f"2026-02-27T18:4{6 if user % 100 < 60 else 7}:{(40 + user % 100) % 60:02d}+00:00"


@pytest.mark.fact("log")
def test_who_was_made_what_stands_in_the_log_whole(says: Says, made: Made) -> None:
    says("promote_admin", group_id=NEWS, user_id=ELI)
    says("demote_admin", group_id=NEWS, user_id=ELI)
    says("ban_user", chat_id=NEWS, user_id=ELI)
    says("unban_user", chat_id=NEWS, user_id=ELI)
    says(
        "promote_admin", group_id=NEWS, user_id=DEE, rights={"post_messages": 0, "edit_messages": None, "other": False}
    )
    says("invite_to_group", group_id=NEWS, user_ids=[LEI])

    told = json.loads(says("get_recent_actions", chat_id=NEWS))
    of = "ChannelAdminLogEventActionParticipant"

    def toggled(kind: str, was: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
        return {"_": f"{of}Toggle{kind}", "prev_participant": was, "new_participant": now}

    member = plain(ELI, NOW)
    some = [each for each in USUAL if each not in ("edit_messages", "other")]
    assert [each["action"] for each in told] == [
        {"_": f"{of}Invite", "participant": plain(LEI, NOW)},
        toggled("Admin", left(DEE), admin(DEE, NOW, "Admin", *some)),
        toggled("Ban", banned(ELI), left(ELI)),
        toggled("Ban", member, banned(ELI)),
        toggled("Admin", admin(ELI, NOW, "Admin", *USUAL), member),
        toggled("Admin", plain(ELI, since(ELI)), admin(ELI, NOW, "Admin", *USUAL)),
    ]
    assert {(each["_"], each["user_id"], each["date"]) for each in told} == {("ChannelAdminLogEvent", ME, NOW)}
    # In a channel nobody is told who came.
    assert made("messages") == []
    assert made("members") == [
        part(NEWS, DEE, "admin", rights=json.dumps(some), rank="Admin", by_id=ME),
        part(NEWS, LEI, by_id=ME),
    ]


@pytest.mark.fact("log")
def test_a_maker_and_an_admin_of_others_are_told_with_what_they_have(telegram: LocalApp, says: Says) -> None:
    telegram.episode.db.update("members", {"chat_id": USERS, "user_id": CY}, by_id=ME, rank="Cook")
    says("ban_user", chat_id=USERS, user_id=CY)

    action = json.loads(says("get_recent_actions", chat_id=USERS))[0]["action"]
    assert action["prev_participant"] == admin(CY, since(CY), "Cook", "pin_messages")


@pytest.mark.fact("invites")
def test_who_is_invited_is_told_in_a_supergroup(says: Says, made: Made) -> None:
    says("invite_to_group", group_id=USERS, user_ids=[LEI, LEI, ELI, HAL])

    assert made("members") == [part(USERS, LEI, by_id=ME)]
    assert made("messages") == [said(USERS, 5, action="invite")]
    assert [row["action"] for row in made("events")] == ["invite"]


@pytest.mark.fact("log")
def test_pins_edits_and_deletions_are_written_down(says: Says, made: Made) -> None:
    says("pin_message", chat_id=USERS, message_id=2)
    says("unpin_message", chat_id=USERS, message_id=3)
    says("edit_message", chat_id=USERS, message_id=3, new_text="Which one?")
    says("delete_message", chat_id=USERS, message_id=4)

    assert made("events") == [
        logged(6, USERS, "pin", message_id=2),
        logged(7, USERS, "unpin", message_id=3),
        logged(8, USERS, "edit", message_id=3, was="Which shop?", now="Which one?"),
        logged(9, USERS, "delete", message_id=4),
    ]
    deleted, edited, unpinned, pinned = (
        each["action"] for each in json.loads(says("get_recent_actions", chat_id=USERS))[:4]
    )
    of = "ChannelAdminLogEventAction"
    assert [each["_"] for each in (deleted, edited, unpinned, pinned)] == [
        *(f"{of}DeleteMessage", f"{of}EditMessage", f"{of}UpdatePinned", f"{of}UpdatePinned"),
    ]
    assert (pinned["message"]["pinned"], unpinned["message"]["pinned"]) == (True, False)
    assert (pinned["message"]["id"], pinned["message"]["media"]["poll"]["id"]) == (2, POLL)
    now = edited["new_message"]
    assert {key: value for key, value in now.items() if value not in (None, False, [])} == {
        "_": "Message",
        "id": 3,
        "peer_id": {"_": "PeerChannel", "channel_id": USERS},
        "date": "2026-03-08T23:20:00+00:00",
        "message": "Which one?",
        "out": True,
        "from_id": {"_": "PeerUser", "user_id": ME},
        "reply_to": now["reply_to"],
        "edit_date": NOW,
    }
    assert now["reply_to"]["reply_to_msg_id"] == 2
    assert edited["prev_message"] == {**now, "message": "Which shop?"}
    assert (deleted["message"]["message"], deleted["message"]["out"]) == ("Dock Road", False)


@pytest.mark.fact("log")
def test_a_channels_posts_are_told_as_such(telegram: LocalApp, says: Says) -> None:
    says("pin_message", chat_id=NEWS, message_id=1)

    message = json.loads(says("get_recent_actions", chat_id=NEWS))[0]["action"]["message"]
    assert (message["post"], message["out"], message["from_id"]) == (True, False, None)
    assert message["media"]["video"] is True
    assert message["media"]["document"]["attributes"][0] == {
        "_": "DocumentAttributeVideo",
        "duration": 9.0,
        "w": 640,
        "h": 480,
        "round_message": False,
        "supports_streaming": False,
        "nosound": False,
        "preload_prefix_size": None,
        "video_start_ts": None,
        "video_codec": None,
    }


@pytest.mark.fact("log")
def test_the_log_shows_twenty_actions(telegram: LocalApp, says: Says) -> None:
    for number in range(10, 40):
        row: dict[str, Any] = {
            "event_id": number,
            "chat_id": BOARD,
            "user_id": BO,
            "happened_s": NOW_S,
            "action": "join",
        }
        telegram.episode.db.insert("events", **row)
    telegram.episode.db.update("members", {"chat_id": BOARD, "user_id": ME}, role="admin")

    told = json.loads(says("get_recent_actions", chat_id=BOARD))

    assert [each["id"] for each in told] == [*range(39, 19, -1)]
    telegram.episode.db.execute("DELETE FROM events")
    assert says("get_recent_actions", chat_id=BOARD) == "No recent admin actions found."


# -- media ------------------------------------------------------------------------------------------------------------


SENT: list[tuple[str, str, dict[str, Any]]] = [
    ("send_file", "cake.png", {"kind": "photo", "width": 64, "height": 48}),
    ("send_file", "list.txt", {"kind": "document", "file_name": "list.txt", "mime_type": "text/plain"}),
    ("send_file", "note.ogg", {"kind": "audio", "file_name": "note.ogg", "mime_type": "audio/ogg", "duration_s": 3}),
    ("send_file", "smile.webp", {"kind": "sticker", "file_name": "smile.webp", "mime_type": "image/webp"}),
    ("send_voice", "note.ogg", {"kind": "voice", "file_name": "note.ogg", "mime_type": "audio/ogg", "duration_s": 3}),
    ("send_sticker", "smile.webp", {"kind": "sticker", "file_name": "smile.webp", "mime_type": "image/webp"}),
    ("send_file", "CAKE.JPG", {"kind": "photo"}),
    ("send_file", "a.jpeg", {"kind": "photo"}),
    ("send_file", "clip.mp4", {"kind": "video", "file_name": "clip.mp4", "mime_type": "video/mp4"}),
    ("send_file", "list", {"kind": "document", "file_name": "list", "mime_type": "application/octet-stream"}),
    ("send_file", "a.gif", {"kind": "document", "file_name": "a.gif", "mime_type": "image/gif"}),
]


@pytest.mark.fact("files")
@pytest.mark.parametrize(("tool", "name", "kept"), SENT)
def test_a_file_is_stored_as_what_its_ending_says(
    telegram: LocalApp, says: Says, made: Made, tool: str, name: str, kept: dict[str, Any]
) -> None:
    path = f"{FOLDER}/{name}"
    if telegram.episode.db.one("SELECT 1 FROM files WHERE path = ?", path) is None:
        telegram.episode.db.insert("files", owner_id=ME, path=path, size_bytes=10)

    says(tool, chat_id=LUNCH, file_path=path)

    (media,) = made("media")
    number = media["media_id"]
    assert media == {"media_id": number, "size_bytes": 10, "made_s": NOW_S, **kept}
    assert 5 * 10**18 <= number < 6 * 10**18
    assert made("messages") == [said(LUNCH, 18, text="", media_id=number)]


@pytest.mark.fact("files")
def test_a_file_that_cannot_be_read_is_told_so(telegram: LocalApp, says: Says) -> None:
    telegram.episode.db.execute("UPDATE files SET is_readable = 0")
    path = f"{FOLDER}/cake.png"

    assert says("send_file", chat_id=BO, file_path=path) == f"File is not readable: {path}"
    assert says("send_voice", chat_id=BO, file_path=path) == f"File is not readable: {path}"
    assert says("send_sticker", chat_id=BO, file_path=path) == f"Sticker file is not readable: {path}"
    assert says("edit_chat_photo", chat_id=LUNCH, file_path=path) == f"Photo file not readable: {path}"
    assert says("set_profile_photo", file_path=path).startswith("An error occurred (code: PROFILE-ERR-439)")
    # A folder is no file.
    assert says("send_file", chat_id=BO, file_path=FOLDER) == f"File not found: {FOLDER}"


@pytest.mark.fact("files")
def test_what_is_saved_has_the_size_of_what_was_there(telegram: LocalApp, says: Says, made: Made) -> None:
    for number, name in ((5, "new.jpg"), (8, "new.pdf")):
        says("download_media", chat_id=BO, message_id=number, file_path=f"{FOLDER}/{name}")
    says("download_media", chat_id=ME, message_id=16, file_path=f"{FOLDER}/list.txt")

    usual = {"owner_id": ME, "kind": "file", "is_readable": 1, "is_writable": 1}
    # The largest copy of a photo is 1,280 wide.
    photo = {"width": 1600, "height": 1200, "size_bytes": 1280 * 960 // 8}
    assert made("files") == [
        {"path": f"{FOLDER}/new.jpg", **usual, **photo},
        {"path": f"{FOLDER}/new.pdf", **usual, "size_bytes": 2048},
    ]
    (over,) = made("files", "update")
    assert (over["path"], over["size_bytes"], over["duration_s"]) == (f"{FOLDER}/list.txt", 999, 4)


@pytest.mark.fact("polls")
def test_a_poll_is_stored_with_what_was_asked(says: Says, made: Made) -> None:
    asked = {"question": "Где?", "options": ["a", "b"], "multiple_choice": True, "public_votes": False}
    says("create_poll", chat_id=NEWS, **asked, close_date="2026-03-09 01:05:00")

    (media,) = made("media")
    assert json.loads(media.pop("poll")) == {
        "question": "Где?",
        "answers": ["a", "b"],
        "multiple": True,
        "public": False,
        "close_s": NOW_S + 300,
    }
    assert media == {"media_id": media["media_id"], "kind": "poll", "made_s": NOW_S}
    post = said(NEWS, 3, text="", media_id=media["media_id"], sender_id=None, author_id=ME)
    assert made("messages") == [post]
    info = says("get_media_info", chat_id=NEWS, message_id=3)
    assert "close_date=datetime.datetime(2026, 3, 9, 1, 5, tzinfo=datetime.timezone.utc)" in info
    assert "public_voters=False, multiple_choice=True, quiz=False" in info


# -- people and the account -------------------------------------------------------------------------------------------


@pytest.mark.fact("contacts")
def test_a_contact_is_stored_under_the_name_given(says: Says, made: Made) -> None:
    assert says("add_contact", phone="+44 (7000) 000-008", first_name=" Hal ", last_name=" H ") == (
        "Contact  Hal   H  added successfully."
    )
    says("add_contact", phone="447000000002", first_name="", last_name="Brook")

    names = {"first_name": "Hal", "last_name": "H"}
    assert made("contacts") == [{"owner_id": ME, "user_id": HAL, **names, "is_phone_known": 1}]
    (again,) = made("contacts", "update")
    assert (again["user_id"], again["first_name"], again["last_name"]) == (BO, "", "Brook")
    empty = "ImportedContacts(imported=[], popular_invites=[], retry_contacts=[], users=[])"
    for phone, first in (("447000000001", "Me"), ("447000000003", " "), ("", "Nobody")):
        assert says("add_contact", phone=phone, first_name=first) == f"Contact not added. Response: {empty}"


@pytest.mark.fact("blocks")
def test_the_last_block_is_told_first(telegram: LocalApp, says: Says, made: Made) -> None:
    says("block_user", user_id=BO)
    says("block_user", user_id=NEWS)

    assert made("blocks") == [
        {"owner_id": ME, "peer_id": BO, "blocked_s": NOW_S},
        {"owner_id": ME, "peer_id": MARK - NEWS, "blocked_s": NOW_S},
    ]
    assert json.loads(says("get_blocked_users")) == [
        {"id": BO, "name": "Bo", "type": "user", "username": "bo_brook", "phone": "447000000002"},
        {"id": FAY, "name": "Fay Finch", "type": "user", "username": "fay_f"},
    ]
    telegram.episode.db.execute("DELETE FROM blocks")
    for number in range(102):
        telegram.episode.db.insert("users", user_id=6_200_000_000 + number, first_name="x")
        telegram.episode.db.insert("blocks", owner_id=ME, peer_id=6_200_000_000 + number, blocked_s=number)
    told = json.loads(says("get_blocked_users"))
    assert [each["id"] - 6_200_000_000 for each in told] == [*range(101, 1, -1)]


@pytest.mark.fact("contacts")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("bo", [BO, BOT]),
        ("@BO_b", [BO]),
        ("brook", []),
        ("carr cy", [CY]),
        ("cyril", []),
        ("李", [LEI]),
        ("d", [DEE]),
        ("dal", [DEE]),
        ("van", [BOT]),
        ("b", [BO, BOT]),
        ("gil", []),
        ("ada", []),
        ("447", []),
        ("@", []),
    ],
)
def test_people_are_found_by_names_and_usernames(says: Says, query: str, found: list[int]) -> None:
    """Contacts go by the names that the account gave them, others by their own; contacts come first."""
    told = json.loads(says("search_public_chats", query=query))

    assert [each["id"] for each in told] == found
    lines = says("search_contacts", query=query)
    assert ([int(line[4:14]) for line in lines.splitlines()] if found else lines) == (
        found or f"No contacts found matching '{query}'."
    )


@pytest.mark.fact("contacts")
def test_a_search_shows_as_many_as_the_tool_asks_for(telegram: LocalApp, says: Says) -> None:
    for number in range(60):
        user: dict[str, Any] = {
            "user_id": 6_200_000_000 + number,
            "first_name": "Quill",
            "username": f"quill_{number:02d}",
        }
        telegram.episode.db.insert("users", **user)

    assert len(says("search_contacts", query="quill").splitlines()) == 50
    assert len(json.loads(says("search_public_chats", query="quill"))) == 20


@pytest.mark.fact("contacts")
def test_contacts_are_told_whole(telegram: LocalApp, says: Says) -> None:
    assert says("list_contacts").splitlines() == [
        f"ID: {BO}, Name: Bo None, Username: @bo_brook, Phone: 447000000002",
        f"ID: {CY}, Name: Cy Carr, Phone: 447000000003",
        f"ID: {LEI}, Name: 雷 李, Username: @lilei, Phone: 8613800000009",
    ]
    assert json.loads(says("export_contacts")) == [
        {"id": BO, "name": "Bo", "type": "user", "username": "bo_brook", "phone": "447000000002"},
        {"id": CY, "name": "Cy Carr", "type": "user", "phone": "447000000003"},
        {"id": LEI, "name": "雷 李", "type": "user", "username": "lilei", "phone": "8613800000009"},
    ]
    telegram.episode.db.execute("DELETE FROM contacts WHERE owner_id = ?", ME)
    assert says("list_contacts") == "No contacts found."
    assert says("get_contact_ids") == "No contact IDs found."
    assert says("export_contacts") == "[]"


@pytest.mark.fact("contacts")
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("447000000002", f"Chat ID: {BO}, Contact: Bo None, Username: @bo_brook, Unread: 2"),
        ("O_BRO", f"Chat ID: {BO}, Contact: Bo None, Username: @bo_brook, Unread: 2"),
        ("none", f"Chat ID: {BO}, Contact: Bo None, Username: @bo_brook, Unread: 2"),
        ("LILEI", "Found contacts: 雷 李, but no direct chats were found with them."),
        ("9999", "No contacts found matching '9999'."),
        ("dee", "No contacts found matching 'dee'."),
        ("carr", "Found contacts: Cy Carr, but no direct chats were found with them."),
    ],
)
def test_a_private_chat_is_found_by_any_part_of_a_contact(says: Says, query: str, said: str) -> None:
    assert says("get_direct_chat_by_contact", contact_query=query) == said


@pytest.mark.fact("contacts")
def test_several_contacts_are_told_in_their_order(telegram: LocalApp, says: Says) -> None:
    for each in (CY, BO):
        says("send_message", chat_id=each, message="x")
        says("mark_as_read", chat_id=each)

    assert says("get_direct_chat_by_contact", contact_query="").splitlines() == [
        f"Chat ID: {BO}, Contact: Bo None, Username: @bo_brook",
        f"Chat ID: {CY}, Contact: Cy Carr",
    ]


@pytest.mark.fact("profile")
def test_the_account_is_told_whole(telegram: LocalApp, says: Says, made: Made) -> None:
    own = {"id": ME, "name": "Ada Ames", "type": "user", "username": "ada_ames", "phone": "447000000001"}
    assert json.loads(says("get_me")) == own
    assert says("get_me").startswith('{\n  "id": ')
    says("update_profile", first_name="Ava")
    assert json.loads(says("get_me")) == {**own, "name": "Ava Ames"}
    says("set_profile_photo", file_path=f"{FOLDER}/cake.png")
    (photo,) = made("photos")
    assert photo == {"photo_id": photo["photo_id"], "peer_id": ME, "made_s": NOW_S, "is_deleted": 0}
    assert json.loads(says("get_user_photos", user_id=ME)) == [photo["photo_id"]]
    assert json.loads(says("get_user_photos", user_id=BO, limit=1)) == [NEW_PHOTO]
    assert json.loads(says("get_user_photos", user_id=BO, limit=-1)) == []


@pytest.mark.fact("objects")
def test_privacy_is_set_for_everybody_or_for_nobody(telegram: LocalApp, says: Says, made: Made) -> None:
    rule = {"rules": '[{"allow": null}]'}
    assert (
        says("set_privacy_settings", key="phone", allow_users=[]) == "Privacy settings for phone updated successfully."
    )
    assert made("privacy") == [{"owner_id": ME, "key": "phone", **rule}]
    # Of whom it names nobody is known, so nobody may see it.
    says("set_privacy_settings", key="status", allow_users=[GIL])
    assert says("get_privacy_settings") == "PrivacyRules(rules=[], chats=[], users=[])"
    telegram.episode.db.execute("UPDATE privacy SET rules = ?", '[{"disallow": null}, {"allow": [6100000002]}]')
    assert says("get_privacy_settings").startswith(
        f"PrivacyRules(rules=[PrivacyValueDisallowAll(), PrivacyValueAllowUsers(users=[{BO}])], chats=[], users=[User("
    )
    telegram.episode.db.execute("DELETE FROM privacy")
    assert says("get_privacy_settings") == "PrivacyRules(rules=[PrivacyValueAllowAll()], chats=[], users=[])"
    keys = "Error: Unsupported privacy key 'birthday'. Supported keys: status, phone, profile_photo"
    assert says("set_privacy_settings", key="birthday") == keys


@pytest.mark.fact("drafts")
def test_drafts_are_told_whole_and_the_newest_first(says: Says, made: Made) -> None:
    says("save_draft", chat_id=CITY, message="**Soon**", no_webpage=True)
    says("save_draft", chat_id=LUNCH, message="", reply_to_msg_id=10)
    says("save_draft", chat_id=BO, message="", reply_to_msg_id=0)

    usual = {"user_id": ME, "saved_s": NOW_S}
    assert made("drafts") == [{**usual, "peer_id": MARK - CITY, "text": "**Soon**", "no_webpage": 1}]
    told = json.loads(says("get_drafts"))
    assert told == {
        "drafts": [
            {
                "peer_id": MARK - CITY,
                "message": "**Soon**",
                "date": NOW,
                "no_webpage": True,
                "reply_to_msg_id": None,
            },
            {"peer_id": -LUNCH, "message": "", "date": NOW, "no_webpage": False, "reply_to_msg_id": 10},
            {
                "peer_id": MARK - NEWS,
                "message": "Soon",
                "date": "2026-03-09T00:58:50+00:00",
                "no_webpage": False,
                "reply_to_msg_id": None,
            },
        ],
        "count": 3,
    }


@pytest.mark.fact("reactions")
def test_a_reaction_is_stored_without_its_selector(says: Says, made: Made) -> None:
    says("send_reaction", chat_id=BO, message_id=1, emoji="❤️")

    assert made("reactions") == [{"chat_id": WITH_BO, "message_id": 1, "user_id": ME, "emoji": "❤", "reacted_s": NOW_S}]
    assert json.loads(says("get_message_reactions", chat_id=BO, message_id=1)) == {
        "message_id": 1,
        "chat_id": str(BO),
        "reactions": [{"user_id": ME, "emoji": "❤", "date": NOW}],
        "count": 1,
    }


# -- bots -------------------------------------------------------------------------------------------------------------


@pytest.mark.fact("buttons")
def test_buttons_are_told_with_what_they_do(telegram: LocalApp, says: Says, made: Made) -> None:
    lines = [
        "Buttons for message 13 (date 2026-03-09 00:35:00+00:00):",
        "[0] text='Track', callback=yes",
        "[1] text='Site', callback=no, url=https://van.example",
        "[2] text='Warn me', callback=yes",
        "[3] text='Slow', callback=yes",
        "[4] text='Quiet', callback=yes",
        "[5] text='Pay', callback=no",
    ]
    for more in ({}, {"message_id": 13}, {"message_id": "13"}, {"limit": 2}):
        assert says("list_inline_buttons", chat_id=BOT, **more).splitlines() == lines
    none = "No message with inline buttons found."
    assert says("list_inline_buttons", chat_id=BOT, limit=1) == none
    assert says("list_inline_buttons", chat_id=BOT, message_id=99) == none
    assert says("list_inline_buttons", chat_id=BOT, message_id=14) == "Message 14 does not contain inline buttons."
    assert says("press_inline_button", chat_id=BO, button_index=0) == (
        f"{none} Specify message_id to target a specific message."
    )
    says("press_inline_button", chat_id=BOT, button_text="Fly", button_index=0)
    assert made("presses") == [
        {"chat_id": WITH_BOT, "message_id": 13, "user_id": ME, "data": "track", "pressed_s": NOW_S}
    ]


@pytest.mark.fact("objects")
def test_all_is_told_of_a_bot_and_of_a_person(says: Says) -> None:
    def told(name: str) -> dict[str, Any]:
        info: dict[str, Any] = json.loads(says("get_bot_info", bot_username=name))
        return info

    bot = told("van_bot")["full_user"]
    assert (bot["id"], bot["about"], bot["common_chats_count"], bot["blocked"]) == (BOT, "Where the van is", 0, False)
    assert {key: value for key, value in bot["bot_info"].items() if value not in (None, False)} == {
        "_": "BotInfo",
        "user_id": BOT,
        "description": "Where the van is",
        "commands": [{"_": "BotCommand", "command": "track", "description": "Track"}],
        "menu_button": {"_": "BotMenuButtonDefault"},
    }
    # With Bo the account is in two groups; from a third it is out, and a channel is none.
    bo, own = told("@bo_brook"), told("me")["full_user"]
    assert (bo["full_user"]["common_chats_count"], bo["full_user"]["bot_info"]) == (3, None)
    assert (own["common_chats_count"], own["about"]) == (0, "Bread")
    assert told("fay_f")["full_user"]["blocked"] is True
    assert told("fay_f")["full_user"]["about"] is None
    user = bo["users"][0]
    assert {key: value for key, value in user.items() if value not in (None, False, [])} == {
        "_": "User",
        "id": BO,
        "contact": True,
        "mutual_contact": True,
        "access_hash": user["access_hash"],
        "first_name": "Bo",
        "username": "bo_brook",
        "phone": "447000000002",
        "photo": user["photo"],
        "status": {"_": "UserStatusOnline", "expires": "2026-03-09T01:05:00+00:00"},
    }
    assert user["photo"] == {
        "_": "UserProfilePhoto",
        "photo_id": NEW_PHOTO,
        "dc_id": 5,
        "has_video": False,
        "personal": False,
        "stripped_thumb": None,
    }
