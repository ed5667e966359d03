"""Users: the people of the workspace and the integrations connected to it."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row

from . import errors
from .access import integration
from .json_columns import row_of
from .mcp_validation import require
from .pagination import page_of, shorten
from .request_validation import page_size, path_id, url_path

Body = dict[str, Any]


def user_view(ep: Episode, user: Row) -> Body:
    """Return a user as the API shows one; another integration says nothing of itself."""
    head = {"object": "user", "id": user["id"], "name": user["name"], "avatar_url": user["avatar_url"]}
    if user["type"] == "person":
        # Seen since July 2026, of every address.
        person = {"email": user["email"], "email_verified": True} if user["email"] else {}
        return {**head, "type": "person", "person": person}
    if not user["is_self"]:
        return {**head, "type": "bot", "bot": {}}
    workspace = row_of(ep, "workspaces", user["workspace_id"])
    bot = {
        "owner": {"type": "workspace", "workspace": True},
        "workspace_name": workspace["name"],
        "workspace_id": workspace["id"],
        "workspace_limits": {"max_file_upload_size_in_bytes": 5_242_880},
    }
    return {**head, "type": "bot", "bot": bot}


def user_of(ep: Episode, user_id: str) -> Body:
    """Return a user as a property shows one: whole where it is known."""
    user = ep.db.one("SELECT * FROM users WHERE id = ?", user_id)
    return {"object": "user", "id": user_id} if user is None else user_view(ep, user)


def partial(user_id: str) -> Body:
    """Return a user as whoever made or changed something is shown."""
    return {"object": "user", "id": user_id}


def list_users(ep: Episode, start_cursor: Any, size: Any) -> Body:
    """Return a page of the workspace's users."""
    bot = integration(ep)
    most = page_size(size, "query")
    rows = ep.db.all(
        "SELECT * FROM users WHERE workspace_id = ? ORDER BY type DESC, is_self, name, id", bot["workspace_id"]
    )
    there, listed = page_of(ep, rows, [row["id"] for row in rows], cursor=start_cursor, size=most, kind="user")
    return {**listed, "results": [user_view(ep, row) for row in there]}


def find_user(ep: Episode, user_id: Any) -> Body:
    """Return one user of the workspace; ``me`` is the own integration, and ``../users`` leads to all users.

    Raises:
        UserNotFound: there is none of this id.
    """
    path = url_path("users", user_id)
    if path == ["v1", "users"]:
        return list_users(ep, None, None)
    bot = integration(ep)
    key = bot["id"] if path == ["v1", "users", "me"] else path_id("user_id", user_id)
    user = ep.db.one("SELECT * FROM users WHERE id = ? AND workspace_id = ?", key, bot["workspace_id"])
    if user is None:
        raise errors.UserNotFound(id=key)
    return {**user_view(ep, user), "request_id": ep.new_id("request")}


def list_all_users(
    ep: Episode, *, start_cursor: str | None = None, page_size: float | None = None, response_mode: str | None = None
) -> Result:
    """List the people and integrations of the workspace: people first, the own integration last."""
    return shorten(list_users(ep, start_cursor, page_size), response_mode)


def retrieve_user(ep: Episode, *, user_id: str) -> Result:
    """Return a user."""
    require(user_id=user_id)
    return find_user(ep, user_id)


def retrieve_bot_user(ep: Episode) -> Result:
    """Return the integration whose token the server holds."""
    return {**user_view(ep, integration(ep)), "request_id": ep.new_id("request")}
