"""Giving a role to a member."""

from farm.appkit import Episode, Result, VendorError

from . import context


class AddRoleRefused(VendorError):
    """{message}"""

    code = "add_role_refused"


def add_role(ep: Episode, *, server_id: str, user_id: str, role_id: str) -> Result:
    """Add a role to a member of a server.

    Raises:
        AddRoleRefused: server, member or role are not found, or the role is too high.
    """
    guild, refusal = context.fetch_guild(ep, server_id)
    if refusal:
        raise AddRoleRefused(message=refusal)
    member, refusal = context.fetch_member(ep, guild, user_id)
    if refusal:
        raise AddRoleRefused(message=refusal)
    role, refusal = context.get_role(ep, guild, role_id)
    if refusal:
        raise AddRoleRefused(message=refusal)
    refusal = context.give_role(ep, guild, member, role)
    if refusal:
        raise AddRoleRefused(message=refusal)
    return f"Added role {role['name']} to user {member['name']}"
