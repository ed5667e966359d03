"""Prove that each task can be done, that only doing it scores, and that it can be done in more than one way.

The audit replays scripts in process. The oracle runs twice; both runs must score 1.00 and produce the same bytes. Then
come the scripts of ``farm.benchmark.audit.attacks``, the hand-written near misses, and the equally right variants. A
script whose verdict depends on a doubtful reading of a text is counted separately, by the best guess.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from farm import content
from farm._util.json_io import dumps, loads
from farm.benchmark.agents.placeholders import MissingPlaceholderError
from farm.benchmark.agents.scripted import rendered, run_script
from farm.benchmark.audit.attacks import (
    AttackContext,
    AttackScript,
    attacks,
    rewordings,
    right_sheets,
    right_ways,
    wrong_sheets,
    wrong_ways,
)
from farm.benchmark.audit.attacks.script import positions
from farm.benchmark.audit.kept_verdicts import KeptVerdicts
from farm.benchmark.audit.truth.ambiguous import ambiguous_references, ambiguous_rows
from farm.benchmark.audit.truth.blind import without_reads
from farm.benchmark.audit.truth.fact_trace import TraceOf, no_trace
from farm.benchmark.audit.truth.leaky import leaked_claims
from farm.benchmark.audit.truth.truth import truth_faults
from farm.benchmark.runner.local_host import LocalHost
from farm.benchmark.runner.play import Play
from farm.benchmark.scoring.evidence import Evidence, RowChange, RowName, TaskScore, row_name
from farm.benchmark.scoring.grade import grade
from farm.benchmark.scoring.initial_state import ignored_columns, is_internal, is_read_mark, judged_part
from farm.benchmark.scoring.stored_texts import with_mail_words
from farm.benchmark.scoring.task_start import start_of_task
from farm.benchmark.tasks import KnownSurvivor, Operate, OracleCall, Steps, Suite, Task
from farm.benchmark.tasks.checkpoints import ROW_KINDS
from farm.context.operators import parsed_json, texts_in
from farm.context.trace import failed_as_planned

# Longer texts (in characters) are truncated in the report.
_SHOWN_MAX = 400


@dataclass(frozen=True)
class Survivor:
    """One script that was judged wrongly, or one fault of the oracle.

    Attributes:
        found: the actual outcome.
        text: the text that the script wrote, if the script varies a text.
        doubts: the doubtful readings that the verdict depends on.
        explained: the reason in the task's file why it may survive.
    """

    task: str
    kind: str
    why: str
    acc: float | None
    found: str
    text: str | None = None
    doubts: tuple[str, ...] = ()
    explained: str | None = None


@dataclass
class Tally:
    """Count the verdicts on the scripts of one kind.

    Attributes:
        is_right: whether the scripts deserve full marks.
        held: the number of correct, certain verdicts.
        failed: the number of wrong, certain verdicts.
        unsure_held: the number of verdicts that depend on a doubt and are correct by best guess.
        unsure_failed: the number of verdicts that depend on a doubt and are wrong by best guess.
    """

    is_right: bool
    held: int = 0
    failed: int = 0
    unsure_held: int = 0
    unsure_failed: int = 0

    @property
    def unsure(self) -> int:
        """The number of verdicts that depend on a doubt."""
        return self.unsure_held + self.unsure_failed

    def add(self, *, held: bool, sure: bool) -> None:
        """Count one script."""
        name = ("held" if held else "failed") if sure else ("unsure_held" if held else "unsure_failed")
        setattr(self, name, getattr(self, name) + 1)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.is_right,
            self.held + other.held,
            self.failed + other.failed,
            self.unsure_held + other.unsure_held,
            self.unsure_failed + other.unsure_failed,
        )


@dataclass
class TaskAudit:
    """The audit's results for one task.

    Attributes:
        tallies: kind of script → tally.
        survivors: the scripts that were certainly judged wrongly, and the faults of the oracle itself.
        unsure: the scripts that were judged wrongly by best guess only.
        stale: the unused ``known_survivors`` entries of the task's file.
    """

    task: str
    oracle: float = 0.0
    null: float = 0.0
    tallies: dict[str, Tally] = field(default_factory=dict)
    survivors: list[Survivor] = field(default_factory=list)
    unsure: list[Survivor] = field(default_factory=list)
    stale: list[KnownSurvivor] = field(default_factory=list)

    def total(self, *, is_right: bool) -> Tally:
        """Return the tally of all wrong scripts, or of all right ones."""
        return sum((each for each in self.tallies.values() if each.is_right == is_right), Tally(is_right))

    @property
    def unexplained(self) -> list[Survivor]:
        """The survivors that the task's file does not explain."""
        return [each for each in self.survivors if each.explained is None]


@dataclass(frozen=True)
class _Played:
    """The outcome of playing a script."""

    score: TaskScore
    evidence: Evidence
    trace: bytes
    sent: list[Any]
    over_limit: bool = False


class Auditor:
    """Audit tasks on episodes below one data folder."""

    def __init__(self, data: Path, trace_of: TraceOf = no_trace) -> None:
        self._trace_of = trace_of
        self._host = LocalHost(data, interrupts=False)

    def audit(self, task: Task) -> TaskAudit:
        """Return the results of all replays of one task."""
        found = TaskAudit(task.id)
        for place, line in ambiguous_rows(task, start_of_task(task)):
            found.survivors.append(Survivor(task.id, "ambiguous", place, None, line))
        if found.survivors:
            return found  # no script can be graded
        oracle = self._oracle(task, found)
        if oracle is None:
            return found
        context = self._context(task, oracle)
        found.survivors += self._unproven(context, found.oracle)
        for script in (*wrong_ways(task), *wrong_sheets(task), *attacks(context)):
            self._try_wrong(script, oracle, context, found)
        for script in (*right_ways(task), *right_sheets(task), *rewordings(context)):
            self._try_right(task, script, oracle, found)
        doubtful = [*found.survivors, *found.unsure]
        found.stale = [each for each in task.known_survivors if not any(_explains(each, other) for other in doubtful)]
        return found

    def _unproven(self, context: AttackContext, acc: float) -> Iterator[Survivor]:
        """Yield what is wrong with the oracle's facts: ambiguous, unproven or leaked values, needless reads."""
        task = context.task
        for place, line in ambiguous_references(context):
            yield Survivor(task.id, "ambiguous", place, acc, line)
        for fault in truth_faults(context, self._trace_of(task.world)):
            yield Survivor(task.id, fault.kind, fault.checkpoint, acc, fault.line)
        for place, line in leaked_claims(context):
            yield Survivor(task.id, "leaky", place, acc, line)
        steps = without_reads(context)
        if steps is None:
            return
        why = "the oracle without its reads"
        played = self.play(task, AttackScript("blind", why, False, steps, task.oracle_answer))
        if played.score.acc == 1.0 and not played.score.damage:
            line = "full marks, with nothing that the instruction does not tell"
            yield Survivor(task.id, "blind", why, played.score.acc, line)

    def context(self, task: Task) -> AttackContext | None:
        """Return the attack context of a task; None when its oracle cannot be played."""
        oracle = self._oracle(task, TaskAudit(task.id))
        return None if oracle is None else self._context(task, oracle)

    def _context(self, task: Task, oracle: _Played) -> AttackContext:
        made = zip((call for turn in oracle.sent for call in turn), oracle.evidence.calls, strict=True)
        literal, calls = {}, []
        for position, planned in positions(task.oracle):
            (app, tool, arguments), call = next(made)
            # What a planned fault kept from being done was made again at once, and is no call of the oracle's steps.
            while planned.again and failed_as_planned(call):
                _, call = next(made)
            literal[position] = OracleCall(app, tool, arguments, again=planned.again)
            calls.append(call)
        evidence = replace(oracle.evidence, calls=calls)

        def look(steps: Steps) -> Evidence:
            return self.play(task, AttackScript("look", "", False, steps, "")).evidence

        return AttackContext(task, start_of_task(task), evidence, literal, look)

    def _oracle(self, task: Task, found: TaskAudit) -> _Played | None:
        """Play the oracle twice; report a score below 1.00, damage, or a difference between the plays."""
        script = AttackScript("oracle", "the oracle", True, task.oracle, task.oracle_answer)
        try:
            first, second = self.play(task, script), self.play(task, script)
        except MissingPlaceholderError as missing:
            found.survivors.append(Survivor(task.id, "oracle", "cannot be played", None, str(missing)))
            return None
        found.oracle = min(first.score.acc, second.score.acc)
        for line in _faults(first.score):
            found.survivors.append(Survivor(task.id, "oracle", "not full marks", found.oracle, line))
        if found.oracle < 1.0:
            for call in first.evidence.calls:
                if call["refused"]:
                    line = f"{call['app']}.{call['tool']}: {' '.join(texts_in(call.get('result')).split())[:300]}"
                    found.survivors.append(Survivor(task.id, "oracle", "a call of it was refused", found.oracle, line))
        doubts = _doubts(first.score)
        if first.score.acc_range[0] < first.score.acc:
            line = "its own texts are not read for sure; word them plainly"
            found.unsure.append(Survivor(task.id, "oracle", "the oracle", found.oracle, line, doubts=doubts))
        if first.trace != second.trace:
            why = "two plays gave different bytes"
            found.survivors.append(Survivor(task.id, "determinism", why, found.oracle, _difference(first, second)))
        return first

    def _try_wrong(self, script: AttackScript, oracle: _Played, context: AttackContext, found: TaskAudit) -> None:
        task = context.task
        try:
            played = self._outcome(task, script, oracle)
        except MissingPlaceholderError as missing:
            if not script.may_break:
                found.survivors.append(Survivor(task.id, script.kind, script.why, None, str(missing)))
            return
        if _is_no_attack(script, played, oracle, context):
            return
        score = played.score
        if script.kind == "null":
            found.null = score.acc
            scores = [each for each in score.checkpoints if each.kind in ROW_KINDS and each.score > 0]
            if scores:
                line = f"checkpoint '{scores[0].id}' is satisfied by doing nothing"
                found.survivors.append(Survivor(task.id, "null", script.why, found.null, line))
        # Some wrong scripts do everything right and something more: only damage distinguishes them.
        given_away = played.over_limit or ((script.must_differ or script.kind == "near-miss") and bool(score.damage))
        low, high = score.acc_range
        held = given_away or score.acc < 1.0
        line = "full marks" + (" with damage" if score.damage else "")
        self._count(task, script, found, score, held, given_away or high < 1.0 or low == 1.0, line)

    def _try_right(self, task: Task, script: AttackScript, oracle: _Played, found: TaskAudit) -> None:
        try:
            played = self._outcome(task, script, oracle)
        except MissingPlaceholderError as missing:
            _tally(found, script).add(held=False, sure=True)
            found.survivors.append(_survivor(task, script, None, str(missing)))
            return
        if script.may_break and any(call["refused"] and not failed_as_planned(call) for call in played.evidence.calls):
            return  # the app does not accept such a text
        score = played.score
        faults = _faults(score) + ["over the limit of calls"] * played.over_limit
        low, high = score.acc_range
        sure = bool(score.damage) or played.over_limit or low == high
        self._count(task, script, found, score, not faults, sure, "; ".join(faults[:1]))

    @staticmethod
    def _count(
        task: Task, script: AttackScript, found: TaskAudit, score: TaskScore, held: bool, sure: bool, line: str
    ) -> None:
        _tally(found, script).add(held=held, sure=sure)
        if not held:
            survivor = _survivor(task, script, score.acc, line)
            if sure:
                found.survivors.append(survivor)
            else:
                found.unsure.append(replace(survivor, doubts=_doubts(score)))

    def _outcome(self, task: Task, script: AttackScript, oracle: _Played) -> _Played:
        if script.steps is task.oracle and not script.overrides:
            # Only the answer differs, so the calls need not be played again.
            evidence = replace(oracle.evidence, answer=rendered(script.answer, task.world), asked=script.asked)
            return replace(oracle, score=grade(task, evidence, start_of_task(task)), evidence=evidence)
        return self.play(task, script)

    def play(self, task: Task, script: AttackScript) -> _Played:
        """Play one script in a new episode and grade it."""
        # A script that does too much must be caught by what it did, not by its number of calls.
        is_limited = script.is_right or script.is_limited
        with Play(task, host=self._host, answers="prose", is_limited=is_limited) as play:
            sent = run_script(script.steps, play.session, task.world, script.overrides, retries=bool(task.faults))
            over_limit = play.session.over_limit()
            evidence = play.evidence(rendered(script.answer, task.world))
        called = [(c["app"], c["tool"], c["arguments"], c["result"]) for c in evidence.calls]
        trace = dumps([called, evidence.diff])
        score = grade(task, evidence, start_of_task(task))
        return _Played(score, evidence, trace, sent, over_limit > 0)

    def close(self) -> None:
        """Close every episode."""
        self._host.close()


def _is_no_attack(script: AttackScript, played: _Played, oracle: _Played, context: AttackContext) -> bool:
    """Whether a derived script is equivalent to the oracle: it wrote the same rows, was refused, or is allowed."""
    if not script.must_differ:
        return script.may_break and played.sent == oracle.sent
    undone = oracle.evidence.reverted
    for app, tables in played.evidence.reverted.items():
        for table, rows in tables.items():
            if context.minds_reverted(app, table) and any(
                row not in undone.get(app, {}).get(table, ()) for row in rows
            ):
                return False
    free = {
        (each.app, each.table, name)
        for each in context.task.checkpoints
        if isinstance(each, Operate)
        for name in each.free
    }
    then, now = _changed_rows(oracle.evidence, free), _changed_rows(played.evidence, free)
    spare = [_unnamed(name, row) for name, (_, row) in then.items() if name not in now] if script.may_rename else []
    for name, (change, row) in now.items():
        if (name in then and then[name][1] == row) or context.allows(*name[:2], change):
            continue
        if _unnamed(name, row) not in spare:
            return False
        spare.remove(_unnamed(name, row))
    return True


def _unnamed(name: RowName, row: list[Any]) -> Any:
    """Return a changed row without its keys and references, which an app may make from all arguments of a call."""
    app, table, _ = name
    roles = content.load_app(app).schema.roles.get(table, {})
    op, *sides = row
    if op != "insert":
        return name, row
    names = {"key", "reference"}
    return app, table, [{c: value for c, value in side.items() if roles.get(c) not in names} for side in sides]


def _changed_rows(
    evidence: Evidence, free: Collection[tuple[str, str, str]]
) -> dict[RowName, tuple[RowChange, list[Any]]]:
    """Return each changed row, with only the columns that are judged; marks of reading are omitted."""
    found = {}
    for app, tables in evidence.diff.items():
        for table, changes in tables.items():
            if is_internal(app, table):
                continue
            for change in changes:
                old, new = (_judged(app, table, change, side, free) for side in ("old", "new"))
                if old != new and not is_read_mark(app, table, change):
                    found[row_name(app, table, change)] = change, [change["op"], old, new]
    return found


def _judged(app: str, table: str, change: RowChange, side: str, free: Collection[tuple[str, str, str]]) -> Any:
    """Return one side of a changed row, with the columns that count; of a mail, the words that its reader sees."""
    row = change[side]
    if row is None:
        return {}
    if change["op"] == "insert":
        row = {name: value for name, value in judged_part(app, table, row).items() if (app, table, name) not in free}
    ignored = ignored_columns(app, table)
    judged = with_mail_words(app, table, row)
    return {name: parsed_json(value) for name, value in judged.items() if name not in ignored}


def _tally(found: TaskAudit, script: AttackScript) -> Tally:
    return found.tallies.setdefault(script.kind, Tally(script.is_right))


def _survivor(task: Task, script: AttackScript, acc: float | None, line: str) -> Survivor:
    text = script.text
    if text is not None and len(text) > _SHOWN_MAX:
        text = f"{text[: _SHOWN_MAX - 1]}…"
    survivor = Survivor(task.id, script.kind, script.why, acc, line, text)
    return replace(
        survivor, explained=next((each.why for each in task.known_survivors if _explains(each, survivor)), None)
    )


def _explains(explained: KnownSurvivor, survivor: Survivor) -> bool:
    return explained.kind == survivor.kind and explained.script in survivor.why


def _doubts(score: TaskScore) -> tuple[str, ...]:
    every = (doubt for point in score.checkpoints for text in point.contested for doubt in text.doubts)
    return tuple(dict.fromkeys(every))


def _faults(score: TaskScore) -> list[str]:
    lines = [f"{each.id}: {each.why}" for each in score.checkpoints if each.score < 1.0]
    return lines + [f"damage: {each.why}" for each in score.damage]


def _difference(first: _Played, second: _Played) -> str:
    for a, b in zip(loads(first.trace)[0], loads(second.trace)[0], strict=False):
        if a != b:
            return f"{a[1]} differs"
    return "the number of calls or the rows differ"


def audit_suite(
    suite: Suite,
    on_task: Callable[[TaskAudit], None] = lambda _: None,
    *,
    parallel: int | None = None,
    trace_of: TraceOf = no_trace,
    kept: KeptVerdicts | None = None,
) -> dict[str, Any]:
    """Audit every task of a suite and return the report ``farm audit --json`` prints.

    Args:
        on_task: called with the results of each task, in the suite's order.
        parallel: number of tasks audited at once, each in its own process; None: the number of processors.
        trace_of: tells where the rows of a world tell a fact; a function that can be pickled. Without it, a claim that
            names a fact is proven by its value alone.
        kept: verdicts of former audits; a task on which nothing has changed is not audited again.
    """
    known = {each.id: from_json(verdict) for each in suite.tasks if kept and (verdict := kept.find(each)) is not None}
    fresh = [each for each in suite.tasks if each.id not in known]
    found = []
    with tempfile.TemporaryDirectory(prefix="farm-audit-", ignore_cleanup_errors=True) as folder:
        audited = _audited(fresh, Path(folder), parallel or os.cpu_count() or 1, trace_of)
        for task in suite.tasks:
            found.append(known[task.id] if task.id in known else next(audited))
            if kept and task.id not in known:
                kept.keep(task, asdict(found[-1]))
            on_task(found[-1])
    return report(suite, found)


def from_json(raw: Mapping[str, Any]) -> TaskAudit:
    """Return the results of a task's audit from ``asdict`` of them, as JSON gives it back."""

    def survivors(name: str) -> list[Survivor]:
        return [Survivor(**{**each, "doubts": tuple(each["doubts"])}) for each in raw[name]]

    return TaskAudit(
        raw["task"],
        raw["oracle"],
        raw["null"],
        {kind: Tally(**each) for kind, each in raw["tallies"].items()},
        survivors("survivors"),
        survivors("unsure"),
        [KnownSurvivor(**each) for each in raw["stale"]],
    )


def _audited(tasks: Iterable[Task], folder: Path, parallel: int, trace_of: TraceOf) -> Iterator[TaskAudit]:
    given = list(tasks)
    workers = min(parallel, len(given))
    if workers < 2:
        yield from _audit_in_turn(given, folder, trace_of)
        return
    # Not forked: threads draw the progress.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _begin, (str(folder), trace_of)) as pool:
        yield from pool.map(_audit_one, given)


def _audit_in_turn(tasks: Iterable[Task], folder: Path, trace_of: TraceOf) -> Iterator[TaskAudit]:
    auditor = Auditor(folder, trace_of)
    try:
        for task in tasks:
            yield auditor.audit(task)
    finally:
        auditor.close()


_mine: list[Auditor] = []  # the one of a worker process


def _begin(folder: str, trace_of: TraceOf) -> None:
    _mine.append(Auditor(Path(folder), trace_of))


def _audit_one(task: Task) -> TaskAudit:
    return _mine[0].audit(task)


def report(suite: Suite, found: list[TaskAudit]) -> dict[str, Any]:
    """Sum up the audits of a suite's tasks; the rates count only verdicts that do not depend on a doubt."""
    count = max(len(found), 1)
    wrong, right = (
        sum((each.total(is_right=is_right) for each in found), Tally(is_right)) for is_right in (False, True)
    )
    kinds: dict[str, Tally] = {}
    for each in found:
        for kind, tally in each.tallies.items():
            kinds[kind] = kinds.get(kind, Tally(tally.is_right)) + tally
    return {
        "suite": suite.name,
        "tasks": len(suite.tasks),
        "checkpoints": sum(len(task.checkpoints) for task in suite.tasks),
        "oracle": round(sum(each.oracle for each in found) / count, 4),
        "null": round(sum(each.null for each in found) / count, 4),
        "kill_rate": _rate(wrong),
        "accept_rate": _rate(right),
        "wrong_variants": wrong.held + wrong.failed,
        "right_variants": right.held + right.failed,
        "unsure_wrong": _unsure(wrong),
        "unsure_right": _unsure(right),
        "by_kind": {kind: _by_kind(tally) for kind, tally in kinds.items()},
        "survivors": [_to_json(each) for audit in found for each in audit.unexplained],
        "explained": [_to_json(each) for audit in found for each in audit.survivors if each.explained is not None],
        "unsure": [_to_json(each) for audit in found for each in audit.unsure],
        "stale": [{"task": audit.task, **asdict(each)} for audit in found for each in audit.stale],
    }


def _rate(tally: Tally) -> float | None:
    sure = tally.held + tally.failed
    return round(tally.held / sure, 4) if sure else None


def _unsure(tally: Tally) -> dict[str, Any]:
    """Return the number of verdicts that depend on a doubt, and the share of correct verdicts including guesses."""
    every = tally.held + tally.failed + tally.unsure
    by_guess = round((tally.held + tally.unsure_held) / every, 4) if every else None
    return {"scripts": tally.unsure, "held": tally.unsure_held, "rate_by_guess": by_guess}


def _by_kind(tally: Tally) -> dict[str, Any]:
    return {
        "right": tally.is_right,
        "scripts": tally.held + tally.failed + tally.unsure,
        "held": tally.held,
        "failed": tally.failed,
        "rate": _rate(tally),
        "unsure": tally.unsure,
        "unsure_held": tally.unsure_held,
    }


def _to_json(each: Survivor) -> dict[str, Any]:
    entry = {"task": each.task, "kind": each.kind, "why": each.why, "acc": each.acc, "found": each.found}
    more = {"text": each.text, "doubts": list(each.doubts), "explained": each.explained}
    return entry | {name: value for name, value in more.items() if value}
