"""The files of one app in one episode, by generations.

``EP/<app>.<generation>.db`` is the context and ``EP/<app>.<generation>.log`` its calls. A new state (create, reset,
restore) is always written whole to ``.tmp`` and renamed to the next generation's new name; on start the highest
generation wins. Nothing is overwritten and nothing is renamed over: on ext4 that costs five times as much, and a file
under an open connection must never change.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

_SIDE_FILES = ("-wal", "-shm", "-journal")


class EpisodeFiles:
    """Names and moves the files of one app in one episode's folder."""

    def __init__(self, folder: Path, app: str) -> None:
        self.folder = folder
        self.app = app
        self._pattern = re.compile(re.escape(app) + r"\.(\d+)\.db")

    def db(self, generation: int) -> Path:
        """Return the path of a generation's context."""
        return self.folder / f"{self.app}.{generation}.db"

    def log(self, generation: int) -> Path:
        """Return the path of a generation's call log."""
        return self.folder / f"{self.app}.{generation}.log"

    def snapshot_db(self, snapshot: str) -> Path:
        """Return the path of a snapshot's context."""
        return self.folder / "snapshots" / snapshot / f"{self.app}.db"

    def snapshot_log(self, snapshot: str) -> Path:
        """Return the path of a snapshot's list of log parts."""
        return self.folder / "snapshots" / snapshot / f"{self.app}.parts.json"

    def generations(self) -> list[int]:
        """Return the generations whose context is complete, oldest first."""
        if not self.folder.is_dir():
            return []
        found = (self._pattern.fullmatch(name) for name in os.listdir(self.folder))
        return sorted(int(match[1]) for match in found if match)

    def newest(self) -> int | None:
        """Return the generation that holds, or None when the app has no context here."""
        generations = self.generations()
        return generations[-1] if generations else None

    def remove(self, generation: int, *, log: bool) -> None:
        """Remove a generation's context with whatever SQLite left beside it, and its log if told so."""
        path = self.db(generation)
        for suffix in ("", *_SIDE_FILES):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        if log:
            self.log(generation).unlink(missing_ok=True)

    def clean(self) -> None:
        """Remove what a killed process left behind: older generations' contexts and half-written files."""
        for generation in self.generations()[:-1]:
            self.remove(generation, log=False)
        for path in self.folder.glob(f"{self.app}.*.tmp"):
            path.unlink(missing_ok=True)


def write_new(path: Path, data: bytes) -> None:
    """Write a complete new file under a name that did not exist: all of it or nothing, whenever the process dies.

    Raises:
        FileExistsError: the name is taken.
        OSError: the disk is full or not writable; no partial file keeps the name.
    """
    temporary = f"{path}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    finally:
        os.close(descriptor)
    if os.path.exists(path):
        os.unlink(temporary)
        raise FileExistsError(f"{path} exists; a generation is never written twice")
    os.rename(temporary, path)
