"""Agents that follow a script: the oracle, one that does nothing, and one that replays recorded calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from farm.agents.base import Job, Result, Session
from farm.agents.references import Choose, fill, select
from farm.context.placeholders import render_dates
from farm.context.template import load_world
from farm.envelope import body_of
from farm.errors import FarmError
from farm.loose_json import parse_exact
from farm.runner.log import TRIALS
from farm.task import Steps, references_in


@dataclass(frozen=True)
class Twist:
    """How one call of a script is made differently.

    Attributes:
        choose: picks items of lists in its references.
        change: is given the arguments as the file has them and as they would be sent, and returns what is sent.
        is_dropped: the call is not made.
    """

    choose: Choose = select
    change: Callable[[Any, Any], Any] | None = None
    is_dropped: bool = False


Position = tuple[int, int]  # step, call within the step


def play_steps(
    steps: Steps, session: Session, world: str, twists: Mapping[Position, Twist] | None = None
) -> list[list[tuple[str, str, Mapping[str, Any]]]]:
    """Make the calls of a script and return what was sent, step by step.

    What depends on the result of a dropped call is not made either.

    Raises:
        Missing: a reference to an earlier result leads nowhere.
    """
    results: dict[str, Any] = {}
    dropped: set[str | None] = set()
    sent = []
    for number, step in enumerate(steps):
        turn: list[tuple[str, str, Mapping[str, Any]]] = []
        fresh = {}
        for index, call in enumerate(step):
            twist = (twists or {}).get((number, index), Twist())
            if twist.is_dropped or not dropped.isdisjoint(references_in(call.arguments)):
                dropped.add(call.name)
                continue
            arguments = fill(call.arguments, results, lambda text: rendered(text, world), twist.choose)
            if twist.change:
                arguments = twist.change(call.arguments, arguments)
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

    def about(self) -> Mapping[str, Any]:
        """Return nothing: the tasks say all."""
        return {}

    def play(self, job: Job) -> Result:
        """Play the task's script and give its answer."""
        turns = play_steps(job.task.oracle, job.session, job.task.world)
        return Result(rendered(job.task.oracle_answer, job.task.world), turns=tuple(turns))


class Null:
    """Does nothing and says nothing."""

    name = "null"
    is_sealed = True

    def about(self) -> Mapping[str, Any]:
        """Return nothing: the tasks say all."""
        return {}

    def play(self, job: Job) -> Result:
        """Return an empty answer at once."""
        return Result("", turns=())


class Replay:
    """Makes the recorded calls of a file, or of a run's folder.

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
                trial = parse_exact(line)
                self._trials[trial["task"]] = {"calls": list(trial["calls"]), "answer": str(trial.get("answer", ""))}
            except (orjson.JSONDecodeError, KeyError, TypeError):
                raise FarmError(f'{path}:{number} is not {{"task", "calls": […], "answer"}}') from None

    def about(self) -> Mapping[str, Any]:
        """Return a hash of the recording."""
        return {"recording_sha256": self._sha256}

    def play(self, job: Job) -> Result:
        """Make the calls recorded for this task, in order; none when there is no recording of it."""
        trial = self._trials.get(job.task.id)
        calls: Sequence[Mapping[str, Any]] = trial["calls"] if trial else ()
        for call in calls[: job.limits.calls_max]:
            job.session.call(call["app"], call["tool"], call["arguments"])
        ended = "answered" if len(calls) <= job.limits.calls_max else "calls"
        return Result(trial["answer"] if trial else "", ended=ended)  # type: ignore[arg-type] # one of the two
