"""Proves of each task that it can be done, only by doing it, and in more ways than one.

Replays in process: the oracle twice (both times full marks and the same bytes), the null and the read-only agent, the
oracle with a step dropped or aimed elsewhere, the near misses a person wrote, and variants that are as right.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from farm.agents.references import Missing
from farm.agents.scripted import play_steps, rendered
from farm.runner.local import LocalFarm
from farm.runner.mutants import Script, right_ways, wrong_ways
from farm.score.evidence import Evidence, TaskScore
from farm.score.grade import grade
from farm.score.initial_state import load_start
from farm.task import Suite, Task


@dataclass(frozen=True)
class Survivor:
    """Something the audit holds against a task."""

    task: str
    kind: str
    why: str
    acc: float | None
    found: str


@dataclass
class TaskAudit:
    """What the audit found out about one task."""

    task: str
    oracle: float = 0.0
    null: float = 0.0
    killed: int = 0
    wrong: int = 0
    accepted: int = 0
    right: int = 0
    survivors: list[Survivor] = field(default_factory=list)


@dataclass(frozen=True)
class _Played:
    score: TaskScore
    trace: bytes
    sent: list[Any]


class Auditor:
    """Audits tasks on episodes below one data folder."""

    def __init__(self, data: Path) -> None:
        self._farm = LocalFarm(data)

    def audit(self, task: Task) -> TaskAudit:
        """Return what the replays say of one task."""
        found = TaskAudit(task.id)
        oracle = self._oracle(task, found)
        if oracle is None:
            return found
        for script in wrong_ways(task):
            self._try_wrong(task, script, oracle, found)
        for script in right_ways(task):
            self._try_right(task, script, found)
        return found

    def _oracle(self, task: Task, found: TaskAudit) -> _Played | None:
        """Play the oracle twice; report anything short of full marks, damage, or a difference."""
        script = Script("oracle", "the oracle", True, task.oracle, task.oracle_answer)
        try:
            first, second = self._play(task, script), self._play(task, script)
        except Missing as missing:
            found.survivors.append(Survivor(task.id, "oracle", "cannot be played", None, str(missing)))
            return None
        found.oracle = min(first.score.acc, second.score.acc)
        for line in _faults(first.score):
            found.survivors.append(Survivor(task.id, "oracle", "not full marks", found.oracle, line))
        if first.trace != second.trace:
            why = "two plays gave different bytes"
            found.survivors.append(Survivor(task.id, "determinism", why, found.oracle, _difference(first, second)))
        return first

    def _try_wrong(self, task: Task, script: Script, oracle: _Played, found: TaskAudit) -> None:
        try:
            played = self._play(task, script)
        except Missing as missing:
            if not script.may_break:
                found.survivors.append(Survivor(task.id, script.kind, script.why, None, str(missing)))
            return
        if script.may_break and played.sent == oracle.sent:
            return
        found.wrong += 1
        if script.kind == "null":
            found.null = played.score.acc
            scores = [each for each in played.score.checkpoints if each.kind == "operate" and each.score > 0]
            if scores:
                line = f"checkpoint '{scores[0].id}' is satisfied by doing nothing"
                found.survivors.append(Survivor(task.id, "null", script.why, found.null, line))
        # Some near misses do everything right and something else besides: damage is what gives them away.
        if played.score.acc < 1.0 or (script.kind == "near-miss" and played.score.damage):
            found.killed += 1
        else:
            line = "full marks" + (" with damage" if played.score.damage else "")
            found.survivors.append(Survivor(task.id, script.kind, script.why, played.score.acc, line))

    def _try_right(self, task: Task, script: Script, found: TaskAudit) -> None:
        found.right += 1
        try:
            score = self._play(task, script).score
        except Missing as missing:
            found.survivors.append(Survivor(task.id, script.kind, script.why, None, str(missing)))
            return
        faults = _faults(score)
        found.accepted += not faults
        found.survivors += [Survivor(task.id, script.kind, script.why, score.acc, line) for line in faults[:1]]

    def _play(self, task: Task, script: Script) -> _Played:
        session = self._farm.create(task.world, task.apps, me=task.me, now=task.now, calls_max=task.calls_max)
        try:
            sent = play_steps(script.steps, session, task.world, script.twists)
            calls, changes = session.calls(), session.changes()
        finally:
            session.close()
        answer = rendered(script.answer, task.world)
        evidence = Evidence(changes.diff, calls, answer, datetime.fromisoformat(session.now), changes.churn)
        trace = orjson.dumps([[(c["app"], c["tool"], c["arguments"], c["result"]) for c in calls], changes.diff])
        return _Played(grade(task, evidence, load_start(task.world)), trace, sent)

    def close(self) -> None:
        """Close every episode."""
        self._farm.close()


def _faults(score: TaskScore) -> list[str]:
    lines = [f"{each.id}: {each.why}" for each in score.checkpoints if each.score < 1.0]
    return lines + [f"damage: {each.why}" for each in score.damage]


def _difference(first: _Played, second: _Played) -> str:
    for a, b in zip(orjson.loads(first.trace)[0], orjson.loads(second.trace)[0], strict=False):
        if a != b:
            return f"{a[1]} differs"
    return "the number of calls or the rows differ"


def audit_suite(suite: Suite, on_task: Callable[[TaskAudit], None] = lambda _: None) -> dict[str, Any]:
    """Audit every task of a suite and return the report ``farm audit --json`` prints."""
    with tempfile.TemporaryDirectory(prefix="farm-audit-") as folder:
        auditor = Auditor(Path(folder))
        try:
            found = []
            for task in suite.tasks:
                found.append(auditor.audit(task))
                on_task(found[-1])
        finally:
            auditor.close()
    return report(suite, found)


def report(suite: Suite, found: list[TaskAudit]) -> dict[str, Any]:
    """Sum up the audits of a suite's tasks."""
    count = max(len(found), 1)
    return {
        "suite": suite.name,
        "tasks": len(suite.tasks),
        "checkpoints": sum(len(task.checkpoints) for task in suite.tasks),
        "oracle": round(sum(each.oracle for each in found) / count, 4),
        "null": round(sum(each.null for each in found) / count, 4),
        "kill_rate": _rate(sum(each.killed for each in found), sum(each.wrong for each in found)),
        "accept_rate": _rate(sum(each.accepted for each in found), sum(each.right for each in found)),
        "wrong_variants": sum(each.wrong for each in found),
        "right_variants": sum(each.right for each in found),
        "survivors": list(_survivors(found)),
    }


def _rate(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _survivors(found: list[TaskAudit]) -> Iterator[dict[str, Any]]:
    for audit in found:
        for each in audit.survivors:
            yield {"task": each.task, "kind": each.kind, "why": each.why, "acc": each.acc, "found": each.found}
