"""Whatever JSON comes, a dialect refuses or cleans it, and what it has cleaned it takes again unchanged."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farm import content
from farm.appkit.dialects import (
    Check,
    Composio,
    Dialect,
    GenericJsonSchema,
    GoSdk,
    InvalidArgumentsError,
    Jsonschema,
    McpGo,
    Pydantic,
    Unchecked,
    Zod3,
    Zod4,
)

pytestmark = pytest.mark.slow

_TOOLS_MAX = 25
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.characters()
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)
OWN: dict[str, Any] = {
    "$schema": "-",
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^[^x]*$"},
        "mail": {"type": "string", "format": "email"},
        "count": {"type": "integer", "minimum": -3, "exclusiveMaximum": 10, "multipleOf": 3},
        "share": {"type": "number", "default": 0.5},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "fixed": {"const": 1},
        "maybe": {"type": ["string", "null"]},
        "either": {"anyOf": [{"type": "string", "maxLength": 2}, {"type": "object", "properties": {"n": {}}}]},
        "tagged": {
            "oneOf": [
                {"type": "object", "properties": {"t": {"const": "a"}}, "required": ["t"]},
                {"type": "object", "properties": {"t": {"const": "b"}, "n": {"type": "number"}}, "required": ["t"]},
            ]
        },
        "list": {"type": "array", "items": {"type": "object", "properties": {"v": {"type": "boolean"}}}, "maxItems": 2},
        "map": {"type": "object", "additionalProperties": {"type": "number"}, "propertyNames": {"maxLength": 2}},
        "open": {"type": "object", "properties": {}, "additionalProperties": {}},
        "shut": {"type": "object", "properties": {"s": {"type": "string"}}, "additionalProperties": False},
        "any": {},
    },
    "required": ["text"],
}  # fmt: skip


def _cases() -> list[Any]:
    cases = [
        pytest.param(dialect, OWN, id=f"{dialect}-own") for dialect in (Zod3(), Zod4(), GoSdk(), GenericJsonSchema())
    ]
    for app in content.app_names():
        loaded = content.load_app(app)
        if not loaded.app.dialect.checks_arguments:
            # Whatever comes goes on to the handler.
            continue
        # A sample: the test is about the dialect, not about each tool.
        tools = loaded.tool_schemas[:: 1 + len(loaded.tool_schemas) // _TOOLS_MAX]
        cases += [pytest.param(loaded.app.dialect, tool["inputSchema"], id=tool["name"]) for tool in tools]
    return cases


def _undeclared(value: Any, schema: Any) -> list[str]:
    """Keys of a cleaned value that its schema does not declare."""
    if not isinstance(schema, dict) or any(word in schema for word in ("anyOf", "oneOf")):
        return []
    if isinstance(value, list):
        return [key for item in value for key in _undeclared(item, schema.get("items"))]
    if not isinstance(value, dict) or schema.get("type") != "object":
        return []
    parts = schema.get("properties", {})
    rest = schema.get("additionalProperties", False)
    own = [] if rest is not False else [key for key in value if key not in parts]
    return own + [key for name, item in value.items() for key in _undeclared(item, parts.get(name, rest))]


def _like(schema: Any) -> st.SearchStrategy[Any]:
    """Values that are often, but not always, what a schema wants."""
    if not isinstance(schema, dict):
        return JSON
    by_type = {
        "string": st.sampled_from(["", "a", "abc", "a@b.co", "x" * 28]),
        "number": st.sampled_from([0, 1.0, 2.5, 3, 2**60, 1e25]),
        "integer": st.sampled_from([0, 1.0, 2.5, 3, 2**60, 1e25]),
        "boolean": st.booleans(),
        "null": st.none(),
    }
    kind = schema.get("type")
    fitting: st.SearchStrategy[Any] = by_type.get(kind, JSON) if isinstance(kind, str) else JSON
    if "enum" in schema or "const" in schema:
        fitting = st.sampled_from([*schema.get("enum", []), schema.get("const")])
    elif kind == "array":
        fitting = st.lists(_like(schema.get("items")), max_size=3)
    elif kind == "object":
        parts = {key: _like(part) for key, part in schema.get("properties", {}).items()}
        required = {key: parts.pop(key) for key in schema.get("required", []) if key in parts}
        fitting = st.fixed_dictionaries(required, optional=parts)
    return st.one_of(fitting, fitting, fitting, fitting, JSON)


def _outcome(check: Check, arguments: Any) -> tuple[dict[str, Any] | None, str]:
    try:
        return check(arguments), ""
    except InvalidArgumentsError as refused:
        return None, refused.message


def _holds(check: Check, schema: Any, arguments: Any, *, drops_undeclared: bool = True) -> None:
    before = copy.deepcopy(arguments)

    cleaned, message = _outcome(check, arguments)

    assert arguments == before
    if cleaned is None:
        assert message.encode()
        assert not message.endswith((": ", "tool: []")), "a refusal says what is wrong"
    else:
        assert not drops_undeclared or _undeclared(cleaned, schema) == []
        assert check(_given(cleaned, schema, arguments)) == cleaned


def _given(cleaned: dict[str, Any], schema: Any, arguments: Any) -> dict[str, Any]:
    """Cleaned arguments without the nulls that Python declares as defaults and pydantic takes from nobody else."""
    parts = schema.get("properties", {})
    sent = arguments or {}
    return {
        name: value
        for name, value in cleaned.items()
        if name in sent or value is not None or parts.get(name, {}).get("default", ...) is not None
    }


@pytest.mark.parametrize(("dialect", "schema"), _cases())
def test_any_json_is_refused_or_cleaned_once_and_for_all(dialect: Dialect, schema: Any) -> None:
    check = dialect.compile("tool", schema)
    # What validates and no more passes on what it was given.
    drops_undeclared = not isinstance(dialect, Jsonschema)

    @settings(max_examples=60, deadline=None, derandomize=True)
    @given(_like(schema))
    def holds(arguments: Any) -> None:
        _holds(check, schema, arguments, drops_undeclared=drops_undeclared)

    holds()


@pytest.mark.parametrize("dialect", [Pydantic(), Composio(), Jsonschema(), McpGo(), Unchecked()], ids=repr)
def test_any_json_is_refused_in_words_or_passed_on_as_a_copy(dialect: Dialect) -> None:
    check = dialect.compile("tool", {key: value for key, value in OWN.items() if key != "$schema"})

    @settings(max_examples=150, deadline=None, derandomize=True)
    @given(_like(OWN))
    def holds(arguments: Any) -> None:
        before = copy.deepcopy(arguments)

        cleaned, message = _outcome(check, arguments)

        assert arguments == before
        assert message.encode() or type(cleaned) is dict
        assert cleaned is None or cleaned is not arguments

    holds()
