"""Figures of trials that tables show: those of a run's summary, and what a task costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from farm.benchmark.papers.prices import Prices
from farm.benchmark.scoring.metrics import UNSCORED, figures

Trial = Mapping[str, Any]
COSTS = ("cost", "tokens", "steps", "calls")


def figures_of(trials: Sequence[Trial], prices: Prices) -> dict[str, Any]:
    """Return the figures of trials by name; those of costs are means over the trials that were graded."""
    return {**figures(trials), **_costs([trial for trial in trials if trial["outcome"] not in UNSCORED], prices)}


def _costs(trials: Sequence[Trial], prices: Prices) -> dict[str, float | None]:
    used = [trial["usage"] for trial in trials if trial.get("usage") is not None]
    tokens = [each["prompt_tokens"] + each["completion_tokens"] for each in used]
    return {
        "cost": _mean([prices.of_trial(trial) for trial in trials]),
        "tokens": _mean(tokens if len(used) == len(trials) else [None]),
        "steps": _mean([None if trial.get("turns") is None else len(trial["turns"]) for trial in trials]),
        "calls": _mean([len(trial["calls"]) for trial in trials]),
    }


def _mean(values: Sequence[float | None]) -> float | None:
    """Return the mean; None without values, or if one is unknown."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None
