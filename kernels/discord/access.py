"""What the program may see: the servers it is a member of, their channels, the messages in them."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Row

from . import arguments, errors, permissions
from .permissions import CONNECT, READ_MESSAGE_HISTORY, VIEW_CHANNEL

# Kind → discord.py's class, where that cannot hold messages.
WITHOUT_MESSAGES = {"category": "CategoryChannel", "forum": "ForumChannel"}
_SPOKEN = ("voice", "stage")


def require_bot(ep: Episode) -> str:
    """Return the id of the program that the caller's server is logged in as.

    Raises:
        ClientNotReady: it holds no token, so it never comes to be logged in.
    """
    bot_id = ep.db.scalar("SELECT bot_id FROM tokens WHERE holder_id = ?", ep.me)
    if bot_id is None:
        raise errors.ClientNotReady
    return str(bot_id)


def is_member(ep: Episode, guild_id: str, user_id: str) -> bool:
    """Say whether a user is a member of a server."""
    found = ep.db.scalar("SELECT 1 FROM members WHERE guild_id = ? AND user_id = ?", guild_id, user_id)
    return found is not None


def require_guild(ep: Episode, bot_id: str, server_id: Any) -> Row:
    """Return a server that the program is a member of.

    Raises:
        KeyMissing, PythonError, InvalidFormBody: it is not named, or not by an id.
        UnknownGuild: there is none, or the program is not a member.
    """
    guild_id = arguments.snowflake("guild_id", arguments.to_int("server_id", server_id))
    guild = ep.db.one("SELECT * FROM guilds WHERE guild_id = ?", guild_id)
    if guild is None or not is_member(ep, guild_id, bot_id):
        raise errors.UnknownGuild
    return guild


def require_channel(ep: Episode, bot_id: str, channel_id: Any) -> Row:
    """Return a channel or thread that the program can see, with what it may do there as ``held``.

    Raises:
        KeyMissing, PythonError, InvalidFormBody: it is not named, or not by an id.
        UnknownChannel: there is none.
        MissingAccess: it is in a server of others, or hidden.
    """
    wanted = arguments.snowflake("channel_id", arguments.to_int("channel_id", channel_id))
    channel = ep.db.one("SELECT * FROM channels WHERE channel_id = ?", wanted)
    if channel is None:
        raise errors.UnknownChannel
    if not is_member(ep, channel["guild_id"], bot_id):
        raise errors.MissingAccess
    held = permissions.in_channel(ep, channel, bot_id)
    if not held & VIEW_CHANNEL:
        raise errors.MissingAccess
    return {**channel, "held": held}


def require_messages(channel: Row, attribute: str) -> None:
    """Refuse a channel that holds no messages.

    Raises:
        NoSuchAttribute: discord.py's class for it has no such method.
    """
    if channel["kind"] in WITHOUT_MESSAGES:
        raise errors.NoSuchAttribute(WITHOUT_MESSAGES[channel["kind"]], attribute)


def require_heard(channel: Row) -> None:
    """Refuse a voice channel that the program could not connect to: its text, and to delete it.

    Raises:
        MissingAccess: so it is.
    """
    if channel["kind"] in _SPOKEN and not channel["held"] & CONNECT:
        raise errors.MissingAccess


def require_message(ep: Episode, channel: Row, message_id: Any) -> str:
    """Return the id of a message that the program can read.

    Raises:
        NoSuchAttribute: the channel holds none.
        KeyMissing, PythonError, InvalidFormBody: it is not named, or not by an id.
        MissingAccess: what was said before is hidden.
        UnknownMessage: there is none in this channel.
    """
    require_messages(channel, "fetch_message")
    wanted = arguments.snowflake("message_id", arguments.to_int("message_id", message_id))
    require_heard(channel)
    if not channel["held"] & READ_MESSAGE_HISTORY:
        raise errors.MissingAccess
    sql = "SELECT message_id FROM messages WHERE message_id = ? AND channel_id = ?"
    if ep.db.scalar(sql, wanted, channel["channel_id"]) is None:
        raise errors.UnknownMessage
    return wanted
