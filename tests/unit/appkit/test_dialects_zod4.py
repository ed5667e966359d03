"""zod 4, with expectations from Lark's recorded calls and from zod's own texts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from farm.appkit.dialects import Zod4
from tests.unit._dialects import clean, of_property, refusal

EVENT: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {
        "data": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "maxLength": 27},
                "attendees": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "type": {"type": "string", "enum": ["user", "chat"]},
                            "count": {"type": "number"},
                        },
                    },
                },
                "fields": {"type": "object", "properties": {}, "additionalProperties": {}},
            },
            "required": ["name"],
        },
        "path": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        "useUAT": {"type": "boolean"},
    },
    "required": ["data", "path"],
}


def zod4_lines(schema: dict[str, Any], arguments: Any) -> list[str]:
    code, message = refusal(Zod4(), schema, arguments)
    assert code is None
    prefix = "MCP error -32602: Input validation error: Invalid arguments for tool tool: "
    assert message.startswith(prefix)
    return message.removeprefix(prefix).split("\n")


def test_zod4_gives_one_line_an_issue_in_schema_order() -> None:
    arguments = {"path": {}, "data": {"attendees": [{"type": "user"}, {"type": "person", "count": "1"}]}}

    assert zod4_lines(EVENT, arguments) == [
        "Invalid input: expected string, received undefined at data.name",
        'Invalid option: expected one of "user"|"chat" at data.attendees[1].type',
        "Invalid input: expected number, received string at data.attendees[1].count",
        "Invalid input: expected string, received undefined at path.id",
    ]


def test_zod4_takes_missing_arguments_for_an_empty_object() -> None:
    lines = [
        "Invalid input: expected object, received undefined at data",
        "Invalid input: expected object, received undefined at path",
    ]

    assert zod4_lines(EVENT, None) == lines
    assert zod4_lines(EVENT, {}) == lines


def test_zod4_strips_unknown_keys_at_every_level_but_keeps_those_of_an_open_object() -> None:
    arguments = {
        "extra": 1,
        "data": {"name": "n", "extra": 1, "attendees": [{"type": "user", "extra": 1}], "fields": {"年": [2.0]}},
        "path": {"id": "1", "extra": 1},
    }

    assert clean(Zod4(), EVENT, arguments) == {
        "data": {"name": "n", "attendees": [{"type": "user"}], "fields": {"年": [2]}},
        "path": {"id": "1"},
    }


def test_zod4_refuses_unknown_keys_where_the_schema_is_closed() -> None:
    schema = of_property({"type": "string"}, additionalProperties=False)

    assert zod4_lines(schema, {"y": 1}) == ['Unrecognized key: "y"']
    assert zod4_lines(schema, {"y": 1, "z": 2}) == ['Unrecognized keys: "y", "z"']


def test_zod4_answers_arguments_that_are_no_object_from_the_check_of_the_request() -> None:
    code, message = refusal(Zod4(), EVENT, "x")

    assert code == -32603
    assert json.loads(message) == [
        {
            "expected": "record",
            "code": "invalid_type",
            "path": ["params", "arguments"],
            "message": "Invalid input: expected record, received string",
        }
    ]


def test_zod4_counts_code_points_and_measures_what_has_the_wrong_type_too() -> None:
    wrong = [0] * 28

    assert clean(Zod4(), EVENT, {"path": {"id": "1"}, "data": {"name": "😀" * 27}})["data"] == {"name": "😀" * 27}
    assert zod4_lines(EVENT, {"path": {"id": "1"}, "data": {"name": "😀" * 28}}) == [
        "Too big: expected string to have <=27 characters at data.name"
    ]
    assert zod4_lines(EVENT, {"path": {"id": "1"}, "data": {"name": wrong}}) == [
        "Invalid input: expected string, received array at data.name",
        "Too big: expected array to have <=27 items at data.name",
    ]


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        ({"type": "string", "minLength": 2}, "a", "Too small: expected string to have >=2 characters"),
        ({"type": "array", "minItems": 1, "maxItems": 1}, [], "Too small: expected array to have exactly 1 items"),
        ({"type": "string", "pattern": "^a$"}, "b", "Invalid string: must match pattern /^a$/"),
        ({"type": "string", "format": "email"}, "nobody", "Invalid email address"),
        ({"type": "string", "format": "date-time"}, "today", "Invalid ISO datetime"),
        ({"type": "number", "exclusiveMinimum": 1}, 1, "Too small: expected number to be >1"),
        ({"type": "number", "multipleOf": 5}, 4, "Invalid number: must be a multiple of 5"),
        ({"type": "number"}, float("inf"), "Invalid input: expected number, received Infinity"),
        ({"type": "number"}, float("nan"), "Invalid input: expected number, received NaN"),
        ({"type": "string"}, float("nan"), "Invalid input: expected string, received NaN"),
        ({"type": "integer", "minimum": 3}, 1.5, "Invalid input: expected int, received number"),
        ({"type": "integer"}, 2**60, "Too big: expected int to be <=9007199254740991"),
        ({"type": "string", "enum": ["a"]}, "c", 'Invalid input: expected "a"'),
        ({"enum": [1, 2]}, 3, "Invalid option: expected one of 1|2"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1, "Invalid input: expected string, received number"),
        ({"anyOf": [{"type": "string"}, {"type": "number"}]}, None, "Invalid input"),
        ({"type": "array", "maxItems": 1}, [1, 2], "Too big: expected array to have <=1 items"),
        ({"type": "object", "additionalProperties": {}}, [], "Invalid input: expected record, received array"),
        ({"not": {}}, 1, "Invalid input: expected never, received number"),
    ],
)  # fmt: skip
def test_zod4_words_each_kind_of_check(schema: dict[str, Any], value: Any, message: str) -> None:
    assert zod4_lines(of_property(schema), {"x": value}) == [f"{message} at x"]


def test_zod4_names_the_discriminator_that_no_branch_has() -> None:
    branches = [
        {"type": "object", "properties": {"t": {"const": tag}, "n": {"type": "number"}}, "required": ["t"]}
        for tag in ("a", "b")
    ]
    schema = of_property({"oneOf": branches})

    assert zod4_lines(schema, {"x": {"t": "c"}}) == ["Invalid discriminator value. Expected 'a' | 'b' at x.t"]
    assert zod4_lines(schema, {"x": {"t": "b", "n": "1"}}) == ["Invalid input: expected number, received string at x.n"]


SEARCH: dict[str, Any] = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "id": {"type": "string"}},
    "required": ["query", "id"],
}


@pytest.mark.parametrize(
    ("arguments", "cleaned"),
    [
        ({"question": "a", "id": "1"}, {"query": "a", "id": "1"}),
        ({"question": "a", "words": "b", "id": "1"}, {"query": "b", "id": "1"}),
        ({"query": "a", "words": "b", "id": "1"}, {"query": "a", "id": "1"}),
    ],
)
def test_an_argument_is_taken_by_its_other_names_where_its_own_is_not_given(arguments: Any, cleaned: Any) -> None:
    dialect = Zod4(sdk="2.0.0", aliases={"tool": {"query": ("words", "question")}})

    assert clean(dialect, SEARCH, arguments) == cleaned


def test_what_is_wrong_with_an_alias_is_told_under_the_argument_s_own_name() -> None:
    dialect = Zod4(sdk="2.0.0", aliases={"tool": {"query": ("words",)}, "other": {"id": ("number",)}})

    _, message = refusal(dialect, SEARCH, {"words": 1, "number": "1"})

    assert message.endswith(
        "query: Invalid input: expected string, received number, id: Invalid input: expected string, received undefined"
    )
