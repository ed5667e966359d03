"""One finding of the doctor."""

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
    """One finding, and what can be done.

    Attributes:
        kind: the kind of thing.
        path: the file, folder or process.
        problem: its problem.
        way_out: what a person can do.
        is_wrong: False for a remark.
        repair: repairs it and returns what was done; None if that needs a decision.
    """

    kind: Kind
    path: str
    problem: str
    way_out: str
    is_wrong: bool = True
    repair: Callable[[], str] | None = None

    @property
    def line(self) -> str:
        """The finding in one line."""
        return " ".join(f"{self.path}: {self.problem}; {self.way_out}".split())
