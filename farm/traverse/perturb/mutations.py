"""Errors in a call's arguments against its schema: type, shape and bounds.

The classes are those of MCP-Persona, section 3.1. A class states the intention; the server decides whether it refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from farm.traverse.perturb.schemas import ABSENT, Path, Spot, argument_of, drop, put, spots

TYPE_MISMATCH = "type_mismatch"
SCHEMA_VIOLATION = "schema_violation"
BOUNDARY = "boundary"
SEMANTIC_CONFLICT = "semantic_conflict"
CLASSES = (TYPE_MISMATCH, SCHEMA_VIOLATION, BOUNDARY, SEMANTIC_CONFLICT)

_HUGE = 5_000
_MANY = 40
_UNKNOWN_KEY = "unexpected_argument"
# For each type, some values of other types, the one most often confused with it first.
_WRONG: Mapping[str, tuple[Any, ...]] = {
    "string": (7, True, ["text"], {"text": "text"}),
    "integer": ("7", 1.5, True, [7]),
    "number": ("7", True, [7]),
    "boolean": ("true", 1, []),
    "array": ("text", {"0": "text"}, 7),
    "object": ("text", [], 7),
}
# Values that look like the format but violate it.
_MALFORMED: Mapping[str, tuple[tuple[str, str], ...]] = {
    "date": (("format", "2026-13-45"), ("format", "22.11.2026")),
    "date-time": (("format", "2026-02-30T25:61:00Z"), ("format", "tomorrow")),
    "time": (("format", "25:61"),),
    "email": (("format", "nobody@"), ("format", "nobody")),
    "uri": (("format", "http//no-colon"), ("format", "no uri")),
    "uuid": (("format", "not-a-uuid"),),
}


@dataclass(frozen=True)
class Mutation:
    """One call with one thing wrong.

    Attributes:
        error_class: one of ``CLASSES``.
        operation: the kind of change, such as ``missing``.
        path: the changed value.
        arguments: the arguments to send.
        omits_arguments: whether the key ``arguments`` is left out altogether.
        because: for a proposed mutation, the conflict that the model named.
    """

    error_class: str
    operation: str
    path: Path
    arguments: Any
    omits_arguments: bool = False
    because: str | None = None

    @property
    def argument(self) -> str:
        """The changed argument, as tables name it."""
        return argument_of(self.path)


def mutations(schema: Mapping[str, Any], arguments: Any) -> Iterator[Mutation]:
    """Yield a successful call's mutations of the first three classes, in the order of the schema."""
    for spot in spots(schema, arguments):
        if spot.value is ABSENT:
            yield from _for_absent(spot, arguments)
        else:
            yield from _types(spot, arguments)
            yield from _shapes(spot, arguments)
            yield from _bounds(spot, arguments)
    yield Mutation(SCHEMA_VIOLATION, "omitted", (), None, omits_arguments=True)


def _for_absent(spot: Spot, arguments: Any) -> Iterator[Mutation]:
    """Yield mutations that add an omitted argument with a wrong value."""
    for wrong in _WRONG.get(spot.type or "", ())[:1]:
        yield Mutation(TYPE_MISMATCH, f"{spot.type} as {_kind(wrong)}", spot.path, put(arguments, spot.path, wrong))
    yield Mutation(SCHEMA_VIOLATION, "null", spot.path, put(arguments, spot.path, None))
    for operation, value in _bad_values(spot, None):
        yield Mutation(BOUNDARY, operation, spot.path, put(arguments, spot.path, value))


def _types(spot: Spot, arguments: Any) -> Iterator[Mutation]:
    for wrong in _WRONG.get(spot.type or "", ()):
        yield Mutation(TYPE_MISMATCH, f"{spot.type} as {_kind(wrong)}", spot.path, put(arguments, spot.path, wrong))


def _shapes(spot: Spot, arguments: Any) -> Iterator[Mutation]:
    if spot.path:
        yield Mutation(SCHEMA_VIOLATION, "null", spot.path, put(arguments, spot.path, None))
        if spot.is_required and isinstance(spot.path[-1], str):
            yield Mutation(SCHEMA_VIOLATION, "missing", spot.path, drop(arguments, spot.path))
    if isinstance(spot.value, dict):
        extra = {**spot.value, _UNKNOWN_KEY: 1}
        yield Mutation(SCHEMA_VIOLATION, "extra", spot.path, put(arguments, spot.path, extra))


def _bounds(spot: Spot, arguments: Any) -> Iterator[Mutation]:
    for operation, value in _bad_values(spot, spot.value):
        yield Mutation(BOUNDARY, operation, spot.path, put(arguments, spot.path, value))


def _bad_values(spot: Spot, given: Any) -> Iterator[tuple[str, Any]]:
    schema = spot.schema
    if "enum" in schema:
        yield "not in the list", f"{next(iter(schema['enum']), '')}_x"
    elif spot.type == "string":
        yield from _bad_texts(schema, given)
    elif spot.type in ("integer", "number"):
        yield from _bad_numbers(schema, is_whole=spot.type == "integer")
    elif spot.type == "array":
        yield from _bad_lists(schema, given)


def _bad_texts(schema: Mapping[str, Any], given: str | None) -> Iterator[tuple[str, str]]:
    yield "empty", ""
    yield "blank", "   "
    yield from _MALFORMED.get(str(schema.get("format")), ())
    if "pattern" in schema:
        yield "pattern", "?!"
    if isinstance(longest := schema.get("maxLength"), int):
        yield "above", "x" * (longest + 1)
    if isinstance(shortest := schema.get("minLength"), int) and shortest > 1:
        yield "below", "x" * (shortest - 1)
    if given is not None:
        yield "newline", given + "\n"
        yield "control", given + "\u0000"
        yield "huge", "x" * _HUGE


def _bad_numbers(schema: Mapping[str, Any], *, is_whole: bool) -> Iterator[tuple[str, Any]]:
    lowest = schema.get("minimum", schema.get("exclusiveMinimum", 0))
    highest = schema.get("maximum", schema.get("exclusiveMaximum"))
    if isinstance(lowest, (int, float)):
        yield "below", lowest - 1
    if isinstance(highest, (int, float)):
        yield "above", highest + 1
    yield "zero", 0
    yield "huge", 10**15
    if not is_whole:
        yield "fraction", 1.5


def _bad_lists(schema: Mapping[str, Any], given: Any) -> Iterator[tuple[str, list[Any]]]:
    yield "empty", []
    if isinstance(given, list) and given:
        longest = schema.get("maxItems")
        count = longest + 1 if isinstance(longest, int) else _MANY
        yield "above" if isinstance(longest, int) else "many", (given * count)[:count]


def _kind(value: Any) -> str:
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
    return "object"
