"""Find values that only a heading tells apart, in another order than in every right text: they may be exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from farm.benchmark.scoring.claims.mentions import same, same_value
from farm.benchmark.scoring.claims.reading import Mention, Reading, values_of


def exchanged(reading: Reading, samples: Sequence[str]) -> str:
    """Return two headed values in an order that no right text has, though one has both; empty if there are none."""
    for group in _headed(reading):
        placed = [(each, _places_of(each, reading, samples)) for each in group]
        for (a, before), (b, behind) in combinations(placed, 2):
            orders = {x < y for x, y in zip(before, behind, strict=True) if x >= 0 and y >= 0}
            if orders == {False} and a.sort == b.sort and not same(a, b):
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


def _places_of(mention: Mention, reading: Reading, samples: Sequence[str]) -> list[int]:
    """Return where each right text has a value first, counted in values; -1 if it lacks it."""
    value, texts = mention.value, (values_of(each, reading.now) for each in samples)
    return [next((at for at, each in enumerate(text) if value and same_value(each, value)), -1) for text in texts]
