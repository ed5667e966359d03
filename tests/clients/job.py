"""The small job that every program does: look up a colleague, make an appointment, invite him and tell him."""

from __future__ import annotations

from typing import Any

WORLD, APP = "mini", "lark"
TEXT = (
    "Ben (ben@plum.example) and I should look at the oven on Tuesday, 2 June 2026, from 13:00 to 13:30 UTC. "
    "Put it into my Lark calendar as 'Oven check', invite him, and tell him the time in a message."
)
_CALENDAR = "{cal.calendars[0].calendar.calendar_id}"
_BEN = "{who.user_list[0].user_id}"
_START_S, _END_S = 1780405200, 1780407000
ANSWER = "The oven check is in your calendar, and Ben is told."
TOOLS = 22  # Lark's menu for assistants
TURNS: list[Any] = [
    {
        "calls": [
            {
                "tool": "contact_v3_user_batchGetId",
                "as": "who",
                "arguments": {"data": {"emails": ["ben@plum.example"]}, "params": {"user_id_type": "open_id"}},
            },
            {"tool": "calendar_v4_calendar_primary", "as": "cal", "arguments": {}},
        ],
    },
    {
        "tool": "calendar_v4_calendarEvent_create",
        "as": "made",
        "arguments": {
            "path": {"calendar_id": _CALENDAR},
            "data": {
                "summary": "Oven check",
                "start_time": {"timestamp": str(_START_S), "timezone": "UTC"},
                "end_time": {"timestamp": str(_END_S), "timezone": "UTC"},
            },
        },
    },
    {
        "tool": "calendar_v4_calendarEventAttendee_create",
        "arguments": {
            "path": {"calendar_id": _CALENDAR, "event_id": "{made.event.event_id}"},
            "params": {"user_id_type": "open_id"},
            "data": {"attendees": [{"type": "user", "user_id": _BEN}]},
        },
    },
    {
        "tool": "im_v1_message_create",
        "arguments": {
            "params": {"receive_id_type": "open_id"},
            "data": {
                "receive_id": _BEN,
                "msg_type": "text",
                "content": '{"text": "The oven check is on Tuesday, 2 June, at 13:00."}',
            },
        },
    },
    ANSWER,
]
CHECKPOINTS: list[dict[str, Any]] = [
    {
        "id": "appointment",
        "kind": "operate",
        "app": APP,
        "table": "events",
        "change": "create",
        "after": {"summary": "Oven check", "start_at": _START_S, "end_at": _END_S},
        "free": ["*"],
    },
    {
        "id": "invited",
        "kind": "operate",
        "app": APP,
        "table": "attendees",
        "change": "create",
        "after": {"open_id": {"person": "ben"}},
        "free": ["*"],
    },
    {
        "id": "told",
        "kind": "operate",
        "app": APP,
        "table": "messages",
        "change": "create",
        "after": {"content": {"contains": "13:00"}},
        "free": ["*"],
    },
]


# What Lark adds by itself.
ALLOW: list[dict[str, Any]] = [
    {"app": APP, "table": table, "changes": ["create"]} for table in ("chats", "chat_members", "attendees")
]


def single_turns(turns: list[Any] | None = None) -> list[Any]:
    """Return the script with one call a turn, for programs that make no two at once."""
    found: list[Any] = []
    for turn in turns or TURNS:
        found += turn["calls"] if isinstance(turn, dict) and "calls" in turn else [turn]
    return found
