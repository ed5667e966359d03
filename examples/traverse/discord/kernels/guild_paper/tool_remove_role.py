"""Taking a role from a member."""

from farm.appkit import Episode, Result, VendorError

from . import context


class RemoveRoleRefused(VendorError):
    """{message}"""

    code = "remove_role_refused"


def remove_role(ep: Episode, *, server_id: str, user_id: str, role_id: str) -> Result:
    """Remove a role from a member of a server.

    Raises:
        RemoveRoleRefused: server, member or role are not found, or the role is too high.
    """
    guild, refusal = context.fetch_guild(ep, server_id)
    if refusal:
        raise RemoveRoleRefused(message=refusal)
    member, refusal = context.fetch_member(ep, guild, user_id)
    if refusal:
        raise RemoveRoleRefused(message=refusal)
    role, refusal = context.get_role(ep, guild, role_id)
    if refusal:
        raise RemoveRoleRefused(message=refusal)
    refusal = context.take_role(ep, guild, member, role)
    if refusal:
        raise RemoveRoleRefused(message=refusal)
    return f"Removed role {role['name']} from user {member['name']}"
