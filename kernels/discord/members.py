"""Members of a server and the roles they have."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from farm.appkit import Episode, Result

from . import access, arguments, errors, permissions
from .arguments import ABSENT

_LIST_MAX = 1000
# Oldest accounts first; the library turns the page round.
_MEMBERS = """
SELECT u.user_id, u.name FROM members m JOIN users u ON u.user_id = m.user_id
WHERE m.guild_id = ? ORDER BY length(m.user_id), m.user_id LIMIT ?
"""
_HELD = """
SELECT m.user_id, r.role_id, r.position FROM member_roles m JOIN roles r ON r.role_id = m.role_id
WHERE m.guild_id = :guild AND r.guild_id = :guild AND m.user_id IN (SELECT value FROM json_each(:users))
ORDER BY m.user_id, r.role_id
"""


def list_members(ep: Episode, *, server_id: Any = ABSENT, limit: Any = ABSENT) -> Result:
    """Return the members with the oldest accounts, the newest of them first, and the ids of their roles.

    Args:
        server_id: whose members.
        limit: how many, at most 1000; nobody for none or fewer.

    Raises:
        ClientNotReady, KeyMissing, PythonError, InvalidFormBody, UnknownGuild: as ``access.require_guild``.

    Source: https://discord.com/developers/docs/resources/guild#list-guild-members
    """
    guild = access.require_guild(ep, access.require_bot(ep), server_id)
    size = min(arguments.to_int("limit", 100 if limit is ABSENT else limit), _LIST_MAX)
    found = ep.db.all(_MEMBERS, guild["guild_id"], size) if size > 0 else []
    held = _role_ids(ep, guild["guild_id"], [member["user_id"] for member in found])
    lines = [
        f"{member['name']} (ID: {member['user_id']}, Roles: {', '.join(held[member['user_id']])})"
        for member in reversed(found)
    ]
    return f"Server Members ({len(lines)}):\n" + "\n".join(lines)


def _role_ids(ep: Episode, guild_id: str, user_ids: list[str]) -> dict[str, list[str]]:
    """Return the ids of the roles that members have, the lowest first; @everyone is none of them."""
    held: dict[str, list[str]] = defaultdict(list)
    for role in sorted(ep.db.all(_HELD, guild=guild_id, users=json.dumps(user_ids)), key=permissions.rank):
        if role["role_id"] != guild_id:
            held[role["user_id"]].append(role["role_id"])
    return held


def add_role(ep: Episode, *, server_id: Any = ABSENT, user_id: Any = ABSENT, role_id: Any = ABSENT) -> Result:
    """Give a member a role; one they have already changes nothing.

    Raises:
        ClientNotReady, KeyMissing, PythonError, InvalidFormBody, UnknownGuild: as ``access.require_guild``.
        UnknownUser, UnknownMember, UnknownRole, MissingPermissions: as ``_require_assignable``.

    Source: https://discord.com/developers/docs/resources/guild#add-guild-member-role
    """
    asked = _require_assignable(ep, server_id, user_id, role_id)
    mine = "SELECT 1 FROM member_roles WHERE guild_id = ? AND user_id = ? AND role_id = ?"
    held = ep.db.scalar(mine, asked.guild_id, asked.user_id, asked.role_id)
    if held is None:
        ep.db.insert("member_roles", guild_id=asked.guild_id, user_id=asked.user_id, role_id=asked.role_id)
    return f"Added role {asked.role_name} to user {asked.user_name}"


def remove_role(ep: Episode, *, server_id: Any = ABSENT, user_id: Any = ABSENT, role_id: Any = ABSENT) -> Result:
    """Take a role from a member; one they do not have changes nothing.

    Raises:
        ClientNotReady, KeyMissing, PythonError, InvalidFormBody, UnknownGuild: as ``access.require_guild``.
        UnknownUser, UnknownMember, UnknownRole, MissingPermissions: as ``_require_assignable``.

    Source: https://discord.com/developers/docs/resources/guild#remove-guild-member-role
    """
    asked = _require_assignable(ep, server_id, user_id, role_id)
    ep.db.delete("member_roles", guild_id=asked.guild_id, user_id=asked.user_id, role_id=asked.role_id)
    return f"Removed role {asked.role_name} from user {asked.user_name}"


@dataclass(frozen=True)
class _Asked:
    """Whose role is to change."""

    guild_id: str
    user_id: str
    user_name: str
    role_id: str
    role_name: str


def _require_assignable(ep: Episode, server_id: Any, user_id: Any, role_id: Any) -> _Asked:
    """Return a member and a role that the program may give and take.

    Raises:
        UnknownUser, UnknownMember: nobody has this id, or not here.
        NoSuchAttribute: the server has no such role, which the code does not look at.
        UnknownRole: it is @everyone.
        MissingPermissions: the program may not manage roles, does not stand above this one, or it is a program's.
    """
    bot_id = access.require_bot(ep)
    guild_id = access.require_guild(ep, bot_id, server_id)["guild_id"]
    member_id = arguments.snowflake("user_id", arguments.to_int("user_id", user_id))
    name = ep.db.scalar("SELECT name FROM users WHERE user_id = ?", member_id)
    if name is None:
        raise errors.UnknownUser
    if not access.is_member(ep, guild_id, member_id):
        raise errors.UnknownMember
    wanted = str(arguments.to_int("role_id", role_id))
    role = ep.db.one("SELECT * FROM roles WHERE role_id = ? AND guild_id = ?", wanted, guild_id)
    if role is None:
        raise errors.NoSuchAttribute("NoneType", "id")
    if wanted == guild_id:
        raise errors.UnknownRole
    if not permissions.in_guild(ep, guild_id, bot_id) & permissions.MANAGE_ROLES or role["is_managed"]:
        raise errors.MissingPermissions
    if not permissions.is_above(ep, guild_id, bot_id, role):
        raise errors.MissingPermissions
    return _Asked(guild_id, member_id, name, wanted, role["name"])
