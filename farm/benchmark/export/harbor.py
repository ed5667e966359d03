"""Writes tasks as folders of the Harbor framework: a farm beside the agent's container, the oracle as the solution."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

import yaml

from farm import __version__
from farm.benchmark.runner.play import TIME_S_MAX, Play, play_oracle
from farm.benchmark.runner.task_cards import TaskCard, card_of
from farm.benchmark.tasks import Suite, Task
from farm.errors import ConflictError, FarmError

SEED = 0
PORT, CONTROL_PORT = 8700, 8701
AGENT_IMAGE = "python:3.12-slim"
ANSWER_FOLDER, VERDICT_FOLDER = "/answer", "/verdict"
ANSWER_FILE = f"{ANSWER_FOLDER}/answer.md"
# In the agent's container, by Docker's name of the farm's.
_SERVER = f"http://farm:{PORT}/mcp"
# Template → its file in a task's folder.
_OPEN = {
    "task.toml": "task.toml",
    "instruction.md": "instruction.md",
    "docker-compose.yaml": "environment/docker-compose.yaml",
    "test.sh": "tests/test.sh",
}
_SOLUTION = {"solve.sh": "solution/solve.sh", "solve.py": "solution/solve.py"}
# The values that are the same for every task.
_PLACES = {
    "agent_image": AGENT_IMAGE,
    "answer_folder": ANSWER_FOLDER,
    "answer_file": ANSWER_FILE,
    "verdict_folder": VERDICT_FOLDER,
    "port": str(PORT),
    "control_port": str(CONTROL_PORT),
}


class _Template(Template):
    """A template with ``%names``: shell and Compose use ``$``."""

    delimiter = "%"


def export_suite(suite: Suite, out: Path, on_task: Callable[[Task], None] | None = None) -> list[Path]:
    """Write a folder for each task and return the folders; each is validated after it is written.

    The solution has the oracle's calls with every id filled in: it is played once in this process. Nothing is written
    before every oracle has earned full marks.

    Args:
        suite: the tasks.
        out: the folder to create; it may exist if it is empty.
        on_task: called after each task's oracle was played.

    Raises:
        ConflictError: the folder has files.
        FarmError: the folder cannot be written, or a task's oracle does not earn full marks.
    """
    try:
        if out.exists() and any(out.iterdir()):
            raise ConflictError(f"{out} has files already; name a new or an empty folder")
        made = {}
        for task in suite.tasks:
            made[out / f"{task.suite}-{task.id}"] = task_files(task)
            if on_task:
                on_task(task)
        for folder, texts in made.items():
            for name, text in texts.items():
                _write(folder / name, text)
            require_parsed(folder)
    except OSError as problem:
        raise FarmError(f"{problem.filename or out} cannot be written ({problem.strerror})") from None
    return [*made]


def task_files(task: Task) -> dict[str, str]:
    """Return the files of a task's folder: name → text.

    Raises:
        FarmError: the oracle does not earn full marks, so the task would be exported with a wrong solution.
    """
    calls, answer = _solution(task)
    return {
        **open_files(card_of(task, answers="sheet")),
        **{path: _filled(name, _PLACES) for name, path in _SOLUTION.items()},
        "solution/calls.json": json.dumps(calls, ensure_ascii=False, indent=2) + "\n",
        "solution/answer.md": answer,
    }


def open_files(card: TaskCard) -> dict[str, str]:
    """Return the files outside ``solution/``, made of the task's card, which has no checkpoint and no oracle."""
    values = {**_PLACES, **_values(card)}
    return {path: _filled(name, values) for name, path in _OPEN.items()}


def require_parsed(folder: Path) -> None:
    """Check that the files of a task's folder parse: TOML, YAML and, where bash is at hand, the scripts.

    Raises:
        FarmError: one does not.
    """
    path = folder / "task.toml"
    try:
        tomllib.loads(path.read_text("utf-8"))
        path = folder / "environment" / "docker-compose.yaml"
        yaml.safe_load(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, yaml.YAMLError) as problem:
        raise FarmError(f"{path}: {' '.join(str(problem).split())}") from None
    bash = shutil.which("bash")
    for path in sorted(folder.rglob("*.sh")) if bash else ():
        parsed = subprocess.run([str(bash), "-n", path], capture_output=True, text=True)
        if parsed.returncode:
            raise FarmError(f"{path}: {' '.join(parsed.stderr.split())}")


def _solution(task: Task) -> tuple[list[dict[str, Any]], str]:
    with Play(task, SEED, label="export") as play:
        found = play_oracle(play)
        line = play.finish_result(found)
    if line["acc"] != 1.0 or line["damage"]:
        raise FarmError(f"{task.suite}/{task.id}: its oracle scores {line['acc']:.2f}; 'farm audit' explains")
    calls = [
        {"url": f"{_SERVER}/{app}", "tool": tool, "arguments": given}
        for turn in found.turns or ()
        for app, tool, given in turn
    ]
    return calls, found.answer


def _values(card: TaskCard) -> dict[str, str]:
    servers = "".join(
        f'\n[[environment.mcp_servers]]\nname = "{app}"\ntransport = "streamable-http"\nurl = "{_SERVER}/{app}"\n'
        for app in card.apps
    )
    return {
        "name": _toml(f"mcp-farm/{card.task.replace('/', '-')}"),
        "title": _toml(card.title),
        "keywords": _toml(["mcp", *card.apps]),
        "task": card.task,
        "task_name": _toml(card.task),
        "category": _toml(card.category),
        "world": _toml(card.world),
        "calls_max": str(card.calls_max),
        "version": _toml(__version__),
        "agent_s": str(TIME_S_MAX),
        "system": card.system.strip(),
        "instruction": card.instruction.strip(),
        "servers": ", ".join(f"`{app}` ({_SERVER}/{app})" for app in card.apps),
        "mcp_servers": servers.rstrip(),
    }


def _filled(name: str, values: Mapping[str, str]) -> str:
    template = files(f"{__package__}.harbor_templates").joinpath(name).read_text("utf-8")
    return _Template(template).substitute(values)


def _toml(value: str | list[str]) -> str:
    # A JSON text is a TOML text, but for U+007F, which JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    if path.suffix == ".sh":
        path.chmod(0o755)
