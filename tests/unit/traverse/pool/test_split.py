"""Which traces are held back."""

from __future__ import annotations

import random
from collections import Counter

from farm.traverse.pool.split import CHECK, HELD, TRAIN, TraceCounts, choose_scored, split


def _traces(count: int) -> list[TraceCounts]:
    # Every fourth trace calls a rare tool.
    return [TraceCounts(str(at), Counter({"common": 8, **({"rare": 2} if at % 4 == 0 else {})})) for at in range(count)]


def test_every_side_has_its_share_and_every_kind_of_call() -> None:
    sides = split(_traces(20), seed=1)
    assert Counter(sides.values()) == {TRAIN: 10, CHECK: 4, HELD: 6}
    for side in (TRAIN, CHECK, HELD):
        assert any(int(at) % 4 == 0 for at, its in sides.items() if its == side), side


def test_the_same_seed_splits_the_same() -> None:
    assert split(_traces(20), seed=3) == split(_traces(20), seed=3)
    assert any(split(_traces(20), seed=3) != split(_traces(20), seed=other) for other in range(4, 8))


def test_few_traces_are_trained_on_first_and_held_back_second() -> None:
    assert set(split(_traces(1), seed=1).values()) == {TRAIN}
    assert set(split(_traces(2), seed=1).values()) == {TRAIN, HELD}
    assert set(split(_traces(3), seed=1).values()) == {TRAIN, CHECK, HELD}


def test_what_counts_is_half_refusals() -> None:
    chosen = choose_scored(["r1", "r2"], ["s1", "s2", "s3", "s4"], random.Random(1))
    assert {"r1", "r2"} < chosen
    assert len(chosen) == 4
