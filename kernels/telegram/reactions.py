"""Reactions to messages: one a person, and only with what the chat lets people react with."""

from __future__ import annotations

import json

from farm.appkit import Episode, Result, parse_json

from . import texts
from .errors import Refused
from .ids import Id, addressed
from .messages import open_chat, require_message, require_number
from .peers import INSIDE, find_chat_id, me, require, require_readable, role

# What anybody may react with, as Telegram lists it; a heart comes without its variation selector.
_STANDARD = (
    "👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤\u200d🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 "
    "🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨\u200d💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 "
    "🙊 😎 👾 🤷\u200d♂ 🤷 🤷\u200d♀ 😡"
)
_EMOJI = frozenset(_STANDARD.split(" "))


@addressed("chat_id")
def send_reaction(ep: Episode, *, chat_id: Id, message_id: int, emoji: str, big: bool = False) -> Result:
    """React to a message, in place of what the account said to it before.

    Source: https://core.telegram.org/api/reactions
    """
    peer = require(ep, chat_id)
    chat = _require_chat(ep, chat_id, message_id)
    plain = emoji.replace("\ufe0f", "")
    allowed = None if peer.is_user or peer.row["reactions"] is None else parse_json(peer.row["reactions"])
    if plain not in _EMOJI or (allowed is not None and plain not in allowed):
        raise Refused("REACTION_INVALID")
    key = {"chat_id": chat, "message_id": message_id, "user_id": me(ep)}
    was = ep.db.scalar(
        "SELECT emoji FROM reactions WHERE chat_id = ? AND message_id = ? AND user_id = ?", *key.values()
    )
    if was == plain:
        raise Refused("MESSAGE_NOT_MODIFIED")
    ep.db.delete("reactions", **key)
    ep.db.insert("reactions", **key, emoji=plain, reacted_s=ep.now_ms // 1000)
    return f"Reaction '{emoji}' sent to message {message_id} in chat {chat_id}."


@addressed("chat_id")
def remove_reaction(ep: Episode, *, chat_id: Id, message_id: int) -> Result:
    """Take the account's own reaction back; where there is none, nothing is changed and Telegram refuses."""
    chat = _require_chat(ep, chat_id, message_id)
    if not ep.db.delete("reactions", chat_id=chat, message_id=message_id, user_id=me(ep)):
        raise Refused("MESSAGE_NOT_MODIFIED")
    return f"Reaction removed from message {message_id} in chat {chat_id}."


@addressed("chat_id")
def get_message_reactions(ep: Episode, *, chat_id: Id, message_id: int, limit: int = 50) -> Result:
    """Return who reacted how, the last one first, as JSON; of a channel's posts Telegram does not tell."""
    peer = require(ep, chat_id)
    require_number(limit)
    if peer.kind == "channel":
        raise Refused("BROADCAST_FORBIDDEN")
    chat = require_readable(ep, peer)
    require_message(ep, chat, message_id)
    found = ep.db.all(
        "SELECT user_id, emoji, reacted_s FROM reactions WHERE chat_id = ? AND message_id = ? "
        "ORDER BY reacted_s DESC, user_id LIMIT ?",
        chat,
        message_id,
        max(limit, 0),
    )
    if not found:
        return f"No reactions on message {message_id} in chat {chat_id}."
    told = [{"user_id": row["user_id"], "emoji": row["emoji"], "date": texts.iso(row["reacted_s"])} for row in found]
    said = {"message_id": message_id, "chat_id": str(chat_id), "reactions": told, "count": len(told)}
    return json.dumps(said, indent=2)


def _require_chat(ep: Episode, chat_id: Id, message_id: int) -> int:
    peer = require(ep, chat_id)
    if not peer.is_user and role(ep, peer.id) not in INSIDE:
        raise Refused("CHANNEL_PRIVATE")
    require_message(ep, find_chat_id(ep, peer), message_id)
    return open_chat(ep, peer)
