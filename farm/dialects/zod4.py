"""zod 4 as the TypeScript SDK 1.32 shows it: an isError result, one line an issue, ``message at path``.

Lark's server is built so. Sources: its recorded calls; zod 4's English texts and the SDK's own source.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farm.dialects._base import ArgumentsRefused, Check
from farm.dialects._javascript import compile_check, js_text, received
from farm.dialects._values import is_number
from farm.dialects._zod import compile_shape
from farm.dialects._zod_words import Issue, Keyword, Measured, Path

_FORMATS = {
    "email": "email address",
    "uri": "URL",
    "uuid": "UUID",
    "date-time": "ISO datetime",
    "date": "ISO date",
    "time": "ISO time",
    "duration": "ISO duration",
    "ipv4": "IPv4 address",
    "ipv6": "IPv6 address",
}
_UNITS = {"string": "characters", "array": "items"}
_COMPARED = {"minimum": ">=", "maximum": "<=", "exclusiveMinimum": ">", "exclusiveMaximum": "<", "exact": "exactly "}


@dataclass(frozen=True)
class Zod4:
    """A server on zod 4."""

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool. Arguments left out count as an empty object."""
        shape = compile_shape(input_schema, _WORDS)

        def refusal(arguments: Any) -> ArgumentsRefused:
            if type(arguments) is not dict:
                return _not_a_record(arguments)
            issues = "\n".join(map(_line, shape.explain(arguments, ())))
            return _refused(f"Input validation error: Invalid arguments for tool {tool}: {issues}")

        return compile_check(shape.accept, refusal, absent={})

    def unknown_tool(self, tool: str) -> ArgumentsRefused:
        """The answer to a call of a tool that does not exist: a result too, not a protocol error."""
        return _refused(f"Tool {tool} not found")


def _refused(text: str) -> ArgumentsRefused:
    return ArgumentsRefused(f"MCP error -32602: {text}", code=None)


def _not_a_record(arguments: Any) -> ArgumentsRefused:
    """Word arguments that are no object: the SDK's own check of the request fails, before any tool's."""
    issue = {
        "expected": "record",
        "code": "invalid_type",
        "path": ["params", "arguments"],
        "message": f"Invalid input: expected record, received {_received(arguments)}",
    }
    return ArgumentsRefused(json.dumps([issue], indent=2), code=-32603)


def _line(issue: Issue) -> str:
    path = "".join(f"[{step}]" if n and type(step) is int else f".{step}" for n, step in enumerate(issue.path))
    return f"{issue.message} at {path[1:]}" if path else issue.message


def _received(value: Any) -> str:
    if is_number(value) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return received(value)


class _Words:
    """zod 4's English texts."""

    strict_objects = True
    record = "record"
    late_sizes = True
    exact_numbers = True
    anyof_discriminates = False

    def length(self, text: str) -> int:
        return len(text)  # zod 4.6 counts code points

    def type(self, path: Path, expected: str, value: Any) -> Issue:
        return Issue(path, f"Invalid input: expected {expected}, received {_received(value)}")

    def anything(self, path: Path) -> list[Issue]:
        return [Issue(path, "Invalid input: expected nonoptional, received undefined")]

    def integer(self, path: Path) -> Issue:
        return Issue(path, "Invalid input: expected int, received number")

    def enum(self, path: Path, options: Sequence[Any], value: Any) -> Issue:
        if len(options) == 1:
            return self.literal(path, options[0], value)
        return Issue(path, f"Invalid option: expected one of {'|'.join(map(_primitive, options))}")

    def literal(self, path: Path, expected: Any, value: Any) -> Issue:
        return Issue(path, f"Invalid input: expected {_primitive(expected)}")

    def bound(self, path: Path, measured: Measured, is_small: bool, bound: Any, how: Keyword) -> Issue:
        size = f"Too {'small' if is_small else 'big'}: expected {measured} to "
        limit = _COMPARED[how] + js_text(bound)
        if measured in _UNITS:
            return Issue(path, f"{size}have {limit} {_UNITS[measured]}", fatal=False)
        return Issue(path, f"{size}be {limit}", fatal=measured == "int")

    def multiple(self, path: Path, divisor: Any) -> Issue:
        return Issue(path, f"Invalid number: must be a multiple of {js_text(divisor)}", fatal=False)

    def format(self, path: Path, name: str, pattern: str) -> Issue:
        if name == "regex":
            return Issue(path, f"Invalid string: must match pattern /{pattern}/", fatal=False)
        return Issue(path, f"Invalid {_FORMATS.get(name, name)}", fatal=False)

    def unrecognized(self, path: Path, keys: Sequence[str]) -> Issue:
        plural = "s" if len(keys) > 1 else ""
        return Issue(path, f"Unrecognized key{plural}: {', '.join(map(_primitive, keys))}", fatal=False)

    def key(self, path: Path, issues: list[Issue]) -> list[Issue]:
        return [Issue(path, "Invalid key in record")] if issues else []

    def union(self, path: Path, branches: Sequence[list[Issue]]) -> list[Issue]:
        near = [issues for issues in branches if not any(issue.fatal for issue in issues)]
        return near[0] if len(near) == 1 else [Issue(path, "Invalid input")]

    def discriminator(self, path: Path, options: Sequence[Any]) -> Issue:
        named = " | ".join(f"'{option}'" for option in options)
        return Issue(path, f"Invalid discriminator value. Expected {named}")


def _primitive(value: Any) -> str:
    return f'"{value}"' if type(value) is str else js_text(value)


_WORDS = _Words()
