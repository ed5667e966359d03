"""Messages: what is said in channels and threads."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.times import python_iso

from . import access, arguments, errors, permissions, snowflakes, users
from .arguments import ABSENT

_CONTENT_MAX = 2000
_LIST_MAX = 100
_NEWEST = """
SELECT m.message_id, m.content, m.sent_ms, m.username, u.name, u.discriminator
FROM messages m LEFT JOIN users u ON u.user_id = m.author_id
WHERE m.channel_id = ? ORDER BY m.sent_ms DESC, m.message_id DESC LIMIT ?
"""
_REACTIONS = """
SELECT message_id, name, count(*) AS count FROM reactions WHERE message_id IN (SELECT value FROM json_each(?))
GROUP BY message_id, emoji ORDER BY message_id, min(seq), emoji
"""


def send_message(ep: Episode, *, channel_id: Any = ABSENT, content: Any = ABSENT) -> Result:
    """Say something as the program, and return the message's id.

    Args:
        channel_id: a channel or thread; an archived thread wakes.
        content: up to 2000 characters; what is no text is sent as Python prints it. White space around it is cut.

    Raises:
        ClientNotReady, KeyMissing, PythonError, InvalidFormBody, UnknownChannel, MissingAccess: as
            ``access.require_channel``.
        NoSuchAttribute: nobody speaks in a category or a forum.
        MissingAccess: the program cannot connect to this voice channel.
        MissingPermissions: the program may not write here.
        ThreadClosed, ThreadLocked: moderators alone may.
        EmptyMessage, InvalidFormBody: it says nothing, or too much.

    Source: https://discord.com/developers/docs/resources/message#create-message
    """
    bot_id = access.require_bot(ep)
    channel = access.require_channel(ep, bot_id, channel_id)
    access.require_messages(channel, "send")
    said = arguments.require("content", content)
    text = "" if said is None else str(said).strip()
    access.require_heard(channel)
    is_thread = channel["kind"] == "thread"
    if not channel["held"] & (permissions.SEND_MESSAGES_IN_THREADS if is_thread else permissions.SEND_MESSAGES):
        raise errors.MissingPermissions
    if channel["is_locked"] and not channel["held"] & permissions.MANAGE_THREADS:
        raise errors.ThreadClosed if channel["is_archived"] else errors.ThreadLocked
    if not text:
        raise errors.EmptyMessage
    if len(text) > _CONTENT_MAX:
        raise errors.InvalidFormBody(content=f"Must be {_CONTENT_MAX} or fewer in length.")
    if channel["is_archived"]:
        ep.db.update("channels", {"channel_id": channel["channel_id"]}, is_archived=0)
    message_id = snowflakes.next_id(ep, "messages", "message_id")
    ep.db.insert(
        "messages",
        message_id=message_id,
        channel_id=channel["channel_id"],
        author_id=bot_id,
        content=text,
        sent_ms=ep.now_ms,
    )
    return f"Message sent successfully. Message ID: {message_id}"


def read_messages(ep: Episode, *, channel_id: Any = ABSENT, limit: Any = ABSENT) -> Result:
    """Return the newest messages of a channel or thread, newest first, without their ids.

    Args:
        channel_id: where.
        limit: how many, at most 100; none for nought or fewer.

    Raises:
        ClientNotReady, KeyMissing, PythonError, InvalidFormBody, UnknownChannel, MissingAccess: as
            ``access.require_channel``.
        PythonError: the limit is no number.
        NoSuchAttribute: nobody speaks in a category or a forum.

    Source: https://discord.com/developers/docs/resources/message#get-channel-messages
    """
    channel = access.require_channel(ep, access.require_bot(ep), channel_id)
    size = min(arguments.to_int("limit", 10 if limit is ABSENT else limit), _LIST_MAX)
    access.require_messages(channel, "history")
    found = _newest(ep, channel, size) if size > 0 else []
    counts = _reaction_counts(ep, found)
    lines = [_render_message(message, counts[message["message_id"]]) for message in found]
    return f"Retrieved {len(found)} messages:\n\n" + "\n".join(lines)


def _newest(ep: Episode, channel: Row, size: int) -> list[Row]:
    access.require_heard(channel)
    # Who may not read what was said before is told nothing, and no error.
    if not channel["held"] & permissions.READ_MESSAGE_HISTORY:
        return []
    return ep.db.all(_NEWEST, channel["channel_id"], size)


def _reaction_counts(ep: Episode, messages: list[Row]) -> dict[str, list[str]]:
    counts: dict[str, list[str]] = defaultdict(list)
    for row in ep.db.all(_REACTIONS, json.dumps([message["message_id"] for message in messages])):
        counts[row["message_id"]].append(f"{row['name']}({row['count']})")
    return counts


def _render_message(message: Row, reactions: list[str]) -> str:
    # A webhook has no account, and the discriminator that nobody has.
    author = f"{message['username']}#0000"
    if message["name"] is not None:
        author = users.format_user(message["name"], message["discriminator"])
    said = f"{author} ({python_iso(message['sent_ms'])}): {message['content']}"
    return f"{said}\nReactions: {', '.join(reactions) or 'No reactions'}"
