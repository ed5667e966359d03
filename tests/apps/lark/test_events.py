"""Events on a calendar: made, read, changed, deleted."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from farm.testing import LocalApp
from tests.apps.lark.company import (
    BO,
    BOS,
    EVES,
    ME,
    MINE,
    OPEN,
    TEAM,
    add,
    at,
    attendee,
    calendar,
    event,
    refused,
    timed,
)

LUNCH, WEEKLY, BOS_ONE = (f"00592a0e-7edf-4678-bc9d-{digit * 12}_0" for digit in "123")
NOON = timed("03-10 12:00", "03-10 13:00")


def create(lark: LocalApp, calendar_id: str = MINE, **data: Any) -> dict[str, Any]:
    made = lark.call("calendar_v4_calendarEvent_create", path={"calendar_id": calendar_id}, data={**NOON, **data})
    event_: dict[str, Any] = made["event"]
    return event_


def get(lark: LocalApp, event_id: str, calendar_id: str = MINE, **params: Any) -> dict[str, Any]:
    path = {"calendar_id": calendar_id, "event_id": event_id}
    found = lark.call("calendar_v4_calendarEvent_get", path=path, params=params)
    event_: dict[str, Any] = found["event"]
    return event_


def patch(lark: LocalApp, event_id: str, calendar_id: str = MINE, **data: Any) -> dict[str, Any]:
    path = {"calendar_id": calendar_id, "event_id": event_id}
    found = lark.call("calendar_v4_calendarEvent_patch", path=path, data=data)
    event_: dict[str, Any] = found["event"]
    return event_


def of_bo(lark: LocalApp, **more: Any) -> None:
    """Let Bo organize an event that I am invited to."""
    add(
        lark,
        event(BOS_ONE, BOS, "Bo's", "03-11 10:00", "03-11 11:00", organizer_id=BO, **more),
        attendee(BOS_ONE, BO, 0, is_organizer=1, rsvp_status="accept"),
        attendee(BOS_ONE, ME, 1),
    )


@pytest.mark.fact("event-create")
def test_a_new_event_comes_back_whole_with_the_documented_defaults(lark: LocalApp) -> None:
    made = create(lark, summary="Lunch")

    assert made["event_id"].endswith("_0")
    assert made.pop("app_link").startswith("https://applink.feishu.cn/client/calendar/event/detail?calendarId=")
    assert made | {"event_id": ""} == {
        "event_id": "",
        "organizer_calendar_id": MINE,
        "summary": "Lunch",
        "description": "",
        "start_time": {"timestamp": str(at("03-10 12:00")), "timezone": "Asia/Shanghai"},
        "end_time": {"timestamp": str(at("03-10 13:00")), "timezone": "Asia/Shanghai"},
        "vchat": {"vc_type": "vc", "meeting_url": ""},
        "visibility": "default",
        "attendee_ability": "none",
        "free_busy_status": "busy",
        "self_rsvp_status": "accept",
        "color": -1,
        "reminders": [],
        "recurrence": "",
        "status": "confirmed",
        "is_exception": False,
        "create_time": "1773018000",
        "event_organizer": {"user_id": ME, "display_name": "林晚"},
    }
    assert [change["op"] for change in lark.changes()["events"]] == ["insert"]


@pytest.mark.fact("event-create")
def test_every_setting_of_an_event_is_kept(lark: LocalApp) -> None:
    given: dict[str, Any] = {
        "description": "bring lamps",
        "visibility": "private",
        "attendee_ability": "can_modify_event",
        "free_busy_status": "free",
        "location": {"name": "Lab", "address": "9F", "latitude": 31.25, "longitude": 121},
        "color": -11034625,
        "reminders": [{"minutes": 5}, {"minutes": -10}],
        "recurrence": "FREQ=WEEKLY;BYDAY=TU;COUNT=3",
        "schemas": [{"ui_name": "RSVP", "ui_status": "hide"}],
        "event_check_in": {
            "enable_check_in": True,
            "check_in_start_time": {"time_type": "before_event_start", "duration": 15},
            "check_in_end_time": {"time_type": "after_event_end", "duration": 0},
            "need_notify_attendees": False,
        },
    }

    made = create(lark, **given)

    assert {name: made[name] for name in given} == given


@pytest.mark.fact("event-place")
def test_coordinates_come_back_in_single_precision(lark: LocalApp) -> None:
    made = create(lark, location={"name": "Lab", "latitude": 1.1, "longitude": -122.25})

    assert made["location"] == {"name": "Lab", "latitude": 1.100000023841858, "longitude": -122.25}
    path, place = {"calendar_id": MINE}, {"name": "Lab", "latitude": 90.5}
    assert refused(lark, "calendar_v4_calendarEvent_create", path=path, data={**NOON, "location": place}) == 190002


@pytest.mark.fact("event-all-day")
def test_the_last_day_is_asked_for_and_the_day_after_it_answered(lark: LocalApp) -> None:
    made = create(lark, start_time={"date": "2026-03-12"}, end_time={"date": "2026-03-13"})

    assert made["start_time"] == {"date": "2026-03-12", "timezone": "UTC"}
    assert made["end_time"] == {"date": "2026-03-14", "timezone": "UTC"}
    row = lark.episode.db.one("SELECT end_date, end_at - start_at AS length FROM events")
    assert row is not None
    assert tuple(row.values()) == ("2026-03-13", 2 * 86400)


@pytest.mark.fact("event-all-day")
def test_every_reading_and_every_instance_of_an_all_day_series_ends_on_the_day_after(lark: LocalApp) -> None:
    days: dict[str, Any] = {"start_time": {"date": "2026-03-12"}, "end_time": {"date": "2026-03-12"}}
    made = create(lark, summary="Leave", recurrence="FREQ=WEEKLY", **days)
    second = f"{made['event_id'][:-2]}_{int(datetime(2026, 3, 19, tzinfo=UTC).timestamp())}"

    listed = lark.call("calendar_v4_calendarEvent_list", path={"calendar_id": MINE})["items"]

    assert [item["end_time"]["date"] for item in listed] == ["2026-03-13"]
    assert get(lark, second)["start_time"]["date"] == "2026-03-19"
    assert get(lark, second)["end_time"]["date"] == "2026-03-20"
    assert patch(lark, made["event_id"], **days)["end_time"]["date"] == "2026-03-13"


@pytest.mark.fact("event-times")
@pytest.mark.parametrize(
    ("begins", "ends"),
    [
        ({}, {"timestamp": "2"}),
        ({"timestamp": "1", "date": "2026-03-12"}, {"timestamp": "2"}),
        ({"timestamp": "2"}, {"timestamp": "1"}),
        ({"date": "2026-03-12"}, {"timestamp": "1773300000"}),
        ({"date": "2026-03-12"}, {"date": "2026-03-11"}),
        ({"date": "2026-3-12"}, {"date": "2026-03-13"}),
        ({"timestamp": "soon"}, {"timestamp": "2"}),
        ({"timestamp": "-5"}, {"timestamp": "2"}),
        ({"timestamp": "9" * 13}, {"timestamp": "9" * 13}),
        ({"timestamp": "0"}, {"timestamp": "2"}),
        ({"timestamp": "1"}, {"timestamp": "16725225601"}),
        ({"timestamp": "1", "timezone": "Mars/Olympus"}, {"timestamp": "2"}),
    ],
)
def test_contradictory_times_are_invalid_parameters(
    lark: LocalApp, begins: dict[str, str], ends: dict[str, str]
) -> None:
    data = {"start_time": begins, "end_time": ends}

    assert refused(lark, "calendar_v4_calendarEvent_create", path={"calendar_id": MINE}, data=data) == 190002


@pytest.mark.fact("event-limits")
@pytest.mark.parametrize(
    "data",
    [
        {"summary": "x" * 1001},
        {"description": "x" * 40961},
        {"location": {"address": "x" * 256}},
        {"recurrence": "x" * 2001},
        {"vchat": {"vc_type": "third_party", "description": "x" * 501}},
        {"vchat": {"vc_type": "third_party", "meeting_url": "x" * 2001}},
        {"vchat": {"vc_type": "vc", "meeting_settings": {"assign_hosts": [ME] * 11}}},
        {"schemas": [{"ui_name": "RSVP", "ui_status": "hide", "app_link": "x" * 2001}]},
        {"reminders": [{"minutes": 5}, {"minutes": 20161}]},
        {"reminders": [{"minutes": -20161}]},
        {
            "event_check_in": {
                "enable_check_in": True,
                "check_in_start_time": {"time_type": "before_event_start", "duration": 61},
            }
        },
    ],
)
def test_what_is_beyond_the_limits_fails_validation(lark: LocalApp, data: dict[str, Any]) -> None:
    body = {**NOON, **data}

    assert refused(lark, "calendar_v4_calendarEvent_create", path={"calendar_id": MINE}, data=body) == 99992402


@pytest.mark.fact("event-rule")
@pytest.mark.parametrize(
    "rule",
    [
        "DAILY",
        "FREQ=HOURLY",
        "FREQ=DAILY;COUNT=2;UNTIL=20260401T000000Z",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=WEEKLY;BYDAY=1MO",
        "FREQ=MONTHLY;BYSETPOS=1;BYDAY=MO",
        "FREQ=DAILY;FREQ=DAILY",
        "FREQ=DAILY;UNTIL=tomorrow",
        "RRULE:FREQ=DAILY",
    ],
)
def test_rules_that_are_malformed_or_cannot_be_expanded_are_refused(lark: LocalApp, rule: str) -> None:
    body = {**NOON, "recurrence": rule}

    assert refused(lark, "calendar_v4_calendarEvent_create", path={"calendar_id": MINE}, data=body) == 190002


@pytest.mark.fact("event-create")
@pytest.mark.parametrize(
    "data",
    [
        {"reminders": [{}]},
        {"color": 1.5},
        {"vchat": {"vc_type": "lark_live"}},
        {"schemas": [{"ui_name": "RSVP", "ui_status": "readonly"}]},
        {
            "event_check_in": {
                "enable_check_in": True,
                "check_in_start_time": {"time_type": "before_event_start", "duration": 0},
            }
        },
        {
            "event_check_in": {
                "enable_check_in": True,
                "check_in_start_time": {"time_type": "after_event_end", "duration": 0},
                "check_in_end_time": {"time_type": "after_event_start", "duration": 5},
            }
        },
        {
            "event_check_in": {
                "enable_check_in": True,
                "check_in_end_time": {"time_type": "after_event_end", "duration": 7},
            }
        },
        {"vchat": {"vc_type": "vc", "meeting_settings": {"assign_hosts": ["ou_nobody"]}}},
    ],
)
def test_values_the_service_does_not_take_are_invalid_parameters(lark: LocalApp, data: dict[str, Any]) -> None:
    body = {**NOON, **data}

    assert refused(lark, "calendar_v4_calendarEvent_create", path={"calendar_id": MINE}, data=body) == 190002


@pytest.mark.fact("event-attachments")
def test_a_file_nobody_uploaded_cannot_be_attached_or_taken_off(lark: LocalApp) -> None:
    body = {**NOON, "attachments": [{"file_token": "boxnowhere"}]}
    path = {"calendar_id": MINE, "event_id": create(lark)["event_id"]}
    gone = {"attachments": [{"file_token": "boxnowhere", "is_deleted": True}]}

    assert refused(lark, "calendar_v4_calendarEvent_create", path={"calendar_id": MINE}, data=body) == 193105
    assert refused(lark, "calendar_v4_calendarEvent_patch", path=path, data=gone) == 193105


@pytest.mark.fact("event-attachments")
def test_files_are_attached_and_taken_off_one_by_one(lark: LocalApp) -> None:
    path = {"calendar_id": MINE, "event_id": create(lark)["event_id"]}
    made = {"created_at": 1, "edited_at": 1}
    for number in (1, 2):
        add(
            lark,
            {
                "table": "files",
                "token": f"box{number}",
                "type": "file",
                "title": f"{number}.pdf",
                "owner_id": ME,
                **made,
            },
        )

    def patched(*asked: dict[str, Any]) -> list[tuple[str, str]]:
        data = {"attachments": [*asked]}
        event = lark.call("calendar_v4_calendarEvent_patch", path=path, data=data)["event"]
        assert lark.call("calendar_v4_calendarEvent_get", path=path)["event"].get("attachments") == event.get(
            "attachments"
        )
        return [(each["file_token"], each["name"]) for each in event.get("attachments", [])]

    assert patched({"file_token": "box1"}) == [("box1", "1.pdf")]
    assert patched({"file_token": "box2"}, {"file_token": "box1"}) == [("box1", "1.pdf"), ("box2", "2.pdf")]
    assert patched({"file_token": "box1", "is_deleted": True}) == [("box2", "2.pdf")]


@pytest.mark.fact("event-meeting")
def test_a_meeting_of_ours_shows_its_kind_and_address_and_one_of_others_its_words_too(lark: LocalApp) -> None:
    other = {"vc_type": "third_party", "icon_type": "live", "description": "Join", "meeting_url": "https://a.example"}

    assert create(lark, vchat={"vc_type": "vc", "icon_type": "live"})["vchat"].keys() == {"vc_type", "meeting_url"}
    assert create(lark, vchat=other)["vchat"] == other
    assert create(lark, vchat={"vc_type": "no_meeting"})["vchat"] == {"vc_type": "no_meeting"}


@pytest.mark.fact("event-hosts")
def test_only_the_organizer_names_the_hosts_of_a_meeting(lark: LocalApp) -> None:
    of_bo(lark, attendee_ability="can_modify_event")
    data = {"vchat": {"vc_type": "vc", "meeting_settings": {"assign_hosts": [ME]}}}
    path = {"calendar_id": MINE, "event_id": BOS_ONE}

    assert refused(lark, "calendar_v4_calendarEvent_patch", path=path, data=data) == 193102


@pytest.mark.fact("event-answer")
@pytest.mark.parametrize(
    ("answer", "status"),
    [("needs_action", "tentative"), ("accept", "confirmed"), ("tentative", "confirmed"), ("decline", "confirmed")],
)
def test_an_invitation_tells_what_the_calendars_person_answered(lark: LocalApp, answer: str, status: str) -> None:
    of_bo(lark)
    lark.episode.db.update("attendees", {"event_id": BOS_ONE, "open_id": ME}, rsvp_status=answer)

    found = get(lark, BOS_ONE)

    assert (found["self_rsvp_status"], found["status"]) == (answer, status)
    listed = lark.call("calendar_v4_calendarEvent_list", path={"calendar_id": MINE})["items"]
    assert [(item["self_rsvp_status"], item["status"]) for item in listed] == [(answer, status)]


@pytest.mark.fact("event-answer")
def test_on_the_organizers_calendar_it_is_accepted_and_on_a_shared_one_nobody_answers(lark: LocalApp) -> None:
    of_bo(lark, visibility="public")
    shared = create(lark, TEAM)

    bos = get(lark, BOS_ONE, BOS)

    assert (bos["self_rsvp_status"], bos["status"]) == ("accept", "confirmed")
    assert "self_rsvp_status" not in shared


@pytest.mark.fact("event-answer")
def test_an_untouched_instance_has_the_answer_to_its_series(lark: LocalApp) -> None:
    of_bo(lark, recurrence="FREQ=WEEKLY")

    found = get(lark, f"{BOS_ONE[:-2]}_{at('03-18 10:00')}")

    assert (found["self_rsvp_status"], found["status"]) == ("needs_action", "tentative")


@pytest.mark.fact("event-patch-guest")
def test_an_untouched_instance_has_the_guests_own_settings_of_its_series(lark: LocalApp) -> None:
    of_bo(lark, recurrence="FREQ=WEEKLY")
    patch(lark, BOS_ONE, color=7)
    instance = f"{BOS_ONE[:-2]}_{at('03-18 10:00')}"

    before = get(lark, instance)
    patch(lark, instance, free_busy_status="free")

    # The first change gives it a row of its own, which begins with these settings.
    assert (before["color"], get(lark, instance)["color"]) == (7, 7)


@pytest.mark.fact("event-link")
def test_the_link_opens_the_calendar_the_event_was_read_on(lark: LocalApp) -> None:
    of_bo(lark, visibility="public")

    mine, bos = (get(lark, BOS_ONE, each)["app_link"] for each in (MINE, BOS))

    assert mine != bos
    assert (
        parse_qs(urlsplit(mine).query)["calendarId"] == parse_qs(urlsplit(create(lark)["app_link"]).query)["calendarId"]
    )


@pytest.mark.fact("event-idempotency")
def test_the_same_key_gives_the_same_event(lark: LocalApp) -> None:
    call = {"path": {"calendar_id": MINE}, "data": NOON, "params": {"idempotency_key": "k" * 32}}

    first = lark.call("calendar_v4_calendarEvent_create", **call)
    second = lark.call("calendar_v4_calendarEvent_create", **call)

    assert first["event"]["event_id"] == second["event"]["event_id"]
    assert len(lark.changes()["events"]) == 1


@pytest.mark.fact("event-idempotency")
@pytest.mark.parametrize("length", [31, 129])
def test_a_key_of_the_wrong_length_is_refused(lark: LocalApp, length: int) -> None:
    params = {"idempotency_key": "k" * length}
    arguments = {"path": {"calendar_id": MINE}, "data": NOON, "params": params}

    assert refused(lark, "calendar_v4_calendarEvent_create", **arguments) == 99992402


@pytest.mark.fact("event-writers")
def test_a_writer_puts_events_on_a_shared_calendar(lark: LocalApp) -> None:
    assert create(lark, TEAM)["organizer_calendar_id"] == TEAM


@pytest.mark.fact("event-writers")
def test_readers_cannot_write_and_other_kinds_of_calendar_take_nothing(lark: LocalApp) -> None:
    feed = "feishu.cn_google0000000@group.calendar.feishu.cn"
    add(lark, calendar(feed, ME, "Google", type="google"))

    for calendar_id, code in ((OPEN, 191002), (BOS, 191002), (feed, 191004), ("x", 191001)):
        path = {"calendar_id": calendar_id}
        assert refused(lark, "calendar_v4_calendarEvent_create", path=path, data=NOON) == code


@pytest.mark.fact("event-writers")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("calendarEvent_patch", {"data": {"summary": "x"}}),
        ("calendarEvent_delete", {}),
        ("calendarEventAttendee_create", {"data": {"attendees": [{"type": "user", "user_id": BO}]}}),
        ("calendarEventAttendee_batchDelete", {"data": {"attendee_ids": ["user_1"]}}),
    ],
)
def test_events_of_a_bound_calendar_are_read_only(lark: LocalApp, tool: str, arguments: dict[str, Any]) -> None:
    feed = "feishu.cn_google0000000@group.calendar.feishu.cn"
    add(
        lark,
        calendar(feed, ME, "Google", type="google"),
        event(LUNCH, feed, "Lunch", "03-10 12:00", "03-10 13:00", organizer_id=ME),
    )

    assert get(lark, LUNCH, feed)["summary"] == "Lunch"
    path = {"calendar_id": feed, "event_id": LUNCH}
    assert refused(lark, f"calendar_v4_{tool}", path=path, **arguments) == 191004


@pytest.mark.fact("event-meeting")
def test_the_meetings_address_comes_with_the_first_attendee(lark: LocalApp) -> None:
    made = create(lark)
    path = {"calendar_id": MINE, "event_id": made["event_id"]}
    lark.call(
        "calendar_v4_calendarEventAttendee_create", path=path, data={"attendees": [{"type": "user", "user_id": BO}]}
    )

    assert made["vchat"]["meeting_url"] == ""
    assert get(lark, made["event_id"])["vchat"]["meeting_url"].startswith("https://vc.feishu.cn/j/")


@pytest.mark.fact("event-meeting")
def test_meeting_settings_show_only_when_asked_for(lark: LocalApp) -> None:
    made = create(lark, vchat={"vc_type": "vc", "meeting_settings": {"assign_hosts": [BO], "auto_record": True}})

    assert "meeting_settings" not in get(lark, made["event_id"])["vchat"]
    assert get(lark, made["event_id"], need_meeting_settings=True)["vchat"]["meeting_settings"] == {
        "assign_hosts": [BO],
        "join_meeting_permission": "anyone_can_join",
        "auto_record": True,
        "open_lobby": True,
        "allow_attendees_start": True,
    }


@pytest.mark.fact("event-ids")
@pytest.mark.parametrize(("event_id", "code"), [("nonsense", 193000), (f"{'0' * 36}_0", 193001), (BOS_ONE, 193001)])
def test_an_event_that_is_not_here_says_why(lark: LocalApp, event_id: str, code: int) -> None:
    add(lark, event(BOS_ONE, BOS, "Bo's", "03-11 10:00", "03-11 11:00"))
    path = {"calendar_id": MINE, "event_id": event_id}

    assert refused(lark, "calendar_v4_calendarEvent_get", path=path) == code
    assert refused(lark, "calendar_v4_calendarEvent_patch", path=path, data={"summary": "x"}) == code
    assert refused(lark, "calendar_v4_calendarEvent_delete", path=path) == code


@pytest.mark.fact("event-attendees")
def test_attendees_come_when_asked_for_up_to_the_number_asked_for(lark: LocalApp) -> None:
    of_bo(lark, attendee_ability="can_see_others")

    plain = get(lark, BOS_ONE)
    cut = get(lark, BOS_ONE, need_attendee=True, max_attendee_num=1)
    whole = get(lark, BOS_ONE, need_attendee=True)

    assert "attendees" not in plain
    assert ([each["user_id"] for each in cut["attendees"]], cut["has_more_attendee"]) == ([BO], True)
    assert ([each["user_id"] for each in whole["attendees"]], whole["has_more_attendee"]) == ([BO, ME], False)


@pytest.mark.fact("event-attendees")
def test_where_guests_are_hidden_one_sees_oneself(lark: LocalApp) -> None:
    of_bo(lark)

    assert [each["user_id"] for each in get(lark, BOS_ONE, need_attendee=True)["attendees"]] == [ME]


@pytest.mark.fact("event-attendees")
def test_more_attendees_than_a_hundred_cannot_be_asked_for(lark: LocalApp) -> None:
    path = {"calendar_id": MINE, "event_id": BOS_ONE}

    assert refused(lark, "calendar_v4_calendarEvent_get", path=path, params={"max_attendee_num": 101}) == 99992402


def weekly(lark: LocalApp) -> None:
    add(
        lark,
        event(WEEKLY, MINE, "Weekly", "03-02 10:00", "03-02 11:00", organizer_id=ME, recurrence="FREQ=WEEKLY"),
        attendee(WEEKLY, BO, 0),
    )


def instance(day: str) -> str:
    return f"{WEEKLY[:-2]}_{at(day + ' 10:00')}"


@pytest.mark.fact("event-instance")
def test_an_instance_can_be_read_and_changed_alone(lark: LocalApp) -> None:
    weekly(lark)

    before = get(lark, instance("03-16"))
    after = patch(lark, instance("03-16"), summary="Moved", **timed("03-17 10:00", "03-17 11:00"))

    assert (before["recurring_event_id"], before["is_exception"]) == (WEEKLY, False)
    assert before["start_time"]["timestamp"] == str(at("03-16 10:00"))
    assert (after["summary"], after["is_exception"], after["recurring_event_id"]) == ("Moved", True, WEEKLY)
    assert get(lark, WEEKLY)["summary"] == "Weekly"
    guests = get(lark, instance("03-16"), need_attendee=True)["attendees"]
    assert [each["user_id"] for each in guests] == [BO]


@pytest.mark.fact("event-instance")
def test_a_deleted_instance_is_cancelled_and_its_series_stays(lark: LocalApp) -> None:
    weekly(lark)
    path = {"calendar_id": MINE, "event_id": instance("03-16")}

    assert lark.call("calendar_v4_calendarEvent_delete", path=path) == {}

    assert (get(lark, instance("03-16"))["status"], get(lark, instance("03-16"))["is_exception"]) == ("cancelled", True)
    assert refused(lark, "calendar_v4_calendarEvent_delete", path=path) == 193003
    assert get(lark, WEEKLY)["status"] == "confirmed"
    assert get(lark, instance("03-23"))["status"] == "confirmed"


@pytest.mark.fact("event-instance")
def test_there_is_no_instance_between_instances_and_none_is_a_series(lark: LocalApp) -> None:
    weekly(lark)

    path = {"calendar_id": MINE, "event_id": instance("03-17")}
    assert refused(lark, "calendar_v4_calendarEvent_get", path=path) == 193001
    path = {"calendar_id": MINE, "event_id": instance("03-16")}
    assert refused(lark, "calendar_v4_calendarEvent_patch", path=path, data={"recurrence": "FREQ=DAILY"}) == 190002


@pytest.mark.fact("event-patch")
def test_what_a_patch_does_not_name_stays(lark: LocalApp) -> None:
    made = create(lark, summary="Lunch", description="noodles", location={"name": "Lab"})

    changed = patch(lark, made["event_id"], summary="Dinner")

    assert changed == {**made, "summary": "Dinner"}


@pytest.mark.fact("event-patch")
def test_a_new_start_alone_does_nothing(lark: LocalApp) -> None:
    made = create(lark)

    changed = patch(lark, made["event_id"], start_time={"timestamp": "1"})
    moved = patch(lark, made["event_id"], **timed("03-11 12:00", "03-11 13:00"))

    assert changed["start_time"] == made["start_time"]
    assert moved["start_time"]["timestamp"] == str(at("03-11 12:00"))


@pytest.mark.fact("event-patch")
@pytest.mark.parametrize(
    ("data", "code"), [({"summary": "x" * 1001}, 99992402), ({"recurrence": "x"}, 190002), ({"color": 2**40}, 190002)]
)
def test_a_patch_with_a_bad_value_is_refused(lark: LocalApp, data: dict[str, Any], code: int) -> None:
    path = {"calendar_id": MINE, "event_id": create(lark)["event_id"]}

    assert refused(lark, "calendar_v4_calendarEvent_patch", path=path, data=data) == code


@pytest.mark.fact("event-patch-guest")
def test_a_guest_changes_availability_and_color_for_themselves_only(lark: LocalApp) -> None:
    of_bo(lark)

    mine = patch(lark, BOS_ONE, free_busy_status="free", color=7)

    assert (mine["free_busy_status"], mine["color"]) == ("free", 7)
    own = lark.episode.db.one("SELECT open_id, free_busy_status, color, visibility FROM event_settings")
    assert own is not None
    assert tuple(own.values()) == (ME, "free", 7, None)
    row = lark.episode.db.one("SELECT free_busy_status, color FROM events WHERE event_id = ?", BOS_ONE)
    assert row is not None
    assert tuple(row.values()) == ("busy", -1)


@pytest.mark.fact("event-patch-guest")
def test_a_guest_changes_the_title_only_where_guests_may(lark: LocalApp) -> None:
    of_bo(lark, attendee_ability="can_invite_others")
    path = {"calendar_id": MINE, "event_id": BOS_ONE}

    assert refused(lark, "calendar_v4_calendarEvent_patch", path=path, data={"summary": "Ours"}) == 193002

    lark.episode.db.update("events", {"event_id": BOS_ONE}, attendee_ability="can_modify_event")
    assert patch(lark, BOS_ONE, summary="Ours")["summary"] == "Ours"


@pytest.mark.fact("event-patch-guest")
def test_nobody_changes_events_through_a_calendar_they_only_read(lark: LocalApp) -> None:
    of_bo(lark, attendee_ability="can_modify_event")
    path = {"calendar_id": BOS, "event_id": BOS_ONE}

    assert refused(lark, "calendar_v4_calendarEvent_patch", path=path, data={"summary": "Ours"}) == 191002


@pytest.mark.fact("event-delete")
def test_deleting_gives_nothing_back_and_works_once(lark: LocalApp) -> None:
    path = {"calendar_id": MINE, "event_id": create(lark)["event_id"]}

    assert lark.call("calendar_v4_calendarEvent_delete", path=path, params={"need_notification": "false"}) == {}

    assert refused(lark, "calendar_v4_calendarEvent_delete", path=path) == 193003


@pytest.mark.fact("event-delete")
def test_a_guest_cannot_delete_an_event_from_their_calendar(lark: LocalApp) -> None:
    of_bo(lark, attendee_ability="can_modify_event")

    assert refused(lark, "calendar_v4_calendarEvent_delete", path={"calendar_id": MINE, "event_id": BOS_ONE}) == 193002


@pytest.mark.fact("event-deleted")
def test_a_deleted_event_can_still_be_read_and_nothing_else(lark: LocalApp) -> None:
    path = {"calendar_id": MINE, "event_id": create(lark, summary="Lunch")["event_id"]}
    lark.call("calendar_v4_calendarEvent_delete", path=path)

    found = get(lark, path["event_id"])

    assert (found["summary"], found["status"]) == ("Lunch", "cancelled")
    assert refused(lark, "calendar_v4_calendarEvent_patch", path=path, data={"summary": "x"}) == 193003
    assert refused(lark, "calendar_v4_calendarEventAttendee_list", path=path) == 193003


@pytest.mark.fact("event-delete-series")
def test_a_deleted_series_leaves_its_changed_instances(lark: LocalApp) -> None:
    weekly(lark)
    patch(lark, instance("03-16"), summary="Moved")

    lark.call("calendar_v4_calendarEvent_delete", path={"calendar_id": MINE, "event_id": WEEKLY})

    found = lark.call("calendar_v4_calendarEvent_list", path={"calendar_id": MINE})["items"]
    assert [(item["summary"], item["status"]) for item in found] == [("Weekly", "cancelled"), ("Moved", "confirmed")]
    window = {"time_min": "2026-03-09T00:00:00+08:00", "time_max": "2026-04-01T00:00:00+08:00"}
    busy = lark.call("calendar_v4_freebusy_list", data={**window, "user_id": ME})["freebusy_list"]
    assert [each["start_time"] for each in busy] == ["2026-03-16T10:00:00+08:00"]


@pytest.mark.fact("event-times-only")
@pytest.mark.parametrize(("role", "titles"), [("reader", [None, "Open day"]), ("writer", ["Doctor", "Open day"])])
def test_a_private_event_shows_to_writers_only(lark: LocalApp, role: str, titles: list[str | None]) -> None:
    add(
        lark,
        event(LUNCH, EVES, "Doctor", "03-11 09:00", "03-11 10:00", visibility="private"),
        event(BOS_ONE, EVES, "Open day", "03-12 09:00", "03-12 10:00"),
        {"table": "calendar_acls", "calendar_id": EVES, "open_id": ME, "role": role, "acl_id": "user_2"},
    )

    found = lark.call("calendar_v4_calendarEvent_list", path={"calendar_id": EVES})["items"]

    assert [item.get("summary") for item in found] == titles


@pytest.mark.fact("event-times-only")
def test_who_may_see_only_busy_times_sees_no_titles(lark: LocalApp) -> None:
    add(
        lark,
        event(LUNCH, EVES, "Doctor", "03-11 09:00", "03-11 10:00"),
        event(BOS_ONE, EVES, "Open day", "03-12 09:00", "03-12 10:00", visibility="public"),
    )

    found = lark.call("calendar_v4_calendarEvent_list", path={"calendar_id": EVES})["items"]

    assert [item.get("summary") for item in found] == [None, "Open day"]
    assert found[0]["start_time"]["timestamp"] == str(at("03-11 09:00"))
