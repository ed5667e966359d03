"""What an app's fidelity tests check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing a real service does; an app's fidelity tests name the facts they check.

    Attributes:
        source: where it is documented or was recorded.
        behaviour: what it does.
        differs: how we knowingly do not match, or None.
    """

    source: str
    behaviour: str
    differs: str | None = None
