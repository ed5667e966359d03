"""Decide whether a value stands in a passage."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from decimal import Decimal

from farm.benchmark.audit.truth.passages import Passage
from farm.benchmark.scoring.claims import Claim
from farm.benchmark.scoring.claims.normalize import fold
from farm.benchmark.scoring.claims.quantities import LENGTHS, MASSES, TIMES, UNITS
from farm.benchmark.scoring.claims.reading import find
from farm.benchmark.scoring.claims.values import Value

# Smaller counts stand somewhere in any start, so one must stand beside its subject.
_COUNT_MAX = 100
SECONDS = {**TIMES, "d": 86_400.0, "w": 604_800.0}
MEASURES = (LENGTHS, MASSES, SECONDS)


def stands_in(claim: Claim, passages: Iterable[Passage]) -> bool:
    """Whether the value of a claim stands in one of the passages; for a span, each of its ends in one."""
    given = list(passages)
    if claim.kind == "span":
        ends = [replace(claim, kind="clock", values=(end,)) for end in ends_of(claim)]
        return all(stands_in(end, given) for end in ends)
    return any(_holds(claim, passage) for passage in given)


def ends_of(claim: Claim) -> tuple[str, ...]:
    """Return the two clocks of a span."""
    value = claim.values[0]
    assert isinstance(value, tuple)
    return value


def _holds(claim: Claim, passage: Passage) -> bool:
    if claim.kind in ("choice", "id", "says"):
        return bool(find(passage.text, [str(each) for each in claim.values]))
    if claim.kind == "date" and any(_has_dotted(each, passage.text) for each in claim.values if isinstance(each, date)):
        return True
    return any(is_value(claim, value) and _is_beside_subject(claim, value, passage) for value in passage.values)


def _has_dotted(day: date, text: str) -> bool:
    """Whether a text names a day as 3.19, which is read as a number."""
    dotted = f"{day.month}.{day.day}"
    return dotted in text and re.search(rf"(?<![\d.]){re.escape(dotted)}(?![\d.]\d|%)", text) is not None


def _is_beside_subject(claim: Claim, value: Value, passage: Passage) -> bool:
    """Whether a small count is one of the claim's subject: 4 stands somewhere in every start."""
    number = claim.values[0]
    if not isinstance(number, float) or abs(number) >= _COUNT_MAX or number != int(number) or value.unit:
        return True
    names = [*claim.of, *claim.beside]
    return not names or bool(find(passage.around, names))


def is_value(claim: Claim, value: Value) -> bool:
    """Whether a typed value is the one that a claim names, whatever its subject."""
    match claim.kind:
        case "date":
            return value.kind == "date" and any(
                each.isoformat() in value.options for each in claim.values if isinstance(each, date)
            )
        case "clock":
            return value.kind == "clock" and any(each in value.options for each in claim.values)
        case "number" | "amount":
            number = claim.values[0]
            assert isinstance(number, float)
            return value.kind in ("number", "amount", "ordinal") and is_measure(number, claim.units, value)
        case _:
            return False


def is_measure(number: float, units: Iterable[str], value: Value) -> bool:
    """Whether a number of a text, in its unit, is a number in one of some units; a bare number has any unit."""
    accepted = tuple(unit_of(each) for each in units)
    if is_rounded(number, value.number) and (
        not value.unit or value.unit in accepted or (not accepted and value.unit != "%") or "" in accepted
    ):
        return True
    return any(is_rounded(number, other) for unit in accepted if (other := in_unit(value, unit)) is not None)


def unit_of(word: str) -> str:
    """Return a unit as values have it: ℃ is °C; other words are no units."""
    return word if word.isupper() else UNITS.get(fold(word), "")


def in_unit(value: Value, unit: str) -> float | None:
    """Return a measure in another unit of its kind; None if it is not of that kind."""
    for measures in MEASURES:
        if value.unit in measures and unit in measures:
            return value.number * measures[value.unit] / measures[unit]
    return None


def is_rounded(number: float, exact: float) -> bool:
    """Whether a number is the exact one, or the exact one rounded to the decimals of the number."""
    return close(number, exact) or (number != int(number) and within_last_digit(number, exact))


def within_last_digit(number: float, exact: float) -> bool:
    """Whether a number is an exact one rounded to its own last digit that is not 0: 221 is 220.9, 12,000 is 11,800."""
    exponent = Decimal(f"{number:.12g}").normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return abs(number - exact) <= 0.5 * 10.0**exponent * (1 + 1e-9)


def close(one: float, other: float) -> bool:
    """Whether two numbers are equal but for the error of their arithmetic."""
    return abs(one - other) <= max(1e-9, 1e-12 * abs(one), 1e-12 * abs(other))
