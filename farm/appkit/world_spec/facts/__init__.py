"""A world's facts: each value is declared once, and texts and tasks render it (docs/facts.md)."""

from __future__ import annotations

from farm.appkit.world_spec.facts.ledger import Ledger
from farm.appkit.world_spec.facts.model import KINDS, Fact, FactError, Version
from farm.appkit.world_spec.facts.trace import Told, plain, told_in

__all__ = ["KINDS", "Fact", "FactError", "Ledger", "Told", "Version", "plain", "told_in"]
