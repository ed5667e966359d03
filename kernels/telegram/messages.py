"""Messages: reading a chat, searching it, and writing, changing, forwarding and pinning what stands in it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from farm.appkit import Episode, Result, Row, Value

from . import admin_log, texts
from .errors import NotFitting, Refused, ToolMessage
from .ids import Id, checked
from .peers import (
    INSIDE,
    Peer,
    as_peer,
    find_chat_id,
    find_user,
    full_name,
    marked,
    may,
    me,
    require,
    require_may_send,
    require_readable,
    require_right,
    role,
)

# The right to send media of a kind; of any other it is ``send_media``.
SENDING = {"sticker": "send_stickers", "gif": "send_gifs", "poll": "send_polls"}
_CHUNK = 100
_NO_TEXT = "[Media/No text]"
_EDITED_WITHIN_S = 48 * 3600
_ROWS = """
    SELECT m.chat_id, m.message_id, m.sent_s, m.sender_id, m.author_id, m.text, m.action, m.reply_to, m.media_id,
        m.buttons, m.is_pinned, m.edited_s, m.forwarded_from, m.forwarded_s,
        coalesce(k.first_name, u.first_name) AS first_name,
        CASE WHEN k.user_id IS NULL THEN u.last_name ELSE k.last_name END AS last_name, c.title AS title
    FROM messages m JOIN chats c USING (chat_id) LEFT JOIN users u ON u.user_id = m.sender_id
        LEFT JOIN contacts k ON k.owner_id = :me AND k.user_id = m.sender_id
    WHERE m.is_deleted = 0 AND m.chat_id = :chat
"""


# -- reading ----------------------------------------------------------------------------------------------------------


def message_rows(
    ep: Episode, chat_id: int | None, where: str = "1", *, ascending: bool = False, limit: int = -1, **named: Value
) -> list[Row]:
    """Return messages of a chat with who sent them, newest first unless it is said otherwise."""
    order = "" if ascending else "DESC"
    sql = f"{_ROWS} AND {where} ORDER BY m.message_id {order} LIMIT :most OFFSET :skipped"
    return ep.db.all(sql, **{"skipped": 0, **named}, me=me(ep), chat=chat_id, most=limit)


def find(ep: Episode, chat_id: int | None, message_id: int) -> Row | None:
    """Return a message of a chat, or None."""
    found = message_rows(ep, chat_id, "m.message_id = :id", limit=1, id=require_number(message_id))
    return found[0] if found else None


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


@checked("chat_id")
def get_messages(ep: Episode, *, chat_id: Id, page: int = 1, page_size: int = 20) -> Result:
    """Return one page of a chat, newest message first."""
    chat = require_readable(ep, require(ep, chat_id))
    found = message_history(ep, chat, page_size, (page - 1) * page_size)
    if not found:
        raise ToolMessage("No messages found for this page.")
    return message_lines(found)


@checked("chat_id")
def get_history(ep: Episode, *, chat_id: Id, limit: int = 100) -> Result:
    """Return the newest messages of a chat; nothing at all where there are none."""
    return message_lines(message_history(ep, require_readable(ep, require(ep, chat_id)), limit))


@checked("chat_id")
def search_messages(ep: Episode, *, chat_id: Id, query: str, limit: int = 20) -> Result:
    """Return what a search finds in a chat; nothing at all where it finds none."""
    return message_lines(search(ep, require_readable(ep, require(ep, chat_id)), query, limit))


@checked("chat_id")
def list_messages(
    ep: Episode,
    *,
    chat_id: Id,
    limit: int = 20,
    search_query: str | None = None,
    from_date: str | None = None,
    to_date: str | None = None,
) -> Result:
    """Return messages of a chat that a search finds, or of some days.

    From a day on they come oldest first, else newest first. With a search or a day a limit below 1 is 1.
    """
    chat = require_readable(ep, require(ep, chat_id))
    since, until = _day(from_date, "from_date"), _day(to_date, "to_date")
    try:
        until = until and until + timedelta(days=1)
    except OverflowError:
        raise NotFitting from None
    since_s = int(since.timestamp()) if since else -(2**62)
    until_s = int(until.timestamp()) if until else 2**62
    if search_query:
        inside = (row for row in search(ep, chat, search_query, 2**31) if since_s <= row["sent_s"] < until_s)
        found = _first(inside, limit)
    elif since or until:
        between = "m.sent_s >= :since AND m.sent_s < :until"
        most = min(max(limit, 1), 2**31)
        found = message_rows(ep, chat, between, ascending=bool(since), limit=most, since=since_s, until=until_s)
    else:
        found = message_history(ep, chat, limit)
    if not found:
        raise ToolMessage("No messages found matching the criteria.")
    return message_lines(found, _NO_TEXT)


def _first(found: Iterator[Row], limit: int) -> list[Row]:
    return [row for _, row in zip(range(max(limit, 1)), found, strict=False)]


def _day(text: str | None, name: str) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise ToolMessage(f"Invalid {name} format. Use YYYY-MM-DD.") from None


@checked("chat_id")
def get_message_context(ep: Episode, *, chat_id: Id, message_id: int, context_size: int = 3) -> Result:
    """Return a message with those around it, oldest first, each with the beginning of what it answers."""
    chat = require_readable(ep, require(ep, chat_id))
    require_number(message_id)
    if message_id == 0:
        # Telethon takes 0 for no number, and gives a list with nothing in it.
        raise NotFitting
    before = message_history(ep, chat, context_size, before_id=message_id if message_id > 0 else None)
    central = find(ep, chat, message_id)
    after = message_rows(
        ep, chat, "m.message_id > :id", ascending=True, limit=min(max(context_size, 0), 2**31), id=message_id
    )
    if central is None:
        raise ToolMessage(f"Message with ID {message_id} not found in chat {chat_id}.")
    told = [f"Context for message {message_id} in chat {chat_id}:"]
    for row in (*reversed(before), central, *after):
        here = " [THIS MESSAGE]" if row["message_id"] == message_id else ""
        head = f"ID: {row['message_id']} | {sender_name(row)} | {texts.printed(row['sent_s'])}{here}"
        told.append(f"{head}{_quoted(ep, chat, row)}\n{row['text'] or _NO_TEXT}\n")
    return "\n".join(told)


def _quoted(ep: Episode, chat_id: int | None, row: Row) -> str:
    answered = find(ep, chat_id, row["reply_to"]) if row["reply_to"] else None
    if answered is None:
        return ""
    said = f"[{short_sender(answered)}] {answered['text'] or _NO_TEXT}"
    return f" | reply to {row['reply_to']}\n  → Replied message: {said}"


@checked("chat_id")
def get_pinned_messages(ep: Episode, *, chat_id: Id) -> Result:
    """Return the newest of a chat's pinned messages: the server asks for no more than one."""
    found = message_rows(ep, require_readable(ep, require(ep, chat_id)), "m.is_pinned = 1", limit=1)
    if not found:
        raise ToolMessage("No pinned messages found in this chat.")
    return message_lines(found, _NO_TEXT)


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


@checked("chat_id")
def send_message(ep: Episode, *, chat_id: Id, message: str) -> Result:
    """Send a text; Markdown in it becomes formats."""
    peer = require(ep, chat_id)
    plain = texts.require_text(message)
    require_may_send(ep, peer)
    post_message(ep, peer, plain)
    return "Message sent successfully."


@checked("chat_id")
def reply_to_message(ep: Episode, *, chat_id: Id, message_id: int, text: str) -> Result:
    """Send a text as the answer to a message of the same chat."""
    peer = require(ep, chat_id)
    plain = texts.require_text(text)
    require_may_send(ep, peer)
    if find(ep, find_chat_id(ep, peer), message_id) is None:
        raise Refused("REPLY_MESSAGE_ID_INVALID")
    post_message(ep, peer, plain, reply_to=message_id)
    return f"Replied to message {message_id} in chat {chat_id}."


@checked("chat_id")
def edit_message(ep: Episode, *, chat_id: Id, message_id: int, new_text: str) -> Result:
    """Change the words of one of the account's messages, within two days.

    There is no end in channels, in notes to oneself, and in supergroups for who may pin there.
    Source: https://core.telegram.org/method/messages.editMessage
    """
    peer = require(ep, chat_id)
    chat = require_readable(ep, peer)
    if not peer.is_user and role(ep, peer.id) not in INSIDE:
        raise Refused("CHAT_WRITE_FORBIDDEN")
    found = require_message(ep, chat, message_id)
    if media_kind(ep, found) in ("sticker", "poll"):
        raise Refused("MESSAGE_ID_INVALID")
    plain = texts.require_text(new_text, 1024 if found["media_id"] else 4096)
    if peer.kind == "channel":
        is_own = found["author_id"] == me(ep) and found["forwarded_from"] is None
        is_late = ep.now_ms // 1000 - found["sent_s"] > _EDITED_WITHIN_S
        if not (is_own and not is_late and may(ep, peer, "post_messages")):
            require_right(ep, peer, "edit_messages")
    elif found["sender_id"] != me(ep) or found["forwarded_from"] is not None:
        raise Refused("MESSAGE_AUTHOR_REQUIRED")
    elif ep.now_ms // 1000 - found["sent_s"] > _EDITED_WITHIN_S and not _has_no_end(ep, peer):
        raise Refused("MESSAGE_EDIT_TIME_EXPIRED")
    if plain == found["text"]:
        raise Refused("MESSAGE_NOT_MODIFIED")
    key = {"chat_id": chat, "message_id": message_id}
    ep.db.update("messages", key, text=plain, edited_s=ep.now_ms // 1000)
    if peer.kind == "supergroup":
        admin_log.record(ep, peer, "edit", message_id=message_id, was=found["text"], now=plain)
    return f"Message {message_id} edited."


def _has_no_end(ep: Episode, peer: Peer) -> bool:
    return peer.id == me(ep) or (peer.kind == "supergroup" and may(ep, peer, "pin_messages"))


def media_kind(ep: Episode, row: Row) -> str | None:
    """Return the kind of what is attached to a message, if anything is."""
    kind = ep.db.scalar("SELECT kind FROM media WHERE media_id = ?", row["media_id"])
    return None if kind is None else str(kind)


@checked("chat_id")
def delete_message(ep: Episode, *, chat_id: Id, message_id: int) -> Result:
    """Delete a message for everybody. One that is not there is deleted, too.

    Outside channels a number is the account's, not the chat's: a message of another private chat or group goes as well.
    """
    peer = require(ep, chat_id)
    require_number(message_id)
    found = _deletable(ep, peer, message_id)
    if found is not None:
        chat = as_peer(ep.db.one("SELECT * FROM chats WHERE chat_id = ?", found["chat_id"]) or {})
        is_others = chat.kind == "channel" or (chat.kind != "private" and found["sender_id"] != me(ep))
        is_own_post = found["author_id"] == me(ep) and may(ep, chat, "post_messages")
        if is_others and not is_own_post and not may(ep, chat, "delete_messages"):
            raise Refused("MESSAGE_DELETE_FORBIDDEN")
        if chat.is_channel:
            admin_log.record(ep, chat, "delete", message_id=message_id)
        ep.db.update("messages", {"chat_id": chat.id, "message_id": message_id}, is_deleted=1)
    return f"Message {message_id} deleted."


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


@checked("from_chat_id", "to_chat_id")
def forward_message(ep: Episode, *, from_chat_id: Id, message_id: int, to_chat_id: Id) -> Result:
    """Send a copy of a message on, with the name of who said it first."""
    source, target = require(ep, from_chat_id), require(ep, to_chat_id)
    chat = require_readable(ep, source)
    found = require_message(ep, chat, message_id)
    if not source.is_user and source.row["is_guarded"]:
        raise Refused("CHAT_FORWARDS_RESTRICTED")
    kind = media_kind(ep, found)
    require_may_send(ep, target, SENDING.get(kind, "send_media") if kind else "send_messages")
    author = marked("channel", source.id) if found["sender_id"] is None else found["sender_id"]
    first = found["forwarded_from"] or author, found["forwarded_s"] or found["sent_s"]
    post_message(ep, target, found["text"], media_id=found["media_id"], forwarded_from=first[0], forwarded_s=first[1])
    return f"Message {message_id} forwarded from {from_chat_id} to {to_chat_id}."


@checked("chat_id")
def pin_message(ep: Episode, *, chat_id: Id, message_id: int) -> Result:
    """Pin a message, and say so in the chat where it was not pinned. A number below 1 takes all pins off."""
    _pin(ep, require(ep, chat_id), message_id, pinned=True)
    return f"Message {message_id} pinned in chat {chat_id}."


@checked("chat_id")
def unpin_message(ep: Episode, *, chat_id: Id, message_id: int) -> Result:
    """Take the pin off a message. A number below 1 takes all pins off."""
    _pin(ep, require(ep, chat_id), message_id, pinned=False)
    return f"Message {message_id} unpinned in chat {chat_id}."


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


@checked("contact_id")
def get_last_interaction(ep: Episode, *, contact_id: Id) -> Result:
    """Return the last five messages of the private chat with somebody."""
    peer = require(ep, contact_id)
    if not peer.is_user:
        raise ToolMessage(f"ID {contact_id} is not a user/contact.")
    user = find_user(ep, peer.id) or peer.row
    name = f"{user['first_name']} {user['last_name']}".strip()
    found = message_history(ep, find_chat_id(ep, peer), 5)
    if not found:
        raise ToolMessage(f"No messages found with {name} (ID: {contact_id}).")
    told = [f"Last interactions with {name} (ID: {contact_id}):"]
    for row in found:
        sender = "You" if row["sender_id"] == me(ep) else name
        told.append(f"Date: {texts.printed(row['sent_s'])}, From: {sender}, Message: {row['text'] or _NO_TEXT}")
    return "\n".join(told)
