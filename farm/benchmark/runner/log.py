"""A run's folder: ``run.json`` is the manifest; ``trials.jsonl`` gets one line per trial and is never rewritten.

The last line of a task's trial counts, so rescoring appends as well. A torn last line of a killed run is removed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

from farm._util.json_io import dumps, loads
from farm._util.names import list_names
from farm.benchmark.run_files import MANIFEST, TRIALS
from farm.benchmark.runner.manifest import differences, joined
from farm.errors import ConflictError, FarmError


def _write(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write a manifest atomically."""
    fresh = folder / f"{MANIFEST}.new"
    fresh.write_bytes(orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n")
    fresh.replace(folder / MANIFEST)


class RunLog:
    """The folder of one run."""

    def __init__(self, folder: Path) -> None:
        """Open the folder of a run that exists.

        Raises:
            FarmError: the folder has no run.
        """
        self.folder = folder
        try:
            self.manifest: dict[str, Any] = orjson.loads((folder / MANIFEST).read_bytes())
        except (OSError, orjson.JSONDecodeError):
            below = [str(each.parent) for each in sorted(folder.glob(f"*/{MANIFEST}"))]
            there = f"; there are runs in {list_names(below, '')}" if below else ""
            raise FarmError(f"no run in {folder}: it has no readable {MANIFEST}{there}") from None
        self._path = folder / TRIALS
        self._lock = threading.Lock()
        self._cut_torn_line()

    @staticmethod
    def require_free(folder: Path, *, resume: bool) -> None:
        """Check that a run may start or resume in a folder.

        Raises:
            ConflictError: the folder has a run and ``resume`` is not set, it has trials whose manifest is missing, or
                the path is a file.
        """
        if folder.exists() and not folder.is_dir():
            raise ConflictError(f"{folder} is a file; --out names a folder")
        if (folder / MANIFEST).exists() and not resume:
            raise ConflictError(f"{folder} holds a run already; add --resume to go on with it, or name another --out")
        trials = folder / TRIALS
        if not (folder / MANIFEST).exists() and trials.exists() and trials.stat().st_size:
            # Nobody can tell by which agent, and under which conditions, they were held.
            raise ConflictError(
                f"{folder} holds trials without their {MANIFEST}; put it back, or remove {trials}, "
                "or name another --out"
            )

    @staticmethod
    def begin(folder: Path, manifest: Mapping[str, Any], *, resume: bool) -> RunLog:
        """Start a run in a folder, or resume the one there.

        Raises:
            ConflictError: the folder has a run and ``resume`` is not set, its run differs, or its manifest is missing.
        """
        RunLog.require_free(folder, resume=resume)
        if not (folder / MANIFEST).exists():
            folder.mkdir(parents=True, exist_ok=True)
            _write(folder, manifest)
            return RunLog(folder)
        log = RunLog(folder)
        # Compared in the stored form, in which a tuple is a list.
        differing = differences(log.manifest, orjson.loads(orjson.dumps(manifest)))
        if differing:
            raise ConflictError(f"{folder} holds a run that differs: {'; '.join(differing)}; name another --out")
        _write(folder, joined(log.manifest, manifest))
        return RunLog(folder)

    @staticmethod
    def write(folder: Path, manifest: Mapping[str, Any], trials: Iterable[Mapping[str, Any]]) -> RunLog:
        """Write a whole run into a folder without one. A killed process leaves no run there."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / TRIALS).write_bytes(b"".join(dumps(trial) + b"\n" for trial in trials))
        _write(folder, manifest)
        return RunLog(folder)

    def _cut_torn_line(self) -> None:
        if not self._path.exists():
            return
        data = self._path.read_bytes()
        if data and not data.endswith(b"\n"):
            os.truncate(self._path, data.rfind(b"\n") + 1)

    def append(self, trial: Mapping[str, Any]) -> None:
        """Append a trial and flush it to the disk."""
        line = dumps(trial) + b"\n"
        with self._lock, self._path.open("ab") as file:
            file.write(line)

    def trials(self) -> list[dict[str, Any]]:
        """Return the trials, the last line of each, in order of task and number."""
        if not self._path.exists():
            return []
        found = {}
        for number, line in enumerate(self._path.read_bytes().splitlines(), 1):
            try:
                trial = loads(line)
                found[(trial["task"], trial["trial"])] = trial
            except (orjson.JSONDecodeError, KeyError, TypeError):
                raise FarmError(f"{self._path}:{number} is no line of a trial; remove it, and resume the run") from None
        return [found[key] for key in sorted(found)]
