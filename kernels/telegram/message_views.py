"""Messages as the tools show them: a line each, or JSON with all that the API tells."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from farm.appkit import Episode, Row, parse_json

from . import texts
from .peers import bare, full_name, marked, me
from .sanitize import clean_name, clean_text

_QUIET = {"photo": "photo", "voice": "voice", "video": "video", "gif": "video", "audio": "audio", "poll": "poll",
          "contact": "contact"}  # fmt: skip
# What Telegram calls what happened.
ACTIONS = {
    "title": "MessageActionChatEditTitle",
    "photo": "MessageActionChatEditPhoto",
    "pin": "MessageActionPinMessage",
    "join": "MessageActionChatAddUser",
    "invite": "MessageActionChatAddUser",
    "leave": "MessageActionChatDeleteUser",
    "topic": "MessageActionTopicCreate",
    "clear": "MessageActionHistoryClear",
}


def results(records: Iterable[Any], **beside: Any) -> str:
    """Return records as the server's JSON."""
    return json.dumps({"results": list(records), **beside}, ensure_ascii=False)


def one_result(record: Mapping[str, Any]) -> str:
    """Return a record where the server's JSON has a list of them elsewhere."""
    return json.dumps({"results": record}, ensure_ascii=False)


def action_name(row: Row) -> str:
    """Return what Telegram calls a service message."""
    if row["action"] == "create":
        return "MessageActionChatCreate" if row["chat_kind"] == "group" else "MessageActionChannelCreate"
    return ACTIONS.get(row["action"], "MessageActionCustomAction")


def sender(row: Row) -> str:
    """Return who sent a message: a full name, or the channel's title."""
    name = row["title"] if row["sender_id"] is None else full_name(row)
    return clean_name(name) if name else "Unknown"


def sender_id(row: Row) -> int:
    """Return the marked id of who sent a message."""
    return marked("channel", row["chat_id"]) if row["sender_id"] is None else int(row["sender_id"])


def sender_username(row: Row) -> str | None:
    """Return the username of who sent a message, if there is one."""
    name = row["chat_username"] if row["sender_id"] is None else row["username"]
    return clean_name(name) if name else None


def sender_info(row: Row) -> str:
    """Return name, username and id of who sent a message."""
    username = sender_username(row)
    return f"{sender(row)}{f' (@{username})' if username else ''} [id={sender_id(row)}]"


def named_sender(row: Row) -> dict[str, Any]:
    """Return id and username of who sent a message, as far as there are any."""
    username = sender_username(row)
    return {"sender_id": sender_id(row)} | ({"username": username} if username else {})


def said(row: Row, length_max: int = 4096) -> str:
    """Return a message's words; a placeholder stands where there are none."""
    return clean_text(row["text"], length_max)


def reply_id(row: Row) -> int | None:
    """Return the message that another answers; what stands in a topic answers its beginning."""
    return row["reply_to"] or row["topic_id"] or None


def summary(row: Row, *, album: bool = True, engaged: bool = True) -> dict[str, Any]:
    """Return a message as the lists show one."""
    told = {
        "id": row["message_id"],
        "sender": sender_info(row),
        "date": texts.iso(row["sent_s"]),
        "text": said(row),
    }
    if album and row["album_id"] is not None:
        told["grouped_id"] = row["album_id"]
    if reply := reply_id(row):
        told["reply_to"] = reply
    if engaged and row["reactions"]:
        told["engagement"] = {"reactions": row["reactions"]}
    return told


def _media_label(row: Row) -> str:
    kind = row["media_kind"]
    if not kind:
        return ""
    if kind == "sticker":
        return f"sticker {row['emoji'] or ''}".strip()
    if kind == "document":
        return f"document: {row['file_name']}" if row["file_name"] else "document"
    return _QUIET[kind]


def _button_texts(row: Row) -> list[str]:
    return [each["text"] for line in parse_json(row["buttons"] or "[]") for each in line if each["text"]]


def line(row: Row) -> str:
    """Return a message on one line."""
    parts = [f"ID: {row['message_id']}", sender_info(row), f"Date: {texts.printed(row['sent_s'])}"]
    if reply := reply_id(row):
        parts.append(f"reply to {reply}")
    label, buttons = _media_label(row), _button_texts(row)
    flags = [f"📎 {label}"] if label else []
    flags += [f"album:{row['album_id']}"] if row["album_id"] else []
    flags += ["forwarded"] if row["forwarded_from"] else []
    flags += ["edited"] if row["edited_s"] else []
    flags += ["pinned"] if row["is_pinned"] else []
    flags += [f"buttons:{len(buttons)}"] if buttons else []
    flags += [f"service:{action_name(row)}"] if row["text"] is None else []
    parts += [", ".join(flags)] if flags else []
    parts += [f"reactions:{row['reactions']}"] if row["reactions"] else []
    words = said(row).replace("\n", "\\n")
    return f"{' | '.join(parts)} | Message: {words}"


def record(ep: Episode, row: Row) -> dict[str, Any]:
    """Return all that is known of a message, without what is not there."""
    told = {"id": row["message_id"], "sender": sender(row), "date": texts.iso(row["sent_s"]), **named_sender(row)}
    more: dict[str, Any] = {
        "out": me(ep) in (row["sender_id"], row["author_id"]),
        "text": row["text"] and said(row),
        "media": _media_label(row),
        "grouped_id": row["album_id"],
        "reply_to": reply_id(row),
        "forwarded": _origin(ep, row) if row["forwarded_from"] else None,
        "edited": row["edited_s"] and texts.iso(row["edited_s"]),
        "pinned": bool(row["is_pinned"]),
        "engagement": {"reactions": row["reactions"]} if row["reactions"] else None,
        "buttons": _button_texts(row),
        "action": action_name(row) if row["text"] is None else None,
    }
    return told | {key: value for key, value in more.items() if value}


def _origin(ep: Episode, row: Row) -> dict[str, Any]:
    """Return whose message it was first."""
    told: dict[str, Any] = {"date": texts.iso(row["forwarded_s"])} if row["forwarded_s"] else {}
    peer_id = row["forwarded_from"]
    if peer_id > 0:
        user = ep.db.one(
            "SELECT coalesce(k.first_name, u.first_name) AS first_name, "
            "CASE WHEN k.user_id IS NULL THEN u.last_name ELSE k.last_name END AS last_name FROM users u "
            "LEFT JOIN contacts k ON k.owner_id = ? AND k.user_id = u.user_id WHERE u.user_id = ?",
            me(ep),
            peer_id,
        )
        return told | ({"from_user": clean_name(full_name(user))} if user else {})
    chat = ep.db.one("SELECT title, username FROM chats WHERE chat_id = ?", bare(peer_id)) or {}
    told |= {"from_chat": clean_name(chat["title"])} if chat.get("title") else {}
    told |= {"from_username": chat["username"]} if chat.get("username") else {}
    told["from_chat_id"] = peer_id
    if post := row["forwarded_post"]:
        told["channel_post"] = post
        where = chat.get("username") or f"c/{abs(peer_id) % 10**10}"
        told["post_link"] = f"https://t.me/{where}/{post}"
    return told
