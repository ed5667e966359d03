"""What people do in Discord, and what they notice of a message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Row
from farm.appkit.acts import Acts, Place, Surroundings

from . import errors, snowflakes
from .emoji import find as find_emoji

_MENTION = re.compile(r"<@!?(\d{1,20})>")


def _say(ep: Episode, channel_id: str, text: str) -> None:
    sql = "SELECT is_locked FROM channels JOIN members USING (guild_id) WHERE channel_id = ? AND user_id = ?"
    found = ep.db.one(sql, channel_id, ep.me)
    if found is None or found["is_locked"]:
        raise errors.MissingAccess
    message_id = snowflakes.next_id(ep, "messages", "message_id")
    said = {"channel_id": channel_id, "author_id": ep.me, "content": text}
    ep.db.insert("messages", message_id=message_id, sent_ms=ep.now_ms, **said)


def reply(ep: Episode, row: Row, *, text: str) -> None:
    """Answer a message in its channel; what is answered is not shown above it (not simulated)."""
    _say(ep, row["channel_id"], text)


def post(ep: Episode, row: Row, *, channel: str, text: str) -> None:
    """Write in a channel by its name, in the first of the person's servers that has one."""
    sql = "SELECT channel_id FROM channels JOIN members USING (guild_id) WHERE name = ? AND user_id = ? "
    found = ep.db.scalar(f"{sql} ORDER BY channel_id LIMIT 1", channel.removeprefix("#"), ep.me)
    if found is None:
        raise errors.UnknownChannel
    _say(ep, found, text)


def react(ep: Episode, row: Row, *, emoji: str) -> None:
    """Put an emoji on the message."""
    key = find_emoji(emoji)
    if key is None:
        raise errors.UnknownEmoji
    message_id = row["message_id"]
    sql = "SELECT 1 FROM reactions WHERE message_id = ? AND emoji = ? AND user_id = ?"
    if ep.db.scalar(sql, message_id, key, ep.me) is None:
        seq = ep.next_number("reactions", "seq", message_id=message_id)
        ep.db.insert("reactions", message_id=message_id, emoji=key, user_id=ep.me, name=key, seq=seq)


def _around_message(ep: Episode, row: Row) -> Mapping[str, Any]:
    sql = "SELECT c.name, g.name AS guild FROM channels c JOIN guilds g USING (guild_id) WHERE channel_id = ?"
    found = ep.db.one(sql, row["channel_id"])
    assert found is not None, "a message is in a channel"
    return {"channel": f"#{found['name']}", "guild": found["guild"], "to": _MENTION.findall(row["content"])}


def _around_reaction(ep: Episode, row: Row) -> Mapping[str, Any]:
    sql = "SELECT author_id, channel_id, content FROM messages WHERE message_id = ?"
    found = ep.db.one(sql, row["message_id"])
    return found or {"author_id": None, "channel_id": "", "content": ""}


def _around_role(ep: Episode, row: Row) -> Mapping[str, Any]:
    return {"role": ep.db.scalar("SELECT name FROM roles WHERE role_id = ?", row["role_id"]) or ""}


ACTS = Acts(
    verbs={"reply": reply, "post": post, "react": react},
    around={
        "messages": Surroundings(("channel", "guild", "to"), _around_message),
        "reactions": Surroundings(("author_id", "channel_id", "content"), _around_reaction),
        "member_roles": Surroundings(("role",), _around_role),
    },
    places={"channel": Place("channels", "name", "#"), "guild": Place("guilds", "name")},
)
