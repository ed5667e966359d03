"""Servers, which Discord's API calls guilds."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result

from . import access, snowflakes
from .arguments import ABSENT


def get_server_info(ep: Episode, *, server_id: Any = ABSENT) -> Result:
    """Return what a server is called, whose it is and how it is set.

    How many members it has is never known: a server that is asked for does not say it.

    Raises:
        ClientNotReady, KeyMissing, PythonError, InvalidFormBody, UnknownGuild: as ``access.require_guild``.

    Source: https://discord.com/developers/docs/resources/guild#get-guild
    """
    guild = access.require_guild(ep, access.require_bot(ep), server_id)
    told = {
        "name": guild["name"],
        "id": guild["guild_id"],
        "owner_id": guild["owner_id"],
        "member_count": None,
        "created_at": snowflakes.made_at(guild["guild_id"]),
        "description": guild["description"],
        "premium_tier": guild["premium_tier"],
        "explicit_content_filter": guild["explicit_content_filter"],
    }
    return "\n".join(["Server Information:", *(f"{key}: {value}" for key, value in told.items())])
