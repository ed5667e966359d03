"""A task's card with the request for its episode, for clients that hold trials without the task's file."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from farm.appkit.app import LATEST
from farm.benchmark.agents.base import TrialLimits
from farm.benchmark.runner import prompts
from farm.benchmark.runner.menus import check_menu, check_profile, chosen_tools
from farm.benchmark.runner.task_cards import card_of, require_form
from farm.benchmark.scoring.expectations import require_task
from farm.benchmark.tasks import Task
from farm.benchmark.tasks.sheet_fields import AnswerForm
from farm.errors import FarmError


def trial_card(
    name: str,
    *,
    menu: str = "selected",
    menu_seed: int = 0,
    profile: str = LATEST,
    prompt: str = prompts.DEFAULT,
    answers: AnswerForm = "prose",
    calls_max: int | None = None,
    time_s_max: float = TrialLimits.time_s_max,
) -> dict[str, Any]:
    """Return a task's card and, as ``episode``, the body of the ``POST /v1/episodes`` that creates its episode.

    Raises:
        NotFoundError: the task, profile or prompt does not exist.
        FarmError: the menu does not exist.
    """
    task = require_task(name)
    card = card_of(task, prompt=prompt, answers=answers, calls_max=calls_max, time_s_max=time_s_max)
    wishes = episode_wishes(task, menu=menu, menu_seed=menu_seed, profile=profile) | {"calls_max": card.calls_max}
    return asdict(card) | {"episode": {key: value for key, value in wishes.items() if value is not None}}


def episode_wishes(task: Task, *, menu: str, menu_seed: int, profile: str) -> dict[str, Any]:
    """Return the keys of ``POST /v1/episodes`` that a task and a menu determine.

    Raises:
        NotFoundError: the profile does not exist.
        FarmError: the menu does not exist.
    """
    apps, tools = chosen_tools(task, check_menu(menu, check_profile(profile)), menu_seed, profile)
    return {
        "world": task.world,
        "apps": apps,
        "menu": tools,
        "profile": profile,
        "now": task.now,
        "me": task.me,
    }


def trial_options(query: Mapping[str, str]) -> dict[str, Any]:
    """Return the options that a URL's query gives, under the names of ``trial_card``'s arguments.

    Raises:
        FarmError: a value has the wrong form.
    """
    options: dict[str, Any] = {"answers": "prose", **query}
    options["answers"] = require_form(options["answers"])
    for name in ("menu_seed", "calls_max"):
        if name in query:
            options[name] = _count(name, query[name])
    if "time_s_max" in query:
        options["time_s_max"] = _seconds("time_s_max", query["time_s_max"])
    return options


def _count(name: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,19}", text):
        raise FarmError(f"'{name}' must be a count, not {text!r}")
    return int(text)


def _seconds(name: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise FarmError(f"'{name}' must be a number of seconds over 0, not {text!r}")
    return seconds
