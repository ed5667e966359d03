"""Compares two runs over the trials that both held: the difference, its interval, and the chance of as large a one.

Trials are paired by task and seed, and averaged by task, as trials of one task are no independent evidence. The test
flips the sign of tasks' differences; the interval draws tasks with replacement within each world, and worlds too where
there are at least five. Both are seeded, so that the same runs give the same figures.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean
from typing import Any

from farm.benchmark.scoring.metrics import UNSCORED, is_success

Trial = Mapping[str, Any]
_DRAWS = 10_000
_EXACT_TASKS_MAX = 12
_WORLDS_MIN = 5
# A sum of the same numbers in another order differs by less.
_ROUNDING = 1e-12
FIGURES: Mapping[str, Callable[[Trial], float | None]] = {
    "acc": lambda trial: trial["acc"],
    "sr_08": lambda trial: float(is_success(trial)),
    "exec_acc": lambda trial: trial["exec_acc"],
    "safe_sr": lambda trial: float(is_success(trial) and not trial["damage"]),
    "tfs": lambda trial: None if trial.get("tfs") is None else float(trial["tfs"]),
    "tefs": lambda trial: None if trial.get("tefs") is None else float(trial["tefs"]),
}


@dataclass(frozen=True)
class TaskDifference:
    """A task in both runs: the mean of each over the paired trials."""

    task: str
    world: str
    first: float
    second: float
    trials: int

    @property
    def difference(self) -> float:
        """How much higher the second is."""
        return self.second - self.first


@dataclass(frozen=True)
class Comparison:
    """The second run against the first.

    Attributes:
        interval: the 95 % interval of the difference; None for fewer than two tasks.
        p_value: the chance of a difference at least as large if the runs did not differ.
        only_first: the number of trials that only the first run held; ``only_second`` likewise.
    """

    first: float
    second: float
    difference: float
    interval: tuple[float, float] | None
    p_value: float
    tasks: tuple[TaskDifference, ...]
    only_first: int
    only_second: int


def compare(
    first: Sequence[Trial], second: Sequence[Trial], figure: str, worlds: Mapping[str, str]
) -> Comparison | None:
    """Return the comparison of two runs; None if they have no trial in common.

    Args:
        figure: a key of ``FIGURES``.
        worlds: task → its world; a task that is not there counts as of a world of its own.
    """
    ours, theirs = (_by_pair(trials, FIGURES[figure]) for trials in (first, second))
    common = [pair for pair in ours if pair in theirs]
    if not common:
        return None
    by_task: dict[str, list[tuple[float, float]]] = {}
    for pair in common:
        by_task.setdefault(pair[0], []).append((ours[pair], theirs[pair]))
    tasks = tuple(
        TaskDifference(task, worlds.get(task, task), fmean(a for a, _ in each), fmean(b for _, b in each), len(each))
        for task, each in sorted(by_task.items())
    )
    differences = [each.difference for each in tasks]
    return Comparison(
        fmean(each.first for each in tasks),
        fmean(each.second for each in tasks),
        fmean(differences),
        _interval(tasks),
        p_value(differences),
        tasks,
        len(ours) - len(common),
        len(theirs) - len(common),
    )


def _by_pair(trials: Sequence[Trial], figure: Callable[[Trial], float | None]) -> dict[tuple[str, int], float]:
    """Return (task, seed) → the figure, of the trials that have one."""
    graded = [trial for trial in trials if trial["outcome"] not in UNSCORED]
    values = {(trial["task"], trial["seed"]): figure(trial) for trial in graded}
    return {pair: value for pair, value in values.items() if value is not None}


def p_value(differences: Sequence[float]) -> float:
    """Return the share of sign changes with a mean at least as far from 0: of all, or of many drawn ones."""
    known = [value for value in differences if value]
    seen = abs(sum(known)) - _ROUNDING
    if len(known) <= _EXACT_TASKS_MAX:
        signs = list(product((1, -1), repeat=len(known)))
        return sum(abs(sum(map(float.__mul__, map(float, each), known))) >= seen for each in signs) / len(signs)
    draw = random.Random(0)
    as_far = sum(abs(sum(value if draw.random() < 0.5 else -value for value in known)) >= seen for _ in range(_DRAWS))
    # The runs as they are count as one of the draws, so that no value is 0.
    return (as_far + 1) / (_DRAWS + 1)


def _interval(tasks: Sequence[TaskDifference]) -> tuple[float, float] | None:
    if len(tasks) < 2:
        return None
    worlds: dict[str, list[float]] = {}
    for each in tasks:
        worlds.setdefault(each.world, []).append(each.difference)
    groups, draw = list(worlds.values()), random.Random(0)
    means = []
    for _ in range(_DRAWS):
        chosen = draw.choices(groups, k=len(groups)) if len(groups) >= _WORLDS_MIN else groups
        means.append(fmean(value for group in chosen for value in draw.choices(group, k=len(group))))
    means.sort()
    return means[round(0.025 * _DRAWS)], means[round(0.975 * _DRAWS) - 1]
