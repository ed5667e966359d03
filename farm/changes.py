"""What came of an episode: as the control API tells it, a run's log keeps it and verdicts rest on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# app → table → rows. A changed row has ``op``, ``key``, ``old``, ``new`` and ``call``.
Rows = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]


@dataclass(frozen=True)
class Changes:
    """The rows that an episode changed.

    Attributes:
        diff: how they differ from the start.
        churn: what was done and undone, which no difference shows (``farm.context.diff.churn``).
    """

    diff: Rows
    churn: Rows
