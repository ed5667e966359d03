"""A run's folder: ``run.json`` says what was run, ``trials.jsonl`` grows by one line a trial and is never rewritten.

The last line of a task's trial counts, so scoring again appends too. A torn last line, of a killed run, is cut.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from farm.errors import Conflict, FarmError
from farm.loose_json import parse_exact, print_exact
from farm.naming import some_names
from farm.runner.manifest import differences, joined

MANIFEST, TRIALS = "run.json", "trials.jsonl"


def _write(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write a manifest whole or not at all."""
    fresh = folder / f"{MANIFEST}.new"
    fresh.write_bytes(orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n")
    fresh.replace(folder / MANIFEST)


class RunLog:
    """The folder of one run."""

    def __init__(self, folder: Path) -> None:
        """Open the folder of a run that exists.

        Raises:
            FarmError: it holds no run.
        """
        self.folder = folder
        try:
            self.manifest: dict[str, Any] = orjson.loads((folder / MANIFEST).read_bytes())
        except (OSError, orjson.JSONDecodeError):
            below = [str(each.parent) for each in sorted(folder.glob(f"*/{MANIFEST}"))]
            there = f"; there are runs in {some_names(below, '')}" if below else ""
            raise FarmError(f"no run in {folder}: it has no readable {MANIFEST}{there}") from None
        self._path = folder / TRIALS
        self._lock = threading.Lock()
        self._cut_torn_line()

    @staticmethod
    def require_free(folder: Path, *, resume: bool) -> None:
        """Check that a run may begin in a folder, or go on there.

        Raises:
            Conflict: there is a run already and ``resume`` is not set, or a file of this name.
        """
        if folder.exists() and not folder.is_dir():
            raise Conflict(f"{folder} is a file; --out names a folder")
        if (folder / MANIFEST).exists() and not resume:
            raise Conflict(f"{folder} holds a run already; add --resume to go on with it, or name another --out")

    @staticmethod
    def begin(folder: Path, manifest: Mapping[str, Any], *, resume: bool) -> RunLog:
        """Start a run in a folder, or go on with the one there.

        Raises:
            Conflict: there is a run already and ``resume`` is not set, or it is another one.
        """
        if not (folder / MANIFEST).exists():
            folder.mkdir(parents=True, exist_ok=True)
            _write(folder, manifest)
            return RunLog(folder)
        RunLog.require_free(folder, resume=resume)
        log = RunLog(folder)
        # As it would be read again: a tuple is a list there.
        differing = differences(log.manifest, orjson.loads(orjson.dumps(manifest)))
        if differing:
            raise Conflict(f"{folder} holds a run that differs: {'; '.join(differing)}; name another --out")
        _write(folder, joined(log.manifest, manifest))
        return RunLog(folder)

    def _cut_torn_line(self) -> None:
        if not self._path.exists():
            return
        data = self._path.read_bytes()
        if data and not data.endswith(b"\n"):
            os.truncate(self._path, data.rfind(b"\n") + 1)

    def append(self, trial: Mapping[str, Any]) -> None:
        """Add a trial; it is on disk when this returns."""
        line = print_exact(trial) + b"\n"
        with self._lock, self._path.open("ab") as file:
            file.write(line)

    def trials(self) -> list[dict[str, Any]]:
        """Return the trials, the last line of each, in order of task and number."""
        if not self._path.exists():
            return []
        found = {}
        for line in self._path.read_bytes().splitlines():
            trial = parse_exact(line)
            found[(trial["task"], trial["trial"])] = trial
        return [found[key] for key in sorted(found)]
