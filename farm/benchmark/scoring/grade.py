"""Grades one trial: every checkpoint, those that others refer to first, and the damage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from farm.benchmark.scoring.damage import AllowedChanges, find_damage
from farm.benchmark.scoring.evidence import CheckpointScore, CheckpointVerdict, Contested, Evidence, TaskScore
from farm.benchmark.scoring.initial_state import Start
from farm.benchmark.scoring.kinds import judge_of
from farm.benchmark.scoring.reading_budget import ReadingBudget, Unread
from farm.benchmark.scoring.reports import with_report
from farm.benchmark.scoring.resolve import UnresolvedDependencyError, ValueResolver
from farm.benchmark.scoring.reverted_changes import as_damage, find_reverted
from farm.benchmark.tasks import Task


def grade(task: Task, evidence: Evidence, start: Start, budget: ReadingBudget | None = None) -> TaskScore:
    """Return the verdict on one trial of a task.

    Args:
        start: the world's first rows, shifted like the trial's episode.
        budget: the limits for reading texts; None for the default limits.

    Raises:
        FarmError: a lookup of the task matches no row or several, or references of checkpoints form a cycle; ``farm
            audit`` reports both.
    """
    with budget or ReadingBudget() as reading:
        return _grade(task, evidence, ValueResolver.from_task(task, start, evidence.now, reading), reading)


def judge_checkpoints(task: Task, evidence: Evidence, start: Start) -> dict[str, CheckpointVerdict]:
    """Return id → verdict of every checkpoint of one trial, each with the rows that it accounts for."""
    with ReadingBudget() as reading:
        return _verdicts(task, evidence, ValueResolver.from_task(task, start, evidence.now, reading), reading)


def _grade(task: Task, evidence: Evidence, values: ValueResolver, budget: ReadingBudget) -> TaskScore:
    verdicts = _verdicts(task, evidence, values, budget)
    known = values.knowing({name: verdict.matched for name, verdict in verdicts.items()})
    scores = tuple(verdicts[point.id].score for point in task.checkpoints)
    accounts = AllowedChanges(verdicts.values(), task.allow, known)
    reverted = tuple(find_reverted(evidence, accounts, task))
    damage = tuple(find_damage(evidence, accounts))
    # A wrong row is one damage, whatever else happened to it.
    rows = {(each.app, each.table, *each.key.items()) for each in damage}
    undone = (each for each in as_damage(reverted) if (each.app, each.table, *each.key.items()) not in rows)
    found = {point.id: verdicts[point.id].found for point in task.checkpoints if point.has_rows}
    return TaskScore(with_report(scores, task, evidence), (*damage, *undone), reverted, found)


def _verdicts(
    task: Task, evidence: Evidence, values: ValueResolver, budget: ReadingBudget
) -> dict[str, CheckpointVerdict]:
    verdicts: dict[str, CheckpointVerdict] = {}
    for point in task.checkpoints_in_order:
        known = values.knowing({name: verdict.matched for name, verdict in verdicts.items()})
        read = len(budget.unread)
        try:
            verdicts[point.id] = _left_open(judge_of(point).judge(point, task, evidence, known), budget.unread[read:])
        except UnresolvedDependencyError as waiting:
            why = f"cannot be satisfied: {waiting}"
            verdicts[point.id] = CheckpointVerdict(CheckpointScore.sure(point.id, point.kind, 0.0, why))
    return verdicts


def _left_open(verdict: CheckpointVerdict, unread: Sequence[Unread]) -> CheckpointVerdict:
    """Return a verdict, marked unsure if a row or a call was searched by texts that were not read."""
    if not unread or verdict.score.contested:
        return verdict
    score = verdict.score
    low, high = (score.low, score.high) if score.low < score.high else (0.0, 1.0)
    why = f"{score.why} ({unread[0].why})"
    contested = tuple(map(Contested.of_unread, unread))
    return replace(verdict, score=replace(score, why=why, low=low, high=high, contested=contested))
