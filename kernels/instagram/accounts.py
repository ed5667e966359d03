"""Accounts: whose the toolkit acts as, and what it says of itself."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.times import local

from . import errors

_MINE = ("", "me")


def connected(ep: Episode) -> Row:
    """Return the account that the caller has connected.

    Raises:
        NoToken: there is none.
    """
    account = ep.db.one(
        "SELECT accounts.*, users.username, users.name FROM connections JOIN accounts USING (ig_user_id)"
        " JOIN users ON users.user_id = accounts.ig_user_id WHERE connections.user_id = ?",
        ep.me,
    )
    if account is None:
        raise errors.NoToken(ep)
    return account


def require_own(ep: Episode, ig_user_id: str | None, refusal: type[errors.GraphError] = errors.UnsupportedGet) -> Row:
    """Return the connected account if that is the one meant: by its id, ``me`` or nothing.

    Raises:
        NoToken: nothing is connected.
        UnsupportedGet, UnsupportedPost: another one is meant.
    """
    account = connected(ep)
    if ig_user_id is not None and ig_user_id not in (*_MINE, account["ig_user_id"]):
        raise refusal(ep, id=ig_user_id)
    return account


def get_account(ep: Episode, *, ig_user_id: str | None = None, graph_api_version: str = "") -> Result:
    """Return what the connected account says of itself.

    Reads all media: the account's own are counted.

    Not simulated: profiles of others, which the API gives without their counts.

    Raises:
        NoToken, UnsupportedGet: as ``require_own``.

    Source: https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user
    """
    account = require_own(ep, ig_user_id)
    shown = ("name", "account_type", "biography", "website", "profile_picture_url", "followers_count", "follows_count")
    media_count = ep.db.scalar(
        "SELECT count(*) FROM media WHERE ig_user_id = ? AND product_type <> 'STORY'", account["ig_user_id"]
    )
    told = {"id": account["ig_user_id"], "username": account["username"], **{key: account[key] for key in shown}}
    # What was never filled in is absent.
    return {key: value for key, value in told.items() if value != ""} | {"media_count": media_count}


def time_text(at_ms: int) -> str:
    """Return a time as the API writes it."""
    return f"{local(at_ms):%Y-%m-%dT%H:%M:%S+0000}"
