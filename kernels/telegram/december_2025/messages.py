"""Reading and writing messages, as the server of December 2025 answered."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row

from .. import texts
from ..errors import Refused, ToolMessage
from ..histories import around, in_days
from ..ids import Id, checked
from ..messages import (
    SENDING,
    find,
    media_kind,
    message_history,
    message_lines,
    message_rows,
    post_message,
    require_message,
    search,
    sender_name,
    short_sender,
)
from ..peers import (
    find_chat_id,
    find_user,
    marked,
    me,
    require,
    require_may_send,
    require_readable,
)

_NO_TEXT = "[Media/No text]"


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
    found = in_days(ep, chat, limit, search_query, from_date, to_date)
    if not found:
        raise ToolMessage("No messages found matching the criteria.")
    return message_lines(found, _NO_TEXT)


@checked("chat_id")
def get_message_context(ep: Episode, *, chat_id: Id, message_id: int, context_size: int = 3) -> Result:
    """Return a message with those around it, oldest first, each with the beginning of what it answers."""
    chat = require_readable(ep, require(ep, chat_id))
    found = around(ep, chat, message_id, context_size)
    if found is None:
        raise ToolMessage(f"Message with ID {message_id} not found in chat {chat_id}.")
    told = [f"Context for message {message_id} in chat {chat_id}:"]
    for row in found:
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


@checked("chat_id")
def send_message(ep: Episode, *, chat_id: Id, message: str) -> Result:
    """Send a text; Markdown in it becomes formats."""
    peer = require(ep, chat_id)
    plain = texts.require_text(message)
    require_may_send(ep, peer)
    post_message(ep, peer, plain, html=texts.marked(message))
    return "Message sent successfully."


@checked("chat_id")
def reply_to_message(ep: Episode, *, chat_id: Id, message_id: int, text: str) -> Result:
    """Send a text as the answer to a message of the same chat."""
    peer = require(ep, chat_id)
    plain = texts.require_text(text)
    require_may_send(ep, peer)
    if find(ep, find_chat_id(ep, peer), message_id) is None:
        raise Refused("REPLY_MESSAGE_ID_INVALID")
    post_message(ep, peer, plain, html=texts.marked(text), reply_to=message_id)
    return f"Replied to message {message_id} in chat {chat_id}."


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
