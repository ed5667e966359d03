"""What all samplers draw from: a universe, the ways in it, and the facts that it tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TypeVar

from farm.appkit.world_spec.facts import Fact, Ledger
from farm.appkit.world_spec.facts.model import MEASURED
from farm.benchmark.audit.truth.fact_trace import FactTrace
from farm.benchmark.generate.acts import notifying, open_ids, payload_of
from farm.benchmark.generate.explore import Seen
from farm.benchmark.generate.told import Told, ToldFacts
from farm.benchmark.generate.units import Argument, Unit
from farm.benchmark.generate.universe import AppView, Universe
from farm.benchmark.generate.ways import Reached, Script, Ways
from farm.benchmark.tasks.facts import ledger_of

T = TypeVar("T")
_TARGETS_MAX = 6


@dataclass(frozen=True)
class Target:
    """Where something can be told: a row that a writing unit takes as its only open id.

    Attributes:
        support: how many texts there tell facts of the same story.
    """

    app: str
    unit: Unit
    argument: Argument
    kind: str
    value: str
    support: int


class Ground:
    """A person's universe, ready to be sampled.

    Attributes:
        ledger: the facts of the world.
        seed: the seed of all draws.
        random: draws; the same seed gives the same chains.
    """

    def __init__(self, universe: Universe, trace: FactTrace, seed: int = 0) -> None:
        self.universe = universe
        self.ledger: Ledger = ledger_of(universe.world)
        self.told = ToldFacts(universe, trace)
        self.ways = Ways(universe)
        self.seed, self.random = seed, Random(seed)
        self._targets: dict[str, list[Target]] = {}
        self._talk: dict[tuple[str, str, tuple[str, ...]], Counter[tuple[str, str]]] = {}

    @cached_property
    def facts(self) -> list[Fact]:
        """The facts that the person can read somewhere, in a drawn order."""
        return self.shuffled((fact for fact in self.ledger.values() if self.told.places(fact.key)), "facts")

    def view(self, app: str) -> AppView:
        """Return what the person can find in an app."""
        return self.universe.apps[app]

    def telling_units(self) -> Iterator[tuple[str, Unit, Argument]]:
        """Yield (app, unit, its id) of the units that tell somebody something."""
        for app, view in self.universe.apps.items():
            for unit in view.units.units.values():
                ids = open_ids(unit)
                if notifying(app, unit) and len(ids) == 1 and payload_of(app, unit, "body"):
                    yield app, unit, ids[0]

    def targets(self, fact: Fact) -> list[Target]:
        """Return where a fact could be told: where its story is talked of, and the fact itself is not told yet."""
        if fact.key not in self._targets:
            story = fact.key.partition(".")[0]
            found = []
            for app, unit, argument in self.telling_units():
                there = self._talked_of(story, app, argument)
                places = (told for told in self.told.places(fact.key) if told.app == app)
                known = {each for told in places for each in self._around(told, argument.kinds)}
                ranked = [each for each, _ in there.most_common() if each not in known][:_TARGETS_MAX]
                found += [Target(app, unit, argument, kind, value, there[kind, value]) for kind, value in ranked]
            self._targets[fact.key] = found
        return self._targets[fact.key]

    def _talked_of(self, story: str, app: str, argument: Argument) -> Counter[tuple[str, str]]:
        """Return key → how many texts there tell facts of a story, for the keys that an argument takes."""
        name = (story, app, argument.kinds)
        if name not in self._talk:
            told_here = (told for told in self.told.by_story[story] if told.app == app)
            self._talk[name] = Counter(each for told in told_here for each in self._around(told, argument.kinds))
        return self._talk[name]

    def _around(self, told: Told, kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the keys of some kinds that the call of a telling was made with: the channel that it stands in."""
        view = self.view(told.app)
        seen = next(iter(view.by_call.get(told.call, ())), None)
        for kind in kinds if seen else ():
            value, path = seen.typed.get(kind, ("", ""))  # type: ignore[union-attr] # seen is one here
            if path.startswith("<"):
                yield kind, str(value)

    def showing(self, told: Told) -> Seen | None:
        """Return the object of an answer whose text tells a fact."""
        return next(
            (each for each in self.view(told.app).by_call.get(told.call, ()) if told.text in each.values.values()), None
        )

    def source(self, fact: Fact) -> Told | None:
        """Return the place to read a fact: that with the fewest calls before it; several are as good, one is drawn."""
        places = self.told.places(fact.key)
        ranked = sorted(places, key=lambda each: (self.view(each.app).calls[each.call].depth, len(each.text)))
        return self.random.choice(ranked[:3]) if ranked else None

    def size(self, fact: Fact) -> float | None:
        """Return a number by which facts of one kind and unit are compared; None for texts."""
        if fact.kind not in MEASURED or fact.kind == "span":
            return None
        if fact.kind in ("day", "moment", "clock"):
            written = str(self.ledger.write(fact.key, "", "clock" if fact.kind == "clock" else "iso"))
            clock = str(self.ledger.write(fact.key, "", "clock")) if fact.kind == "moment" else ""
            return float("".join(each for each in f"{written}{clock}" if each.isdigit()))
        return float(self.ledger.write(fact.key, "", "number"))

    def shuffled(self, items: Iterable[T], name: str) -> list[T]:
        """Return items in a drawn order, the same for the same seed and name."""
        drawn = list(items)
        Random(f"{name} {self.seed}").shuffle(drawn)
        return drawn

    def reach(self, script: Script, app: str, kind: str, value: str) -> Reached | None:
        """Add the way to a key to a script."""
        return self.ways.reach(script, app, kind, value)
