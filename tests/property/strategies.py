"""Random arguments: what a schema allows, and that with something broken."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


def fitting(schema: Mapping[str, Any], known: Mapping[str, list[str]]) -> st.SearchStrategy[Any]:
    """Return values a JSON schema allows; a property called ``x`` is often one of ``known["x"]``."""
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return st.one_of([fitting(each, known) for each in schema[union]])
    kind = schema.get("type")
    if isinstance(kind, list):
        return st.one_of([fitting({**schema, "type": each}, known) for each in kind])
    return _of_type(kind, schema, known)


def _of_type(kind: Any, schema: Mapping[str, Any], known: Mapping[str, list[str]]) -> st.SearchStrategy[Any]:
    match kind:
        case "string":
            return st.text(max_size=min(schema.get("maxLength", 40), 40)) | st.sampled_from(
                ["", " ", "0", "1773018000", "x" * 300, "会议"]
            )
        case "integer":
            return st.integers(schema.get("minimum"), schema.get("maximum"))
        case "number":
            return st.floats(allow_nan=False, allow_infinity=False, width=32) | st.integers(-5, 2000)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case "array":
            return st.lists(fitting(schema.get("items", {}), known), max_size=3)
        case "object":
            return _object(schema, known)
    return JUNK


def _object(schema: Mapping[str, Any], known: Mapping[str, list[str]]) -> st.SearchStrategy[Any]:
    properties, required = schema.get("properties", {}), set(schema.get("required", ()))
    if not properties:
        return st.dictionaries(st.text(max_size=8), JUNK, max_size=3)

    def value(name: str, inner: Mapping[str, Any]) -> st.SearchStrategy[Any]:
        allowed = fitting(inner, known)
        return st.sampled_from(known[name]) | allowed if known.get(name) and inner.get("type") == "string" else allowed

    return st.fixed_dictionaries(
        {name: value(name, inner) for name, inner in properties.items() if name in required},
        optional={name: value(name, inner) for name, inner in properties.items() if name not in required},
    )


@st.composite
def broken(draw: st.DrawFn, schema: Mapping[str, Any], known: Mapping[str, list[str]]) -> Any:
    """Draw fitting arguments with one value somewhere replaced, dropped or added."""
    arguments = copy.deepcopy(draw(fitting(schema, known)))
    if not isinstance(arguments, dict) or not arguments:
        return draw(JUNK)
    place, name = arguments, draw(st.sampled_from(sorted(arguments)))
    while isinstance(place[name], dict) and place[name] and draw(st.booleans()):
        place = place[name]
        name = draw(st.sampled_from(sorted(place)))
    match draw(st.sampled_from(("replace", "drop", "add"))):
        case "replace":
            place[name] = draw(JUNK)
        case "drop":
            del place[name]
        case "add":
            place[draw(st.text(max_size=8))] = draw(JUNK)
    return arguments
