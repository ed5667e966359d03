"""Reading messages: pages and days of a chat, searches, what stands around a message, and what is pinned."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from farm.appkit import Episode, Result, Row

from . import message_views, texts
from .errors import NotFitting, ToolMessage
from .ids import Id, addressed
from .message_views import results
from .messages import find, message_history, message_rows, require_number, search, search_everywhere
from .peers import find_chat_id, find_user, me, named, own_row, require, require_readable
from .sanitize import clean_name

_NOTHING_FOUND = "No messages found matching the criteria."


@addressed("chat_id")
def get_messages(ep: Episode, *, chat_id: Id, page: int = 1, page_size: int = 20) -> Result:
    """Return one page of a chat, newest message first, a line each."""
    chat = require_readable(ep, require(ep, chat_id))
    found = message_history(ep, chat, page_size, (page - 1) * page_size)
    if not found:
        raise ToolMessage("No messages found for this page.")
    return "\n".join(message_views.line(row) for row in found)


@addressed("chat_id")
def get_history(ep: Episode, *, chat_id: Id, limit: int = 100) -> Result:
    """Return the newest messages of a chat with all that is known of them."""
    chat = require_readable(ep, require(ep, chat_id))
    return results(message_views.record(ep, row) for row in message_history(ep, chat, limit))


@addressed("chat_id")
def search_messages(ep: Episode, *, chat_id: Id, query: str, limit: int = 20) -> Result:
    """Return what a search finds in a chat."""
    found = search(ep, require_readable(ep, require(ep, chat_id)), query, limit)
    return results(message_views.summary(row, album=False, engaged=False) for row in found)


@addressed()
def search_global(ep: Episode, *, query: str, page: int = 1, page_size: int = 20) -> Result:
    """Return what a search finds in all chats of the account, newest first.

    Every page is the first: the request that Telethon makes of it has no place for how much to skip.
    """
    own_row(ep)
    require_number((page - 1) * page_size)
    found = search_everywhere(ep, query, page_size)
    if not found:
        raise ToolMessage("No messages found for this page.")
    return results(_found_anywhere(ep, row) for row in found)


def _found_anywhere(ep: Episode, row: Row) -> dict[str, Any]:
    peer_id, name = row["peer_id"], row["title"]
    if row["chat_kind"] == "private":
        user = find_user(ep, peer_id)
        name = user["first_name"] if user else str(peer_id)
    return {
        "chat_name": clean_name(name),
        "chat_id": peer_id,
        "id": row["message_id"],
        "sender": message_views.sender_info(row),
        "date": texts.iso(row["sent_s"]),
        "text": message_views.said(row),
    }


@addressed("chat_id")
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
        raise ToolMessage(_NOTHING_FOUND)
    return results(message_views.summary(row) for row in found)


def in_days(
    ep: Episode, chat: int | None, limit: int, query: str | None, from_date: str | None, to_date: str | None
) -> list[Row]:
    """Return messages of a chat that a search finds, or of some days."""
    since, until = _day(from_date, "from_date"), _day(to_date, "to_date")
    try:
        until = until and until + timedelta(days=1)
    except OverflowError:
        raise NotFitting from None
    since_s = int(since.timestamp()) if since else -(2**62)
    until_s = int(until.timestamp()) if until else 2**62
    if query:
        inside = (row for row in search(ep, chat, query, 2**31) if since_s <= row["sent_s"] < until_s)
        return _first(inside, limit)
    if since or until:
        between = "m.sent_s >= :since AND m.sent_s < :until"
        most = min(max(limit, 1), 2**31)
        return message_rows(ep, chat, between, ascending=bool(since), limit=most, since=since_s, until=until_s)
    return message_history(ep, chat, limit)


def _first(found: Iterator[Row], limit: int) -> list[Row]:
    return [row for _, row in zip(range(max(limit, 1)), found, strict=False)]


def _day(text: str | None, name: str) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise ToolMessage(f"Invalid {name} format. Use YYYY-MM-DD.") from None


def around(ep: Episode, chat: int | None, message_id: int, context_size: int) -> list[Row] | None:
    """Return a message among so many before and after it, oldest first; None where it is not there."""
    require_number(message_id)
    if message_id == 0:
        # Telethon takes 0 for no number, and gives a list with nothing in it.
        raise NotFitting
    before = message_history(ep, chat, context_size, before_id=message_id if message_id > 0 else None)
    central = find(ep, chat, message_id)
    most = min(max(context_size, 0), 2**31)
    after = message_rows(ep, chat, "m.message_id > :id", ascending=True, limit=most, id=message_id)
    return None if central is None else [*reversed(before), central, *after]


@addressed("chat_id")
def get_message_context(ep: Episode, *, chat_id: Id, message_id: int, context_size: int = 3) -> Result:
    """Return a message with those around it, oldest first, each with what it answers."""
    chat = require_readable(ep, require(ep, chat_id))
    found = around(ep, chat, message_id, context_size)
    if found is None:
        raise ToolMessage(f"Message with ID {message_id} not found in chat {chat_id}.")
    told = [_in_context(ep, chat, row, is_target=row["message_id"] == message_id) for row in found]
    return results(told, chat_id=chat_id, target_message_id=message_id)


def _in_context(ep: Episode, chat: int | None, row: Row, *, is_target: bool) -> dict[str, Any]:
    told = {
        "id": row["message_id"],
        "sender": message_views.sender(row),
        "date": texts.iso(row["sent_s"]),
        "is_target": is_target,
        "text": message_views.said(row),
        **message_views.named_sender(row),
    }
    if row["album_id"] is not None:
        told["grouped_id"] = row["album_id"]
    if reply := message_views.reply_id(row):
        told["reply_to"] = reply
        if answered := find(ep, chat, reply):
            words = {"sender": message_views.sender(answered), "text": message_views.said(answered)}
            told["replied_message"] = words | message_views.named_sender(answered)
    return told


@addressed("chat_id")
def get_pinned_messages(ep: Episode, *, chat_id: Id) -> Result:
    """Return the newest of a chat's pinned messages: the server asks for no more than one."""
    found = message_rows(ep, require_readable(ep, require(ep, chat_id)), "m.is_pinned = 1", limit=1)
    if not found:
        raise ToolMessage("No pinned messages found in this chat.")
    return results(message_views.summary(row, album=False, engaged=False) for row in found)


@addressed("contact_id")
def get_last_interaction(ep: Episode, *, contact_id: Id) -> Result:
    """Return the last five messages of the private chat with somebody."""
    peer = require(ep, contact_id)
    if not peer.is_user:
        raise ToolMessage(f"ID {contact_id} is not a user/contact.")
    name = clean_name(named(find_user(ep, peer.id) or peer.row))
    found = message_history(ep, find_chat_id(ep, peer), 5)
    if not found:
        raise ToolMessage(f"No messages found with {name} (ID: {contact_id}).")
    told = [
        {
            "date": texts.iso(row["sent_s"]),
            "from": "You" if row["sender_id"] == me(ep) else name,
            "text": message_views.said(row),
        }
        for row in found
    ]
    return results(told, contact_name=name, contact_id=contact_id)
