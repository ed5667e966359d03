"""Messages: what was said in a conversation, and what the account may say within a day of the other's last word."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row

from . import errors, files
from .accounts import connected, require_own
from .conversations import MESSAGE_FIELDS, message, messages_of, require_conversation

_TEXT_BYTES_MAX = 1000
_IMAGE_BYTES_MAX = 8 * 1024 * 1024
_WINDOW_MS = 86_400_000


def list_messages(
    ep: Episode,
    *,
    conversation_id: str,
    limit: int = 25,
    after: str | None = None,
    graph_api_version: str = "v21.0",
) -> Result:
    """Return what was said in a conversation, newest first.

    Raises:
        NoToken, UnsupportedGet: as ``conversations.require_conversation``.
        InvalidParameter, InvalidCursor: as ``pagination.fetch_page``.

    Source: https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/conversations-api
    """
    account, conversation = require_conversation(ep, conversation_id)
    page = messages_of(ep, conversation, limit=limit, after=after)
    said = [message(row, account) for row in page.rows]
    return page.listed(said, f"{conversation_id}/messages", graph_api_version, MESSAGE_FIELDS)


def send_text(
    ep: Episode,
    *,
    recipient_id: str,
    text: str,
    ig_user_id: str | None = None,
    reply_to_message_id: str | None = None,
    graph_api_version: str = "",
) -> Result:
    """Send a text to somebody who wrote within the last 24 hours.

    Args:
        recipient_id: the person's id as conversations and messages show it, never a username.
        text: up to 1000 bytes of UTF-8.
        reply_to_message_id: a message of the same conversation.

    Raises:
        NoToken, UnsupportedPost: as ``require_own``.
        NoSuchUser, OutsideWindow: as ``require_open``.
        InvalidParameter: nothing is said, or too much.
        InvalidMessageId: what is answered is not in this conversation.

    Source: https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/messaging-api
    """
    account = require_own(ep, ig_user_id, errors.UnsupportedPost)
    if not text:
        raise errors.InvalidParameter(ep, problem="param message must be non-empty.")
    _require_short(ep, text)
    conversation = require_open(ep, account, recipient_id)
    if reply_to_message_id:
        answered = "SELECT 1 FROM messages WHERE message_id = ? AND conversation_id = ?"
        if ep.db.scalar(answered, reply_to_message_id, conversation["conversation_id"]) is None:
            raise errors.InvalidMessageId(ep)
    message_id = _send(ep, conversation, text=text, reply_to_id=reply_to_message_id or None)
    return {"recipient_id": recipient_id, "message_id": message_id}


def send_image(
    ep: Episode,
    *,
    recipient_id: str,
    image_url: str,
    caption: str | None = None,
    graph_api_version: str = "",
) -> Result:
    """Send a picture to somebody who wrote within the last 24 hours; a caption follows as a message of its own.

    Args:
        image_url: an address of the web; what it serves stands in table ``files``.

    Raises:
        NoToken: nothing is connected.
        NoSuchUser, OutsideWindow: as ``require_open``.
        InvalidParameter: the caption is too long.
        UploadFailed: no picture is there, or it is larger than 8 MB.

    Source: https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/messaging-api
    """
    account = connected(ep)
    _require_short(ep, caption or "")
    conversation = require_open(ep, account, recipient_id)
    image = files.find_image(ep, image_url)
    if image is None or image["size_bytes"] > _IMAGE_BYTES_MAX:
        raise errors.UploadFailed(ep)
    message_id = _send(ep, conversation, image_url=image_url)
    if caption:
        _send(ep, conversation, text=caption, later_ms=1)
    return {"recipient_id": recipient_id, "message_id": message_id}


def mark_seen(ep: Episode, *, recipient_id: str, graph_api_version: str = "") -> Result:
    """Show somebody that what they wrote was seen.

    Raises:
        NoToken: nothing is connected.
        NoSuchUser, OutsideWindow: as ``require_open``.

    Source: https://developers.facebook.com/docs/messenger-platform/instagram/features/sender-actions
    """
    conversation = require_open(ep, connected(ep), recipient_id)
    ep.db.update("conversations", {"conversation_id": conversation["conversation_id"]}, seen_ms=ep.now_ms)
    return {"recipient_id": recipient_id}


def require_open(ep: Episode, account: Row, user_id: str) -> Row:
    """Return the conversation with somebody who wrote within the last 24 hours.

    Raises:
        NoSuchUser: no id that the account knows anybody by.
        OutsideWindow: they never wrote, or longer ago.
    """
    known = ep.db.scalar("SELECT 1 FROM users WHERE user_id = ?", user_id)
    if known is None or user_id == account["ig_user_id"]:
        raise errors.NoSuchUser(ep)
    conversation = ep.db.one(
        "SELECT conversations.*, (SELECT max(created_ms) FROM messages WHERE from_id = user_id"
        " AND messages.conversation_id = conversations.conversation_id) AS last_ms FROM conversations"
        " WHERE ig_user_id = ? AND user_id = ?",
        account["ig_user_id"],
        user_id,
    )
    if conversation is None or conversation["last_ms"] is None or ep.now_ms - conversation["last_ms"] > _WINDOW_MS:
        raise errors.OutsideWindow(ep)
    return conversation


def _require_short(ep: Episode, text: str) -> None:
    if len(text.encode(errors="surrogatepass")) > _TEXT_BYTES_MAX:
        problem = f"Length of param message[text] must be less than or equal to {_TEXT_BYTES_MAX}"
        raise errors.InvalidParameter(ep, problem=problem)


def _send(ep: Episode, conversation: Row, *, later_ms: int = 0, **said: str | None) -> str:
    message_id, at_ms = ep.new_id("message"), ep.now_ms + later_ms
    ids = {"message_id": message_id, "conversation_id": conversation["conversation_id"]}
    ep.db.insert("messages", **ids, from_id=conversation["ig_user_id"], created_ms=at_ms, **said)
    return message_id
