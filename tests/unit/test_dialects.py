"""What holds for every dialect."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from farm.dialects import Dialect, GoSdk, Plain, Zod3, Zod4
from tests.unit._dialects import clean, of_property, refusal

ALL: tuple[Dialect, ...] = (Zod3(), Zod4(), GoSdk(), Plain())


def test_two_instances_with_the_same_parameters_are_equal_and_show_them() -> None:
    assert ALL[0] == Zod3()
    assert len({repr(dialect) for dialect in ALL}) == len(set(ALL)) == len(ALL)


@pytest.mark.parametrize(
    ("dialect", "code", "message"),
    [
        (Zod3(), -32602, "MCP error -32602: Tool nope not found"),
        (Zod4(), None, "MCP error -32602: Tool nope not found"),
        (GoSdk(), -32602, 'unknown tool "nope"'),
        (Plain(), -32602, "Unknown tool: nope"),
    ],
)
def test_an_unknown_tool_is_answered_in_the_dialects_way(dialect: Dialect, code: int | None, message: str) -> None:
    refused = dialect.unknown_tool("nope")

    assert (refused.code, refused.message) == (code, message)


@pytest.mark.parametrize("dialect", ALL, ids=repr)
def test_checking_changes_nothing_in_what_was_handed_in(dialect: Dialect) -> None:
    schema = of_property({"type": "object", "properties": {"n": {"type": "number"}, "free": {}}})
    arguments = {"x": {"n": 1.0, "free": {"deep": [1.0]}}}
    before = copy.deepcopy(arguments)

    cleaned = clean(dialect, schema, arguments)
    cleaned["x"]["free"]["deep"].append("changed by a handler")

    assert arguments == before


@pytest.mark.parametrize("dialect", ALL, ids=repr)
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


@pytest.mark.parametrize("dialect", ALL, ids=repr)
def test_true_is_no_number_and_one_is_no_boolean(dialect: Dialect) -> None:
    refusal(dialect, of_property({"type": "number"}), {"x": True})
    refusal(dialect, of_property({"type": "boolean"}), {"x": 1})


@pytest.mark.parametrize("dialect", ALL, ids=repr)
def test_a_default_is_filled_in_anew_for_every_call(dialect: Dialect) -> None:
    schema = of_property({"type": "array", "items": {"type": "string"}, "default": []})
    check = dialect.compile("tool", schema)

    check({})["x"].append("changed by a handler")

    assert check({}) == {"x": []}


@pytest.mark.parametrize("dialect", ALL, ids=repr)
def test_a_schema_may_refer_to_itself(dialect: Dialect) -> None:
    node = {"type": "object", "properties": {"name": {"type": "string"}, "next": {"$ref": "#/defs/node"}}}
    schema = of_property({"$ref": "#/defs/node"}, defs={"node": node})

    assert clean(dialect, schema, {"x": {"next": {"name": "b"}}}) == {"x": {"next": {"name": "b"}}}
    refusal(dialect, schema, {"x": {"next": {"next": {"name": 5}}}})


@pytest.mark.parametrize("dialect", ALL, ids=repr)
def test_a_value_nested_beyond_reason_is_refused_not_crashed_on(dialect: Dialect) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]

    code, message = refusal(dialect, of_property({"type": "string"}), {"x": deep})

    assert message
    assert code in (None, -32602)


@pytest.mark.parametrize("dialect", ALL, ids=repr)
def test_a_message_can_always_be_written_as_utf_8(dialect: Dialect) -> None:
    schema = of_property({"type": "string", "enum": ["a", "b"]})

    _, message = refusal(dialect, schema, {"x": "\ud800"})

    assert message.encode()
