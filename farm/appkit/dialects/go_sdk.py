"""The official Go SDK with its JSON Schema validator, which reports the schema path of the first fault.

Real server: Rednote (``GoSdk()``). Sources: its recorded calls; the sources of the SDK, of its validator and of its
JSON decoder. Where Go iterates over a map and reports an arbitrary fault, we report the first in the written order.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from farm.appkit.dialects._base import TOO_DEEP, Check, Dialect, InvalidArgumentsError, RequestWording, version
from farm.appkit.dialects._requests import GoSdkRequests
from farm.appkit.dialects._validator import Path, Problem, Validator
from farm.appkit.dialects._values import REFUSED, is_number
from farm.appkit.formats.go import beginning, excerpt, go_quote, go_quotes, go_rational, go_value
from farm.appkit.formats.javascript import js_number_text
from farm.appkit.formats.numbers import to_float64

_INVALID_PARAMS = -32602
_INT64_LIMIT = 2**63
_GO_OBJECT = "map[string]interface {}"


@dataclass(frozen=True)
class GoSdk(Dialect):
    """A server on the Go SDK.

    Attributes:
        sdk: version of the SDK. Before 1.5 invalid arguments are a JSON-RPC error, since then a result.
        structs: tool → the Go type its arguments are decoded into; messages about numbers that do not fit name it.
    """

    sdk: str = "1.4.0"
    structs: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def words_no_object(self) -> bool:
        """Return True: the SDK has its own wording."""
        return True

    @property
    def requests(self) -> RequestWording:
        """The refusals of requests other than tool calls."""
        return GoSdkRequests()

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool. Absent arguments count as an empty object."""
        validator, is_result = Validator(input_schema), version(self.sdk) >= (1, 5)
        struct = self.structs.get(tool)

        def check(arguments: Any) -> dict[str, Any]:
            try:
                given = {} if arguments is None else arguments
                cleaned = validator.accept(given)
                if type(cleaned) is dict and not _overflow(cleaned, struct):
                    return cleaned
                message = _explain(validator, given, cleaned, struct)
            except RecursionError:
                message = TOO_DEEP
            if is_result:
                raise InvalidArgumentsError(message)
            raise InvalidArgumentsError(f"invalid params: {message}", code=_INVALID_PARAMS)

        return check

    def unknown_tool(self, tool: str, arguments: Any = None) -> InvalidArgumentsError:
        """Return the refusal of a nonexistent tool."""
        return InvalidArgumentsError(f"unknown tool {go_quote(tool)}", code=_INVALID_PARAMS)


def _explain(validator: Validator, given: Any, cleaned: Any, struct: str | None) -> str:
    unreadable = next(_unreadable(given), None)
    if unreadable is not None:
        return f'validating "arguments": unmarshaling arguments: json: cannot unmarshal {unreadable}'
    problem = next(validator.problems(given, validator.root), None)
    if problem is None:
        return _overflow(cleaned, struct) if cleaned is not REFUSED else TOO_DEEP
    return f'validating "arguments": {_way(problem.schema_path)}{_TEXTS[problem.keyword](problem)}'


def _unreadable(value: Any, kinds: str = "", way: tuple[str, ...] = ()) -> Iterator[str]:
    """Word values that Go cannot decode: arguments that are not an object, and numbers too large for a double."""
    if not way and type(value) is not dict:
        yield f"{excerpt(value)} into Go value of type {_GO_OBJECT}"
    elif is_number(value) and math.isinf(to_float64(value)):
        # The original spelling is lost; 1e400 is the usual one.
        shown = excerpt(value) if type(value) is int else '"1e400"' if value > 0 else '"-1e400"'
        yield f"{shown} into Go struct field {kinds}.{'.'.join(way)} of type float64"
    elif type(value) is dict:
        for name, item in value.items():
            yield from _unreadable(item, kinds + _GO_OBJECT, (*way, name))
    elif type(value) is list:
        for n, item in enumerate(value):
            yield from _unreadable(item, kinds + "[]interface {}", (*way, str(n)))


def _overflow(cleaned: dict[str, Any], struct: str | None) -> str:
    """Word the first whole number that the schema accepts but a Go int cannot hold; empty if there is none."""
    large = [name for name, value in cleaned.items() if type(value) is float and abs(value) >= _INT64_LIMIT]
    if not large:
        return ""
    # The SDK writes arguments as JSON again, with their defaults: sorted by name, numbers as JavaScript has them.
    name = min(large)
    shown = js_number_text(cleaned[name])
    what = go_quote(shown)
    if "e" not in shown:
        # The decoder quotes what it has not read yet, not the number alone.
        rest = [f"{_go_json(key)}:{_go_json(cleaned[key])}" for key in sorted(cleaned) if key > name]
        what = f"number {beginning(','.join([shown, *rest]) + '}')} overflows"
    place = "Go value" if struct is None else f"Go struct field {struct}.{name}"
    return f"json: cannot unmarshal {what} into {place} of type int"


def _go_json(value: Any) -> str:
    if type(value) is float:
        return js_number_text(value)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _way(schema_path: Path) -> str:
    """Return the path: the validator names each schema it passed, from the root down."""
    ways, pointer, steps = ["validating root: "], "", list(schema_path)
    while steps:
        # A keyword that holds several schemas forms one step with the name of one of them.
        pointer += "".join(f"/{step}" for step in steps[: _STEP_LENGTHS.get(str(steps[0]), 1)])
        del steps[: _STEP_LENGTHS.get(str(steps[0]), 1)]
        ways.append(f"validating {pointer}: ")
    return "".join(ways)


_STEP_LENGTHS = {"properties": 2, "patternProperties": 2, "prefixItems": 2, "allOf": 2}


def _type(problem: Problem) -> str:
    several = isinstance(problem.limit, list)
    wanted = ", ".join(problem.limit) if several else problem.limit
    want = "want one of" if several else "want"
    return f"type: {go_value(problem.value)} has type {go_quote(problem.details)}, {want} {go_quote(wanted)}"


def _bound(relation: str) -> Callable[[Problem], str]:
    return lambda problem: f"{problem.keyword}: {go_rational(problem.value)} is {relation} {float(problem.limit):f}"


def _length(relation: str) -> Callable[[Problem], str]:
    return lambda problem: (
        f"{problem.keyword}: {go_quote(problem.value)} contains {problem.details} Unicode code points, "
        f"{relation} {problem.limit}"
    )


def _size(what: str, relation: str) -> Callable[[Problem], str]:
    return lambda problem: f"{problem.keyword}: {what.format(problem.details)} is {relation} {problem.limit}"


def _branches(problem: Problem) -> str:
    anonymous = f"[{' '.join(['<anonymous schema>'] * len(problem.limit))}]"
    if problem.keyword == "oneOf" and problem.details:
        return "oneOf: validated against both <anonymous schema> and <anonymous schema>"
    return f"{problem.keyword}: did not validate against any of {anonymous}"


_TEXTS: dict[str, Callable[[Problem], str]] = {
    "type": _type,
    "enum": lambda problem: f"enum: {go_value(problem.value)} does not equal any of: {go_value(problem.limit)}",
    "const": lambda problem: f"const: {go_value(problem.value)} does not equal {go_value(problem.limit, nested=True)}",
    "multipleOf": _bound("not a multiple of"),
    "minimum": _bound("less than"),
    "maximum": _bound("greater than"),
    "exclusiveMinimum": _bound("less than or equal to"),
    "exclusiveMaximum": _bound("greater than or equal to"),
    "minLength": _length("fewer than"),
    "maxLength": _length("more than"),
    "pattern": lambda problem: (
        f"pattern: {go_quote(problem.value)} does not match regular expression {go_quote(problem.limit)}"
    ),
    "anyOf": _branches,
    "oneOf": _branches,
    "not": lambda problem: "not: validated against <anonymous schema>",
    "false": lambda problem: "not: validated against <anonymous schema>",
    "minItems": _size("array length {}", "less than"),
    "maxItems": _size("array length {}", "greater than"),
    "uniqueItems": lambda problem: "uniqueItems: array items {} and {} are equal".format(*problem.details),
    "minProperties": lambda problem: (
        f"minProperties: object has {problem.details} properties, less than {problem.limit}"
    ),
    "maxProperties": lambda problem: (
        f"maxProperties: object has {problem.details} properties, greater than {problem.limit}"
    ),
    "additionalProperties": lambda problem: f"unexpected additional properties {go_quotes(problem.details)}",
    "required": lambda problem: f"required: missing properties: {go_quotes(problem.details)}",
    "dependentRequired": lambda problem: (
        f"dependentRequired[{go_quote(problem.limit)}]: missing properties {go_quotes(problem.details)}"
    ),
}
