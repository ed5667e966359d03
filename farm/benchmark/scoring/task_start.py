"""The start of a task: that of its world, with the rows that the task adds."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import orjson

from farm._util.json_io import loads
from farm.benchmark.scoring.initial_state import Start, load_start
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.tasks import Task


def added_rows(task: Task) -> dict[str, list[dict[str, Any]]]:
    """Return app → the rows of a task's start besides the world's, each with its ``table``, as episodes take them.

    Raises:
        FarmError: a lookup of a row matches no row of the world, or several.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    values = ValueResolver(load_start(task.world), task.lookups, task.me)
    for each in task.rows:
        row = {column: values.resolve(value, each.app) for column, value in each.values.items()}
        found.setdefault(each.app, []).append({"table": each.table, **row})
    return found


def start_of_task(task: Task) -> Start:
    """Return the start of a task; cached."""
    return _start_with(task.world, orjson.dumps(added_rows(task))) if task.rows else load_start(task.world)


@lru_cache(maxsize=8)
def _start_with(world: str, rows: bytes) -> Start:
    return load_start(world).with_rows(loads(rows))
