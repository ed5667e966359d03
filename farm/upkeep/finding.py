"""One thing that is not as it should be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "settings",
    "context",
    "log",
    "snapshot",
    "start",
    "registry",
    "quarantined",
    "leftover",
    "permissions",
    "token",
    "disk",
    "process",
]


@dataclass(frozen=True)
class Finding:
    """One thing that is not as it should be, and what can be done.

    Attributes:
        kind: what sort of thing.
        path: the file, folder or process.
        problem: what is wrong with it.
        way_out: what a person can do.
        is_wrong: False for what only should be known.
        repair: puts it right and says what was done; None where that takes a decision.
    """

    kind: Kind
    path: str
    problem: str
    way_out: str
    is_wrong: bool = True
    repair: Callable[[], str] | None = None

    @property
    def line(self) -> str:
        """All of it in one line."""
        return " ".join(f"{self.path}: {self.problem}; {self.way_out}".split())
