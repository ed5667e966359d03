"""Trials of the oracle in this process, by ``farm.play``, and what a second process is worth."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from farm.play import LocalHost, Play, play_oracle, tasks
from tests.bench.environment import Stage
from tests.bench.measure import Measurement, Sizes, compare, take_turns

_SUITE = "demo"
_PER_S_MIN = 60
_TWO_MIN = 1.7
_CHUNK = 8
_hosts: list[LocalHost] = []


def play_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """Trials a second in one process, and in two with a host each; the start of a process is not counted."""
    names = [card.task for card in tasks(_SUITE)][: _CHUNK if sizes.is_quick else None]
    work = names if sizes.is_quick else names * 2
    context = get_context("spawn")
    place = (str(stage.folder),)
    with (
        ProcessPoolExecutor(1, context, _open, place) as one,
        ProcessPoolExecutor(2, context, _open, place) as two,
    ):

        def rate(pool: ProcessPoolExecutor) -> float:
            started = time.perf_counter()
            count = sum(pool.map(_hold, [work[at : at + _CHUNK] for at in range(0, len(work), _CHUNK)]))
            return count / (time.perf_counter() - started)

        for pool in (one, two, two):
            rate(pool)  # fills caches
        found = take_turns(sizes.rounds, {"one": lambda: rate(one), "two": lambda: rate(two)})
    rates = found["one"]
    notes = {"low": min(rates), "high": max(rates)}
    return [
        Measurement(
            "play_per_s",
            "trials/s",
            statistics.median(rates),
            target=_PER_S_MIN,
            better="higher",
            bounds="value",
            notes=notes,
        ),
        compare(
            "play_two_processes",
            "trials/s",
            found["two"],
            found["one"],
            against="one process",
            target=_TWO_MIN,
            better="higher",
        ),
    ]


def _open(folder: str) -> None:
    os.environ["XDG_DATA_HOME"] = folder  # for the oracles' calls
    _hosts.append(LocalHost(Path(folder) / f"plays-{os.getpid()}"))


def _hold(names: Iterable[str]) -> int:
    """Hold a trial of each task; return how many."""
    count = 0
    for name in names:
        with Play(name, host=_hosts[0]) as play:
            assert play.finish_result(play_oracle(play))["acc"] == 1.0
        count += 1
    return count
