"""Details of a server."""

from farm.appkit import Episode, Result, VendorError

from . import context


class GetServerInfoRefused(VendorError):
    """{message}"""

    code = "get_server_info_refused"


def get_server_info(ep: Episode, *, server_id: str) -> Result:
    """Tell a server's details; a fetched server does not know its number of members.

    Raises:
        GetServerInfoRefused: the id is no number or no server's.
    """
    guild, refusal = context.fetch_guild(ep, server_id)
    if refusal:
        raise GetServerInfoRefused(message=refusal)
    lines = [
        "Server Information:",
        f"name: {guild['name']}",
        f"id: {guild['guild_id']}",
        f"owner_id: {guild['owner_id']}",
        "member_count: None",
        f"created_at: {context.created_at(guild['guild_id'])}",
        f"description: {guild['description']}",
        f"premium_tier: {guild['premium_tier']}",
        f"explicit_content_filter: {guild['explicit_content_filter']}",
    ]
    return "\n".join(lines)
