"""Decide which tools of a real server may be called without confirmation: those that it declares read-only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from farm.errors import FarmError
from farm.traverse.transport.connection import Connection

# Returns the names of the listed tools that may be called.
ToolFilter = Callable[[Sequence[Mapping[str, Any]]], Collection[str]]


class Consent:
    """The permission to call tools, checked again whenever the server's tools may have changed."""

    def __init__(self, name: str, may: ToolFilter | None) -> None:
        """Use ``may`` as the user's permission; None: every tool."""
        self._name, self._may = name, may
        self._allowed: Collection[str] = ()
        self._known_by: tuple[Connection, tuple[int, int] | None] | None = None

    async def require(self, connection: Connection, tools: Collection[str]) -> None:
        """Check that tools may be called under the server's current declaration.

        Raises:
            FarmError: a tool may not be called.
        """
        if self._may is None:
            return
        connection.before_again = lambda: self.require(connection, tools)
        known_by = (connection, connection.tools_known_by)
        if known_by[1] is None or known_by != self._known_by:
            self._allowed, self._known_by = self._may(await connection.tools()), known_by
        if refused := set(tools) - set(self._allowed):
            raise FarmError(
                f"{self._name} no longer declares '{min(refused)}' read-only: nothing more was called; "
                "allow it with --allow, or all with --sandbox where the server is a throw-away one"
            )


def allowed(tools: Iterable[Mapping[str, Any]], allow: Collection[str], *, is_sandbox: bool) -> frozenset[str]:
    """Return the names of the tools that may be called.

    Args:
        tools: as the server lists them.
        allow: tools the user allows by name.
        is_sandbox: the user declares the server disposable: all tools may be called.

    Raises:
        FarmError: the user allows an unknown tool.
    """
    listed = {str(tool["name"]): tool for tool in tools}
    if unknown := sorted(set(allow) - set(listed)):
        raise FarmError(f"the server has no tool '{unknown[0]}' to allow; it has {', '.join(sorted(listed))}")
    return frozenset(name for name, tool in listed.items() if is_sandbox or name in allow or is_read_only(tool))


def is_read_only(tool: Mapping[str, Any]) -> bool:
    """Return whether a server declares that a tool changes nothing.

    A tool without a declaration counts as writing, and so does one that is also declared destructive.
    """
    annotations = tool.get("annotations")
    if not isinstance(annotations, Mapping):
        return False
    return annotations.get("readOnlyHint") is True and annotations.get("destructiveHint") is not True


def is_recordable(tool: Mapping[str, Any]) -> bool:
    """Return whether a tool answers a plain call; a tool that requires tasks answers with a task."""
    execution = tool.get("execution")
    return not (isinstance(execution, Mapping) and execution.get("taskSupport") == "required")
