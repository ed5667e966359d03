"""Users, members of a server or not."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result

from . import access, arguments, errors, snowflakes
from .arguments import ABSENT


def get_user_info(ep: Episode, *, user_id: Any = ABSENT) -> Result:
    """Return anybody's name and when the account was made.

    Raises:
        ClientNotReady: as ``access.require_bot``.
        KeyMissing, PythonError, InvalidFormBody: nobody is named, or not by an id.
        UnknownUser: there is nobody of this id.

    Source: https://discord.com/developers/docs/resources/user#get-user
    """
    access.require_bot(ep)
    wanted = arguments.snowflake("user_id", arguments.to_int("user_id", user_id))
    user = ep.db.one("SELECT * FROM users WHERE user_id = ?", wanted)
    if user is None:
        raise errors.UnknownUser
    return "\n".join(
        (
            "User information:",
            f"Name: {user['name']}#{user['discriminator']}",
            f"ID: {wanted}",
            f"Bot: {bool(user['is_bot'])}",
            f"Created: {snowflakes.made_at(wanted)}",
        )
    )


def format_user(name: str, discriminator: str) -> str:
    """Return a user as discord.py prints one: with the discriminator where there is one."""
    return name if discriminator == "0" else f"{name}#{discriminator}"
