"""Work folders of exports and imports: locked while in use, so that they are not taken for leftovers."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where a folder cannot be opened to be locked
    fcntl = None  # type: ignore[assignment]

IMPORTS = "imports"
_NAME = re.compile(r"[0-9a-f]{16,32}-\d+")  # other names were put there by a person, who may need them
_TRIES = 10
_WAIT_S = 0.02


@contextmanager
def taken(parent: Path, name: str) -> Iterator[Path]:
    """Lock a work folder for this process: the one of this name with its files, or, if it is in use, one beside it.

    It stays afterwards unless it is empty: its files may be needed again.

    Args:
        parent: its parent folder.
        name: 16 to 32 hexadecimal digits, by which ``abandoned`` recognizes it.
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
    """Yield whether a work folder is abandoned; if so, it stays locked inside."""
    lock = _lock(folder, is_made=False) if _NAME.fullmatch(folder.name) else None
    try:
        yield lock is not None
    finally:
        if lock is not None:
            os.close(lock)


def _lock(folder: Path, *, is_made: bool) -> int | None:
    """Lock a folder and return the lock; None if another process holds it, or there is no such folder."""
    for _ in range(_TRIES):
        if is_made:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            if not is_made:
                return None
            continue  # removed meanwhile
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # It may have been removed meanwhile, or have become an episode: then the lock is on another folder.
            if os.path.samestat(os.fstat(lock), os.stat(folder)):
                return lock
        os.close(lock)
        time.sleep(_WAIT_S)  # a process that only checks releases it at once
    return None
