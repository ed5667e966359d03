"""What a measurement is: rows, medians and spreads of ratios, CPU and memory as Linux counts them.

Machines are noisy, so nothing here is compared across runs. The things of one row take turns within a run, each round
gives one ratio, and a row shows the median of the ratios with the lowest and highest beside it.
"""

from __future__ import annotations

import math
import os
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from farm.errors import FarmError

Better = Literal["lower", "higher"]


@dataclass(frozen=True)
class Sizes:
    """How much to measure: the full run, or the quick one, which only shows that every row comes out."""

    rounds: int = 5
    seconds: float = 1.5
    clients: int = 32
    is_quick: bool = False

    @staticmethod
    def quick() -> Sizes:
        """Return the sizes of a quick run."""
        return Sizes(rounds=1, seconds=0.1, clients=4, is_quick=True)


@dataclass(frozen=True)
class Measurement:
    """One line of the table.

    Attributes:
        name: the row's name, as ``--rows`` takes it.
        unit: of ``value`` and ``baseline``.
        value: median of ours.
        baseline: median of what stands beside it, or None when there is nothing to compare with.
        against: what the baseline is.
        ratio: median over the rounds of value / baseline.
        low, high: the lowest and highest ratio of any round.
        target: the bound, or None when the row only informs.
        better: whether the target is a ceiling (lower) or a floor (higher).
        bounds: what the target bounds: the ratio, or the value itself.
        notes: further figures of the same measurement.
    """

    name: str
    unit: str
    value: float
    baseline: float | None = None
    against: str = ""
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    target: float | None = None
    better: Better = "lower"
    bounds: Literal["ratio", "value"] = "ratio"
    notes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        bounded = self.ratio if self.bounds == "ratio" else self.value
        if self.target is None or bounded is None:
            return None
        return bounded <= self.target if self.better == "lower" else bounded >= self.target

    def as_json(self) -> dict[str, Any]:
        """Return the row as ``python -m tests.bench --json`` prints it."""
        names = ("name", "unit", "value", "baseline", "ratio", "target")
        return {
            **{name: getattr(self, name) for name in names},
            "met": self.met,
            **{name: getattr(self, name) for name in ("low", "high", "better", "bounds", "against")},
            **self.notes,
        }


def compare(
    name: str,
    unit: str,
    ours: Sequence[float],
    theirs: Sequence[float],
    *,
    against: str,
    target: float | None = None,
    better: Better = "lower",
    **notes: Any,
) -> Measurement:
    """Return the row of two series of the same rounds."""
    ratios = [a / b for a, b in zip(ours, theirs, strict=True) if b > 0]
    return Measurement(
        name,
        unit,
        statistics.median(ours),
        statistics.median(theirs),
        against,
        statistics.median(ratios) if ratios else None,
        min(ratios, default=None),
        max(ratios, default=None),
        target,
        better,
        notes=notes,
    )


def take_turns(rounds: int, things: Mapping[str, Callable[[], float]]) -> dict[str, list[float]]:
    """Run every thing once a round, in an order that turns by one each round, and return name → results by round."""
    names = list(things)
    found: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            found[name].append(things[name]())
    return found


def timed(work: Callable[[], object]) -> float:
    """Return how many microseconds of wall time some work took."""
    started = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - started) / 1000


def exponent(points: Iterable[tuple[float, float]]) -> float:
    """Return k of the best fit cost = c · n^k through (n, cost) points: 0 is flat, 1 is linear."""
    logs = [(math.log(n), math.log(cost)) for n, cost in points if n > 0 and cost > 0]
    middle_n, middle_cost = (statistics.fmean(each[i] for each in logs) for i in (0, 1))
    spread = sum((n - middle_n) ** 2 for n, _ in logs)
    return sum((n - middle_n) * (cost - middle_cost) for n, cost in logs) / spread if spread else 0.0


# ── what Linux says of a process ─────────────────────────────────────────────────────────────────────────────────────


def require_linux() -> None:
    """Raise where processes cannot be looked into.

    Raises:
        FarmError: this is not Linux.
    """
    if not Path("/proc/self/schedstat").exists():
        raise FarmError("python -m tests.bench reads CPU and memory of processes from /proc; run it on Linux")


def cpu_ns(*pids: int) -> int:
    """Return the nanoseconds of CPU these processes have used, user and kernel together."""
    # The number of the clock that counts a process, its ended threads too, as clock_getcpuclockid(3) makes it.
    return sum(time.clock_gettime_ns((~pid << 3) | 2) for pid in pids)


def pss_mib(*pids: int) -> float:
    """Return the memory of these processes, shared pages divided among those who share them."""
    total_kib = 0
    for pid in pids:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total_kib += int(line.split()[1])
    return total_kib / 1024


def with_descendants(pid: int) -> list[int]:
    """Return a process and all that it started, directly or not."""
    found = [pid]
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in (thread / "children").read_text().split():
            found += with_descendants(int(child))
    return found


def pin(core: int) -> None:
    """Keep this process on one core, where the system has several and lets us choose."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[core % len(cores)]})
