"""Reads MCPAgentBench's tasks: what is asked, and the calls that do it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from farm.benchmark.tasks.value_syntax import LOOKUP, REFERENCE
from farm.errors import FarmError

_TASKS, _SETTINGS = "data/tasks.json", "configs/evaluation_config.json"


@dataclass(frozen=True)
class GoldTask:
    """One task.

    Attributes:
        id: the original's id, which contains the category.
        content: what the agent is asked.
        steps: tool and arguments of each call of each step; the calls of a step are made at once.
    """

    id: str
    content: str
    steps: tuple[tuple[tuple[str, Mapping[str, Any]], ...], ...]


def read_tasks(checkout: Path) -> list[GoldTask]:
    """Return the tasks of a checkout, in the order of the file.

    Raises:
        FarmError: the file cannot be read, or has another form.
    """
    path = checkout / _TASKS
    try:
        tasks = [_task_of(each) for each in _json(path)]
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise FarmError(f"{path} has no tasks of MCPAgentBench ({type(problem).__name__}: {problem})") from None
    if len({each.id for each in tasks}) != len(tasks):
        raise FarmError(f"{path} has two tasks of one id")
    return tasks


def _task_of(raw: Mapping[str, Any]) -> GoldTask:
    steps = tuple(
        tuple((str(tool), dict(given)) for tool, given in zip(tools, inputs, strict=True))
        for tools, inputs in zip(raw["tools"], raw["inputs"], strict=True)
    )
    return GoldTask(str(raw["id"]), str(raw["content"]), steps)


def read_free_tools(checkout: Path) -> frozenset[str]:
    """Return the tools whose arguments the original does not compare.

    Raises:
        FarmError: the file cannot be read, or has another form.
    """
    path = checkout / _SETTINGS
    try:
        return frozenset(map(str, _json(path)["skip_input_tools"]))
    except (KeyError, TypeError) as problem:
        raise FarmError(f"{path} lacks skip_input_tools ({type(problem).__name__}: {problem})") from None


def problem_of(task: GoldTask, tools: Sequence[str]) -> str | None:
    """Return why a task cannot be imported, or None if it can."""
    if not task.id.replace("_", "").replace("-", "").isalnum():
        return "its id is no name of a file"
    if not any(task.steps) or not all(task.steps):
        return "it has no calls"
    for tool, given in (call for step in task.steps for call in step):
        if tool not in tools:
            return f"there is no mock '{tool}'"
        if problem := _problem_of_value(given):
            return f"{tool}: {problem}"
    return None


def _problem_of_value(value: Any) -> str | None:
    """Return why a task file cannot hold a value."""
    match value:
        case None:
            return "task files have no null"
        case str() if REFERENCE.search(value) or LOOKUP.search(value) or "{{" in value:
            return f"{value!r} is a reference in a task file"
        case Mapping():
            return next((found for each in value.values() if (found := _problem_of_value(each))), None)
        case list():
            return next((found for each in value if (found := _problem_of_value(each))), None)
    return None


def _json(path: Path) -> Any:
    try:
        return orjson.loads(path.read_bytes())
    except OSError as problem:
        what = "PATH is a checkout of MCPAgentBench, with data/, configs/ and servers/"
        raise FarmError(f"{path} cannot be read ({problem.strerror}); {what}") from None
    except orjson.JSONDecodeError as problem:
        raise FarmError(f"{path} is not JSON: {problem}") from None
