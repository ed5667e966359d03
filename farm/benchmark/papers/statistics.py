"""Lays out what a suite holds, beside what a paper's data set held."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from farm import content
from farm.benchmark.papers.definition import Group, TableDefinition, TaskFacts, shape_of
from farm.benchmark.papers.layout import LaidOut, Row
from farm.benchmark.papers.tables import head_notes
from farm.benchmark.tasks import Suite, Task
from farm.errors import FarmError


def build_statistics(table: TableDefinition, suite: Suite) -> LaidOut:
    """Return a table of counts: each row has the paper's and the suite's.

    Raises:
        FarmError: a row names no statistic.
    """
    rows = []
    for row in table.published:
        statistic = _STATISTICS.get(row.statistic or "")
        if statistic is None:
            raise FarmError(f"{table.name}: no statistic '{row.statistic}'; have {', '.join(_STATISTICS)}")
        tasks = suite.tasks if row.group is None else _tasks_in(table.paper.group(row.group), suite)
        rows.append(Row("suite", row.name, (row.values[0], statistic(tasks)), {}))
    notes = (*head_notes(table), f"'here' is the suite '{suite.name}'.")
    heads = tuple(column.name for column in table.columns)
    return LaidOut(table.name, table.title, table.paper.cite, heads, tuple(rows), notes, table.layout)


def _tasks_in(group: Group, suite: Suite) -> list[Task]:
    return [
        task for task in suite.tasks if group.has(TaskFacts(task.category, tuple(task.apps), shape_of(task.oracle)))
    ]


def _mean(counts: Sequence[int]) -> float | None:
    return round(sum(counts) / len(counts), 2) if counts else None


def _apps(tasks: Sequence[Task]) -> set[str]:
    return {app for task in tasks for app in task.apps}


def _chain(task: Task) -> tuple[str, ...]:
    return tuple(f"{call.app}.{call.tool}" for step in task.oracle for call in step)


_STATISTICS: Mapping[str, Callable[[Sequence[Task]], float | int | None]] = {
    "tasks": len,
    "cross": lambda tasks: sum(len(task.apps) > 1 for task in tasks),
    "checkpoints": lambda tasks: sum(len(task.checkpoints) for task in tasks),
    "checkpoints_mean": lambda tasks: _mean([len(task.checkpoints) for task in tasks]),
    "apps": lambda tasks: len(_apps(tasks)),
    "tools": lambda tasks: sum(content.tool_count(app) for app in _apps(tasks)),
    "tools_used": lambda tasks: len({name for task in tasks for name in _chain(task)}),
    "calls_mean": lambda tasks: _mean([len(_chain(task)) for task in tasks]),
    "steps_mean": lambda tasks: _mean([len(task.oracle) for task in tasks]),
    "chains": lambda tasks: len(set(map(_chain, tasks))),
    "instruction_mean": lambda tasks: _mean([len(task.instruction) for task in tasks]),
}
