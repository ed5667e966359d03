"""Grades one trial: every checkpoint, those that others refer to first, and the damage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from farm.benchmark.scoring import operations, predicates
from farm.benchmark.scoring.damage import AllowedChanges, find_damage
from farm.benchmark.scoring.evidence import CheckpointScore, CheckpointVerdict, Contested, Evidence, TaskScore
from farm.benchmark.scoring.findings import VIEWS, Finding, View, all_hold
from farm.benchmark.scoring.initial_state import Start
from farm.benchmark.scoring.reading_budget import ReadingBudget, Unread
from farm.benchmark.scoring.resolve import UnresolvedDependencyError, ValueResolver
from farm.benchmark.scoring.reverted_changes import as_damage, find_reverted
from farm.benchmark.scoring.value_check import check
from farm.benchmark.tasks import Checkpoint, Operate, Other, Search, Task
from farm.benchmark.tasks.dependency_order import in_order


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


def _grade(task: Task, evidence: Evidence, values: ValueResolver, budget: ReadingBudget) -> TaskScore:
    verdicts: dict[str, CheckpointVerdict] = {}
    for point in in_order(task.checkpoints):
        known = values.knowing({name: verdict.matched for name, verdict in verdicts.items()})
        read = len(budget.unread)
        try:
            verdicts[point.id] = _left_open(_judge(point, task, evidence, known), budget.unread[read:])
        except UnresolvedDependencyError as waiting:
            why = f"cannot be satisfied: {waiting}"
            verdicts[point.id] = CheckpointVerdict(CheckpointScore.sure(point.id, point.kind, 0.0, why))
    known = values.knowing({name: verdict.matched for name, verdict in verdicts.items()})
    accounted = [(point, verdicts[point.id]) for point in task.checkpoints if isinstance(point, Operate)]
    scores = tuple(verdicts[point.id].score for point in task.checkpoints)
    accounts = AllowedChanges(accounted, task.allow, known)
    reverted = tuple(find_reverted(evidence, accounts, task))
    damage = tuple(find_damage(evidence, accounts))
    # A wrong row is one damage, whatever else happened to it.
    rows = {(each.app, each.table, *each.key.items()) for each in damage}
    undone = (each for each in as_damage(reverted) if (each.app, each.table, *each.key.items()) not in rows)
    return TaskScore(scores, (*damage, *undone), reverted, {point.id: verdict.found for point, verdict in accounted})


def _left_open(verdict: CheckpointVerdict, unread: Sequence[Unread]) -> CheckpointVerdict:
    """Return a verdict, marked unsure if a row or a call was searched by texts that were not read."""
    if not unread or verdict.score.contested:
        return verdict
    score = verdict.score
    low, high = (score.low, score.high) if score.low < score.high else (0.0, 1.0)
    why = f"{score.why} ({unread[0].why})"
    contested = tuple(map(Contested.of_unread, unread))
    return replace(verdict, score=replace(score, why=why, low=low, high=high, contested=contested))


def _judge(point: Checkpoint, task: Task, evidence: Evidence, values: ValueResolver) -> CheckpointVerdict:
    match point:
        case Search():
            return CheckpointVerdict(_judge_search(point, evidence, values))
        case Operate():
            return operations.judge(point, evidence, values)
        case Other():
            return CheckpointVerdict(predicates.judge(point, task, evidence, values))


def _judge_search(point: Search, evidence: Evidence, values: ValueResolver) -> CheckpointScore:
    """Score 1 for all required pieces in the answer, 0.5 for half of them or more and nothing forbidden, else 0."""
    if not evidence.answer.strip():
        return CheckpointScore.sure(point.id, point.kind, 0.0, "expected an answer, found none")
    if not predicates.was_looked_up(point.looked_up, evidence, values):
        why = "the answer was never looked up: no call shows the fact"
        return CheckpointScore.sure(point.id, point.kind, 0.0, why)
    findings = check(values.resolve(point.answer, ""), evidence.answer, values.clock_context)
    score, low, high = (_search_score(findings, view) for view in VIEWS)
    missing = [finding.describe for finding in findings if not finding.ok]
    why = f"expected the answer to have {' and '.join(missing)}, found '{_short(evidence.answer)}'"
    contested = Contested.of_findings("answer", evidence.answer, findings, point.answer.get("judge"))
    return CheckpointScore(
        point.id,
        point.kind,
        score,
        why if missing else "the answer says what it should",
        low,
        high,
        (contested,) if contested.doubts else (),
    )


def _search_score(findings: Sequence[Finding], view: View) -> float:
    if all_hold(findings, view):
        return 1.0
    asked = [finding for finding in findings if not finding.is_ban]
    broken = any(finding.is_ban and not finding.holds(view) for finding in findings)
    half = not broken and 2 * sum(finding.holds(view) for finding in asked) >= len(asked)
    return 0.5 if half else 0.0


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else f"{flat[:117]}…"
