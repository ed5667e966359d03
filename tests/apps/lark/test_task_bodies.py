"""What the task tools answer, beside bodies of the real service (``real_bodies`` says how)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.lark import real_bodies
from tests.apps.lark import workspace as w
from tests.conftest import Start

PATH = {"task_guid": w.MINE}
# Everything a task can be given, so that what is shown of it is shown.
WHOLE: dict[str, Any] = {
    "summary": "Buy lamps",
    "description": "two of them",
    "due": {"timestamp": str(w.MONDAY + w.DAY)},
    "start": {"timestamp": str(w.MONDAY)},
    "completed_at": str(w.NOW),
    "members": [{"id": w.ME, "role": "assignee"}, {"id": w.BO, "role": "follower"}],
    "reminders": [{"relative_fire_minute": 30}],
    "tasklists": [{"tasklist_guid": w.LAUNCH_LIST}],
    "origin": {"platform_i18n_name": {"en_us": "desk"}, "href": {"url": "https://a.example", "title": "A question"}},
    "extra": "dGVzdA==",
    "repeat_rule": "FREQ=WEEKLY;INTERVAL=1;BYDAY=MO",
    "custom_complete": {"pc": {"href": "https://a.example", "tip": {"en_us": "there"}}},
}


@pytest.fixture
def lark(start: Start) -> LocalApp:
    return start("lark", rows=w.rows(), me="wan")


def create(lark: LocalApp, **data: Any) -> Any:
    return lark.call("task_v2_task_create", data={**WHOLE, **data})


def get(lark: LocalApp) -> Any:
    made = lark.call(
        "task_v2_task_create",
        data={
            "summary": "Choose who votes",
            "members": [{"id": w.ME, "role": "follower"}],
            "tasklists": [{"tasklist_guid": w.LAUNCH_LIST}],
        },
    )
    path = {"task_guid": made["task"]["guid"]}
    return lark.call("task_v2_task_get", path=path, params={"user_id_type": "union_id"})


def get_whole(lark: LocalApp) -> Any:
    guid = create(lark)["task"]["guid"]
    # What no tool makes and a world may hold.
    field = {"guid": "a4f648d7-76ef-477f-bc8e-0601b5a60093", "type": "number", "name": "Cost", "number_value": "10.23"}
    lark.episode.db.update("tasks", {"guid": guid}, custom_fields=json.dumps([field]))
    lark.episode.db.insert("task_reminders", reminder_id="11", task_guid=guid, relative_fire_minute=30, kind="positive")
    return lark.call("task_v2_task_get", path={"task_guid": guid})


def listed(lark: LocalApp) -> Any:
    create(lark)
    return lark.call("task_v2_task_list")


def patch(lark: LocalApp) -> Any:
    path = {"task_guid": create(lark)["task"]["guid"]}
    data = {"task": {"summary": "Buy three lamps"}, "update_fields": ["summary"]}
    return lark.call("task_v2_task_patch", path=path, data=data)


def add_members(lark: LocalApp) -> Any:
    data = {"members": [{"id": w.BO, "role": "assignee"}]}
    return lark.call("task_v2_task_addMembers", path={"task_guid": create(lark)["task"]["guid"]}, data=data)


def add_reminders(lark: LocalApp) -> Any:
    path = {"task_guid": create(lark, reminders=[])["task"]["guid"]}
    return lark.call("task_v2_task_addReminders", path=path, data={"reminders": [{"relative_fire_minute": 30}]})


CALLS: dict[str, Callable[[LocalApp], Any]] = {
    "task_v2_task_create": create,
    "task_v2_task_get": get,
    "task_v2_task_get.documented": get_whole,
    "task_v2_task_list": listed,
    "task_v2_task_patch": patch,
    "task_v2_task_addMembers": add_members,
    "task_v2_task_addReminders": add_reminders,
}


@pytest.mark.fact("calendar-bodies")
def test_every_real_body_of_a_task_tool_is_compared() -> None:
    assert sorted(CALLS) == real_bodies.names("task_v2_")


@pytest.mark.fact("calendar-bodies")
def test_every_task_tool_has_a_real_body(lark: LocalApp) -> None:
    tools = {tool["name"] for tool in lark.store.loaded.tool_schemas if tool["name"].startswith("task_v2_")}

    assert tools == {name.partition(".")[0] for name in CALLS}


@pytest.mark.fact("calendar-bodies")
@pytest.mark.parametrize("name", CALLS)
def test_an_answer_has_the_members_of_a_real_one_but_for_what_is_meant(lark: LocalApp, name: str) -> None:
    sample = real_bodies.load(name)

    ours = CALLS[name](lark)

    assert bool(ours) == bool(sample["body"])
    assert real_bodies.differences(sample, ours) == set(sample["differences"])
