"""A task in lines for people: what is judged and the oracle's calls, with facts and dates filled in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from farm.appkit.world_spec.placeholders import render_dates
from farm.benchmark.tasks.model import Task
from farm.context.template import load_world


def asker(task: Task) -> str:
    """Return who asks, when and in which world."""
    world = load_world(task.world)
    me = task.me or world.protagonist
    at = (datetime.fromisoformat(task.now) if task.now else world.starts_at).astimezone(world.zone_of(task.me))
    return f"{world.people[me]['name_en']} ({me}) in {task.world}, {at:%A}, {at.day} {at:%B %Y, %H:%M}"


def judged(task: Task) -> Iterator[str]:
    """Yield each value from the start that conditions name, then each checkpoint: its id, its kind, its conditions."""
    for name, lookup in task.lookups.items():
        yield f"{{{{{name}}}}}: {_flat(task, lookup)}"
    for point in task.checkpoints:
        said = {key: value for key, value in point.conditions.items() if value and key not in ("id", "kind")}
        yield f"{point.id} ({point.kind}): {_flat(task, said)}"


def gold_calls(task: Task) -> Iterator[tuple[int, str]]:
    """Yield each call of the oracle with the number of its step, from 1."""
    for number, step in enumerate(task.oracle, 1):
        for call in step:
            yield number, f"{call.app}.{call.tool} {_flat(task, call.arguments)}"


def filled(task: Task, text: str) -> str:
    """Return a text of the task with its dates filled in."""
    world = load_world(task.world)
    return render_dates(text, world.monday, world.zone)


def _flat(task: Task, value: Any) -> str:
    return filled(task, json.dumps(value, ensure_ascii=False, default=str))
