"""What people do in WeCom's groups, and what they notice of what a robot says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Row, Value, parse_json
from farm.appkit.acts import Acts, Place, Surroundings

from . import errors

_CHAT = "SELECT chat_id FROM chats JOIN members USING (chat_id) WHERE name = ? AND userid = ? ORDER BY chat_id LIMIT 1"


def _say(ep: Episode, chat_id: str, text: str) -> None:
    if ep.db.scalar("SELECT 1 FROM members WHERE chat_id = ? AND userid = ?", chat_id, ep.me) is None:
        raise errors.InvalidRequestParameter(ep, problem="not a member of the group")
    members = ep.db.all(
        "SELECT userid, name FROM users JOIN members USING (userid) WHERE chat_id = ? ORDER BY userid", chat_id
    )
    named = [each["userid"] for each in members if f"@{each['name']}" in text]
    seq = ep.next_number("member_messages", "seq", chat_id=chat_id)
    said: dict[str, Value] = {
        "userid": ep.me,
        "content": text,
        "mentioned_userids": json.dumps(named),
        "sent_ms": ep.now_ms,
    }
    ep.db.insert("member_messages", chat_id=chat_id, seq=seq, **said)


def reply(ep: Episode, row: Row, *, text: str) -> None:
    """Say something in the group where the robot has spoken."""
    _say(ep, row["chat_id"], text)


def post(ep: Episode, row: Row, *, chat: str, text: str) -> None:
    """Say something in a group by its name."""
    found = ep.db.scalar(_CHAT, chat, ep.me)
    if found is None:
        raise errors.InvalidRequestParameter(ep, problem=f"no group {chat}")
    _say(ep, found, text)


def _around_message(ep: Episode, row: Row) -> Mapping[str, Any]:
    sql = "SELECT c.chat_id, c.name FROM robots r JOIN chats c USING (chat_id) WHERE r.webhook_key = ?"
    found = ep.db.one(sql, row["webhook_key"])
    assert found is not None, "a robot is in a group"
    named = parse_json(row["mentioned_userids"])
    mobiles = parse_json(row["mentioned_mobiles"])
    sql = "SELECT userid FROM users WHERE mobile IN (SELECT value FROM json_each(?)) ORDER BY userid"
    by_mobile = [each["userid"] for each in ep.db.all(sql, json.dumps(mobiles))] if mobiles else []
    return {"chat_id": found["chat_id"], "chat": found["name"], "to": list(dict.fromkeys([*named, *by_mobile]))}


ACTS = Acts(
    verbs={"reply": reply, "post": post},
    around={"messages": Surroundings(("chat_id", "chat", "to"), _around_message)},
    places={"chat": Place("chats", "name")},
)
