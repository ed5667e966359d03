"""Telethon's objects, made of rows."""

from __future__ import annotations

from collections.abc import Iterable

from farm.appkit import Episode, Row, parse_json

from .peers import CHANNEL_MARK, INSIDE, Peer, bare, me, role
from .tl_objects import Made, make, time

FOREVER_S = 2**31 - 1
_STATUSES = {"recently": "Recently", "last_week": "LastWeek", "last_month": "LastMonth"}
# What a photo's copies are called, and how long their longer side is at most.
_COPIES = (("m", 320), ("x", 800), ("y", 1280))
_BYTES_OF_PIXELS = 8
# What the server takes from whom it bans.
BANNED = ("view_messages", "send_messages", "send_media", "send_stickers", "send_gifs", "send_games", "send_inline",
          "embed_links", "send_polls", "change_info", "invite_users", "pin_messages")  # fmt: skip


def access_hash(ep: Episode, kind: str, number: int) -> int:
    """Return what opens a peer or a file: an arbitrary signed number of 64 bits."""
    return ep.hash("access", kind, number) - 2**63


def peer_object(peer_id: int) -> Made:
    """Return the peer of a marked id."""
    if peer_id >= 0:
        return make("PeerUser", user_id=peer_id)
    number = bare(peer_id)
    return make("PeerChannel", channel_id=number) if -peer_id > CHANNEL_MARK else make("PeerChat", chat_id=number)


def entity(ep: Episode, peer: Peer) -> Made:
    """Return a user, group or channel."""
    return user_object(ep, peer.row) if peer.is_user else chat_object(ep, peer)


def status_object(ep: Episode, row: Row) -> Made | None:
    """Return when a user was here; None where nobody may know, as of bots."""
    if row["status"] == "online":
        return make("UserStatusOnline", expires=time(row["status_s"] or 0))
    if row["status"] == "offline":
        # Who has written since was here then: a world that goes on brings messages and leaves the people's rows alone.
        wrote_s = ep.db.scalar("SELECT MAX(sent_s) FROM messages WHERE sender_id = ?", row["user_id"])
        return make("UserStatusOffline", was_online=time(max(row["status_s"] or 0, wrote_s or 0)))
    return make(f"UserStatus{_STATUSES[row['status']]}") if row["status"] else None


def user_object(ep: Episode, row: Row) -> Made:
    """Return a user as the account sees them."""
    photo = photo_id(ep, row["user_id"])
    return make(
        "User",
        id=row["user_id"],
        is_self=row["user_id"] == me(ep),
        contact=bool(row["is_contact"]),
        mutual_contact=bool(row["is_contact"] and row["has_me"]),
        bot=bool(row["is_bot"]),
        verified=bool(row["is_verified"]),
        access_hash=access_hash(ep, "user", row["user_id"]),
        first_name=row["first_name"],
        last_name=row["last_name"],
        username=row["username"],
        phone=row["phone"],
        photo=make("UserProfilePhoto", photo_id=photo, dc_id=5) if photo else None,
        status=status_object(ep, row),
        bot_info_version=1 if row["is_bot"] else None,
    )


def chat_object(ep: Episode, peer: Peer) -> Made:
    """Return a group, supergroup or channel."""
    row, part = peer.row, role(ep, peer.id)
    photo = photo_id(ep, peer.marked)
    member = ep.db.one("SELECT rights, since_s FROM members WHERE chat_id = ? AND user_id = ?", peer.id, me(ep))
    rights = parse_json(member["rights"]) if member and part == "admin" else ()
    banned = rights_object("ChatBannedRights", parse_json(row["banned_rights"]), until_date=time(FOREVER_S))
    said = {
        "id": peer.id,
        "title": row["title"],
        "photo": make("ChatPhoto", photo_id=photo, dc_id=5) if photo else make("ChatPhotoEmpty"),
        "creator": part == "creator",
        "left": part not in INSIDE,
        "noforwards": bool(row["is_guarded"]),
        "participants_count": count_members(ep, peer.id),
        "admin_rights": rights_object("ChatAdminRights", rights) if rights else None,
    }
    if peer.kind == "group":
        return make("Chat", **said, date=time(row["created_s"]), version=1, default_banned_rights=banned)
    return make(
        "Channel",
        **said,
        date=time(member["since_s"] if member else row["created_s"]),
        broadcast=peer.kind == "channel",
        megagroup=peer.kind == "supergroup",
        verified=bool(row["is_verified"]),
        slowmode_enabled=bool(row["slow_mode_s"]),
        join_request=bool(row["asks_to_join"]),
        forum=bool(row["is_forum"]),
        access_hash=access_hash(ep, "chat", peer.id),
        username=row["username"],
        default_banned_rights=banned if peer.kind == "supergroup" else None,
    )


def rights_object(name: str, rights: Iterable[str], **values: object) -> Made:
    """Return rights by their names."""
    return make(name, **dict.fromkeys(rights, True), **values)


def count_members(ep: Episode, chat_id: int) -> int:
    """Return how many there are in a chat, those included who are only counted."""
    sql = (
        "SELECT more_members + (SELECT count(*) FROM members WHERE chat_id = :chat "
        "AND role IN ('creator', 'admin', 'member')) FROM chats WHERE chat_id = :chat"
    )
    return int(ep.db.scalar(sql, chat=chat_id))


def photo_id(ep: Episode, peer_id: int) -> int | None:
    """Return the photo that a peer shows."""
    sql = "SELECT photo_id FROM photos WHERE peer_id = ? AND is_deleted = 0 ORDER BY made_s DESC, photo_id DESC LIMIT 1"
    found = ep.db.scalar(sql, peer_id)
    return None if found is None else int(found)


def media_object(ep: Episode, row: Row) -> Made:
    """Return what is attached to a message."""
    if row["kind"] == "poll":
        return _poll(row)
    if row["kind"] == "contact":
        return _contact(ep, row)
    made = {
        "id": row["media_id"],
        "access_hash": access_hash(ep, "media", row["media_id"]),
        "file_reference": ep.hash("reference", row["media_id"]).to_bytes(8, "big"),
        "date": time(row["made_s"]),
        "dc_id": 5,
    }
    if row["kind"] == "photo":
        return make("MessageMediaPhoto", photo=make("Photo", **made, sizes=_copies(row)))
    document = make("Document", **made, mime_type=row["mime_type"], size=row["size_bytes"], attributes=_attributes(row))
    kinds = {kind: row["kind"] == kind for kind in ("video", "voice")}
    return make("MessageMediaDocument", **kinds, document=document)


def topic_object(ep: Episode, peer: Peer, topic_id: int) -> Made:
    """Return a topic of a forum."""
    row = ep.db.one("SELECT * FROM topics WHERE chat_id = ? AND topic_id = ?", peer.id, topic_id) or {}
    return make(
        "ForumTopic",
        id=topic_id,
        date=time(row.get("made_s") or 0),
        peer=peer_object(peer.marked),
        title=row.get("title") or "",
        icon_color=row.get("icon_color") or 0,
        top_message=topic_id,
        read_inbox_max_id=0,
        read_outbox_max_id=0,
        unread_count=0,
        unread_mentions_count=0,
        unread_reactions_count=0,
        from_id=peer_object(row["creator_id"]) if row.get("creator_id") else None,
        notify_settings=make("PeerNotifySettings"),
        my=row.get("creator_id") == me(ep),
        icon_emoji_id=row.get("icon_emoji_id"),
    )


def _copies(row: Row) -> list[Made]:
    sizes = []
    for kind, side in _COPIES:
        w, h = _scaled(row, side)
        sizes.append(make("PhotoSize", type=kind, w=w, h=h, size=_size_of(w, h)))
        if max(row["width"] or 1, row["height"] or 1) <= side:
            break
    return sizes


def _scaled(row: Row, side: int) -> tuple[int, int]:
    width, height = row["width"] or 1, row["height"] or 1
    scale = min(1.0, side / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _size_of(width: int, height: int) -> int:
    """Return how many bytes a picture has."""
    return max(1, width * height // _BYTES_OF_PIXELS)


def photo_size(row: Row) -> int:
    """Return how many bytes the largest copy of a photo has: it is what is downloaded."""
    return _size_of(*_scaled(row, max(side for _, side in _COPIES)))


def _attributes(row: Row) -> list[Made]:
    kind, name = row["kind"], row["file_name"]
    made: list[Made] = []
    if kind in ("voice", "audio"):
        made.append(make("DocumentAttributeAudio", duration=row["duration_s"] or 0, voice=kind == "voice"))
    if kind in ("video", "gif"):
        size = {"w": row["width"] or 1, "h": row["height"] or 1}
        made.append(make("DocumentAttributeVideo", duration=float(row["duration_s"] or 0), **size))
    if kind == "gif":
        made.append(make("DocumentAttributeAnimated"))
    if kind == "sticker":
        made.append(make("DocumentAttributeImageSize", w=row["width"] or 512, h=row["height"] or 512))
        empty = make("InputStickerSetEmpty")
        made.append(make("DocumentAttributeSticker", alt=row["emoji"] or "", stickerset=empty))
    return [*made, make("DocumentAttributeFilename", file_name=name)] if name else made


def _poll(row: Row) -> Made:
    poll = parse_json(row["poll"])
    answers = [make("PollAnswer", text=_words(each), option=bytes([at])) for at, each in enumerate(poll["answers"])]
    made = make(
        "Poll",
        id=row["media_id"],
        question=_words(poll["question"]),
        answers=answers,
        public_voters=bool(poll.get("public")),
        multiple_choice=bool(poll.get("multiple")),
        quiz=bool(poll.get("quiz")),
        close_date=time(poll["close_s"]) if poll.get("close_s") else None,
    )
    return make("MessageMediaPoll", poll=made, results=make("PollResults", total_voters=poll.get("voters", 0)))


def _contact(ep: Episode, row: Row) -> Made:
    contact = parse_json(row["contact"])
    digits = "".join(filter(str.isdigit, contact["phone"]))
    user_id = ep.db.scalar("SELECT user_id FROM users WHERE phone = ?", digits) if digits else None
    names = {key: contact[key] for key in ("first_name", "last_name", "vcard")}
    return make("MessageMediaContact", phone_number=contact["phone"], **names, user_id=user_id or 0)


def _words(text: str) -> Made:
    return make("TextWithEntities", text=text)


def message_object(ep: Episode, peer: Peer, message_id: int, **changed: object) -> Made:
    """Return a message as it stands, or stood, in a supergroup or channel."""
    row = ep.db.one("SELECT * FROM messages WHERE chat_id = ? AND message_id = ?", peer.id, message_id) or {}
    media = ep.db.one("SELECT * FROM media WHERE media_id = ?", row.get("media_id"))
    reply = make("MessageReplyHeader", reply_to_msg_id=row["reply_to"]) if row.get("reply_to") else None
    said = {
        "id": message_id,
        "peer_id": peer_object(peer.marked),
        "date": time(row.get("sent_s") or 0),
        "message": row.get("text") or "",
        "out": row.get("sender_id") == me(ep),
        "post": peer.kind == "channel",
        "pinned": bool(row.get("is_pinned")),
        "from_id": peer_object(row["sender_id"]) if row.get("sender_id") else None,
        "reply_to": reply,
        "media": media_object(ep, media) if media else None,
        "edit_date": time(row["edited_s"]) if row.get("edited_s") else None,
    }
    return make("Message", **said | changed)


def participant_object(ep: Episode, row: Row) -> Made:
    """Return somebody's part in a supergroup or channel, of a row of table ``members``."""
    user_id, since = row["user_id"], time(row["since_s"])
    if row["role"] == "creator":
        return make(
            "ChannelParticipantCreator", user_id=user_id, admin_rights=rights_object("ChatAdminRights", row["rights"])
        )
    if row["role"] == "admin":
        rights = rights_object("ChatAdminRights", row["rights"])
        by = {"promoted_by": row["by_id"], "is_self": user_id == me(ep), "rank": row["rank"] or None}
        return make("ChannelParticipantAdmin", user_id=user_id, date=since, admin_rights=rights, **by)
    if row["role"] == "banned":
        rights = rights_object("ChatBannedRights", BANNED, until_date=time(FOREVER_S))
        by = {"kicked_by": row["by_id"], "banned_rights": rights, "left": True}
        return make("ChannelParticipantBanned", peer=peer_object(user_id), date=since, **by)
    if row["role"] == "left":
        return make("ChannelParticipantLeft", peer=peer_object(user_id))
    return make("ChannelParticipant", user_id=user_id, date=since)
