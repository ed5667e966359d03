"""Reactions: putting an emoji on a message."""

from __future__ import annotations

from farm.appkit import Episode, Result

from . import channels, emoji, errors
from .messages import is_ts

# Slack's documentation of reactions.add gives the limits' names, its help centre the numbers.
EMOJI_A_MESSAGE_MAX = 50
EMOJI_A_USER_MAX = 23


def add_reaction(ep: Episode, *, channel_id: str, timestamp: str, reaction: str) -> Result:
    """Put an emoji on a message. Under whichever of its names it was given, it is kept and shown under one.

    Args:
        channel_id: a conversation the caller is in.
        timestamp: the message's ts.
        reaction: emoji name without colons, a skin tone as ``thumbsup::skin-tone-2``.

    Raises:
        NoItemSpecified, BadTimestamp: the timestamp is empty or malformed.
        ChannelNotFound, NotInChannel, IsArchived: as for posting.
        InvalidName: no such emoji.
        MessageNotFound: no such message.
        NotReactable: it is a tombstone.
        AlreadyReacted: the caller did so before.
        TooManyEmoji, TooManyReactions: the message, or the caller on it, is at the limit.

    Source: https://api.slack.com/methods/reactions.add
    """
    if not timestamp:
        raise errors.NoItemSpecified(post=True)
    if not is_ts(timestamp):
        raise errors.BadTimestamp(post=True)
    channels.require_writable(ep, channel_id)
    if not _is_emoji(ep, reaction):
        raise errors.InvalidName(post=True)
    message = ep.db.one("SELECT subtype FROM messages WHERE channel_id = ? AND ts = ?", channel_id, timestamp)
    if message is None:
        raise errors.MessageNotFound(post=True)
    if message["subtype"] == "tombstone":
        raise errors.NotReactable(post=True)
    name = emoji.main_name(reaction)
    _require_reaction_allowed(ep, channel_id, timestamp, name)
    key = {"channel_id": channel_id, "ts": timestamp, "name": name, "user_id": ep.me}
    ep.db.insert("reactions", reacted_ms=ep.now_ms, **key)
    return {"ok": True, **errors.MISSING_CHARSET}


def _is_emoji(ep: Episode, name: str) -> bool:
    plain, _ = emoji.split_tone(name)
    return emoji.is_standard(plain) or ep.db.scalar("SELECT 1 FROM emoji WHERE name = ?", plain) is not None


def _require_reaction_allowed(ep: Episode, channel_id: str, ts: str, name: str) -> None:
    rows = ep.db.all(
        "SELECT name, user_id FROM reactions WHERE channel_id = ? AND ts = ? ORDER BY name, user_id", channel_id, ts
    )
    if any(row["name"] == name and row["user_id"] == ep.me for row in rows):
        raise errors.AlreadyReacted(post=True)
    names = {row["name"] for row in rows}
    if name not in names and len(names) >= EMOJI_A_MESSAGE_MAX:
        raise errors.TooManyEmoji(post=True)
    if sum(row["user_id"] == ep.me for row in rows) >= EMOJI_A_USER_MAX:
        raise errors.TooManyReactions(post=True)
