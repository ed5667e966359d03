"""Parses saved answers of real servers to ``tools/list``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from farm.appkit.server_features import HANDSHAKE_REVISIONS
from farm.errors import FarmError

# In levels of JSON; a property's schema is two levels below the schema that contains it.
_DEPTH_MAX = 64
_NAME_MAX = 120
# Members of a schema that hold schemas by name; a name may itself be ``title`` or ``description``.
NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")


SENTENCES = ("description", "title", "$comment")


def structure(schema: Any, sentences: Collection[str] = SENTENCES) -> Any:
    """Return a schema without its descriptive texts."""
    if isinstance(schema, list):
        return [structure(each, sentences) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: structure(each, sentences) for name, each in value.items()}
        if key in NAMED and isinstance(value, dict)
        else structure(value, sentences)
        for key, value in schema.items()
        if not (key in sentences and isinstance(value, str))
    }


@dataclass(frozen=True)
class ToolSchemas:
    """A real server's tool list.

    Attributes:
        server: the server's name and version.
        instructions: the instructions it sends at initialization, or None.
        tools: its tools, in the form of ``tools/list``.
        handshake: what a capture tells of its handshake: ``protocol``, and the capability of tools. Other capabilities
            are left out, as they need code.
    """

    server: Mapping[str, str]
    instructions: str | None
    tools: tuple[dict[str, Any], ...]
    handshake: Mapping[str, Any] = field(default_factory=dict)


def read_tool_schemas(path: Path) -> ToolSchemas:
    """Read a list of tools: an answer of ``tools/list``, alone or beside ``serverInfo``, or the bare list.

    Raises:
        FarmError: the file is not a list of tools; the message names what is missing.
    """
    try:
        raw = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as problem:
        raise FarmError(f"{path} is not JSON: {problem}") from None
    raw = raw.get("result", raw) if isinstance(raw, dict) else raw
    raw = raw if isinstance(raw, dict) else {"tools": raw}
    tools = raw.get("tools")
    if not isinstance(tools, list) or not tools:
        raise FarmError(f"{path} has no list 'tools'; an answer of tools/list has one")
    # Libraries print absent members as null.
    tools = [_without_null(tool) for tool in tools]
    for tool in tools:
        if wrong := _find_problem(tool):
            raise FarmError(f"{path}: {wrong}")
    twice = [name for name, count in Counter(tool["name"] for tool in tools).items() if count > 1]
    if twice:
        raise FarmError(f"{path}: two tools are called {quoted(twice[0])}")
    info = raw.get("serverInfo") if isinstance(raw.get("serverInfo"), dict) else raw.get("server")
    info = info if isinstance(info, dict) else {}
    server = {"name": str(info.get("name", "unknown")), "version": str(info.get("version", "0"))}
    return ToolSchemas(server, raw.get("instructions"), tuple(tools), _handshake(raw))


def _handshake(raw: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if raw.get("protocol") in HANDSHAKE_REVISIONS:
        found["protocol"] = raw["protocol"]
    match raw.get("capabilities"):
        case {"tools": {"listChanged": bool() as is_told}}:
            found["capabilities"] = {"tools": {"listChanged": is_told}}
        case {"tools": {}}:
            found["capabilities"] = {"tools": {}}
    return found


def _without_null(tool: Any) -> Any:
    return {key: value for key, value in tool.items() if value is not None} if isinstance(tool, dict) else tool


def _find_problem(tool: Any) -> str | None:
    """Return the problem of a tool in a list, or None."""
    if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
        return "each tool needs 'name' and 'inputSchema'"
    where, schema = f"tool {quoted(tool['name'])}", tool.get("inputSchema")
    if not isinstance(schema, dict):
        return f"{where} needs 'inputSchema', an object"
    if _depth(tool) > _DEPTH_MAX:
        return f"{where} is nested too deeply, over {_DEPTH_MAX} levels"
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, dict) or not all(isinstance(each, dict | bool) for each in properties.values()):
        return f"{where}: 'properties' is no object of schemas"
    if not isinstance(required, list) or not all(isinstance(each, str) for each in required):
        return f"{where}: 'required' is no list of names"
    if not isinstance(tool.get("annotations", {}), dict):
        return f"{where}: 'annotations' is no object"
    return None


def _depth(value: Any) -> int:
    """Return the number of levels of objects and lists; iterative, as the nesting may exceed the recursion limit."""
    depth, level = 0, [value]
    while level := [each for each in level if isinstance(each, dict | list)]:
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
        depth += 1
    return depth


def quoted(name: str) -> str:
    """Quote a tool's name for a one-line message."""
    return repr(name if len(name) <= _NAME_MAX else f"{name[:_NAME_MAX]}…")
