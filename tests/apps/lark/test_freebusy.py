"""When people and rooms are busy."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.lark.company import BIG, BO, BOS, EVES, GONE, ME, MINE, OUT, TEAM, add, at, attendee, event, refused

DAY = {"time_min": "2026-03-10T00:00:00+08:00", "time_max": "2026-03-11T00:00:00+08:00"}
TOOL = "calendar_v4_freebusy_list"


def uid(number: int) -> str:
    return f"00592a0e-7edf-4678-bc9d-{number:012}_0"


def busy(lark: LocalApp, **data: Any) -> list[tuple[str, str]]:
    found = lark.call(TOOL, data={**DAY, "user_id": BO, **data})["freebusy_list"]
    return [(each["start_time"][5:16], each["end_time"][5:16]) for each in found]


@pytest.mark.fact("freebusy")
def test_own_events_and_invitations_count_but_for_declined_ones(lark: LocalApp) -> None:
    add(
        lark,
        event(uid(1), MINE, "Invited", "03-10 15:00", "03-10 16:00", organizer_id=ME),
        event(uid(2), BOS, "Own", "03-10 09:00", "03-10 10:00", organizer_id=BO),
        event(uid(3), EVES, "Declined", "03-10 11:00", "03-10 12:00"),
        event(uid(4), BOS, "Cancelled", "03-10 13:00", "03-10 14:00", status="cancelled"),
        event(uid(5), TEAM, "On another calendar", "03-10 13:00", "03-10 14:00", organizer_id=BO),
        attendee(uid(1), BO, 1, rsvp_status="tentative"),
        attendee(uid(3), BO, 1, rsvp_status="decline"),
    )

    assert busy(lark) == [("03-10T09:00", "03-10T10:00"), ("03-10T15:00", "03-10T16:00")]


@pytest.mark.fact("freebusy-answers")
def test_the_answer_is_not_told_because_nobody_can_ask_for_it(lark: LocalApp) -> None:
    add(lark, event(uid(2), BOS, "Own", "03-10 09:00", "03-10 10:00", organizer_id=BO))

    (found,) = lark.call(TOOL, data={**DAY, "user_id": BO})["freebusy_list"]

    assert found == {"start_time": "2026-03-10T09:00:00+08:00", "end_time": "2026-03-10T10:00:00+08:00"}


@pytest.mark.fact("freebusy")
def test_events_marked_free_come_only_when_asked_for(lark: LocalApp) -> None:
    add(
        lark,
        event(uid(1), BOS, "Free", "03-10 09:00", "03-10 10:00", free_busy_status="free"),
        event(uid(2), MINE, "Free for Bo", "03-10 11:00", "03-10 12:00"),
        attendee(uid(2), BO, 1),
        {"table": "event_settings", "event_id": uid(2), "open_id": BO, "free_busy_status": "free"},
    )

    assert busy(lark) == []
    assert [each[0] for each in busy(lark, only_busy=False)] == ["03-10T09:00", "03-10T11:00"]


@pytest.mark.fact("freebusy")
@pytest.mark.parametrize(
    ("rule", "begins", "days"),
    [
        ("FREQ=DAILY", "03-01 10:00", ["09", "10", "11", "12", "13", "14", "15"]),
        ("FREQ=DAILY;INTERVAL=3", "03-01 10:00", ["10", "13"]),
        ("FREQ=DAILY;COUNT=10", "03-01 10:00", ["09", "10"]),
        ("FREQ=DAILY;UNTIL=20260311T020000Z", "03-01 10:00", ["09", "10", "11"]),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR", "03-02 10:00", ["09", "11", "13"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "02-24 10:00", ["10"]),
        ("FREQ=WEEKLY;INTERVAL=2", "03-04 10:00", []),
        ("FREQ=MONTHLY", "01-12 10:00", ["12"]),
        ("FREQ=MONTHLY;BYDAY=2TU", "01-13 10:00", ["10"]),
        ("FREQ=MONTHLY;BYDAY=-1FR", "01-30 10:00", []),
        ("FREQ=MONTHLY;BYMONTHDAY=-18", "01-14 10:00", ["14"]),
        ("FREQ=YEARLY;BYMONTH=3", "01-11 10:00", ["11"]),
        ("FREQ=YEARLY;BYMONTHDAY=11", "01-11 10:00", ["11"]),
        ("FREQ=MONTHLY;BYDAY=MO,2TU", "01-13 10:00", ["09", "10"]),
        ("FREQ=MONTHLY;INTERVAL=2;BYDAY=SU,5WE", "01-14 10:00", ["15"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU", "02-22 10:00", ["09"]),
        ("FREQ=DAILY;INTERVAL=7;BYDAY=TU", "03-01 10:00", []),
        ("FREQ=MONTHLY;BYDAY=99MO", "01-12 10:00", []),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "01-12 10:00", []),
    ],
)
def test_series_are_expanded(lark: LocalApp, rule: str, begins: str, days: list[str]) -> None:
    add(lark, event(uid(1), BOS, "Series", begins, begins[:6] + "11:00", recurrence=rule))

    found = busy(lark, time_min="2026-03-09T00:00:00+08:00", time_max="2026-03-16T00:00:00+08:00")

    assert [each[0][3:5] for each in found] == days
    assert {each[0][6:] for each in found} <= {"10:00"}


@pytest.mark.fact("freebusy")
def test_a_series_keeps_its_wall_clock_over_daylight_saving(lark: LocalApp) -> None:
    add(lark, event(uid(1), BOS, "Berlin", "03-23 16:00", "03-23 17:00", recurrence="FREQ=WEEKLY"))
    lark.episode.db.update("events", {"event_id": uid(1)}, start_timezone="Europe/Berlin")

    found = busy(lark, time_min="2026-03-22T00:00:00+08:00", time_max="2026-04-01T00:00:00+08:00")

    assert [each[0] for each in found] == ["03-23T16:00", "03-30T15:00"]


@pytest.mark.fact("freebusy")
def test_a_changed_instance_counts_where_it_is_now(lark: LocalApp) -> None:
    moved = f"{uid(1)[:-2]}_{at('03-10 10:00')}"
    add(
        lark,
        event(uid(1), BOS, "Daily", "03-02 10:00", "03-02 11:00", recurrence="FREQ=DAILY"),
        event(
            moved, BOS, "Daily", "03-10 14:00", "03-10 15:00", recurring_event_id=uid(1), original_at=at("03-10 10:00")
        ),
    )

    assert [each[0] for each in busy(lark)] == ["03-10T14:00"]


@pytest.mark.fact("freebusy")
def test_an_all_day_event_fills_the_day_of_who_asks(lark: LocalApp) -> None:
    start = at("03-10 08:00")
    times = {"start_at": start, "end_at": start + 86400, "start_date": "2026-03-10", "end_date": "2026-03-10"}
    add(lark, event(uid(1), BOS, "Away", "03-10 08:00", "03-11 08:00", start_timezone="UTC") | times)

    assert [each[:2] for each in busy(lark)] == [("03-10T00:00", "03-11T00:00")]


@pytest.mark.fact("freebusy")
def test_a_room_is_busy_where_it_accepted(lark: LocalApp) -> None:
    for number, answer in ((1, "accept"), (2, "decline")):
        row = {"table": "attendees", "event_id": uid(number), "attendee_id": "resource_1", "position": 0}
        add(
            lark,
            event(uid(number), BOS, "x", f"03-10 1{number}:00", f"03-10 1{number}:30"),
            {**row, "type": "resource", "room_id": BIG, "rsvp_status": answer},
        )

    assert [each[0] for each in busy(lark, user_id="", room_id=BIG)] == ["03-10T11:00"]


@pytest.mark.fact("freebusy")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"user_id": ""}, 190002),
        ({"user_id": "", "room_id": "omm_nowhere"}, 190002),
        ({"user_id": "ou_nobody"}, 195100),
        ({"user_id": GONE}, 195100),
        ({"user_id": OUT}, 195100),
        ({"time_min": "yesterday"}, 190002),
        ({"time_min": "2026-03-10T00:00:00"}, 190002),
        ({"time_max": "2026-03-09T00:00:00+08:00"}, 190002),
        ({"time_max": "2026-06-09T00:00:00+08:00"}, 190002),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(lark: LocalApp, data: dict[str, Any], code: int) -> None:
    assert refused(lark, TOOL, data={**DAY, "user_id": BO, **data}) == code
