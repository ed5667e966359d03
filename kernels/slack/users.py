"""Users: the member list and one member's profile."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from farm.kernel import Episode, Quoted, Result
from farm.render import quoted

from . import errors, paging

LIST_MOST = 1000
LIST_CAP = 200
SLACKBOT = "USLACKBOT"

# What a profile is made of, and what a member shows beside it.
_PROFILE = """u.id, u.is_bot, u.title, u.phone, u.real_name, u.display_name, u.first_name, u.last_name, u.email,
       u.status_text, u.status_emoji, u.status_expiration, u.avatar_hash, u.fields, b.id, b.app_id"""
_BESIDE = """u.team_id, u.name, u.deleted, u.color, u.tz, u.tz_label, u.tz_offset, u.is_admin, u.is_owner,
       u.is_primary_owner, u.is_restricted, u.updated"""
_USERS = "FROM users u LEFT JOIN bots b ON b.user_id = u.id AND u.is_bot"
# Slackbot leads the list; then accounts from the oldest on, and older ids are shorter.
_PAGE = f"""
SELECT {_PROFILE}, {_BESIDE} {_USERS}
WHERE (u.id != 'USLACKBOT', length(u.id), u.id) >= (:first != 'USLACKBOT' AND :first != '', length(:first), :first)
ORDER BY u.id != 'USLACKBOT', length(u.id), u.id LIMIT :limit
"""
_ONE = f"SELECT {_PROFILE} {_USERS} WHERE u.id = ?"


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
    shown = b",".join([_member(*row) for row in rows[:size]])
    rest = quoted({"cache_ts": ep.now_ms // 1000, "response_metadata": {"next_cursor": following}})
    return Quoted(rb"{\"ok\":true,\"members\":[%b],%b" % (shown, rest[1:]))


def get_user_profile(ep: Episode, *, user_id: str) -> Result:
    """Return a member's profile, with the labels of custom fields. It holds no user id.

    Raises:
        UserNotFound: no user has this id.

    Source: https://api.slack.com/methods/users.profile.get
    """
    rows = ep.db.tuples(_ONE, user_id)
    if not rows:
        raise errors.UserNotFound
    return Quoted(_answer(*rows[0]))


# Members are read far more often than changed, so what their rows make is kept.
@lru_cache(maxsize=1024)
def _answer(*profile: Any) -> bytes:
    return quoted({"ok": True, "profile": _profile(*profile)})


@lru_cache(maxsize=1024)
def _member(*row: Any) -> bytes:
    """Return a row of ``_PAGE`` as Slack shows it, quoted."""
    profile, beside = row[:16], row[16:]
    team_id, name, deleted, color, tz, tz_label, tz_offset, admin, owner, primary_owner, restricted, updated = beside
    user_id, is_bot, real_name = profile[0], bool(profile[1]), profile[4]
    shown = _profile(*profile) | {"team": team_id}
    shown["fields"] = {} if is_bot or user_id == SLACKBOT else None
    member: dict[str, Any] = {"id": user_id, "team_id": team_id, "name": name, "deleted": bool(deleted)}
    if deleted:
        return quoted(member | {"profile": shown, "is_bot": is_bot, "is_app_user": False, "updated": updated})
    member |= {
        "color": color,
        "real_name": real_name,
        "tz": tz,
        "tz_label": tz_label,
        "tz_offset": tz_offset,
        "profile": shown,
        "is_admin": bool(admin),
        "is_owner": bool(owner),
        "is_primary_owner": bool(primary_owner),
        "is_restricted": bool(restricted),
        "is_ultra_restricted": False,
        "is_bot": is_bot,
        "is_app_user": False,
        "updated": updated,
        "is_email_confirmed": not is_bot,
        "who_can_share_contact_card": "EVERYONE",
    }
    return quoted(member)


def _profile(
    user_id: str,
    is_bot: int,
    title: str,
    phone: str,
    real_name: str,
    display_name: str,
    first_name: str,
    last_name: str,
    email: str | None,
    status_text: str,
    status_emoji: str,
    status_expiration: int,
    avatar_hash: str,
    fields: str | None,
    bot_id: str | None,
    app_id: str | None,
) -> dict[str, Any]:
    profile: dict[str, Any] = {
        "title": title,
        "phone": phone,
        "skype": "",
        "real_name": real_name,
        "real_name_normalized": real_name,
        "display_name": display_name,
        "display_name_normalized": display_name,
        "fields": json.loads(fields) if fields else {},
        "status_text": status_text,
        "status_emoji": status_emoji,
        "status_emoji_display_info": [],
        "status_expiration": status_expiration,
        "avatar_hash": avatar_hash,
    }
    if is_bot:
        profile |= {"api_app_id": app_id, "always_active": True, "bot_id": bot_id}
    elif user_id == SLACKBOT:
        profile["always_active"] = True
    elif email:
        profile["email"] = email
    profile |= {"huddle_state": "default_unset", "first_name": first_name, "last_name": last_name}
    avatar = f"https://avatars.example/{avatar_hash or user_id}"
    profile |= {f"image_{size}": f"{avatar}_{size}.png" for size in (24, 32, 48, 72, 192, 512)}
    return profile | {"status_text_canonical": ""}
