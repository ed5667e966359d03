"""Cards of tasks: what an agent is told and the episode that it needs, without an episode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from farm import content
from farm.appkit.app import LATEST
from farm.benchmark.agents.base import TrialLimits
from farm.benchmark.runner import prompts
from farm.benchmark.runner.menus import check_profile, playable
from farm.benchmark.scoring.expectations import require_suite, require_task
from farm.benchmark.tasks import Task
from farm.benchmark.tasks.load import SUITE_FILE, read_suite_file
from farm.benchmark.tasks.shard import Shard, shard_of
from farm.benchmark.tasks.sheet_fields import ANSWER_FORMS, AnswerForm
from farm.context.template import load_world
from farm.errors import FarmError


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


def card_of(
    task: str | Task,
    *,
    prompt: str = prompts.DEFAULT,
    answers: AnswerForm = "prose",
    calls_max: int | None = None,
    time_s_max: float = TrialLimits.time_s_max,
) -> TaskCard:
    """Return the card of a task, which may be given by its name ``SUITE/TASK``.

    Args:
        calls_max: replaces the task's own limit of calls.
        time_s_max: the limit of time that the system prompt states.

    Raises:
        NotFoundError: the task or the prompt does not exist.
    """
    found = require_task(task) if isinstance(task, str) else task
    now = found.now or load_world(found.world).starts_at.isoformat()
    limits = TrialLimits(calls_max or found.calls_max, time_s_max=time_s_max)
    return TaskCard(
        task=f"{found.suite}/{found.id}",
        title=found.title,
        category=found.category,
        system=prompts.system_prompt(prompt, found, now, limits),
        instruction=prompts.instruction(found, answers=answers),
        answers=answers,
        world=found.world,
        apps=tuple(found.apps),
        me=found.me,
        now=now,
        calls_max=limits.calls_max,
    )


def tasks(
    suite: str,
    shard: Shard | None = None,
    *,
    profile: str = LATEST,
    prompt: str = prompts.DEFAULT,
    answers: AnswerForm = "sheet",
) -> list[TaskCard]:
    """Return the cards of a suite's tasks, in the suite's order; no episode is created.

    Args:
        suite: the suite's name.
        shard: number (from 1) and count: only this one of the equal parts.
        profile: the version of the apps; tasks that need tools it lacks are left out.
        prompt: the name of the system prompt.
        answers: whether instructions ask for an answer sheet where a task has one.

    Raises:
        NotFoundError: the suite, profile or prompt does not exist.
        FarmError: the shard is empty, or no task is left.
    """
    chosen, _ = playable(require_suite(suite), check_profile(profile))
    part = chosen.tasks if shard is None else shard_of(chosen.tasks, shard)
    return [card_of(task, prompt=prompt, answers=answers) for task in part]


def suites() -> list[dict[str, Any]]:
    """Return name, title and number of tasks of every suite; a faulty task counts, as no task is parsed."""
    found = []
    for name in content.suite_names():
        folder = content.suite_dir(name)
        title, _ = read_suite_file(folder / SUITE_FILE)
        count = sum(path.name != SUITE_FILE for path in folder.glob("*.toml"))
        found.append({"suite": name, "title": title or name, "tasks": count})
    return found


def require_form(name: str) -> AnswerForm:
    """Return the form of answers with a name.

    Raises:
        FarmError: it does not exist.
    """
    for form in ANSWER_FORMS:
        if form == name:
            return form
    raise FarmError(f"no form of answers '{name}'; have {', '.join(ANSWER_FORMS)}")
