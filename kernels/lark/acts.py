"""What people do in Lark, and what they notice of messages, invitations and tasks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Row, parse_json
from farm.appkit.acts import Acts, Place, Surroundings

from . import errors, messages, records, tasks

_CHAT = """
SELECT chat_id, name, chat_mode FROM chats c
WHERE name = ? AND EXISTS (SELECT 1 FROM chat_members m WHERE m.chat_id = c.chat_id AND m.open_id = ?)
ORDER BY chat_id LIMIT 1
"""


def _text(text: str) -> str:
    return json.dumps({"text": text}, ensure_ascii=False)


def reply(ep: Episode, row: Row, *, text: str) -> None:
    """Answer a message where it is; in a chat of two, just say it."""
    said = {"msg_type": "text", "content": _text(text)}
    if _around_chat(ep, row["chat_id"])["chat_mode"] == "p2p":
        messages.send_message(ep, data={**said, "receive_id": row["chat_id"]}, params={"receive_id_type": "chat_id"})
    else:
        messages.reply_message(ep, path={"message_id": row["message_id"]}, data=said)


def post(ep: Episode, row: Row, *, chat: str, text: str) -> None:
    """Write in a group by its name."""
    found = ep.db.one(_CHAT, chat, ep.me)
    if found is None:
        raise errors.SenderOutOfChat
    messages.send_message(
        ep,
        data={"receive_id": found["chat_id"], "msg_type": "text", "content": _text(text)},
        params={"receive_id_type": "chat_id"},
    )


def message(ep: Episode, row: Row, *, to: str, text: str) -> None:
    """Write to somebody, in the chat of the two."""
    messages.send_message(
        ep,
        data={"receive_id": to, "msg_type": "text", "content": _text(text)},
        params={"receive_id_type": "open_id"},
    )


def accept(ep: Episode, row: Row) -> None:
    """Accept an invitation to an event."""
    _answer(ep, row["event_id"], "accept")


def decline(ep: Episode, row: Row) -> None:
    """Decline an invitation to an event."""
    _answer(ep, row["event_id"], "decline")


def tentative(ep: Episode, row: Row) -> None:
    """Answer an invitation to an event with a maybe."""
    _answer(ep, row["event_id"], "tentative")


def _answer(ep: Episode, event_id: str, answer: str) -> None:
    """Set a person's own answer, as guests of their own or through a group."""
    status = ep.db.scalar("SELECT status FROM events WHERE event_id = ?", event_id)
    if status is None or status == "cancelled":
        raise errors.EventNotFound
    sql = "UPDATE {} SET rsvp_status = ? WHERE event_id = ? AND open_id = ? AND rsvp_status != 'removed'"
    changed = [ep.db.execute(sql.format(table), answer, event_id, ep.me) for table in ("attendees", "attendee_members")]
    if not any(changed):
        raise errors.EventNotFound


def complete(ep: Episode, row: Row) -> None:
    """Tick off a task, of which the row is, or of whose members."""
    guid = row.get("task_guid") or row["guid"]
    task = tasks.require_task(ep, guid, tasks.EDIT)
    ep.db.update("tasks", {"guid": task["guid"]}, completed_at=ep.now_ms, updated_at=ep.now_ms)


def fill(ep: Episode, row: Row, *, field: str, value: str) -> None:
    """Set a field of a base's record, such as an approval."""
    table = ep.db.one("SELECT app_token, table_id FROM base_tables WHERE table_id = ?", row["table_id"])
    assert table is not None, "a record is in a table"
    records.update_record(ep, path={**table, "record_id": row["record_id"]}, data={"fields": {field: value}})


def _around_chat(ep: Episode, chat_id: str) -> Row:
    found = ep.db.one("SELECT name, chat_mode FROM chats WHERE chat_id = ?", chat_id)
    return found or {"name": "", "chat_mode": ""}


def _around_message(ep: Episode, row: Row) -> Mapping[str, Any]:
    chat = _around_chat(ep, row["chat_id"])
    is_direct = chat["chat_mode"] == "p2p"
    sql = "SELECT open_id FROM chat_members WHERE chat_id = ? AND open_id IS NOT ? ORDER BY open_id"
    others = [each["open_id"] for each in ep.db.all(sql, row["chat_id"], row["sender_id"])] if is_direct else []
    named = [each.get("id", "") for each in parse_json(row["mentions"] or "[]")]
    answered = row["parent_id"] and ep.db.scalar(
        "SELECT sender_id FROM messages WHERE message_id = ?", row["parent_id"]
    )
    to = dict.fromkeys([*others, *named, *([answered] if answered else [])])
    return {"chat": "" if is_direct else chat["name"], "direct": is_direct, "to": list(to)}


def _around_attendee(ep: Episode, row: Row) -> Mapping[str, Any]:
    found = ep.db.one("SELECT summary, start_at, organizer_id FROM events WHERE event_id = ?", row["event_id"])
    return {"summary": "", "start_at": None, "organizer_id": None, **(found or {})}


def _around_task_member(ep: Episode, row: Row) -> Mapping[str, Any]:
    found = ep.db.one("SELECT summary, creator_id FROM tasks WHERE guid = ?", row["task_guid"])
    return {"summary": "", "creator_id": None, **(found or {})}


def _around_event(ep: Episode, row: Row) -> Mapping[str, Any]:
    sql = "SELECT open_id FROM attendees WHERE event_id = ? AND open_id IS NOT NULL AND rsvp_status != 'removed' "
    sql += "ORDER BY position"
    return {"guests": [each["open_id"] for each in ep.db.all(sql, row["event_id"])]}


def _around_record(ep: Episode, row: Row) -> Mapping[str, Any]:
    sql = "SELECT t.name, f.title FROM base_tables t JOIN files f ON f.token = t.app_token WHERE t.table_id = ?"
    found = ep.db.one(sql, row["table_id"])
    return {"table": found["name"] if found else "", "base": found["title"] if found else ""}


ACTS = Acts(
    verbs={
        "reply": reply,
        "post": post,
        "message": message,
        "accept": accept,
        "decline": decline,
        "tentative": tentative,
        "complete": complete,
        "fill": fill,
    },
    around={
        "messages": Surroundings(("chat", "direct", "to"), _around_message),
        "attendees": Surroundings(("summary", "start_at", "organizer_id"), _around_attendee),
        "events": Surroundings(("guests",), _around_event),
        "task_members": Surroundings(("summary", "creator_id"), _around_task_member),
        "base_records": Surroundings(("table", "base"), _around_record),
    },
    places={"chat": Place("chats", "name")},
)
