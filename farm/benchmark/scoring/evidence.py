"""The evidence of a trial, and the classes of verdicts about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from farm.appkit.column_vocabulary import Format
from farm.appkit.handler_api import Row
from farm.benchmark.scoring.claims import Change
from farm.benchmark.scoring.findings import Finding, all_hold, doubts_of
from farm.benchmark.scoring.reading_budget import Unread
from farm.benchmark.tasks.sheet_fields import AnswerForm
from farm.context.changes import Rows
from farm.context.trace import Call

# One changed row, in the form of diffs: ``op``, ``key``, ``old``, ``new``, ``call``.
RowChange = Mapping[str, Any]
# The identity of a changed row: app, table and key. A diff has each row once.
RowName = tuple[str, str, tuple[tuple[str, Any], ...]]

OPS: Mapping[Change, str] = {"create": "insert", "update": "update", "delete": "delete"}
CHANGES: Mapping[str, Change] = {op: change for change, op in OPS.items()}
_SHOWN_MAX = 1000  # characters of a text that was not read


@dataclass(frozen=True)
class Evidence:
    """The changed rows, the calls and the final answer of one trial.

    Attributes:
        diff: app → table → changes since the start, in the form of the control API.
        calls: the trace (``farm.context.trace.Call``).
        now: the simulated time from which "tomorrow" counts: the start of the trial, or a test agent's last call.
        reverted: app → table → reverted changes, in the form of the control API.
        asked: the form in which the answer was asked for.
    """

    diff: Rows
    calls: Sequence[Call]
    answer: str = ""
    now: datetime | None = None
    reverted: Rows = field(default_factory=dict)
    asked: AnswerForm = "prose"

    def of_agent(self) -> Evidence:
        """Return the evidence without what others in the episode did: their calls, and rows that they changed last.

        A row that both changed belongs to whoever changed it last: a diff names no other call.
        """
        others = {(call["app"], call["call"]) for call in self.calls if "by" in call}
        if not others:
            return self
        diff = {
            app: {
                table: [row for row in rows if (app, row.get("call")) not in others] for table, rows in tables.items()
            }
            for app, tables in self.diff.items()
        }
        reverted = {
            app: {
                table: [row for row in rows if not {(app, step["call"]) for step in row["steps"]} <= others]
                for table, rows in tables.items()
            }
            for app, tables in self.reverted.items()
        }
        calls = [call for call in self.calls if "by" not in call]
        return replace(self, diff=_without_empty(diff), calls=calls, reverted=_without_empty(reverted))


def _without_empty(rows: Rows) -> Rows:
    tables = {app: {table: each for table, each in tables.items() if each} for app, tables in rows.items()}
    return {app: each for app, each in tables.items() if each}


def row_name(app: str, table: str, change: RowChange) -> RowName:
    """Return the identity of a changed row."""
    return app, table, tuple(sorted(change["key"].items()))


@dataclass(frozen=True)
class Contested:
    """A text whose content is judged, most often one whose meaning is uncertain.

    Attributes:
        place: the column, or ``answer``.
        wanted: what it should say, one phrase each.
        guess: whether the best guess is that it does.
        question: the task's question for a judge.
        is_read: whether the farm read it; if not, only its beginning is stored.
        is_close: whether a judge, if there is one, should be asked about it, though code is sure that it is right.
    """

    place: str
    text: str
    wanted: tuple[str, ...]
    guess: bool
    doubts: tuple[str, ...]
    question: str | None = None
    is_read: bool = True
    is_close: bool = False

    @classmethod
    def of_findings(cls, place: str, text: str, findings: Sequence[Finding], question: str | None) -> Contested:
        """Build a contested text from its findings."""
        wanted = tuple(each.wanted for each in findings)
        is_read = not any(each.is_unread for each in findings)
        guess, doubts = all_hold(findings, "guess"), doubts_of(findings)
        is_close = guess and not doubts and any(each.is_close for each in findings)
        return cls(place, text if is_read else _begin(text), wanted, guess, doubts, question, is_read, is_close)

    @classmethod
    def of_unread(cls, unread: Unread) -> Contested:
        """Build a contested text that was not read, on which a row or a call depends."""
        return cls("rows and calls", _begin(unread.text), (), False, (unread.why,), is_read=False)


def _begin(text: str) -> str:
    return text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}…"


@dataclass(frozen=True)
class ProseScore:
    """The verdict on the prose beside an answer sheet, which decides nothing; see ``CheckpointScore``."""

    score: float
    why: str
    low: float
    high: float
    contested: tuple[Contested, ...] = ()


@dataclass(frozen=True)
class CheckpointScore:
    """The verdict on one checkpoint: 0, 0.5 or 1, and why in a sentence.

    Attributes:
        low, high: the score if every doubt about a text were resolved against the agent, or for it; equal to the score
            without doubts.
        contested: the texts in doubt.
        settled: the other texts whose content was judged.
        if_said: the score if every judged text said what it should.
        by_prose: the verdict on the prose, if the checkpoint was decided by an answer sheet.
    """

    id: str
    kind: str
    score: float
    why: str
    low: float
    high: float
    contested: tuple[Contested, ...] = ()
    settled: tuple[Contested, ...] = ()
    if_said: float | None = None
    by_prose: ProseScore | None = None

    def as_line(self) -> dict[str, Any]:
        """Return the verdict as JSON."""
        # ``asdict`` copies every value, which takes as long as judging a short text.
        line = vars(self) | {"contested": _lines(self.contested), "settled": _lines(self.settled)}
        if self.by_prose is not None:
            line["by_prose"] = vars(self.by_prose) | {"contested": _lines(self.by_prose.contested)}
        return line

    @classmethod
    def sure(cls, id: str, kind: str, score: float, why: str) -> CheckpointScore:
        """Return a verdict without doubts."""
        return cls(id, kind, score, why, score, score)


def _lines(texts: Sequence[Contested]) -> tuple[dict[str, Any], ...]:
    return tuple(dict(vars(each)) for each in texts)


@dataclass(frozen=True)
class CheckpointVerdict:
    """The verdict on one checkpoint, with its rows.

    Attributes:
        changes: the changes that the checkpoint accounts for; only changes of columns it does not name are damage.
        may_change: row of ``changes`` → the keys that may change.
        matched: the rows that satisfy it, for checkpoints that refer to them.
        found: the number of rows that are as required, whatever number is required.
    """

    score: CheckpointScore
    changes: tuple[RowChange, ...] = ()
    may_change: Mapping[RowName, Collection[str]] = field(default_factory=dict)
    matched: tuple[Row, ...] = ()
    found: int = 0


@dataclass(frozen=True)
class WrittenText:
    """A text of a trial whose content a checkpoint judges.

    Attributes:
        place: the column, or ``answer``.
        wanted: the conditions on it, as the task states them.
        before: the column's text in the start.
        app: the app of the column; empty for the answer, which no call wrote.
        call: the number of the call within the app that wrote it.
        format: how the column stores it.
    """

    place: str
    text: str
    wanted: Mapping[str, Any]
    before: str = ""
    app: str = ""
    call: int | None = None
    format: Format = "plain"


@dataclass(frozen=True)
class RevertedChange:
    """A reverted change.

    Attributes:
        calls: numbers of the calls within the app, in order.
        is_damage: whether the task counts it as damage.
    """

    app: str
    table: str
    key: Mapping[str, Any]
    calls: tuple[int, ...]
    is_damage: bool
    why: str


@dataclass(frozen=True)
class Damage:
    """A changed row that the task does not account for; ``change`` is ``reverted`` for a reverted change."""

    app: str
    table: str
    change: str
    key: Mapping[str, Any]
    call: int | None
    why: str


@dataclass(frozen=True)
class TaskScore:
    """The verdict on one trial.

    Attributes:
        reverted: all reverted changes; those that are damage are also in ``damage``.
        found: id of an ``operate`` checkpoint → number of rows that are as required, whatever number is required.
        acc: mean of the checkpoints.
        exec_acc: share of searches and operations that are fully right; None if the task has neither.
    """

    checkpoints: tuple[CheckpointScore, ...]
    damage: tuple[Damage, ...] = field(default=())
    reverted: tuple[RevertedChange, ...] = field(default=())
    found: Mapping[str, int] = field(default_factory=dict)

    @property
    def acc(self) -> float:
        """The mean checkpoint score."""
        return sum(each.score for each in self.checkpoints) / len(self.checkpoints)

    def checkpoint_lines(self) -> list[dict[str, Any]]:
        """Return each checkpoint's verdict as JSON, with the number of rows that are as required as ``found``."""
        return [
            each.as_line() | ({"found": self.found[each.id]} if each.id in self.found else {})
            for each in self.checkpoints
        ]

    @property
    def acc_range(self) -> tuple[float, float]:
        """``acc`` if every doubt about a text were resolved against the agent, and for it."""
        count = len(self.checkpoints)
        return sum(each.low for each in self.checkpoints) / count, sum(each.high for each in self.checkpoints) / count

    @property
    def exec_acc(self) -> float | None:
        """The share of fully right checkpoints among searches and operations."""
        counted = [each.score == 1.0 for each in self.checkpoints if each.kind != "other"]
        return sum(counted) / len(counted) if counted else None
