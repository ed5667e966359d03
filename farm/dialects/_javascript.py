"""What the dialects of servers written in JavaScript share: values as they print, and their SDK by versions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from farm.dialects._base import INTERNAL_ERROR, INVALID_PARAMS, ArgumentsRefused, Wording, version
from farm.dialects._values import ABSENT, is_nan, is_number
from farm.formats.javascript import OBJECT_MEMBERS

_TYPES = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}
_PREFIX = "MCP error -32602: "
_INVALID = "Invalid arguments for tool {tool}: {issues}"


def received(value: Any) -> str:
    """Name a value's type as zod does."""
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
    """How the TypeScript SDK's ``McpServer`` refuses, by the version of the SDK.

    Attributes:
        invalid: arguments that do not fit.
        unknown: a name that is no tool's, with a place for ``{fault}``: such a tool is not found, or disabled.
        form: how issues become text: zod's own JSON, a line each with its place, or one line of ``place: message``.
        needs_arguments: whether arguments left out are refused, by every tool that has a schema.
    """

    invalid: Wording
    unknown: Wording
    form: str
    needs_arguments: bool


def mcp_server(sdk: str) -> McpServer:
    """Look up what an SDK's version does. Source: the published packages 1.15 to 1.32 and 2.0."""
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
    """Say what is wrong with a name that is no tool's; every object has some members, and none of them is enabled."""
    return "disabled" if tool in OBJECT_MEMBERS else "not found"


def not_an_object(sdk: str, arguments: Any) -> ArgumentsRefused:
    """Word arguments that are no object: the SDK's own check of the request fails, before any tool's."""
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
        return ArgumentsRefused(js_json([issue]), code=INTERNAL_ERROR)
    return ArgumentsRefused(f"Invalid tools/call request: {js_json([issue])}", code=INVALID_PARAMS)


def received_4(value: Any) -> str:
    """Name a value's type as zod 4 does, which counts no infinity as a number."""
    if is_nan(value):
        return "NaN"
    if is_number(value) and value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return received(value)
