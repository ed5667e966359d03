"""Temporary folders that do not outlive their process: the next run removes what a killed run left, with its processes.

A process holds a folder by a lock on its file ``owner``; the operating system releases the lock when the process ends
in any way. Processes that are started for a folder have its path in ``FARM_SCRATCH`` and are found by that variable,
and so are their descendants, as a process that sets its title may overwrite its variables. Finding processes needs
``/proc``: on other systems than Linux, only the folders are removed.
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
# Only a folder with this file and this content is ever removed on behalf of another process.
_OWNER, _MARK = "owner", b"A temporary folder of farm run. It may be removed when nobody holds a lock on this file.\n"
_KILLING_S_MAX = 2.0
# The path of a socket has at most 107 letters (103 on macOS), of which programs with sockets in a folder take 80.
_PLACE_MAX = 20


@contextmanager
def scratch(prefix: str, *, is_for_sockets: bool = False) -> Iterator[Path]:
    """Create a folder; at the end, remove it and kill every process that still carries its mark.

    Args:
        is_for_sockets: whether it is made in ``/tmp`` if the paths of sockets in the usual place, which alone the next
            run searches, would be too long.
    """
    is_elsewhere = is_for_sockets and len(tempfile.gettempdir()) > _PLACE_MAX
    folder, lock = made(prefix, "/tmp" if is_elsewhere else None)
    try:
        yield folder
    finally:
        _remove(folder)
        os.close(lock)


@contextmanager
def marking(folder: Path, **variables: str) -> Iterator[None]:
    """Have processes that are started meanwhile carry a folder's mark, and other variables."""
    own = {VARIABLE: str(folder), **variables}
    before = {name: os.environ.get(name) for name in own}
    os.environ.update(own)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def made(prefix: str, below: str | None = None) -> tuple[Path, int]:
    """Return a new folder and the descriptor that holds its lock; closing the descriptor abandons the folder."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=below))
        # Child processes must not inherit the lock: it has to end with this process.
        lock = os.open(folder / _OWNER, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        if _take(lock):
            os.write(lock, _MARK)
            return folder, lock
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)  # a starting run locked it first and treats it as abandoned


def _take(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def sweep() -> list[Path]:
    """Remove abandoned folders and kill their processes; return the folders."""
    return [folder for folder in left() if remove_left(folder)]


def left() -> list[Path]:
    """Return the abandoned folders: those whose owners ended without removing them."""
    found = []
    for owner in sorted(Path(tempfile.gettempdir()).glob(f"farm-*/{_OWNER}")):
        with _taken(owner) as is_nobodys:
            if is_nobodys:
                found.append(owner.parent)
    return found


def remove_left(folder: Path) -> bool:
    """Remove a folder and kill its processes if it is still abandoned; return whether it was."""
    with _taken(folder / _OWNER) as is_nobodys:
        if is_nobodys:
            _remove(folder)
        return is_nobodys


@contextmanager
def _taken(owner: Path) -> Iterator[bool]:
    """Lock an abandoned folder; yield whether it is one."""
    try:
        is_ours = owner.stat().st_uid == os.getuid()
        lock = os.open(owner, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW) if is_ours else None
    except OSError:
        lock = None  # removed meanwhile, or not a file
    if lock is None:
        yield False
        return
    try:
        yield _take(lock) and os.read(lock, len(_MARK)) == _MARK
    finally:
        os.close(lock)


def _remove(folder: Path) -> None:
    kill_marked(folder)
    for owner in folder.glob(f"farm-*/{_OWNER}"):
        kill_marked(owner.parent)  # of a process that had its temporary folders in this one
    for path, below, _ in os.walk(folder):
        for each in (os.path.join(path, name) for name in below):
            # An agent may have removed our permissions on its folders; the target of a link must not be changed.
            if not os.path.islink(each):
                with suppress(OSError):
                    os.chmod(each, 0o700)
    shutil.rmtree(folder, ignore_errors=True)


def kill_marked(folder: Path) -> None:
    """Kill the processes that carry a folder's mark and their descendants, including those they start meanwhile."""
    until = time.monotonic() + _KILLING_S_MAX
    while (pids := marked(folder)) and time.monotonic() < until:
        for pid in (*pids, *_descendants(pids)):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def marked(folder: Path) -> list[int]:
    """Return the processes that carry a folder's mark."""
    mark = f"{VARIABLE}={folder}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # another user's process, or one that ended meanwhile
            if mark in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return [pid for pid in found if pid != os.getpid()]


def _descendants(ancestors: list[int]) -> list[int]:
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # The name of the program is in brackets and may have any letters.
            parent = int(path.read_text(errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(path.parent.name))
    found, rest = [], [*ancestors]
    while rest:
        below = [pid for pid in children.get(rest.pop(), []) if pid != os.getpid()]
        found += below
        rest += below
    return found
