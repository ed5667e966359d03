"""How a run is held."""

from __future__ import annotations

from dataclasses import dataclass

from farm.appkit.app import LATEST
from farm.benchmark.runner import prompts
from farm.benchmark.tasks.sheet_fields import AnswerForm


@dataclass(frozen=True)
class Options:
    """The options of a run.

    Attributes:
        k: trials of each task.
        menu: the tools that an agent is shown (``farm.benchmark.runner.menus``).
        seed: the seed of the first trial; the n-th has ``seed + n``.
        calls_max: replaces each task's own limit.
        unnecessary: whether the prompt includes irrelevant facts.
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
    calls_max: int | None = None
    unnecessary: bool = False
    profile: str = LATEST
    answers: AnswerForm = "sheet"
    shard: str | None = None
