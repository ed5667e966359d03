"""Where the rows of a world tell a fact, and whether a passage shows one of those places."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from farm.appkit.world_spec.days import Days
from farm.appkit.world_spec.placeholders import render_dates
from farm.benchmark.audit.truth.passages import Passage
from farm.benchmark.scoring.claims.values import fold
from farm.world.facts import Telling, tellings
from farm.world.spec import Spec

_AROUND = 10  # letters on one side of a value, which find its place again
_NO_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class ToldPlace:
    """A value in a column of a row.

    Attributes:
        value: the value, in letters and digits only, as apps change the signs between them.
        before: the letters before it; empty at the beginning of the column.
        after: the letters after it; empty at the end.
    """

    value: str
    before: str
    after: str

    def is_in(self, letters: str) -> bool:
        """Return whether letters show the value at this place: beside one of its neighbours, or alone."""
        if not (self.before or self.after):
            return letters == self.value
        return bool(self.before and self.before + self.value in letters) or bool(
            self.after and self.value + self.after in letters
        )


class FactTrace:
    """What the rows of a world tell, by fact and version (``KEY`` or ``KEY#VERSION``)."""

    def __init__(self, places: Mapping[str, Sequence[ToldPlace]], in_columns: frozenset[str]) -> None:
        self._places, self._in_columns = places, in_columns

    def covers(self, fact: str) -> bool:
        """Return whether texts of rows tell a fact; typed columns and an app's own data have no marks."""
        return fact in self._places

    def tells(self, fact: str, passage: Passage) -> bool:
        """Return whether a passage shows a place that tells a fact, or is a typed value of one with ``rows``."""
        is_typed = bool(passage.times) or passage.number is not None
        if is_typed and fact.partition("#")[0] in self._in_columns:
            return True
        letters = _letters(passage.text)
        return any(place.is_in(letters) for place in self._places.get(fact, ()))


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
    before, value, after = (_letters(fold(render_dates(part, days.monday, days.zone))) for part in parts)
    return ToldPlace(value, before[-_AROUND:], after[:_AROUND])


@lru_cache(maxsize=1 << 14)
def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text)
