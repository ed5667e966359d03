"""The Python SDK's families, with expectations from recorded calls, pydantic's and jsonschema's own texts."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farm.appkit.dialects import Composio, FastMcp, Jsonschema, Pydantic, Unchecked, Wording
from farm.appkit.dialects._fast_check import fits
from tests.unit._dialects import clean, of_property, refusal

SEND: dict[str, Any] = {
    "type": "object",
    "title": "sendArguments",
    "properties": {
        "chat_id": {"anyOf": [{"type": "integer"}, {"type": "string"}], "title": "Chat Id"},
        "text": {"type": "string", "title": "Text"},
        "tags": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}], "default": None},
        "limit": {"type": "integer", "default": 20, "title": "Limit"},
        "from": {"type": "boolean", "default": False, "title": "From"},
    },
    "required": ["chat_id", "text"],
}
FINE = {"chat_id": 1, "text": "hi"}


@pytest.mark.parametrize("dialect", ["Composio", "Jsonschema", "Pydantic"])
def test_what_a_check_needs_is_imported_before_a_call_whose_time_runs(dialect: str) -> None:
    # On a busy machine pydantic alone takes longer than a call may, and then an app's first call was cut.
    script = f"""
import sys
from farm.appkit.dialects import InvalidArgumentsError, {dialect}
check = {dialect}().compile("tool", {{"type": "object", "properties": {{"n": {{"type": "integer"}}}}}})
known = set(sys.modules)
check({{"n": 1}})
try:
    check({{"n": "many"}})
except InvalidArgumentsError:
    print(sorted(set(sys.modules) - known))
"""

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout == "[]\n"


def test_pydantic_counts_and_lists_its_findings_with_links_of_the_release_named() -> None:
    code, text = refusal(Pydantic(pydantic="2.11"), SEND, {"chat_id": None, "limit": 2.5})

    assert code is None
    assert text.splitlines()[0] == "Error executing tool tool: 4 validation errors for sendArguments"
    assert [line for line in text.splitlines()[1:] if not line.startswith(" ")] == [
        "chat_id.int",
        "chat_id.str",
        "text",
        "limit",
    ]
    assert text.count("    For further information visit https://errors.pydantic.dev/2.11/v/") == 4
    assert "2.11" not in refusal(Pydantic(), SEND, {})[1]


def test_pydantic_never_touches_a_link_that_a_caller_sent() -> None:
    sent = "https://errors.pydantic.dev/9.9/v/x"

    _, text = refusal(Pydantic(pydantic="2.11"), SEND, {**FINE, "limit": sent})

    assert f"input_value='{sent}'" in text


def test_pydantic_converts_what_the_real_server_converts() -> None:
    cleaned = clean(Pydantic(), SEND, {"chat_id": "5", "text": "hi", "limit": "7", "from": "yes", "extra": 1})

    assert cleaned == {"chat_id": "5", "text": "hi", "tags": None, "limit": 7, "from": True}


def test_a_number_too_large_for_a_double_is_null_before_anything_is_checked() -> None:
    needs = "Input should be a valid string [type=string_type, input_value=None, input_type=NoneType]"
    pydantic, jsonschema = Pydantic(), Jsonschema()

    assert needs in refusal(pydantic, SEND, {"chat_id": 1, "text": math.inf})[1]
    assert clean(pydantic, SEND, {**FINE, "tags": -math.inf})["tags"] is None
    assert refusal(jsonschema, SEND, {"chat_id": 1, "text": -math.inf})[1].endswith("None is not of type 'string'")
    assert refusal(jsonschema, of_property({"type": "number"}), {"x": math.inf})[1].endswith("of type 'number'")
    assert clean(jsonschema, of_property({"type": "array"}), {"x": [1, {"y": math.inf}]}) == {"x": [1, {"y": None}]}
    assert clean(Unchecked(sdk="python 1.1.2"), {}, {"x": math.inf}) == {"x": None}


def test_pydantic_leaves_numbers_as_python_has_them() -> None:
    cleaned = clean(Pydantic(), of_property({"type": "number"}), {"x": 3})

    assert type(cleaned["x"]) is float


def test_an_old_sdk_reads_json_in_every_text_and_a_newer_one_only_where_more_than_text_is_taken() -> None:
    text = {**FINE, "text": '["a"]'}
    tags = {**FINE, "tags": '["a"]'}

    assert "input_type=list" in refusal(Pydantic(sdk="1.8.1"), SEND, text)[1]
    assert clean(Pydantic(sdk="1.12.0"), SEND, text)["text"] == '["a"]'
    for sdk in ("1.8.1", "1.12.0"):
        assert clean(Pydantic(sdk=sdk), SEND, tags)["tags"] == ["a"]
        assert clean(Pydantic(sdk=sdk), SEND, {**FINE, "text": "12"})["text"] == "12"


def test_an_argument_without_annotation_takes_anything() -> None:
    untyped = {"type": "object", "properties": {"query": {"title": "query", "type": "string"}}, "required": ["query"]}

    assert clean(Pydantic(), untyped, {"query": {"a": [1.5]}}) == {"query": {"a": [1.5]}}
    refusal(Pydantic(), untyped, {})


def test_pydantic_gives_models_inside_back_as_plain_dictionaries() -> None:
    inner = {"type": "object", "title": "Point", "properties": {"x": {"type": "number"}, "kind": {"$ref": "#/$defs/K"}}}
    named: dict[str, Any] = {"$defs": {"P": inner, "K": {"enum": ["a", "b"], "type": "string"}}}
    schema = of_property({"$ref": "#/$defs/P"}, **named)

    assert clean(Pydantic(), schema, {"x": {"x": 1, "kind": "b"}}) == {"x": {"x": 1.0, "kind": "b"}}
    assert "x.kind\n  Input should be 'a' or 'b' [type=enum" in refusal(Pydantic(), schema, {"x": {"kind": "c"}})[1]


def test_composio_says_what_is_missing_in_one_line_and_the_rest_by_parameter() -> None:
    code, text = refusal(Composio(), SEND, {"chat_id": [1], "tags": ["a", 2]})

    assert code is None
    assert json.loads(text) == {
        "successful": False,
        "data": {},
        "error": "Invalid request data provided\n"
        "- Following fields are missing: {'text'}\n"
        "- Input should be a valid integer on parameter `chat_id.int`\n"
        "- Input should be a valid string on parameter `chat_id.str`\n"
        "- Input should be a valid string on parameter `tags.1`",
    }


def test_composio_puts_the_text_into_the_body_an_app_declares() -> None:
    body: dict[str, Any] = {"successful": False, "successfull": False, "error": None, "data": {}}

    _, text = refusal(Composio(body=body), SEND, FINE | {"limit": None})

    assert list(json.loads(text)) == list(body)
    assert json.loads(text)["error"].endswith("on parameter `limit`")


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        ({"type": "string"}, None, "None is not of type 'string'"),
        ({"type": "integer"}, True, "True is not of type 'integer'"),
        ({"type": "string", "enum": ["a", "b"]}, "c", "'c' is not one of ['a', 'b']"),
        ({"type": "integer", "minimum": 1}, 0, "0 is less than the minimum of 1"),
        ({"type": "array", "items": {"type": "string"}}, ["a", 7], "7 is not of type 'string'"),
        ({"oneOf": [{"type": "string"}, {"const": 5}]}, [1], "[1] is not valid under any of the given schemas"),
    ],
)  # fmt: skip
def test_jsonschema_tells_its_best_match_with_python_values(schema: dict[str, Any], value: Any, text: str) -> None:
    assert refusal(Jsonschema(), of_property(schema), {"x": value}) == (None, f"Input validation error: {text}")


def test_jsonschema_passes_arguments_on_as_they_came() -> None:
    arguments = {"x": 1.0, "more": {"deep": [2.0]}}

    cleaned = clean(Jsonschema(), of_property({"type": "integer", "default": 5}), arguments)
    cleaned["more"]["deep"].append("changed by a handler")

    assert cleaned["x"] == 1.0
    assert type(cleaned["x"]) is float
    assert arguments == {"x": 1.0, "more": {"deep": [2.0]}}
    assert clean(Jsonschema(), of_property({"type": "integer", "default": 5}), None) == {}


def test_a_server_may_word_what_jsonschema_finds_in_its_own_way() -> None:
    dialect = Jsonschema(invalid=Wording("{tool}: {issues}!", code=-32000))

    assert refusal(dialect, of_property({}, required=True), {}) == (-32000, "tool: 'x' is a required property!")


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([1.0, 2.5, "", "a", "abc"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
_SCHEMAS = st.recursive(
    st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"]).map(
        lambda kind: {"type": kind, "minimum": 1, "maxLength": 2, "minItems": 1}
    )
    | st.sampled_from([{}, True, {"enum": ["a", 1]}, {"type": ["string", "null"]}, {"exclusiveMaximum": 2}]),
    lambda inner: (
        st.builds(lambda items: {"type": "array", "items": items}, inner)
        | st.builds(lambda first, second: {"anyOf": [first, second]}, inner, inner)
        | st.builds(
            lambda a, b, needed, rest: {
                "properties": {"a": a, "b": b},
                "required": needed,
                "additionalProperties": rest,
            },
            inner,
            inner,
            st.lists(st.sampled_from("ab"), max_size=2, unique=True),
            st.booleans(),
        )
    ),
    max_leaves=4,
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(_SCHEMAS, _VALUES)
def test_what_is_said_to_fit_at_once_fits_jsonschema_too(schema: Any, value: Any) -> None:
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has no types

    if fits(schema)(value):
        assert Draft202012Validator(schema).is_valid(value)


def test_fastmcp_words_the_call_of_the_function_itself() -> None:
    task = {
        "type": "object",
        "properties": {"title": {"type": "string"}, "priority": {"type": "string", "default": "low"}},
        "required": ["title"],
        "additionalProperties": False,
    }

    code, text = refusal(FastMcp(), task, {"zz": 2})

    # Recorded from a server on FastMCP 4.2.3, whose second argument has no default.
    more = "\n    For further information visit https://errors.pydantic.dev/2.14/v/"
    assert (code, text) == (
        None,
        "2 validation errors for call[tool]\ntitle\n  Missing required argument [type=missing_argument, "
        f"input_value={{'zz': 2}}, input_type=dict]{more}missing_argument\nzz\n  Unexpected keyword argument "
        f"[type=unexpected_keyword_argument, input_value=2, input_type=int]{more}unexpected_keyword_argument",
    )
    assert clean(FastMcp(), task, {"title": "tea"}) == {"title": "tea", "priority": "low"}


def test_fastmcp_takes_an_optional_argument_before_a_required_one() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["b"]}

    assert clean(FastMcp(), schema, {"b": "2"}) == {"b": 2}
