"""zod 3, with expectations from Slack's recorded calls and from zod's own texts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from farm.appkit.dialects import Wording, Zod3
from tests.unit._dialects import clean, of_property, refusal

POST: dict[str, Any] = {
    "type": "object",
    "properties": {
        "channel_id": {"type": "string"},
        "limit": {"type": "number", "default": 10},
        "cursor": {"type": "string"},
    },
    "required": ["channel_id"],
    "additionalProperties": False,
    "$schema": "http://json-schema.org/draft-07/schema#",
}


def zod3_issues(schema: dict[str, Any], arguments: Any) -> list[dict[str, Any]]:
    _, message = refusal(Zod3(), schema, arguments)
    issues = json.loads(message.removeprefix("MCP error -32602: Invalid arguments for tool tool: "))
    assert isinstance(issues, list)
    return issues


def test_zod3_prints_its_issues_as_indented_json_in_schema_order() -> None:
    code, message = refusal(Zod3(), POST, {"cursor": ["a"], "limit": True, "channel_id": "C1"})

    assert code == -32602
    assert message == (
        "MCP error -32602: Invalid arguments for tool tool: [\n"
        '  {\n    "code": "invalid_type",\n    "expected": "number",\n    "received": "boolean",\n'
        '    "path": [\n      "limit"\n    ],\n    "message": "Expected number, received boolean"\n  },\n'
        '  {\n    "code": "invalid_type",\n    "expected": "string",\n    "received": "array",\n'
        '    "path": [\n      "cursor"\n    ],\n    "message": "Expected string, received array"\n  }\n]'
    )


def test_zod3_says_required_for_a_missing_key_and_for_missing_arguments() -> None:
    missing = {"code": "invalid_type", "received": "undefined", "message": "Required"}

    assert zod3_issues(POST, {}) == [{**missing, "expected": "string", "path": ["channel_id"]}]
    assert zod3_issues(POST, None) == [{**missing, "expected": "object", "path": []}]


def test_zod3_takes_missing_arguments_for_a_tool_registered_without_a_schema() -> None:
    assert clean(Zod3(), {"type": "object"}, None) == {}
    assert clean(Zod3(), {"type": "object"}, {"anything": 1}) == {}


def test_zod3_finds_nothing_wrong_where_the_server_never_looks_at_arguments() -> None:
    # zod-to-json-schema prints an empty object with its $schema, and Gmail's list tools never parse it.
    nothing = {"type": "object", "properties": {}, "$schema": "http://json-schema.org/draft-07/schema#"}
    parses = Zod3(invalid=Wording("Error: {issues}"))

    assert clean(Zod3(unread=("tool",)), nothing, None) == {}
    assert clean(Zod3(unread=("tool",)), nothing, {"anything": 1}) == {}
    assert "Required" in refusal(parses, nothing, None)[1]


def test_zod3_refuses_null_even_for_an_optional_key() -> None:
    (issue,) = zod3_issues(POST, {"channel_id": "C1", "limit": None})

    assert issue["message"] == "Expected number, received null"


def test_zod3_strips_unknown_keys_although_the_schema_forbids_them_and_fills_defaults() -> None:
    assert clean(Zod3(), POST, {"channel_id": "C1", "thread_ts": "1.2"}) == {"channel_id": "C1", "limit": 10}


def test_zod3_answers_arguments_that_are_no_object_from_the_check_of_the_request() -> None:
    code, message = refusal(Zod3(), POST, ["x"])

    assert code == -32603
    assert json.loads(message) == [
        {
            "code": "invalid_type",
            "expected": "object",
            "received": "array",
            "path": ["params", "arguments"],
            "message": "Expected object, received array",
        }
    ]


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        ({"type": "string", "minLength": 2}, "a", "String must contain at least 2 character(s)"),
        ({"type": "string", "maxLength": 1}, "😀", "String must contain at most 1 character(s)"),
        ({"type": "string", "minLength": 3, "maxLength": 3}, "ab", "String must contain exactly 3 character(s)"),
        ({"type": "string", "pattern": "^a$"}, "a\n", "Invalid"),
        ({"type": "string", "format": "email"}, "nobody", "Invalid email"),
        ({"type": "string", "format": "date-time"}, "today", "Invalid datetime"),
        ({"type": "number", "minimum": 1}, 0, "Number must be greater than or equal to 1"),
        ({"type": "number", "exclusiveMaximum": 1}, 1, "Number must be less than 1"),
        ({"type": "number", "multipleOf": 0.1}, 0.25, "Number must be a multiple of 0.1"),
        ({"type": "integer"}, 1.5, "Expected integer, received float"),
        ({"type": "number", "minimum": 1}, float("nan"), "Expected number, received nan"),
        ({"type": "string"}, float("nan"), "Expected string, received nan"),
        ({"type": "string", "enum": ["a", "b"]}, "c", "Invalid enum value. Expected 'a' | 'b', received 'c'"),
        ({"type": "string", "enum": ["a", "b"]}, 3, "Expected 'a' | 'b', received number"),
        ({"const": "a"}, "b", 'Invalid literal value, expected "a"'),
        ({"type": ["string", "null"]}, 1, "Expected string, received number"),
        ({"type": ["string", "number"]}, None, "Invalid input"),
        ({"type": "array", "items": {"type": "string"}, "minItems": 1}, [], "Array must contain at least 1 element(s)"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, [], "Expected object, received array"),
    ],
)
def test_zod3_words_each_kind_of_check(schema: dict[str, Any], value: Any, message: str) -> None:
    (issue,) = zod3_issues(of_property(schema), {"x": value})

    assert issue["message"] == message
    assert issue["path"] == ["x"]


def test_zod3_lists_what_each_branch_of_a_union_says_and_lists_unions_last() -> None:
    schema = {
        "$schema": "-",
        "type": "object",
        "properties": {"either": {"type": ["string", "number"]}, "flag": {"type": "boolean"}},
        "required": ["either", "flag"],
    }

    flag, either = zod3_issues(schema, {})

    assert flag["path"] == ["flag"]
    assert either["code"] == "invalid_union"
    assert [error["issues"][0]["expected"] for error in either["unionErrors"]] == ["string", "number"]
    assert {error["name"] for error in either["unionErrors"]} == {"ZodError"}
