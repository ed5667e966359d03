"""Find values that only a heading tells apart, in another order than in every right text: they may be exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from farm.benchmark.scoring.claims.mentions import same, same_value
from farm.benchmark.scoring.claims.reading import Mention, Reading, values_of
from farm.benchmark.scoring.claims.values import Value


def exchanged(reading: Reading, samples: Sequence[str]) -> str:
    """Return two headed values in an order that no right text has, though one has both; empty if there are none."""
    for a, b in chain.from_iterable(combinations(group, 2) for group in _headed(reading)):
        if a.sort == b.sort and a.value and b.value and not same(a, b):
            orders = {_is_before(a.value, b.value, values_of(each, reading.now)) for each in samples} - {None}
            if orders == {False}:
                return f"{reading.text_of(a)}, {reading.text_of(b)}"
    return ""


def _headed(reading: Reading) -> Iterator[Sequence[Mention]]:
    """Yield the values of each row of a table, and those without words in their line."""
    low, bare = 0, list[Mention]()
    for line in reading.text.splitlines(keepends=True):
        mine = [each for each in reading.mentions if each.value and low <= each.start < low + len(line)]
        inside = {at for each in mine for at in range(each.start - low, each.end - low)}
        if not any(sign.isalpha() and at not in inside for at, sign in enumerate(line)):
            bare += mine
        elif "|" in line.strip("| \n"):
            yield mine
        low += len(line)
    yield bare


def _is_before(a: Value, b: Value, values: Sequence[Value]) -> bool | None:
    """Return whether a value is before another one in a text; None if it lacks one."""
    firsts = [next((at for at, each in enumerate(values) if same_value(each, one)), -1) for one in (a, b)]
    return None if -1 in firsts else firsts[0] < firsts[1]
