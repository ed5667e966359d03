"""Messages: posting, threads, and reading back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from zlib import crc32

from farm.kernel import Episode, Result, Row

from . import channels, errors, paging, texts

HISTORY_MOST = 999
REPLIES_MOST = 1000

_TS = re.compile(r"\d{10}\.\d{6}")
# The columns of a message as it is shown, in the order in which ``_message`` unpacks them.
_SHOWN = "channel_id, ts, thread_ts, user_id, bot_id, text, subtype, client_msg_id, username, edited_by, edited_ts"
_BOT = "id, app_id, user_id, name, updated"
Bot = tuple[str, str, str, str, int]
Shown = tuple[Any, ...]
_ONE = f"SELECT {_SHOWN} FROM messages WHERE channel_id = ? AND ts = ?"
_HISTORY = f"""
SELECT {_SHOWN} FROM messages
WHERE channel_id = ? AND (thread_ts IS NULL OR thread_ts = ts OR subtype = 'thread_broadcast')
ORDER BY ts DESC LIMIT ?
"""
# The index is named, because SQLite would rather walk the whole channel in the order that is asked for.
_REPLIES = f"""
SELECT {_SHOWN} FROM messages INDEXED BY messages_thread
WHERE channel_id = ? AND thread_ts = ? AND ts != ? ORDER BY ts LIMIT ?
"""
_REACTIONS = """
SELECT ts, reacted_ms, name, user_id FROM reactions WHERE channel_id = ? AND ts BETWEEN ? AND ?
ORDER BY ts, name, user_id
"""
_THREADS = """
SELECT thread_ts, ts, user_id FROM messages
WHERE channel_id = ? AND thread_ts BETWEEN ? AND ? AND ts != thread_ts ORDER BY thread_ts, ts
"""
_FOLLOWED = """
SELECT thread_ts, last_read FROM subscriptions
WHERE channel_id = ? AND thread_ts BETWEEN ? AND ? AND user_id = ? ORDER BY thread_ts
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
    parent = _find_parent(ep, channel["id"], thread_ts)
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


def _find(ep: Episode, channel_id: str, ts: str) -> Shown | None:
    return next(iter(ep.db.tuples(_ONE, channel_id, ts)), None)


def _find_parent(ep: Episode, channel_id: str, ts: str) -> Shown | None:
    message = _find(ep, channel_id, ts)
    if message is None or message[2] in (None, ts):
        return message
    return _find(ep, channel_id, message[2])


def _post(ep: Episode, channel: Row, text: str, *, parent: Shown | None) -> Result:
    if not text.strip():
        raise errors.NoText(post=True)
    warnings = ["missing_charset"]
    if len(text) > texts.TEXT_MAX:
        text, warnings = text[: texts.TEXT_MAX], ["message_truncated", "missing_charset"]
    channel_id, ts = channel["id"], _new_ts(ep, channel["id"])
    thread_ts = None if parent is None else parent[1]
    bot: Bot | None = next(iter(ep.db.tuples(f"SELECT {_BOT} FROM bots WHERE is_self")), None)
    ep.db.insert(
        "messages",
        channel_id=channel_id,
        ts=ts,
        thread_ts=thread_ts,
        user_id=ep.me,
        text=texts.stored(text),
        bot_id=None if bot is None else bot[0],
    )
    if thread_ts is not None:
        _subscribe(ep, channel_id, thread_ts, ts)
    posted = _find(ep, channel_id, ts)
    assert posted is not None
    message = _message(ep, posted, channel["team_id"], bot)
    if parent is not None:
        message |= {"thread_ts": thread_ts, "parent_user_id": parent[3]}
        message["blocks"] = message.pop("blocks")
    return {
        "ok": True,
        "channel": channel_id,
        "ts": ts,
        "message": message,
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
    body: dict[str, Any] = {
        "ok": True,
        "messages": _messages(ep, channel, rows[:size]),
        "has_more": has_more,
        "pin_count": 0,
        "channel_actions_ts": None,
        "channel_actions_count": 0,
    }
    if has_more:
        following = rows[size][1].replace(".", "")
        body["response_metadata"] = {"next_cursor": paging.encode("next_ts", following)}
    return body


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
    replies = ep.db.tuples(_REPLIES, channel_id, parent[1], parent[1], REPLIES_MOST)
    body = {"ok": True, "messages": _messages(ep, channel, [parent, *replies], parent), "has_more": False}
    if len(replies) == REPLIES_MOST:
        body["has_more"] = True
    return body


def _messages(ep: Episode, channel: Row, rows: Sequence[Shown], parent: Shown | None = None) -> list[dict[str, Any]]:
    """Return rows as Slack shows them, with bots, threads and reactions fetched once for the whole page."""
    if not rows:
        return []
    channel_id, team_id = channel["id"], channel["team_id"]
    stamps = [row[1] for row in rows]
    page = channel_id, min(stamps), max(stamps)
    bots: dict[str | None, Bot] = {}
    if any(row[4] for row in rows):
        bots = {bot[0]: bot for bot in ep.db.tuples(f"SELECT {_BOT} FROM bots ORDER BY id")}
    reactions, threads = _reactions(ep, *page), _threads(ep, *page)
    shown = []
    for row in rows:
        message = _message(ep, row, team_id, bots.get(row[4]))
        ts, thread_ts = row[1:3]
        if thread_ts is not None and thread_ts != ts:
            message["thread_ts"] = thread_ts
            message["parent_user_id"] = _author(ep, channel_id, thread_ts, parent)
        elif ts in threads:
            message.update(threads[ts])
        if ts in reactions:
            message["reactions"] = reactions[ts]
        shown.append(message)
    return shown


def _author(ep: Episode, channel_id: str, ts: str, parent: Shown | None) -> str | None:
    if parent is None or parent[1] != ts:
        parent = _find(ep, channel_id, ts)
    return None if parent is None else parent[3]


def _message(ep: Episode, row: Shown, team_id: str, bot: Bot | None) -> dict[str, Any]:
    """Return one message without what hangs on it (thread, reactions)."""
    channel_id, ts, _, user_id, _, text, subtype, client_msg_id, username, edited_by, edited_ts = row
    if subtype == "channel_join":
        return {"type": "message", "subtype": "channel_join", "ts": ts, "user": user_id, "text": text}
    message: dict[str, Any] = {}
    if client_msg_id:
        message["client_msg_id"] = client_msg_id
    if subtype:
        message["subtype"] = subtype
    if user_id:
        message["user"] = user_id
    message["type"] = "message"
    message["ts"] = ts
    if username:
        message["username"] = username
    if bot is not None:
        message["bot_id"] = bot[0]
        message["app_id"] = bot[1]
    message["text"] = text
    message["team"] = team_id
    if bot is not None:
        message["bot_profile"] = _bot_profile(team_id, *bot)
    if edited_ts:
        message["edited"] = {"user": edited_by, "ts": edited_ts}
    block = crc32(f"{ep.seed}:{channel_id}:{ts}".encode()) & 0xFFFFF
    message["blocks"] = texts.blocks(text, f"{block:05x}")
    return message


# Depends on nothing but its arguments and is shown again and again; nobody changes what it returns.
@lru_cache(maxsize=256)
def _bot_profile(team_id: str, bot_id: str, app_id: str, user_id: str, name: str, updated: int) -> dict[str, Any]:
    return {
        "id": bot_id,
        "deleted": False,
        "name": name,
        "updated": updated,
        "app_id": app_id,
        "user_id": user_id,
        "icons": {f"image_{size}": f"https://avatars.example/bots/{bot_id}_{size}.png" for size in (36, 48, 72)},
        "team_id": team_id,
    }


def _reactions(ep: Episode, channel_id: str, oldest: str, newest: str) -> dict[str, list[dict[str, Any]]]:
    """Return ts → reactions, each emoji once with its users, in the order they came."""
    rows = ep.db.tuples(_REACTIONS, channel_id, oldest, newest)
    # The query's order is the key's and costs nothing; a page's few rows are quicker sorted here than by SQLite.
    rows.sort()
    found: dict[str, list[dict[str, Any]]] = {}
    for ts, _, name, user_id in rows:
        shown = found.setdefault(ts, [])
        for reaction in shown:
            if reaction["name"] == name:
                reaction["users"].append(user_id)
                reaction["count"] += 1
                break
        else:
            shown.append({"name": name, "users": [user_id], "count": 1})
    return found


def _threads(ep: Episode, channel_id: str, oldest: str, newest: str) -> dict[str, dict[str, Any]]:
    """Return parent ts → what Slack adds to a message that has replies."""
    rows = ep.db.tuples(_THREADS, channel_id, oldest, newest)
    if not rows:
        return {}
    followed = dict(ep.db.tuples(_FOLLOWED, channel_id, oldest, newest, ep.me))
    found: dict[str, dict[str, Any]] = {}
    for parent_ts, ts, user_id in rows:
        thread = found.get(parent_ts)
        if thread is None:
            thread = found[parent_ts] = _new_thread(parent_ts, followed.get(parent_ts))
        thread["reply_count"] += 1
        thread["latest_reply"] = ts
        users = thread["reply_users"]
        if user_id and user_id not in users:
            users.append(user_id)
            thread["reply_users_count"] += 1
    return found


def _new_thread(ts: str, last_read: str | None) -> dict[str, Any]:
    thread: dict[str, Any] = {
        "thread_ts": ts,
        "reply_count": 0,
        "reply_users_count": 0,
        "latest_reply": ts,
        "reply_users": [],
        "is_locked": False,
        "subscribed": last_read is not None,
    }
    if last_read is not None:
        thread["last_read"] = last_read
    return thread
