"""Ada's account: people in every relation to her, and a chat of every kind in every role.

``rows`` is what the server of December 2025 was recorded on, and ``rows_of_2026`` has what later tools show, too.
"""

from __future__ import annotations

import json
from typing import Any

Row = dict[str, Any]

NOW_S = 1773018000  # LocalApp's clock
ME, BO, CY, DEE, ELI, FAY, GIL, HAL, LEI, BOT = (6100000000 + number for number in range(1, 11))
LUNCH, CREW = 4100000001, 4100000002
USERS, BOARD, NEWS, CITY, WEATHER, CLOSED, FORUM, ASKED, QUITTED = (2100000000 + number for number in range(1, 10))
WITH_BO, WITH_BOT, SAVED, WITH_FAY = (9000000000001 + number for number in range(4))
PICTURE, REPORT, VOICE, STICKER, POLL, CLIP = (5000000000000000001 + number for number in range(6))
NEW_PHOTO, OLD_PHOTO = 6000000000000000002, 6000000000000000001
FOLDER = "/home/ada"
GIVEN = ("change_info", "delete_messages", "ban_users", "invite_users", "pin_messages", "add_admins")


def user(user_id: int, first_name: str, last_name: str | None = None, **more: Any) -> Row:
    return {"table": "users", "user_id": user_id, "first_name": first_name, "last_name": last_name, **more}


def chat(chat_id: int, kind: str, title: str, **more: Any) -> Row:
    return {"table": "chats", "chat_id": chat_id, "kind": kind, "title": title, "created_s": NOW_S - 900_000, **more}


def private(chat_id: int, other: int) -> list[Row]:
    low, high = sorted((ME, other))
    made = {"table": "chats", "chat_id": chat_id, "kind": "private", "low_id": low, "high_id": high}
    return [made, *(member(chat_id, each) for each in sorted({ME, other}))]


def member(chat_id: int, user_id: int, role: str = "member", **more: Any) -> Row:
    since = NOW_S - 800_000 + user_id % 100
    return {"table": "members", "chat_id": chat_id, "user_id": user_id, "role": role, "since_s": since, **more}


def message(chat_id: int, message_id: int, sender: int | None, ago_s: int, text: str | None, **more: Any) -> Row:
    row = {"table": "messages", "chat_id": chat_id, "message_id": message_id, "sender_id": sender}
    return {**row, "sent_s": NOW_S - ago_s, "text": text, **more}


def file(folder: str, name: str, size_bytes: int = 10, **more: Any) -> Row:
    return {"table": "files", "owner_id": ME, "path": f"{folder}/{name}", "size_bytes": size_bytes, **more}


def media(media_id: int, kind: str, **more: Any) -> Row:
    return {"table": "media", "media_id": media_id, "kind": kind, "made_s": NOW_S - 5000, **more}


BUTTONS = [
    [{"text": "Track", "data": "track", "answer": "On its way"}, {"text": "Site", "url": "https://van.example"}],
    [{"text": "Warn me", "data": "warn", "answer": "", "alert": True}, {"text": "Slow", "data": "slow"}],
    [{"text": "Quiet", "data": "quiet", "answer": ""}, {"text": "Pay"}],
]


def rows(folder: str = FOLDER) -> list[Row]:
    """Return the whole account; its files lie in ``folder``."""
    poll = {"question": "Where?", "answers": ["Pier", "公园"], "multiple": True, "public": True}
    return [
        user(ME, "Ada", "Ames", person="ada", username="ada_ames", phone="447000000001", about="Bread"),
        user(BO, "Bob", "Brook", person="bo", username="bo_brook", phone="447000000002", status="online",
             status_s=NOW_S + 300),
        user(CY, "Cyril", "Carr", phone="447000000003", status="recently"),
        user(DEE, "Dee", "Dale", username="dee_dale", status="last_week"),
        user(ELI, "Eli", status="last_month"),
        user(FAY, "Fay", "Finch", username="fay_f", status="offline", status_s=NOW_S - 7200),
        user(GIL, "Gil", "Gray"),
        user(HAL, "Hal", "Hart", phone="447000000008", username="hal_hart", is_shy=1),
        user(LEI, "雷", "李", username="lilei", phone="8613800000009"),
        user(BOT, "Van Bot", username="van_bot", is_bot=1, is_verified=1, about="Where the van is",
             commands=json.dumps([{"command": "track", "description": "Track"}])),
        *({"table": "contacts", "owner_id": ME, "user_id": each, "first_name": first, "last_name": last}
          for each, first, last in ((BO, "Bo", None), (CY, "Cy", "Carr"), (LEI, "雷", "李"))),
        {"table": "contacts", "owner_id": BO, "user_id": ME, "first_name": "Ada", "last_name": None},
        {"table": "blocks", "owner_id": ME, "peer_id": FAY, "blocked_s": NOW_S - 3000},
        {"table": "privacy", "owner_id": ME, "key": "status",
         "rules": json.dumps([{"allow": [BO]}, {"disallow": [FAY]}])},
        *private(WITH_BO, BO),
        *private(WITH_BOT, BOT),
        *private(SAVED, ME),
        *private(WITH_FAY, FAY),
        chat(LUNCH, "group", "Lunch"),
        chat(CREW, "group", "Old crew"),
        chat(USERS, "supergroup", "Plum Users", username="plum_users", about="Everybody"),
        chat(BOARD, "supergroup", "Board", banned_rights='["change_info", "pin_messages", "invite_users"]',
             reactions='["👍"]', is_guarded=1, slow_mode_s=3600),
        chat(NEWS, "channel", "Plum News", username="plum_news", is_verified=1),
        chat(CITY, "channel", "City Alerts", username="city_alerts"),
        chat(WEATHER, "channel", "Weather", username="weather_now"),
        chat(CLOSED, "supergroup", "Closed shop"),
        chat(FORUM, "supergroup", "Forum", is_forum=1),
        chat(ASKED, "supergroup", "Ask first", asks_to_join=1),
        chat(QUITTED, "supergroup", "Long ago", username="long_ago"),
        member(LUNCH, ME, "creator"), member(LUNCH, BO), member(LUNCH, ELI), member(LUNCH, LEI),
        member(CREW, ME, "left"), member(CREW, BO, "creator"),
        member(USERS, ME, "admin", rights=json.dumps(GIVEN), rank="Baker", by_id=BO),
        member(USERS, BO, "creator"), member(USERS, CY, "admin", rights='["pin_messages"]', by_id=BO),
        member(USERS, ELI), member(USERS, DEE, "banned", by_id=BO), member(USERS, FAY, "left"),
        member(BOARD, BO, "creator"), member(BOARD, ME), member(BOARD, ELI),
        member(NEWS, ME, "creator"), member(NEWS, BO, "admin", rights='["post_messages"]', by_id=ME), member(NEWS, ELI),
        member(CITY, ELI, "creator"), member(CITY, ME), member(WEATHER, ELI, "creator"),
        member(CLOSED, ELI, "creator"), member(CLOSED, ME, "banned"),
        member(FORUM, ME, "creator"), member(ASKED, ELI, "creator"),
        member(QUITTED, ELI, "creator"), member(QUITTED, ME, "left"),
        media(PICTURE, "photo", width=1600, height=1200),
        media(REPORT, "document", file_name="report.pdf", mime_type="application/pdf", size_bytes=2048),
        media(VOICE, "voice", file_name="note.ogg", mime_type="audio/ogg", size_bytes=999, duration_s=4),
        media(STICKER, "sticker", file_name="sticker.webp", mime_type="image/webp", size_bytes=777, emoji="🙂"),
        media(POLL, "poll", poll=json.dumps(poll, ensure_ascii=False)),
        media(CLIP, "video", file_name="clip.mp4", mime_type="video/mp4", size_bytes=5000, width=640, height=480,
              duration_s=9),
        message(WITH_BO, 1, BO, 500_000, "Hello Ada"),
        message(WITH_BO, 2, ME, 499_000, "Hello Bo, how is the new shop?", reply_to=1),
        message(WITH_BO, 3, BO, 300_000, "Shop opens on Friday\nat ten", edited_s=NOW_S - 299_000),
        message(WITH_BO, 5, BO, 200_000, "", media_id=PICTURE),
        message(WITH_BO, 6, ME, 100_000, "Nice", reply_to=5, is_pinned=1),
        message(WITH_BO, 7, BO, 90_000, "Gone", is_deleted=1),
        message(WITH_BO, 8, BO, 4000, "Numbers for you", media_id=REPORT, forwarded_from=CY, forwarded_s=NOW_S - 9000),
        message(WITH_BO, 9, BO, 3000, "见面说？周五十点", is_pinned=1),
        message(LUNCH, 4, ME, 250_000, None, action="create"),
        message(LUNCH, 10, LEI, 2500, "Soup today", is_pinned=1),
        message(LUNCH, 11, ELI, 2000, "", media_id=STICKER, reply_to=10),
        message(CREW, 12, BO, 600_000, "Bye"),
        message(WITH_BOT, 13, BOT, 1500, "Your van", buttons=json.dumps(BUTTONS)),
        message(WITH_BOT, 14, ME, 1400, "/track"),
        message(SAVED, 15, ME, 400_000, "Keep **this**"),
        message(SAVED, 16, ME, 1000, "", media_id=VOICE),
        message(WITH_FAY, 17, FAY, 700_000, "Hi there"),
        message(USERS, 1, BO, 800_000, None, action="create"),
        message(USERS, 2, ELI, 7000, "Shopping list for Friday", media_id=POLL),
        message(USERS, 3, ME, 6000, "Which shop?", reply_to=2, is_pinned=1),
        message(USERS, 4, CY, 500, "Dock Road", reply_to=99),
        message(BOARD, 1, BO, 20_000, "Budget is 4,000"),
        message(BOARD, 2, ME, 600, "Thanks"),
        message(NEWS, 1, None, 40_000, "We open on Friday", media_id=CLIP),
        message(NEWS, 2, None, 30_000, "Bring friends"),
        message(CITY, 1, None, 50_000, "Road works"),
        message(WEATHER, 1, None, 60_000, "Rain"),
        message(FORUM, 1, ME, 70_000, "Welcome"),
        *({"table": "reactions", "chat_id": each, "message_id": number, "user_id": who, "emoji": emoji,
           "reacted_s": NOW_S - 100 * number - who % 10}
          for each, number, who, emoji in ((WITH_BO, 2, BO, "👍"), (WITH_BO, 3, ME, "❤"), (LUNCH, 10, ME, "🔥"),
                                           (LUNCH, 10, BO, "👍"), (NEWS, 1, ELI, "🎉"))),
        {"table": "dialogs", "user_id": ME, "chat_id": WITH_BO, "read_id": 5},
        {"table": "dialogs", "user_id": ME, "chat_id": USERS, "read_id": 3, "pin": 1},
        {"table": "dialogs", "user_id": ME, "chat_id": LUNCH, "read_id": 11, "is_marked_unread": 1},
        {"table": "dialogs", "user_id": ME, "chat_id": BOARD, "read_id": 2},
        {"table": "dialogs", "user_id": ME, "chat_id": WITH_FAY, "read_id": 17},
        {"table": "dialogs", "user_id": ME, "chat_id": CREW, "read_id": 12},
        {"table": "dialogs", "user_id": ME, "chat_id": WITH_BOT, "read_id": 14},
        {"table": "drafts", "user_id": ME, "peer_id": BO, "text": "Shall we", "saved_s": NOW_S - 50, "reply_to": 9},
        {"table": "drafts", "user_id": ME, "peer_id": -LUNCH, "text": "汤", "saved_s": NOW_S - 60, "no_webpage": 1},
        {"table": "drafts", "user_id": ME, "peer_id": -1000000000000 - NEWS, "text": "Soon", "saved_s": NOW_S - 70},
        *({"table": "invites", "hash": code, "chat_id": each, "admin_id": ELI, "made_s": NOW_S - 9999, **more}
          for code, each, more in (("AAAAAAAAAAAAAAAA", WEATHER, {}), ("BBBBBBBBBBBBBBBB", USERS, {}),
                                   ("CCCCCCCCCCCCCCCC", ASKED, {}), ("DDDDDDDDDDDDDDDD", WEATHER, {"is_revoked": 1}),
                                   ("EEEEEEEEEEEEEEEE", WEATHER, {"expires_s": NOW_S - 5}))),
        {"table": "photos", "photo_id": OLD_PHOTO, "peer_id": BO, "made_s": NOW_S - 90_000},
        {"table": "photos", "photo_id": NEW_PHOTO, "peer_id": BO, "made_s": NOW_S - 80_000},
        {"table": "photos", "photo_id": OLD_PHOTO + 2, "peer_id": -1000000000000 - USERS, "made_s": NOW_S - 70_000},
        {"table": "sticker_sets", "owner_id": ME, "position": 1, "title": "Bread"},
        {"table": "sticker_sets", "owner_id": ME, "position": 2, "title": "猫"},
        *({"table": "events", "event_id": number, "chat_id": USERS, "user_id": who, "happened_s": NOW_S - 900 + number,
           "action": action, "details": json.dumps(details)}
          for number, who, action, details in ((1, BO, "title", {"was": "Plum", "now": "Plum Users"}),
                                               (2, ELI, "join", {}), (3, FAY, "leave", {}),
                                               (4, ME, "pin", {"message_id": 3}),
                                               (5, CY, "edit", {"message_id": 4, "was": "Dock", "now": "Dock Road"}))),
        {"table": "files", "owner_id": ME, "path": folder, "kind": "folder"},
        {"table": "files", "owner_id": ME, "path": f"{folder}/locked", "kind": "folder", "is_writable": 0},
        file(folder, "cake.png", width=64, height=48), file(folder, "list.txt"), file(folder, "note.ogg", duration_s=3),
        file(folder, "smile.webp"), file(folder, "empty.bin", 0),
    ]  # fmt: skip


ALBUM = 1000000000000000001
HOUSE, FAIR = 2, 5  # topics of the forum
PIER, LIGHTHOUSE = PICTURE + 100, PICTURE + 101
CARD = PICTURE + 102


def rows_of_2026(folder: str = FOLDER) -> list[Row]:
    """Return the account with topics, folders, aliases, scheduled messages, an album, receipts and an archive."""
    later = {"table": "scheduled_messages", "chat_id": WITH_BO, "sender_id": ME}
    topic = {"table": "topics", "chat_id": FORUM, "creator_id": ME}
    filters = json.dumps(["contacts", "groups", "exclude_archived"])
    card = {"phone": "+44 7000 000003", "first_name": "Cy", "last_name": "Carr", "vcard": ""}
    channel = -1000000000000 - NEWS
    return [
        *rows(folder),
        member(FORUM, ELI),
        media(PIER, "photo", width=800, height=600),
        media(LIGHTHOUSE, "photo", width=800, height=600),
        media(CARD, "contact", contact=json.dumps(card)),
        message(WITH_BO, 18, BO, 2900, "The pier\n\n\n\nat night", media_id=PIER, album_id=ALBUM),
        message(WITH_BO, 19, BO, 2900, "", media_id=LIGHTHOUSE, album_id=ALBUM),
        message(LUNCH, 20, ME, 1900, "Bread is on me \u200b!"),
        message(SAVED, 21, ME, 900, "Bring friends", forwarded_from=channel, forwarded_s=NOW_S - 30_000,
                forwarded_post=2),
        message(SAVED, 22, ME, 800, "", media_id=CARD),
        message(FORUM, HOUSE, ME, 60_000, None, action="topic", topic_id=HOUSE),
        message(FORUM, 3, ELI, 50_000, "Who paints the door?", topic_id=HOUSE),
        message(FORUM, 4, ME, 40_000, "I do", reply_to=3, topic_id=HOUSE),
        message(FORUM, FAIR, ELI, 30_000, None, action="topic", topic_id=FAIR),
        message(FORUM, 6, ELI, 20_000, "Stall 12", topic_id=FAIR),
        {**topic, "topic_id": HOUSE, "title": "The house", "icon_color": 7322096, "made_s": NOW_S - 60_000},
        {**topic, "topic_id": FAIR, "title": "Winter fair", "icon_color": 16766590, "made_s": NOW_S - 30_000,
         "is_closed": 1},
        {"table": "dialogs", "user_id": ME, "chat_id": FORUM, "read_id": 4},
        {"table": "dialogs", "user_id": ME, "chat_id": NEWS, "read_id": 2, "is_muted": 1},
        {"table": "dialogs", "user_id": ME, "chat_id": CITY, "read_id": 0, "is_archived": 1},
        {"table": "dialogs", "user_id": BO, "chat_id": LUNCH, "read_id": 20, "read_s": NOW_S - 1500},
        {"table": "dialogs", "user_id": LEI, "chat_id": LUNCH, "read_id": 11, "read_s": NOW_S - 1500},
        {**later, "message_id": 1, "text": "Shop today?\nYes", "due_s": NOW_S + 90_000},
        {**later, "message_id": 2, "text": "x" * 120, "due_s": NOW_S + 180_000},
        {"table": "folders", "owner_id": ME, "folder_id": 2, "position": 2, "title": "Bakery", "emoticon": "🏠",
         "filters": filters, "included": json.dumps([BO, channel]), "excluded": json.dumps([FAY]),
         "pinned": json.dumps([BO])},
        {"table": "folders", "owner_id": ME, "folder_id": 3, "position": 1, "title": "Shared", "is_shared": 1,
         "included": json.dumps([-LUNCH, -1000000000000 - USERS])},
        *({"table": "aliases", "owner_id": ME, "alias": alias, "peer_id": peer, "name": name, "account": "default",
           "position": place}
          for place, (alias, peer, name) in enumerate((("boss of bread", BO, "Bo"), ("бо пекарь", BO, "Bo"),
                                                       ("our news", channel, "Plum News"),
                                                       ("old gil", GIL, "Gil")), 1)),
        {"table": "listeners", "owner_id": ME, "started_s": NOW_S - 3500},
    ]  # fmt: skip
