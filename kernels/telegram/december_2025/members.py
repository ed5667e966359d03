"""Members of groups and channels, as the server of December 2025 listed them."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row

from ..ids import Id, checked
from ..member_lists import asked
from ..members import rights_given, set_admin
from ..peers import INSIDE, require

_USUAL = {
    "change_info": True, "post_messages": True, "edit_messages": True, "delete_messages": True, "ban_users": True,
    "invite_users": True, "pin_messages": True, "add_admins": False, "anonymous": False, "manage_call": True,
    "other": True,
}  # fmt: skip


def _line(row: Row) -> str:
    return f"ID: {row['user_id']}, Name: {row['first_name']} {row['last_name']}"


@checked("chat_id")
def get_participants(ep: Episode, *, chat_id: Id) -> Result:
    """Return everybody in a chat; of a channel only its admins may know."""
    return "\n".join(map(_line, asked(ep, chat_id, *INSIDE)))


@checked("chat_id")
def get_admins(ep: Episode, *, chat_id: Id) -> Result:
    """Return who runs a supergroup or channel, or everybody in a plain group."""
    found = asked(ep, chat_id, "creator", "admin")
    return "\n".join(_line(row).strip() for row in found) if found else "No admins found."


@checked("chat_id")
def get_banned_users(ep: Episode, *, chat_id: Id) -> Result:
    """Return who was thrown out of a supergroup or channel, or everybody in a plain group."""
    found = asked(ep, chat_id, "banned")
    return "\n".join(_line(row).strip() for row in found) if found else "No banned users found."


@checked("group_id", "user_id")
def promote_admin(ep: Episode, *, group_id: Id, user_id: Id, rights: dict[str, Any] | None = None) -> Result:
    """Make somebody an admin of a supergroup or channel; of a right to topics the server knew nothing."""
    peer, user = require(ep, group_id), require(ep, user_id)
    set_admin(ep, peer, user, rights_given(rights, _USUAL), "Admin")
    return f"Successfully promoted user {user_id} to admin in {peer.row['title']}"
