"""Channels: the list, and who may see and write in one."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row, memoised_row, parse_json

from . import errors, pagination

LIST_MOST = 1000
LIST_CAP = 200

# Older ids are shorter, and the list runs from the oldest on. Members are counted for the page only.
_PAGE = """
SELECT c.id, c.team_id, c.kind, c.name, c.is_private, c.is_general, c.creator, c.created, c.updated,
       c.topic, c.topic_creator, c.topic_last_set, c.purpose, c.purpose_creator, c.purpose_last_set, c.previous_names,
       EXISTS (SELECT 1 FROM members m WHERE m.channel_id = c.id AND m.user_id = :me) AS is_member,
       (SELECT count(*) FROM members m WHERE m.channel_id = c.id) AS num_members
FROM (SELECT id AS page_id FROM channels c
      WHERE c.kind IN ('channel', 'group') AND NOT c.is_archived
        AND (NOT c.is_private OR EXISTS (SELECT 1 FROM members m WHERE m.channel_id = c.id AND m.user_id = :me))
        AND (length(c.id), c.id) >= (length(:first), :first)
      ORDER BY length(c.id), c.id LIMIT :limit)
CROSS JOIN channels c ON c.id = page_id ORDER BY length(c.id), c.id
"""
_ONE = """
SELECT c.id, c.team_id, c.is_archived, c.kind = 'channel' AND NOT c.is_private AS is_public,
       EXISTS (SELECT 1 FROM members m WHERE m.channel_id = c.id AND m.user_id = ?) AS is_member
FROM channels c WHERE c.id = ?
"""


def list_channels(ep: Episode, *, limit: float = 100, cursor: str | None = None) -> Result:
    """Return public channels and the caller's private ones, oldest first, archived ones left out.

    Args:
        limit: page size; the server cuts it at 200.
        cursor: where the page begins, from the previous answer.

    Raises:
        InvalidLimit: not a whole number from 1 on.
        InvalidCursor: not a cursor of this list.

    Source: https://api.slack.com/methods/conversations.list
    """
    size = pagination.page_size(limit, most=LIST_MOST, cap=LIST_CAP)
    first = pagination.decode("team", cursor) or ""
    rows = ep.db.all(_PAGE, me=ep.me, first=first, limit=size + 1)
    following = pagination.encode("team", rows[size]["id"]) if len(rows) > size else ""
    return {
        "ok": True,
        "channels": [_channel(row) for row in rows[:size]],
        "response_metadata": {"next_cursor": following},
    }


# Measured: twenty-six channels take 200 µs, and 260 without it.
@memoised_row()
def _channel(row: Row) -> dict[str, Any]:
    return {
        "id": row["id"],
        "name": row["name"],
        "is_channel": row["kind"] == "channel",
        "is_group": row["kind"] == "group",
        "is_im": False,
        "is_mpim": False,
        "is_private": bool(row["is_private"]),
        "created": row["created"],
        "is_archived": False,
        "is_general": bool(row["is_general"]),
        "unlinked": 0,
        "name_normalized": row["name"],
        "is_shared": False,
        "is_org_shared": False,
        "is_pending_ext_shared": False,
        "pending_shared": [],
        "context_team_id": row["team_id"],
        "updated": row["updated"],
        "parent_conversation": None,
        "creator": row["creator"],
        "is_ext_shared": False,
        "shared_team_ids": [row["team_id"]],
        "pending_connected_team_ids": [],
        "is_member": bool(row["is_member"]),
        "topic": {"value": row["topic"], "creator": row["topic_creator"], "last_set": row["topic_last_set"]},
        "purpose": {"value": row["purpose"], "creator": row["purpose_creator"], "last_set": row["purpose_last_set"]},
        "previous_names": parse_json(row["previous_names"]),
        "num_members": row["num_members"],
    }


def require_channel(ep: Episode, channel_id: str, *, post: bool = False) -> Row:
    """Return a conversation the caller is in.

    Args:
        channel_id: id of a channel, group or direct message.
        post: whether the calling method is a POST; its refusals carry Slack's warning.

    Raises:
        ChannelNotFound: no such conversation, or a private one without the caller.
        NotInChannel: a public channel the caller has not joined.
    """
    channel = ep.db.one(_ONE, ep.me, channel_id)
    if channel is None:
        raise errors.ChannelNotFound(post=post)
    if not channel["is_member"]:
        raise errors.NotInChannel(post=post) if channel["is_public"] else errors.ChannelNotFound(post=post)
    return channel


def require_writable(ep: Episode, channel_id: str) -> Row:
    """Return a conversation the caller may post and react in.

    Raises:
        ChannelNotFound, NotInChannel: as ``require_channel``.
        IsArchived: it takes nothing new.
    """
    channel = require_channel(ep, channel_id, post=True)
    if channel["is_archived"]:
        raise errors.IsArchived(post=True)
    return channel


def find_named(ep: Episode, name: str) -> str | None:
    """Return the id of the channel with this name (without ``#``) if the caller can see it."""
    found = ep.db.scalar(
        # There is one team; naming it lets SQLite use the index.
        "SELECT id FROM channels c WHERE team_id IN (SELECT id FROM teams) AND name = ? "
        "AND kind IN ('channel', 'group') AND (NOT is_private OR EXISTS "
        "(SELECT 1 FROM members m WHERE m.channel_id = c.id AND m.user_id = ?)) ORDER BY id",
        name,
        ep.me,
    )
    return None if found is None else str(found)


def open_im(ep: Episode, user_id: str) -> str | None:
    """Return the id of the direct message with a user, opening it when there is none; None for no such user."""
    user = ep.db.one("SELECT team_id FROM users WHERE id = ? AND NOT deleted", user_id)
    if user is None:
        return None
    found = ep.db.scalar(
        "SELECT c.id FROM channels c JOIN members m ON m.channel_id = c.id AND m.user_id = ? "
        "WHERE c.kind = 'im' AND EXISTS (SELECT 1 FROM members o WHERE o.channel_id = c.id AND o.user_id = ?) "
        "AND (SELECT count(*) FROM members a WHERE a.channel_id = c.id) = ? ORDER BY c.id",
        ep.me,
        user_id,
        1 if user_id == ep.me else 2,
    )
    if found is not None:
        return str(found)
    channel_id = ep.new_id("im")
    ep.db.insert(
        "channels",
        id=channel_id,
        team_id=user["team_id"],
        kind="im",
        is_private=1,
        created=ep.now_ms // 1000,
        updated=ep.now_ms,
        im_user_id=user_id,
    )
    for member in dict.fromkeys((ep.me, user_id)):
        ep.db.insert("members", channel_id=channel_id, user_id=member)
    return channel_id
