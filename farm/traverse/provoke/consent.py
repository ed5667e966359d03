"""Which tools of a real server may be called without asking: those that it declares to change nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from farm.errors import FarmError


def allowed(tools: Iterable[Mapping[str, Any]], allow: Collection[str], *, is_sandbox: bool) -> frozenset[str]:
    """Return the names of the tools that may be called.

    Args:
        tools: as the server lists them.
        allow: tools the user allows by name.
        is_sandbox: the user says that the server is a throw-away one: all may be called.

    Raises:
        FarmError: the user allows a tool that the server has not.
    """
    listed = {str(tool["name"]): tool for tool in tools}
    if unknown := sorted(set(allow) - set(listed)):
        raise FarmError(f"the server has no tool '{unknown[0]}' to allow; it has {', '.join(sorted(listed))}")
    return frozenset(name for name, tool in listed.items() if is_sandbox or name in allow or is_read_only(tool))


def is_read_only(tool: Mapping[str, Any]) -> bool:
    """Whether a server declares that a tool changes nothing.

    One that declares nothing counts as writing, and so does one that says in the same breath that it destroys.
    """
    annotations = tool.get("annotations")
    if not isinstance(annotations, Mapping):
        return False
    return annotations.get("readOnlyHint") is True and annotations.get("destructiveHint") is not True


def is_recordable(tool: Mapping[str, Any]) -> bool:
    """Whether a tool answers a plain call: one that must be called as a task answers with a task."""
    execution = tool.get("execution")
    return not (isinstance(execution, Mapping) and execution.get("taskSupport") == "required")
