"""A cache of single tasks by name; a task is parsed again only if its files change.

Parsing a suite takes a tenth of a second, one file some milliseconds, and a check for changes a tenth of one. Worlds
and apps are loaded once per process, as everywhere.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from farm import content
from farm._util.names import list_names
from farm.benchmark.tasks.load import SUITE_FILE, load_task, read_suite_file
from farm.benchmark.tasks.model import Suite, Task
from farm.errors import NotFoundError

TASKS_MAX = 256


@dataclass(frozen=True)
class _Files:
    """The files of a task, as bytes; None for a missing file."""

    suite: bytes | None
    task: bytes
    module: bytes | None


class TaskCache:
    """The requested tasks, the latest last.

    Attributes:
        parsed: the number of task files parsed so far.
    """

    def __init__(self, tasks_max: int = TASKS_MAX) -> None:
        self.parsed = 0
        self._tasks_max = tasks_max
        self._tasks: OrderedDict[Path, tuple[_Files, Task]] = OrderedDict()
        self._lock = threading.Lock()

    def suite(self, name: str) -> Suite:
        """Return a suite; only tasks whose files have changed are parsed again.

        Raises:
            NotFoundError: the suite does not exist.
            TaskError: with one line for each problem of the first faulty file.
        """
        folder = content.suite_dir(name)
        title, _ = read_suite_file(folder / SUITE_FILE)
        names = sorted(path.stem for path in folder.glob("*.toml") if path.name != SUITE_FILE)
        return Suite(name, title or name, tuple(self.task(name, task_id) for task_id in names))

    def task(self, suite: str, task_id: str) -> Task:
        """Return one task of a suite.

        Raises:
            NotFoundError: the suite or the task does not exist; the message lists some.
            TaskError: with one line for each problem of its file.
        """
        folder = content.suite_dir(suite)
        path = folder / f"{task_id}.toml"
        # Names are compared with the folder's files, so that a name in a request cannot lead to another path.
        if path.name == SUITE_FILE or f"{task_id}.toml" not in os.listdir(folder):
            names = sorted(each.stem for each in folder.glob("*.toml") if each.name != SUITE_FILE)
            raise NotFoundError(f"no task '{task_id}' in suite '{suite}'; have {list_names(names, task_id)}")
        module = path.with_name(f"{task_id.replace('-', '_')}.py")
        files = _Files(_bytes(folder / SUITE_FILE), path.read_bytes(), _bytes(module))
        with self._lock:
            known = self._tasks.pop(path, None)
            if known is None or known[0] != files:
                if known is not None and known[0].module != files.module:
                    content.forget_suite_module(suite, module.stem)
                self.parsed += 1
                known = files, load_task(path, suite, allow=read_suite_file(folder / SUITE_FILE)[1])
            self._tasks[path] = known
            while len(self._tasks) > self._tasks_max:
                self._tasks.popitem(last=False)
        return known[1]


def _bytes(path: Path) -> bytes | None:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except (FileNotFoundError, IsADirectoryError):
        return None
