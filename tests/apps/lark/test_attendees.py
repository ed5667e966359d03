"""Attendees: invited, listed, taken off."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.lark.company import (
    BIG,
    BO,
    BOS,
    ELSEWHERE,
    EVE,
    GONE,
    GROUP,
    ME,
    MINE,
    OPEN,
    OUT,
    SMALL,
    add,
    at,
    attendee,
    event,
    refused,
)

MEETING, TAKEN, BOS_ONE = (f"00592a0e-7edf-4678-bc9d-{digit * 12}_0" for digit in "123")
PATH = {"calendar_id": MINE, "event_id": MEETING}


@pytest.fixture
def meeting(lark: LocalApp) -> LocalApp:
    """A meeting of mine on Tuesday at ten, nobody invited."""
    add(lark, event(MEETING, MINE, "Meeting", "03-10 10:00", "03-10 11:00", organizer_id=ME))
    return lark


def invite(lark: LocalApp, *guests: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    data = {"attendees": list(guests), **more}
    found: list[dict[str, Any]] = lark.call("calendar_v4_calendarEventAttendee_create", path=PATH, data=data)[
        "attendees"
    ]
    return found


def listed(lark: LocalApp, path: dict[str, str] = PATH, **params: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = lark.call("calendar_v4_calendarEventAttendee_list", path=path, params=params)["items"]
    return found


def person(open_id: str, **more: Any) -> dict[str, Any]:
    return {"type": "user", "user_id": open_id, **more}


def room(room_id: str) -> dict[str, Any]:
    return {"type": "resource", "room_id": room_id}


def take_off(lark: LocalApp, *guests: dict[str, Any]) -> None:
    data = {"delete_ids": list(guests)}
    assert lark.call("calendar_v4_calendarEventAttendee_batchDelete", path=PATH, data=data) == {}


@pytest.mark.fact("attendee-add")
def test_everyone_invited_comes_back_and_has_not_answered(meeting: LocalApp) -> None:
    invite(meeting, person(BO))

    found = invite(meeting, person(EVE, is_optional=True), {"type": "third_party", "third_party_email": "a@b.example"})

    assert found[0].pop("attendee_id").startswith("user_")
    assert found[0] == {
        "type": "user",
        "rsvp_status": "needs_action",
        "is_optional": False,
        "is_organizer": False,
        "is_external": False,
        "display_name": "吴博",
        "user_id": BO,
    }
    assert [(each["display_name"], each["is_optional"], each["is_external"]) for each in found] == [
        ("吴博", False, False),
        ("夏娃", True, False),
        ("a@b.example", False, True),
    ]


@pytest.mark.fact("attendee-add")
def test_the_organizer_invited_by_themselves_has_accepted(meeting: LocalApp) -> None:
    (me,) = invite(meeting, person(ME))

    assert (me["rsvp_status"], me["is_organizer"]) == ("accept", True)


@pytest.mark.fact("attendee-add")
def test_an_invitation_shows_on_the_guests_primary_calendar(meeting: LocalApp) -> None:
    meeting.episode.db.update("events", {"event_id": MEETING}, visibility="public")
    invite(meeting, person(BO))

    found = meeting.call("calendar_v4_calendarEvent_list", path={"calendar_id": BOS})["items"]

    assert [(item["event_id"], item["organizer_calendar_id"]) for item in found] == [(MEETING, MINE)]


@pytest.mark.fact("attendee-add")
def test_ids_come_in_the_flavour_they_were_asked_in(meeting: LocalApp) -> None:
    found = meeting.call(
        "calendar_v4_calendarEventAttendee_create",
        path=PATH,
        data={"attendees": [person("on_" + BO[-1] * 32)]},
        params={"user_id_type": "union_id"},
    )

    assert found["attendees"][0]["user_id"] == "on_" + BO[-1] * 32


@pytest.mark.fact("attendee-again")
def test_inviting_somebody_twice_changes_nothing(meeting: LocalApp) -> None:
    first = invite(meeting, person(BO), person(BO, is_optional=True))

    assert len(first) == 1
    assert invite(meeting, person(BO)) == first


@pytest.mark.fact("attendee-add")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({}, 190002),
        ({"attendees": []}, 190002),
        ({"attendees": [{"type": "user"}]}, 190002),
        ({"attendees": [{"type": "third_party", "third_party_email": "nobody"}]}, 190002),
        ({"attendees": [room("omm_nowhere")]}, 190002),
        ({"attendees": [{"type": "chat", "chat_id": ELSEWHERE}]}, 190002),
        ({"attendees": [person(BO)], "is_enable_admin": True}, 190002),
        ({"attendees": [person(BO)] * 1001}, 99992402),
        ({"attendees": [{**room(BIG), "approval_reason": "x" * 201}]}, 99992402),
    ],
)
def test_guests_that_make_no_sense_are_refused(meeting: LocalApp, data: dict[str, Any], code: int) -> None:
    assert refused(meeting, "calendar_v4_calendarEventAttendee_create", path=PATH, data=data) == code


@pytest.mark.fact("attendee-unknown")
@pytest.mark.parametrize(
    ("guest", "code"),
    [
        (person("ou_nobody"), 195100),
        (person(GONE), 195100),
        (person(OUT), 195100),
        ({**room(BIG), "operate_id": OUT}, 195100),
        ({"user_id": BO}, 194004),
    ],
)
def test_who_left_or_never_was_cannot_come(meeting: LocalApp, guest: dict[str, Any], code: int) -> None:
    data = {"attendees": [person(EVE), guest]}

    assert refused(meeting, "calendar_v4_calendarEventAttendee_create", path=PATH, data=data) == code


@pytest.mark.fact("attendee-group")
def test_a_group_brings_its_members(meeting: LocalApp) -> None:
    (group,) = invite(meeting, {"type": "chat", "chat_id": GROUP})

    assert (group["display_name"], group["chat_id"]) == ("Launch", GROUP)
    assert sorted(each["display_name"] for each in group["chat_members"]) == sorted(["林晚", "吴博", "夏娃"])
    assert {each["rsvp_status"] for each in group["chat_members"]} == {"needs_action"}
    found = meeting.call("calendar_v4_calendarEvent_list", path={"calendar_id": BOS})["items"]
    assert [item["event_id"] for item in found] == [MEETING]


@pytest.mark.fact("attendee-group")
def test_a_group_as_such_never_answers(meeting: LocalApp) -> None:
    invite(meeting, {"type": "chat", "chat_id": GROUP})
    meeting.episode.db.update("attendees", {"event_id": MEETING}, rsvp_status="accept")

    assert listed(meeting)[0]["rsvp_status"] == "needs_action"


@pytest.mark.fact("attendee-optional")
def test_members_of_an_optional_group_are_not_optional(meeting: LocalApp) -> None:
    (group,) = invite(meeting, {"type": "chat", "chat_id": GROUP, "is_optional": True})

    assert group["is_optional"]
    assert [each["is_optional"] for each in group["chat_members"]] == [False] * 3


@pytest.mark.fact("attendee-outside")
@pytest.mark.parametrize(("id_type", "told"), [("user_id", OUT), ("union_id", "on_" + OUT[3:]), ("open_id", OUT)])
def test_an_outsider_is_told_by_no_user_id(meeting: LocalApp, id_type: str, told: str) -> None:
    add(meeting, attendee(MEETING, OUT, 1))

    (outsider,) = listed(meeting, user_id_type=id_type)

    assert (outsider["user_id"], outsider["is_external"]) == (told, True)


@pytest.mark.fact("attendee-contact")
@pytest.mark.parametrize(("more", "invited"), [({}, [BO]), ({"add_operator_to_attendee": False}, [])])
def test_who_answers_for_a_room_is_invited_unless_that_is_unwanted(
    meeting: LocalApp, more: dict[str, bool], invited: list[str]
) -> None:
    found = invite(meeting, {**room(BIG), "operate_id": BO}, **more)

    assert found[0]["operate_id"] == BO
    assert [each["user_id"] for each in found[1:]] == invited


@pytest.mark.fact("attendee-room")
def test_a_free_room_accepts_once_the_call_is_over(meeting: LocalApp) -> None:
    (booked,) = invite(meeting, room(BIG))

    assert (booked["rsvp_status"], booked["operate_id"]) == ("needs_action", ME)
    assert listed(meeting)[0]["rsvp_status"] == "accept"


@pytest.mark.fact("attendee-room")
@pytest.mark.parametrize("rule", ["", "FREQ=DAILY"])
def test_a_room_that_is_taken_declines(meeting: LocalApp, rule: str) -> None:
    begins = "03-10 10:30" if not rule else "03-02 10:30"
    taken = event(TAKEN, BOS, "Taken", begins, begins[:6] + "11:30", recurrence=rule)
    booking = {"table": "attendees", "event_id": TAKEN, "attendee_id": "resource_1", "position": 0, "type": "resource"}
    add(meeting, taken, {**booking, "room_id": BIG, "rsvp_status": "accept"})

    invite(meeting, room(BIG), room(SMALL))

    assert [each["rsvp_status"] for each in listed(meeting)] == ["decline", "accept"]


@pytest.mark.fact("attendee-room")
def test_a_room_answers_again_when_the_meeting_moves(meeting: LocalApp) -> None:
    booking = {"table": "attendees", "event_id": TAKEN, "attendee_id": "resource_1", "position": 0, "type": "resource"}
    add(
        meeting,
        event(TAKEN, BOS, "Taken", "03-11 10:00", "03-11 11:00"),
        {**booking, "room_id": BIG, "rsvp_status": "accept"},
    )
    invite(meeting, room(BIG))

    times = {
        "start_time": {"timestamp": str(at("03-11 10:30"))},
        "end_time": {"timestamp": str(at("03-11 11:30"))},
    }
    meeting.call("calendar_v4_calendarEvent_patch", path=PATH, data=times)

    assert listed(meeting)[0]["rsvp_status"] == "decline"


def of_bo(lark: LocalApp, ability: str) -> dict[str, str]:
    add(
        lark,
        event(BOS_ONE, BOS, "Bo's", "03-11 10:00", "03-11 11:00", organizer_id=BO, attendee_ability=ability),
        attendee(BOS_ONE, BO, 0, is_organizer=1),
        attendee(BOS_ONE, ME, 1),
    )
    return {"calendar_id": MINE, "event_id": BOS_ONE}


@pytest.mark.fact("attendee-ability")
@pytest.mark.parametrize(
    ("ability", "codes"),
    [
        ("none", (194001, 194002, 194003)),
        ("can_see_others", (None, 194002, 194003)),
        ("can_invite_others", (None, None, 194003)),
        ("can_modify_event", (None, None, 194003)),
    ],
)
def test_what_a_guest_may_do_follows_from_the_ability(
    lark: LocalApp, ability: str, codes: tuple[int | None, ...]
) -> None:
    path = of_bo(lark, ability)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("calendar_v4_calendarEventAttendee_list", {}),
        ("calendar_v4_calendarEventAttendee_create", {"data": {"attendees": [person(EVE)]}}),
        ("calendar_v4_calendarEventAttendee_batchDelete", {"data": {"attendee_ids": ["user_0"]}}),
    ]

    for (tool, more), code in zip(calls, codes, strict=True):
        if code is None:
            lark.call(tool, path=path, **more)
        else:
            assert refused(lark, tool, path=path, **more) == code


@pytest.mark.fact("attendee-ability")
def test_guests_of_a_private_event_are_hidden_from_readers_of_its_calendar(lark: LocalApp) -> None:
    for number, visibility in ((4, "default"), (5, "private")):
        row = event(f"00592a0e-7edf-4678-bc9d-{number:012}_0", OPEN, "x", "03-11 10:00", "03-11 11:00")
        add(lark, {**row, "organizer_id": BO, "visibility": visibility}, attendee(row["event_id"], EVE, 0))
    shown, hidden = ({"calendar_id": OPEN, "event_id": f"00592a0e-7edf-4678-bc9d-{number:012}_0"} for number in (4, 5))

    assert [each["user_id"] for each in listed(lark, shown)] == [EVE]
    assert refused(lark, "calendar_v4_calendarEventAttendee_list", path=hidden) == 194001


@pytest.mark.fact("attendee-list")
def test_attendees_come_in_pages_of_ten_or_more(meeting: LocalApp) -> None:
    invite(meeting, *({"type": "third_party", "third_party_email": f"u{n:02}@b.example"} for n in range(12)))

    first = meeting.call("calendar_v4_calendarEventAttendee_list", path=PATH, params={"page_size": 1})
    rest = meeting.call("calendar_v4_calendarEventAttendee_list", path=PATH, params={"page_token": first["page_token"]})

    assert list(first) == ["has_more", "items", "page_token"]
    assert (len(first["items"]), first["has_more"]) == (10, True)
    assert [each["third_party_email"] for each in rest["items"]] == ["u10@b.example", "u11@b.example"]
    assert (rest["has_more"], rest["page_token"]) == (False, "")


@pytest.mark.fact("attendee-list")
@pytest.mark.parametrize(("params", "code"), [({"page_size": 101}, 99992402), ({"page_token": "x"}, 190008)])
def test_a_page_that_is_none_is_refused(meeting: LocalApp, params: dict[str, Any], code: int) -> None:
    assert refused(meeting, "calendar_v4_calendarEventAttendee_list", path=PATH, params=params) == code


@pytest.mark.fact("attendee-delete")
def test_attendees_go_by_id_and_by_who_they_are(meeting: LocalApp) -> None:
    found = invite(meeting, person(BO), person(EVE), room(BIG), {"type": "chat", "chat_id": GROUP})
    data = {
        "attendee_ids": [found[0]["attendee_id"]],
        "delete_ids": [room(BIG), {"type": "chat", "chat_id": GROUP}],
    }

    assert meeting.call("calendar_v4_calendarEventAttendee_batchDelete", path=PATH, data=data) == {}

    assert [(each["type"], each["rsvp_status"]) for each in listed(meeting)] == [
        ("user", "removed"),
        ("user", "needs_action"),
        ("resource", "removed"),
        ("chat", "removed"),
    ]
    assert {member["rsvp_status"] for member in listed(meeting)[3]["chat_members"]} == {"removed"}


@pytest.mark.fact("attendee-removed")
def test_who_was_taken_off_has_nothing_of_the_event_any_more(meeting: LocalApp) -> None:
    meeting.episode.db.update("events", {"event_id": MEETING}, visibility="public")
    invite(meeting, person(BO), room(BIG))
    take_off(meeting, person(BO), room(BIG))

    assert meeting.call("calendar_v4_calendarEvent_list", path={"calendar_id": BOS})["items"] == []
    window = {"time_min": "2026-03-10T00:00:00+08:00", "time_max": "2026-03-11T00:00:00+08:00"}
    for whose in ({"user_id": BO}, {"room_id": BIG}):
        assert meeting.call("calendar_v4_freebusy_list", data={**window, **whose})["freebusy_list"] == []
    data = {"delete_ids": [person(BO)]}
    assert refused(meeting, "calendar_v4_calendarEventAttendee_batchDelete", path=PATH, data=data) == 194000


@pytest.mark.fact("attendee-removed")
def test_who_was_taken_off_is_asked_again_in_the_old_place(meeting: LocalApp) -> None:
    before = invite(meeting, person(BO), {"type": "chat", "chat_id": GROUP}, person(EVE))
    take_off(meeting, person(BO), {"type": "chat", "chat_id": GROUP})

    again = invite(meeting, {"type": "chat", "chat_id": GROUP}, person(BO, is_optional=True))

    assert [each["attendee_id"] for each in again] == [each["attendee_id"] for each in before]
    assert [each["rsvp_status"] for each in again] == ["needs_action"] * 3
    assert {member["rsvp_status"] for member in again[1]["chat_members"]} == {"needs_action"}
    assert again[0]["is_optional"] is True


@pytest.mark.fact("attendee-removed")
def test_a_room_that_was_taken_off_does_not_answer_when_the_meeting_moves(meeting: LocalApp) -> None:
    invite(meeting, room(BIG))
    take_off(meeting, room(BIG))

    times = {"start_time": {"timestamp": str(at("03-11 10:30"))}, "end_time": {"timestamp": str(at("03-11 11:30"))}}
    meeting.call("calendar_v4_calendarEvent_patch", path=PATH, data=times)

    assert listed(meeting)[0]["rsvp_status"] == "removed"


@pytest.mark.fact("attendee-delete")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({}, 190002),
        ({"attendee_ids": ["user_0"]}, 194000),
        ({"delete_ids": [person(OUT)]}, 194000),
        ({"delete_ids": [{"user_id": BO}]}, 194004),
        ({"delete_ids": [{"type": "user"}]}, 190002),
        ({"attendee_ids": ["user_0"] * 501}, 99992402),
    ],
)
def test_taking_off_nobody_or_strangers_is_refused(meeting: LocalApp, data: dict[str, Any], code: int) -> None:
    assert refused(meeting, "calendar_v4_calendarEventAttendee_batchDelete", path=PATH, data=data) == code
