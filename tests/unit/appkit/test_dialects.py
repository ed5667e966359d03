"""What holds for every dialect."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from farm.appkit.dialects import (
    Composio,
    Dialect,
    FastMcp,
    GenericJsonSchema,
    GoSdk,
    Jsonschema,
    McpGo,
    Pydantic,
    Unchecked,
    Wording,
    Zod3,
    Zod4,
    fit_handler,
)
from farm.errors import FarmError
from tests.unit._dialects import clean, of_property, refusal

STRICT: tuple[Dialect, ...] = (Zod3(), Zod4(), GoSdk(), GenericJsonSchema())
ALL: tuple[Dialect, ...] = (*STRICT, Pydantic(), FastMcp(), Jsonschema(), Composio(), McpGo(), Unchecked())
CHECKING = tuple(dialect for dialect in ALL if dialect.checks_arguments)


def test_two_instances_with_the_same_parameters_are_equal_and_show_them() -> None:
    assert ALL[0] == Zod3()
    assert len({repr(dialect) for dialect in ALL}) == len(set(ALL)) == len(ALL)


@pytest.mark.parametrize(
    ("dialect", "code", "message"),
    [
        (Zod3(), -32602, "MCP error -32602: Tool nope not found"),
        (Zod4(), None, "MCP error -32602: Tool nope not found"),
        (GoSdk(), -32602, 'unknown tool "nope"'),
        (GenericJsonSchema(), -32602, "Unknown tool: nope"),
        (Pydantic(), None, "Unknown tool: nope"),
        (FastMcp(), None, "Unknown tool: 'nope'"),
        (Jsonschema(), None, "Unknown tool: nope"),
        (McpGo(sdk="0.14.1"), -32602, "Tool not found: nope"),
        (McpGo(sdk="0.43.0"), -32602, "tool 'nope' not found: tool not found"),
        (Zod4(sdk="2.0.0"), -32602, "Tool nope not found"),
        (Unchecked(unknown=Wording("no {tool} {here}", code=-32601)), -32601, "no nope {here}"),
    ],
)
def test_an_unknown_tool_is_answered_in_the_dialects_way(dialect: Dialect, code: int | None, message: str) -> None:
    refused = dialect.unknown_tool("nope")

    assert (refused.code, refused.message) == (code, message)


@pytest.mark.parametrize("dialect", ALL, ids=lambda dialect: type(dialect).__name__)
def test_checking_changes_nothing_in_what_was_handed_in(dialect: Dialect) -> None:
    schema = of_property({"type": "object", "properties": {"n": {"type": "number"}, "free": {}}})
    arguments = {"x": {"n": 1.0, "free": {"deep": [1.0]}}}
    before = copy.deepcopy(arguments)

    cleaned = clean(dialect, schema, arguments)
    cleaned["x"]["free"]["deep"].append("changed by a handler")

    assert arguments == before


@pytest.mark.parametrize("dialect", [*STRICT, McpGo(), Unchecked()], ids=lambda dialect: type(dialect).__name__)
def test_numbers_arrive_as_the_doubles_they_are_in_the_vendors_language(dialect: Dialect) -> None:
    schema = of_property({"type": "array", "items": {"type": "number"}})

    cleaned = clean(dialect, schema, {"x": [1.0, -2, 2.5, 2**53 + 1, 1e300]})

    assert [(type(number), number) for number in cleaned["x"]] == [
        (int, 1),
        (int, -2),
        (float, 2.5),
        (int, 2**53),
        (float, 1e300),
    ]


@pytest.mark.parametrize("dialect", STRICT, ids=lambda dialect: type(dialect).__name__)
def test_true_is_no_number_and_one_is_no_boolean(dialect: Dialect) -> None:
    refusal(dialect, of_property({"type": "number"}), {"x": True})
    refusal(dialect, of_property({"type": "boolean"}), {"x": 1})


@pytest.mark.parametrize(
    "dialect", [*STRICT, Pydantic(), FastMcp(), Composio()], ids=lambda dialect: type(dialect).__name__
)
def test_a_default_is_filled_in_anew_for_every_call(dialect: Dialect) -> None:
    schema = of_property({"type": "array", "items": {"type": "string"}, "default": []})
    check = dialect.compile("tool", schema)

    check({})["x"].append("changed by a handler")

    assert check({}) == {"x": []}


@pytest.mark.parametrize("dialect", CHECKING, ids=lambda dialect: type(dialect).__name__)
def test_a_schema_may_refer_to_itself(dialect: Dialect) -> None:
    node = {"type": "object", "properties": {"name": {"type": "string"}, "next": {"$ref": "#/defs/node"}}}
    schema = of_property({"$ref": "#/defs/node"}, defs={"node": node})

    assert clean(dialect, schema, {"x": {"next": {"name": "b"}}}) == {"x": {"next": {"name": "b"}}}
    refusal(dialect, schema, {"x": {"next": {"next": {"name": 5}}}})


@pytest.mark.parametrize("dialect", CHECKING, ids=lambda dialect: type(dialect).__name__)
def test_a_value_nested_beyond_reason_is_refused_not_crashed_on(dialect: Dialect) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]

    code, message = refusal(dialect, of_property({"type": "string"}), {"x": deep})

    assert message
    assert code in (None, -32602)


@pytest.mark.parametrize("dialect", CHECKING, ids=lambda dialect: type(dialect).__name__)
def test_a_message_can_always_be_written_as_utf_8(dialect: Dialect) -> None:
    schema = of_property({"type": "string", "enum": ["a", "b"]})

    _, message = refusal(dialect, schema, {"x": "\ud800"})

    assert message.encode()


@pytest.mark.parametrize(
    ("dialect", "code", "message"),
    [
        (Zod3(sdk="1.22.0"), -32603, "Expected object, received array"),
        (Zod4(sdk="1.29.0"), -32603, "Invalid input: expected record, received array"),
        (Zod4(sdk="2.0.0"), -32602, "Invalid input: expected record, received array"),
        (Pydantic(sdk="1.9.4"), -32602, "Invalid request parameters"),
        (Pydantic(sdk="1.8.1"), -32603, "internal error"),
        (FastMcp(), -32602, "Invalid request parameters"),
        (Jsonschema(), -32602, "Invalid request parameters"),
        (Composio(), -32602, "Invalid request parameters"),
        (McpGo(sdk="0.8.2"), -32600, "Invalid call tool request"),
        (McpGo(sdk="0.30.0"), -32600, "unparsable tools/call request: json: cannot unmarshal array into Go struct"),
        (Unchecked(sdk="typescript 0.6.0"), -32603, "Expected object, received array"),
        (Unchecked(sdk="python 1.12.0"), -32602, "Invalid request parameters"),
    ],
)
def test_arguments_that_are_no_object_are_refused_as_the_sdk_below_does_whatever_the_tool(
    dialect: Dialect, code: int, message: str
) -> None:
    refused = refusal(dialect, of_property({"type": "string"}), ["x"])
    unknown = dialect.unknown_tool("nope", ["x"])

    assert refused[0] == code
    assert message in refused[1]
    assert (unknown.code, unknown.message) == refused


@pytest.mark.parametrize(
    ("dialect", "message"),
    [
        (Zod3(sdk="1.15.1"), "Expected object, received null"),
        (Zod4(sdk="1.32.2"), "Invalid input: expected record, received null"),
        (Unchecked(sdk="typescript 1.32.2"), "Invalid input: expected record, received null"),
        (Unchecked(sdk="python 1.12.0"), None),
        (GoSdk(), None),
        (Pydantic(), None),
    ],
)
def test_null_arguments_are_absent_ones_but_not_to_the_typescript_sdk(dialect: Dialect, message: str | None) -> None:
    refused = dialect.null_arguments()

    assert (refused is None) == (message is None)
    if refused is not None and message is not None:
        assert refused.code == -32603
        assert message in refused.message


def test_the_go_sdk_leaves_arguments_raw_until_it_has_found_the_tool() -> None:
    assert GoSdk().unknown_tool("nope", ["x"]).message == 'unknown tool "nope"'


def test_a_handler_gets_the_arguments_it_names_and_no_others() -> None:
    def handler(ep: object, *, x: str = "", y: int = 0) -> None: ...

    check = fit_handler(Jsonschema().compile("tool", of_property({"type": "string"})), handler)

    assert check({"x": "a", "ep": 1, "self": 2, "z": 3}) == {"x": "a"}


def test_a_handler_that_ends_in_others_gets_them_all_whatever_they_are_called() -> None:
    def handler(ep: object, /, *, x: str = "", **others: object) -> object:
        return x, others

    check = fit_handler(Unchecked().compile("tool", {"type": "object"}), handler)

    assert handler(None, **check({"x": "a", "ep": 1, "from": 2})) == ("a", {"ep": 1, "from": 2})


def test_a_handler_that_cannot_take_what_may_come_is_refused_at_once() -> None:
    def bare(ep: object, *, x: str) -> None: ...

    def colliding(ep: object, **others: object) -> None: ...

    check = Unchecked().compile("tool", {"type": "object"})

    assert fit_handler(check, bare)({"x": "a"}) == {"x": "a"}
    with pytest.raises(FarmError, match="bare: 'x' needs a default"):
        fit_handler(check, bare, is_checked=False)
    with pytest.raises(FarmError, match=r"colliding: write '\(ep, /, \*\*…\)'"):
        fit_handler(check, colliding)
