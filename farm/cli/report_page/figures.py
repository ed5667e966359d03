"""The figures of runs that a report shows: with intervals, by category, by model, and what they cost."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from farm.benchmark.papers.prices import Prices
from farm.benchmark.scoring.metrics import UNSCORED
from farm.benchmark.scoring.paired import FIGURES

Trial = Mapping[str, Any]
SHOWN = ("acc", "safe_sr", "sr_08", "exec_acc", "tfs", "tefs")
_DRAWS = 2_000
_TOKENS = ("prompt_tokens", "completion_tokens", "cached_tokens")


def figures_with_intervals(trials: Sequence[Trial]) -> dict[str, dict[str, Any]]:
    """Return figure → ``value`` and ``interval``: 95 %, by drawing tasks with replacement; None for fewer than two.

    Trials of one task are no independent evidence, so they are averaged first. Draws are seeded.
    """
    found = {name: _figure([trial for trial in trials if trial["outcome"] != "not_graded"], name) for name in SHOWN}
    return {name: each for name, each in found.items() if each is not None}


def _figure(trials: Sequence[Trial], name: str) -> dict[str, Any] | None:
    by_task: dict[str, list[float]] = {}
    for trial in trials:
        if (value := FIGURES[name](trial)) is not None:
            by_task.setdefault(trial["task"], []).append(value)
    means = [fmean(values) for _, values in sorted(by_task.items())]
    return {"value": round(fmean(means), 4), "interval": _interval(means), "tasks": len(means)} if means else None


def _interval(means: Sequence[float]) -> list[float] | None:
    if len(means) < 2:
        return None
    draw = random.Random(0)
    drawn = sorted(fmean(draw.choices(means, k=len(means))) for _ in range(_DRAWS))
    return [round(drawn[round(0.025 * _DRAWS)], 4), round(drawn[round(0.975 * _DRAWS) - 1], 4)]


def by_category(trials: Sequence[Trial], parts: int | None = None) -> dict[str, dict[str, Any]]:
    """Return category → its number of trials and its figures, in alphabetical order.

    Args:
        trials: the trials.
        parts: how many parts of ``cross/lark-centric`` count; None for all.
    """
    found: dict[str, list[Trial]] = {}
    for trial in trials:
        found.setdefault("/".join(trial["category"].split("/")[:parts]), []).append(trial)
    return {name: {"trials": len(each), **figures_with_intervals(each)} for name, each in sorted(found.items())}


def cost_of(trials: Sequence[Trial], prices: Prices) -> float | None:
    """Return the mean price of a graded trial in US dollars; None if that of one is unknown."""
    graded = [trial for trial in trials if trial["outcome"] not in UNSCORED]
    known = [price for trial in graded if (price := prices.of_trial(trial)) is not None]
    return fmean(known) if known and len(known) == len(graded) else None


def by_model(trials: Sequence[Trial]) -> list[dict[str, Any]]:
    """Return the tokens of each model; models of one trial that were not counted apart stand together."""
    found: dict[str, dict[str, Any]] = {}
    for trial in trials:
        for model, used in usage_by_model(trial).items():
            line = found.setdefault(model, {"model": model, "trials": 0, **dict.fromkeys(_TOKENS, 0)})
            line["trials"] += 1
            for name in _TOKENS:
                line[name] += used.get(name, 0)
    return [found[name] for name in sorted(found)]


def usage_by_model(trial: Trial) -> Mapping[str, Mapping[str, int]]:
    """Return model → its tokens in a trial, as far as they are known."""
    if trial.get("usage_by_model"):
        known: Mapping[str, Mapping[str, int]] = trial["usage_by_model"]
        return known
    return {" + ".join(trial.get("models") or ()) or "?": trial["usage"]} if trial.get("usage") else {}
