"""A task's card with the request for its episode, for clients that hold trials without the task's file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from farm.appkit.app import LATEST
from farm.benchmark.agents.base import TrialLimits
from farm.benchmark.runner import prompts
from farm.benchmark.runner.menus import check_menu, check_profile, chosen_tools
from farm.benchmark.runner.task_cards import card_of, require_form
from farm.benchmark.runner.trial_limits import require_calls_max, require_time_s_max
from farm.benchmark.scoring.expectations import require_task
from farm.benchmark.scoring.task_start import added_rows
from farm.benchmark.tasks import Task
from farm.benchmark.tasks.sheet_fields import AnswerForm
from farm.errors import FarmError

_SEED_MAX = 2**63 - 1


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
        "rows": added_rows(task) or None,
        "faults": [*task.faults] or None,
        "arrivals": task.arrivals or None,
        "pace": task.pace,
        "user": task.user,
        "people": [*task.people] or None,
        "world_people": task.world_people or None,
    }


def trial_options(query: Mapping[str, str]) -> dict[str, Any]:
    """Return the options that a URL's query gives, under the names of ``trial_card``'s arguments.

    Raises:
        FarmError: a value has the wrong form.
    """
    options: dict[str, Any] = {"answers": "prose", **query}
    options["answers"] = require_form(options["answers"])
    if "menu_seed" in query:
        seed = options["menu_seed"] = _number(query["menu_seed"])
        if not isinstance(seed, int) or not 0 <= seed <= _SEED_MAX:
            raise FarmError(f"'menu_seed' must be a count, not {query['menu_seed']!r}")
    if "calls_max" in query:
        options["calls_max"] = require_calls_max(_number(query["calls_max"]))
    if "time_s_max" in query:
        options["time_s_max"] = require_time_s_max(_number(query["time_s_max"]))
    return options


def _number(text: str) -> int | float | str:
    """Return the number that a text writes; a text that writes none is returned as it is, to be refused by its name."""
    try:
        return int(text) if re.fullmatch("-?[0-9]+", text) else float(text)
    except ValueError:
        return text
