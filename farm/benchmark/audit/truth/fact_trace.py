"""Where the rows of a world tell a fact, and whether a passage shows one of those places."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from farm.benchmark.audit.truth.passages import Passage

_NO_LETTERS = re.compile(r"[\W_]+")
_CELL_ENDS = re.compile(r"[|\n\t]|: |：")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


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

    def is_in(self, text: str) -> bool:
        """Return whether a text shows the value at this place: beside one of its neighbours, or alone in a cell."""
        letters = letters_of(text)
        if not (self.before or self.after):
            return self.value in letters and self.value in map(letters_of, _CELL_ENDS.split(text))
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

    def places(self, fact: str) -> Sequence[ToldPlace]:
        """Return the places that tell a fact; empty for one without marks."""
        return self._places.get(fact, ())

    def tells(self, fact: str, passage: Passage) -> bool:
        """Return whether a passage shows a place that tells a fact, or is a typed value of one with ``rows``."""
        is_typed = bool(passage.times or _DAY.fullmatch(passage.text)) or passage.number is not None
        if is_typed and fact.partition("#")[0] in self._in_columns:
            return True
        return any(place.is_in(passage.text) for place in self.places(fact))


TraceOf = Callable[[str], FactTrace]  # by the name of a world


def no_trace(_world: str) -> FactTrace:
    """Return the trace of a world whose rows nobody has traced: it covers no fact."""
    return FactTrace({}, frozenset())


@lru_cache(maxsize=1 << 14)
def letters_of(text: str) -> str:
    """Return the letters and digits of a text."""
    return _NO_LETTERS.sub("", text)
