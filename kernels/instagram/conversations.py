"""Conversations of the account with one other person each."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row

from . import errors, pagination
from .accounts import connected, require_own, time_text

_MESSAGES_MAX = 25
_LIST = """
SELECT * FROM (
    SELECT conversation_id, (SELECT max(created_ms) FROM messages m WHERE m.conversation_id = c.conversation_id)
           AS updated_ms
    FROM conversations c WHERE ig_user_id = :owner)
WHERE updated_ms IS NOT NULL
"""
_MESSAGES = """
SELECT messages.*, users.user_id AS other_id, users.username AS other FROM messages
JOIN conversations USING (conversation_id) JOIN users ON users.user_id = conversations.user_id
WHERE conversation_id = :conversation
"""
MESSAGE_FIELDS = "id,created_time,from,to,message"


def list_conversations(
    ep: Episode,
    *,
    ig_user_id: str | None = None,
    limit: int = 25,
    after: str | None = None,
    graph_api_version: str = "v21.0",
) -> Result:
    """Return the account's conversations, the one with the latest message first; not with whom they are.

    Reads all conversations: their order is that of their latest messages, of which one is looked up in each.

    Raises:
        NoToken, UnsupportedGet: as ``require_own``.
        InvalidParameter, InvalidCursor: as ``pagination.fetch_page``.

    Source: https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/conversations-api
    """
    account = require_own(ep, ig_user_id)
    page = pagination.fetch_page(
        ep, _LIST, "conversation_id", at="updated_ms", limit=limit, after=after, owner=account["ig_user_id"]
    )
    found = [{"id": row["conversation_id"], "updated_time": time_text(row["updated_ms"])} for row in page.rows]
    return page.listed(found, f"{account['ig_user_id']}/conversations", graph_api_version, "id,updated_time")


def get_conversation(ep: Episode, *, conversation_id: str, graph_api_version: str = "v21.0") -> Result:
    """Return a conversation with both its people and its latest messages.

    Raises:
        NoToken, UnsupportedGet: as ``require_conversation``.

    Source: https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/conversations-api
    """
    account, conversation = require_conversation(ep, conversation_id)
    page = messages_of(ep, conversation, limit=_MESSAGES_MAX, after=None)
    latest: dict[str, Any] = {"data": [message(row, account) for row in page.rows]}
    beside = page.paging(f"{conversation_id}/messages", graph_api_version, MESSAGE_FIELDS)
    return {
        "id": conversation_id,
        "updated_time": time_text(conversation["updated_ms"]),
        "participants": {
            "data": [_person(account), {"id": conversation["user_id"], "username": conversation["username"]}]
        },
        "messages": latest | ({"paging": beside} if "next" in beside else {}),
    }


def require_conversation(ep: Episode, conversation_id: str) -> tuple[Row, Row]:
    """Return the connected account and a conversation of it.

    Raises:
        NoToken: nothing is connected.
        UnsupportedGet: it is somebody else's, or there is none.
    """
    account = connected(ep)
    conversation = ep.db.one(
        "SELECT conversations.*, users.username, (SELECT max(created_ms) FROM messages"
        " WHERE messages.conversation_id = conversations.conversation_id) AS updated_ms"
        " FROM conversations JOIN users USING (user_id)"
        " WHERE conversation_id = ? AND ig_user_id = ?",
        conversation_id,
        account["ig_user_id"],
    )
    if conversation is None or conversation["updated_ms"] is None:
        raise errors.UnsupportedGet(ep, id=conversation_id)
    return account, conversation


def messages_of(ep: Episode, conversation: Row, *, limit: int, after: str | None) -> pagination.Page:
    """Return a page of a conversation's messages, newest first, each with who the other person is.

    Raises:
        InvalidParameter, InvalidCursor: as ``pagination.fetch_page``.
    """
    key = conversation["conversation_id"]
    return pagination.fetch_page(ep, _MESSAGES, "message_id", limit=limit, after=after, conversation=key)


def message(row: Row, account: Row) -> dict[str, Any]:
    """Return a message as lists show it; of one that is only a picture nothing is seen but that it was sent."""
    mine, theirs = _person(account), {"id": row["other_id"], "username": row["other"]}
    sender, receiver = (mine, theirs) if row["from_id"] == mine["id"] else (theirs, mine)
    told = {"id": row["message_id"], "created_time": time_text(row["created_ms"]), "from": sender}
    return told | {"to": {"data": [receiver]}, "message": row["text"]}


def _person(account: Row) -> dict[str, str]:
    return {"id": account["ig_user_id"], "username": account["username"]}
