"""Where a person's universe tells the facts of a world: in which answers, and beside which keys."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from farm.benchmark.audit.truth.fact_trace import FactTrace, letters_of
from farm.benchmark.generate.answers import leaves_of
from farm.benchmark.generate.explore import Played
from farm.benchmark.generate.universe import AppView, Universe
from farm.benchmark.scoring.claims.values import fold
from farm.benchmark.tasks.facts import ledger_of
from farm.context.operators import parsed_json

_END = "\n"


@dataclass(frozen=True)
class Told:
    """A text of an answer that tells a fact.

    Attributes:
        fact: the fact's key, with ``#VERSION`` for a former or wrong value.
        app: the app.
        call: the number of the call in the app's view.
        text: the text.
    """

    fact: str
    app: str
    call: int
    text: str


class ToldFacts:
    """The facts that a universe tells."""

    def __init__(self, universe: Universe, trace: FactTrace) -> None:
        self._texts = {app: _Texts(view) for app, view in universe.apps.items()}
        self._trace = trace
        self._ledger = ledger_of(universe.world)
        self._found: dict[str, list[Told]] = {}

    def places(self, fact: str) -> Sequence[Told]:
        """Return where a fact, ``KEY`` or ``KEY#VERSION``, is told, app by app in the order of the calls."""
        if fact not in self._found:
            self._found[fact] = list(self._search(fact))
        return self._found[fact]

    def _search(self, fact: str) -> Iterator[Told]:
        for app, texts in self._texts.items():
            hits = {
                number
                for place in self._trace.places(fact)
                for number in texts.find(place.value, place.before, place.after)
            }
            for number in sorted(hits):
                for call in texts.calls[number]:
                    yield Told(fact, app, call, texts.texts[number])

    def versions(self, key: str) -> Sequence[Told]:
        """Return where any value of a fact is told."""
        names = [key, *(f"{key}#{each.key}" for each in self._ledger.require(key).versions)]
        return [told for name in names for told in self.places(name)]

    @cached_property
    def by_story(self) -> Mapping[str, Sequence[Told]]:
        """Story (the first part of the keys of its facts) → where its facts are told."""
        found: dict[str, list[Told]] = defaultdict(list)
        for key in self._ledger:
            found[key.partition(".")[0]] += self.versions(key)
        return found


class _Texts:
    """The different texts of an app's answers, searched all at once."""

    def __init__(self, view: AppView) -> None:
        calls: dict[str, list[int]] = defaultdict(list)
        for number, played in enumerate(view.calls):
            for text in dict.fromkeys(_texts_of(played)):
                calls[text].append(number)
        self.texts = list(calls)
        self.calls = list(calls.values())
        letters = [letters_of(fold(each)) for each in self.texts]
        self._joined = _END.join(letters)
        self._starts = [0]
        for each in letters:
            self._starts.append(self._starts[-1] + len(each) + 1)

    def find(self, value: str, before: str, after: str) -> Iterator[int]:
        """Yield the numbers of the texts that have a value beside one of its neighbours, or alone."""
        if not (before or after):
            wanted, offset = [f"{_END}{value}{_END}"], 1
        else:
            wanted, offset = [each for each in (before and before + value, after and value + after) if each], 0
        for each in wanted:
            at = self._joined.find(each)
            while at >= 0:
                yield bisect_right(self._starts, at + offset) - 1
                at = self._joined.find(each, at + 1)


def _texts_of(played: Played) -> Iterator[str]:
    body: Any = parsed_json(played.body) if isinstance(played.body, str) else played.body
    for _, value in leaves_of(body):
        if isinstance(value, str):
            inner = parsed_json(value)
            if isinstance(inner, str):
                yield value
            else:
                yield from (each for _, each in leaves_of(inner) if isinstance(each, str))
