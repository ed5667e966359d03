"""Cards of tasks: what an agent is told and the episode that it needs, without an episode."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, fields
from typing import Any, Literal

from .errors import McpFarmError
from .shared_farms import SharedFarm

AnswerForm = Literal["prose", "sheet"]
Shard = tuple[int, int]

__tracebackhide__ = True  # pytest shows a problem at the test's own line


@dataclass(frozen=True)
class TaskCard:
    """What a task asks, and the options of its episode.

    Attributes:
        task: the task's name, ``SUITE/TASK``.
        system: the system prompt.
        instruction: the user's instruction.
        answers: the form in which the instruction asks for the answer.
        me: the key of the person the agent works for; None for the world's protagonist.
        now: the simulated time of the start, RFC 3339.
        calls_max: the limit of calls.
    """

    task: str
    title: str
    category: str
    system: str
    instruction: str
    answers: AnswerForm
    world: str
    apps: tuple[str, ...]
    me: str | None
    now: str
    calls_max: int


def read_card(sent: Mapping[str, Any]) -> TaskCard:
    """Return a card as the control API sends it; keys that it has beside the card's are ignored."""
    return TaskCard(**{each.name: sent[each.name] for each in fields(TaskCard)} | {"apps": tuple(sent["apps"])})


def tasks(
    suite: str,
    shard: Shard | None = None,
    *,
    url: str,
    token: str,
    profile: str | None = None,
    prompt: str | None = None,
    answers: AnswerForm = "sheet",
) -> list[TaskCard]:
    """Return the cards of a suite's tasks, in the suite's order; no episode is created.

    Args:
        suite: the suite's name.
        shard: number (from 1) and count: only this one of the equal parts, every count-th task.
        url: the operators' URL of the farm.
        token: its operator token.
        profile: the version of the apps; tasks that need tools it lacks are left out. None for the latest.
        prompt: the name of the system prompt; None for the farm's default.
        answers: whether instructions ask for an answer sheet where a task has one.

    Raises:
        McpFarmError: the farm does not answer, the suite does not exist, or the shard is empty.
    """
    with closing(SharedFarm(url, token)) as use:
        sent = use.farm.tasks(suite, answers=answers, prompt=prompt, profile=profile)
    found = [read_card(each) for each in sent]
    return found if shard is None else _part(found, shard)


def _part(cards: list[TaskCard], shard: Shard) -> list[TaskCard]:
    try:
        number, count = shard
        exists = 1 <= number <= count
    except (TypeError, ValueError):
        raise McpFarmError(f"a shard is a number and a count, such as (2, 4), not {shard!r}") from None
    if not exists:
        raise McpFarmError(f"there is no shard {number} of {count}; they are numbered from 1")
    part = cards[number - 1 :: count]
    if not part:
        raise McpFarmError(f"shard {number}/{count} is empty: the suite has only {len(cards)} tasks")
    return part
