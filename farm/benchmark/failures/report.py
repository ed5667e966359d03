"""Counts why the trials of a run missed their tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from farm.benchmark.agents.base import TrialLimits
from farm.benchmark.failures.case import Case
from farm.benchmark.failures.definitions import DEFINITIONS
from farm.benchmark.failures.reasons import Reason, reasons_of
from farm.benchmark.runner import prompts
from farm.benchmark.runner.play import expected_calls
from farm.benchmark.scoring.call_metrics import ToolUse
from farm.benchmark.scoring.task_start import start_of_task
from farm.benchmark.tasks import Suite, Task
from farm.errors import NotFoundError

Trial = Mapping[str, Any]
Steps = Sequence[Sequence[ToolUse]]


@dataclass(frozen=True)
class MissedTrial:
    """A trial that did not do its task, with the reasons; none if no rule found one."""

    task: str
    trial: int
    outcome: str
    reasons: tuple[Reason, ...]


def missed_trials(
    trials: Sequence[Trial], suite: Suite, profile: str, expected: Callable[[Task, int, str], Steps] = expected_calls
) -> Iterator[MissedTrial]:
    """Yield the trials that missed something, without those that were not graded.

    Args:
        expected: returns the oracle's calls for a task, a seed and a profile.
    """
    for trial in trials:
        if "now" not in trial or (trial["outcome"] == "pass" and trial["acc"] == 1):
            continue
        try:
            task = suite.task(trial["task"])
        except NotFoundError:
            continue
        case = Case(task, trial, expected(task, trial["seed"], profile), told_in(task, trial), start_of_task(task))
        yield MissedTrial(trial["task"], trial["trial"], trial["outcome"], tuple(reasons_of(case)))


def told_in(task: Task, trial: Trial) -> str:
    """Return what an agent was told in a trial, without skills, which hold no ids."""
    now = datetime.fromisoformat(trial["now"]).isoformat()
    system = prompts.system_prompt(prompts.DEFAULT, task, now, TrialLimits(task.calls_max))
    return f"{system}\n{prompts.instruction(task, with_unnecessary=True)}"


def counts(missed: Sequence[MissedTrial]) -> dict[str, int]:
    """Return how many of the trials have each reason; ``unexplained`` for those that have none."""
    found = {kind: sum(any(reason.kind == kind for reason in each.reasons) for each in missed) for kind in DEFINITIONS}
    return {**found, "unexplained": sum(not each.reasons for each in missed)}


def as_json(missed: Sequence[MissedTrial]) -> dict[str, Any]:
    """Return what ``farm report --why --json`` has of a run."""
    return {"missed": len(missed), "counts": counts(missed), "trials": [asdict(each) for each in missed]}
