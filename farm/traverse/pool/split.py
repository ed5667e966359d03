"""Divide recorded traces into those from which a kernel is written, those that check it, and those held back.

Whole traces go to one side: a call is meaningful only after the calls before it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

TRAIN, CHECK, HELD = "train", "check", "held"
SIDES = (TRAIN, CHECK, HELD)
SHARES: Mapping[str, float] = {TRAIN: 0.5, CHECK: 0.2, HELD: 0.3}

_SPLITS_TRIED = 400


@dataclass(frozen=True)
class TraceCounts:
    """A trace as the split sees it: the number of calls of each kind.

    Attributes:
        kinds: kind, such as tool, class and verdict → number of calls.
    """

    key: str
    kinds: Counter[Hashable]


def split(traces: Sequence[TraceCounts], seed: int) -> dict[str, str]:
    """Return each trace's side; of many random splits, the one with the most similar sides in relation to their shares.

    A single trace is for training; of two traces, one is held back.
    """
    draw = random.Random(seed)
    sizes = _sizes(len(traces))
    best: tuple[float, dict[str, str]] | None = None
    for _ in range(_SPLITS_TRIED):
        order = draw.sample(range(len(traces)), len(traces))
        sides, at = {}, 0
        for side, size in sizes.items():
            sides.update({traces[index].key: side for index in order[at : at + size]})
            at += size
        distance = _distance(traces, sides)
        if best is None or distance < best[0]:
            best = (distance, sides)
    assert best is not None
    return best[1]


def choose_scored(refused: Sequence[Hashable], succeeded: Sequence[Hashable], draw: random.Random) -> set[Hashable]:
    """Return the scored calls of one side: as many refusals as successes, drawn at random from the larger group."""
    size = min(len(refused), len(succeeded))
    return {*draw.sample(list(refused), size), *draw.sample(list(succeeded), size)}


def _sizes(count: int) -> dict[str, int]:
    held = max(1, round(count * SHARES[HELD])) if count > 1 else 0
    check = max(1, round(count * SHARES[CHECK])) if count > 2 else 0
    return {TRAIN: count - held - check, CHECK: check, HELD: held}


def _distance(traces: Iterable[TraceCounts], sides: Mapping[str, str]) -> float:
    """Return how far the sides' counts of each kind are from their shares; a kind absent from a side weighs most."""
    whole: Counter[Hashable] = Counter()
    parts: dict[str, Counter[Hashable]] = {side: Counter() for side in SIDES}
    for trace in traces:
        whole.update(trace.kinds)
        parts[sides[trace.key]].update(trace.kinds)
    return sum(
        abs(parts[side][kind] / count - SHARES[side]) + (count > len(SIDES) and not parts[side][kind])
        for kind, count in whole.items()
        for side in SIDES
    )
