"""Pools of a few calls, written out, for rules that one call decides."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from farm.appkit.schema import Schema
from farm.traverse.tree.pool_calls import PoolCalls, read_pool_calls


def answered(tool: str, arguments: Mapping[str, Any], body: Any, **more: Any) -> dict[str, Any]:
    """Return a successful call: a text as it is, anything else as JSON."""
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    result = {"content": [{"type": "text", "text": text}]}
    line = {"trace": 0, "tool": tool, "arguments": arguments, "result": result, "verdict": "success"}
    return {**line, "error_class": "success", **more}


def pool_of(folder: Path, lines: Sequence[Mapping[str, Any]]) -> PoolCalls:
    """Return calls as a pool; in one trace they stand in their order."""
    return read_pool_calls(write(folder, lines))


def write(folder: Path, lines: Sequence[Mapping[str, Any]]) -> Path:
    """Write calls as a pool; return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    numbered = [{"step": number, **line} for number, line in enumerate(lines)]
    (folder / "pool.jsonl").write_text("".join(json.dumps(each) + "\n" for each in numbered), "utf-8")
    return folder


def loaded(text: str, folder: Path) -> Schema:
    """Return the schema in the text of a schema.py."""
    path = folder / "schema.py"
    path.write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location("drafted", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Schema(module.METADATA)


LISTS = [{"id": f"list{n:08d}aa", "title": f"Errands {n}", "colour": "red" if n % 2 else "blue"} for n in range(4)]
TASKS = [
    {"id": f"task{n:08d}bb", "list_id": LISTS[n % 4]["id"], "text": f"Buy {n} apples at the market", "done": n > 3}
    for n in range(6)
]


def todo_calls() -> list[dict[str, Any]]:
    """Return calls of a small list of tasks: lists, their tasks, one made, one done, one gone."""
    return [
        answered("get_lists", {}, {"lists": LISTS}),
        *(answered("get_list", {"list_id": each["id"]}, each) for each in LISTS),
        answered("get_tasks", {}, {"tasks": TASKS}),
        answered("get_task", {"task_id": TASKS[0]["id"]}, TASKS[0]),
        answered("complete_task", {"task_id": TASKS[1]["id"]}, {"task_id": TASKS[1]["id"], "changed": 1}),
        answered("complete_task", {"task_id": TASKS[2]["id"]}, {"task_id": TASKS[2]["id"], "changed": 1}),
    ]
