"""Tasks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.lark import workspace as w
from tests.conftest import Start

NOON = w.MONDAY + 12 * 3_600_000
BLOCK = "b" * 27
LANGUAGES = ["de_de", "en_us", "es_es", "fr_fr", "it_it", "ja_jp", "ko_kr", "ru_ru", "th_th", "zh_cn", "zh_hk", "zh_tw"]
UTC_DAY = 1_773_014_400_000  # 9 March 2026, 00:00 UTC


@pytest.fixture
def lark(start: Start) -> LocalApp:
    return start("lark", rows=w.rows(), me="wan")


def refusal(lark: LocalApp, tool: str, **arguments: Any) -> VendorError:
    before = lark.changes()
    with pytest.raises(VendorError) as refused:
        lark.call(tool, **arguments)
    assert lark.changes() == before
    return refused.value


def create(lark: LocalApp, **data: Any) -> dict[str, Any]:
    task: dict[str, Any] = lark.call("task_v2_task_create", data={"summary": "Buy lamps", **data})["task"]
    return task


def patch(lark: LocalApp, guid: str, *names: str, **task: Any) -> dict[str, Any]:
    data = {"update_fields": list(names) or list(task), "task": task}
    patched: dict[str, Any] = lark.call("task_v2_task_patch", path={"task_guid": guid}, data=data)["task"]
    return patched


def why_not(lark: LocalApp, guid: str, *names: str, **task: Any) -> tuple[object, str]:
    data = {"update_fields": list(names) or list(task), "task": task}
    refused = refusal(lark, "task_v2_task_patch", path={"task_guid": guid}, data=data)
    return refused.code, refused.message


def mine(lark: LocalApp, **params: Any) -> list[str]:
    return [task["summary"] for task in lark.call("task_v2_task_list", params=params)["items"]]


@pytest.mark.fact("task-shape")
def test_a_plain_task_is_open_and_mine_to_edit_but_has_no_members(lark: LocalApp) -> None:
    task = create(lark)

    now = str(w.NOW)
    assert task == {
        "guid": task["guid"],
        "summary": "Buy lamps",
        "description": "",
        "creator": {"id": w.ME, "type": "user"},
        "members": [],
        "completed_at": "0",
        "origin": {"platform_i18n_name": dict.fromkeys(LANGUAGES, ""), "href": {"title": "", "url": ""}},
        "extra": "",
        "tasklists": [],
        "repeat_rule": "",
        "parent_task_guid": "",
        "mode": 2,
        "source": 7,
        "task_id": "t100005",
        "created_at": now,
        "updated_at": now,
        "status": "todo",
        "url": f"https://applink.feishu.cn/client/todo/detail?guid={task['guid']}&suite_entity_num=t100005",
        "subtask_count": 0,
        "is_milestone": False,
        "dependencies": [],
    }
    assert lark.call("task_v2_task_get", path={"task_guid": task["guid"]})["task"] == task


@pytest.mark.fact("task-create")
def test_everything_said_of_a_task_is_kept(lark: LocalApp) -> None:
    origin = {"platform_i18n_name": {"en_us": "desk"}, "href": {"url": "https://a.b", "title": "t"}}
    task = create(
        lark,
        description="two of them",
        due={"timestamp": str(NOON + 956)},
        start={"timestamp": str(NOON - 1)},
        members=[{"id": w.BO, "role": "assignee"}, {"id": w.BO, "role": "follower"}, {"id": w.BO, "role": "assignee"}],
        reminders=[{"relative_fire_minute": 30}],
        tasklists=[{"tasklist_guid": w.LAUNCH_LIST}],
        origin=origin,
        extra="dGVzdA==",
        mode=1,
        is_milestone=True,
        repeat_rule="FREQ=WEEKLY;INTERVAL=1;BYDAY=MO",
        custom_complete={"pc": {"href": "https://a.b"}},
    )

    # Moments are kept to the second.
    assert (task["due"], task["start"]) == (
        {"timestamp": str(NOON), "is_all_day": False},
        {"timestamp": str(NOON - 1000), "is_all_day": False},
    )
    assert task["members"] == [
        {"id": w.BO, "type": "user", "role": "assignee"},
        {"id": w.BO, "type": "user", "role": "follower"},
    ]
    assert [reminder["relative_fire_minute"] for reminder in task["reminders"]] == [30]
    assert task["tasklists"] == [{"tasklist_guid": w.LAUNCH_LIST, "section_guid": w.LAUNCH_SECTION}]
    shown = {"platform_i18n_name": dict.fromkeys(LANGUAGES, "") | {"en_us": "desk"}, "href": origin["href"]}
    assert (task["origin"], task["extra"], task["mode"], task["is_milestone"]) == (shown, "dGVzdA==", 1, True)
    assert task["custom_complete"] == {"pc": {"href": "https://a.b"}}
    assert task["assignee_related"] == [{"id": w.BO, "completed_at": "0"}]


@pytest.mark.fact("task-days")
def test_a_date_is_kept_as_its_day_in_utc(lark: LocalApp) -> None:
    task = create(lark, due={"timestamp": str(UTC_DAY + 5_000_000), "is_all_day": True})

    assert task["due"] == {"timestamp": str(UTC_DAY), "is_all_day": True}
    assert "due" not in create(lark, due={"timestamp": "0"})


@pytest.mark.fact("task-create-refusals")
@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        ({"summary": " "}, 1470400, "Invalid Param 'summary', must not be empty."),
        ({"summary": "x" * 3001}, 1470400, "Invalid Param 'summary'"),
        ({"description": "x" * 3001}, 1470400, "Invalid Param 'description'"),
        ({"due": {}}, 1470400, "Invalid Param 'due.timestamp', param is required."),
        ({"due": {"timestamp": "soon"}}, 1470400, "Invalid Param 'due.timestamp'"),
        ({"due": {"timestamp": "-1"}}, 1470400, "Invalid Param 'due.timestamp'"),
        ({"due": {"timestamp": "9" * 16}}, 1470400, "Invalid Param 'due.timestamp'"),
        ({"start": {"timestamp": "2000"}, "due": {"timestamp": "1000"}}, 1470400, "Invalid Param 'start.timestamp'"),
        (
            {"start": {"timestamp": "1000"}, "due": {"timestamp": "86400000", "is_all_day": True}},
            1470400,
            "Invalid Param 'start.is_all_day'",
        ),
        ({"completed_at": "now"}, 1470400, "Invalid Param 'completed_at'"),
        ({"reminders": [{"relative_fire_minute": 5}]}, 1470400, "Invalid Param 'reminders', cannot set reminders"),
        (
            {"due": {"timestamp": "1000"}, "reminders": [{"relative_fire_minute": -5}]},
            1470400,
            "Invalid Param 'reminders'",
        ),
        (
            {"due": {"timestamp": "1000"}, "reminders": [{"relative_fire_minute": 5}] * 2},
            1470400,
            "Invalid Param 'reminders', only 1",
        ),
        (
            {"repeat_rule": "FREQ=DAILY"},
            1470400,
            "Invalid Param 'repeat_rule', cannot set repeat_rule without setting due.",
        ),
        ({"due": {"timestamp": "1000"}, "repeat_rule": "often"}, 1470400, "Invalid Param 'repeat_rule'"),
        ({"origin": {"href": {"url": "ftp://a"}}}, 1470400, "Invalid Param 'origin.href.url'"),
        ({"members": [{"id": w.BO, "role": "boss"}]}, 1470400, "Invalid Param 'members', role is invalid."),
        ({"members": [{"id": w.BO, "role": "follower", "type": "chat"}]}, 1470400, "Invalid Param 'members', type"),
        (
            {"members": [{"id": str(n), "role": "follower"} for n in range(51)]},
            1470400,
            "Invalid Param 'members', at most",
        ),
        ({"members": [{"id": "ou_nobody", "role": "follower"}]}, 1470500, "internal error"),
        ({"members": [{"id": "cli_none", "role": "follower", "type": "app"}]}, 1470500, "internal error"),
        ({"mode": 3}, 99992402, "field validation failed"),
        ({"mode": 0}, 99992402, "field validation failed"),
        ({"client_token": "short"}, 99992402, "field validation failed"),
        ({"client_token": "x" * 101}, 99992402, "field validation failed"),
        (
            {"tasklists": [{"tasklist_guid": "none"}]},
            1470404,
            "The tasklist with guid 'none' cannot be found or has been deleted.",
        ),
        ({"tasklists": [{"tasklist_guid": w.LAUNCH_LIST, "section_guid": w.BO_SECTION}]}, 1470404, "The section"),
        ({"tasklists": [{"tasklist_guid": w.BO_LIST}]}, 1470403, "no permission"),
        ({"custom_fields": [{"guid": "x", "text_value": "y"}]}, 1470400, "Invalid Param 'custom_fields'"),
        (
            {"docx_source": {"token": w.PLAN, "block_id": BLOCK}, "extra": "x"},
            1470400,
            "Invalid Param 'docx_source', cannot be set together with 'extra'.",
        ),
        ({"docx_source": {"token": w.PLAN, "block_id": BLOCK}}, 1470400, "Invalid Param 'docx_source.block_id'"),
    ],
)
def test_a_task_is_refused_with_the_reason(lark: LocalApp, data: dict[str, Any], code: int, message: str) -> None:
    refused = refusal(lark, "task_v2_task_create", data={"summary": "Buy lamps", **data})

    assert refused.code == code
    assert refused.message.startswith(message)


@pytest.mark.fact("task-lengths")
@pytest.mark.parametrize(
    ("data", "field", "description"),
    [
        ({"extra": "x" * 65_537}, "extra", "the max len is 65536"),
        ({"completed_at": "1" * 21}, "completed_at", "the max len is 20"),
        ({"repeat_rule": "x" * 1001}, "repeat_rule", "the max len is 1000"),
        (
            {"origin": {"platform_i18n_name": {"en_us": "x" * 1001}}},
            "origin.platform_i18n_name.en_us",
            "the max len is 1000",
        ),
        ({"origin": {"href": {"url": "https://" + "x" * 1020}}}, "origin.href.url", "the max len is 1024"),
        ({"origin": {"href": {"title": "x" * 513}}}, "origin.href.title", "the max len is 512"),
        (
            {"custom_complete": {"pc": {"tip": {"en_us": "x" * 1001}}}},
            "custom_complete.pc.tip.en_us",
            "the max len is 1000",
        ),
        ({"members": [{"id": "x" * 101, "role": "follower"}]}, "members[0].id", "the max len is 100"),
        ({"members": [{"id": w.BO, "role": "x" * 21}]}, "members[0].role", "the max len is 20"),
        ({"tasklists": [{"tasklist_guid": "x" * 101}]}, "tasklists[0].tasklist_guid", "the max len is 100"),
        ({"docx_source": {"token": w.PLAN, "block_id": "b"}}, "docx_source.block_id", "the min len is 27"),
        ({"docx_source": {"token": "x" * 28, "block_id": BLOCK}}, "docx_source.token", "the max len is 27"),
    ],
)
def test_the_platform_refuses_texts_that_are_too_long(
    lark: LocalApp, data: dict[str, Any], field: str, description: str
) -> None:
    result = lark.result("task_v2_task_create", data={"summary": "Buy lamps", **data})

    refused = json.loads(result["content"][0]["text"])
    assert refused["code"] == 99992402
    [violation] = refused["error"]["field_violations"]
    assert (violation["field"], violation["description"]) == (field, description)
    assert not lark.changes()


@pytest.mark.fact("task-lengths")
def test_texts_of_a_change_and_of_new_members_are_looked_at_too(lark: LocalApp) -> None:
    assert why_not(lark, w.MINE, extra="x" * 65_537)[0] == 99992402
    arguments = {"path": {"task_guid": w.MINE}, "data": {"members": [{"id": "x" * 101, "role": "follower"}]}}
    assert refusal(lark, "task_v2_task_addMembers", **arguments).code == 99992402


@pytest.mark.fact("task-idempotent")
def test_a_client_token_makes_one_task_within_five_minutes(lark: LocalApp) -> None:
    first, second = create(lark, client_token="ticket-4711"), create(lark, client_token="ticket-4711")

    assert first == second
    lark.store.open("ep").set_clock(w.NOW + 6 * 60_000)
    assert create(lark, client_token="ticket-4711")["guid"] != first["guid"]


@pytest.mark.fact("task-ids")
def test_people_are_named_in_the_flavour_the_request_says(lark: LocalApp) -> None:
    members = [{"id": "bo000000", "role": "assignee"}]
    arguments = {"data": {"summary": "x", "members": members}, "params": {"user_id_type": "user_id"}}

    task = lark.call("task_v2_task_create", **arguments)["task"]

    assert (task["members"][0]["id"], task["creator"]["id"]) == ("bo000000", "wan00000")
    assert task["assignee_related"][0]["id"] == "bo000000"
    path = {"task_guid": task["guid"]}
    assert refusal(lark, "task_v2_task_get", path=path, params={"user_id_type": "lark_id"}).code == 99992402


@pytest.mark.fact("task-rights")
@pytest.mark.parametrize("guid", [w.MINE, w.FOLLOWED, w.LISTED])
def test_members_and_readers_of_a_list_read_a_task(lark: LocalApp, guid: str) -> None:
    assert lark.call("task_v2_task_get", path={"task_guid": guid})["task"]["guid"] == guid


@pytest.mark.fact("task-rights")
def test_a_task_of_others_is_refused(lark: LocalApp) -> None:
    result = lark.result("task_v2_task_get", path={"task_guid": w.STRANGE})

    assert result["isError"]
    assert '"code":1470403' in result["content"][0]["text"]


@pytest.mark.fact("task-rights")
def test_assignees_and_editors_of_the_list_change_a_task_and_followers_do_not(lark: LocalApp) -> None:
    assert patch(lark, w.MINE, description="soon")["description"] == "soon"
    assert patch(lark, w.LISTED, description="soon")["description"] == "soon"
    assert why_not(lark, w.FOLLOWED, description="soon")[0] == 1470403


@pytest.mark.fact("task-rights")
def test_who_may_edit_a_task_may_edit_those_below_it(lark: LocalApp) -> None:
    lark.episode.db.update("tasks", {"guid": w.STRANGE}, parent_guid=w.MINE)

    assert patch(lark, w.STRANGE, summary="Now mine")["parent_task_guid"] == w.MINE
    assert lark.call("task_v2_task_get", path={"task_guid": w.MINE})["task"]["subtask_count"] == 1


@pytest.mark.fact("task-missing")
def test_a_task_that_is_not_there_is_refused(lark: LocalApp) -> None:
    refused = refusal(lark, "task_v2_task_get", path={"task_guid": "task-missing"})

    assert refused.code == 1470404
    assert refused.message == "The task with guid 'task-missing' cannot be found or has been deleted."
    assert refusal(lark, "task_v2_task_get", path={"task_guid": "x" * 101}).code == 99992402


@pytest.mark.fact("task-list")
def test_my_tasks_are_those_assigned_to_me(lark: LocalApp) -> None:
    create(lark, members=[{"id": w.ME, "role": "assignee"}], completed_at=str(NOON))

    assert mine(lark) == ["Write the plan", "Buy lamps"]
    assert mine(lark, completed=True) == ["Buy lamps"]
    assert mine(lark, completed=False, type="my_tasks") == ["Write the plan"]
    [task] = lark.call("task_v2_task_list", params={"completed": False})["items"]
    assert task["members"][0] == {"id": w.ME, "type": "user", "role": "assignee"}


@pytest.mark.fact("task-list")
def test_my_tasks_come_in_pages(lark: LocalApp) -> None:
    create(lark, members=[{"id": w.ME, "role": "assignee"}])

    first = lark.call("task_v2_task_list", params={"page_size": 1})
    second = lark.call("task_v2_task_list", params={"page_size": 1, "page_token": first["page_token"]})

    assert (first["has_more"], second["has_more"], second["page_token"]) == (True, False, "")
    assert [page["items"][0]["summary"] for page in (first, second)] == ["Write the plan", "Buy lamps"]


@pytest.mark.fact("task-list-refusals")
@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"type": "all"}, 1470400),
        ({"page_token": "x"}, 1470400),
        ({"page_size": 0}, 99992402),
        ({"page_size": 101}, 99992402),
        ({"page_size": 1.5}, 99992402),
    ],
)
def test_a_list_out_of_range_is_refused(lark: LocalApp, params: dict[str, Any], code: int) -> None:
    assert refusal(lark, "task_v2_task_list", params=params).code == code


@pytest.mark.fact("task-patch")
def test_a_patch_changes_what_it_names_and_nothing_else(lark: LocalApp) -> None:
    task = patch(lark, w.MINE, "summary", summary="Write it down", description="ignored", extra="ignored")

    assert (task["summary"], task["description"], task["extra"]) == ("Write it down", "", "")
    assert task["updated_at"] == str(w.NOW)
    assert task["due"]["timestamp"] == str(w.MONDAY + 2 * w.DAY + 64_800_000)


@pytest.mark.fact("task-patch")
def test_a_field_named_but_not_given_is_emptied(lark: LocalApp) -> None:
    patch(lark, w.MINE, description="x", extra="y", is_milestone=True, custom_complete={"pc": {"href": "h"}})

    task = patch(lark, w.MINE, "description", "extra", "due", "is_milestone", "custom_complete")

    assert (task["description"], task["extra"], task["is_milestone"]) == ("", "", False)
    assert "due" not in task
    assert "custom_complete" not in task


@pytest.mark.fact("task-patch-refusals")
@pytest.mark.parametrize(
    ("names", "task", "code", "message"),
    [
        (("members",), {}, 1470400, "Invalid Param 'update_fields', 'members' is not supported."),
        (("summary",), {}, 1470400, "Invalid Param 'summary', must not be empty."),
        (("start",), {"start": {"timestamp": "9999999999000"}}, 1470400, "Invalid Param 'start.timestamp'"),
        (("repeat_rule", "due"), {"repeat_rule": "FREQ=DAILY"}, 1470400, "Invalid Param 'repeat_rule', cannot set"),
        (
            ("repeat_rule", "completed_at"),
            {"repeat_rule": "FREQ=DAILY", "completed_at": "1773018000000"},
            1470400,
            "Invalid Param 'update_fields', cannot update repeat_rule and completed_at together.",
        ),
        (("mode",), {"mode": 7}, 99992402, "field validation failed"),
        (("custom_fields",), {"custom_fields": [{"guid": "x"}]}, 1470400, "Invalid Param 'custom_fields'"),
    ],
)
def test_a_patch_is_refused_with_the_reason(
    lark: LocalApp, names: tuple[str, ...], task: dict[str, Any], code: int, message: str
) -> None:
    refused = why_not(lark, w.MINE, *names, **task)

    assert refused[0] == code
    assert refused[1].startswith(message)


@pytest.mark.fact("task-patch-refusals")
def test_a_patch_must_name_something(lark: LocalApp) -> None:
    data = {"update_fields": [], "task": {"summary": "x"}}

    assert refusal(lark, "task_v2_task_patch", path={"task_guid": w.MINE}, data=data).code == 1470400


@pytest.mark.fact("task-done")
def test_a_task_is_completed_once_and_can_be_reopened(lark: LocalApp) -> None:
    done = patch(lark, w.MINE, completed_at=str(NOON))

    assert (done["status"], done["completed_at"]) == ("done", str(NOON))
    assert done["assignee_related"] == [{"id": w.ME, "completed_at": str(NOON)}]
    assert why_not(lark, w.MINE, completed_at=str(NOON + 1)) == (
        1470400,
        "Invalid Param 'task.completed_at', cannot set non-zero completed_at for a completed task. To change task's "
        "completed_at, you can update task's 'completed_at' to 0, then update its 'completed'_at to new value.",
    )
    again = patch(lark, w.MINE, completed_at="0")
    assert (again["status"], again["completed_at"], again["assignee_related"][0]["completed_at"]) == ("todo", "0", "0")


@pytest.mark.fact("task-countersign")
@pytest.mark.parametrize(("creator", "may"), [(w.ME, True), (w.BO, False)])
def test_only_its_creator_completes_a_task_of_every_assignee(lark: LocalApp, creator: str, may: bool) -> None:
    lark.episode.db.update("tasks", {"guid": w.MINE}, mode=1, creator_id=creator)

    if may:
        assert patch(lark, w.MINE, completed_at=str(NOON))["status"] == "done"
        assert patch(lark, w.MINE, completed_at="0")["status"] == "todo"
    else:
        assert why_not(lark, w.MINE, completed_at=str(NOON))[0] == 1470500
        assert patch(lark, w.MINE, description="soon")["description"] == "soon"


@pytest.mark.fact("task-repeat")
@pytest.mark.parametrize(
    ("rule", "days", "left"),
    [
        ("FREQ=DAILY;INTERVAL=1", 1, "FREQ=DAILY;INTERVAL=1"),
        ("FREQ=WEEKLY;INTERVAL=2", 14, "FREQ=WEEKLY;INTERVAL=2"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", 1, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("FREQ=DAILY;COUNT=3", 1, "FREQ=DAILY;COUNT=2"),
    ],
)
def test_completing_a_repeating_task_makes_the_next_one(lark: LocalApp, rule: str, days: int, left: str) -> None:
    first = create(
        lark,
        due={"timestamp": str(NOON)},
        start={"timestamp": str(NOON - 1000)},
        repeat_rule=rule,
        members=[{"id": w.ME, "role": "assignee"}],
        reminders=[{"relative_fire_minute": 5}],
        tasklists=[{"tasklist_guid": w.LAUNCH_LIST}],
    )

    done = patch(lark, first["guid"], completed_at=str(NOON))
    task = lark.call("task_v2_task_list", params={"completed": False})["items"][-1]

    assert (done["repeat_rule"], done["status"]) == ("", "done")
    assert (task["repeat_rule"], task["status"], task["summary"]) == (left, "todo", "Buy lamps")
    assert task["due"]["timestamp"] == str(NOON + days * w.DAY)
    assert task["start"]["timestamp"] == str(NOON - 1000 + days * w.DAY)
    assert task["tasklists"] == first["tasklists"]
    assert [each["relative_fire_minute"] for each in task["reminders"]] == [5]


@pytest.mark.fact("task-repeat")
def test_the_last_of_a_series_makes_no_other_and_a_rule_needs_its_due_time(lark: LocalApp) -> None:
    task = create(lark, due={"timestamp": str(NOON)}, repeat_rule="FREQ=DAILY;COUNT=1")

    assert why_not(lark, task["guid"], "due")[1].startswith("Invalid Param 'due', cannot unset due")
    patch(lark, task["guid"], completed_at=str(NOON))
    assert len(lark.changes()["tasks"]) == 1


@pytest.mark.fact("task-members")
def test_members_are_added_behind_those_there_are(lark: LocalApp) -> None:
    members = [{"id": w.ME, "role": "assignee"}, {"id": w.BO, "role": "assignee"}]

    task = lark.call("task_v2_task_addMembers", path={"task_guid": w.MINE}, data={"members": members})["task"]

    assert [(each["id"], each["role"]) for each in task["members"]] == [
        (w.ME, "assignee"),
        (w.BO, "follower"),
        (w.BO, "assignee"),
    ]
    assert len(lark.changes()["task_members"]) == 1


@pytest.mark.fact("task-members")
def test_an_app_can_be_a_member(lark: LocalApp) -> None:
    app = {"id": "cli_" + "a" * 16, "type": "app", "role": "follower"}

    task = lark.call("task_v2_task_addMembers", path={"task_guid": w.MINE}, data={"members": [app]})["task"]

    assert task["members"][-1] == app


@pytest.mark.fact("task-members-refusals")
@pytest.mark.parametrize(
    ("guid", "members", "code"),
    [
        (w.MINE, [], 1470400),
        (w.MINE, [{"id": w.BO, "role": "owner"}], 1470400),
        (w.MINE, [{"id": "ou_nobody", "role": "follower"}], 1470500),
        (w.FOLLOWED, [{"id": w.BO, "role": "follower"}], 1470403),
        ("none", [{"id": w.BO, "role": "follower"}], 1470404),
    ],
)
def test_members_are_refused(lark: LocalApp, guid: str, members: list[dict[str, str]], code: int) -> None:
    arguments = {"path": {"task_guid": guid}, "data": {"members": members}}

    assert refusal(lark, "task_v2_task_addMembers", **arguments).code == code


@pytest.mark.fact("task-members-refusals")
@pytest.mark.parametrize(("role", "most", "code"), [("assignee", 50, 1470610), ("follower", 200, 1470611)])
def test_a_task_has_only_so_many_of_each(lark: LocalApp, role: str, most: int, code: int) -> None:
    for number in range(most):
        lark.episode.db.insert(
            "task_members", task_guid=w.MINE, member_id=f"ou_{number}", role=role, position=10 + number
        )
    members = {"members": [{"id": w.EVA, "role": role}]}

    assert refusal(lark, "task_v2_task_addMembers", path={"task_guid": w.MINE}, data=members).code == code


@pytest.mark.fact("task-reminders")
def test_a_task_takes_one_reminder_before_its_due_time(lark: LocalApp) -> None:
    arguments = {"path": {"task_guid": w.MINE}, "data": {"reminders": [{"relative_fire_minute": 30}]}}

    task = lark.call("task_v2_task_addReminders", **arguments)["task"]

    assert [each["relative_fire_minute"] for each in task["reminders"]] == [30]
    assert refusal(lark, "task_v2_task_addReminders", **arguments).code == 1470613
    assert "reminders" not in patch(lark, w.MINE, "due")


@pytest.mark.fact("task-reminders")
@pytest.mark.parametrize(
    ("guid", "minutes", "code"),
    [
        (w.MINE, [], 99992402),
        (w.MINE, [5, 10], 99992402),
        (w.MINE, [-5], 1470400),
        (w.MINE, [1.5], 1470400),
        (w.LISTED, [5], 1470400),
        (w.FOLLOWED, [5], 1470403),
        (w.STRANGE, [5], 1470403),
    ],
)
def test_a_reminder_is_refused(lark: LocalApp, guid: str, minutes: list[float], code: int) -> None:
    data = {"reminders": [{"relative_fire_minute": each} for each in minutes]}

    assert refusal(lark, "task_v2_task_addReminders", path={"task_guid": guid}, data=data).code == code
