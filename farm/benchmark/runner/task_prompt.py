"""The prompt of a task, for tests of agents that play it without the runner."""

from __future__ import annotations

from typing import Any

from farm.benchmark.agents.base import TrialLimits
from farm.benchmark.runner import prompts
from farm.benchmark.scoring.expectations import require_task
from farm.context.template import load_world


def ask_of(name: str) -> dict[str, Any]:
    """Return the instruction of a task, named as in ``demo/lark-new-room``, and the options of its episode.

    Raises:
        NotFoundError: the task does not exist.
    """
    task = require_task(name)
    now = task.now or load_world(task.world).starts_at.isoformat()
    return {
        "task": name,
        "title": task.title,
        "instruction": prompts.instruction(task),
        "system": prompts.system_prompt(prompts.DEFAULT, task, now, TrialLimits(task.calls_max)),
        "world": task.world,
        "apps": list(task.apps),
        "me": task.me,
        "now": now,
        "calls_max": task.calls_max,
    }
