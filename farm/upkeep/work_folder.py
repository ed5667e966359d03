"""Folders in which an export or import is at work: locked for as long as it is, and no leftovers until then."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where no folder can be opened to be locked
    fcntl = None  # type: ignore[assignment]

EXPORTS = "exports"
IMPORTS = "imports"
_NAME = re.compile(r"[0-9a-f]{16,32}-\d+")  # what else is there somebody has put there, who may want it
_TRIES = 10
_WAIT_S = 0.02


@contextmanager
def taken(parent: Path, name: str) -> Iterator[Path]:
    """Work in a folder that nobody else works in: the one of this name, what is in it included, or one beside it.

    It stays afterwards unless it is empty: what was brought into it may be wanted again.

    Args:
        parent: where it is.
        name: 16 to 32 hexadecimal digits, by which ``abandoned`` knows it.
    """
    number, lock = 1, None
    while (lock := _lock(folder := parent / f"{name}-{number}", is_made=True)) is None:
        number += 1
    try:
        yield folder
    finally:
        with suppress(OSError):
            folder.rmdir()
        os.close(lock)


@contextmanager
def abandoned(folder: Path) -> Iterator[bool]:
    """Say whether a folder was worked in and is no more; where so, nobody begins to before the end."""
    lock = _lock(folder, is_made=False) if _NAME.fullmatch(folder.name) else None
    try:
        yield lock is not None
    finally:
        if lock is not None:
            os.close(lock)


def _lock(folder: Path, *, is_made: bool) -> int | None:
    """Lock a folder and return the lock; None where somebody else has it, or it is not there."""
    for _ in range(_TRIES):
        if is_made:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            if not is_made:
                return None
            continue  # removed just now
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # It may have been removed in between, or have become an episode: what is locked is something else then.
            if os.path.samestat(os.fstat(lock), os.stat(folder)):
                return lock
        os.close(lock)
        time.sleep(_WAIT_S)  # somebody who only looks lets go at once
    return None
