"""What Slack notifies a person of by default: direct messages, mentions, and replies in threads they follow."""

from __future__ import annotations

from farm.appkit import Episode, Row
from farm.appkit.notices import Notices, lock_screen

_DIRECT = ("im", "mpim")
# Whoever began a thread follows it, too.
_FOLLOWS = """
SELECT 1 FROM subscriptions WHERE channel_id = :channel AND thread_ts = :thread AND user_id = :me
UNION ALL
SELECT 1 FROM messages WHERE channel_id = :channel AND ts = :thread AND user_id = :me
"""


def notice_of_message(ep: Episode, row: Row) -> str | None:
    """Return the notice of a message to the person, or None."""
    channel = ep.db.one("SELECT kind, name FROM channels WHERE id = ?", row["channel_id"])
    member = "SELECT 1 FROM members WHERE channel_id = ? AND user_id = ?"
    if channel is None or row.get("user_id") == ep.me or not ep.db.scalar(member, row["channel_id"], ep.me):
        return None
    is_direct = channel["kind"] in _DIRECT
    if not (is_direct or f"<@{ep.me}>" in row["text"] or _is_followed(ep, row)):
        return None
    return lock_screen(_author(ep, row), row["text"], "" if is_direct else f"#{channel['name']}")


def _is_followed(ep: Episode, row: Row) -> bool:
    thread = row.get("thread_ts")
    return bool(thread and ep.db.scalar(_FOLLOWS, channel=row["channel_id"], thread=thread, me=ep.me))


def _author(ep: Episode, row: Row) -> str:
    named = ep.db.scalar("SELECT real_name FROM users WHERE id = ?", row.get("user_id"))
    bot = ep.db.scalar("SELECT name FROM bots WHERE id = ?", row.get("bot_id"))
    return str(named or row.get("username") or bot or "Slack")


NOTICES: Notices = {"messages": notice_of_message}
