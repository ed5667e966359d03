"""TFS and TEFS: were the expected calls made, and made in as few turns (MCPAgentBench's two scores).

A call fits when its tool fits and its arguments agree, each compared as text. Finished: the same tools were used, and
the same calls made, in whatever order and number. Efficiently finished: besides, turn by turn the same calls at once.

For our own tasks, reading tools count by name only (there are many right ways to look), and so do texts an agent words
itself; both are what the original's list of tools with free parameters stands for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from farm import content

ToolUse = tuple[str, Mapping[str, Any]]
# Arguments that hold what somebody writes: another wording is as good, so no score compares it and the audit tries it.
BODY_TEXTS = frozenset({"text", "content", "description", "markdown"})
# Besides, arguments that name a new thing. Agents choose them, so no score compares them; but a task may find the thing
# by its name, so the audit does not reword them.
FREE_TEXTS = BODY_TEXTS | {"summary", "title"}


def _arguments(given: Mapping[str, Any], free: Collection[str] = ()) -> frozenset[tuple[str, str]]:
    return frozenset((key, str(_without(value, free))) for key, value in given.items() if key not in free)


def _without(value: Any, free: Collection[str]) -> Any:
    """Leave the named keys out of nested objects."""
    match value:
        case Mapping() if free:
            return {key: _without(each, free) for key, each in sorted(value.items()) if key not in free}
        case list() if free:
            return [_without(each, free) for each in value]
        case _:
            return value


def is_finished(
    expected: Iterable[ToolUse], made: Iterable[ToolUse], *, skip: Collection[str] = (), free: Collection[str] = ()
) -> bool:
    """Whether the same tools were used, and the same calls made of those that are not in ``skip``."""
    expected, made = list(expected), list(made)
    if {tool for tool, _ in expected} != {tool for tool, _ in made}:
        return False

    def compared(calls: list[ToolUse]) -> set[Any]:
        return {(tool, _arguments(given, free)) for tool, given in calls if tool not in skip}

    return compared(expected) == compared(made)


def is_efficient(
    expected: Sequence[Sequence[ToolUse]],
    turns: Sequence[Sequence[ToolUse]],
    *,
    skip: Collection[str] = (),
    free: Collection[str] = (),
) -> bool:
    """Whether the calls were finished and made turn by turn as expected."""
    flat = [call for step in expected for call in step]
    if len(expected) != len(turns) or not is_finished(
        flat, [call for turn in turns for call in turn], skip=skip, free=free
    ):
        return False

    def by_tool(calls: Sequence[ToolUse]) -> dict[str, Any]:
        return {tool: None if tool in skip else _arguments(given, free) for tool, given in calls}

    return all(by_tool(step) == by_tool(turn) for step, turn in zip(expected, turns, strict=True))


def reading_tools(apps: Iterable[str]) -> frozenset[str]:
    """Return ``app.tool`` of every tool that changes nothing, of any profile."""
    return frozenset(
        f"{app}.{tool.name}"
        for app in apps
        for loaded in content.load_app(app).profiles.values()
        for tool in loaded.app.tools
        if not tool.writes
    )
