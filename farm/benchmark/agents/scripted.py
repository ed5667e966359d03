"""Agents that follow a script: the oracle, one that does nothing, and one that replays recorded calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from farm._util.json_io import loads
from farm.appkit.envelope import body_of
from farm.appkit.world_spec.placeholders import render_dates
from farm.benchmark.agents.base import Assignment, Result, Session
from farm.benchmark.agents.placeholders import Choose, fill, select
from farm.benchmark.agents.waking import wake
from farm.benchmark.run_files import TRIALS
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.sheets import right_value
from farm.benchmark.tasks import Steps, Task, references_in
from farm.context.template import load_world
from farm.context.trace import failed_as_planned
from farm.errors import FarmError

_CALLS_MAX = 30  # in one step, retries included


@dataclass(frozen=True)
class CallOverride:
    """A modification of one call of a script.

    Attributes:
        choose: selects items of lists in its references.
        change: maps the arguments in the file and the filled arguments to those that are sent.
        is_dropped: whether the call is omitted.
    """

    choose: Choose = select
    change: Callable[[Any, Any], Any] | None = None
    is_dropped: bool = False


Position = tuple[int, int]  # step, call within the step


def run_script(
    steps: Steps,
    session: Session,
    world: str,
    overrides: Mapping[Position, CallOverride] | None = None,
    *,
    retries: bool = False,
) -> list[list[tuple[str, str, Mapping[str, Any]]]]:
    """Make the calls of a script and return the sent calls, step by step.

    Calls that depend on the result of a dropped call are omitted as well.

    Args:
        retries: whether a call that failed as planned is made again, until it does not, unless the script says no.

    Raises:
        MissingPlaceholderError: a reference to an earlier result cannot be resolved.
    """
    results: dict[str, Any] = {}
    dropped: set[str | None] = set()
    sent = []
    for number, step in enumerate(steps):
        if step and step[0].woken:
            wake(session)
        turn: list[tuple[str, str, Mapping[str, Any]]] = []
        fresh = {}
        for index, call in enumerate(step):
            override = (overrides or {}).get((number, index), CallOverride())
            if override.is_dropped or not dropped.isdisjoint(references_in(call.arguments)):
                dropped.add(call.name)
                continue
            arguments = fill(call.arguments, results, lambda text: rendered(text, world), override.choose)
            if override.change:
                arguments = override.change(call.arguments, arguments)
            use = (call.app, call.tool, arguments)
            result = session.call(*use)
            turn.append(use)
            while retries and call.again and len(turn) < _CALLS_MAX and failed_as_planned(session.calls()[-1]):
                result = session.call(*use)
                turn.append(use)
            if call.name:
                fresh[call.name] = body_of(result)
        results |= fresh
        sent.append(turn)
    return sent


def rendered(text: str, world: str) -> str:
    """Return a text with its date placeholders rendered."""
    known = load_world(world)
    return render_dates(text, known.monday, known.zone)


def with_sheet(answer: str, task: Task, values: Mapping[str, Any] | None = None) -> str:
    """Return an answer with the task's answer sheet at its end, if it has one.

    Args:
        answer: the prose, which is also the value of fields that are texts.
        task: the task.
        values: field → the value to give; None for the right ones.
    """
    if not task.sheet:
        return answer
    given = right_values(answer, task) if values is None else values
    return f"{answer}\n\n```json\n{json.dumps(given, ensure_ascii=False, indent=2)}\n```"


def right_values(answer: str, task: Task) -> dict[str, Any]:
    """Return field → a right value, of the task's answer sheet."""
    context = ClockContext(load_world(task.world))
    return {name: right_value(raw, context, answer) for name, raw in task.sheet.items()}


class Oracle:
    """Plays the task file's reference script."""

    name = "oracle"
    is_sealed = True
    connects = False
    plays_script = True  # it wakes itself where its script says so

    def about(self) -> Mapping[str, Any]:
        """Return nothing: the tasks say all."""
        return {}

    def play(self, job: Assignment) -> Result:
        """Play the task's script and give its answer."""
        retries = bool(job.task.faults)
        turns = run_script(job.task.oracle, job.session, job.task.world, retries=retries)
        answer = rendered(job.task.oracle_answer, job.task.world)
        return Result(with_sheet(answer, job.task) if job.answers == "sheet" else answer, turns=tuple(turns))


class Null:
    """Makes no calls and gives an empty answer."""

    name = "null"
    is_sealed = True
    connects = False
    plays_script = True  # it wakes itself where its script says so

    def about(self) -> Mapping[str, Any]:
        """Return nothing: the tasks say all."""
        return {}

    def play(self, job: Assignment) -> Result:
        """Return an empty answer at once."""
        return Result("", turns=())


class Replay:
    """Makes the recorded calls of a file, or of a run's folder.

    A line is a trial: ``{"task", "calls": [{"app", "tool", "arguments"}], "answer"}``. The trials file of a run has
    this form too, so a run can be played again.
    """

    is_sealed = True
    connects = False
    plays_script = True  # it wakes itself where its script says so

    def __init__(self, path: Path) -> None:
        """Read the recording.

        Raises:
            FarmError: it cannot be read, or a line is not such an object.
        """
        self.name = f"replay:{path.name}"
        self._trials: dict[str, Mapping[str, Any]] = {}
        file = path.expanduser()
        if file.is_dir():
            file /= TRIALS
        try:
            data = file.read_bytes()
        except OSError as problem:
            raise FarmError(f"recording {file} cannot be read ({problem.strerror})") from None
        self._sha256 = sha256(data).hexdigest()[:16]
        for number, line in enumerate(data.splitlines(), 1):
            try:
                trial = loads(line)
                self._trials[trial["task"]] = {"calls": list(trial["calls"]), "answer": str(trial.get("answer", ""))}
            except (orjson.JSONDecodeError, KeyError, TypeError):
                raise FarmError(f'{path}:{number} is not {{"task", "calls": […], "answer"}}') from None

    def about(self) -> Mapping[str, Any]:
        """Return a hash of the recording."""
        return {"recording_sha256": self._sha256}

    def play(self, job: Assignment) -> Result:
        """Make the calls recorded for this task, in order; none without a recording."""
        trial = self._trials.get(job.task.id)
        calls: Sequence[Mapping[str, Any]] = trial["calls"] if trial else ()
        for call in calls[: job.limits.calls_max]:
            job.session.call(call["app"], call["tool"], call["arguments"])
        ended = "answered" if len(calls) <= job.limits.calls_max else "calls"
        return Result(trial["answer"] if trial else "", ended=ended)  # type: ignore[arg-type] # one of the two
