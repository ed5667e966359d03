"""Samplers: each draws chains of one family from a universe and the facts that it tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from farm.benchmark.generate.chains import Chain
from farm.benchmark.generate.samplers import counts, moved, rows, tell
from farm.benchmark.generate.samplers.ground import Ground

SAMPLERS: Mapping[str, Callable[[Ground], Iterator[Chain]]] = {
    "tell": tell.tell,
    "copy": rows.copy,
    "act": rows.act,
    "count": counts.count,
    "compare": moved.compare,
    "each-of-n": rows.each_of_n,
    "branch": moved.branch,
    "both": tell.both,
    "repair": rows.repair,
    "aggregate": tell.aggregate,
    "hand-over": rows.hand_over,
}

# Family → how many of its chains are drawn in a turn; 1 if absent. Of these families writers word the most.
WEIGHTS: Mapping[str, int] = {"tell": 4, "both": 5, "repair": 5, "hand-over": 2, "count": 2}
