"""The interface of agents: their input and their result."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from farm.benchmark.tasks import Task
from farm.benchmark.tasks.sheet_fields import AnswerForm
from farm.context.changes import Changes
from farm.context.trace import Call
from farm.errors import FarmError

# Why an agent stopped: by itself, or at a limit; "failed" if its program failed, "length" and "content_filter" if the
# model's provider truncated its reply, "context" if the conversation exceeded the model's context.
Ended = Literal["answered", "rounds", "calls", "time", "failed", "length", "content_filter", "context"]


class InfrastructureError(FarmError):
    """The trial could not be run: a model or a farm did not answer. It is not graded, as the agent is not at fault."""


class EndpointError(InfrastructureError):
    """The agent's model failed the trial, after the retries. It counts as a failure, for an agent could choose it."""


class Session(Protocol):
    """The runner's handle of one episode."""

    id: str
    now: str
    token: str | None

    @property
    def apps(self) -> Sequence[str]:
        """The apps that it has."""

    @property
    def urls(self) -> Mapping[str, str]:
        """App → URL of its MCP server."""

    def tools(self, app: str) -> list[dict[str, Any]]:
        """Return the app's tools as ``tools/list`` answers."""

    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call one tool and return its CallToolResult, or ``{"error": …}``."""

    def changes(self) -> Changes:
        """Return the changes since the start, including reverted ones."""

    def calls(self) -> list[Call]:
        """Return the trace."""

    def move_clock(self, **move: Any) -> list[dict[str, Any]]:
        """Move the simulated time, as ``POST …/clock`` takes it, and return what came."""

    def over_limit(self) -> int:
        """Return the number of calls refused as over the limit."""

    def fork(self) -> Session:
        """Return an independent copy of the episode."""

    def close(self) -> None:
        """Drop the episode."""


@dataclass(frozen=True)
class TrialLimits:
    """The limits of one trial; the farm refuses every call beyond ``calls_max`` and after the deadline.

    Attributes:
        deadline: the deadline in wall time; None if no farm enforces it.
    """

    calls_max: int
    rounds_max: int = 20
    time_s_max: float = 600.0
    deadline: datetime | None = None


@dataclass(frozen=True)
class Assignment:
    """The input of an agent for one trial.

    Attributes:
        system: the system prompt, with date, time zone and user.
        instruction: the user's instruction.
        trial: an id of this trial, also in the run's log, that reveals nothing about the task.
        cancelled: set when the result is no longer needed.
        answers: the form in which the instruction asks for the answer.
    """

    task: Task
    system: str
    instruction: str
    session: Session
    limits: TrialLimits
    trial: str = ""
    cancelled: threading.Event = field(default_factory=threading.Event)
    answers: AnswerForm = "prose"


@dataclass(frozen=True)
class Usage:
    """The tokens of a model; cached tokens of the prompt are included in the prompt's count."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
        )


Turn = Sequence[tuple[str, str, Mapping[str, Any]]]


@dataclass(frozen=True)
class Result:
    """The result of an agent.

    Attributes:
        turns: the calls (app, tool, arguments) of each turn; None if turns are not visible.
        transcript: messages, for human readers.
        models: the models that answered, by the names they report.
        finish_reasons: why each of their replies ended.
        usage_by_model: the tokens of each model, where several may have answered; empty if they are not counted apart.
        is_told: whether turns and tokens are the agent's own statement, which the trace may contradict.
    """

    answer: str
    ended: Ended = "answered"
    turns: tuple[Turn, ...] | None = None
    usage: Usage | None = None
    transcript: Sequence[Mapping[str, Any]] = field(default=())
    models: tuple[str, ...] = ()
    finish_reasons: tuple[str, ...] = ()
    is_told: bool = False
    usage_by_model: Mapping[str, Usage] = field(default_factory=dict)


class Agent(Protocol):
    """Plays trials. Parallel trials share an agent, and it keeps no state between them."""

    name: str
    # Whether the agent is technically unable to reach the farm's control API.
    is_sealed: bool
    # Whether the agent calls the apps at their URLs itself, rather than through the session.
    connects: bool

    def about(self) -> Mapping[str, Any]:
        """Return the agent's configuration for the run's manifest: a run resumes only with the same."""

    def play(self, job: Assignment) -> Result:
        """Act in the job's episode and return the answer.

        Raises:
            InfrastructureError: the agent's infrastructure failed.
        """
