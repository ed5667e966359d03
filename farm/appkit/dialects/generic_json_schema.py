"""JSON Schema 2020-12 with our own wording, each fault on its own line, for apps whose real server has no dialect here.

Undeclared arguments are dropped; unknown keywords and formats are not checked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from farm.appkit.dialects._base import TOO_DEEP, Check, Dialect, InvalidArgumentsError
from farm.appkit.dialects._validator import Path, Problem, Validator, json_type

_INVALID_PARAMS = -32602
_FAULTS_MAX = 10
_EXCERPT_MAX = 80


@dataclass(frozen=True)
class GenericJsonSchema(Dialect):
    """JSON Schema 2020-12 with our own wording."""

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool. Absent arguments count as an empty object."""
        validator = Validator(input_schema)

        def check(arguments: Any) -> dict[str, Any]:
            try:
                cleaned = validator.accept({} if arguments is None else arguments)
                if type(cleaned) is dict:
                    return cleaned
                faults = _faults(validator, {} if arguments is None else arguments)
            except RecursionError:
                faults = TOO_DEEP
            raise InvalidArgumentsError(f"Invalid arguments for {tool}: {faults}", code=None)

        return check

    def unknown_tool(self, tool: str, arguments: Any = None) -> InvalidArgumentsError:
        """Return the refusal of a nonexistent tool."""
        return InvalidArgumentsError(f"Unknown tool: {tool}", code=_INVALID_PARAMS)


def _faults(validator: Validator, arguments: Any) -> str:
    if type(arguments) is not dict:
        return f"arguments must be an object, not {_article(json_type(arguments))}"
    found = [_fault(problem) for problem in islice(validator.problems(arguments, validator.root), _FAULTS_MAX + 1)]
    if len(found) > _FAULTS_MAX:
        found[_FAULTS_MAX:] = ["and more"]
    return "; ".join(found)


def _fault(problem: Problem) -> str:
    where = _where(problem.path)
    match problem.keyword:
        case "required":
            return f"{_within(problem.path)}{_names(problem.details)} is required"
        case "additionalProperties":
            return f"{_within(problem.path)}{_names(problem.details)} is not an argument of this tool"
        case "dependentRequired":
            return f"{where} needs {_names(problem.details)} beside {problem.limit}"
        case "type":
            wanted = problem.limit if isinstance(problem.limit, list) else [problem.limit]
            return f"{where} must be {' or '.join(map(_article, wanted))}, not {_excerpt(problem.value)}"
        case "enum":
            return f"{where} must be one of {', '.join(map(_excerpt, problem.limit))}, not {_excerpt(problem.value)}"
        case "const":
            return f"{where} must be {_excerpt(problem.limit)}, not {_excerpt(problem.value)}"
        case "pattern":
            return f"{where} must match {problem.limit}"
        case "uniqueItems":
            return f"{where} must not hold the same item twice"
        case "anyOf" | "oneOf" | "not" | "false":
            return f"{where} has none of the allowed forms"
    return f"{where} must {_LIMITS[problem.keyword].format(problem.limit)}"


_LIMITS = {
    "minimum": "be at least {}",
    "maximum": "be at most {}",
    "exclusiveMinimum": "be greater than {}",
    "exclusiveMaximum": "be less than {}",
    "multipleOf": "be a multiple of {}",
    "minLength": "have at least {} characters",
    "maxLength": "have at most {} characters",
    "minItems": "have at least {} items",
    "maxItems": "have at most {} items",
    "minProperties": "have at least {} properties",
    "maxProperties": "have at most {} properties",
}


def _where(path: Path) -> str:
    steps = "".join(f"[{step}]" if type(step) is int else f".{step}" for step in path)
    return steps.removeprefix(".") or "arguments"


def _within(path: Path) -> str:
    return f"in {_where(path)}, " if path else ""


def _names(names: list[str]) -> str:
    return " and ".join(names)


def _article(kind: Any) -> str:
    if kind == "null":
        return "null"
    return f"an {kind}" if str(kind)[:1] in "aio" else f"a {kind}"


def _excerpt(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _EXCERPT_MAX else f"{text[:_EXCERPT_MAX]}…"
