"""What people do in Telegram, and what they notice of a message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Row
from farm.appkit.acts import Acts, Place, Surroundings

from . import reactions
from .errors import Refused
from .messages import post_message
from .peers import Peer, marked, me, require, require_may_send

_MENTION = re.compile(r"@(\w{3,32})")


def _peer(ep: Episode, chat_id: int) -> Peer:
    """Return a chat as the person has it: a chat of two goes by the other's id."""
    chat = ep.db.one("SELECT kind, low_id, high_id FROM chats WHERE chat_id = ?", chat_id)
    if chat is None:
        raise Refused("CHAT_ID_INVALID")
    if chat["kind"] != "private":
        return require(ep, marked(chat["kind"], chat_id))
    return require(ep, chat["high_id"] if chat["low_id"] == me(ep) else chat["low_id"])


def reply(ep: Episode, row: Row, *, text: str, quote: bool = True) -> None:
    """Answer a message; in groups above the text stands what is answered."""
    peer = _peer(ep, row["chat_id"])
    require_may_send(ep, peer)
    columns = {} if peer.is_user or not quote else {"reply_to": row["message_id"], "topic_id": row["topic_id"]}
    post_message(ep, peer, text, **columns)


def post(ep: Episode, row: Row, *, chat: str, text: str) -> None:
    """Write in a group by its title, or to somebody, by account."""
    if chat.isdigit():
        peer = require(ep, int(chat))
    else:
        sql = "SELECT chat_id FROM chats JOIN members USING (chat_id) WHERE title = ? AND user_id = ? ORDER BY chat_id"
        found = ep.db.scalar(sql, chat, me(ep))
        if found is None:
            raise Refused("CHAT_ID_INVALID")
        peer = _peer(ep, found)
    require_may_send(ep, peer)
    post_message(ep, peer, text)


def react(ep: Episode, row: Row, *, emoji: str) -> None:
    """Put an emoji on the message."""
    peer = _peer(ep, row["chat_id"])
    reactions.send_reaction(ep, chat_id=peer.marked, message_id=row["message_id"], emoji=emoji)


def edit(ep: Episode, row: Row, *, text: str) -> None:
    """Change what they said last in the chat."""
    sql = "SELECT max(message_id) FROM messages WHERE chat_id = ? AND sender_id = ? AND is_deleted = 0"
    found = ep.db.scalar(sql, row["chat_id"], me(ep))
    if found is None:
        raise Refused("MESSAGE_ID_INVALID")
    ep.db.update("messages", {"chat_id": row["chat_id"], "message_id": found}, text=text, edited_s=ep.now_ms // 1000)


def _around_message(ep: Episode, row: Row) -> Mapping[str, Any]:
    chat = ep.db.one("SELECT kind, title, low_id, high_id FROM chats WHERE chat_id = ?", row["chat_id"])
    assert chat is not None, "a message is in a chat"
    is_direct = chat["kind"] == "private"
    to = [each for each in (chat["low_id"], chat["high_id"]) if is_direct and each != row["sender_id"]]
    for name in _MENTION.findall(row["text"] or ""):
        to.append(ep.db.scalar("SELECT user_id FROM users WHERE lower(username) = ?", name.lower()))
    if row["reply_to"] is not None:
        sql = "SELECT sender_id FROM messages WHERE chat_id = ? AND message_id = ?"
        to.append(ep.db.scalar(sql, row["chat_id"], row["reply_to"]))
    named = [str(each) for each in dict.fromkeys(to) if each is not None and each != row["sender_id"]]
    return {"chat": "" if is_direct else chat["title"], "direct": is_direct, "to": named}


ACTS = Acts(
    verbs={"reply": reply, "post": post, "react": react, "edit": edit},
    around={"messages": Surroundings(("chat", "direct", "to"), _around_message)},
    places={"chat": Place("chats", "title")},
)
