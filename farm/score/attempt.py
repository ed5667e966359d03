"""One text tried on one checkpoint, without an episode: what whoever writes a task wants to know of its claims."""

from __future__ import annotations

from typing import Any

from farm.errors import FarmError, NotFound
from farm.score.findings import Finding
from farm.score.initial_state import form_of, load_start
from farm.score.operators import at_path, check
from farm.score.resolve import Values
from farm.task import Operate, Search, Task
from farm.task.texts import wants_text


def try_text(task: Task, checkpoint: str, text: str, column: str | None = None) -> list[Finding]:
    """Return what a checkpoint wants of a text, each with whether it holds.

    Args:
        column: the column of an ``operate`` checkpoint; it may be left out where the checkpoint judges one text only.

    Raises:
        FarmError: there is no such checkpoint or column, or it judges no text.
    """
    point = next((each for each in task.checkpoints if each.id == checkpoint), None)
    if point is None:
        have = ", ".join(each.id for each in task.checkpoints)
        raise NotFound(f"task '{task.id}' has no checkpoint '{checkpoint}'; have {have}")
    values = Values(load_start(task.world), task.lookups, task.me, said=(task.instruction, *task.necessary))
    match point:
        case Search():
            return check(values.resolve(point.answer, ""), text, values.setting)
        case Operate():
            wanted = values.resolve(point.after, point.app)
            named = _column(point, wanted, column and values.text(column))
            before = _before(point, named, values)
            return check(wanted[named], text, values.setting, form_of(point.app, point.table, named), before)
    raise FarmError(f"checkpoint '{checkpoint}' is decided on the calls; there is no text to try")


def _column(point: Operate, wanted: dict[str, Any], column: str | None) -> str:
    if column in wanted:
        return column
    texts = [name for name, value in wanted.items() if wants_text(value)]
    if column is None and len(texts) == 1:
        return texts[0]
    have = ", ".join(texts or wanted) or "none"
    problem = f"judges no column '{column}'" if column else f"judges {len(texts) or 'no'} texts; name one with --column"
    raise FarmError(f"checkpoint '{point.id}' {problem}; have {have}")


def _before(point: Operate, column: str, values: Values) -> Any:
    """Return what the column of the row held at the start, where the checkpoint is about a row that was there."""
    if point.change == "create":
        return None
    rows = values.start.find(point.app, point.table, values.resolve(point.where, point.app))
    return at_path(rows[0], column) if len(rows) == 1 else None
