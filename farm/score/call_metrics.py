"""TFS and TEFS: were the expected calls made, and made in as few turns (MCPAgentBench's two scores).

A call fits when its tool fits and its arguments agree, each compared as text. Finished: the expected calls were made,
in whatever order and number, whatever else was called; by the original's rule, which imported suites keep, nothing else
may be. Efficiently finished: turn by turn the expected calls at once, and no others.

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


def _arguments(given: Mapping[str, Any], free: Collection[str]) -> frozenset[tuple[str, str]]:
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
    expected: Iterable[ToolUse],
    made: Iterable[ToolUse],
    *,
    skip: Collection[str] = (),
    free: Collection[str] = (),
    nothing_else: bool = False,
) -> bool:
    """Whether the expected calls were made, those in ``skip`` by name only.

    Args:
        nothing_else: and no others, which is MCPAgentBench's rule. Without it who looks twice has finished, too.
    """
    wanted, found = _compared(expected, skip, free), _compared(made, skip, free)
    return wanted == found if nothing_else else wanted <= found


def is_efficient(
    expected: Sequence[Sequence[ToolUse]],
    turns: Sequence[Sequence[ToolUse]],
    *,
    skip: Collection[str] = (),
    free: Collection[str] = (),
) -> bool:
    """Whether the expected calls and no others were made, turn by turn as expected; within a turn in any order."""
    if len(expected) != len(turns):
        return False
    pairs = zip(expected, turns, strict=True)
    return all(_compared(step, skip, free) == _compared(turn, skip, free) for step, turn in pairs)


def _compared(calls: Iterable[ToolUse], skip: Collection[str], free: Collection[str]) -> set[tuple[str, Any]]:
    """Return what is compared of some calls."""
    return {(tool, None if tool in skip else _arguments(given, free)) for tool, given in calls}


def reading_tools(apps: Iterable[str]) -> frozenset[str]:
    """Return ``app.tool`` of every tool that changes nothing, of any profile."""
    return frozenset(
        f"{app}.{tool.name}"
        for app in apps
        for loaded in content.load_app(app).profiles.values()
        for tool in loaded.app.tools
        if not loaded.tables_of(tool)
    )
