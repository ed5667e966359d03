"""The verdict on one trial: every checkpoint, those that others refer to first, and the damage."""

from __future__ import annotations

from collections.abc import Sequence

from farm.score import operations, predicates
from farm.score.churn import as_damage, find_churn
from farm.score.damage import Accounts, find_damage
from farm.score.evidence import CheckpointScore, Contested, Evidence, TaskScore, Verdict
from farm.score.findings import VIEWS, Finding, View, all_hold, doubts_of
from farm.score.initial_state import Start
from farm.score.operators import check
from farm.score.resolve import Values, Waiting
from farm.task import Checkpoint, Operate, Other, Search, Task
from farm.task.order import in_order


def grade(task: Task, evidence: Evidence, start: Start) -> TaskScore:
    """Return the verdict on one trial of a task.

    Args:
        start: the world's first rows, moved as the trial's episode was.

    Raises:
        FarmError: a lookup of the task means no row or several, or checkpoints refer to each other in a circle, which
            ``farm audit`` would have said.
    """
    values = Values.of(task, start, evidence.now)
    verdicts: dict[str, Verdict] = {}
    for point in in_order(task.checkpoints):
        known = values.knowing({name: verdict.matched for name, verdict in verdicts.items()})
        try:
            verdicts[point.id] = _judge(point, task, evidence, known)
        except Waiting as waiting:
            why = f"cannot be satisfied: {waiting}"
            verdicts[point.id] = Verdict(CheckpointScore.sure(point.id, point.kind, 0.0, why))
    known = values.knowing({name: verdict.matched for name, verdict in verdicts.items()})
    accounted = [(point, verdicts[point.id]) for point in task.checkpoints if isinstance(point, Operate)]
    scores = tuple(verdicts[point.id].score for point in task.checkpoints)
    accounts = Accounts(accounted, task.allow, known)
    churn = tuple(find_churn(evidence, accounts, task))
    damage = tuple(find_damage(evidence, accounts))
    # A row that is not as it should be is one damage, whatever it went through besides.
    rows = {(each.app, each.table, *each.key.items()) for each in damage}
    undone = (each for each in as_damage(churn) if (each.app, each.table, *each.key.items()) not in rows)
    return TaskScore(scores, (*damage, *undone), churn, {point.id: verdict.found for point, verdict in accounted})


def _judge(point: Checkpoint, task: Task, evidence: Evidence, values: Values) -> Verdict:
    match point:
        case Search():
            return Verdict(_judge_search(point, evidence, values))
        case Operate():
            return operations.judge(point, evidence, values)
        case Other():
            return Verdict(predicates.judge(point, task, evidence, values))


def _judge_search(point: Search, evidence: Evidence, values: Values) -> CheckpointScore:
    """Every wanted piece in the answer: 1; half of them or more and nothing that must not be there: 0.5; else 0."""
    if not evidence.answer.strip():
        return CheckpointScore.sure(point.id, point.kind, 0.0, "expected an answer, found none")
    if not predicates.was_looked_up(point.looked_up, evidence, values):
        why = "the answer was never looked up: no call shows the fact"
        return CheckpointScore.sure(point.id, point.kind, 0.0, why)
    findings = check(values.resolve(point.answer, ""), evidence.answer, values.setting)
    score, low, high = (_search_score(findings, view) for view in VIEWS)
    missing = [finding.shown for finding in findings if not finding.ok]
    why = f"expected the answer to have {' and '.join(missing)}, found '{_short(evidence.answer)}'"
    doubts = doubts_of(findings)
    wanted = tuple(finding.wanted for finding in findings)
    contested = Contested("answer", evidence.answer, wanted, not missing, doubts, point.answer.get("judge"))
    return CheckpointScore(
        point.id,
        point.kind,
        score,
        why if missing else "the answer says what it should",
        low,
        high,
        (contested,) if doubts else (),
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
