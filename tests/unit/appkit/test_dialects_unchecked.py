"""Servers that check nothing, with expectations from WeCom's, 163 mail's and Discord's recorded calls."""

from __future__ import annotations

from typing import Any

import pytest

from farm.appkit.dialects import InvalidArgumentsError, McpGo, Unchecked, Wording, go_panic
from tests.unit._dialects import clean, of_property, refusal

TEXT = of_property({"type": "string", "default": "filled"}, required=True)


@pytest.mark.parametrize("dialect", [McpGo(), Unchecked(), Unchecked(sdk="python 1.1.2")], ids=repr)
@pytest.mark.parametrize("arguments", [{}, {"x": None}, {"x": [1]}, {"y": {"deep": 1}}])
def test_whatever_is_sent_reaches_the_handler(dialect: McpGo | Unchecked, arguments: Any) -> None:
    assert clean(dialect, TEXT, arguments) == arguments
    assert not dialect.checks_arguments


def test_missing_arguments_are_an_empty_object_unless_the_app_says_otherwise() -> None:
    thrown = Wording("错误: {tool} has none", is_error=None)

    assert clean(Unchecked(), TEXT, None) == {}
    assert clean(Unchecked(absent={"other": thrown}), TEXT, None) == {}
    for absent in ({"tool": thrown}, thrown):
        with pytest.raises(InvalidArgumentsError, match="错误: tool has none") as refused:
            clean(Unchecked(absent=absent), TEXT, None)
        assert refused.value.is_error is None


def test_missing_arguments_are_told_before_an_unknown_name_where_no_tool_of_a_server_does_without() -> None:
    dialect = Unchecked(unknown=Wording("no {tool}"), absent=Wording("no arguments", is_error=None))

    assert dialect.unknown_tool("nope", None).message == "no arguments"
    assert dialect.unknown_tool("nope", {}).message == "no nope"
    assert (
        Unchecked(unknown=Wording("no {tool}"), absent={"tool": Wording("-")}).unknown_tool("nope").message == "no nope"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nope", "nope"),
        ('it\'s"q"', 'it\'s\\"q\\"'),
        ("a\nb", "a\\nb"),
        ("工具_漢😀", "工具_漢😀"),
        ("{tool}", "{tool}"),
    ],
)
def test_a_name_inside_of_json_is_escaped_as_json_asks(name: str, text: str) -> None:
    dialect = Unchecked(unknown=Wording('{"error":"Unknown tool: {tool:json}"}', is_error=None))

    assert dialect.unknown_tool(name, {}).message == f'{{"error":"Unknown tool: {text}"}}'


def test_numbers_are_doubles_in_javascript_and_stay_as_they_are_in_python() -> None:
    assert type(clean(Unchecked(), TEXT, {"x": 3.0})["x"]) is int
    assert type(clean(Unchecked(sdk="python 1.1.2"), TEXT, {"x": 3.0})["x"]) is float


@pytest.mark.parametrize(
    ("value", "kind", "found"),
    [
        (None, "string", "nil"),
        (5, "string", "float64"),
        (1, "int", "float64"),
        (True, "string", "bool"),
        (["a"], "string", "[]interface {}"),
        ({}, "string", "map[string]interface {}"),
        ("1", "float64", "string"),
    ],
)
def test_a_wrong_assertion_is_gos_panic(value: Any, kind: str, found: str) -> None:
    assert go_panic(value, kind) == f"panic: interface conversion: interface {{}} is {found}, not {kind}"


def test_what_the_code_asserts_is_looked_at_in_its_order() -> None:
    dialect = McpGo(sdk="0.8.2", asserts={"tool": {"x": "string", "n": "float64"}})

    assert clean(dialect, TEXT, {"x": "a", "n": 1}) == {"x": "a", "n": 1}
    assert refusal(dialect, TEXT, {"n": "1"}) == (
        -32603,
        "panic: interface conversion: interface {} is nil, not string",
    )
    assert "is string, not float64" in refusal(dialect, TEXT, {"x": "a", "n": "1"})[1]


@pytest.mark.parametrize(
    ("mentions", "found"),
    [
        ({}, None),
        ({"users": None, "mobiles": None}, None),
        ({"users": "", "mobiles": "a"}, None),
        ({"mobiles": []}, "nil"),
        ({"users": "alpha"}, "nil"),
        ({"users": [], "mobiles": "a"}, "[]interface {}"),
        ({"users": "alpha", "mobiles": -3}, "float64"),
        ({"users": {"a": 1}, "mobiles": []}, "map[string]interface {}"),
    ],
)
def test_arguments_of_one_group_are_asserted_when_any_of_them_is_there(
    mentions: dict[str, Any], found: str | None
) -> None:
    dialect = McpGo(sdk="0.8.2", asserts={"tool": {"x": "string", ("users", "mobiles"): "string"}})
    arguments = {"x": "hello", **mentions}

    if found is None:
        assert clean(dialect, TEXT, arguments) == arguments
    else:
        panic = f"panic: interface conversion: interface {{}} is {found}, not string"
        assert refusal(dialect, TEXT, arguments) == (-32603, panic)
