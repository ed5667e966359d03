"""Verdicts of audits that are kept by all that they depend on: the task, its world, its apps, and the farm's code."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from farm import content
from farm._util.json_io import loads
from farm._util.whole_files import write_whole
from farm.benchmark.tasks import Task
from farm.benchmark.tasks.checkpoints import module_name

_CODE = (".py", ".json", ".toml", ".md")


class KeptVerdicts:
    """A folder with a file for each audited task; a file that is none is ignored and written anew."""

    def __init__(self, folder: Path, trace_of: Callable[..., object]) -> None:
        """Keep verdicts in a folder.

        Args:
            trace_of: the function that tells where rows tell facts; verdicts with another one are others.
        """
        self._folder, self._trace = folder, f"{trace_of.__module__}.{trace_of.__qualname__}"

    def find(self, task: Task) -> Mapping[str, Any] | None:
        """Return the kept verdict of a task, or None."""
        try:
            found = loads(self._path(task).read_bytes())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def keep(self, task: Task, verdict: Mapping[str, Any]) -> None:
        """Keep the verdict of a task; a folder that cannot be written keeps nothing."""
        with suppress(OSError):
            write_whole(self._path(task), json.dumps(verdict, ensure_ascii=False).encode())

    def _path(self, task: Task) -> Path:
        digest = hashlib.sha256(f"{self._trace}\n{sys.version}\n{task.suite}\n{task.allow}".encode())
        digest.update(task.raw)
        digest.update(_code_of_task(task))
        digest.update(_hash_of_world(task.world))
        digest.update(_hash_of_farm())
        for app in task.apps:
            digest.update(_hash_of_app(app))
        return self._folder / f"{task.suite}-{task.id}-{digest.hexdigest()[:20]}.json"


def _code_of_task(task: Task) -> bytes:
    """Return the functions beside a task's file, if it has any."""
    if task.suite not in content.suite_names():
        return b""
    path = content.suite_dir(task.suite) / f"{module_name(task.id)}.py"
    return path.read_bytes() if path.is_file() else b""


@lru_cache(maxsize=1)
def _hash_of_farm() -> bytes:
    return _hash_of_files(sorted(Path(__file__).resolve().parents[2].rglob("*.py")))


@lru_cache(maxsize=8)
def _hash_of_world(world: str) -> bytes:
    return _hash_of_files(path for folder in content.world_dirs(world) for path in sorted(folder.rglob("*")))


@lru_cache(maxsize=64)
def _hash_of_app(app: str) -> bytes:
    loaded = content.load_app(app)
    folders = [loaded.folder, content.context_dir(app)]
    if loaded.app.reference:
        folders.append(content.reference_dir(loaded.app.reference))
    return _hash_of_files(path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in _CODE)


def _hash_of_files(paths: Iterable[Path]) -> bytes:
    digest = hashlib.sha256()
    for path in paths:
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.name}\n".encode())
            digest.update(path.read_bytes())
    return digest.digest()
