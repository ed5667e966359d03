"""One thing that was wanted of a value, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

# guess: as it was read; low, high: if every doubt went against the agent, or for it.
View = Literal["guess", "low", "high"]
VIEWS: tuple[View, ...] = ("guess", "low", "high")


@dataclass(frozen=True)
class Finding:
    """One thing that was wanted of a value.

    Attributes:
        ok: whether it holds, by best guess.
        why: why it does not, where there is more to say than that.
        is_ban: whether it is something that must not be there.
        doubts: what could not be read of a text; none: it is sure.
    """

    ok: bool
    wanted: str
    is_ban: bool = False
    doubts: tuple[str, ...] = ()
    why: str = ""

    @property
    def shown(self) -> str:
        """What was wanted, and why it is not so."""
        return f"{self.wanted} ({self.why})" if self.why else self.wanted

    def holds(self, view: View) -> bool:
        """Whether it holds in one view of the doubts."""
        return self.ok if view == "guess" or not self.doubts else view == "high"


def all_hold(findings: Iterable[Finding], view: View) -> bool:
    """Whether everything holds in one view."""
    return all(each.holds(view) for each in findings)


def doubts_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return every doubt once."""
    return tuple(dict.fromkeys(doubt for each in findings for doubt in each.doubts))
