"""Writes a content folder: the mocks as one app without state, an empty world, and the tasks as a suite."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from farm._util.whole_files import write_whole
from farm.appkit.world_spec.world_of_one import WORLD_OF_ONE
from farm.benchmark.generate.task_file import task_text
from farm.benchmark.imports.mcpagentbench.gold import GoldTask, problem_of, read_free_tools, read_tasks
from farm.benchmark.imports.mcpagentbench.mocks import Mock, read_mocks
from farm.benchmark.imports.mcpagentbench.translate import SUPPORT
from farm.benchmark.scoring.mcpagentbench import category_of
from farm.errors import ConflictError

# The name of the app, the world and the suite.
NAME = "mcpagentbench"
_KERNEL = f"kernels/{NAME}"
_MARK = f"{_KERNEL}/IMPORTED.md"
_CALLS_MAX = 30
# The original's servers run on these versions.
_SDK, _PYDANTIC = "1.13.1", "2.11"

_INIT = '''"""MCPAgentBench's mocks, imported by farm tasks import."""

from farm.appkit import App, Envelope, Worded, by_output_schema
from farm.appkit.dialects import Pydantic

from .tools import TOOLS

APP = App(
    name="{name}",
    title="MCPAgentBench",
    category="other",
    dialect=Pydantic(sdk="{sdk}", pydantic="{pydantic}", untyped={untyped}),
    tools=TOOLS,
    envelope=Envelope(
        is_error=False,
        structured=by_output_schema,
        refusal=Worded("Error executing tool {{tool}}: {{message}}"),
    ),
)
'''
_TOOLS = '''"""Every mock, by name."""

from farm.appkit import Tool

from . import {modules}
from .{support} import mock

TOOLS = (
{rows}
)
'''
_SCHEMA = '''"""The mocks keep nothing between calls."""

from farm.appkit.schema import MetaData

METADATA = MetaData()
'''
_WORLD = "# A world without rows, for mocks that keep nothing.\n\n" + WORLD_OF_ONE.format(
    name=NAME,
    title="No world: mocks that keep nothing",
    summary="The tasks of MCPAgentBench have no state.",
    starts_at="2025-12-01T09:00:00+00:00",
    note="Nobody else.",
    person="user",
    person_name="The User",
    job="User",
)
_IMPORTED = """# Imported by `farm tasks import`

{tools} mocks and {tasks} tasks of a checkout of MCPAgentBench. The mocks' code was translated by rules: the time,
chance and ids are the episode's, and no mock keeps anything between calls. It is not part of mcp-farm.
{left_out}"""


@dataclass(frozen=True)
class Imported:
    """What was imported.

    Attributes:
        left_out: id of a task → why it could not be imported.
    """

    tools: tuple[str, ...]
    tasks: tuple[str, ...]
    left_out: Mapping[str, str]


def import_checkout(checkout: Path, folder: Path) -> Imported:
    """Write a checkout's mocks and tasks into a content folder.

    Raises:
        FarmError: the checkout cannot be read, or a mock not be translated.
        ConflictError: the folder has an app or a suite of this name that was not imported.
    """
    require_replaceable(folder)
    mocks, tasks, free = read_mocks(checkout / "servers"), read_tasks(checkout), read_free_tools(checkout)
    names = [mock.name for mock in mocks]
    left_out = {task.id: problem for task in tasks if (problem := problem_of(task, names))}
    kept = [task for task in tasks if task.id not in left_out]
    for old in (_KERNEL, f"contexts/{NAME}", f"tasks/{NAME}"):
        shutil.rmtree(folder / old, ignore_errors=True)
    for path, text in [*_app_files(mocks), *_task_files(kept, free)]:
        write_whole(folder / path, text.encode())
    lines = "".join(f"- `{name}` is left out: {why}\n" for name, why in left_out.items())
    about = _IMPORTED.format(tools=len(mocks), tasks=len(kept), left_out=lines and f"\n{lines}")
    write_whole(folder / _MARK, about.encode())
    return Imported(tuple(names), tuple(each.id for each in kept), left_out)


def require_replaceable(folder: Path) -> None:
    """Raise an error if a folder has files that an import would overwrite.

    Raises:
        ConflictError: it has.
    """
    for each in (_KERNEL, f"tasks/{NAME}"):
        if (folder / each).exists() and not (folder / _MARK).is_file():
            raise ConflictError(f"{folder / each} was not written by farm tasks import; name another --content")


def _app_files(mocks: Sequence[Mock]) -> Iterator[tuple[str, str]]:
    untyped = tuple(f"{mock.name}.{each}" for mock in mocks for each in mock.untyped)
    yield f"{_KERNEL}/__init__.py", _INIT.format(name=NAME, sdk=_SDK, pydantic=_PYDANTIC, untyped=untyped)
    rows = "\n".join(f'    Tool("{mock.name}", mock({_module(mock)}.{mock.name})),' for mock in mocks)
    modules = ", ".join(map(_module, mocks))
    yield f"{_KERNEL}/tools.py", _TOOLS.format(modules=modules, support=SUPPORT, rows=rows)
    yield f"{_KERNEL}/{SUPPORT}.py", files(__package__).joinpath("kernel_support.py").read_text("utf-8")
    wire = {"server": {"name": NAME, "version": "0"}, "tools": [mock.schema for mock in mocks]}
    yield f"{_KERNEL}/tools.json", json.dumps(wire, ensure_ascii=False, indent=2) + "\n"
    for mock in mocks:
        yield f"{_KERNEL}/{_module(mock)}.py", mock.code
    yield f"contexts/{NAME}/schema.py", _SCHEMA
    yield f"contexts/worlds/{NAME}/world.toml", _WORLD
    yield f"contexts/worlds/{NAME}/{NAME}.jsonl", ""


def _module(mock: Mock) -> str:
    return f"mock_{mock.name}"


def _task_files(tasks: Sequence[GoldTask], free: frozenset[str]) -> Iterator[tuple[str, str]]:
    yield f"tasks/{NAME}/suite.toml", 'title = "MCPAgentBench, imported"\n'
    for task in tasks:
        yield f"tasks/{NAME}/{task.id}.toml", task_text(_task(task, free))


def _task(task: GoldTask, free: frozenset[str]) -> dict[str, Any]:
    """Return the table of a task's file."""
    used = {tool for step in task.steps for tool, _ in step}
    return {
        "id": task.id,
        "title": task.id.replace("_", " "),
        "world": NAME,
        "apps": [NAME],
        "category": category_of(task.id),
        "calls_max": max(_CALLS_MAX, sum(map(len, task.steps))),
        "instruction": task.content,
        "compared_by_name": sorted(used & free),
        "checkpoints": [{"id": "calls", "kind": "other", "predicate": "oracle_calls"}],
        "oracle": [
            {"calls": [{"app": NAME, "tool": tool, "arguments": given} for tool, given in step]} for step in task.steps
        ],
    }
