"""What every agent is given and gives back."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from farm.changes import Changes
from farm.errors import FarmError
from farm.task import Task
from farm.trace import Call

# Why an agent stopped: by itself, or by one of the limits; "failed" when its program ended badly, "length" and
# "content_filter" when the model's provider cut its reply, "context" when the conversation outgrew the model.
Ended = Literal["answered", "rounds", "calls", "time", "failed", "length", "content_filter", "context"]


class Infrastructure(FarmError):
    """The trial could not be held: a model or a farm did not answer. Never the agent's fault, so it is not graded."""


class Session(Protocol):
    """One episode, as the runner holds it."""

    id: str
    now: str
    token: str | None
    urls: Mapping[str, str]

    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call one tool and return its CallToolResult, or ``{"error": …}``."""

    def changes(self) -> Changes:
        """Return what changed since the start, and what was done and undone."""

    def calls(self) -> list[Call]:
        """Return the trace."""

    def close(self) -> None:
        """Drop the episode."""


@dataclass(frozen=True)
class Limits:
    """How much one trial may take; the farm refuses every call beyond ``calls_max`` and after the deadline.

    Attributes:
        deadline: when the time is over, by a real clock; None where no farm waits for it.
    """

    calls_max: int
    rounds_max: int = 20
    time_s_max: float = 600.0
    deadline: datetime | None = None


@dataclass(frozen=True)
class Job:
    """One trial as an agent sees it.

    Attributes:
        system: the prompt with date, zone and who the user is.
        instruction: what the user asks.
        trial: an id of this trial that says nothing of its task; the run's log has it, too.
        cancelled: set when nobody waits for the result any more.
    """

    task: Task
    system: str
    instruction: str
    session: Session
    limits: Limits
    trial: str = ""
    cancelled: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class Usage:
    """Tokens a model has used; those of the prompt that came from a cache are counted in the prompt, too."""

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
    """What an agent came to.

    Attributes:
        turns: the calls (app, tool, arguments) of each turn; None when turns cannot be seen.
        transcript: messages, for whoever wants to read what happened.
        models: the models that answered, by their own name.
        finish_reasons: why each of their replies ended.
    """

    answer: str
    ended: Ended = "answered"
    turns: tuple[Turn, ...] | None = None
    usage: Usage | None = None
    transcript: Sequence[Mapping[str, Any]] = field(default=())
    models: tuple[str, ...] = ()
    finish_reasons: tuple[str, ...] = ()


class Agent(Protocol):
    """Plays one trial. An agent is shared by parallel trials and keeps nothing between them."""

    name: str
    # Whether the agent is kept away from the farm's control plane by construction.
    is_sealed: bool

    def about(self) -> Mapping[str, Any]:
        """Return what the agent is made of, for the run's manifest: a run goes on only with the same."""

    def play(self, job: Job) -> Result:
        """Act in the job's episode and return the answer.

        Raises:
            Infrastructure: what the agent runs on failed.
        """
