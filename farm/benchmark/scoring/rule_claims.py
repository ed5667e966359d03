"""Claims in rules of people who answer: whether what somebody wrote surely says them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.benchmark.scoring.claims import Situation, asserts
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.stored_texts import stored_texts
from farm.benchmark.scoring.texts import wanted_of
from farm.benchmark.tasks.check import Checker
from farm.context.claim_reading import CLAIMS, WrittenText
from farm.context.template import load_world

# Longer texts are not read: nobody asks for a claim in them, and a call must not wait for it.
_STORED_MAX = 20_000  # characters with marks


class RuleClaims:
    """The reader of texts that contexts find by their entry point (``farm.context.claim_reading``)."""

    def find_problem(self, claims: Any, world: str) -> str | None:
        """Return why these are no claims about a text in this world, or None."""
        found: list[str] = []
        task = {"world": world, "apps": load_world(world).apps, "checkpoints": []}
        checker = Checker(task, lambda where, problem: found.append(f"{where}: {problem}"), row_kinds=())
        checker.rule_claims(_with_numbers(claims), CLAIMS)
        return found[0] if found else None

    def says(self, claims: Any, written: WrittenText) -> bool:
        """Return whether a text surely makes claims that ``find_problem`` has checked."""
        clock = ClockContext(load_world(written.world), written.shift_days, written.at)
        wanted = wanted_of({CLAIMS: _with_numbers(claims)}, "", clock)
        parts = stored_texts(written.app, written.table, written.row, written.column, written.value)
        if sum(len(part.raw) for part in parts) > _STORED_MAX:
            return False
        situation = Situation(clock.now)
        try:
            seen = [part.visible() for part in parts]
            return all(not each.doubts and asserts(wanted.claims, each.message, situation) for each in seen)
        except RecursionError:
            return False  # nested too deep


def _with_numbers(claims: Any) -> Any:
    """Return claims whose numbers are numbers: one that a reference to a fact has filled in is a text."""
    return [_with_number(each) for each in claims] if isinstance(claims, list) else claims


def _with_number(claim: Any) -> Any:
    if not isinstance(claim, Mapping) or not isinstance(claim.get("number"), str):
        return claim
    try:
        return {**claim, "number": float(claim["number"].replace(",", ""))}
    except ValueError:
        return claim
