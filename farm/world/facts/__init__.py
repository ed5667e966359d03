"""Check a world against its ledger: where facts are told, which values belong to none, which texts contradict one."""

from __future__ import annotations

from farm.world.facts.check import FactReport, check_facts
from farm.world.facts.fact_trace import trace_of
from farm.world.facts.tellings import Telling, tellings

__all__ = ["FactReport", "Telling", "check_facts", "tellings", "trace_of"]
