"""The TypeScript SDK by its versions, and servers that parse by themselves: how the same findings go out.

Expectations from recorded calls of servers on these versions, and from the published packages.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from farm.appkit.dialects import Dialect, Wording, Zod3, Zod4
from farm.appkit.tool_schemas import ToolSchemas
from farm.testing import LocalApp
from farm.traverse.scaffold import new_app
from tests.unit._dialects import clean, of_property, refusal

SCHEMA = of_property({"type": "array", "items": {"type": "string", "minLength": 2}}, required=True)
WRONG = {"x": ["ab", "a"]}
PREFIX = "Input validation error: Invalid arguments for tool tool: "
NO_STRING_4 = "Invalid input: expected string, received number"
TOO_SMALL_4 = "Too small: expected string to have >=2 characters"


@pytest.mark.parametrize(
    ("dialect", "code", "start", "end"),
    [
        (Zod3(sdk="1.20.2"), -32602, "MCP error -32602: Invalid arguments for tool tool: [\n", "\n]"),
        (Zod3(sdk="1.21.0"), None, f"MCP error -32602: {PREFIX}[\n", "\n]"),
        (Zod4(sdk="1.29.0"), None, f"MCP error -32602: {PREFIX}[\n", "\n]"),
        (Zod4(sdk="1.30.0"), None, f"MCP error -32602: {PREFIX}", f"{TOO_SMALL_4} at x[1]"),
        (Zod4(sdk="2.0.0"), None, PREFIX, f"x.1: {TOO_SMALL_4}"),
        (Zod3(invalid=Wording("Error: {issues}", is_error=None)), None, "Error: [\n  {\n", "\n]"),
        (Zod3(invalid=Wording("{issues}", code=-32603)), -32603, "[\n  {\n", "\n]"),
    ],
    ids=repr,
)
def test_the_same_finding_goes_out_as_the_sdk_of_its_time_sends_it(
    dialect: Dialect, code: int | None, start: str, end: str
) -> None:
    refused = refusal(dialect, SCHEMA, WRONG)

    assert refused[0] == code
    assert refused[1].startswith(start)
    assert refused[1].endswith(end)


# The SDK keeps its tools in a plain object, and finds what every object has: it is not enabled.
@pytest.mark.parametrize(
    ("dialect", "code", "text"),
    [
        (Zod3(sdk="1.15.1"), -32602, "MCP error -32602: Tool {} disabled"),
        (Zod3(sdk="1.22.0"), None, "MCP error -32602: Tool {} disabled"),
        (Zod4(sdk="1.32.2"), None, "MCP error -32602: Tool {} disabled"),
        (Zod4(sdk="2.0.0"), -32602, "Tool {} disabled"),
        (Zod3(sdk="0.4.0", unknown=Wording("Error: Unknown tool: {tool}")), None, "Error: Unknown tool: {}"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("name", ["__proto__", "constructor", "toString", "hasOwnProperty", "__defineGetter__"])
def test_what_every_object_has_is_a_tool_that_is_disabled(
    dialect: Dialect, code: int | None, text: str, name: str
) -> None:
    refused = dialect.unknown_tool(name)

    assert (refused.code, refused.message) == (code, text.format(name))


@pytest.mark.parametrize(
    ("dialect", "needs_arguments"),
    [
        (Zod3(sdk="1.22.0"), True),
        (Zod4(sdk="1.31.0"), True),
        (Zod4(sdk="1.32.0"), False),
        (Zod4(sdk="2.0.0"), False),
        (Zod3(sdk="1.32.2", invalid=Wording("{issues}")), True),
    ],
    ids=repr,
)
def test_missing_arguments_are_refused_until_the_sdk_takes_them_for_an_empty_object(
    dialect: Dialect, needs_arguments: bool
) -> None:
    optional = of_property({"type": "string"})

    if needs_arguments:
        assert "undefined" in refusal(dialect, optional, None)[1]
    else:
        assert clean(dialect, optional, None) == {}


def test_zod4_prints_its_issues_with_code_and_origin_where_the_sdk_prints_json() -> None:
    _, text = refusal(Zod4(sdk="1.29.0"), SCHEMA, WRONG)

    assert json.loads("[" + text.partition(": [")[2]) == [
        {
            "origin": "string",
            "code": "too_small",
            "minimum": 2,
            "inclusive": True,
            "path": ["x", 1],
            "message": TOO_SMALL_4,
        }
    ]


@pytest.mark.parametrize(
    ("schema", "value", "before", "since"),
    [
        (
            {"type": "string", "minLength": 3, "maxLength": 3},
            "a",
            ("4.4.3", "Too small: expected string to have >=3 characters"),
            ("4.5.0", "Too small: expected string to have exactly 3 characters"),
        ),
        (
            {"type": "array", "items": {"type": "string"}, "maxItems": 1},
            [1, 2],
            ("4.6.5", "Invalid input: expected string, received number at x[0]"),
            ("4.6.7", "Too big: expected array to have <=1 items"),
        ),
    ],
)
def test_zod4_words_some_things_by_release(
    schema: dict[str, Any], value: Any, before: tuple[str, str], since: tuple[str, str]
) -> None:
    for release, text in (before, since):
        message = refusal(Zod4(zod=release), of_property(schema), {"x": value})[1]

        assert message.removeprefix(f"MCP error -32602: {PREFIX}").splitlines()[0].removesuffix(" at x") == text


def test_zod4_counts_code_points_since_4_5_and_utf_16_before() -> None:
    short = of_property({"type": "string", "maxLength": 3})

    assert clean(Zod4(zod="4.5.0"), short, {"x": "😀😀"}) == {"x": "😀😀"}
    refusal(Zod4(zod="4.4.3"), short, {"x": "😀😀"})


@pytest.mark.parametrize("side", [1, -1])
def test_zod4_tells_in_an_issues_body_that_a_number_was_infinite_only_where_it_wants_one(side: int) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "number"}, "s": {"type": "string"}}}
    _, text = refusal(Zod4(sdk="1.29.0", zod="4.4.1"), schema, {"n": side * math.inf, "s": side * math.inf})

    assert json.loads("[" + text.partition(": [")[2]) == [
        {
            "expected": "number",
            "code": "invalid_type",
            "received": "Infinity",
            "path": ["n"],
            "message": "Invalid input: expected number, received number",
        },
        {
            "expected": "string",
            "code": "invalid_type",
            "path": ["s"],
            "message": "Invalid input: expected string, received number",
        },
    ]


def _rule(arguments: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if "y" not in arguments:
        yield (), "`y` goes with `x`"
        yield ("x", 0), "and not like this"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"x": ["ab"]}, "`y` goes with `x`, x.0: and not like this"),
        ({"x": ["a"]}, f"x.0: {TOO_SMALL_4}, `y` goes with `x`, x.0: and not like this"),
        ({"x": [1]}, "x.0: Invalid input: expected string, received number"),
    ],
)
def test_a_schemas_own_rule_is_asked_when_every_part_could_be_read(arguments: Any, text: str) -> None:
    dialect = Zod4(sdk="2.0.0", rules={"tool": _rule})

    assert refusal(dialect, SCHEMA, arguments)[1] == PREFIX + text
    assert clean(dialect, {**SCHEMA, "additionalProperties": {}}, {"x": ["ab"], "y": 1}) == {"x": ["ab"], "y": 1}


def _even(item: Any) -> list[tuple[tuple[str | int, ...], str]]:
    return [] if len(item) % 2 == 0 else [((), "not even")]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"x": ["abc", 1, "a"]}, f"x.0: not even, x.1: {NO_STRING_4}, x.2: {TOO_SMALL_4}, x.2: not even"),
        ({"x": "abc"}, "x: Invalid input: expected array, received string"),
        ({"x": [1] * 30 + ["abc"]}, ", ".join(f"x.{n}: {NO_STRING_4}" for n in range(20))),
    ],
)
def test_an_items_own_rule_is_asked_whatever_is_wrong_beside_it(arguments: Any, text: str) -> None:
    dialect = Zod4(sdk="2.0.0", part_rules={"tool": {"x": _even}})

    assert refusal(dialect, SCHEMA, arguments)[1] == PREFIX + text
    assert clean(dialect, {**SCHEMA, "additionalProperties": {}}, {"x": ["ab"], "y": 1}) == {"x": ["ab"], "y": 1}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "content").mkdir()
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "content"))
    return tmp_path / "content"


@pytest.mark.parametrize(("dialect", "said"), [("Composio()", False), ("Composio(is_error=None)", None)])
def test_a_result_says_of_itself_what_the_dialect_declares(folder: Path, dialect: str, said: bool | None) -> None:
    tool_schemas = ToolSchemas({"name": "teller", "version": "1"}, None, ({"name": "find", "inputSchema": SCHEMA},))
    new_app("teller", folder, tool_schemas, dialect=dialect, title="Teller", category="test")
    app = LocalApp("teller", folder.parent / "data")

    assert app.result("find", x=[1]).get("isError") is said
    app.close()
