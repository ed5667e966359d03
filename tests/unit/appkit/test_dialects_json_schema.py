"""The Go SDK, with expectations from Rednote's recorded calls and the SDK's source; and our own wording."""

from __future__ import annotations

import math
from typing import Any

import pytest

from farm.appkit.dialects import GenericJsonSchema, GoSdk
from tests.unit._dialects import clean, of_property, refusal

NOTE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "images": {"type": ["null", "array"], "items": {"type": "string"}},
        "limit": {"type": "integer"},
        "original": {"type": "boolean"},
        "filters": {"type": "object", "properties": {"sort": {"type": "string"}}, "additionalProperties": False},
    },
    "required": ["title", "images"],
    "additionalProperties": False,
}
FINE = {"title": "t", "images": ["a.jpg"]}


def go_text(schema: dict[str, Any], arguments: Any) -> str:
    code, message = refusal(GoSdk(), schema, arguments)
    assert code == -32602
    prefix = 'invalid params: validating "arguments": '
    assert message.startswith(prefix)
    return message.removeprefix(prefix)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, 'validating root: required: missing properties: ["title" "images"]'),
        ({"title": 1}, 'validating root: validating /properties/title: type: 1 has type "integer", want "string"'),
        ({"title": "t", "z": 1}, 'validating root: unexpected additional properties ["z"]'),
        (
            {"z": 1, "title": 1},
            'validating root: validating /properties/title: type: 1 has type "integer", want "string"',
        ),
        (
            {"filters": {"z": 1}},
            'validating root: validating /properties/filters: unexpected additional properties ["z"]',
        ),
        (
            {"title": 1, "images": None},
            'validating root: validating /properties/title: type: 1 has type "integer", want "string"',
        ),
        ({**FINE, "a b": 1}, 'validating root: unexpected additional properties ["a b"]'),
        (
            {**FINE, "filters": {"sort_by": "x"}},
            'validating root: validating /properties/filters: unexpected additional properties ["sort_by"]',
        ),
        (
            {"title": "t", "images": "a"},
            'validating root: validating /properties/images: type: a has type "string", want one of "null, array"',
        ),
        (
            {"title": "t", "images": [1]},
            "validating root: validating /properties/images: validating /properties/images/items: "
            'type: 1 has type "integer", want "string"',
        ),
        (
            {"title": None, "images": None},
            "validating root: validating /properties/title: "
            'type: <invalid reflect.Value> has type "null", want "string"',
        ),
        (
            {**FINE, "limit": 2.5},
            'validating root: validating /properties/limit: type: 2.5 has type "number", want "integer"',
        ),
        (
            {**FINE, "title": {"b": [1, None, True], "a": "x"}},
            "validating root: validating /properties/title: "
            'type: map[a:x b:[1 <nil> true]] has type "object", want "string"',
        ),
        (
            {**FINE, "title": [1e21, 1e20, 0.00001, 1755000000]},
            "validating root: validating /properties/title: "
            'type: [1e+21 1e+20 1e-05 1.755e+09] has type "array", want "string"',
        ),
    ],
)
def test_go_tells_the_way_through_the_schema_to_the_first_fault(arguments: Any, text: str) -> None:
    assert go_text(NOTE, arguments) == text


def test_go_lets_null_pass_for_a_list_and_whole_floats_for_integers() -> None:
    cleaned = clean(GoSdk(), NOTE, {"title": "t", "images": None, "limit": 3.0})

    assert cleaned == {"title": "t", "images": None, "limit": 3}
    assert type(cleaned["limit"]) is int


def test_go_drops_whatever_is_given_to_a_tool_without_arguments() -> None:
    assert clean(GoSdk(), {"type": "object"}, {"anything": 1}) == {}
    assert clean(GoSdk(), {"type": "object"}, None) == {}


def test_go_quotes_the_beginning_of_arguments_that_are_no_object() -> None:
    text = 'unmarshaling arguments: json: cannot unmarshal "[\\"x\\"]" into Go value of type map[string]interface {}'

    assert go_text(NOTE, ["x"]) == text
    assert '"' + "1" * 32 + '..."' in go_text(NOTE, int("1" * 40))


def test_go_cannot_decode_a_number_too_large_for_a_double() -> None:
    cannot = "unmarshaling arguments: json: cannot unmarshal {} into Go struct field {} of type float64"

    assert go_text(NOTE, {"title": True, "limit": -math.inf}) == cannot.format(
        '"-1e400"', "map[string]interface {}.limit"
    )
    assert go_text(NOTE, {"images": ["a", math.inf]}) == cannot.format(
        '"1e400"', "map[string]interface {}[]interface {}.images.1"
    )
    assert go_text(NOTE, {"limit": 10**400}) == cannot.format(f'"1{"0" * 31}..."', "map[string]interface {}.limit")


def test_a_number_that_is_none_is_shown_as_go_prints_it() -> None:
    assert "type: NaN has type" in go_text(NOTE, {"title": math.nan})


def test_go_quotes_broken_characters_and_names_of_tools_as_go_does() -> None:
    assert GoSdk().unknown_tool('发布"\n\x01').message == 'unknown tool "发布\\"\\n\\x01"'
    assert '\\xe5..."' in go_text(NOTE, ["a" * 29 + "发"])


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        ({"type": "string", "enum": ["a", "b"]}, "c", "enum: c does not equal any of: [a b]"),
        ({"const": 1}, 2, "const: 2 does not equal 1"),
        ({"type": "number", "minimum": 5}, 4.5, "minimum: 9/2 is less than 5.000000"),
        ({"type": "number", "exclusiveMaximum": 5}, 5, "exclusiveMaximum: 5/1 is greater than or equal to 5.000000"),
        ({"type": "string", "minLength": 3}, "发布", 'minLength: "发布" contains 2 Unicode code points, fewer than 3'),
        ({"type": "string", "pattern": "^a"}, "b", 'pattern: "b" does not match regular expression "^a"'),
        ({"type": "array", "minItems": 2}, [1], "minItems: array length 1 is less than 2"),
        ({"type": "array", "uniqueItems": True}, [1, 2, 1.0], "uniqueItems: array items 2 and 0 are equal"),
        ({"type": "object", "minProperties": 1}, {}, "minProperties: object has 0 properties, less than 1"),
    ],
)
def test_go_words_each_kind_of_check(schema: dict[str, Any], value: Any, text: str) -> None:
    assert go_text(of_property(schema), {"x": value}) == f"validating root: validating /properties/x: {text}"


def test_go_refuses_a_whole_number_that_an_int_cannot_hold() -> None:
    assert refusal(GoSdk(), NOTE, {**FINE, "limit": 1e30}) == (
        -32602,
        'invalid params: json: cannot unmarshal "1e+30" into Go value of type int',
    )


def test_go_names_the_struct_and_quotes_what_follows_such_a_number() -> None:
    # Asked of the real server: its decoder shows 32 bytes of what it has not read, names sorted by the encoder.
    dialect = GoSdk(structs={"tool": "main.Args"})
    arguments = {"limit": 10**19, "images": ["a"], "title": "<b>"}

    assert refusal(dialect, NOTE, {**FINE, "limit": 1e30})[1].endswith(
        '"1e+30" into Go struct field main.Args.limit of type int'
    )
    assert refusal(dialect, NOTE, arguments)[1] == (
        'invalid params: json: cannot unmarshal number 10000000000000000000,"title":"\\u... overflows '
        "into Go struct field main.Args.limit of type int"
    )


def test_go_writes_such_a_number_as_its_json_encoder_does() -> None:
    text = refusal(GoSdk(), NOTE, {**FINE, "limit": 9223372036854775808})[1]

    assert text.startswith("invalid params: json: cannot unmarshal number 9223372036854776000")


def test_go_answers_with_a_result_since_1_5() -> None:
    text = 'validating "arguments": validating root: required: missing properties: ["title" "images"]'

    assert refusal(GoSdk(sdk="1.4.1"), NOTE, {}) == (-32602, f"invalid params: {text}")
    assert refusal(GoSdk(sdk="1.5.0"), NOTE, {}) == (None, text)


def test_plain_names_every_fault_and_the_way_out() -> None:
    code, message = refusal(GenericJsonSchema(), NOTE, {"title": 5, "filters": {"sorted": 1}})

    assert code is None
    assert message == (
        "Invalid arguments for tool: title must be a string, not 5; "
        "in filters, sorted is not an argument of this tool; images is required"
    )


@pytest.mark.parametrize(
    ("schema", "value", "fault"),
    [
        ({"type": ["string", "null"]}, 1, "x must be a string or null, not 1"),
        ({"enum": ["a", 2]}, "b", 'x must be one of "a", 2, not "b"'),
        ({"type": "integer", "minimum": 1}, 0, "x must be at least 1"),
        ({"type": "array", "items": {"type": "string"}}, ["a", 1], "x[1] must be a string, not 1"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, None, "x has none of the allowed forms"),
        ({"patternProperties": {"^n": {"type": "number"}}}, {"n1": "1"}, 'x.n1 must be a number, not "1"'),
        ({"if": {"type": "string"}, "then": {"minLength": 2}}, "a", "x must have at least 2 characters"),
        ({"type": "object", "dependentRequired": {"a": ["b"]}}, {"a": 1}, "x needs b beside a"),
    ],
)  # fmt: skip
def test_plain_words_each_kind_of_check(schema: dict[str, Any], value: Any, fault: str) -> None:
    assert refusal(GenericJsonSchema(), of_property(schema), {"x": value})[1] == f"Invalid arguments for tool: {fault}"


def test_plain_refuses_arguments_that_are_no_object() -> None:
    assert (
        refusal(GenericJsonSchema(), NOTE, [1])[1]
        == "Invalid arguments for tool: arguments must be an object, not an array"
    )
