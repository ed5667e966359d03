"""How a run is held."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from farm.appkit.app import LATEST
from farm.benchmark.runner import prompts
from farm.benchmark.runner.prompts import Prompt, Skill
from farm.benchmark.tasks.sheet_fields import AnswerForm
from farm.errors import FarmError

Context = Literal["necessary", "+named", "+unnecessary", "+5"]

_PARAGRAPHS = {"+5": 5}
# More than any realistic run; every part of a run can handle this number.
_CALLS_MAX = 1_000_000


def read_calls_max(given: str | None) -> int | Literal["oracle"] | None:
    """Return a limit of calls: a number, ``oracle``, or None.

    Raises:
        FarmError: it is neither.
    """
    if given is None:
        return None
    if given == "oracle":
        return "oracle"
    if not re.fullmatch(r"[1-9]\d{0,6}", given) or int(given) > _CALLS_MAX:
        raise FarmError(f"--calls-max is a number from 1 to {_CALLS_MAX:,} or 'oracle', not '{given}'")
    return int(given)


def require_context(name: str) -> Context:
    """Return the facts beside the instruction by their name.

    Raises:
        FarmError: there are no such facts.
    """
    for context in get_args(Context):
        if context == name:
            found: Context = context
            return found
    raise FarmError(f"no context '{name}'; have {', '.join(get_args(Context))}")


def paragraphs_in(context: Context) -> int:
    """Return the number of distractor paragraphs beside the instruction."""
    return _PARAGRAPHS.get(context, 0)


@dataclass(frozen=True)
class Options:
    """The options of a run.

    Attributes:
        k: trials of each task.
        menu: the tools that an agent is shown (``farm.benchmark.runner.menus``).
        seed: the seed of the first trial; the n-th has ``seed + n``.
        calls_max: replaces each task's own limit; ``oracle`` for as many calls as the oracle makes.
        context: what stands beside the instruction: the necessary facts, or ``+unnecessary``, the task's irrelevant
            ones, too, or ``+named``, the apps, names and places that the instruction leaves out, or ``+5``, five
            paragraphs of ``distractor_paragraphs``.
        own_prompt: a template in place of the prompt that ``prompt`` names.
        skills: texts after the system prompt.
        answers: the form in which agents are asked to answer: by a sheet if the task has one, or in prose.
        shard: the part of the suite that is run, as ``i/n``; None for all of it.
        profile: the profile of the episodes; apps that do not define it fall back to ``latest``.
    """

    k: int = 1
    parallel: int = 4
    menu: str = "selected"
    seed: int = 0
    prompt: str = prompts.DEFAULT
    rounds_max: int = 20
    time_s_max: float = 600.0
    calls_max: int | Literal["oracle"] | None = None
    context: Context = "necessary"
    profile: str = LATEST
    answers: AnswerForm = "sheet"
    shard: str | None = None
    own_prompt: Prompt | None = None
    skills: tuple[Skill, ...] = ()

    @property
    def paragraphs(self) -> int:
        """The number of distractor paragraphs beside the instruction."""
        return paragraphs_in(self.context)
