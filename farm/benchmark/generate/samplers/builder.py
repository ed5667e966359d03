"""Builds one chain: facts are read, places and rows are reached, acts are added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from farm.appkit.world_spec.facts import Fact
from farm.benchmark.generate.acts import column_of, filled_act, open_ids, payload_of
from farm.benchmark.generate.chains import Act, Chain, Placeholder
from farm.benchmark.generate.explore import TOKEN, Seen
from farm.benchmark.generate.samplers.ground import Ground, Target
from farm.benchmark.generate.told import Told
from farm.benchmark.generate.units import Argument, Unit
from farm.benchmark.generate.ways import Reached, Script
from farm.benchmark.generate.wording import is_chinese, name_of, reference_to

_NEAR_MISSES_MAX = 2


class UnreachableError(Exception):
    """A part of a chain cannot be reached; another chain is drawn."""


@dataclass(frozen=True)
class Bound:
    """A row that an act is about.

    Attributes:
        expressions: argument → the expression that it gets.
        label: what people call the row.
    """

    expressions: Mapping[str, Any]
    label: str


class Builder:
    """Builds one chain of a family.

    Args:
        turn: which way leads to its rows: 0 is the best, others are by other tools.
    """

    def __init__(self, ground: Ground, family: str, turn: int = 0) -> None:
        self.ground, self.family, self.turn, self.script = ground, family, turn, Script()
        self.acts: list[Act] = []
        self.blanks: list[Placeholder] = []
        self.near_misses: list[dict[str, Any]] = []
        self.support = 0
        self.chinese = False

    # -- parts -----------------------------------------------------------------------------------------------------

    def read(self, fact: Fact, blank: str = "FACT", but: Target | None = None) -> Told:
        """Read a fact, in any place but one, and have a blank for its name."""
        told = self.ground.source(fact, but)
        if told is None:
            raise UnreachableError
        self.ground.ways.play(self.script, told.app, told.call)
        rivals = tuple(each.key for each in fact.versions)
        self.blanks.append(Placeholder(blank, fact.kind, fact.key, "must", name_of(fact, chinese=self.chinese), rivals))
        return told

    def hear(self, target: Target, key: str) -> None:
        """Read what was told in a place: a fact, ``KEY`` or ``KEY#VERSION``."""
        told = self.ground.telling(target, key)
        if told is None:
            raise UnreachableError
        self.ground.ways.play(self.script, told.app, told.call, self.turn)

    def place(self, target: Target, blank: str = "PLACE") -> Any:
        """Reach a place, have a blank for it, and return how to refer to it; the first place decides the language."""
        reached = self.reach(target.app, target.kind, target.value)
        if reached is None or not reached.label:
            raise UnreachableError
        self.chinese = self.chinese or is_chinese(reached.label)
        self.support = max(self.support, target.support)
        self.blanks.append(Placeholder(blank, target.kind, target.value, "may", reached.label, app=target.app))
        return reached.expression

    def reach(self, app: str, kind: str, value: str, before: float = inf) -> Reached | None:
        """Add the way to a key."""
        return self.ground.ways.reach(self.script, app, kind, value, before=before, turn=self.turn)

    def bind(self, app: str, unit: Unit, seen: Seen, blank: str = "ROW", but: Sequence[str] = ()) -> Bound:
        """Reach the row of an object by each id that an act needs of it.

        Args:
            but: ids that are bound otherwise.
        """
        expressions: dict[str, Any] = {}
        label, main = "", ""
        for argument in open_ids(unit):
            if argument.path in but:
                continue
            kind, value = key_of(argument, seen)
            if value is None:
                raise UnreachableError
            reached = self.reach(app, kind, str(value))
            if reached is None:
                raise UnreachableError
            expressions[argument.path] = reached.expression
            if not kind.startswith(TOKEN):
                label, main = reached.label, str(value)
        if not label:
            raise UnreachableError
        self.chinese = self.chinese or is_chinese(label)
        self.blanks.append(Placeholder(blank, unit.writes[0], main, "must", label, app=app))
        return Bound(expressions, label)

    def say(self, target: Target, expression: Any, fact: Fact, name: str = "tell", **condition: Any) -> None:
        """Tell a fact in a place; former and wrong values are near misses."""
        self.write(target.app, target.unit, {target.argument.path: expression}, fact, name, **condition)

    def write(self, app: str, unit: Unit, ids: Mapping[str, Any], fact: Fact, name: str, **condition: Any) -> None:
        """Write a fact with a unit that has a body; former and wrong values are near misses."""
        payload = payload_of(app, unit, "body")
        if payload is None:
            raise UnreachableError

        def call(version: str) -> dict[str, Any]:
            return self._filled(app, unit, name, ids, {payload.path: self.sentence(fact, version)})

        self.acts.append(Act(call(""), {column_of(unit, payload): condition or {"claims": [{"fact": fact.key}]}}))
        for version in fact.versions[:_NEAR_MISSES_MAX]:
            holds = f"the value '{version.key}', which holds no more"
            takes = f"the value '{version.key}', which {version.by or 'somebody'} takes for true"
            change = {name: call(version.key)["arguments"]}
            self.near_misses.append({"why": holds if version.until else takes, "change": change})

    def post(self, target: Target, expression: Any, text: str, condition: Mapping[str, Any]) -> None:
        """Write a text in a place."""
        call, payload = self._posted(target, expression, text), payload_of(target.app, target.unit, "body")
        if payload is None:
            raise UnreachableError
        self.acts.append(Act(call, {column_of(target.unit, payload): dict(condition)}))

    def miss(self, target: Target, expression: Any, why: str, text: str) -> None:
        """Have a near miss: a text in a place, instead of the one that is told."""
        self.near_misses.append({"why": why, "change": {"tell": self._posted(target, expression, text)["arguments"]}})

    def _posted(self, target: Target, expression: Any, text: str) -> dict[str, Any]:
        payload = payload_of(target.app, target.unit, "body")
        texts = {payload.path: text} if payload else {}
        return self._filled(target.app, target.unit, "tell", {target.argument.path: expression}, texts)

    def act(self, app: str, unit: Unit, ids: Mapping[str, Any], name: str = "act") -> None:
        """Do something to a row; the unit stores no text."""
        self.acts.append(Act(self._filled(app, unit, name, ids, {})))

    def _filled(
        self, app: str, unit: Unit, name: str, ids: Mapping[str, Any], payloads: Mapping[str, Any]
    ) -> dict[str, Any]:
        try:
            return filled_act(app, unit, name, ids, payloads)
        except ValueError:
            raise UnreachableError from None

    def sentence(self, fact: Fact, version: str = "") -> str:
        """Return a fact's name and the reference to a value of it."""
        written = reference_to(self.ground.ledger, fact.key, version, chinese=self.chinese)
        return f"{name_of(fact, chinese=self.chinese)}{'：' if self.chinese else ': '}{written}"

    # -- the chain -------------------------------------------------------------------------------------------------

    def chain(self, english: str, chinese: str, **more: Any) -> Chain:
        """Return the chain with its prototype in the language of what it is about."""
        universe = self.ground.universe
        return Chain(
            self.family,
            universe.world,
            universe.me,
            self.script.steps,
            tuple(self.acts),
            chinese if self.chinese else english,
            tuple(self.blanks),
            support=self.support,
            near_misses=tuple(self.near_misses),
            **more,
        )


def key_of(argument: Argument, seen: Seen) -> tuple[str, Any]:
    """Return the kind and value of the key that an object has for an argument; None for no value."""
    return next(((kind, seen.typed[kind][0]) for kind in argument.kinds if kind in seen.typed), ("", None))
