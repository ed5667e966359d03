"""The members of a server."""

from farm.appkit import Episode, Result, VendorError

from . import context


class ListMembersRefused(VendorError):
    """{message}"""

    code = "list_members_refused"


def list_members(ep: Episode, *, server_id: str, limit: float | None = None) -> Result:
    """List members with their roles, the newest accounts of those fetched first.

    Raises:
        ListMembersRefused: the id is no number or no server's.
    """
    guild, refusal = context.fetch_guild(ep, server_id)
    if refusal:
        raise ListMembersRefused(message=refusal)
    members = context.first_members(ep, guild, min(100 if limit is None else int(limit), 1000))
    lines = [f"Server Members ({len(members)}):"]
    for member in members:
        roles = ", ".join(role["role_id"] for role in context.roles_of(ep, member))
        lines.append(f"{member['name']} (ID: {member['user_id']}, Roles: {roles})")
    if not members:
        lines.append("")
    return "\n".join(lines)
