"""What a trial leaves behind and a verdict rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from farm.changes import Rows
from farm.kernel import Row
from farm.trace import Call

# One changed row, as diffs have it: ``op``, ``key``, ``old``, ``new``, ``call``.
RowChange = Mapping[str, Any]
# What tells a changed row from every other: app, table and key. A diff has each row once.
RowName = tuple[str, str, tuple[tuple[str, Any], ...]]

OPS = {"create": "insert", "update": "update", "delete": "delete"}
CHANGES = {op: change for change, op in OPS.items()}


@dataclass(frozen=True)
class Evidence:
    """The changed rows, the calls and the final answer of one trial.

    Attributes:
        diff: app → table → changes since the start, as the control API gives them.
        calls: the trace, whose one shape is ``farm.trace.Call``.
        now: what "tomorrow" counts from, in simulated time: when the trial began, or a test's agent last acted.
        churn: app → table → what was done and undone, as the control API gives it.
    """

    diff: Rows
    calls: Sequence[Call]
    answer: str = ""
    now: datetime | None = None
    churn: Rows = field(default_factory=dict)


def row_name(app: str, table: str, change: RowChange) -> RowName:
    """Return what tells a changed row from every other."""
    return app, table, tuple(sorted(change["key"].items()))


@dataclass(frozen=True)
class Contested:
    """A text of which it is not sure what it says.

    Attributes:
        place: the column, or ``answer``.
        wanted: what it should say, one phrase each.
        guess: whether it was taken to say so.
        question: what the task would ask a judge.
    """

    place: str
    text: str
    wanted: tuple[str, ...]
    guess: bool
    doubts: tuple[str, ...]
    question: str | None = None


@dataclass(frozen=True)
class CheckpointScore:
    """The verdict on one checkpoint: 0, 0.5 or 1, and why in a sentence.

    Attributes:
        low, high: what it would be if every doubt about a text went against the agent, or for it; both the score when
            nothing is in doubt.
        contested: the texts in doubt.
    """

    id: str
    kind: str
    score: float
    why: str
    low: float
    high: float
    contested: tuple[Contested, ...] = ()

    @classmethod
    def sure(cls, id: str, kind: str, score: float, why: str) -> CheckpointScore:
        """Return a verdict without a doubt."""
        return cls(id, kind, score, why, score, score)


@dataclass(frozen=True)
class Verdict:
    """What is said of one checkpoint, and the rows it rests on.

    Attributes:
        changes: what the checkpoint accounts for; no damage but for columns it does not name.
        matched: the rows that satisfy it, for checkpoints that refer to them.
        found: how many rows are as asked, whatever number was asked for.
    """

    score: CheckpointScore
    changes: tuple[RowChange, ...] = ()
    matched: tuple[Row, ...] = ()
    found: int = 0


@dataclass(frozen=True)
class Churn:
    """Something that was done and undone.

    Attributes:
        calls: numbers of the calls within the app, in order.
        is_damage: whether the task minds.
    """

    app: str
    table: str
    key: Mapping[str, Any]
    calls: tuple[int, ...]
    is_damage: bool
    why: str


@dataclass(frozen=True)
class Damage:
    """A changed row that the task does not account for; ``change`` is ``churn`` where it was changed back."""

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
        churn: all that was done and undone; what of it is damage stands among ``damage`` too.
        found: id of an ``operate`` checkpoint → how many rows are as asked, whatever number was asked for.
        acc: mean of the checkpoints.
        exec_acc: share of searches and operations that are wholly right; None when the task has neither.
    """

    checkpoints: tuple[CheckpointScore, ...]
    damage: tuple[Damage, ...] = field(default=())
    churn: tuple[Churn, ...] = field(default=())
    found: Mapping[str, int] = field(default_factory=dict)

    @property
    def acc(self) -> float:
        """The mean checkpoint score."""
        return sum(each.score for each in self.checkpoints) / len(self.checkpoints)

    @property
    def acc_range(self) -> tuple[float, float]:
        """What ``acc`` would be if every doubt about a text went against the agent, or for it."""
        count = len(self.checkpoints)
        return sum(each.low for each in self.checkpoints) / count, sum(each.high for each in self.checkpoints) / count

    @property
    def exec_acc(self) -> float | None:
        """The share of wholly right checkpoints among searches and operations."""
        counted = [each.score == 1.0 for each in self.checkpoints if each.kind != "other"]
        return sum(counted) / len(counted) if counted else None
