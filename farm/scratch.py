"""Temporary folders that do not outlive who made them: the next run removes what a killed one left, its processes too.

A folder is held by a lock on its file ``owner``, which the kernel lets go when its holder ends, however it ends. What
is started for a folder has its path in ``FARM_SCRATCH``; its processes are found as long as they keep that variable.
Finding processes needs ``/proc``: elsewhere than on Linux only the folders are removed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

VARIABLE = "FARM_SCRATCH"
# Whose folder it is: only one with this file, and this in it, is ever removed for somebody else.
_OWNER, _MARK = "owner", b"A temporary folder of farm run. It may be removed when nobody holds a lock on this file.\n"
_KILLING_S_MAX = 2.0


@contextmanager
def scratch(prefix: str) -> Iterator[Path]:
    """Make a folder; at the end it goes, and with it every process that still carries its mark."""
    folder, lock = made(prefix)
    try:
        yield folder
    finally:
        _remove(folder)
        os.close(lock)


def made(prefix: str) -> tuple[Path, int]:
    """Return a new folder and the descriptor that holds it; the folder is nobody's when that is closed."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix))
        # Not inherited by what is started: the lock must end with this process.
        lock = os.open(folder / _OWNER, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        if _take(lock):
            os.write(lock, _MARK)
            return folder, lock
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)  # a run that is starting looks at it, and takes it for nobody's


def _take(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def sweep() -> list[Path]:
    """Remove the folders, and kill the processes, of those who ended without doing so; return the folders."""
    return [folder for folder in left() if remove_left(folder)]


def left() -> list[Path]:
    """Return the folders of those who ended without removing them."""
    found = []
    for owner in sorted(Path(tempfile.gettempdir()).glob(f"farm-*/{_OWNER}")):
        with _taken(owner) as is_nobodys:
            if is_nobodys:
                found.append(owner.parent)
    return found


def remove_left(folder: Path) -> bool:
    """Remove a folder, and kill its processes, if it is still nobody's; say whether it was."""
    with _taken(folder / _OWNER) as is_nobodys:
        if is_nobodys:
            _remove(folder)
        return is_nobodys


@contextmanager
def _taken(owner: Path) -> Iterator[bool]:
    """Hold a folder of somebody who has ended; gives whether it is one."""
    try:
        is_ours = owner.stat().st_uid == os.getuid()
        lock = os.open(owner, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW) if is_ours else None
    except OSError:
        lock = None  # removed meanwhile, or no file
    if lock is None:
        yield False
        return
    try:
        yield _take(lock) and os.read(lock, len(_MARK)) == _MARK
    finally:
        os.close(lock)


def _remove(folder: Path) -> None:
    kill_marked(folder)
    for path, below, _ in os.walk(folder):
        for each in (os.path.join(path, name) for name in below):
            # An agent may have closed its folders against us; what a link leads to is not ours to open.
            if not os.path.islink(each):
                with suppress(OSError):
                    os.chmod(each, 0o700)
    shutil.rmtree(folder, ignore_errors=True)


def kill_marked(folder: Path) -> None:
    """Kill the processes that carry a folder's mark, those they start meanwhile too."""
    until = time.monotonic() + _KILLING_S_MAX
    while (pids := marked(folder)) and time.monotonic() < until:
        for pid in pids:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def marked(folder: Path) -> list[int]:
    """Return the processes that carry a folder's mark."""
    mark = f"{VARIABLE}={folder}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # another person's, or ended meanwhile
            if mark in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return [pid for pid in found if pid != os.getpid()]
