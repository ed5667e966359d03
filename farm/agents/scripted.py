"""Agents that follow a script: the oracle, one that does nothing, and one that replays recorded calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from farm.agents.base import Job, Result, Session
from farm.agents.references import Choose, _select, body_of, fill
from farm.context.placeholders import render_dates
from farm.context.template import load_world
from farm.errors import FarmError
from farm.task import Steps


def play_steps(
    steps: Steps, session: Session, world: str, choose: Choose = _select
) -> list[list[tuple[str, str, Mapping[str, Any]]]]:
    """Make the calls of a script and return what was sent, step by step.

    Raises:
        Missing: a reference to an earlier result leads nowhere.
    """
    known = load_world(world)

    def render(text: str) -> str:
        return render_dates(text, known.monday, known.zone)

    results: dict[str, Any] = {}
    sent = []
    for step in steps:
        turn: list[tuple[str, str, Mapping[str, Any]]] = []
        fresh = {}
        for call in step:
            arguments = fill(call.arguments, results, render, choose)
            body = body_of(session.call(call.app, call.tool, arguments))
            turn.append((call.app, call.tool, arguments))
            if call.name:
                fresh[call.name] = body
        results |= fresh
        sent.append(turn)
    return sent


def rendered(text: str, world: str) -> str:
    """Return a text with its date placeholders rendered."""
    known = load_world(world)
    return render_dates(text, known.monday, known.zone)


class Oracle:
    """Does what the task file says does it."""

    name = "oracle"
    is_sealed = True

    def play(self, job: Job) -> Result:
        """Play the task's script and give its answer."""
        turns = play_steps(job.task.oracle, job.session, job.task.world)
        return Result(rendered(job.task.oracle_answer, job.task.world), turns=tuple(turns))


class Null:
    """Does nothing and says nothing."""

    name = "null"
    is_sealed = True

    def play(self, job: Job) -> Result:
        """Return an empty answer at once."""
        return Result("", turns=())


class Replay:
    """Makes the recorded calls of a file.

    A line is a trial: ``{"task", "calls": [{"app", "tool", "arguments"}], "answer"}``. The trials file of a run has
    this form too, so a run can be played again.
    """

    is_sealed = True

    def __init__(self, path: Path) -> None:
        """Read the recording.

        Raises:
            FarmError: it cannot be read, or a line is not such an object.
        """
        self.name = f"replay:{path.name}"
        self._trials: dict[str, Mapping[str, Any]] = {}
        try:
            lines = path.expanduser().read_bytes().splitlines()
        except OSError as problem:
            raise FarmError(f"recording {path} cannot be read ({problem.strerror})") from None
        for number, line in enumerate(lines, 1):
            try:
                trial = orjson.loads(line)
                self._trials[trial["task"]] = {"calls": list(trial["calls"]), "answer": str(trial.get("answer", ""))}
            except (orjson.JSONDecodeError, KeyError, TypeError):
                raise FarmError(f'{path}:{number} is not {{"task", "calls": […], "answer"}}') from None

    def play(self, job: Job) -> Result:
        """Make the calls recorded for this task, in order; none when there is no recording of it."""
        trial = self._trials.get(job.task.id)
        calls: Sequence[Mapping[str, Any]] = trial["calls"] if trial else ()
        for call in calls[: job.limits.calls_max]:
            job.session.call(call["app"], call["tool"], call["arguments"])
        ended = "answered" if len(calls) <= job.limits.calls_max else "calls"
        return Result(trial["answer"] if trial else "", ended=ended)  # type: ignore[arg-type] # one of the two
