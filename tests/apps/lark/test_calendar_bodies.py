"""What the calendar and task tools answer, beside bodies of the real service (``real_bodies`` says how)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.lark import real_bodies
from tests.apps.lark.company import BO, BOS, ME, MINE, add, attendee, event

WEEKLY = "00592a0e-7edf-4678-bc9d-111111111111_0"


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


CALLS: dict[str, Callable[[LocalApp], Any]] = {
    "calendar_v4_calendarEvent_get": event_get,
}


@pytest.mark.fact("calendar-bodies")
@pytest.mark.parametrize("name", CALLS)
def test_an_answer_has_the_members_of_a_real_one_but_for_what_is_meant(lark: LocalApp, name: str) -> None:
    sample = real_bodies.load(name)

    ours = CALLS[name](lark)

    assert real_bodies.differences(sample, ours) == set(sample["differences"])
