"""Scheduled messages: what Telegram shall send later; ``due.py`` sends them."""

from __future__ import annotations

from datetime import UTC, datetime

from farm.appkit import Episode, Result

from . import texts
from .errors import NotFitting, Refused, ToolMessage
from .ids import Id, addressed
from .messages import open_chat, post_message, require_number
from .peers import Peer, find_chat_id, may, me, own_row, require, require_may_send
from .sanitize import clean_text

_PREVIEW_MAX, _SCHEDULED_MAX = 100, 100
_AT_ONCE_S, _LATEST_S = 10, 365 * 86_400


@addressed("chat_id")
def send_scheduled_message(ep: Episode, *, chat_id: Id, message: str, schedule_date: str | int) -> Result:
    """Have a text sent later, Markdown in it read as formats; what is due within seconds goes out at once.

    Source: https://core.telegram.org/api/scheduled-messages
    """
    own_row(ep)
    due = _time(schedule_date)
    if due <= ep.now:
        raise ToolMessage(f"schedule_date must be in the future (got {due.isoformat()}, now {ep.now.isoformat()}).")
    peer = require(ep, chat_id)
    plain = texts.require_text(message)
    require_may_send(ep, peer)
    in_s = int(due.timestamp()) - ep.now_ms // 1000
    if in_s > _LATEST_S:
        raise Refused("SCHEDULE_DATE_TOO_LATE")
    number = post_message(ep, peer, plain) if in_s < _AT_ONCE_S else _schedule(ep, peer, plain, int(due.timestamp()))
    return f"Scheduled message {number} for {due.isoformat()} in chat {chat_id}."


def _schedule(ep: Episode, peer: Peer, text: str, due_s: int) -> int:
    chat = open_chat(ep, peer)
    count = "SELECT count(*) FROM scheduled_messages WHERE chat_id = ? AND sender_id = ?"
    if ep.db.scalar(count, chat, me(ep)) >= _SCHEDULED_MAX:
        raise Refused("SCHEDULE_TOO_MUCH")
    number = ep.next_number("scheduled_messages", "message_id")
    ep.db.insert("scheduled_messages", chat_id=chat, message_id=number, sender_id=me(ep), text=text, due_s=due_s)
    return number


def _time(given: str | int) -> datetime:
    try:
        if isinstance(given, int):
            return datetime.fromtimestamp(given, UTC)
        due = datetime.fromisoformat(given.replace("Z", "+00:00"))
    except (ValueError, OverflowError, OSError):
        raise NotFitting from None
    return due if due.tzinfo else due.replace(tzinfo=UTC)


@addressed("chat_id")
def get_scheduled_messages(ep: Episode, *, chat_id: Id) -> Result:
    """Return what is to be sent in a chat, what is due last first."""
    found = ep.db.all(
        "SELECT * FROM scheduled_messages WHERE chat_id = ? AND sender_id = ? ORDER BY due_s DESC, message_id DESC",
        _require_chat(ep, chat_id),
        me(ep),
    )
    if not found:
        raise ToolMessage(f"No scheduled messages in chat {chat_id}.")
    told = [f"Scheduled messages in chat {chat_id} ({len(found)}):"]
    for row in found:
        preview = clean_text(row["text"], _PREVIEW_MAX).replace("\n", "\\n")
        told.append(f"ID: {row['message_id']} | Scheduled: {texts.iso(row['due_s'])} | Text: {preview}")
    return "\n".join(told)


@addressed("chat_id")
def delete_scheduled_message(ep: Episode, *, chat_id: Id, message_ids: list[int]) -> Result:
    """Take scheduled messages back. Those that are not there are taken back, too."""
    own_row(ep)
    if not message_ids:
        raise ToolMessage("message_ids must be a non-empty list.")
    chat = _require_chat(ep, chat_id)
    for each in message_ids:
        ep.db.delete("scheduled_messages", chat_id=chat, message_id=require_number(each), sender_id=me(ep))
    return f"Deleted {len(message_ids)} scheduled message(s) from chat {chat_id}."


def _require_chat(ep: Episode, chat_id: Id) -> int | None:
    peer = require(ep, chat_id)
    if not may(ep, peer, "post_messages" if peer.kind == "channel" else "send_messages"):
        raise Refused("CHAT_ADMIN_REQUIRED")
    return find_chat_id(ep, peer)
