"""Lists and searches of events."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.lark.company import (
    BIG,
    BO,
    BOS,
    EVE,
    GROUP,
    ME,
    MINE,
    TEAM,
    add,
    at,
    attendee,
    calendar,
    event,
    refused,
    timed,
)

PATH = {"calendar_id": MINE}


def uid(number: int) -> str:
    return f"00592a0e-7edf-4678-bc9d-{number:012}_0"


@pytest.fixture
def full(lark: LocalApp) -> LocalApp:
    """My calendar: a lunch, a series, an invitation, one cancelled; and one on a calendar I write on."""
    add(
        lark,
        event(uid(1), MINE, "Team lunch", "03-10 12:00", "03-10 13:00", organizer_id=ME),
        event(uid(2), MINE, "Stand-up S2", "03-02 09:30", "03-02 09:45", organizer_id=ME, recurrence="FREQ=DAILY"),
        event(uid(3), BOS, "Bo's review", "03-11 10:00", "03-11 11:00", organizer_id=BO),
        event(uid(4), MINE, "Off", "03-10 15:00", "03-10 16:00", organizer_id=ME, status="cancelled"),
        event(uid(5), TEAM, "Team day", "03-12 10:00", "03-12 11:00", organizer_id=BO),
        event(uid(6), BOS, "Bo alone", "03-11 12:00", "03-11 13:00", organizer_id=BO),
        attendee(uid(3), ME, 1),
        attendee(uid(1), EVE, 1),
    )
    return lark


def listed(lark: LocalApp, **params: Any) -> list[str]:
    found = lark.call("calendar_v4_calendarEvent_list", path=PATH, params=params)
    return [item["summary"] for item in found["items"]]


def searched(lark: LocalApp, query: str, **filter_: Any) -> list[str]:
    found = lark.call("calendar_v4_calendarEvent_search", path=PATH, data={"query": query, "filter": filter_})
    return [item["summary"] for item in found["items"]]


@pytest.mark.fact("event-list")
def test_my_calendar_lists_my_events_and_invitations_series_once(full: LocalApp) -> None:
    full.episode.db.delete("events", event_id=uid(4))

    found = full.call("calendar_v4_calendarEvent_list", path=PATH)

    assert list(found) == ["has_more", "items", "page_token", "sync_token"]
    assert [item["summary"] for item in found["items"]] == ["Stand-up S2", "Team lunch", "Bo's review"]
    assert found["items"][0]["recurrence"] == "FREQ=DAILY"
    assert found["items"][2]["organizer_calendar_id"] == BOS


@pytest.mark.fact("event-list")
def test_a_shared_calendar_lists_only_its_own_events(full: LocalApp) -> None:
    found = full.call("calendar_v4_calendarEvent_list", path={"calendar_id": TEAM})

    assert [item["summary"] for item in found["items"]] == ["Team day"]


@pytest.mark.fact("event-deleted")
def test_what_was_deleted_stays_in_lists_as_cancelled(full: LocalApp) -> None:
    instance = f"{uid(2)[:-2]}_{at('03-10 09:30')}"
    full.call("calendar_v4_calendarEvent_delete", path={**PATH, "event_id": instance})

    found = full.call("calendar_v4_calendarEvent_list", path=PATH)["items"]

    assert [(item["event_id"], item["is_exception"]) for item in found if item["status"] == "cancelled"] == [
        (instance, True),
        (uid(4), False),
    ]


def sixty_more(full: LocalApp) -> None:
    for number in range(60):
        add(full, event(uid(100 + number), MINE, f"e{number}", "04-01 10:00", "04-01 11:00"))


@pytest.mark.fact("event-pages")
def test_events_from_an_anchor_on_come_in_pages(full: LocalApp) -> None:
    sixty_more(full)

    first = full.call("calendar_v4_calendarEvent_list", path=PATH, params={"page_size": 50, "anchor_time": "1"})
    second = full.call("calendar_v4_calendarEvent_list", path=PATH, params={"page_token": first["page_token"]})

    assert (len(first["items"]), first["has_more"]) == (50, True)
    assert (len(second["items"]), second["has_more"], second["page_token"]) == (14, False, "")
    assert second["sync_token"].startswith("ListEventsSyncToken_")


@pytest.mark.fact("event-pages")
def test_without_an_anchor_there_is_no_way_to_a_second_page(full: LocalApp) -> None:
    sixty_more(full)

    found = full.call("calendar_v4_calendarEvent_list", path=PATH, params={"page_size": 50})

    assert (len(found["items"]), found["has_more"], found["page_token"]) == (50, True, "")
    assert "sync_token" not in found


@pytest.mark.fact("event-list")
@pytest.mark.parametrize("size", [10, 1001])
def test_a_page_out_of_range_is_refused(full: LocalApp, size: int) -> None:
    assert refused(full, "calendar_v4_calendarEvent_list", path=PATH, params={"page_size": size}) == 99992402


@pytest.mark.fact("event-window")
@pytest.mark.parametrize(
    ("begins", "ends", "found"),
    [
        ("03-10 00:00", "03-11 00:00", ["Stand-up S2", "Team lunch", "Off"]),
        ("03-10 12:30", "03-10 12:40", ["Team lunch"]),
        ("03-10 13:00", "03-10 14:00", []),
        ("03-11 09:45", "03-11 10:30", ["Bo's review"]),
    ],
)
def test_a_window_has_what_overlaps_it(full: LocalApp, begins: str, ends: str, found: list[str]) -> None:
    assert listed(full, start_time=str(at(begins)), end_time=str(at(ends))) == found


@pytest.mark.fact("event-window")
@pytest.mark.parametrize(
    "params",
    [
        {"start_time": "1"},
        {"end_time": "1"},
        {"start_time": "2", "end_time": "1"},
        {"start_time": "soon", "end_time": "1"},
        {"start_time": "1", "end_time": "2", "page_token": "x"},
        {"start_time": "1", "end_time": "2", "anchor_time": "1"},
        {"anchor_time": "soon"},
    ],
)
def test_times_that_do_not_go_together_are_invalid(full: LocalApp, params: dict[str, str]) -> None:
    assert refused(full, "calendar_v4_calendarEvent_list", path=PATH, params=params) == 190002


@pytest.mark.fact("event-sync")
def test_a_sync_token_brings_what_changed_since(full: LocalApp) -> None:
    token = full.call("calendar_v4_calendarEvent_list", path=PATH)["sync_token"]
    full.call("calendar_v4_calendarEvent_delete", path={**PATH, "event_id": uid(1)})

    found = full.call("calendar_v4_calendarEvent_list", path=PATH, params={"sync_token": token})

    assert [(item["summary"], item["status"]) for item in found["items"]] == [("Team lunch", "cancelled")]
    assert listed(full, sync_token=found["sync_token"]) == []


@pytest.mark.fact("event-sync")
@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"sync_token": "ListEventsSyncToken_1", "start_time": "1", "end_time": "2"}, 190009),
        ({"sync_token": "ListEventsSyncToken_1", "anchor_time": "1"}, 190009),
        ({"sync_token": "ListCalendarsSyncToken_1"}, 190008),
        ({"page_token": "nonsense"}, 190008),
    ],
)
def test_a_sync_token_stands_alone(full: LocalApp, params: dict[str, str], code: int) -> None:
    assert refused(full, "calendar_v4_calendarEvent_list", path=PATH, params=params) == code


@pytest.mark.fact("event-anchor")
def test_an_anchor_leaves_out_what_is_over_but_no_series(full: LocalApp) -> None:
    assert listed(full, anchor_time=str(at("03-11 00:00"))) == ["Stand-up S2", "Bo's review"]


@pytest.mark.fact("event-search")
def test_without_times_only_the_past_month_is_searched(full: LocalApp) -> None:
    assert searched(full, "team") == []
    assert searched(full, "S2") == ["Stand-up S2"]


@pytest.mark.fact("event-search")
def test_every_word_must_be_in_the_title(full: LocalApp) -> None:
    window = timed("03-09 00:00", "03-13 00:00")

    assert searched(full, "LUNCH team", **window) == ["Team lunch"]
    assert searched(full, "lunch review", **window) == []
    assert searched(full, "", **window) == ["Stand-up S2", "Team lunch", "Bo's review"]


@pytest.mark.fact("event-search")
def test_filters_keep_events_of_people_rooms_and_groups(full: LocalApp) -> None:
    window = timed("03-09 00:00", "03-13 00:00")
    room = {"table": "attendees", "event_id": uid(1), "attendee_id": "resource_1", "position": 2, "type": "resource"}
    group = {"table": "attendees", "event_id": uid(2), "attendee_id": "chat_1", "position": 2, "type": "chat"}
    add(full, {**room, "room_id": BIG}, {**group, "chat_id": GROUP})

    assert searched(full, "", user_ids=[EVE], **window) == ["Team lunch"]
    assert searched(full, "", user_ids=[BO], **window) == ["Bo's review"]
    assert searched(full, "", room_ids=[BIG], **window) == ["Team lunch"]
    assert searched(full, "", chat_ids=[GROUP], **window) == ["Stand-up S2"]
    assert searched(full, "", user_ids=["ou_nobody"], **window) == []


@pytest.mark.fact("event-search-underscore")
@pytest.mark.parametrize(
    ("query", "found"),
    [("day_2", []), ("team", []), ("Team_Day_2", ["team_day_2 dinner"]), ("dinn", ["team_day_2 dinner"])],
)
def test_a_word_with_an_underscore_is_found_as_a_whole_only(lark: LocalApp, query: str, found: list[str]) -> None:
    add(lark, event(uid(1), MINE, "team_day_2 dinner", "03-10 12:00", "03-10 13:00", organizer_id=ME))

    assert searched(lark, query, **timed("03-01 00:00", "04-01 00:00")) == found


@pytest.mark.fact("event-search")
def test_a_search_page_has_at_least_ten(full: LocalApp) -> None:
    for number in range(12):
        add(full, event(uid(200 + number), MINE, f"lamp {number}", "03-08 10:00", "03-08 11:00"))

    first = full.call("calendar_v4_calendarEvent_search", path=PATH, data={"query": "lamp"}, params={"page_size": 2})
    rest = full.call(
        "calendar_v4_calendarEvent_search",
        path=PATH,
        data={"query": "lamp"},
        params={"page_token": first["page_token"]},
    )

    assert (len(first["items"]), first["page_token"]) == (10, "10")
    assert (len(rest["items"]), rest["page_token"]) == (2, "")
    assert "vchat" not in first["items"][0]


@pytest.mark.fact("event-search")
@pytest.mark.parametrize(
    ("path", "data", "params", "code"),
    [
        (PATH, {"query": "x" * 201}, {}, 99992402),
        (PATH, {"query": ""}, {"page_size": 101}, 99992402),
        (PATH, {"query": ""}, {"page_token": "x"}, 190008),
        (PATH, {"query": "", "filter": {"start_time": {}, "end_time": {"timestamp": "x"}}}, {}, 190002),
        (PATH, {"query": "", "filter": timed("03-12 00:00", "03-11 00:00")}, {}, 190002),
        ({"calendar_id": BOS}, {"query": ""}, {}, 191002),
    ],
)
def test_a_search_that_cannot_be_made_says_why(
    full: LocalApp, path: dict[str, str], data: dict[str, Any], params: dict[str, Any], code: int
) -> None:
    assert refused(full, "calendar_v4_calendarEvent_search", path=path, data=data, params=params) == code


@pytest.mark.fact("event-types")
@pytest.mark.parametrize(
    ("kind", "is_listed", "is_searched"),
    [("shared", True, True), ("resource", True, False), ("google", False, False), ("exchange", False, False)],
)
def test_bound_calendars_are_neither_listed_nor_searched_and_rooms_only_listed(
    lark: LocalApp, kind: str, is_listed: bool, is_searched: bool
) -> None:
    feed = "feishu.cn_feed000000000@group.calendar.feishu.cn"
    add(lark, calendar(feed, ME, "Feed", type=kind))
    arguments = {"path": {"calendar_id": feed}}

    if is_listed:
        assert lark.call("calendar_v4_calendarEvent_list", **arguments)["items"] == []
    else:
        assert refused(lark, "calendar_v4_calendarEvent_list", **arguments) == 191004
    arguments["data"] = {"query": "x"}
    if is_searched:
        assert lark.call("calendar_v4_calendarEvent_search", **arguments)["items"] == []
    else:
        assert refused(lark, "calendar_v4_calendarEvent_search", **arguments) == 191004
