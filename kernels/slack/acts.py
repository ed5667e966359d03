"""What people do in Slack, and what they notice of a message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Row
from farm.appkit.acts import Acts, Place, Surroundings

from . import channels, errors, messages, reactions, texts

_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^>]*)?>")


def reply(ep: Episode, row: Row, *, text: str, thread: bool = True) -> None:
    """Answer a message: in its thread, or in a direct message and with ``thread = false`` below it."""
    is_direct = ep.db.scalar("SELECT kind FROM channels WHERE id = ?", row["channel_id"]) in ("im", "mpim")
    parent = (row["thread_ts"] or row["ts"]) if thread and not (is_direct and row["thread_ts"] is None) else None
    if parent is not None and not _has(ep, row["channel_id"], parent):
        raise errors.ThreadNotFound
    _say(ep, row["channel_id"], text, parent)


def post(ep: Episode, row: Row, *, channel: str, text: str) -> None:
    """Post in a channel by its name, or in the direct message with somebody, by account."""
    if channel.startswith(("U", "W")):
        found = channels.open_im(ep, channel)
    else:
        found = channels.find_named(ep, channel.removeprefix("#"))
    if found is None:
        raise errors.ChannelNotFound(post=True)
    _say(ep, found, text, None)


def react(ep: Episode, row: Row, *, emoji: str) -> None:
    """Put an emoji on the message."""
    reactions.add_reaction(ep, channel_id=row["channel_id"], timestamp=row["ts"], reaction=emoji)


def edit(ep: Episode, row: Row, *, text: str) -> None:
    """Change what they said last in the message's thread, or in its channel."""
    thread = row["thread_ts"] or row["ts"]
    found = ep.db.scalar(
        "SELECT ts FROM messages WHERE channel_id = ? AND user_id = ? AND (thread_ts = ? OR thread_ts IS NULL) "
        "ORDER BY ts DESC LIMIT 1",
        row["channel_id"],
        ep.me,
        thread,
    )
    if found is None:
        raise errors.MessageNotFound(post=True)
    edited = {"text": texts.stored(text), "edited_by": ep.me, "edited_ts": messages.new_ts(ep, row["channel_id"])}
    ep.db.update("messages", {"channel_id": row["channel_id"], "ts": found}, **edited)


def _has(ep: Episode, channel_id: str, ts: str) -> bool:
    found = ep.db.scalar("SELECT 1 FROM messages WHERE channel_id = ? AND ts = ?", channel_id, ts)
    return found is not None


def _say(ep: Episode, channel_id: str, text: str, thread_ts: str | None) -> None:
    """Write a message as the person types it: by no app."""
    channels.require_writable(ep, channel_id)
    ts = messages.new_ts(ep, channel_id)
    said = {"thread_ts": thread_ts, "user_id": ep.me, "text": texts.stored(text)}
    ep.db.insert("messages", channel_id=channel_id, ts=ts, **said)
    if thread_ts is not None:
        messages.subscribe(ep, channel_id, thread_ts, ts)


def _around_message(ep: Episode, row: Row) -> Mapping[str, Any]:
    channel = ep.db.one("SELECT kind, name FROM channels WHERE id = ?", row["channel_id"]) or {"kind": "", "name": ""}
    others = [
        str(each["user_id"])
        for each in ep.db.all(
            "SELECT user_id FROM members WHERE channel_id = ? AND user_id IS NOT ? ORDER BY user_id",
            row["channel_id"],
            row["user_id"],
        )
        if channel["kind"] in ("im", "mpim")
    ]
    parent = row["thread_ts"] and ep.db.scalar(
        "SELECT user_id FROM messages WHERE channel_id = ? AND ts = ?", row["channel_id"], row["thread_ts"]
    )
    named = _MENTION.findall(row["text"])
    return {
        "channel": f"#{channel['name']}" if channel["kind"] in ("channel", "group") else "",
        "direct": bool(others),
        "to": list(dict.fromkeys([*others, *named, *([parent] if parent else [])])),
    }


ACTS = Acts(
    verbs={"reply": reply, "post": post, "react": react, "edit": edit},
    around={"messages": Surroundings(("channel", "direct", "to"), _around_message)},
    places={"channel": Place("channels", "name", "#")},
)
