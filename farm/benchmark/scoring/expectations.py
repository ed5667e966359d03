"""Judges an episode by expectations in the form of a task's checkpoints: for tests, which have no task file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from farm.benchmark.scoring.evidence import Evidence
from farm.benchmark.scoring.grade import grade
from farm.benchmark.scoring.initial_state import start_of
from farm.benchmark.scoring.reading_budget import ReadingBudget
from farm.benchmark.tasks import Suite, Task
from farm.benchmark.tasks.cache import TaskCache
from farm.benchmark.tasks.load import read_expectations
from farm.context.changes import Changes
from farm.context.settings import Settings
from farm.context.trace import Call
from farm.errors import FarmError

_TASKS = TaskCache()
# What only the log of a run needs of a verdict.
_FOR_RUNS = ("contested", "settled", "if_said", "by_prose")


@dataclass(frozen=True)
class Question:
    """What an episode is judged by.

    Attributes:
        task: the task, or checkpoints of one's own in its form.
        answer: the agent's last text.
        calls: the calls that count.
        now: the time from which "tomorrow" counts; None for a live clock.
    """

    task: Task
    answer: str
    calls: list[Call]
    now: datetime | None


def read_question(raw: Mapping[str, Any], settings: Settings, calls: list[Call]) -> Question:
    """Parse expectations.

    Args:
        raw: the keys ``checkpoints``, ``allow``, ``lookups``, ``reverted`` and ``instruction`` of a task, or ``task``,
            its name; ``answer``, the agent's last text; ``since``, which ``begin_of`` parses; ``calls_after``, the
            number of first calls to ignore, like the changes before ``since``.
        settings: the episode's settings.
        calls: the trace.

    Raises:
        FarmError: the expectations have problems, in one line each, or the episode has no world.
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
    # A test may move the clock: "tomorrow" counts from the agent's last call.
    moment = calls[-1]["now"] if calls else settings.now
    now = None if settings.is_live else datetime.fromisoformat(moment)
    return Question(task, answer, calls[calls_after:], now)


def check(
    raw: Mapping[str, Any],
    settings: Settings,
    changes: Changes,
    calls: list[Call],
    budget: ReadingBudget | None = None,
) -> dict[str, Any]:
    """Return the verdict on each checkpoint, and the other changed rows.

    Args:
        raw: the expectations, as in ``read_question``.
        settings: the episode's settings.
        budget: the limits for reading texts; None for the default limits.

    Raises:
        FarmError: the expectations have problems, in one line each, or the episode has no world.
    """
    asked = read_question(raw, settings, calls)
    evidence = Evidence(changes.diff, asked.calls, asked.answer, asked.now, changes.reverted)
    score = grade(asked.task, evidence, start_of(asked.task.world, settings), budget)
    return {
        "checkpoints": [
            {name: value for name, value in each.items() if name not in _FOR_RUNS} for each in score.checkpoint_lines()
        ],
        "damage": [asdict(each) for each in score.damage],
    }


def require_task(name: Any) -> Task:
    """Return the task that ``SUITE/TASK`` names.

    Raises:
        NotFoundError: the task does not exist.
        FarmError: the value is not such a name.
    """
    suite, slash, task_id = name.partition("/") if isinstance(name, str) else ("", "", "")
    if not (suite and slash and task_id):
        raise FarmError(f"a task is named SUITE/TASK, not {name!r}; 'farm tasks list' shows them")
    return _TASKS.task(suite, task_id)


def require_suite(name: str) -> Suite:
    """Return a suite.

    Raises:
        NotFoundError: the suite does not exist.
    """
    return _TASKS.suite(name)


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
    absent = [app for app in task.apps if app not in settings.apps]
    if absent:
        have = ", ".join(settings.apps)
        raise FarmError(f"task '{raw['task']}' plays in {', '.join(absent)}, too; this episode has only {have}")
    return task
