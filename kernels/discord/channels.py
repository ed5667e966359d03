"""Channels: making and deleting them."""

from __future__ import annotations

import re
from typing import Any

from farm.appkit import Episode, Result

from . import access, arguments, errors, permissions, snowflakes
from .arguments import ABSENT

_NAME_MAX = 100
_TOPIC_MAX = 1024
_CHANNELS_MAX = 500
_REASON_MAX = 512
# What a name loses: punctuation but for hyphens and underscores, and control signs but for white space.
_DROPPED = re.compile(r"[!\"#$%&'()*+,./:;<=>?@\[\\\]^`{|}~\x00-\x08\x0e-\x1b\x7f]")
_GAPS = re.compile(r"[\s-]+")


def create_text_channel(
    ep: Episode, *, server_id: Any = ABSENT, name: Any = ABSENT, category_id: Any = ABSENT, topic: Any = ABSENT
) -> Result:
    """Make a text channel below all others, under no category: the one that is named is never found.

    Reads all channels: the server's are counted, for there may be 500.

    Args:
        server_id: where.
        name: 1 to 100 characters, which Discord turns into lower case with hyphens.
        category_id: read as a number, and then of no effect.
        topic: up to 1024 characters.

    Raises:
        ClientNotReady, KeyMissing, PythonError, InvalidFormBody, UnknownGuild: as ``access.require_guild``.
        MissingPermissions: the program may not manage channels.
        InvalidFormBody: the name or the topic is none, or too long.
        TooManyChannels: the server has 500.

    Source: https://discord.com/developers/docs/resources/guild#create-guild-channel
    """
    bot_id = access.require_bot(ep)
    guild_id = access.require_guild(ep, bot_id, server_id)["guild_id"]
    if category_id is not ABSENT:
        arguments.to_int("category_id", category_id)
    asked = arguments.require("name", name)
    if not permissions.in_guild(ep, guild_id, bot_id) & permissions.MANAGE_CHANNELS:
        raise errors.MissingPermissions
    wrong = {"name": _wrong_name(asked), "topic": None if topic is ABSENT else _wrong_topic(topic)}
    if any(wrong.values()):
        raise errors.InvalidFormBody(**{key: text for key, text in wrong.items() if text})
    if ep.db.scalar("SELECT count(*) FROM channels WHERE guild_id = ? AND kind <> 'thread'", guild_id) >= _CHANNELS_MAX:
        raise errors.TooManyChannels
    channel_id = snowflakes.next_id(ep, "channels", "channel_id")
    shown = channel_name(str(asked))
    ep.db.insert(
        "channels",
        channel_id=channel_id,
        guild_id=guild_id,
        kind="text",
        name=shown,
        topic=None if topic is ABSENT or topic is None else str(topic) or None,
        position=ep.next_number("channels", "position", guild_id=guild_id),
    )
    return f"Created text channel #{shown} (ID: {channel_id})"


def delete_channel(ep: Episode, *, channel_id: Any = ABSENT, reason: Any = ABSENT) -> Result:
    """Delete a channel or thread with all that was said in it; the channels of a category stay.

    Args:
        channel_id: which.
        reason: for the server's audit log, which no tool shows; up to 512 characters.

    Raises:
        ClientNotReady, KeyMissing, PythonError, InvalidFormBody, UnknownChannel, MissingAccess: as
            ``access.require_channel``.
        PythonError: the reason is neither a text nor nothing.
        MissingAccess: the program cannot connect to this voice channel.
        MissingPermissions: the program may not manage channels, or not threads.
        InvalidFormBody: the reason is too long.
        RequiredForCommunity: a community keeps its rules and its updates.

    Source: https://discord.com/developers/docs/resources/channel#deleteclose-channel
    """
    channel = access.require_channel(ep, access.require_bot(ep), channel_id)
    if reason is not ABSENT and reason and not isinstance(reason, str):
        raise errors.PythonError("quote_from_bytes() expected bytes")
    access.require_heard(channel)
    deleted = channel["channel_id"]
    is_thread = channel["kind"] == "thread"
    if not channel["held"] & (permissions.MANAGE_THREADS if is_thread else permissions.MANAGE_CHANNELS):
        raise errors.MissingPermissions
    if reason is not ABSENT and reason and len(reason) > _REASON_MAX:
        # The field's name is known from bans. (inferred)
        raise errors.InvalidFormBody(reason=f"Must be {_REASON_MAX} or fewer in length.")
    keeps = "SELECT 1 FROM guilds WHERE guild_id = ? AND ? IN (rules_channel_id, updates_channel_id)"
    if ep.db.scalar(keeps, channel["guild_id"], deleted) is not None:
        raise errors.RequiredForCommunity
    ep.db.execute("DELETE FROM channels WHERE parent_id = ? AND kind = 'thread'", deleted)
    ep.db.update("channels", {"parent_id": deleted}, parent_id=None)
    ep.db.delete("channels", channel_id=deleted)
    return "Deleted channel successfully"


def channel_name(text: str) -> str:
    """Return the name that a text channel gets: lower case, hyphens for spaces, no punctuation, no control signs."""
    return _GAPS.sub("-", _DROPPED.sub("", text.strip().lower()))


def _wrong_name(name: Any) -> str | None:
    if name is None:
        return "This field is required"
    if isinstance(name, (bool, list, dict)):
        return f'Could not interpret "{name}" as string.'
    if not channel_name(str(name)):
        return "This field is required"
    return f"Must be between 1 and {_NAME_MAX} in length." if len(str(name).strip()) > _NAME_MAX else None


def _wrong_topic(topic: Any) -> str | None:
    if isinstance(topic, (bool, list, dict)):
        return f'Could not interpret "{topic}" as string.'
    return f"Must be {_TOPIC_MAX} or fewer in length." if len(str(topic)) > _TOPIC_MAX else None
