"""Runs of which a table counts only some trials: those of a group of tasks, or the ones that are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from farm.benchmark.runner.log import RunLog
from farm.errors import FarmError


class PartialRun(RunLog):
    """A run with only some of its trials, which are read once."""

    def __init__(self, log: RunLog, trials: Sequence[Mapping[str, Any]], **changes: Any) -> None:
        """Take the trials that count, and what they change in the manifest."""
        self.folder, self.manifest = log.folder, log.manifest | changes
        self._counted = [dict(trial) for trial in trials]

    def trials(self) -> list[dict[str, Any]]:
        """Return the trials that count."""
        return self._counted


def require_tasks(logs: Sequence[RunLog], tasks: Sequence[str]) -> None:
    """Check that each named task is one of the runs'.

    Raises:
        FarmError: no run has it.
    """
    for task in tasks:
        if logs and not any(task in log.manifest["tasks"] for log in logs):
            raise FarmError(f"no run has the task '{task}'; --tasks names those of the runs that the table counts")


def limit(log: RunLog, tasks: Sequence[str], k: int | None) -> RunLog:
    """Return a run with only the named tasks, all if none is named, and only the first ``k`` trials of each."""
    named = {task: made for task, made in log.manifest["tasks"].items() if not tasks or task in tasks}
    count = log.manifest["k"] if k is None else min(k, log.manifest["k"])
    trials = [
        each for each in log.trials() if (not tasks or each["task"] in named) and (k is None or each["trial"] < k)
    ]
    return PartialRun(log, trials, tasks=named, k=count)
