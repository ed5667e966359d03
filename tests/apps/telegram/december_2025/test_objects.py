"""Chats, people and media as Telethon prints its objects, and what a name or a number leads to."""

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
    FORUM,
    GIL,
    LUNCH,
    ME,
    NEWS,
    NOW_S,
    REPORT,
    USERS,
    WITH_BO,
    media,
)

Fails = Callable[..., None]


@pytest.mark.fact("objects")
@pytest.mark.parametrize(
    ("kind", "columns", "attributes"),
    [
        (
            "gif",
            {"width": 20, "height": 10, "duration_s": 2},
            "DocumentAttributeVideo(duration=2.0, w=20, h=10, round_message=False, supports_streaming=False, "
            "nosound=False, preload_prefix_size=None, video_start_ts=None, video_codec=None), "
            "DocumentAttributeAnimated()",
        ),
        (
            "video",
            {},
            "DocumentAttributeVideo(duration=0.0, w=1, h=1, round_message=False, supports_streaming=False, "
            "nosound=False, preload_prefix_size=None, video_start_ts=None, video_codec=None)",
        ),
        (
            "audio",
            {"duration_s": 7},
            "DocumentAttributeAudio(duration=7, voice=False, title=None, performer=None, waveform=None)",
        ),
        (
            "voice",
            {},
            "DocumentAttributeAudio(duration=0, voice=True, title=None, performer=None, waveform=None)",
        ),
        (
            "sticker",
            {"width": 100, "height": 90, "emoji": "🍞"},
            "DocumentAttributeImageSize(w=100, h=90), DocumentAttributeSticker(alt='🍞', "
            "stickerset=InputStickerSetEmpty(), mask=False, mask_coords=None)",
        ),
        (
            "sticker",
            {},
            "DocumentAttributeImageSize(w=512, h=512), DocumentAttributeSticker(alt='', "
            "stickerset=InputStickerSetEmpty(), mask=False, mask_coords=None)",
        ),
        ("document", {"file_name": "a.txt"}, "DocumentAttributeFilename(file_name='a.txt')"),
    ],
)
def test_a_document_says_what_it_is(
    telegram: LocalApp, says: Says, kind: str, columns: dict[str, Any], attributes: str
) -> None:
    stored = {**media(77, kind, mime_type="x/y", size_bytes=5), **columns}
    telegram.episode.db.insert(stored.pop("table"), **stored)
    telegram.episode.db.update("messages", {"chat_id": WITH_BO, "message_id": 6}, media_id=77)

    info = says("get_media_info", chat_id=BO, message_id=6)

    is_video, is_voice = kind == "video", kind == "voice"
    assert info.startswith(
        f"MessageMediaDocument(nopremium=False, spoiler=False, video={is_video}, round=False, voice={is_voice}, "
        "document=Document(id=77, access_hash="
    )
    assert info.endswith(
        "date=datetime.datetime(2026, 3, 8, 23, 36, 40, tzinfo=datetime.timezone.utc), mime_type='x/y', size=5, "
        f"dc_id=5, attributes=[{attributes}], thumbs=[], video_thumbs=[]), alt_documents=[], video_cover=None, "
        "video_timestamp=None, ttl_seconds=None)"
    )


@pytest.mark.fact("objects")
@pytest.mark.parametrize(
    ("width", "height", "sizes"),
    [
        (320, 200, ["m 320 200 8000"]),
        (321, 200, ["m 320 199 7960", "x 321 200 8025"]),
        (200, 800, ["m 80 320 3200", "x 200 800 20000"]),
        (801, 400, ["m 320 160 6400", "x 800 400 40000", "y 801 400 40050"]),
        (2560, 1280, ["m 320 160 6400", "x 800 400 40000", "y 1280 640 102400"]),
        (2000, 1, ["m 320 1 40", "x 800 1 100", "y 1280 1 160"]),
        (None, None, ["m 1 1 1"]),
    ],
)
def test_a_photo_has_copies_up_to_its_own_size(
    telegram: LocalApp, says: Says, width: int | None, height: int | None, sizes: list[str]
) -> None:
    """Copies are at most 320, 800 and 1,280 wide or high."""
    telegram.episode.db.update("media", {"media_id": REPORT}, kind="photo", file_name=None, width=width, height=height)

    info = says("get_media_info", chat_id=BO, message_id=8)

    told = [each.partition(")")[0] for each in info.split("PhotoSize(")[1:]]
    assert told == [
        f"type='{kind}', w={w}, h={h}, size={size}" for kind, w, h, size in (each.split() for each in sizes)
    ]


@pytest.mark.fact("objects")
@pytest.mark.parametrize(
    ("status", "status_s", "told"),
    [
        ("online", None, "UserStatusOnline(expires=datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc))"),
        ("recently", 5, "UserStatusRecently(by_me=False)"),
        ("last_week", 5, "UserStatusLastWeek(by_me=False)"),
        ("last_month", 5, "UserStatusLastMonth(by_me=False)"),
        (None, None, "None"),
        (
            "offline",
            None,
            "UserStatusOffline(was_online=datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc))",
        ),
    ],
)
def test_a_status_is_told_as_it_is(
    telegram: LocalApp, says: Says, status: str | None, status_s: int | None, told: str
) -> None:
    telegram.episode.db.update("users", {"user_id": DEE}, status=status, status_s=status_s)

    assert says("get_user_status", user_id=DEE) == told


@pytest.mark.fact("objects")
def test_flags_of_a_chat_are_those_of_its_row(telegram: LocalApp, says: Says) -> None:
    def told(name: str) -> dict[str, str]:
        text = says("resolve_username", username=name)
        return dict(part.split("=", 1) for part in text.split(", ") if "=" in part)

    board: dict[str, Any] = {"username": "the_board", "is_forum": 1, "asks_to_join": 1, "is_verified": 1}
    telegram.episode.db.update("chats", {"chat_id": BOARD}, **board)
    shown = told("The_Board")
    flags = ("creator", "left", "broadcast", "verified", "megagroup", "slowmode_enabled", "noforwards", "join_request")
    assert [shown[each] for each in flags] == ["False", "False", "False", "True", "True", "True", "True", "True"]
    assert (shown["forum"], shown["participants_count"], shown["admin_rights"]) == ("True", "3", "None")
    assert (shown["change_info"], shown["pin_messages"], shown["invite_users"]) == ("True", "True", "True")
    news, city, quitted, users = (told(each) for each in ("plum_news", "city_alerts", "long_ago", "plum_users"))
    assert [news[each] for each in flags] == ["True", "False", "True", "True", "False", "False", "False", "False"]
    assert (city["left"], quitted["left"], quitted["creator"]) == ("False", "True", "False")
    assert (users["admin_rights"], users["default_banned_rights"]) == (
        "ChatAdminRights(change_info=True",
        "ChatBannedRights(until_date=datetime.datetime(2038",
    )
    assert (news["default_banned_rights"], news["admin_rights"]) == ("None", "None")


@pytest.mark.fact("session")
@pytest.mark.parametrize(
    "given",
    [
        *("https://t.me/bo_brook", "t.me/Bo_Brook/", "telegram.me/bo_brook", "http://www.telegram.dog/@bo_brook"),
        *("+447000000002", "+44 (7000) 000-002", "447000000002"),
    ],
)
def test_a_link_or_a_contacts_phone_leads_to_a_person(says: Says, given: str) -> None:
    """The tool that takes a text as it comes."""
    assert json.loads(says("get_bot_info", bot_username=given))["full_user"]["id"] == BO


@pytest.mark.fact("session")
@pytest.mark.parametrize("given", ["me", "SELF", "ada_ames"])
def test_the_account_is_found_by_what_it_calls_itself(says: Says, given: str) -> None:
    assert json.loads(says("get_bot_info", bot_username=given))["full_user"]["id"] == ME


@pytest.mark.fact("session")
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nobody_here", 'No user has "nobody_here" as username'),
        ("@Nobody_Here", 'No user has "nobody_here" as username'),
        ("447000000008", 'Cannot find any entity corresponding to "447000000008"'),
        ("no name", 'Cannot find any entity corresponding to "no name"'),
        ("a__b", 'Cannot find any entity corresponding to "a__b"'),
        ("", 'Cannot find any entity corresponding to ""'),
    ],
)
def test_a_name_that_leads_nowhere_is_told_by_telethon(telegram: LocalApp, given: str, said: str) -> None:
    outcome = telegram.outcome("get_bot_info", {"bot_username": given})

    assert str(outcome.error) == said


@pytest.mark.fact("session")
@pytest.mark.parametrize(
    ("given", "named"),
    [
        (5, "PeerUser(user_id=5) (PeerUser)"),
        (GIL, f"PeerUser(user_id={GIL}) (PeerUser)"),
        (-1_000_000_000_005, "PeerChannel(channel_id=5) (PeerChannel)"),
        (2**63 - 1, f"PeerUser(user_id={2**63 - 1}) (PeerUser)"),
    ],
)
def test_a_number_that_leads_nowhere_is_told_by_telethon(says: Says, given: int, named: str) -> None:
    said = says("invite_to_group", group_id=USERS, user_ids=[given])

    assert said == (
        f"Error: User with ID {given} could not be found. Could not find the input entity for {named}. Please read "
        "https://docs.telethon.dev/en/stable/concepts/entities.html to find out more details."
    )


@pytest.mark.fact("session")
def test_people_are_known_from_chats_that_are_shared(telegram: LocalApp, says: Says, fails: Fails) -> None:
    """Eli has no username and is no contact; the account shares a group with him."""
    assert says("get_chat", chat_id=ELI).startswith(f"ID: {ELI}\nName: Eli\nType: User\nBot: No\nVerified: No\n")
    telegram.episode.db.execute("DELETE FROM members WHERE user_id = ?", ME)
    fails("get_chat", chat_id=ELI)
    assert says("get_chat", chat_id=DEE).startswith(f"ID: {DEE}\nName: Dee Dale\nType: User\nUsername: @dee_dale\n")


@pytest.mark.fact("dialogs")
def test_the_whole_list_is_told_line_by_line(telegram: LocalApp, says: Says) -> None:
    none = "No unread messages"
    assert says("list_chats").splitlines() == [
        f"Chat ID: {USERS}, Title: Plum Users, Type: group, Username: @plum_users, Unread: 1",
        f"Chat ID: {BOARD}, Title: Board, Type: group, {none}",
        f"Chat ID: {ME}, Name: Ada Ames, Type: user, Username: @ada_ames, {none}",
        f"Chat ID: {BOT}, Name: Van Bot, Type: user, Username: @van_bot, {none}",
        f"Chat ID: {LUNCH}, Title: Lunch, Type: group, Unread: marked",
        f"Chat ID: {BO}, Name: Bo, Type: user, Username: @bo_brook, Unread: 2",
        f"Chat ID: {NEWS}, Title: Plum News, Type: channel, Username: @plum_news, Unread: 2",
        f"Chat ID: {CITY}, Title: City Alerts, Type: channel, Username: @city_alerts, Unread: 1",
        f"Chat ID: {FORUM}, Title: Forum, Type: group, {none}",
        f"Chat ID: {CREW}, Title: Old crew, Type: group, {none}",
        f"Chat ID: {FAY}, Name: Fay Finch, Type: user, Username: @fay_f, {none}",
    ]
    assert len(says("list_chats", limit=3).splitlines()) == 3
    assert says("list_chats", limit=-1) == "No chats found matching the criteria."
    assert [line[9:19] for line in says("list_chats", chat_type="USER", limit=4).splitlines()] == [str(ME), str(BOT)]
    assert says("get_chats", page=2, page_size=10) == f"Chat ID: {FAY}, Title: Fay"
    assert says("get_chats", page=2, page_size=11) == "Page out of range."


@pytest.mark.fact("dialogs")
def test_an_empty_chat_stands_where_it_was_made(telegram: LocalApp, says: Says) -> None:
    db = telegram.episode.db
    for number, age_s in ((4_300_000_001, 5), (4_300_000_002, 2_000), (4_300_000_003, 5)):
        db.insert("chats", chat_id=number, kind="group", title="x", created_s=NOW_S - age_s)
        db.insert("members", chat_id=number, user_id=ME, role="member")

    told = [int(line[9:19]) for line in says("get_chats").splitlines()]

    assert told[:3] == [USERS, 4_300_000_001, 4_300_000_003]
    assert told.index(4_300_000_002) == told.index(LUNCH) + 1 or told.index(4_300_000_002) == told.index(LUNCH) - 1


@pytest.mark.fact("lines")
def test_a_page_below_the_first_reaches_from_the_newest_on(says: Says) -> None:
    """An offset above the newest message leaves only what of the page reaches below it."""

    def numbers(**arguments: Any) -> list[int]:
        text = says("get_messages", chat_id=BO, **arguments)
        return [int(line[4:].partition(" ")[0]) for line in text.splitlines() if line.startswith("ID: ")]

    none = "No messages found for this page."
    assert says("get_messages", chat_id=BO, page=0, page_size=3) == none
    assert says("get_messages", chat_id=BO, page_size=0) == none
    assert numbers(page=1, page_size=3) == [9, 8, 6]
    assert numbers(page=3, page_size=3) == [1]
    assert says("get_history", chat_id=BO, limit=0) == ""


@pytest.mark.fact("lines")
def test_a_channels_posts_are_the_channels(telegram: LocalApp, says: Says) -> None:
    assert says("get_messages", chat_id=NEWS).splitlines() == [
        "ID: 2 | Plum News | Date: 2026-03-08 16:40:00+00:00 | Message: Bring friends",
        "ID: 1 | Plum News | Date: 2026-03-08 13:53:20+00:00 | Message: We open on Friday",
    ]
    context = says("get_message_context", chat_id=NEWS, message_id=1, context_size=0)
    assert context == (
        f"Context for message 1 in chat {NEWS}:\nID: 1 | Plum News | 2026-03-08 13:53:20+00:00 [THIS MESSAGE]\n"
        "We open on Friday\n"
    )
    telegram.episode.db.update("messages", {"chat_id": NEWS, "message_id": 2}, reply_to=1)
    assert "  → Replied message: [Plum News] We open on Friday\n" in says(
        "get_message_context", chat_id=NEWS, message_id=2
    )
    telegram.episode.db.update("chats", {"chat_id": NEWS}, title="")
    assert "ID: 2 | Unknown | " in says("get_messages", chat_id=NEWS)
    assert "→ Replied message: [Unknown] We" in says("get_message_context", chat_id=NEWS, message_id=2)


@pytest.mark.fact("search")
def test_a_search_shows_the_newest_it_finds(says: Says) -> None:
    def numbers(tool: str, **arguments: Any) -> list[int]:
        text = says(tool, chat_id=BO, **arguments)
        return [int(line[4:].partition(" ")[0]) for line in text.splitlines() if line.startswith("ID: ")]

    assert numbers("search_messages", query="shop", limit=1) == [3]
    assert numbers("search_messages", query="shop", limit=0) == []
    assert numbers("search_messages", query="", limit=2) == [9, 8]
    assert numbers("list_messages", search_query="shop", limit=1) == [3]
    assert numbers("list_messages", search_query="shop", limit=0) == [3]
    assert numbers("list_messages", search_query="shop", from_date="2026-03-05") == [3]
    assert numbers("list_messages", from_date="2026-03-05", limit=2) == [3, 5]
    assert numbers("list_messages", to_date="2026-03-05", limit=2) == [3, 2]


@pytest.mark.fact("days")
def test_a_day_is_whole_and_in_utc(telegram: LocalApp, says: Says) -> None:
    def found(**arguments: str) -> bool:
        return "ID: 6 " in says("list_messages", chat_id=BO, **arguments)

    # 9 March 2026, 00:00 UTC is an hour before now.
    for ago_s, from_ninth, to_eighth in ((3600, True, False), (3601, False, True)):
        telegram.episode.db.update("messages", {"chat_id": WITH_BO, "message_id": 6}, sent_s=NOW_S - ago_s)
        assert found(from_date="2026-03-09") is from_ninth
        assert found(to_date="2026-03-08") is to_eighth
        assert found(search_query="nice", from_date="2026-03-09") is from_ninth
        assert found(search_query="nice", to_date="2026-03-08") is to_eighth


@pytest.mark.fact("plain-groups")
def test_who_is_listed_goes_by_role_and_by_since_when(telegram: LocalApp, says: Says) -> None:
    def told(tool: str, chat: int) -> list[int]:
        return [int(line[4:14]) for line in says(tool, chat_id=chat).splitlines()]

    assert told("get_participants", USERS) == [ME, BO, CY, ELI]
    assert told("get_admins", USERS) == [ME, BO, CY]
    assert told("get_banned_users", USERS) == [DEE]
    assert told("get_participants", BOARD) == [ME, BO, ELI]
    telegram.episode.db.update("members", {"chat_id": USERS, "user_id": ELI}, since_s=1)
    assert told("get_participants", USERS) == [ELI, ME, BO, CY]
    assert says("get_participants", chat_id=BO) == f"ID: {BO}, Name: Bo None"
    assert says("get_admins", chat_id=CREW) == "No admins found."
    assert says("get_banned_users", chat_id=NEWS) == "No banned users found."
    assert says("get_participants", chat_id=CREW) == ""


@pytest.mark.fact("misfits")
def test_topics_are_asked_of_forums_alone(says: Says) -> None:
    assert says("list_topics", chat_id=BO) == "The specified chat is not a supergroup."
    assert says("list_topics", chat_id=NEWS) == "The specified chat is not a supergroup."


@pytest.mark.fact("names")
def test_a_person_of_no_name_is_unknown(telegram: LocalApp, says: Says) -> None:
    telegram.episode.db.update("users", {"user_id": ELI}, first_name="")

    assert "ID: 11 | Unknown | Date: " in says("get_messages", chat_id=LUNCH)
