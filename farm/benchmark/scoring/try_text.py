"""Evaluates one text against one checkpoint without an episode, for authors of tasks."""

from __future__ import annotations

from farm.benchmark.scoring.findings import Finding
from farm.benchmark.scoring.kinds import judge_of
from farm.benchmark.scoring.reading_budget import ReadingBudget
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.task_start import start_of_task
from farm.benchmark.tasks import Task
from farm.errors import NotFoundError


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
        values = ValueResolver.from_task(task, start_of_task(task), budget=budget)
        return judge_of(point).find_in(point, values, text, column)
