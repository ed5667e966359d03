"""What Lark notifies a person of by default: messages in their chats, and what begins or is due for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from farm.appkit import Episode, Row, parse_json
from farm.appkit.notices import Notices, lock_screen

_KINDS = {"image": "[Image]", "file": "[File]", "audio": "[Audio]", "media": "[Video]", "sticker": "[Sticker]"}
# Invited by themselves, or with a group.
_GUEST = """
SELECT 1 FROM attendees
WHERE event_id = :event AND open_id = :me AND rsvp_status NOT IN ('removed', 'decline')
UNION ALL
SELECT 1 FROM attendee_members
WHERE event_id = :event AND open_id = :me AND rsvp_status NOT IN ('removed', 'decline')
"""


def notice_of_message(ep: Episode, row: Row) -> str | None:
    """Return the notice of a message in one of the person's chats, or None."""
    member = "SELECT 1 FROM chat_members WHERE chat_id = ? AND open_id = ?"
    if row["sender_id"] in (ep.me, "") or not ep.db.scalar(member, row["chat_id"], ep.me):
        return None
    chat = ep.db.one("SELECT name, chat_mode FROM chats WHERE chat_id = ?", row["chat_id"])
    assert chat is not None
    named = ep.db.scalar("SELECT name FROM users WHERE open_id = ?", row["sender_id"])
    bot = ep.db.scalar("SELECT name FROM bots WHERE app_id = ?", row["sender_id"])
    text = _KINDS.get(row["msg_type"]) or " ".join(_texts(parse_json(row["content"])))
    return lock_screen(str(named or bot or "Lark"), text, "" if chat["chat_mode"] == "p2p" else chat["name"])


def _texts(content: Any) -> Iterator[str]:
    """Yield the title of a message, then its texts."""
    if isinstance(content, list):
        for each in content:
            yield from _texts(each)
    elif isinstance(content, dict):
        if isinstance(content.get("title"), str) and content["title"]:
            yield content["title"]
        if isinstance(content.get("text"), str):
            yield content["text"]
        for each in content.values():
            if isinstance(each, list):
                yield from _texts(each)


def notice_of_event(ep: Episode, row: Row) -> str | None:
    """Return the notice of an event of the person's that begins, or None."""
    is_mine = row["organizer_id"] == ep.me or ep.db.scalar(_GUEST, event=row["event_id"], me=ep.me)
    if not is_mine or row["status"] == "cancelled" or row["start_date"]:
        return None
    return lock_screen("Calendar", f"{row['summary'] or '(No title)'} starts now")


def notice_of_task(ep: Episode, row: Row) -> str | None:
    """Return the notice of an open task of the person's that is due at an hour, or None."""
    member = "SELECT 1 FROM task_members WHERE task_guid = ? AND member_id = ? AND role = 'assignee'"
    if row["due_is_all_day"] or (row["completed_at"] or "0") != "0" or not ep.db.scalar(member, row["guid"], ep.me):
        return None
    return lock_screen("Tasks", f"{row['summary']} is due")


NOTICES: Notices = {
    "messages": notice_of_message,
    "events.start_at": notice_of_event,
    "tasks.due_at": notice_of_task,
}
