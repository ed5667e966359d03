"""Draw other values for a world's facts: the same shapes, in order, distinct, derived ones calculated."""

from __future__ import annotations

import random
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from farm.appkit.world_spec.facts import Fact, FactError, Ledger, Version
from farm.appkit.world_spec.facts.formula import names_fact
from farm.appkit.world_spec.facts.measures import is_formula
from farm.appkit.world_spec.facts.model import Value

ROUNDS_MAX = 200
_NUMBERS = ("amount", "number", "percent")
# A drawn number is this part of the present one, at least and at most.
_LEAST, _MOST = 0.6, 1.6
_PERCENT_MAX = 99.0
_SMALL = 12


def redraw(facts: Sequence[Fact], seed: int, taken: Container[str] = frozenset()) -> list[Fact]:
    """Return the facts with other values.

    Args:
        facts: as in the files, with formulas.
        seed: the same seed draws the same values.
        taken: ids that other things of the world have.

    Raises:
        FactError: after ``ROUNDS_MAX`` draws, a condition still does not hold.
    """
    rounds, declared = dict.fromkeys((fact.key for fact in facts), 0), {fact.key: fact for fact in facts}
    drawn = {fact.key: _drawn(fact, seed, 0, taken) for fact in facts}
    for _ in range(ROUNDS_MAX):
        broken = [*Ledger(drawn.values(), checked=False).broken_conditions()]
        if not broken:
            return [*drawn.values()]
        # A derived value changes with its parts, which the formula names.
        for key in {key for keys, _ in broken for key in keys}:
            for each in (key, *_parts(drawn, key)):
                rounds[each] += 1
                drawn[each] = _drawn(declared[each], seed, rounds[each], taken)
    raise FactError(f"{broken[0][1]}; {ROUNDS_MAX} draws have not met this: widen 'draw', or declare 'fixed = true'")


def _parts(facts: Mapping[str, Fact], key: str) -> list[str]:
    """Return the facts that a derived fact is calculated from, directly or not."""
    value = facts[key].value
    if not is_formula(value):
        return []
    direct = [other for other in facts if other != key and names_fact(str(value), other)]
    return [each for part in direct for each in (part, *_parts(facts, part))]


def _drawn(fact: Fact, seed: int, number: int, taken: Container[str]) -> Fact:
    chance = random.Random(f"{seed}:{fact.key}:{number}")
    if fact.fixed:
        return fact
    if fact.draw:
        others = [each for each in fact.draw if _value_of(each) != fact.value]
        return _with_candidate(fact, chance.choice(others or list(fact.draw)))
    if fact.forms:
        return fact  # its forms are written out, and would not follow
    if fact.kind in _NUMBERS and not is_formula(fact.value):
        return _with_values(fact, _numbers(fact, chance))
    if fact.kind == "id":
        return _with_values(fact, {key: _id(fact, str(value), chance, taken) for key, value in _values(fact).items()})
    return fact


def _values(fact: Fact) -> dict[str, Value]:
    """Return version → value, ``""`` for the present one; formulas are left out."""
    every = {"": fact.value} | {each.key: each.value for each in fact.versions}
    return {key: value for key, value in every.items() if not is_formula(value)}


def _with_values(fact: Fact, values: Mapping[str, Value]) -> Fact:
    def versions(every: Sequence[Version]) -> tuple[Version, ...]:
        return tuple(replace(each, value=values.get(each.key, each.value)) for each in every)

    return replace(fact, value=values.get("", fact.value), former=versions(fact.former), wrong=versions(fact.wrong))


def _value_of(candidate: Value | Mapping[str, Any]) -> Value:
    value: Value = candidate["value"] if isinstance(candidate, Mapping) else candidate
    return value


def _with_candidate(fact: Fact, candidate: Value | Mapping[str, Any]) -> Fact:
    """Return a fact with a candidate of its ``draw``: a value, or a table with forms and versions, too."""
    if not isinstance(candidate, Mapping):
        return _with_values(fact, {"": candidate})
    versions = {**candidate.get("former", {}), **candidate.get("wrong", {})}
    return replace(_with_values(fact, {"": candidate["value"], **versions}), forms=candidate.get("forms", fact.forms))


# -- numbers and ids -------------------------------------------------------------------------------------------------


def _numbers(fact: Fact, chance: random.Random) -> dict[str, Value]:
    """Return version → number: all by one factor, so that they keep their order, each as round as it was."""
    values = {key: value for key, value in _values(fact).items() if not isinstance(value, str)}
    sizes = [abs(value) for value in values.values() if value and _is_percent(fact)]
    most = min(_MOST, _PERCENT_MAX / max(sizes)) if sizes else _MOST
    for _ in range(ROUNDS_MAX):
        factor = chance.uniform(_LEAST, most)
        drawn = {key: _scaled(value, factor, chance) for key, value in values.items()}
        if drawn.get("") != values.get("") and len(set(drawn.values())) == len(set(values.values())):
            return {**drawn}
    return {**values}


def _is_percent(fact: Fact) -> bool:
    return fact.kind == "percent"


def _scaled(value: int | float, factor: float, chance: random.Random) -> int | float:
    """Return a number of about that size, as round and with as many digits as before the point."""
    if isinstance(value, int) and 0 < value <= _SMALL:
        return chance.randint(2, _SMALL)
    step = _step(value)
    low, high = 10.0 ** (_digits(value) - 1), 10.0 ** _digits(value) - step
    scaled = min(max(abs(value) * factor, low), high) if abs(value) >= 1 else abs(value) * factor
    parts = max(1, round(scaled / step))
    made = parts * step * (-1 if value < 0 else 1)
    return int(made) if isinstance(value, int) else round(made, 4)


def _digits(value: int | float) -> int:
    return len(str(int(abs(value))))


def _step(value: int | float) -> float:
    """Return the place of the last digit that is not zero: 1,000 for 32,000, and 0.1 for 6.3."""
    if isinstance(value, float) and value != int(value):
        return float(10.0 ** -len(repr(value).partition(".")[2]))
    digits = str(abs(int(value))) if value else "1"
    return float(10 ** (len(digits) - len(digits.rstrip("0"))))


def _id(fact: Fact, value: str, chance: random.Random, taken: Container[str]) -> str:
    """Return an id of the same shape that nothing else has; letters stay."""
    for _ in range(ROUNDS_MAX):
        drawn = re.sub(r"\d+", lambda found: _digits_like(found[0], chance), value)
        if drawn != value and drawn not in taken:
            return drawn
    raise FactError(f"{fact.place or fact.key}: no other id like '{value}' is free; declare 'fixed = true'")


def _digits_like(digits: str, chance: random.Random) -> str:
    first = "0" if digits[0] == "0" else str(chance.randint(1, 9))
    return first + "".join(str(chance.randint(0, 9)) for _ in digits[1:])
