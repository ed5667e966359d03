"""Messages: posting, threads, and reading back."""

from __future__ import annotations

import re
from typing import Any

from farm.kernel import Episode, Quoted, Result
from farm.render import quoted

from . import channels, errors, paging, texts
from . import message_views as views
from .channels import Channel
from .message_views import Message

HISTORY_MOST = 999
REPLIES_MOST = 1000

_TS = re.compile(r"\d{10}\.\d{6}")
_ONE = f"SELECT {views.COLUMNS} FROM messages WHERE channel_id = ? AND ts = ?"
_HISTORY = f"""
SELECT {views.COLUMNS} FROM messages
WHERE channel_id = ? AND (thread_ts IS NULL OR thread_ts = ts OR subtype = 'thread_broadcast')
ORDER BY ts DESC LIMIT ?
"""
# The index is named, because SQLite would rather walk the whole channel in the order that is asked for.
_REPLIES = f"""
SELECT {views.COLUMNS} FROM messages INDEXED BY messages_thread
WHERE channel_id = ? AND thread_ts = ? AND ts != ? ORDER BY ts LIMIT ?
"""


def is_ts(text: str) -> bool:
    """Whether a text has the form of a message's ts: ten digits, a dot, six digits."""
    return _TS.fullmatch(text) is not None


def post_message(ep: Episode, *, channel_id: str, text: str) -> Result:
    """Post a top-level message and return it as stored.

    Args:
        channel_id: a conversation, ``#name``, or a user, whose direct message is opened when need be.
        text: mrkdwn; Slack cuts it at 40 000 characters, and so do we.

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

    A ts that no message has is not an error: the text becomes an ordinary message of the channel. A reply's own ts
    leads to the thread it is in.

    Raises:
        InvalidThreadTs: the ts is malformed.
        ChannelNotFound, NotInChannel, IsArchived, NoText: as ``post_message``.

    Source: https://api.slack.com/methods/chat.postMessage
    """
    if not is_ts(thread_ts):
        raise errors.InvalidThreadTs(post=True)
    channel = channels.require_writable(ep, _conversation(ep, channel_id))
    parent = _find_parent(ep, channel.id, thread_ts)
    return _post(ep, channel, text, parent=parent)


def _conversation(ep: Episode, target: str) -> str:
    """Return the id of the conversation a post is meant for."""
    found: str | None = target
    if target.startswith("#"):
        found = channels.find_named(ep, target[1:])
    elif target.startswith(("U", "W")):
        found = channels.open_im(ep, target)
    if found is None:
        raise errors.ChannelNotFound(post=True)
    return found


def _find(ep: Episode, channel_id: str, ts: str) -> Message | None:
    return next(iter(ep.db.tuples(_ONE, channel_id, ts)), None)


def _find_parent(ep: Episode, channel_id: str, ts: str) -> Message | None:
    message = _find(ep, channel_id, ts)
    if message is None or message[1] in (None, ts):
        return message
    return _find(ep, channel_id, message[1])


def _post(ep: Episode, channel: Channel, text: str, *, parent: Message | None) -> Result:
    if not text.strip():
        raise errors.NoText(post=True)
    warnings = ["missing_charset"]
    if len(text) > texts.TEXT_MAX:
        text, warnings = text[: texts.TEXT_MAX], ["message_truncated", "missing_charset"]
    ts, bot = _new_ts(ep, channel.id), views.find_own_bot(ep)
    thread_ts: str | None = None if parent is None else parent[0]
    bot_id, kept = None if bot is None else bot[0], texts.stored(text)
    ep.db.insert("messages", channel_id=channel.id, ts=ts, thread_ts=thread_ts, user_id=ep.me, text=kept, bot_id=bot_id)
    if thread_ts is not None:
        _subscribe(ep, channel.id, thread_ts, ts)
    row = (ts, thread_ts, ep.me, bot_id, kept, None, None, None, None, None)
    return {
        "ok": True,
        "channel": channel.id,
        "ts": ts,
        "message": views.posted(ep, channel.id, channel.team_id, row, bot, parent=parent),
        "warning": ",".join(warnings),
        "response_metadata": {"warnings": warnings},
    }


def _new_ts(ep: Episode, channel_id: str) -> str:
    """Return the next ts of a channel: now to the microsecond, and always after the last one."""
    micros = ep.now_ms * 1000 + ep.hash("ts", ep.now_ms, channel_id) % 1000
    last = ep.db.scalar("SELECT ts FROM messages WHERE channel_id = ? ORDER BY ts DESC LIMIT 1", channel_id)
    if last is not None:
        micros = max(micros, int(last.replace(".", "")) + 1)
    return f"{micros // 1_000_000}.{micros % 1_000_000:06d}"


def _subscribe(ep: Episode, channel_id: str, thread_ts: str, ts: str) -> None:
    """Whoever replies follows the thread and has read it up to the reply."""
    key = {"channel_id": channel_id, "thread_ts": thread_ts, "user_id": ep.me}
    if not ep.db.update("subscriptions", key, last_read=ts):
        ep.db.insert("subscriptions", last_read=ts, **key)


def get_channel_history(ep: Episode, *, channel_id: str, limit: float = 10) -> Result:
    """Return a conversation's newest top-level messages, newest first. The tool knows no way to older ones.

    Args:
        channel_id: a conversation the caller is in.
        limit: how many, 1 to 999.

    Raises:
        InvalidLimit: the limit is out of range.
        ChannelNotFound: no such conversation, or a private one without the caller.
        NotInChannel: the caller has not joined the channel.

    Source: https://api.slack.com/methods/conversations.history
    """
    size = paging.page_size(limit, most=HISTORY_MOST)
    channel = channels.require_channel(ep, channel_id)
    rows = ep.db.tuples(_HISTORY, channel_id, size + 1)
    has_more = len(rows) > size
    rest: dict[str, Any] = {
        "has_more": has_more,
        "pin_count": 0,
        "channel_actions_ts": None,
        "channel_actions_count": 0,
    }
    if has_more:
        following = rows[size][0].replace(".", "")
        rest["response_metadata"] = {"next_cursor": paging.encode("next_ts", following)}
    return _listed(views.page(ep, channel_id, channel.team_id, rows[:size]), rest)


def _listed(messages: bytes, rest: dict[str, Any]) -> Quoted:
    return Quoted(rb"{\"ok\":true,\"messages\":[%b],%b" % (messages, quoted(rest)[1:]))


def get_thread_replies(ep: Episode, *, channel_id: str, thread_ts: str) -> Result:
    """Return a thread, its parent first and then the replies, oldest first.

    Raises:
        ChannelNotFound, NotInChannel: as ``get_channel_history``.
        ThreadNotFound: no message of the conversation has this ts.

    Source: https://api.slack.com/methods/conversations.replies
    """
    channel = channels.require_channel(ep, channel_id)
    parent = _find_parent(ep, channel_id, thread_ts)
    if parent is None:
        raise errors.ThreadNotFound
    replies = ep.db.tuples(_REPLIES, channel_id, parent[0], parent[0], REPLIES_MOST)
    messages = views.thread(ep, channel_id, channel.team_id, parent, replies)
    return _listed(messages, {"has_more": len(replies) == REPLIES_MOST})
