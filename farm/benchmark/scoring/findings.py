"""A finding: one condition of a value, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

# guess: the best guess; low, high: every doubt resolved against the agent, or for it.
View = Literal["guess", "low", "high"]
VIEWS: tuple[View, ...] = ("guess", "low", "high")


@dataclass(frozen=True)
class Finding:
    """One condition of a value.

    Attributes:
        ok: whether it holds, by best guess.
        why: the reason why it does not hold, if there is one.
        is_ban: whether it requires that something is absent.
        doubts: the parts of a text that could not be interpreted; empty if the finding is sure.
        is_unread: whether the text was not read at all.
        is_close: whether a judge should be asked about it, though it is sure.
    """

    ok: bool
    wanted: str
    is_ban: bool = False
    doubts: tuple[str, ...] = ()
    why: str = ""
    is_unread: bool = False
    is_close: bool = False

    @classmethod
    def unread(cls, wanted: str, why: str, *, is_ban: bool = False) -> Finding:
        """Return the finding for a text that was not read: it is unsure, and counts as failed."""
        return cls(False, wanted, is_ban, (why,), why, is_unread=True)

    @property
    def describe(self) -> str:
        """Return the condition and the reason why it fails."""
        return f"{self.wanted} ({self.why})" if self.why else self.wanted

    def holds(self, view: View) -> bool:
        """Return whether it holds in one view of the doubts."""
        return self.ok if view == "guess" or not self.doubts else view == "high"


def all_hold(findings: Iterable[Finding], view: View) -> bool:
    """Return whether all findings hold in one view."""
    return all(each.holds(view) for each in findings)


def doubts_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return every doubt once."""
    return tuple(dict.fromkeys(doubt for each in findings for doubt in each.doubts))
