"""What a suite's tasks are made of: kinds of checkpoints, calls, apps, people, languages, and chains that are alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from farm.benchmark.generate.wording import apps_named, is_chinese
from farm.benchmark.generate.writers import GRADER
from farm.benchmark.tasks import Suite, Task
from farm.context.template import load_world

# What only a program writes: long, with letters and digits mixed.
_ID = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{12,}\b")


def suite_stats(suite: Suite) -> dict[str, Any]:
    """Return the figures of a suite."""
    tasks = suite.tasks
    tools = Counter(f"{call.app}.{call.tool}" for task in tasks for step in task.oracle for call in step)
    calls = [sum(map(len, task.oracle)) for task in tasks]
    return {
        "suite": suite.name,
        "tasks": len(tasks),
        "checkpoints": sum(len(task.checkpoints) for task in tasks),
        "by_kind": dict(Counter(_kind_of(point) for task in tasks for point in task.checkpoints).most_common()),
        "by_category": _by_category(tasks),
        "by_apps": dict(sorted(Counter(len(task.apps) for task in tasks).items())),
        "gold_calls": {"mean": _mean(calls), "by_number": dict(sorted(Counter(calls).items()))},
        "checkpoints_a_task": _mean([len(task.checkpoints) for task in tasks]),
        "counts_of_five": sum(any(getattr(point, "count", 1) >= 5 for point in task.checkpoints) for task in tasks),
        "worlds": dict(Counter(task.world for task in tasks)),
        "people": dict(Counter(task.me or load_world(task.world).protagonist for task in tasks).most_common()),
        "chinese": sum(is_chinese(task.instruction) for task in tasks),
        "name_every_app": sum(len(apps_named(task.instruction, task.apps)) == len(task.apps) for task in tasks),
        "name_no_app": sum(not apps_named(task.instruction, task.apps) for task in tasks),
        "with_ids": sorted(task.id for task in tasks if _ID.search(task.instruction)),
        "with_grader_clauses": sorted(task.id for task in tasks if GRADER.search(task.instruction)),
        "chains_alike": chains_alike(tasks),
        "tools_used": len(tools),
        "tools_most_used": dict(tools.most_common(10)),
    }


def chains_alike(tasks: Iterable[Task]) -> list[list[str]]:
    """Return the tasks whose oracles call the same tools in the same order, group by group."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for task in tasks:
        tools = tuple(f"{call.app}.{call.tool}" for step in task.oracle for call in step)
        groups.setdefault(tools, []).append(task.id)
    return [each for each in groups.values() if len(each) > 1]


def _by_category(tasks: Sequence[Task]) -> Mapping[str, Mapping[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for task in sorted(tasks, key=lambda each: each.category):
        group = found.setdefault(task.category, {"tasks": 0, "checkpoints": 0})
        group["tasks"] += 1
        group["checkpoints"] += len(task.checkpoints)
    return found


def _kind_of(point: Any) -> str:
    return f"operate {point.change}" if point.kind == "operate" else str(point.kind)


def _mean(numbers: Sequence[int]) -> float:
    return round(sum(numbers) / len(numbers), 2) if numbers else 0.0
