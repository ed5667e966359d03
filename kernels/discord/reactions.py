"""Reactions: the program's own, put on messages and taken off."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from farm.appkit import Episode, Result, Row

from . import access, arguments, errors
from .arguments import ABSENT
from .emoji import find as find_emoji
from .permissions import ADD_REACTIONS, USE_EXTERNAL_EMOJIS

_EMOJI_MAX = 20


@dataclass(frozen=True)
class _Emoji:
    """An emoji as Discord keeps it: the characters, or an id with the name beside it."""

    key: str
    name: str


def add_reaction(ep: Episode, *, channel_id: Any = ABSENT, message_id: Any = ABSENT, emoji: Any = ABSENT) -> Result:
    """Put an emoji on a message; one that the program has put there already changes nothing.

    Args:
        channel_id: where the message is.
        message_id: which.
        emoji: the characters, or ``name:id`` of a server's own, with or without the brackets around it.

    Raises:
        ClientNotReady, KeyMissing, PythonError, InvalidFormBody, UnknownChannel, MissingAccess: as
            ``access.require_channel``.
        NoSuchAttribute, UnknownMessage: as ``access.require_message``.
        PythonError, UnknownEmoji, MissingPermissions, TooManyReactions, ThreadArchived: as ``_add``.

    Source: https://discord.com/developers/docs/resources/message#create-reaction
    """
    bot_id = access.require_bot(ep)
    channel = access.require_channel(ep, bot_id, channel_id)
    message = access.require_message(ep, channel, message_id)
    _add(ep, bot_id, channel, message, arguments.require("emoji", emoji))
    return f"Added reaction {emoji} to message"


def add_multiple_reactions(
    ep: Episode, *, channel_id: Any = ABSENT, message_id: Any = ABSENT, emojis: Any = ABSENT
) -> Result:
    """Put emoji on a message one after the other. The first that fails ends it; what was put there before stays.

    Args:
        channel_id: where the message is.
        message_id: which.
        emojis: a list; of a text every character counts.

    Raises:
        ClientNotReady, KeyMissing, PythonError, InvalidFormBody, UnknownChannel, MissingAccess: as
            ``access.require_channel``.
        NoSuchAttribute, UnknownMessage: as ``access.require_message``.
        PythonError: nothing that can be gone through.
        PythonError, UnknownEmoji, MissingPermissions, TooManyReactions, ThreadArchived: as ``_add``.
    """
    bot_id = access.require_bot(ep)
    channel = access.require_channel(ep, bot_id, channel_id)
    message = access.require_message(ep, channel, message_id)
    wanted = arguments.require("emojis", emojis)
    if not isinstance(wanted, Iterable):
        raise errors.PythonError(f"'{type(wanted).__name__}' object is not iterable")
    for each in wanted:
        _add(ep, bot_id, channel, message, each)
    return f"Added reactions: {', '.join(wanted)} to message"


def remove_reaction(ep: Episode, *, channel_id: Any = ABSENT, message_id: Any = ABSENT, emoji: Any = ABSENT) -> Result:
    """Take the program's own reaction off a message; one that is not there changes nothing.

    Raises:
        ClientNotReady, KeyMissing, PythonError, InvalidFormBody, UnknownChannel, MissingAccess: as
            ``access.require_channel``.
        NoSuchAttribute, UnknownMessage: as ``access.require_message``.
        PythonError, NotFound, UnknownEmoji: as ``_require_emoji``.
        ThreadArchived: nothing changes in an archived thread.

    Source: https://discord.com/developers/docs/resources/message#delete-own-reaction
    """
    bot_id = access.require_bot(ep)
    channel = access.require_channel(ep, bot_id, channel_id)
    message = access.require_message(ep, channel, message_id)
    found = _require_emoji(ep, bot_id, channel, message, arguments.require("emoji", emoji))
    if channel["is_archived"]:
        raise errors.ThreadArchived
    ep.db.delete("reactions", message_id=message, emoji=found.key, user_id=bot_id)
    return f"Removed reaction {emoji} from message"


def _add(ep: Episode, bot_id: str, channel: Row, message_id: str, given: Any) -> None:
    """Put one emoji on a message.

    Raises:
        PythonError, NotFound, UnknownEmoji: as ``_require_emoji``.
        ThreadArchived: nothing changes in an archived thread.
        MissingPermissions: nobody has put it there yet, and the program may not be the first.
        TooManyReactions: there are 20 others.
    """
    found = _require_emoji(ep, bot_id, channel, message_id, given)
    if channel["is_archived"]:
        raise errors.ThreadArchived
    there = ep.db.all("SELECT emoji, user_id FROM reactions WHERE message_id = ? ORDER BY seq", message_id)
    others = {row["emoji"] for row in there}
    if found.key not in others:
        if not channel["held"] & ADD_REACTIONS:
            raise errors.MissingPermissions
        if len(others) >= _EMOJI_MAX:
            raise errors.TooManyReactions
    if not any(row["emoji"] == found.key and row["user_id"] == bot_id for row in there):
        seq = ep.next_number("reactions", "seq", message_id=message_id)
        ep.db.insert("reactions", message_id=message_id, emoji=found.key, user_id=bot_id, name=found.name, seq=seq)


def _require_emoji(ep: Episode, bot_id: str, channel: Row, message_id: str, given: Any) -> _Emoji:
    """Return the emoji that a text stands for.

    Raises:
        PythonError: it is no text.
        NotFound: there is nothing between its brackets, or a slash, so it leads to no address of Discord's.
        UnknownEmoji: it is none, or one that the program cannot use in this server.
    """
    if not isinstance(given, str):
        kind = type(given).__name__
        raise errors.PythonError(f"emoji argument must be str, Emoji, or Reaction not {kind}.")
    text = given.strip("<>")
    if not text or "/" in text:
        raise errors.NotFound
    characters = find_emoji(text)
    if characters is not None:
        return _Emoji(characters, characters)
    before, _, emoji_id = text.rpartition(":")
    if not before or not emoji_id.isdecimal():
        raise errors.UnknownEmoji
    # What stands on the message already may be joined, wherever it is from.
    there = ep.db.scalar("SELECT name FROM reactions WHERE message_id = ? AND emoji = ?", message_id, emoji_id)
    if there is not None:
        return _Emoji(emoji_id, there)
    own = ep.db.one("SELECT name, guild_id FROM emojis WHERE emoji_id = ?", emoji_id)
    if own is None or not access.is_member(ep, own["guild_id"], bot_id):
        raise errors.UnknownEmoji
    if own["guild_id"] != channel["guild_id"] and not channel["held"] & USE_EXTERNAL_EMOJIS:
        raise errors.UnknownEmoji
    return _Emoji(emoji_id, own["name"])
