"""What the calendar tools answer, beside bodies of the real service (``real_bodies`` says how)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.lark import real_bodies
from tests.apps.lark.company import BIG, BO, BOS, GROUP, ME, MINE, TEAM, add, attendee, event, timed

WEEKLY, MEETING = (f"00592a0e-7edf-4678-bc9d-{digit * 12}_0" for digit in "12")
PATH = {"calendar_id": MINE, "event_id": MEETING}
# Everything an event can be given, so that what is shown of it is shown.
WHOLE: dict[str, Any] = {
    **timed("03-10 12:00", "03-10 13:00"),
    "summary": "Weekly",
    "description": "What is new",
    "vchat": {"vc_type": "third_party", "icon_type": "live", "description": "Join", "meeting_url": "https://a.example"},
    "location": {"name": "Lab", "address": "9F", "latitude": 31.2, "longitude": 121.4},
    "reminders": [{"minutes": 5}],
    "recurrence": "FREQ=WEEKLY;COUNT=3",
    "schemas": [{"ui_name": "ForwardIcon", "ui_status": "hide"}],
    "event_check_in": {
        "enable_check_in": True,
        "check_in_start_time": {"time_type": "before_event_start", "duration": 15},
        "check_in_end_time": {"time_type": "after_event_end", "duration": 0},
        "need_notify_attendees": False,
    },
}
GUESTS: list[dict[str, Any]] = [
    {"type": "user", "user_id": BO, "is_optional": True},
    {"type": "chat", "chat_id": GROUP},
    {"type": "resource", "room_id": BIG},
    {"type": "third_party", "third_party_email": "guest@other.example"},
]


def create(lark: LocalApp, **data: Any) -> Any:
    return lark.call("calendar_v4_calendarEvent_create", path={"calendar_id": MINE}, data={**WHOLE, **data})


def meeting(lark: LocalApp) -> None:
    add(lark, event(MEETING, MINE, "Meeting", "03-10 10:00", "03-10 11:00", organizer_id=ME))


def invite(lark: LocalApp) -> Any:
    meeting(lark)
    return lark.call("calendar_v4_calendarEventAttendee_create", path=PATH, data={"attendees": GUESTS})


def event_get(lark: LocalApp) -> Any:
    rule = "FREQ=WEEKLY;UNTIL=20260619T145959Z;INTERVAL=2;WKST=SU;BYDAY=WE"
    vchat = '{"vc_type":"vc","meeting_url":"https://vc.feishu.cn/j/568169000"}'
    more = {"recurrence": rule, "vchat": vchat, "attendee_ability": "can_invite_others", "reminders": '[{"minutes":5}]'}
    add(
        lark,
        event(WEEKLY, BOS, "bi-weekly review", "03-11 10:00", "03-11 10:30", organizer_id=BO, **more),
        attendee(WEEKLY, ME, 1, rsvp_status="accept"),
    )
    return lark.call("calendar_v4_calendarEvent_get", path={"calendar_id": MINE, "event_id": WEEKLY})


def event_get_with_guests(lark: LocalApp) -> Any:
    event_id = create(lark)["event"]["event_id"]
    path = {"calendar_id": MINE, "event_id": event_id}
    lark.call("calendar_v4_calendarEventAttendee_create", path=path, data={"attendees": GUESTS})
    params = {"need_meeting_settings": True, "need_attendee": True, "max_attendee_num": 2}
    return lark.call("calendar_v4_calendarEvent_get", path=path, params=params)


def event_list(lark: LocalApp) -> Any:
    create(lark)
    return lark.call("calendar_v4_calendarEvent_list", path={"calendar_id": MINE})


def event_patch(lark: LocalApp) -> Any:
    path = {"calendar_id": MINE, "event_id": create(lark)["event"]["event_id"]}
    return lark.call("calendar_v4_calendarEvent_patch", path=path, data={"summary": "Weekly of the team"})


def event_delete(lark: LocalApp) -> Any:
    path = {"calendar_id": MINE, "event_id": create(lark)["event"]["event_id"]}
    return lark.call("calendar_v4_calendarEvent_delete", path=path)


def event_search(lark: LocalApp) -> Any:
    create(lark)
    data = {"query": "weekly", "filter": timed("03-01 00:00", "04-01 00:00")}
    return lark.call("calendar_v4_calendarEvent_search", path={"calendar_id": MINE}, data=data)


def attendee_list(lark: LocalApp) -> Any:
    invite(lark)
    return lark.call("calendar_v4_calendarEventAttendee_list", path=PATH)


def attendee_batch_delete(lark: LocalApp) -> Any:
    invite(lark)
    data = {"delete_ids": [{"type": "user", "user_id": BO}]}
    return lark.call("calendar_v4_calendarEventAttendee_batchDelete", path=PATH, data=data)


def freebusy_list(lark: LocalApp) -> Any:
    meeting(lark)
    window = {"time_min": "2026-03-10T00:00:00+08:00", "time_max": "2026-03-11T00:00:00+08:00"}
    return lark.call("calendar_v4_freebusy_list", data={**window, "user_id": ME})


CALLS: dict[str, Callable[[LocalApp], Any]] = {
    "calendar_v4_calendar_primary": lambda lark: lark.call("calendar_v4_calendar_primary"),
    "calendar_v4_calendar_list": lambda lark: lark.call("calendar_v4_calendar_list"),
    "calendar_v4_calendar_get": lambda lark: lark.call("calendar_v4_calendar_get", path={"calendar_id": TEAM}),
    "calendar_v4_calendar_create": lambda lark: lark.call("calendar_v4_calendar_create", data={"summary": "Trips"}),
    "calendar_v4_calendar_search": lambda lark: lark.call("calendar_v4_calendar_search", data={"query": "open"}),
    "calendar_v4_calendarEvent_create": create,
    "calendar_v4_calendarEvent_get": event_get,
    "calendar_v4_calendarEvent_get.documented": event_get_with_guests,
    "calendar_v4_calendarEvent_list": event_list,
    "calendar_v4_calendarEvent_patch": event_patch,
    "calendar_v4_calendarEvent_delete": event_delete,
    "calendar_v4_calendarEvent_search": event_search,
    "calendar_v4_calendarEventAttendee_create": invite,
    "calendar_v4_calendarEventAttendee_list": attendee_list,
    "calendar_v4_calendarEventAttendee_batchDelete": attendee_batch_delete,
    "calendar_v4_freebusy_list": freebusy_list,
}


@pytest.mark.fact("calendar-bodies")
def test_every_real_body_of_a_calendar_tool_is_compared() -> None:
    assert sorted(CALLS) == real_bodies.names("calendar_v4_")


@pytest.mark.fact("calendar-bodies")
def test_every_calendar_tool_has_a_real_body(lark: LocalApp) -> None:
    tools = {tool["name"] for tool in lark.store.loaded.tool_schemas if tool["name"].startswith("calendar_v4_")}

    assert tools == {name.partition(".")[0] for name in CALLS}


@pytest.mark.fact("calendar-bodies")
@pytest.mark.parametrize("name", CALLS)
def test_an_answer_has_the_members_of_a_real_one_but_for_what_is_meant(lark: LocalApp, name: str) -> None:
    sample = real_bodies.load(name)

    ours = CALLS[name](lark)

    assert bool(ours) == bool(sample["body"])
    assert real_bodies.differences(sample, ours) == set(sample["differences"])
