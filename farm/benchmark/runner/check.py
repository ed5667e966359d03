"""The verdict on an episode, by checkpoints of one's own or by a task; the latter is a whole line of a run's log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from farm.benchmark.agents.base import Result, Usage
from farm.benchmark.runner.play import expected_calls, read_turns, require_ended
from farm.benchmark.runner.task_cards import require_form
from farm.benchmark.runner.trial_line import Conditions, trial_line
from farm.benchmark.scoring import expectations
from farm.benchmark.scoring.evidence import Evidence
from farm.benchmark.scoring.initial_state import start_of
from farm.benchmark.scoring.reading_budget import ReadingBudget
from farm.context.changes import Changes
from farm.context.settings import Settings
from farm.context.trace import Call
from farm.errors import FarmError

# Keys beside a task's name: what an agent's harness knows of the trial, and whether it wants the evidence back.
_OF_TRIAL = ("answers", "ended", "turns", "usage", "evidence")
_EVIDENCE = ("calls", "diff", "reverted_rows")


def check(
    raw: Mapping[str, Any],
    settings: Settings,
    changes: Changes,
    calls: list[Call],
    *,
    over_limit: int = 0,
    budget: ReadingBudget | None = None,
) -> dict[str, Any]:
    """Return the verdict on an episode.

    Args:
        raw: expectations, as ``farm.benchmark.scoring.expectations.check`` takes them. With ``task`` also ``answers``
            (``prose``, the default, or ``sheet``), ``ended``, ``turns`` and ``usage`` of the trial, and ``evidence``:
            whether the answer has the calls and changes, which may be long.
        settings: the episode's settings.
        over_limit: the number of calls refused as over the limit.
        budget: the limits for reading texts; None for the default limits.

    Returns:
        ``checkpoints`` and ``damage``; for a task the trial's line, without the evidence unless it is asked for.

    Raises:
        FarmError: the expectations have problems, in one line each, or the episode has no world.
    """
    if "task" not in raw:
        for name in _OF_TRIAL:
            if name in raw:
                raise FarmError(f"'{name}' is a trial's; give it beside 'task'")
        return expectations.check(raw, settings, changes, calls, budget)
    asked = expectations.read_question(
        {name: value for name, value in raw.items() if name not in _OF_TRIAL}, settings, calls
    )
    task, profile = asked.task, settings.profile
    form = require_form(raw.get("answers", "prose"))
    evidence = Evidence(changes.diff, asked.calls, asked.answer, asked.now, changes.reverted, form)
    menu = (list(settings.apps), {app: list(tools) for app, tools in settings.menu.items()} or None)
    held = Conditions(settings.seed, settings.now, profile, menu, over_limit, start_of(task.world, settings))
    turns = None if raw.get("turns") is None else read_turns(raw["turns"])
    result = Result(asked.answer, require_ended(raw.get("ended", "answered")), turns, _usage(raw), is_told=True)
    is_whole = raw.get("evidence", False)
    if not isinstance(is_whole, bool):
        raise FarmError(f"'evidence' must be true or false, not {is_whole!r}")
    line = trial_line(task, evidence, result, held, lambda: expected_calls(task, settings.seed, profile), budget)
    return line if is_whole else {name: value for name, value in line.items() if name not in _EVIDENCE}


def _usage(raw: Mapping[str, Any]) -> Usage | None:
    given = raw.get("usage")
    if given is None:
        return None
    names = [each.name for each in fields(Usage)]
    if not isinstance(given, Mapping) or not all(
        name in names and isinstance(count, int) and not isinstance(count, bool) and count >= 0
        for name, count in given.items()
    ):
        raise FarmError(f"'usage' must be an object of counts: {', '.join(names)}")
    return Usage(**given)
