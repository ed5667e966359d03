"""What a trial leaves behind and a verdict rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Diff = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]

OPS = {"create": "insert", "update": "update", "delete": "delete"}
CHANGES = {op: change for change, op in OPS.items()}


@dataclass(frozen=True)
class Evidence:
    """The changed rows, the calls and the final answer of one trial.

    Attributes:
        diff: app → table → changes since the start, as the control API gives them.
        calls: the trace, as the control API gives it.
        now: where the simulated clock stands; a column set to about this is a stamp, not content.
    """

    diff: Diff
    calls: Sequence[Mapping[str, Any]]
    answer: str = ""
    now: datetime | None = None


@dataclass(frozen=True)
class CheckpointScore:
    """The verdict on one checkpoint: 0, 0.5 or 1, and why in a sentence."""

    id: str
    kind: str
    score: float
    why: str


@dataclass(frozen=True)
class Damage:
    """A changed row that the task does not account for."""

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
        acc: mean of the checkpoints.
        exec_acc: share of searches and operations that are wholly right; None when the task has neither.
    """

    checkpoints: tuple[CheckpointScore, ...]
    damage: tuple[Damage, ...] = field(default=())

    @property
    def acc(self) -> float:
        """The mean checkpoint score."""
        return sum(each.score for each in self.checkpoints) / len(self.checkpoints)

    @property
    def exec_acc(self) -> float | None:
        """The share of wholly right checkpoints among searches and operations."""
        counted = [each.score == 1.0 for each in self.checkpoints if each.kind != "other"]
        return sum(counted) / len(counted) if counted else None
