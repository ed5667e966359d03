"""Members: who is in a group or channel, who runs it, who was thrown out."""

from __future__ import annotations

import json
from typing import Any

from farm.appkit import Episode, Result, Row, Value, parse_json

from . import admin_log, messages
from .errors import NotFitting, NotFound, Refused, ToolMessage, Why, unresolved
from .ids import Id, addressed
from .peers import INSIDE, Peer, has_blocked, may, may_add, me, require, require_right, role
from .sanitize import Clean, clean_name

_ADMINS_MAX = 50
_RIGHTS = {
    "change_info": True, "post_messages": True, "edit_messages": True, "delete_messages": True, "ban_users": True,
    "invite_users": True, "pin_messages": True, "add_admins": False, "anonymous": False, "manage_call": True,
    "manage_topics": True, "other": True,
}  # fmt: skip


@addressed("group_id", "user_ids")
def invite_to_group(
    ep: Episode, *, group_id: Id, user_ids: list[Id], clean: Clean = clean_name, why: Why = unresolved
) -> Result:
    """Put users into a supergroup or channel. The count is always 0: Telegram's answer says only who is missing."""
    peer = require(ep, group_id)
    users = []
    for each in user_ids:
        try:
            users.append(require(ep, each))
        except NotFound as problem:
            reason = why(each, problem)
            if reason is None:
                raise
            raise ToolMessage(f"Error: User with ID {each} could not be found. {reason}") from None
    if not peer.is_channel or not all(user.is_user for user in users):
        raise NotFitting
    if not users:
        raise Refused("USERS_TOO_FEW")
    require_right(ep, peer, "invite_users")
    if peer.kind == "channel" and any(user.row["is_bot"] for user in users):
        # Source: https://core.telegram.org/method/channels.inviteToChannel
        raise Refused("USER_BOT")
    parts = {user.id: role(ep, peer.id, user.id) for user in users}
    if any(part == "banned" for part in parts.values()):
        raise Refused("USER_KICKED")
    if any(parts[user.id] == "left" and not _is_mutual(user) for user in users):
        raise ToolMessage(
            "Error: Cannot invite users who are not mutual contacts. Please ensure the users are in your contacts and "
            "have added you back."
        )
    if any(has_blocked(ep, me(ep), user.id) for user in users):
        raise Refused("USER_BLOCKED")
    for user in {user.id: user for user in users}.values():
        if parts[user.id] in INSIDE or not may_add(ep, user):
            continue
        row = _put(ep, peer, user, role="member")
        admin_log.record(ep, peer, "invite", now=row)
        if peer.kind == "supergroup":
            messages.post_message(ep, peer, None, action="invite")
    return f"Successfully invited 0 users to {clean(peer.row['title'])}"


def _is_mutual(user: Peer) -> bool:
    return bool(user.row["is_contact"] and user.row["has_me"])


def _put(ep: Episode, peer: Peer, user: Peer, **columns: Value) -> Row:
    """Give somebody a part in a chat and return it as the admin log tells it."""
    key = {"chat_id": peer.id, "user_id": user.id}
    ep.db.delete("members", **key)
    ep.db.insert("members", **key, **columns, by_id=me(ep), since_s=ep.now_ms // 1000)
    return _part(ep, peer, user)


def _part(ep: Episode, peer: Peer, user: Peer) -> Row:
    row = ep.db.one("SELECT * FROM members WHERE chat_id = ? AND user_id = ?", peer.id, user.id)
    if row is None:
        return {"user_id": user.id, "role": "left", "since_s": ep.now_ms // 1000}
    return {**row, "rights": parse_json(row["rights"])}


@addressed("group_id", "user_id")
def promote_admin(
    ep: Episode,
    *,
    group_id: Id,
    user_id: Id,
    rights: dict[str, Any] | None = None,
    clean: Clean = clean_name,
) -> Result:
    """Make somebody an admin of a supergroup or channel, with rights that the account has itself.

    Rights that are not named are given, but to add admins and to stay anonymous.
    """
    peer, user = require(ep, group_id), require(ep, user_id)
    set_admin(ep, peer, user, rights_given(rights, _RIGHTS), "Admin")
    return f"Successfully promoted user {user_id} to admin in {clean(peer.row['title'])}"


@addressed("group_id", "user_id")
def demote_admin(ep: Episode, *, group_id: Id, user_id: Id, clean: Clean = clean_name) -> Result:
    """Take an admin's rights away."""
    peer, user = require(ep, group_id), require(ep, user_id)
    set_admin(ep, peer, user, [], "")
    return f"Successfully demoted user {user_id} from admin in {clean(peer.row['title'])}"


def rights_given(wanted: dict[str, Any] | None, usual: dict[str, bool]) -> list[str]:
    """Return the names of rights to give: those wanted, and of the others the usual ones."""
    rights = {name: (wanted or usual).get(name, value) for name, value in usual.items()}
    return [name for name, value in rights.items() if value is not None and value is not False]


def set_admin(ep: Episode, peer: Peer, user: Peer, rights: list[str], rank: str) -> None:
    """Give somebody in a supergroup or channel these rights as an admin; without rights they are a plain member."""
    if not peer.is_channel or not user.is_user:
        raise NotFitting
    require_right(ep, peer, "add_admins")
    was = _part(ep, peer, user)
    if was["role"] == "creator":
        raise Refused("USER_CREATOR")
    if was["role"] not in INSIDE:
        _require_may_bring(ep, peer, user, was, bool(rights))
    is_maker = role(ep, peer.id) == "creator"
    if not is_maker and (was["role"] == "admin" and was["by_id"] != me(ep)):
        raise Refused("CHAT_ADMIN_REQUIRED")
    if not is_maker and not all(may(ep, peer, each) for each in rights):
        raise Refused("RIGHT_FORBIDDEN")
    admins = ep.db.scalar("SELECT count(*) FROM members WHERE chat_id = ? AND role = 'admin'", peer.id)
    if rights and was["role"] != "admin" and admins >= _ADMINS_MAX:
        raise Refused("ADMINS_TOO_MUCH")
    part = "admin" if rights else "member"
    if part == was["role"] == "member":
        return
    now = _put(ep, peer, user, role=part, rights=json.dumps(rights), rank=rank)
    admin_log.record(ep, peer, "admin", was=was, now=now)


def _require_may_bring(ep: Episode, peer: Peer, user: Peer, was: Row, is_promoted: bool) -> None:
    """Refuse to make an admin of somebody who is not there and could not be put there either.

    Source: https://core.telegram.org/method/channels.editAdmin
    """
    if not is_promoted:
        raise Refused("USER_NOT_PARTICIPANT")
    if not may(ep, peer, "invite_users") or (was["role"] == "banned" and not may(ep, peer, "ban_users")):
        raise Refused("CHAT_ADMIN_INVITE_REQUIRED")
    if user.row["is_shy"] and not user.row["has_me"]:
        raise Refused("USER_PRIVACY_RESTRICTED")
    if _has_left(ep, peer, user) and not _is_mutual(user):
        raise ToolMessage(
            "Error: Cannot promote users who are not mutual contacts. Please ensure the user is in your contacts and "
            "has added you back."
        )


def _has_left(ep: Episode, peer: Peer, user: Peer) -> bool:
    return role(ep, peer.id, user.id) == "left"


@addressed("chat_id", "user_id")
def ban_user(ep: Episode, *, chat_id: Id, user_id: Id, clean: Clean = clean_name) -> Result:
    """Throw somebody out of a supergroup or channel for good."""
    peer, user = _require_banning(ep, chat_id, user_id)
    was = _part(ep, peer, user)
    if was["role"] == "creator" or (was["role"] == "admin" and not _promoted(ep, peer, was)):
        raise Refused("USER_ADMIN_INVALID")
    if was["role"] != "banned":
        admin_log.record(ep, peer, "ban", was=was, now=_put(ep, peer, user, role="banned"))
    return f"User {user_id} banned from chat {clean(peer.row['title'])} (ID: {chat_id})."


@addressed("chat_id", "user_id")
def unban_user(ep: Episode, *, chat_id: Id, user_id: Id, clean: Clean = clean_name) -> Result:
    """Lift a ban; whoever was banned is not back by that."""
    peer, user = _require_banning(ep, chat_id, user_id)
    was = _part(ep, peer, user)
    if was["role"] == "creator" or (was["role"] == "admin" and not _promoted(ep, peer, was)):
        raise Refused("USER_ADMIN_INVALID")
    if was["role"] == "banned":
        admin_log.record(ep, peer, "ban", was=was, now=_put(ep, peer, user, role="left"))
    return f"User {user_id} unbanned from chat {clean(peer.row['title'])} (ID: {chat_id})."


def _require_banning(ep: Episode, chat_id: Id, user_id: Id) -> tuple[Peer, Peer]:
    peer, user = require(ep, chat_id), require(ep, user_id)
    if not peer.is_channel:
        raise NotFitting
    require_right(ep, peer, "ban_users")
    if not user.is_user or user.id == me(ep):
        raise Refused("PARTICIPANT_ID_INVALID")
    return peer, user


def _promoted(ep: Episode, peer: Peer, part: Row) -> bool:
    return role(ep, peer.id) == "creator" or part["by_id"] == me(ep)
