"""Servers, members, roles, users and channels."""

from farm.appkit import Episode, Result

from . import errors, lookup


def get_server_info(ep: Episode, *, server_id: str) -> Result:
    """Tell details of a server.

    Raises:
        HttpFailed: the bot is in no such server.
    """
    row = lookup.guild(ep, server_id)
    info = {
        "name": row["name"],
        "id": row["guild_id"],
        "owner_id": row["owner_id"],
        "member_count": None,
        "created_at": lookup.created_at(row["guild_id"]),
        "description": row["description"],
        "premium_tier": row["premium_tier"],
        "explicit_content_filter": row["content_filter"],
    }
    return "Server Information:\n" + "\n".join(f"{key}: {value}" for key, value in info.items())


def list_members(ep: Episode, *, server_id: str, limit: float | None = None) -> Result:
    """List the members of a server with the ids of their roles.

    Raises:
        HttpFailed: the bot is in no such server.
    """
    row = lookup.guild(ep, server_id)
    count = min(int(100 if limit is None else limit), 1000)
    found = ep.db.all(
        "SELECT u.* FROM members m JOIN users u ON u.user_id = m.user_id WHERE m.guild_id = ?", row["guild_id"]
    )
    found = sorted(found, key=lambda one: int(one["user_id"]))[:count]
    lines = []
    for one in found:
        roles = ep.db.all(
            "SELECT r.role_id FROM member_roles m JOIN roles r ON r.role_id = m.role_id"
            " WHERE m.user_id = ? AND r.guild_id = ? ORDER BY r.position",
            one["user_id"],
            row["guild_id"],
        )
        shown = ", ".join(role["role_id"] for role in roles)
        lines.append(f"{one['name']} (ID: {one['user_id']}, Roles: {shown})")
    return f"Server Members ({len(found)}):\n" + "\n".join(lines)


def add_role(ep: Episode, *, server_id: str, user_id: str, role_id: str) -> Result:
    """Give a member a role.

    Raises:
        HttpFailed: something is unknown or forbidden.
        PythonFailed: the role is unknown.
    """
    member, role = _member_and_role(ep, server_id, user_id, role_id)
    has = ep.db.one(
        "SELECT * FROM member_roles WHERE user_id = ? AND role_id = ?", member["user_id"], role["role_id"]
    )
    if has is None:
        ep.db.insert(
            "member_roles",
            row_id=ep.next_number("member_roles", "row_id"),
            user_id=member["user_id"],
            role_id=role["role_id"],
        )
    return f"Added role {role['name']} to user {member['name']}"


def remove_role(ep: Episode, *, server_id: str, user_id: str, role_id: str) -> Result:
    """Take a role from a member.

    Raises:
        HttpFailed: something is unknown or forbidden.
        PythonFailed: the role is unknown.
    """
    member, role = _member_and_role(ep, server_id, user_id, role_id)
    ep.db.delete("member_roles", user_id=member["user_id"], role_id=role["role_id"])
    return f"Removed role {role['name']} from user {member['name']}"


def create_text_channel(
    ep: Episode,
    *,
    server_id: str,
    name: str,
    category_id: str | None = None,
    topic: str | None = None,
) -> Result:
    """Make a text channel. A fetched server knows no channels, so that the category is never found.

    Raises:
        HttpFailed: the bot is in no such server, or a text is too long.
    """
    row = lookup.guild(ep, server_id)
    if category_id is not None:
        lookup.number(category_id)
    if not 1 <= len(name) <= 100:
        raise lookup.invalid_form("name", "Must be between 1 and 100 in length.")
    if topic is not None and len(topic) > 1024:
        raise lookup.invalid_form("topic", "Must be 1024 or fewer in length.")
    channel_id = lookup.new_snowflake(ep)
    shown = "-".join(name.lower().split())
    ep.db.insert(
        "channels",
        channel_id=channel_id,
        guild_id=row["guild_id"],
        kind="text",
        name=shown,
        topic=topic,
        parent_id=None,
    )
    return f"Created text channel #{shown} (ID: {channel_id})"


def delete_channel(ep: Episode, *, channel_id: str, reason: str | None = None) -> Result:
    """Delete a channel with its threads and messages.

    Raises:
        HttpFailed: the channel is unknown, or may not be deleted.
    """
    row = lookup.channel(ep, channel_id)
    if row["kind"] == "thread":
        raise lookup.missing_permissions()
    if row["is_required"]:
        raise lookup.http("400 Bad Request", 50074, "Cannot delete a channel required for community servers")
    for child in ep.db.all("SELECT * FROM channels WHERE parent_id = ?", row["channel_id"]):
        if child["kind"] == "thread":
            ep.db.delete("messages", channel_id=child["channel_id"])
            ep.db.delete("channels", channel_id=child["channel_id"])
        else:
            ep.db.update("channels", {"channel_id": child["channel_id"]}, parent_id=None)
    ep.db.delete("messages", channel_id=row["channel_id"])
    ep.db.delete("channels", channel_id=row["channel_id"])
    return "Deleted channel successfully"


def get_user_info(ep: Episode, *, user_id: str) -> Result:
    """Tell details of a user.

    Raises:
        HttpFailed: no user has this id.
    """
    row = lookup.user(ep, user_id)
    return (
        "User information:\n"
        f"Name: {row['name']}#{row['discriminator']}\n"
        f"ID: {row['user_id']}\n"
        f"Bot: {bool(row['is_bot'])}\n"
        f"Created: {lookup.created_at(row['user_id'])}"
    )


def _member_and_role(ep: Episode, server_id: str, user_id: str, role_id: str) -> tuple[dict, dict]:
    guild = lookup.guild(ep, server_id)
    member = lookup.member(ep, guild["guild_id"], user_id)
    wanted = str(lookup.number(role_id))
    role = ep.db.one("SELECT * FROM roles WHERE role_id = ? AND guild_id = ?", wanted, guild["guild_id"])
    if role is None:
        raise errors.PythonFailed("'NoneType' object has no attribute 'id'")
    if role["position"] == 0:
        raise lookup.not_found(10011, "Unknown Role")
    top = ep.db.scalar(
        "SELECT MAX(r.position) FROM member_roles m JOIN roles r ON r.role_id = m.role_id WHERE m.user_id = ?",
        lookup.BOT_ID,
    )
    if role["position"] >= (top or 0):
        raise lookup.missing_permissions()
    return member, role
