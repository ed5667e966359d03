"""The facts that an app's fidelity tests check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """One behaviour of a real service; an app's fidelity tests name the facts they check.

    Attributes:
        source: where it is documented or was recorded.
        behaviour: the behaviour.
        differs: our known deviation, or None.
    """

    source: str
    behaviour: str
    differs: str | None = None
