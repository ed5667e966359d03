"""Check a tools.json before anything is derived from it: what a server says of itself, and its tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from farm.errors import FarmError

_OBJECTS = ("server", "capabilities", "package", "libraries")


def require_tool_list(said: Any, file: Path) -> Mapping[str, Any]:
    """Return a tools.json.

    Raises:
        FarmError: it lists no tools, or a part of it has another form; the message names the tool.
    """
    if not isinstance(said, dict) or not isinstance(said.get("tools"), list):
        raise FarmError(f"{file} lists no tools; farm traverse capture writes it")
    for key in _OBJECTS:
        if not isinstance(said.get(key) or {}, dict):
            raise FarmError(f"{file}: '{key}' is no object")
    names: set[str] = set()
    for number, tool in enumerate(said["tools"], 1):
        _require_tool(tool, number, file)
        if tool["name"] in names:
            raise FarmError(f"{file} lists the tool '{tool['name']}' twice")
        names.add(tool["name"])
    return said


def _require_tool(tool: Any, number: int, file: Path) -> None:
    if not isinstance(tool, dict) or not isinstance(tool.get("name"), str) or not tool["name"]:
        raise FarmError(f"{file}: tool {number} has no name")
    for key in ("inputSchema", "outputSchema"):
        schema = tool.get(key) or {}
        if not isinstance(schema, dict):
            raise FarmError(f"{file}: the {key} of '{tool['name']}' is no object")
        for reference in _references(schema):
            if not _leads_somewhere(schema, reference):
                raise FarmError(
                    f"{file}: the {key} of '{tool['name']}' refers to '{reference}', which it does not have"
                )


def _references(value: Any) -> Iterator[str]:
    """Yield the local references of a schema, except in values that are no schemas."""
    match value:
        case dict():
            if isinstance(found := value.get("$ref"), str) and found.startswith("#/"):
                yield found
            for key, each in value.items():
                if key not in ("const", "default", "enum", "examples"):
                    yield from _references(each)
        case list():
            for each in value:
                yield from _references(each)


def _leads_somewhere(schema: Any, reference: str) -> bool:
    found = schema
    for step in reference.removeprefix("#/").split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        match found:
            case dict() if name in found:
                found = found[name]
            case list() if name.isdigit() and int(name) < len(found):
                found = found[int(name)]
            case _:
                return False
    return True
