"""What Telegram does by itself: it sends messages that were scheduled, when their time has come."""

from __future__ import annotations

from farm.appkit import Episode, Row
from farm.appkit.due import Deed

from .errors import Refused
from .messages import post_message
from .peers import marked, require, require_may_send


def send(ep: Episode, row: Row) -> tuple[str, Row]:
    """Send a scheduled message as its sender.

    Raises:
        Refused: the sender may not write there any more.
    """
    chat = ep.db.one("SELECT chat_id, kind, low_id, high_id FROM chats WHERE chat_id = ?", row["chat_id"])
    if chat is None:
        raise Refused("CHAT_ID_INVALID")
    me = int(ep.me)
    other = chat["high_id"] if chat["low_id"] == me else chat["low_id"]
    peer = require(ep, other if chat["kind"] == "private" else marked(chat["kind"], chat["chat_id"]))
    require_may_send(ep, peer)
    number = post_message(ep, peer, row["text"])
    sent = "SELECT * FROM messages WHERE chat_id = ? AND message_id = ?"
    found = ep.db.one(sent, row["chat_id"], number)
    assert found is not None
    return "messages", found


DEEDS = {"scheduled_messages.due_s": Deed("sender_id", send)}
