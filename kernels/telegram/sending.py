"""Sending: new messages, answers, and what is forwarded."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row, Value

from . import texts
from .errors import Refused, ToolMessage
from .ids import Id, addressed, require_account
from .messages import SENDING, find, media_kind, post_message, require_message, require_number
from .peers import Peer, find_chat_id, marked, may, require, require_may_send, require_readable, role

# How far from one file of an album the server looks for the others.
_ALBUM_REACH = 9


def place(ep: Episode, peer: Peer, answered: int | None) -> dict[str, Value]:
    """Return where a message goes that answers another: into its topic; answering a topic's beginning only does that.

    Raises:
        Refused: the message is not there, or its topic is closed.
    """
    if not answered:
        return {}
    columns: dict[str, Value] = {}
    is_forum = peer.kind == "supergroup" and peer.row["is_forum"]
    topic = None
    if is_forum and _find_topic(ep, peer, answered):
        topic = answered
    else:
        found = find(ep, find_chat_id(ep, peer), answered)
        if found is None and not (is_forum and answered == 1):
            raise Refused("REPLY_MESSAGE_ID_INVALID")
        if found is not None:
            topic, columns = found["topic_id"], {"reply_to": answered}
    known = topic and _find_topic(ep, peer, topic)
    is_plain = role(ep, peer.id) == "member" or not may(ep, peer, "manage_topics")
    if known and known["is_closed"] and is_plain:
        raise Refused("TOPIC_CLOSED")
    # What stands in no topic stands in the general one.
    return columns | ({"topic_id": topic} if topic and topic != 1 else {})


def _find_topic(ep: Episode, peer: Peer, topic_id: int) -> Row | None:
    require_number(topic_id)
    return ep.db.one("SELECT * FROM topics WHERE chat_id = ? AND topic_id = ?", peer.id, topic_id)


@addressed("chat_id")
def send_message(ep: Episode, *, chat_id: Id, message: str, parse_mode: str | None = None) -> Result:
    """Send a text as it is, or with Markdown or HTML read as formats; rich formats want Premium."""
    peer = require(ep, chat_id)
    texts.refuse_rich(parse_mode, "send_message")
    plain = texts.require_text(message, parse_mode=parse_mode)
    require_may_send(ep, peer)
    post_message(ep, peer, plain, html=texts.marked(message, parse_mode))
    return "Message sent successfully."


@addressed("chat_id")
def reply_to_message(ep: Episode, *, chat_id: Id, message_id: int, text: str, parse_mode: str | None = None) -> Result:
    """Send a text as the answer to a message of the same chat, or into the topic that the message begins."""
    peer = require(ep, chat_id)
    texts.refuse_rich(parse_mode, "send_message")
    plain = texts.require_text(text, parse_mode=parse_mode)
    require_may_send(ep, peer)
    require_number(message_id)
    post_message(ep, peer, plain, html=texts.marked(text, parse_mode), **place(ep, peer, message_id))
    return f"Replied to message {message_id} in chat {chat_id}."


@addressed("from_chat_id", "to_chat_id")
def forward_message(
    ep: Episode, *, from_chat_id: Id, message_id: int | list[int], to_chat_id: Id, expand_album: bool = True
) -> Result:
    """Send copies of messages on, with the names of who said them first; of an album all files go together."""
    source, target = require(ep, from_chat_id), require(ep, to_chat_id)
    chat = require_readable(ep, source)
    if isinstance(message_id, list):
        _forward(ep, source, chat, message_id, target)
        if len(message_id) != 1:
            return f"{len(message_id)} messages forwarded from {from_chat_id} to {to_chat_id}."
    else:
        album = _album(ep, chat, message_id) if expand_album else []
        if len(album) > 1:
            _forward(ep, source, chat, album, target)
            return (
                f"Album of {len(album)} messages forwarded from {from_chat_id} to {to_chat_id} "
                f"(auto-expanded from message {message_id})."
            )
        _forward(ep, source, chat, [message_id], target)
    return f"Message {message_id} forwarded from {from_chat_id} to {to_chat_id}."


@addressed("from_chat_id", "to_chat_id")
def forward_messages(
    ep: Episode, *, from_chat_id: Id, message_ids: list[int], to_chat_id: Id, account: str | None = None
) -> Result:
    """Send copies of several messages on."""
    if not message_ids:
        raise ToolMessage("Error: message_ids must contain at least one id.")
    require_account(account)
    source, target = require(ep, from_chat_id), require(ep, to_chat_id)
    _forward(ep, source, require_readable(ep, source), message_ids, target)
    return f"{len(message_ids)} messages forwarded from {from_chat_id} to {to_chat_id}."


def _album(ep: Episode, chat: int | None, message_id: int) -> list[int]:
    anchor = find(ep, chat, message_id)
    if anchor is None or anchor["album_id"] is None:
        return []
    found = ep.db.all(
        "SELECT message_id FROM messages WHERE chat_id = ? AND album_id = ? AND is_deleted = 0 "
        "AND message_id BETWEEN ? AND ? ORDER BY message_id",
        chat,
        anchor["album_id"],
        message_id - _ALBUM_REACH,
        message_id + _ALBUM_REACH,
    )
    return [row["message_id"] for row in found]


def _forward(ep: Episode, source: Peer, chat: int | None, message_ids: list[int], target: Peer) -> None:
    found = [require_message(ep, chat, each) for each in message_ids]
    if not source.is_user and source.row["is_guarded"]:
        raise Refused("CHAT_FORWARDS_RESTRICTED")
    albums: dict[int, int] = {}
    for row in found:
        kind = media_kind(ep, row)
        require_may_send(ep, target, SENDING.get(kind, "send_media") if kind else "send_messages")
        author = marked("channel", source.id) if row["sender_id"] is None else row["sender_id"]
        columns: dict[str, Value] = {
            "media_id": row["media_id"],
            "forwarded_from": row["forwarded_from"] or author,
            "forwarded_s": row["forwarded_s"] or row["sent_s"],
            "forwarded_post": row["forwarded_post"] or (row["message_id"] if row["sender_id"] is None else None),
        }
        if (album := row["album_id"]) is not None:
            columns["album_id"] = albums.setdefault(album, int(ep.new_id("album")))
        post_message(ep, target, row["text"], **columns)
