"""A small company: me, Bo, who left and who is outside; calendars, rooms, groups and a chat of two."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

HOME, AWAY = "736588c9260f175e", "736588c9260f175f"
ME, BO, EVE, GONE, OUT = (f"ou_{letter * 32}" for letter in "abcde")
MINE, BOS, TEAM, OPEN, CLOSED = (
    f"feishu.cn_{name}0123456789@group.calendar.feishu.cn"
    for name in ("lin000", "bo0000", "team00", "open00", "secret")
)
EVES = "feishu.cn_eve0000123456789@group.calendar.feishu.cn"
BIG, SMALL = f"omm_{'1' * 32}", f"omm_{'2' * 32}"
GROUP, OWN, QUIET, ELSEWHERE, PUBLIC, DM = (f"oc_{digit * 32}" for digit in "123456")
APP, OFF_APP = "cli_0123456789abcdef", "cli_0123456789abcdee"
HELLO, ANSWER, RECALLED_ONE, BOS_OLD = (f"om_{digit * 32}" for digit in "1234")
THREAD = "omt_0123456789abcdef"


def at(text: str) -> int:
    """Return seconds of a local time such as ``03-10 14:00`` in 2026, Shanghai."""
    return int(datetime.fromisoformat(f"2026-{text}:00+08:00").timestamp())


def timed(start: str, end: str) -> dict[str, Any]:
    """Return a request's start and end."""
    return {"start_time": {"timestamp": str(at(start))}, "end_time": {"timestamp": str(at(end))}}


def user(open_id: str, name: str, en_name: str, **more: Any) -> dict[str, Any]:
    letter = open_id[-1]
    return {
        "table": "users",
        "open_id": open_id,
        "union_id": f"on_{letter * 32}",
        "user_id": letter * 8,
        "tenant_key": HOME,
        "name": name,
        "en_name": en_name,
        **more,
    }


def calendar(calendar_id: str, owner: str | None, summary: str, **more: Any) -> dict[str, Any]:
    row = {"table": "calendars", "calendar_id": calendar_id, "owner_id": owner, "type": "primary", "summary": summary}
    return {**row, "updated_at": 1, **more}


def event(event_id: str, calendar_id: str, summary: str, start: str, end: str, **more: Any) -> dict[str, Any]:
    row = {"table": "events", "event_id": event_id, "organizer_calendar_id": calendar_id, "summary": summary}
    times = {"start_at": at(start), "end_at": at(end), "created_at": 1772000000, "updated_at": 1772000000000}
    return {**row, **times, **more}


def attendee(event_id: str, open_id: str, number: int, **more: Any) -> dict[str, Any]:
    row = {"table": "attendees", "event_id": event_id, "attendee_id": f"user_{number}", "position": number}
    return {**row, "type": "user", "open_id": open_id, **more}


def message(message_id: str, sender: str, text: str, when: str, chat: str = GROUP, **more: Any) -> dict[str, Any]:
    ms = at(when) * 1000
    row = {"table": "messages", "message_id": message_id, "chat_id": chat, "msg_type": "text", "sender_id": sender}
    return {**row, "content": json.dumps({"text": text}), "created_at": ms, "updated_at": ms, **more}


def _chat(chat_id: str, name: str, owner: str | None, members: dict[str, str], **more: Any) -> list[dict[str, Any]]:
    number = int(chat_id[-1])
    chat = {"table": "chats", "chat_id": chat_id, "tenant_key": HOME, "name": name, "owner_id": owner}
    return [
        {**chat, "created_at": 1770000000000 + number, **more},
        *(
            {"table": "chat_members", "chat_id": chat_id, "open_id": open_id, "role": role, "joined_at": 1770000000000}
            for open_id, role in members.items()
        ),
    ]


def people() -> list[dict[str, Any]]:
    """Return the rows of the company and its people."""
    department = "od-" + "1" * 32
    return [
        {"table": "tenants", "tenant_key": HOME, "name": "Acme", "domain": "acme.feishu.cn"},
        {"table": "tenants", "tenant_key": AWAY, "name": "Other", "domain": "other.feishu.cn"},
        {
            "table": "departments",
            "department_id": department,
            "tenant_key": HOME,
            "name": "产品部",
            "en_name": "Product",
        },
        user(ME, "林晚", "Wan Lin", person="me", email="lin@acme.example", mobile="+8613800000001"),
        user(
            BO,
            "吴博",
            "Bo Wu",
            person="bo",
            email="bo@acme.example",
            mobile="+6591234567",
            department_ids=json.dumps([department]),
            leader_user_id=ME,
            job_title="Engineer",
        ),
        user(EVE, "夏娃", "Eve Xia", person="eve", email="eve@acme.example"),
        user(GONE, "走了", "Gone", email="gone@acme.example", is_resigned=1),
        user(OUT, "外人", "Out", tenant_key=AWAY, email="out@other.example"),
        {"table": "bots", "app_id": APP, "tenant_key": HOME, "open_id": "ou_bot1", "name": "Helper"},
        {"table": "bots", "app_id": OFF_APP, "tenant_key": HOME, "open_id": "ou_bot2", "name": "Off", "is_active": 0},
    ]


def calendars() -> list[dict[str, Any]]:
    """Return calendars of every kind of access, and two rooms."""
    listed = [(MINE, 0), (TEAM, 1), (OPEN, 2)]
    return [
        calendar(MINE, ME, "林晚"),
        calendar(BOS, BO, "吴博"),
        calendar(EVES, EVE, "夏娃"),
        calendar(TEAM, BO, "Team", type="shared"),
        calendar(OPEN, BO, "Open house", type="shared", permissions="public"),
        calendar(CLOSED, BO, "Secret", type="shared", permissions="private"),
        {"table": "calendar_acls", "calendar_id": TEAM, "open_id": ME, "role": "writer", "acl_id": "user_1"},
        *(
            {"table": "calendar_subscriptions", "calendar_id": each, "open_id": ME, "position": n, "updated_at": 1}
            for each, n in listed
        ),
        {"table": "rooms", "room_id": BIG, "tenant_key": HOME, "name": "Big", "capacity": 14},
        {"table": "rooms", "room_id": SMALL, "tenant_key": HOME, "name": "Small", "capacity": 4},
    ]


def groups() -> list[dict[str, Any]]:
    """Return groups I own, am in, may only read, am not in; a chat of two; and some talk."""
    return [
        *_chat(GROUP, "Launch", BO, {BO: "owner", ME: "member", EVE: "member"}),
        *_chat(OWN, "My group", ME, {ME: "owner", BO: "member"}),
        *_chat(QUIET, "Notices", BO, {BO: "owner", ME: "member"}, moderation_permission="only_owner"),
        *_chat(ELSEWHERE, "Elsewhere", BO, {BO: "owner"}),
        *_chat(PUBLIC, "Public lunch", BO, {BO: "owner"}, chat_type="public"),
        *_chat(DM, "", None, {ME: "member", BO: "member"}, chat_mode="p2p"),
        message(HELLO, BO, "hello", "03-06 10:00"),
        message(ANSWER, ME, "hi", "03-06 10:01", root_id=HELLO, parent_id=HELLO),
        message(RECALLED_ONE, BO, "oops", "03-06 10:02", is_deleted=1),
        message(BOS_OLD, ME, "old", "03-01 10:00", chat=DM),
    ]


def rows() -> list[dict[str, Any]]:
    return [*people(), *calendars(), *groups()]


def refused(app: LocalApp, tool: str, /, **arguments: Any) -> Any:
    """Call a tool that must refuse without changing anything, and return the code."""
    before = app.changes()
    with pytest.raises(VendorError) as error:
        app.call(tool, **arguments)
    assert app.changes() == before
    return error.value.code


def why(app: LocalApp, tool: str, /, **arguments: Any) -> str:
    """Call a tool that must refuse, and return the sentence it gives."""
    with pytest.raises(VendorError) as error:
        app.call(tool, **arguments)
    return error.value.message


def add(app: LocalApp, *more: dict[str, Any]) -> None:
    """Insert rows, each with its ``table``."""
    for row in more:
        app.episode.db.insert(row["table"], **{name: value for name, value in row.items() if name != "table"})
