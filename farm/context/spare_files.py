"""The files of dropped contexts, which the next contexts overwrite.

Creating a file of a megabyte and removing it takes four times as long as overwriting one. The spares of a process are
in the folder of the starts, with its id in their names, so that others can remove them if it was killed.
"""

from __future__ import annotations

import itertools
import os
import re
from contextlib import suppress
from pathlib import Path

_numbers = itertools.count(1)  # several stores of a process may share the folder
_FILES_MAX = 4
_BYTES_MAX = 8 << 20  # a context that has grown is not worth the space


class SpareFiles:
    """The spare files of one app."""

    def __init__(self, folder: Path, app: str) -> None:
        """Have none yet; remove those of processes that have ended."""
        self._folder, self._app = folder, app
        self._pid = os.getpid()
        self._paths: list[str] = []
        own = re.compile(rf"{re.escape(app)}\.(\d+)\.\d+\.spare")
        for name in os.listdir(folder) if folder.is_dir() else ():
            if (found := own.fullmatch(name)) and not _is_alive(int(found[1])):
                _unlink(f"{folder}/{name}")

    def put(self, path: str) -> bool:
        """Keep the file of a context that is closed; return False if it must be removed instead."""
        self._leave_parents()
        if len(self._paths) >= _FILES_MAX:
            return False
        kept = f"{self._folder}/{self._app}.{self._pid}.{next(_numbers)}.spare"
        try:
            if os.stat(path).st_size > _BYTES_MAX:
                return False
            os.rename(path, kept)
        except OSError:
            return False
        self._paths.append(kept)
        return True

    def take(self) -> str | None:
        """Return a file to overwrite, which no one else has; None without one."""
        self._leave_parents()
        while self._paths:
            path = self._paths.pop()
            if os.path.exists(path):
                return path
        return None

    def clear(self) -> None:
        """Remove all."""
        self._leave_parents()
        while self._paths:
            _unlink(self._paths.pop())

    def _leave_parents(self) -> None:
        """In a forked process, leave the files to the parent."""
        if self._pid != os.getpid():
            self._pid, self._paths = os.getpid(), []


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def _unlink(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
