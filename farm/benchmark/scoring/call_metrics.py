"""TFS and TEFS, MCPAgentBench's two scores: whether the expected calls were made, and in the expected turns.

A call matches if its tool and its arguments match, each compared as text. Finished: the expected calls were made, in
any order and number, besides any other calls; by the original's rule, which imported suites keep, other calls are not
allowed. Efficiently finished: each turn has exactly the expected calls.

For our own tasks, reading tools are compared by name only (there are many right ways to look), and so are texts that
an agent words itself. The original has a list of tools with free parameters for both; its tasks, imported, name them
(``compared_by_name``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from farm import content
from farm.benchmark.tasks import Task

ToolUse = tuple[str, Mapping[str, Any]]
# Arguments with an agent's own wording: other words are as good, so no score compares them and the audit varies them.
BODY_TEXTS = frozenset({"text", "content", "description", "markdown"})
# Also arguments that name a new object. Agents choose them, so no score compares them. But a task may find the object
# by its name, so the audit does not reword them.
FREE_TEXTS = BODY_TEXTS | {"summary", "title"}


def _arguments(given: Mapping[str, Any], free: Collection[str]) -> frozenset[tuple[str, str]]:
    return frozenset((key, str(_without(value, free))) for key, value in given.items() if key not in free)


def _without(value: Any, free: Collection[str]) -> Any:
    """Remove the named keys from nested objects."""
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
    """Return whether the expected calls were made, those in ``skip`` compared by name only.

    Args:
        nothing_else: whether other calls are forbidden, which is MCPAgentBench's rule. Otherwise an agent that looks
            twice has finished, too.
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
    """Return whether each turn has exactly the expected calls, in any order."""
    if len(expected) != len(turns):
        return False
    pairs = zip(expected, turns, strict=True)
    return all(_compared(step, skip, free) == _compared(turn, skip, free) for step, turn in pairs)


def _compared(calls: Iterable[ToolUse], skip: Collection[str], free: Collection[str]) -> set[tuple[str, Any]]:
    """Return the compared parts of calls."""
    return {(tool, None if tool in skip else _arguments(given, free)) for tool, given in calls}


def expected_uses(task: Task) -> list[list[ToolUse]]:
    """Return the steps of an oracle that refers to no results, for comparison with calls that were made.

    A call that the oracle lets fail as planned is not expected of anybody.
    """
    steps = [[call for call in step if call.again] for step in task.oracle]
    return [[(f"{call.app}.{call.tool}", call.arguments) for call in step] for step in steps if step]


@dataclass(frozen=True)
class Leniency:
    """What a comparison of calls leaves out.

    Attributes:
        skip: ``app.tool`` of each tool that is compared by name only.
        free: arguments that are not compared.
    """

    skip: Collection[str]
    free: Collection[str]

    @classmethod
    def of_task(cls, task: Task) -> Leniency:
        """Return the leniency of a task's own rule, or else of ours."""
        if task.compared_by_name is None:
            return cls(reading_tools(task.apps), FREE_TEXTS)
        return cls(frozenset(f"{app}.{tool}" for app in task.apps for tool in task.compared_by_name), frozenset())


def reading_tools(apps: Iterable[str]) -> frozenset[str]:
    """Return ``app.tool`` of every read-only tool, of any profile."""
    return frozenset().union(*(_reading_tools(app, content.roots()) for app in apps))


@lru_cache(maxsize=128)
def _reading_tools(app: str, _: tuple[content.Root, ...]) -> frozenset[str]:
    return frozenset(
        f"{app}.{tool.name}"
        for loaded in content.load_app(app).profiles.values()
        for tool in loaded.app.tools
        if not loaded.tables_of(tool)
    )
