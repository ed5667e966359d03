"""Users: the member list and one member's profile."""

from __future__ import annotations

import json
from typing import Any

from farm.kernel import Episode, Result, Row

from . import errors, paging

LIST_MOST = 1000
LIST_CAP = 200
SLACKBOT = "USLACKBOT"

# Slackbot leads the list; then accounts from the oldest on, and older ids are shorter.
_PAGE = """
SELECT u.*, b.id AS bot_id, b.app_id FROM users u LEFT JOIN bots b ON b.user_id = u.id AND u.is_bot
WHERE (u.id != 'USLACKBOT', length(u.id), u.id) >= (:first != 'USLACKBOT' AND :first != '', length(:first), :first)
ORDER BY u.id != 'USLACKBOT', length(u.id), u.id LIMIT :limit
"""


def get_users(ep: Episode, *, cursor: str | None = None, limit: float = 100) -> Result:
    """Return the workspace's members, bots and deactivated ones included, oldest account first.

    Args:
        cursor: where the page begins, from the previous answer.
        limit: page size; the server cuts it at 200.

    Raises:
        InvalidLimit: not a whole number from 1 on.
        InvalidCursor: not a cursor of this list.

    Source: https://api.slack.com/methods/users.list
    """
    size = paging.page_size(limit, most=LIST_MOST, cap=LIST_CAP)
    first = paging.decode("user", cursor) or ""
    rows = ep.db.execute(_PAGE, {"first": first, "limit": size + 1}).fetchall()
    following = paging.encode("user", rows[size]["id"]) if len(rows) > size else ""
    return {
        "ok": True,
        "members": [_member(row) for row in rows[:size]],
        "cache_ts": ep.now_ms // 1000,
        "response_metadata": {"next_cursor": following},
    }


def get_user_profile(ep: Episode, *, user_id: str) -> Result:
    """Return a member's profile, with the labels of custom fields. It holds no user id.

    Raises:
        UserNotFound: no user has this id.

    Source: https://api.slack.com/methods/users.profile.get
    """
    row = ep.db.one(
        "SELECT u.*, b.id AS bot_id, b.app_id FROM users u LEFT JOIN bots b ON b.user_id = u.id AND u.is_bot "
        "WHERE u.id = ?",
        user_id,
    )
    if row is None:
        raise errors.UserNotFound
    profile = _profile(row, fields=json.loads(row["fields"]) if row["fields"] else {})
    return {"ok": True, "profile": profile}


def _member(row: Row) -> dict[str, Any]:
    is_bot = bool(row["is_bot"])
    member: dict[str, Any] = {
        "id": row["id"],
        "team_id": row["team_id"],
        "name": row["name"],
        "deleted": bool(row["deleted"]),
    }
    profile = _profile(row, fields={} if is_bot or row["id"] == SLACKBOT else None) | {"team": row["team_id"]}
    if row["deleted"]:
        return member | {"profile": profile, "is_bot": is_bot, "is_app_user": False, "updated": row["updated"]}
    return member | {
        "color": row["color"],
        "real_name": row["real_name"],
        "tz": row["tz"],
        "tz_label": row["tz_label"],
        "tz_offset": row["tz_offset"],
        "profile": profile,
        "is_admin": bool(row["is_admin"]),
        "is_owner": bool(row["is_owner"]),
        "is_primary_owner": bool(row["is_primary_owner"]),
        "is_restricted": bool(row["is_restricted"]),
        "is_ultra_restricted": False,
        "is_bot": is_bot,
        "is_app_user": False,
        "updated": row["updated"],
        "is_email_confirmed": not is_bot,
        "who_can_share_contact_card": "EVERYONE",
    }


def _profile(row: Row, *, fields: Any) -> dict[str, Any]:
    profile: dict[str, Any] = {
        "title": row["title"],
        "phone": row["phone"],
        "skype": "",
        "real_name": row["real_name"],
        "real_name_normalized": row["real_name"],
        "display_name": row["display_name"],
        "display_name_normalized": row["display_name"],
        "fields": fields,
        "status_text": row["status_text"],
        "status_emoji": row["status_emoji"],
        "status_emoji_display_info": [],
        "status_expiration": row["status_expiration"],
        "avatar_hash": row["avatar_hash"],
    }
    if row["is_bot"]:
        profile |= {"api_app_id": row["app_id"], "always_active": True, "bot_id": row["bot_id"]}
    elif row["id"] == SLACKBOT:
        profile["always_active"] = True
    elif row["email"]:
        profile["email"] = row["email"]
    profile |= {"huddle_state": "default_unset", "first_name": row["first_name"], "last_name": row["last_name"]}
    avatar = f"https://avatars.example/{row['avatar_hash'] or row['id']}"
    profile |= {f"image_{size}": f"{avatar}_{size}.png" for size in (24, 32, 48, 72, 192, 512)}
    return profile | {"status_text_canonical": ""}
