"""Permission bits, and which of them a member has in a server and in one of its channels.

Source: https://discord.com/developers/docs/topics/permissions
"""

from __future__ import annotations

from farm.appkit import Episode, Row

ADMINISTRATOR = 1 << 3
MANAGE_CHANNELS = 1 << 4
ADD_REACTIONS = 1 << 6
VIEW_CHANNEL = 1 << 10
SEND_MESSAGES = 1 << 11
READ_MESSAGE_HISTORY = 1 << 16
USE_EXTERNAL_EMOJIS = 1 << 18
CONNECT = 1 << 20
MANAGE_ROLES = 1 << 28
MANAGE_THREADS = 1 << 34
SEND_MESSAGES_IN_THREADS = 1 << 38
ALL = (1 << 53) - 1

_ROLES = """
SELECT r.role_id, r.position, r.permissions FROM roles r
WHERE r.guild_id = :guild AND (r.role_id = :guild OR EXISTS (
    SELECT 1 FROM member_roles m WHERE m.guild_id = :guild AND m.user_id = :user AND m.role_id = r.role_id))
ORDER BY r.role_id
"""


def roles_of(ep: Episode, guild_id: str, user_id: str) -> list[Row]:
    """Return a member's roles, @everyone among them."""
    return ep.db.all(_ROLES, guild=guild_id, user=user_id)


def is_owner(ep: Episode, guild_id: str, user_id: str) -> bool:
    """Tell whether the server is a user's own."""
    return bool(ep.db.scalar("SELECT owner_id FROM guilds WHERE guild_id = ?", guild_id) == user_id)


def in_guild(ep: Episode, guild_id: str, user_id: str) -> int:
    """Return what a member may do in a server, whatever its channels say."""
    if is_owner(ep, guild_id, user_id):
        return ALL
    held = 0
    for role in roles_of(ep, guild_id, user_id):
        held |= role["permissions"]
    return ALL if held & ADMINISTRATOR else held


def in_channel(ep: Episode, channel: Row, user_id: str) -> int:
    """Return what a member may do in a channel; a thread has its parent's permissions."""
    guild_id = channel["guild_id"]
    held = in_guild(ep, guild_id, user_id)
    if held == ALL:
        return held
    place = channel["parent_id"] if channel["kind"] == "thread" else channel["channel_id"]
    said = {row["target_id"]: row for row in ep.db.all("SELECT * FROM overwrites WHERE channel_id = ?", place)}
    own = [role["role_id"] for role in roles_of(ep, guild_id, user_id) if role["role_id"] != guild_id]
    # First what everybody gets, then all roles at once, then the member.
    for targets in ((guild_id,), own, (user_id,)):
        found = [said[target] for target in targets if target in said]
        for row in found:
            held &= ~row["deny"]
        for row in found:
            held |= row["allow"]
    return held


def is_above(ep: Episode, guild_id: str, user_id: str, role: Row) -> bool:
    """Tell whether a member stands above a role: the owner always, anybody else by the highest of their own."""
    return is_owner(ep, guild_id, user_id) or max(map(rank, roles_of(ep, guild_id, user_id))) > rank(role)


def rank(role: Row) -> tuple[int, int]:
    """Return what roles are ordered by: of two at one position the older one is higher."""
    return role["position"], -int(role["role_id"])
