"""Limits the size of the log of a farm in the background.

All processes of the farm write to one open file and cannot be told to open another. So a full log is copied, and the
file is truncated.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import threading
from pathlib import Path
from typing import IO

LOG = "farm.log"
OLDER = "farm.log.1"
SIZE_BYTES_MAX = 8 << 20
_LOOK_EVERY_S = 1.0
_logger = logging.getLogger("farm.runtime.supervisor")


def begin(data: Path) -> IO[bytes]:
    """Return an empty log, opened for appending, so that writers continue at its end after a truncation."""
    log = data / LOG
    log.open("wb").close()
    (data / OLDER).unlink(missing_ok=True)
    return log.open("ab")


def rotate(data: Path) -> bool:
    """Move a full log's lines to the older log and truncate it; return whether it was full.

    Of a log that has grown beyond its limit before the check, the end is kept.
    """
    log, older = data / LOG, data / OLDER
    with log.open("r+b") as full:
        size = os.fstat(full.fileno()).st_size
        if size < SIZE_BYTES_MAX:
            return False
        full.seek(size - SIZE_BYTES_MAX)
        with older.open("wb") as kept:
            shutil.copyfileobj(full, kept)
        full.truncate(0)
    return True


def keep_bounded(data: Path) -> None:
    """Keep the log within its limit while this process runs, if the process prints to it."""
    if _prints_to(data / LOG):
        threading.Thread(target=_look_after, args=(data,), name="farm-log", daemon=True).start()


def _prints_to(log: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(sys.stderr.fileno()), log.stat())
    except (OSError, ValueError):  # there is no log, or no stderr
        return False


def _look_after(data: Path) -> None:
    is_failing = False
    while not _pause.wait(_LOOK_EVERY_S):
        try:
            rotate(data)
            is_failing = False
        except OSError as problem:
            if not is_failing:
                _logger.error("%s cannot be begun anew (%s); tried again", data / LOG, problem.strerror)
            is_failing = True


_pause = threading.Event()  # never set: the thread ends with its process
