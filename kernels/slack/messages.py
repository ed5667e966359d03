"""Messages: posting, threads, and reading back."""

from __future__ import annotations

import re
from typing import Any

from farm.appkit import Episode, Result, Row

from . import channels, errors, message_views, pagination, texts
from .message_views import MESSAGES

HISTORY_MOST = 1000
_CUT = "[WARN] Your message was truncated but still posted. The `text` field accepts up to 40,000 characters."
REPLIES_MOST = 1000

_TS = re.compile(r"\d{10}\.\d{6}")
# What goes for a thread's ts: one that lost its last zeros does.
_THREAD_TS = re.compile(r"\d{10}\.\d{1,6}")
_ONE = f"{MESSAGES} WHERE m.channel_id = :channel_id AND m.ts = :ts"
_HISTORY = f"""
{MESSAGES} WHERE m.channel_id = :channel_id
AND (m.thread_ts IS NULL OR m.thread_ts = m.ts OR m.subtype = 'thread_broadcast')
ORDER BY m.ts DESC LIMIT :limit
"""
# The index is named, because SQLite would rather walk the whole channel in the order that is asked for.
_REPLIES = f"""
{MESSAGES} INDEXED BY messages_thread WHERE m.channel_id = :channel_id AND m.thread_ts = :ts AND m.ts != :ts
ORDER BY m.ts LIMIT :limit
"""
# A message that a thread can hang on: one that is no reply.
_PARENT = "SELECT ts, user_id FROM messages WHERE channel_id = ? AND ts = ? AND (thread_ts IS NULL OR thread_ts = ts)"


def is_ts(text: str) -> bool:
    """Whether a text has the form of a message's ts: ten digits, a dot, six digits."""
    return _TS.fullmatch(text) is not None


def post_message(ep: Episode, *, channel_id: str, text: str) -> Result:
    """Post a top-level message and return it as stored.

    Args:
        channel_id: a conversation, a channel's name with ``#`` or without, or a user, whose direct message is opened
            when need be, with ``@`` or without.
        text: mrkdwn; Slack cuts it at 40 000 characters and breaks it into messages of 4 000, and so do we.

    Raises:
        ChannelNotFound: no such conversation or user, or a private one without the caller.
        NotInChannel: the caller has not joined the channel.
        IsArchived: the channel takes no messages any more.
        NoText: nothing but white space.

    Source: https://api.slack.com/methods/chat.postMessage
    """
    channel = channels.require_writable(ep, _conversation(ep, channel_id))
    return _post(ep, channel, text, parent=None)


def reply_to_thread(ep: Episode, *, channel_id: str, thread_ts: str, text: str) -> Result:
    """Reply in a thread and return the reply as stored.

    A ts that no message has is not an error, nor is a reply's own: the text becomes an ordinary message of the channel.

    Raises:
        InvalidThreadTs: the ts is malformed.
        ChannelNotFound, NotInChannel, IsArchived, NoText: as ``post_message``.

    Source: https://api.slack.com/methods/chat.postMessage
    """
    if not _THREAD_TS.fullmatch(thread_ts):
        raise errors.InvalidThreadTs(post=True, ts=thread_ts)
    channel = channels.require_writable(ep, _conversation(ep, channel_id))
    return _post(ep, channel, text, parent=ep.db.one(_PARENT, channel["id"], thread_ts))


def _conversation(ep: Episode, target: str) -> str:
    """Return the id of the conversation a post is meant for."""
    found: str | None
    if target.startswith("#"):
        found = channels.find_named(ep, target[1:])
    elif target.startswith(("@", "U", "W")):
        found = channels.open_im(ep, target.removeprefix("@"))
    else:
        found = channels.find_named(ep, target) or target
    if found is None:
        raise errors.ChannelNotFound(post=True)
    return found


def _post(ep: Episode, channel: Row, text: str, *, parent: Row | None) -> Result:
    if not text.strip():
        raise errors.NoText(post=True)
    warned: dict[str, Any] = {"warnings": ["missing_charset"]}
    if len(text) > texts.TEXT_MAX:
        text, warned = (
            text[: texts.TEXT_MAX],
            {"messages": [_CUT], "warnings": ["message_truncated", "missing_charset"]},
        )
    # The app whose token the server holds.
    bot = ep.db.one("SELECT * FROM bots WHERE is_self")
    about = {
        "channel_id": channel["id"],
        "thread_ts": parent and parent["ts"],
        "user_id": ep.me,
        "bot_id": bot and bot["id"],
    }
    rows: list[Row] = []
    for start in range(0, len(text), texts.MESSAGE_MAX):
        part = texts.stored(text[start : start + texts.MESSAGE_MAX])
        rows.append({**about, "ts": new_ts(ep, channel["id"]), "text": part})
        ep.db.insert("messages", **rows[-1])
    if parent is not None:
        subscribe(ep, channel["id"], parent["ts"], rows[-1]["ts"])
    return {
        "ok": True,
        "channel": channel["id"],
        "ts": rows[0]["ts"],
        "message": message_views.posted(ep, channel, rows[0], bot, parent),
        "warning": ",".join(warned["warnings"]),
        "response_metadata": warned,
    }


def new_ts(ep: Episode, channel_id: str) -> str:
    """Return the next ts of a channel: now to the microsecond, and always after the last one."""
    micros = ep.now_ms * 1000 + ep.hash("ts", ep.now_ms, channel_id) % 1000
    last = ep.db.scalar("SELECT ts FROM messages WHERE channel_id = ? ORDER BY ts DESC LIMIT 1", channel_id)
    if last is not None:
        micros = max(micros, int(last.replace(".", "")) + 1)
    return f"{micros // 1_000_000}.{micros % 1_000_000:06d}"


def subscribe(ep: Episode, channel_id: str, thread_ts: str, ts: str) -> None:
    """Whoever replies follows the thread and has read it up to the reply."""
    key = {"channel_id": channel_id, "thread_ts": thread_ts, "user_id": ep.me}
    if not ep.db.update("subscriptions", key, last_read=ts):
        ep.db.insert("subscriptions", last_read=ts, **key)


def get_channel_history(ep: Episode, *, channel_id: str, limit: float = 10) -> Result:
    """Return a conversation's newest top-level messages, newest first. The tool knows no way to older ones.

    Args:
        channel_id: a conversation the caller is in.
        limit: how many, 1 to 1000.

    Raises:
        InvalidLimit: the limit is out of range.
        ChannelNotFound: no such conversation, or a private one without the caller.
        NotInChannel: the caller has not joined the channel.

    Source: https://api.slack.com/methods/conversations.history
    """
    size = pagination.page_size(limit, most=HISTORY_MOST)
    channel = channels.require_channel(ep, channel_id)
    rows = ep.db.all(_HISTORY, channel_id=channel_id, limit=size + 1, me=ep.me)
    has_more = len(rows) > size
    history: dict[str, Any] = {
        "ok": True,
        "messages": message_views.message_views(ep, channel, rows[:size]),
        "has_more": has_more,
        "pin_count": 0,
        "channel_actions_ts": None,
        "channel_actions_count": 0,
    }
    if has_more:
        following = rows[size]["ts"].replace(".", "")
        history["response_metadata"] = {"next_cursor": pagination.encode("next_ts", following)}
    return history


def get_thread_replies(ep: Episode, *, channel_id: str, thread_ts: str) -> Result:
    """Return a thread, its parent first and then the replies, oldest first; of a reply's ts the reply alone.

    Raises:
        ChannelNotFound, NotInChannel: as ``get_channel_history``.
        ThreadNotFound: no message of the conversation has this ts, or a notice that nobody replied to.

    Source: https://api.slack.com/methods/conversations.replies
    """
    channel = channels.require_channel(ep, channel_id)
    key = {"channel_id": channel_id, "ts": thread_ts, "me": ep.me}
    first = ep.db.one(_ONE, **key)
    if first is None:
        raise errors.ThreadNotFound
    replies = ep.db.all(_REPLIES, **key, limit=REPLIES_MOST + 1)
    if not replies and first["subtype"] in message_views.NOTICES:
        raise errors.ThreadNotFound
    has_more = len(replies) > REPLIES_MOST
    thread: dict[str, Any] = {
        "ok": True,
        "messages": message_views.message_views(ep, channel, [first, *replies[:REPLIES_MOST]]),
        "has_more": has_more,
    }
    if has_more:
        following = replies[REPLIES_MOST]["ts"].replace(".", "")
        thread["response_metadata"] = {"next_cursor": pagination.encode("next_ts", following)}
    return thread
