"""Shared code of dialects for JavaScript servers: printed values, and the SDK's behaviour by version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from farm.appkit.dialects._base import INTERNAL_ERROR, INVALID_PARAMS, InvalidArgumentsError, Wording, version
from farm.appkit.dialects._values import ABSENT, is_nan, is_number
from farm.appkit.formats.javascript import OBJECT_MEMBERS

_TYPES = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}
_PREFIX = "MCP error -32602: "
_INVALID = "Invalid arguments for tool {tool}: {issues}"


def received(value: Any) -> str:
    """Return a value's type name in zod."""
    if value is ABSENT:
        return "undefined"
    if is_nan(value):
        return "nan"
    return "null" if value is None else _TYPES[type(value)]


def js_json(value: Any) -> str:
    """Print JSON as ``JSON.stringify(value, null, 2)`` does."""
    return json.dumps(value, indent=2, ensure_ascii=False)


@dataclass(frozen=True)
class McpServer:
    """The refusals of the TypeScript SDK's ``McpServer`` in one version of the SDK.

    Attributes:
        invalid: the wording for invalid arguments.
        unknown: the wording for an unknown tool name; ``{fault}`` is either not found or disabled.
        form: the form of issues: zod's own JSON, a line each with its path, or one line of ``path: message``.
        needs_arguments: whether tools with a schema refuse calls without arguments.
    """

    invalid: Wording
    unknown: Wording
    form: str
    needs_arguments: bool


def mcp_server(sdk: str) -> McpServer:
    """Return the refusals of an SDK version. Source: the published packages 1.15 to 1.32 and 2.0."""
    release = version(sdk)
    missing = "Tool {tool} {fault}"
    if release < (1, 21):
        invalid, unknown = (Wording(_PREFIX + text, code=INVALID_PARAMS) for text in (_INVALID, missing))
        return McpServer(invalid, unknown, "json", needs_arguments=True)
    if release < (2,):
        invalid, unknown = Wording(f"{_PREFIX}Input validation error: {_INVALID}"), Wording(_PREFIX + missing)
        form = "json" if release < (1, 30) else "lines"
        return McpServer(invalid, unknown, form, needs_arguments=release < (1, 32))
    invalid, unknown = Wording(f"Input validation error: {_INVALID}"), Wording(missing, code=INVALID_PARAMS)
    return McpServer(invalid, unknown, "places", needs_arguments=False)


def no_tool(tool: str) -> str:
    """Return the fault of an unknown tool name: disabled for names of an object's built-in members, else not found."""
    return "disabled" if tool in OBJECT_MEMBERS else "not found"


def not_an_object(sdk: str, arguments: Any) -> InvalidArgumentsError:
    """Word arguments that are not an object: the SDK's check of the request fails before any tool's check."""
    release, found = version(sdk), received(arguments)
    place = {"path": ["params", "arguments"]}
    issue: Mapping[str, Any]
    if release < (1, 23):
        issue = {"code": "invalid_type", "expected": "object", "received": found, **place}
        issue = {**issue, "message": f"Expected object, received {found}"}
    else:
        issue = {"expected": "record", "code": "invalid_type", **place}
        issue = {**issue, "message": f"Invalid input: expected record, received {received_4(arguments)}"}
    if release < (2,):
        return InvalidArgumentsError(js_json([issue]), code=INTERNAL_ERROR)
    return InvalidArgumentsError(f"Invalid tools/call request: {js_json([issue])}", code=INVALID_PARAMS)


def received_4(value: Any) -> str:
    """Return a value's type name in zod 4, which does not count an infinity as a number."""
    if is_nan(value):
        return "NaN"
    if is_number(value) and value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return received(value)
