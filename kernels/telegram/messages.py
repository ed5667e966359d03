"""Messages: reading a chat, searching it, and writing, changing, forwarding and pinning what stands in it."""

from __future__ import annotations

import json
from collections.abc import Iterable

from farm.appkit import Episode, Result, Row, Value

from . import admin_log, texts
from .errors import NotFitting, Refused, only_admins
from .ids import Id, addressed
from .peers import (
    INSIDE,
    Peer,
    as_peer,
    find_chat_id,
    full_name,
    marked,
    may,
    me,
    require,
    require_readable,
    require_right,
    role,
)

# The right to send media of a kind; of any other it is ``send_media``.
SENDING = {"sticker": "send_stickers", "gif": "send_gifs", "poll": "send_polls"}
_CHUNK = 100
_EDITED_WITHIN_S = 48 * 3600
_ROWS = """
    SELECT m.chat_id, m.message_id, m.sent_s, m.sender_id, m.author_id, m.text, m.action, m.reply_to, m.media_id,
        m.buttons, m.is_pinned, m.edited_s, m.forwarded_from, m.forwarded_s, m.forwarded_post,
        m.topic_id, m.album_id,
        coalesce(k.first_name, u.first_name) AS first_name,
        CASE WHEN k.user_id IS NULL THEN u.last_name ELSE k.last_name END AS last_name, c.title AS title,
        u.username AS username, c.username AS chat_username, c.kind AS chat_kind,
        d.kind AS media_kind, d.file_name, d.emoji,
        (SELECT count(*) FROM reactions r WHERE r.chat_id = m.chat_id AND r.message_id = m.message_id) AS reactions
    FROM messages m JOIN chats c USING (chat_id) LEFT JOIN users u ON u.user_id = m.sender_id
        LEFT JOIN contacts k ON k.owner_id = :me AND k.user_id = m.sender_id
        LEFT JOIN media d ON d.media_id = m.media_id
    WHERE m.is_deleted = 0
"""
_PLACES = "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:places)"


# -- reading ----------------------------------------------------------------------------------------------------------


def message_rows(
    ep: Episode, chat_id: int | None, where: str = "1", *, ascending: bool = False, limit: int = -1, **named: Value
) -> list[Row]:
    """Return messages of a chat with who sent them, newest first unless it is said otherwise."""
    order = "" if ascending else "DESC"
    sql = f"{_ROWS} AND m.chat_id = :chat AND {where} ORDER BY m.message_id {order} LIMIT :most OFFSET :skipped"
    return ep.db.all(sql, **{"skipped": 0, **named}, me=me(ep), chat=chat_id, most=limit)


def find(ep: Episode, chat_id: int | None, message_id: int) -> Row | None:
    """Return a message of a chat, or None."""
    found = message_rows(ep, chat_id, "m.message_id = :id", limit=1, id=require_number(message_id))
    return found[0] if found else None


def find_among(ep: Episode, places: Iterable[tuple[int, int]]) -> dict[int, Row]:
    """Return messages by their chat, one of each, named by chat and number."""
    sql = f"{_ROWS} AND (m.chat_id, m.message_id) IN ({_PLACES}) ORDER BY m.chat_id"
    return {row["chat_id"]: row for row in ep.db.all(sql, me=me(ep), places=json.dumps(list(places)))}


def require_message(ep: Episode, chat_id: int | None, message_id: int) -> Row:
    """Return a message that somebody wrote in a chat."""
    found = find(ep, chat_id, message_id)
    if found is None or found["text"] is None:
        raise Refused("MESSAGE_ID_INVALID")
    return found


def require_number(number: int) -> int:
    """Return a number that fits into a request."""
    if not -(2**31) <= number < 2**31:
        raise NotFitting
    return number


def message_history(
    ep: Episode, chat_id: int | None, limit: int, offset: int = 0, before_id: int | None = None
) -> list[Row]:
    """Return a chat's newest messages as Telethon fetches them: a hundred a request, and each skips ``offset`` anew."""
    require_number(offset)
    found: list[Row] = []
    below = before_id or 2**31
    while len(found) < limit:
        most = min(limit - len(found), _CHUNK)
        # An offset above the newest message leaves nothing of the page but what reaches below it.
        chunk = message_rows(
            ep,
            chat_id,
            "m.message_id < :below",
            limit=max(most + min(offset, 0), 0),
            below=below,
            skipped=max(offset, 0),
        )
        found += chunk
        if len(chunk) < most:
            break
        below = chunk[-1]["message_id"]
    return found


def search(ep: Episode, chat_id: int | None, query: str, limit: int) -> list[Row]:
    """Return a chat's newest messages that a query finds; an empty one finds all."""
    texts.require_printable(query)
    if not query:
        return message_history(ep, chat_id, limit)
    found: list[Row] = []
    wanted = texts.words(query)
    for row in message_rows(ep, chat_id, "m.text IS NOT NULL"):
        if len(found) >= limit:
            break
        if texts.is_found(row["text"], wanted):
            found.append(row)
    return found


def search_everywhere(ep: Episode, query: str, limit: int) -> list[Row]:
    """Return the newest messages that a query finds in the account's own chats, with the marked ids of these.

    Reads all messages: any of them may hold the words.
    Reads all members: the account's chats, in which it searches.
    """
    texts.require_printable(query)
    wanted = texts.words(query)
    if not wanted:
        raise Refused("SEARCH_QUERY_EMPTY")
    own = ep.db.all(
        "SELECT c.chat_id, c.kind, c.low_id, c.high_id FROM members p JOIN chats c USING (chat_id) WHERE p.user_id = ? "
        "AND (p.role IN ('creator', 'admin', 'member') OR p.role = 'left' AND c.kind = 'group') ORDER BY c.chat_id",
        me(ep),
    )
    found: list[Row] = []
    for chat in own:
        other = chat["high_id"] if chat["low_id"] == me(ep) else chat["low_id"]
        peer_id = other if chat["kind"] == "private" else marked(chat["kind"], chat["chat_id"])
        rows = message_rows(ep, chat["chat_id"], "m.text IS NOT NULL")
        found += [{**row, "peer_id": peer_id} for row in rows if texts.is_found(row["text"], wanted)]
    found.sort(key=lambda row: (-row["sent_s"], -row["message_id"]))
    return found[: max(limit, 0)]


def sender_name(row: Row) -> str:
    """Return who sent a message: a person's full name, or the channel."""
    if row["sender_id"] is None:
        return row["title"] or "Unknown"
    return full_name(row) or "Unknown"


def short_sender(row: Row) -> str:
    """Return who sent a message by their given name."""
    return (row["title"] if row["sender_id"] is None else row["first_name"]) or "Unknown"


def message_lines(found: list[Row], no_text: str | None = None) -> str:
    """Return a line a message; ``no_text`` stands for what has no words, else what Python prints of it."""
    return "\n".join(_line(row, no_text) for row in found)


def _line(row: Row, no_text: str | None) -> str:
    reply = f" | reply to {row['reply_to']}" if row["reply_to"] else ""
    said = row["text"] if no_text is None else row["text"] or no_text
    head = f"ID: {row['message_id']} | {sender_name(row)} | Date: {texts.printed(row['sent_s'])}"
    return f"{head}{reply} | Message: {said}"


# -- writing ----------------------------------------------------------------------------------------------------------


def open_chat(ep: Episode, peer: Peer) -> int:
    """Return the chat of a peer; a private one begins with its first message."""
    chat = find_chat_id(ep, peer)
    if chat is None:
        low, high = sorted((me(ep), peer.id))
        chat = int(ep.new_id("private"))
        ep.db.insert("chats", chat_id=chat, kind="private", created_s=ep.now_ms // 1000, low_id=low, high_id=high)
        for user_id in sorted({low, high}):
            ep.db.insert("members", chat_id=chat, user_id=user_id, since_s=ep.now_ms // 1000)
    return chat


def post_message(ep: Episode, peer: Peer, text: str | None, **columns: Value) -> int:
    """Store a message of the account's in a chat and return its number."""
    chat = open_chat(ep, peer)
    if peer.is_channel:
        number = ep.next_number("messages", "message_id", chat_id=chat)
    else:
        number = 1 + ep.db.scalar(
            "SELECT coalesce(max(message_id), 0) FROM messages JOIN chats USING (chat_id) "
            "WHERE kind IN ('private', 'group')"
        )
    sender = None if peer.kind == "channel" else me(ep)
    author = me(ep) if peer.kind == "channel" else None
    row = {"chat_id": chat, "message_id": number, "sender_id": sender, "author_id": author}
    row["sent_s"] = ep.now_ms // 1000
    ep.db.insert("messages", **row, text=text, **columns)
    return int(number)


@addressed("chat_id")
def edit_message(ep: Episode, *, chat_id: Id, message_id: int, new_text: str, parse_mode: str | None = None) -> Result:
    """Change the words of one of the account's messages, within two days.

    There is no end in channels, in notes to oneself, and in supergroups for who may pin there.
    Source: https://core.telegram.org/method/messages.editMessage
    """
    peer = require(ep, chat_id)
    mode = "md" if parse_mode is None else parse_mode
    texts.refuse_rich(mode, "edit_message")
    chat = require_readable(ep, peer)
    if not peer.is_user and role(ep, peer.id) not in INSIDE:
        raise Refused("CHAT_WRITE_FORBIDDEN")
    found = require_message(ep, chat, message_id)
    if media_kind(ep, found) in ("sticker", "poll"):
        raise Refused("MESSAGE_ID_INVALID")
    plain = texts.require_text(new_text, 1024 if found["media_id"] else 4096, mode)
    if peer.kind == "channel":
        is_own = found["author_id"] == me(ep) and found["forwarded_from"] is None
        is_late = ep.now_ms // 1000 - found["sent_s"] > _EDITED_WITHIN_S
        if not (is_own and not is_late and may(ep, peer, "post_messages")):
            require_right(ep, peer, "edit_messages")
    elif found["sender_id"] != me(ep) or found["forwarded_from"] is not None:
        raise Refused("MESSAGE_AUTHOR_REQUIRED")
    elif ep.now_ms // 1000 - found["sent_s"] > _EDITED_WITHIN_S and not _has_no_end(ep, peer):
        raise Refused("MESSAGE_EDIT_TIME_EXPIRED")
    html = texts.marked(new_text, mode)
    was = ep.db.scalar("SELECT html FROM messages WHERE chat_id = ? AND message_id = ?", chat, message_id)
    if (plain, html) == (found["text"], was):
        raise Refused("MESSAGE_NOT_MODIFIED")
    key = {"chat_id": chat, "message_id": message_id}
    ep.db.update("messages", key, text=plain, html=html, edited_s=ep.now_ms // 1000)
    if peer.kind == "supergroup":
        admin_log.record(ep, peer, "edit", message_id=message_id, was=found["text"], now=plain)
    return f"Message {message_id} edited."


def _has_no_end(ep: Episode, peer: Peer) -> bool:
    return peer.id == me(ep) or (peer.kind == "supergroup" and may(ep, peer, "pin_messages"))


def media_kind(ep: Episode, row: Row) -> str | None:
    """Return the kind of what is attached to a message, if anything is."""
    kind = ep.db.scalar("SELECT kind FROM media WHERE media_id = ?", row["media_id"])
    return None if kind is None else str(kind)


@addressed("chat_id")
def delete_message(ep: Episode, *, chat_id: Id, message_id: int) -> Result:
    """Delete a message for everybody. One that is not there is deleted, too.

    Outside channels a number is the account's, not the chat's: a message of another private chat or group goes as well.
    """
    delete_number(ep, require(ep, chat_id), message_id)
    return f"Message {message_id} deleted."


def delete_number(ep: Episode, peer: Peer, message_id: int) -> bool:
    """Delete what a number stands for in the eyes of a peer, and tell whether there was anything."""
    require_number(message_id)
    found = _deletable(ep, peer, message_id)
    if found is None:
        return False
    chat = as_peer(ep.db.one("SELECT * FROM chats WHERE chat_id = ?", found["chat_id"]) or {})
    is_others = chat.kind == "channel" or (chat.kind != "private" and found["sender_id"] != me(ep))
    is_own_post = found["author_id"] == me(ep) and may(ep, chat, "post_messages")
    if is_others and not is_own_post and not may(ep, chat, "delete_messages"):
        raise Refused("MESSAGE_DELETE_FORBIDDEN")
    if chat.is_channel:
        admin_log.record(ep, chat, "delete", message_id=message_id)
    ep.db.update("messages", {"chat_id": chat.id, "message_id": message_id}, is_deleted=1)
    return True


def _deletable(ep: Episode, peer: Peer, message_id: int) -> Row | None:
    if peer.is_channel:
        return find(ep, require_readable(ep, peer), message_id)
    return ep.db.one(
        "SELECT m.chat_id, m.sender_id, m.author_id "
        "FROM messages m JOIN chats c USING (chat_id) JOIN members USING (chat_id) "
        "WHERE m.message_id = ? AND m.is_deleted = 0 AND c.kind IN ('private', 'group') AND user_id = ? LIMIT 1",
        message_id,
        me(ep),
    )


@addressed("chat_id")
def pin_message(ep: Episode, *, chat_id: Id, message_id: int) -> Result:
    """Pin a message, and say so in the chat where it was not pinned. A number below 1 takes all pins off."""
    _pin(ep, require(ep, chat_id), message_id, pinned=True)
    return f"Message {message_id} pinned in chat {chat_id}."


@addressed("chat_id")
def unpin_message(ep: Episode, *, chat_id: Id, message_id: int) -> Result:
    """Take the pin off a message. A number below 1 takes all pins off."""
    _pin(ep, require(ep, chat_id), message_id, pinned=False)
    return f"Message {message_id} unpinned in chat {chat_id}."


@addressed("chat_id")
def unpin_all_messages(ep: Episode, *, chat_id: Id) -> Result:
    """Take all pins off."""
    with only_admins("Cannot unpin messages: admin privileges are required."):
        _pin(ep, require(ep, chat_id), 0, pinned=False)
    return f"All messages unpinned in chat {chat_id}."


def _pin(ep: Episode, peer: Peer, message_id: int, *, pinned: bool) -> None:
    """Reads all messages: the pinned ones, when all pins go, by an index that holds no others."""
    if not peer.is_user and role(ep, peer.id) not in INSIDE:
        raise Refused("CHAT_WRITE_FORBIDDEN")
    require_right(ep, peer, "edit_messages" if peer.kind == "channel" else "pin_messages")
    chat = find_chat_id(ep, peer)
    if message_id <= 0:
        # The value stands in the statement, so that the index of pinned messages is used.
        ep.db.execute("UPDATE messages SET is_pinned = 0 WHERE chat_id = ? AND is_pinned = 1", chat)
        return
    found = require_message(ep, chat, message_id)
    if found["is_pinned"] == int(pinned):
        return
    ep.db.update("messages", {"chat_id": chat, "message_id": message_id}, is_pinned=int(pinned))
    if peer.is_channel:
        admin_log.record(ep, peer, "pin" if pinned else "unpin", message_id=message_id)
    if pinned and peer.id != me(ep):
        post_message(ep, peer, None, action="pin", reply_to=message_id)
