"""Guilds, members, roles, users and channels."""

import re

from farm.appkit import Episode, Result

from . import errors
from .lookup import draw, number, require_channel, require_guild, snowflake, snowflake_time


def get_server_info(ep: Episode, *, server_id: str) -> Result:
    """Describe a guild."""
    _bounded(server_id, "guild_id")
    guild = require_guild(ep, server_id)
    lines = [
        "Server Information:",
        f"name: {guild['name']}",
        f"id: {guild['guild_id']}",
        f"owner_id: {guild['owner_id']}",
        "member_count: None",
        f"created_at: {snowflake_time(guild['guild_id'])}",
        f"description: {guild['description']}",
        f"premium_tier: {guild['premium_tier']}",
        f"explicit_content_filter: {guild['content_filter']}",
    ]
    return "\n".join(lines)


def list_members(ep: Episode, *, server_id: str, limit: float | None = None) -> Result:
    """List the first members by id, the last of them first."""
    _bounded(server_id, "guild_id")
    guild = require_guild(ep, server_id)
    count = 100 if limit is None else min(int(limit), 1000)
    rows = ep.db.all(
        "SELECT u.user_id, u.name FROM members m JOIN users u ON u.user_id = m.user_id WHERE m.guild_id = ?",
        guild["guild_id"],
    )
    rows = sorted(rows, key=lambda row: int(row["user_id"]))[:count]
    lines = []
    for row in reversed(rows):
        roles = ep.db.all(
            "SELECT r.role_id, r.height FROM member_roles m JOIN roles r ON r.role_id = m.role_id"
            " WHERE m.user_id = ? AND r.guild_id = ? AND r.role_id <> r.guild_id",
            row["user_id"],
            guild["guild_id"],
        )
        roles = sorted(roles, key=lambda role: (role["height"], -int(role["role_id"])))
        shown = ", ".join(role["role_id"] for role in roles)
        lines.append(f"{row['name']} (ID: {row['user_id']}, Roles: {shown})")
    return f"Server Members ({len(lines)}):\n" + "\n".join(lines)


def add_role(ep: Episode, *, server_id: str, user_id: str, role_id: str) -> Result:
    """Give a member a role."""
    user, role = _member_and_role(ep, server_id, user_id, role_id)
    _require_below_bot(ep, role)
    held = ep.db.one(
        "SELECT * FROM member_roles WHERE user_id = ? AND role_id = ?", user["user_id"], role["role_id"]
    )
    if held is None:
        ep.db.insert(
            "member_roles",
            row_id=ep.next_number("member_roles", "row_id"),
            user_id=user["user_id"],
            role_id=role["role_id"],
        )
    return f"Added role {role['name']} to user {user['name']}"


def remove_role(ep: Episode, *, server_id: str, user_id: str, role_id: str) -> Result:
    """Take a role from a member."""
    user, role = _member_and_role(ep, server_id, user_id, role_id)
    _require_below_bot(ep, role)
    ep.db.delete("member_roles", user_id=user["user_id"], role_id=role["role_id"])
    return f"Removed role {role['name']} from user {user['name']}"


def get_user_info(ep: Episode, *, user_id: str) -> Result:
    """Describe a user."""
    _bounded(user_id, "user_id")
    user = ep.db.one("SELECT * FROM users WHERE user_id = ?", snowflake(user_id, "user_id"))
    if user is None:
        raise errors.UnknownUser()
    lines = [
        "User information:",
        f"Name: {user['name']}#{user['discriminator']}",
        f"ID: {user['user_id']}",
        f"Bot: {bool(user['bot'])}",
        f"Created: {snowflake_time(user['user_id'])}",
    ]
    return "\n".join(lines)


def create_text_channel(
    ep: Episode,
    *,
    server_id: str,
    name: str,
    category_id: str | None = None,
    topic: str | None = None,
) -> Result:
    """Create a text channel; the library never finds the category."""
    _bounded(server_id, "guild_id")
    guild = require_guild(ep, server_id)
    if category_id is not None:
        number(category_id)
    if not name:
        raise errors.InvalidForm(field="name", text="This field is required")
    if len(name) > 100:
        raise errors.InvalidForm(field="name", text="Must be between 1 and 100 in length.")
    if topic is not None and len(topic) > 1024:
        raise errors.InvalidForm(field="topic", text="Must be 1024 or fewer in length.")
    shown = _channel_name(name)
    channel_id = str(1490000000000000000 + draw(ep, "channel"))
    ep.db.insert(
        "channels",
        channel_id=channel_id,
        guild_id=guild["guild_id"],
        kind="text",
        name=shown,
        topic=topic,
        above_id=None,
    )
    return f"Created text channel #{shown} (ID: {channel_id})"


def delete_channel(ep: Episode, *, channel_id: str, reason: str | None = None) -> Result:
    """Delete a channel with its threads and messages."""
    _bounded(channel_id, "channel_id")
    channel = require_channel(ep, channel_id)
    if channel["above_id"] is not None:
        raise errors.MissingPermissions()
    if channel["kind"] == "required":
        raise errors.PythonError(
            text="400 Bad Request (error code: 50074): Cannot delete a channel required for Community guilds"
        )
    threads = ep.db.all("SELECT channel_id FROM channels WHERE above_id = ?", channel["channel_id"])
    for gone in [row["channel_id"] for row in threads] + [channel["channel_id"]]:
        ep.db.execute(
            "DELETE FROM reactions WHERE message_id IN (SELECT message_id FROM messages WHERE channel_id = ?)", gone
        )
        ep.db.delete("messages", channel_id=gone)
        ep.db.delete("channels", channel_id=gone)
    return "Deleted channel successfully"


def _bounded(text: str, field: str) -> None:
    if int(number(text)) > 9223372036854775807:
        raise errors.InvalidForm(
            field=field, text="snowflake value should be less than or equal to 9223372036854775807."
        )


def _channel_name(name: str) -> str:
    kept = "".join(char for char in name if ord(char) >= 32)
    text = re.sub(r"\s+", "-", kept.strip().lower())
    text = re.sub(r"[!\"#$%&'()*+,./:;<=>?@\[\\\]^`{|}~]", "", text)
    return re.sub(r"-+", "-", text)


def _member_and_role(ep: Episode, server_id: str, user_id: str, role_id: str) -> tuple[dict, dict]:
    _bounded(server_id, "guild_id")
    guild = require_guild(ep, server_id)
    _bounded(user_id, "user_id")
    wanted = snowflake(user_id, "user_id")
    user = ep.db.one(
        "SELECT u.* FROM members m JOIN users u ON u.user_id = m.user_id WHERE m.guild_id = ? AND u.user_id = ?",
        guild["guild_id"],
        wanted,
    )
    if user is None:
        if ep.db.one("SELECT user_id FROM users WHERE user_id = ?", wanted) is None:
            raise errors.UnknownUser()
        raise errors.UnknownMember()
    role = ep.db.one(
        "SELECT * FROM roles WHERE role_id = ? AND guild_id = ?", number(role_id), guild["guild_id"]
    )
    if role is None:
        raise errors.PythonError(text="'NoneType' object has no attribute 'id'")
    if role["role_id"] == guild["guild_id"]:
        raise errors.PythonError(text="404 Not Found (error code: 10011): Unknown Role")
    return user, role


def _require_below_bot(ep: Episode, role: dict) -> None:
    top = ep.db.scalar(
        "SELECT MAX(r.height) FROM member_roles m JOIN roles r ON r.role_id = m.role_id"
        " JOIN users u ON u.user_id = m.user_id WHERE u.bot = 1"
    )
    if role["height"] >= (top or 0):
        raise errors.MissingPermissions()
