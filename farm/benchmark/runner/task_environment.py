"""Plays by reset and step, one at a time, for harnesses such as Gymnasium and OpenEnv."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from farm.benchmark.agents.model_tools import ToolForm, in_form
from farm.benchmark.runner.play import Play
from farm.benchmark.runner.task_cards import tasks
from farm.benchmark.runner.trial_line import Trial
from farm.errors import FarmError

SUBMIT = "submit"
_SUBMIT_TOOL = {
    "name": SUBMIT,
    "description": "Give your final answer, which ends the task.",
    "inputSchema": {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]},
}


@dataclass(frozen=True)
class Step:
    """The outcome of a step.

    Attributes:
        text: the tool's text for the agent; empty after the answer.
        reward: ``acc``, the mean checkpoint score, after the answer; 0 before.
        trial: after the answer, the line that ``farm run`` would write; empty before.
    """

    text: str
    reward: float = 0.0
    trial: Trial = field(default_factory=dict)

    @property
    def verdict(self) -> dict[str, Any]:
        """What of the line an agent or a trainer is shown; empty before the answer."""
        return {key: self.trial[key] for key in ("outcome", "acc", "checkpoints", "damage") if self.trial}

    @property
    def is_last(self) -> bool:
        """Whether the task is over."""
        return bool(self.trial)


class TaskEnvironment:
    """Plays tasks one after another; the tool ``submit`` takes the answer and ends the task.

    Attributes:
        tasks: the names of the tasks that a reset chooses from, each ``SUITE/TASK``.
    """

    def __init__(self, suite: str = "demo", task: str | None = None, **play: Any) -> None:
        """Play tasks of a suite, or only one of them; ``play`` are options of ``Play``.

        Raises:
            NotFoundError: there is no such suite.
        """
        self.tasks = [f"{suite}/{task}"] if task else [card.task for card in tasks(suite)]
        self._options = play
        self._play: Play | None = None

    @property
    def play(self) -> Play:
        """The current play.

        Raises:
            FarmError: no task has been started.
        """
        if self._play is None:
            raise FarmError("no task is running; reset first")
        return self._play

    def reset(self, seed: int | None = None, task: str | None = None) -> Play:
        """End the current play and start another one.

        Args:
            seed: the seed of the episode's ids; None for 0. It also chooses the task, for None at random.
            task: the task's name, ``SUITE/TASK``, instead.
        """
        self.close()
        self._play = Play(task or random.Random(seed).choice(self.tasks), seed or 0, **self._options)
        return self._play

    def tools(self, form: ToolForm = "openai") -> list[dict[str, Any]]:
        """Return the tools of the current play, if there is one, and ``submit``."""
        return [*(self._play.tools(form) if self._play else ()), in_form(form, SUBMIT, _SUBMIT_TOOL)]

    def step(self, tool: str, arguments: Mapping[str, Any] | str | None = None) -> Step:
        """Call a tool; what a model writes wrongly is refused in the text.

        Raises:
            FarmError: no task is running, or it is over.
        """
        if tool != SUBMIT:
            return Step(self.play.call(tool, arguments).text)
        if not isinstance(arguments, Mapping) or "answer" not in arguments:
            return Step(f"Error: the arguments of {SUBMIT} are an object with 'answer'")
        line = self.play.finish(str(arguments["answer"]))
        return Step("", line["acc"], line)

    def close(self) -> None:
        """Remove the episode of the current play, if there is one."""
        if self._play is not None:
            self._play.close()
