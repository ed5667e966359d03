"""What is expected of an episode, judged as a task's checkpoints are: for tests, which have no task file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from farm.changes import Changes
from farm.context.settings import Settings
from farm.errors import FarmError
from farm.score.evidence import Evidence
from farm.score.grade import grade
from farm.score.initial_state import load_start
from farm.task import Task
from farm.task.load import load_suite, read_expectations
from farm.trace import Call


def begin_of(raw: Mapping[str, Any]) -> str:
    """Return the snapshot since which changes are judged, or ``start``.

    Raises:
        FarmError: it is no name.
    """
    since = raw.get("since", "start")
    if not isinstance(since, str):
        raise FarmError(f"'since' must be a snapshot's name or 'start', not {since!r}")
    return since


def check(
    raw: Mapping[str, Any],
    settings: Settings,
    changes: Changes,
    calls: list[Call],
    added: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
) -> dict[str, Any]:
    """Return the verdict on each checkpoint, and the rows that changed beside them.

    Args:
        raw: ``checkpoints``, ``allow``, ``lookups``, ``churn`` and ``instruction`` as a task has them, or ``task``, the
            name of one; ``answer``, what the agent said last; ``since``, which ``begin_of`` reads; ``calls_after``, how
            many of the first calls are given, as what changed before ``since`` is.
        settings: what the episode was created with.
        added: app → rows that it started with beside the world's.

    Raises:
        FarmError: something in it is wrong, in one line for each problem, or the episode has no world.
    """
    rest = dict(raw)
    answer = rest.pop("answer", "")
    rest.pop("since", None)
    calls_after = rest.pop("calls_after", 0)
    if not isinstance(answer, str):
        raise FarmError(f"'answer' must be a text, not {answer!r}")
    if not isinstance(calls_after, int) or isinstance(calls_after, bool) or calls_after < 0:
        raise FarmError(f"'calls_after' must be a number of calls from 0 on, not {calls_after!r}")
    if settings.world is None:
        raise FarmError("expectations are judged in a world, and this episode has none; create it with 'world'")
    task = _task(rest, settings)
    # A test moves the clock as it likes: what is said of tomorrow is said when the agent last acted.
    moment = calls[-1]["now"] if calls else settings.now
    now = None if settings.is_live else datetime.fromisoformat(moment)
    evidence = Evidence(changes.diff, calls[calls_after:], answer, now, changes.churn)
    start = load_start(settings.world, settings.shift_days)
    score = grade(task, evidence, start.with_rows(added) if added else start)
    return {
        "checkpoints": [
            {name: value for name, value in asdict(each).items() if name != "contested"}
            | ({"found": score.found[each.id]} if each.id in score.found else {})
            for each in score.checkpoints
        ],
        "damage": [asdict(each) for each in score.damage],
    }


def require_task(name: Any) -> Task:
    """Return the task that ``SUITE/TASK`` names.

    Raises:
        NotFound: there is none.
        FarmError: it is no such name.
    """
    suite, slash, task_id = name.partition("/") if isinstance(name, str) else ("", "", "")
    if not (suite and slash and task_id):
        raise FarmError(f"a task is named SUITE/TASK, not {name!r}; 'farm tasks list' shows them")
    return load_suite(suite).task(task_id)


def _task(raw: Mapping[str, Any], settings: Settings) -> Task:
    if "task" not in raw:
        assert settings.world is not None
        return read_expectations(raw, world=settings.world, apps=settings.apps, me=settings.me)
    others = sorted(raw.keys() - {"task"})
    if others:
        raise FarmError(f"'{others[0]}' is the task's own; leave it out where 'task' is given")
    task = require_task(raw["task"])
    if task.world != settings.world:
        raise FarmError(f"task '{raw['task']}' plays in world '{task.world}', this episode in '{settings.world}'")
    return task
