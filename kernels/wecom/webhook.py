"""The robot's webhook: the key that opens it, the address the server posts to, and how often it may speak."""

from __future__ import annotations

from farm.appkit import Episode, Row, Value

from . import errors

SEND, UPLOAD = "send", "upload_media"

_ROBOT = """
SELECT r.webhook_key, s.posts_to
FROM servers s JOIN robots r ON r.webhook_key = s.webhook_key WHERE s.userid = ?
"""
_MESSAGES_A_MINUTE_MAX = 20
_MINUTE_MS = 60_000


def turn_to(ep: Episode, address: str) -> None:
    """Turn the server to one of the two addresses, where it stays.

    All tools share one address. ``upload_file`` turns it away and every sender but ``send_text`` turns it back, before
    anything can be refused; so a text behind an upload goes where only files are taken.
    """
    ep.db.execute("UPDATE servers SET posts_to = ? WHERE userid = ? AND posts_to <> ?", address, ep.me, address)


def require_robot(ep: Episode) -> Row:
    """Return the robot whose key the server of the account's owner holds.

    Raises:
        InvalidWebhookUrl: the key is no robot's, or no longer, or the account's owner has no server.
    """
    robot = ep.db.one(_ROBOT, ep.me)
    if robot is None:
        raise errors.InvalidWebhookUrl(ep)
    return robot


def require_sender(ep: Episode) -> str:
    """Return the key of the robot if it may send a message now.

    Raises:
        InvalidWebhookUrl: as ``require_robot``.
        InvalidMediaType: the server is still turned to the address for uploads.
        ApiFreqOutOfLimit: twenty messages within the last minute.
    """
    robot = require_robot(ep)
    if robot["posts_to"] == UPLOAD:
        raise errors.InvalidMediaType(ep)
    key, minute_ago_ms = str(robot["webhook_key"]), ep.now_ms - _MINUTE_MS
    sent = ep.db.scalar("SELECT count(*) FROM messages WHERE webhook_key = ? AND sent_ms > ?", key, minute_ago_ms)
    if sent >= _MESSAGES_A_MINUTE_MAX:
        raise errors.ApiFreqOutOfLimit(ep)
    return key


def deliver(ep: Episode, webhook_key: str, msgtype: str, **said: Value) -> None:
    """Put a message of the robot into its group chat."""
    seq = ep.next_number("messages", "seq", webhook_key=webhook_key)
    ep.db.insert("messages", webhook_key=webhook_key, seq=seq, msgtype=msgtype, sent_ms=ep.now_ms, **said)
