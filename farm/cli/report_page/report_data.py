"""Collects what a report shows of finished runs, as one JSON value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from farm import content
from farm._util.page_file import page_file
from farm.benchmark.failures.report import MissedTrial, counts, missed_trials
from farm.benchmark.papers.prices import Prices, load_prices
from farm.benchmark.runner.log import RunLog
from farm.benchmark.runner.prompts import instruction
from farm.benchmark.runner.run import report as report_of
from farm.benchmark.scoring.metrics import UNSCORED
from farm.benchmark.tasks import Suite, load_suite
from farm.cli.report_page.episode_story import EpisodeStory
from farm.cli.report_page.figures import (
    by_category,
    by_model,
    cost_of,
    figures_with_intervals,
    usage_by_model,
)
from farm.errors import NotFoundError

MODULES = ("dom", "words", "cards", "report")
MESSAGE_CHARS_MAX = 4000
_MESSAGES_MAX = 200
_OF_RUN = ("agent", "suite", "menu", "profile", "trials", "graded", "tasks", "outcomes", "time_s", "damage_rate")

Trial = dict[str, Any]


def report_file(logs: Sequence[RunLog], names: Sequence[str]) -> bytes:
    """Return the report of runs as one HTML file.

    Args:
        logs: the runs.
        names: what each is called.
    """
    return page_file(content.web_dir(), MODULES, report_data(logs, names))


def report_data(logs: Sequence[RunLog], names: Sequence[str]) -> dict[str, Any]:
    """Return ``runs`` (figures of each), ``trials`` (in words) and ``tasks``, by their names with the suite's."""
    prices, suites = load_prices(), {name: _find_suite(name) for name in {log.manifest["suite"] for log in logs}}
    runs, trials = [], []
    for number, (log, name) in enumerate(zip(logs, names, strict=True)):
        held, suite = log.trials(), suites[log.manifest["suite"]]
        missed = _missed(held, suite, log)
        runs.append(_run(log, held, missed, prices) | {"name": name})
        why = {(each.task, each.trial): each for each in missed or ()}
        trials += [_trial(number, each, suite, why, prices) for each in held]
    tasks = {f"{suite.name}/{task.id}": _task(task) for suite in suites.values() if suite for task in suite.tasks}
    shown = {f"{runs[each['run']]['suite']}/{each['task']}" for each in trials}
    made = datetime.now(UTC).isoformat(timespec="minutes")
    return {
        "made_at": made,
        "prices": prices.date,
        "runs": runs,
        "trials": trials,
        "tasks": {name: task for name, task in tasks.items() if name in shown},
    }


def _find_suite(name: str) -> Suite | None:
    try:
        return load_suite(name)
    except NotFoundError:
        return None


def _missed(trials: Sequence[Trial], suite: Suite | None, log: RunLog) -> list[MissedTrial] | None:
    """Return the trials that missed their tasks; None if the suite is not here."""
    return None if suite is None else list(missed_trials(trials, suite, log.manifest["profile"]))


def _run(log: RunLog, trials: Sequence[Trial], missed: Sequence[MissedTrial] | None, prices: Prices) -> dict[str, Any]:
    found = report_of(log, trials)
    return {
        **{name: found[name] for name in _OF_RUN},
        "figures": figures_with_intervals(trials),
        "by_category": by_category(trials),
        "by_area": by_category(trials, parts=1),
        "models": by_model(trials),
        "cost": cost_of(trials, prices),
        "repeated": {
            k: {"at": at, "all": found["pass_all_k"][k]} for k, at in found["pass_at_k"].items() if int(k) > 1
        },
        "why": None if missed is None else {kind: count for kind, count in counts(missed).items() if count},
        "missed": None if missed is None else len(missed),
    }


def _task(task: Any) -> dict[str, Any]:
    return {
        "title": task.title,
        "instruction": instruction(task),
        "category": task.category,
        "apps": list(task.apps),
        "world": task.world,
    }


def _trial(
    run: int, trial: Trial, suite: Suite | None, why: Mapping[tuple[str, int], MissedTrial], prices: Prices
) -> dict[str, Any]:
    """Return a trial: its verdict, its calls in sentences with what each changed, and its messages."""
    reasons = why.get((trial["task"], trial["trial"]))
    return {
        "run": run,
        **{name: trial[name] for name in ("task", "trial", "category", "outcome", "acc")},
        "error": trial.get("error"),
        "ended": trial.get("ended"),
        "answer": trial.get("answer", ""),
        "time_s": trial.get("time_s"),
        "cost": prices.of_trial(trial),
        "models": [{"model": model, **used} for model, used in usage_by_model(trial).items()],
        "checkpoints": [{name: each[name] for name in ("id", "score", "why")} for each in trial["checkpoints"]],
        "why": [{"kind": each.kind, "evidence": list(each.evidence)} for each in reasons.reasons] if reasons else [],
        "calls_made": len(trial["calls"]),
        **_story(trial, suite),
        "messages": [_message(each) for each in (trial.get("transcript") or ())[:_MESSAGES_MAX]],
    }


def _story(trial: Trial, suite: Suite | None) -> dict[str, Any]:
    """Return the calls and the damage of a trial; without its task only what its line says."""
    bare = {"calls": [], "damage": [{"why": each["why"], "change": None} for each in trial["damage"]]}
    if suite is None or trial["outcome"] in UNSCORED or "diff" not in trial:
        return bare
    try:
        story = EpisodeStory(suite.task(trial["task"]))
    except NotFoundError:
        return bare
    return {"calls": story.calls(trial), "damage": story.damage(trial)}


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message of a transcript: its role, its text, and the calls that it makes; a program has only output."""
    asked = [each["function"] for each in message.get("tool_calls") or () if "function" in each]
    said = message.get("content")
    if isinstance(said, list):
        said = "\n".join(str(part.get("text", f"[{part.get('type')}]")) for part in said if isinstance(part, Mapping))
    if "role" not in message:
        said = "\n".join(f"{name}: {value}" for name, value in message.items() if value not in (None, ""))
    return {
        "role": str(message.get("role", "output")),
        "text": (said or "")[:MESSAGE_CHARS_MAX],
        "cut": max(len(said or "") - MESSAGE_CHARS_MAX, 0),
        "calls": [[str(each.get("name")), str(each.get("arguments"))[:MESSAGE_CHARS_MAX]] for each in asked],
    }
