"""What a task asks, for somebody who plays it without the runner: a test of an agent."""

from __future__ import annotations

from typing import Any

from farm.agents.base import Limits
from farm.context.template import load_world
from farm.runner import prompts
from farm.score.expectations import require_task


def ask_of(name: str) -> dict[str, Any]:
    """Return what a task, named as in ``demo/lark-new-room``, asks, and the episode that it wants.

    Raises:
        NotFound: there is no such task.
    """
    task = require_task(name)
    now = task.now or load_world(task.world).starts_at.isoformat()
    return {
        "task": name,
        "title": task.title,
        "instruction": prompts.instruction(task),
        "system": prompts.system_prompt(prompts.DEFAULT, task, now, Limits(task.calls_max)),
        "world": task.world,
        "apps": list(task.apps),
        "me": task.me,
        "now": now,
        "calls_max": task.calls_max,
    }
