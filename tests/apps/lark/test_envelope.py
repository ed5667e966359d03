"""How answers and refusals look on the wire."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.lark.company import GROUP, ME, MINE, refused, timed


def body(result: dict[str, Any]) -> Any:
    return json.loads(result["content"][0]["text"])


@pytest.mark.fact("error-status")
def test_a_refusal_is_an_error_with_the_whole_body_and_a_log_id(lark: LocalApp) -> None:
    unknown = "feishu.cn_unknown000000@group.calendar.feishu.cn"

    result = lark.result("calendar_v4_calendar_get", path={"calendar_id": unknown})

    assert result["isError"] is True
    found = body(result)
    assert list(found) == ["code", "msg", "error"]
    assert (found["code"], found["msg"]) == (191000, "calendar not found")
    log_id = found["error"]["log_id"]
    assert log_id.startswith("20260309090000")
    assert len(log_id) == 34


@pytest.mark.fact("error-status")
def test_two_requests_of_one_second_have_two_log_ids(lark: LocalApp) -> None:
    unknown = [f"feishu.cn_unknown00000{number}@group.calendar.feishu.cn" for number in range(2)]

    answers = [lark.result("calendar_v4_calendar_get", path={"calendar_id": each}) for each in unknown]

    first, second = (body(each)["error"]["log_id"] for each in answers)
    assert first != second


@pytest.mark.fact("success-text")
def test_a_success_is_one_compact_text_without_is_error(lark: LocalApp) -> None:
    result = lark.result("calendar_v4_calendar_primary")

    assert list(result) == ["content"]
    assert result["content"][0]["text"].startswith('{"calendars":[{"calendar":{"calendar_id":"')


@pytest.mark.fact("key-order")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("calendar_v4_calendar_list", {}),
        (
            "calendar_v4_calendarEvent_create",
            {"path": {"calendar_id": MINE}, "data": timed("03-10 14:00", "03-10 15:00")},
        ),
        ("im_v1_chat_get", {"path": {"chat_id": GROUP}}),
        ("im_v1_message_list", {"params": {"container_id_type": "chat", "container_id": GROUP}}),
        ("contact_v3_user_get", {"path": {"user_id": ME}}),
    ],
)
def test_data_comes_in_the_order_of_its_keys_at_every_level(lark: LocalApp, tool: str, arguments: Any) -> None:
    text = lark.text(tool, **arguments)

    assert text == json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"), sort_keys=True)


@pytest.mark.fact("field-violation")
def test_a_page_out_of_range_names_field_value_and_bound(lark: LocalApp) -> None:
    result = lark.result("im_v1_chat_list", params={"page_size": 1000})

    found = body(result)
    assert (found["code"], found["msg"]) == (99992402, "field validation failed")
    assert list(found["error"]) == ["field_violations", "log_id"]
    assert found["error"]["field_violations"] == [
        {"field": "page_size", "value": "1000", "description": "the max value is 100"}
    ]


@pytest.mark.fact("field-violation")
@pytest.mark.parametrize("size", [0, -1, 1.5, 1e300])
def test_a_page_size_that_is_no_count_is_refused(lark: LocalApp, size: float) -> None:
    assert refused(lark, "im_v1_chatMembers_get", path={"chat_id": GROUP}, params={"page_size": size}) == 99992402


@pytest.mark.fact("token")
@pytest.mark.parametrize("tool", ["calendar_v4_calendar_primary", "calendar_v4_calendar_create", "im_v1_chat_create"])
def test_nobody_is_signed_in_where_there_are_no_people(start: Callable[..., LocalApp], tool: str) -> None:
    assert refused(start("lark"), tool) == 99991668


@pytest.mark.fact("empty-path")
def test_an_empty_path_parameter_finds_no_page(lark: LocalApp) -> None:
    result = lark.result("im_v1_message_get", path={"message_id": ""})

    assert result == {"content": [{"type": "text", "text": '"404 page not found"'}], "isError": True}


@pytest.mark.fact("person")
@pytest.mark.parametrize("token", [{}, {"useUAT": True}, {"useUAT": False}])
def test_every_call_acts_as_the_person(lark: LocalApp, token: dict[str, bool]) -> None:
    found = lark.call("calendar_v4_calendar_primary", **token)

    assert found["calendars"][0]["user_id"] == ME
    assert found["calendars"][0]["calendar"]["calendar_id"] == MINE
