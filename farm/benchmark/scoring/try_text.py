"""Evaluates one text against one checkpoint without an episode, for authors of tasks."""

from __future__ import annotations

from typing import Any

from farm.benchmark.scoring.findings import Finding
from farm.benchmark.scoring.initial_state import form_of, held, load_start
from farm.benchmark.scoring.reading_budget import ReadingBudget
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.value_check import check
from farm.benchmark.tasks import Checkpoint, Operate, Search, Task
from farm.benchmark.tasks.text_rules import wants_text
from farm.errors import FarmError, NotFoundError


def try_text(task: Task, checkpoint: str, text: str, column: str | None = None) -> list[Finding]:
    """Return a checkpoint's findings about a text.

    Args:
        task: the task.
        checkpoint: the checkpoint's id.
        text: the text.
        column: the column of an ``operate`` checkpoint; optional if the checkpoint judges only one text.

    Raises:
        FarmError: the checkpoint or column does not exist, or the checkpoint judges no text.
    """
    point = next((each for each in task.checkpoints if each.id == checkpoint), None)
    if point is None:
        have = ", ".join(each.id for each in task.checkpoints)
        raise NotFoundError(f"task '{task.id}' has no checkpoint '{checkpoint}'; have {have}")
    with ReadingBudget() as budget:
        return _tried(point, ValueResolver.from_task(task, load_start(task.world), budget=budget), text, column)


def _tried(point: Checkpoint, values: ValueResolver, text: str, column: str | None) -> list[Finding]:
    match point:
        case Search():
            return check(values.resolve(point.answer, ""), text, values.clock_context)
        case Operate():
            wanted = values.resolve(point.after, point.app)
            named = _column(point, wanted, column and values.text(column))
            before = _before(point, named, values)
            return check(wanted[named], text, values.clock_context, form_of(point.app, point.table, named), before)
    raise FarmError(f"checkpoint '{point.id}' is decided on the calls; there is no text to try")


def _column(point: Operate, wanted: dict[str, Any], column: str | None) -> str:
    if column in wanted:
        return column
    texts = [name for name, value in wanted.items() if wants_text(value)]
    if column is None and len(texts) == 1:
        return texts[0]
    have = ", ".join(texts or wanted) or "none"
    problem = f"judges no column '{column}'" if column else f"judges {len(texts) or 'no'} texts; name one with --column"
    raise FarmError(f"checkpoint '{point.id}' {problem}; have {have}")


def _before(point: Operate, column: str, values: ValueResolver) -> Any:
    """Return the column's value at the start, if the checkpoint is about a row of the start."""
    if point.change == "create":
        return None
    rows = values.start.find(point.app, point.table, values.resolve(point.where, point.app))
    return held(point.app, point.table, rows[0], column) if len(rows) == 1 else None
