"""The trace that the audit reads: where the rows of a world tell a fact."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from farm.appkit.world_spec.days import Days
from farm.appkit.world_spec.placeholders import render_dates
from farm.benchmark.audit.truth.fact_trace import FactTrace, ToldPlace, letters_of
from farm.benchmark.scoring.claims.values import fold
from farm.world.facts.tellings import Telling, tellings
from farm.world.spec import Spec

_AROUND = 10  # letters on one side of a value, which find its place again


@lru_cache(maxsize=4)
def trace_of(world: str) -> FactTrace:
    """Return the trace of a world's rows.

    Raises:
        WorldError: the world cannot be generated.
    """
    spec = Spec.load(world)
    places = defaultdict[str, dict[ToldPlace, None]](dict)
    for each in tellings(world):
        name = f"{each.fact}#{each.version}" if each.version else each.fact
        places[name][_place(each, spec.days)] = None
    in_columns = frozenset(fact.key for fact in spec.facts.values() if fact.rows)
    return FactTrace({name: tuple(found) for name, found in places.items()}, in_columns)


def _place(telling: Telling, days: Days) -> ToldPlace:
    parts = (telling.whole[: telling.start], telling.text, telling.whole[telling.start + len(telling.text) :])
    before, value, after = (letters_of(fold(render_dates(part, days.monday, days.zone))) for part in parts)
    return ToldPlace(value, before[-_AROUND:], after[:_AROUND])
