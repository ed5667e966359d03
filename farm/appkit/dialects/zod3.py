"""zod 3: every issue as JSON with its code, the expected and the received type.

Real servers: Slack and the medical one (``Zod3()``: SDK 1.15, a JSON-RPC error); Lark with SDK 1.22, where the same is
a result (``Zod3(sdk="1.22.0")``); Gmail and the deep-research one, which parse by themselves (``invalid=…``). Sources:
their recorded calls; the published packages of zod 3.25 and the SDK.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from farm.appkit.dialects._javascript import received
from farm.appkit.dialects._values import ABSENT, copy_value
from farm.appkit.dialects._zod_messages import Issue, Keyword, Measured, Path, Words
from farm.appkit.dialects._zod_server import ZodServer
from farm.appkit.formats.javascript import js_length, js_string

_FORMATS = {"uri": "url", "date-time": "datetime", "ipv4": "ip", "ipv6": "ip"}
_SIZES = {
    "minimum": "at least",
    "maximum": "at most",
    "exact": "exactly",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
}
_COMPARED = {
    "minimum": "greater than or equal to",
    "maximum": "less than or equal to",
    "exclusiveMinimum": "greater than",
    "exclusiveMaximum": "less than",
}


def _ordered(issues: Sequence[Issue]) -> list[Issue]:
    return sorted(issues, key=lambda issue: issue.late)


def _expected(path: Path, message: str, *, fatal: bool = True, late: bool = False, **body: Any) -> Issue:
    """Make an issue whose printed form ends in path and message, like those of wrong types."""
    return Issue(path, message, fatal, late, {**body, "path": list(path), "message": message})


def _checked(path: Path, message: str, **body: Any) -> Issue:
    """Make an issue whose printed form ends in message and path, like those of violated bounds."""
    return Issue(path, message, False, False, {**body, "message": message, "path": list(path)})


class _Words:
    """zod 3's English texts."""

    strict_objects = False
    record = "object"
    late_sizes = False
    exact_numbers = False
    anyof_discriminates = True
    too_many_is_enough = False

    def length(self, text: str) -> int:
        return js_length(text)

    def type(self, path: Path, expected: str, value: Any) -> Issue:
        message = "Required" if value is ABSENT else f"Expected {expected}, received {received(value)}"
        return _expected(path, message, code="invalid_type", expected=expected, received=received(value))

    def anything(self, path: Path) -> list[Issue]:
        return []  # undefined is anything too

    def integer(self, path: Path) -> Issue:
        message = "Expected integer, received float"
        return _checked(path, message, code="invalid_type", expected="integer", received="float")

    def enum(self, path: Path, options: Sequence[Any], value: Any) -> Issue:
        named = " | ".join(f"'{option}'" if type(option) is str else js_string(option) for option in options)
        compared = ("string",) if all(type(option) is str for option in options) else ("string", "number")
        kind = received(value)
        if kind not in compared:
            message = "Required" if value is ABSENT else f"Expected {named}, received {kind}"
            return _expected(path, message, expected=named, received=kind, code="invalid_type")
        shown = value if type(value) is str else js_string(copy_value(value))
        message = f"Invalid enum value. Expected {named}, received '{shown}'"
        return _expected(path, message, received=copy_value(value), code="invalid_enum_value", options=list(options))

    def literal(self, path: Path, expected: Any, value: Any) -> Issue:
        message = f"Invalid literal value, expected {json.dumps(expected, ensure_ascii=False)}"
        shown = {} if value is ABSENT else {"received": copy_value(value)}
        return _expected(path, message, **shown, code="invalid_literal", expected=expected)

    def bound(self, path: Path, measured: Measured, is_small: bool, bound: Any, how: Keyword) -> Issue:
        if measured == "number":
            message = f"Number must be {_COMPARED[how]} {js_string(bound)}"
        else:
            unit = "character(s)" if measured == "string" else "element(s)"
            message = f"{measured.capitalize()} must contain {_SIZES[how]} {js_string(bound)} {unit}"
        limit = {"code": "too_small", "minimum": bound} if is_small else {"code": "too_big", "maximum": bound}
        inclusive, exact = not how.startswith("exclusive"), how == "exact"
        return _checked(path, message, **limit, type=measured, inclusive=inclusive, exact=exact)

    def size(self, path: Path, is_small: bool, bound: int) -> Issue:
        code, name = ("too_small", "minimum") if is_small else ("too_big", "maximum")
        limit: dict[str, Any] = {"code": code, name: bound}
        message = f"Array must contain at {'least' if is_small else 'most'} {bound} element(s)"
        return _expected(path, message, **limit, inclusive=True, exact=False, type="array")

    def multiple(self, path: Path, divisor: Any) -> Issue:
        message = f"Number must be a multiple of {js_string(divisor)}"
        return _checked(path, message, code="not_multiple_of", multipleOf=divisor)

    def format(self, path: Path, name: str, pattern: str) -> Issue:
        if name in ("date", "time", "date-time"):
            name = _FORMATS.get(name, name)
            return _checked(path, f"Invalid {name}", code="invalid_string", validation=name)
        name = _FORMATS.get(name, name)
        message = "Invalid" if name == "regex" else f"Invalid {name}"
        return _checked(path, message, validation=name, code="invalid_string")

    def unrecognized(self, path: Path, keys: Sequence[str]) -> Issue:
        named = ", ".join(f"'{key}'" for key in keys)
        message = f"Unrecognized key(s) in object: {named}"
        return _expected(path, message, fatal=False, code="unrecognized_keys", keys=list(keys))

    def key(self, path: Path, issues: list[Issue]) -> list[Issue]:
        return issues

    def union(self, path: Path, branches: Sequence[list[Issue]]) -> list[Issue]:
        near = next((issues for issues in branches if not any(issue.fatal for issue in issues)), None)
        if near is not None:
            return [replace(issue, late=True) for issue in near]
        errors = [{"issues": [issue.body for issue in _ordered(issues)], "name": "ZodError"} for issues in branches]
        return [_expected(path, "Invalid input", late=True, code="invalid_union", unionErrors=errors)]

    def custom(self, path: Path, message: str) -> Issue:
        return _expected(path, message, code="custom")

    def discriminator(self, path: Path, options: Sequence[Any]) -> Issue:
        named = " | ".join(f"'{option}'" if type(option) is str else js_string(option) for option in options)
        message = f"Invalid discriminator value. Expected {named}"
        return _expected(path, message, code="invalid_union_discriminator", options=list(options))


@dataclass(frozen=True)
class Zod3(ZodServer):
    """A server on zod 3; the parameters are those of ``ZodServer``."""

    sdk: str = "1.15.1"

    @property
    def _words(self) -> Words:
        return _Words()
