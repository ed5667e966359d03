"""The files of one app in one episode, by generations.

``EP/<app>.<generation>.db`` is the context and ``EP/<app>.<generation>.log`` its calls. A new state (create, reset,
restore) is written completely to ``.tmp``, or to a spare file that was a context once, and then renamed to the next
generation's name. At startup the highest generation wins. No file is overwritten, nor replaced by a rename: on ext4
that costs five times as much, and a file under an open connection must never change.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from xxhash import xxh3_128, xxh3_128_digest

from farm.context.corrupt_file import WAY_OUT, CorruptFileError
from farm.context.log import Sealed

_COPY_BYTES = 1 << 20
_CHECK_BYTES = 1 << 16  # fits into a core's cache: blocks of a megabyte take five times as long
CHECKSUM_BYTES = 16
EXPORTS = "exports"  # the folder of the data folder that holds copies of episodes for exports


class EpisodeFiles:
    """Names and moves the files of one app in one episode's folder."""

    def __init__(self, folder: str, app: str) -> None:
        self.app = app
        self._folder = folder
        self._pattern = _pattern(app)

    @property
    def folder(self) -> Path:
        """The episode's folder."""
        return Path(self._folder)

    # Paths used by calls and resets are strings: creating a Path object takes longer than the file operation.

    def at(self, name: str) -> str:
        """Return the path of a name in the folder."""
        return f"{self._folder}/{name}"

    def db(self, generation: int) -> Path:
        """Return the path of a generation's context."""
        return Path(self.at(self.db_name(generation)))

    def db_name(self, generation: int) -> str:
        """Return the name of a generation's context."""
        return f"{self.app}.{generation}.db"

    def log(self, generation: int) -> Path:
        """Return the path of a generation's call log."""
        return Path(self.at(self.log_name(generation)))

    def log_name(self, generation: int) -> str:
        """Return the name of a generation's call log."""
        return f"{self.app}.{generation}.log"

    def snapshot_db(self, snapshot: str) -> Path:
        """Return the path of a snapshot's context."""
        return Path(self.at(self.saved_name(snapshot)))

    def saved_name(self, snapshot: str) -> str:
        """Return the name of a snapshot's context, relative to the folder."""
        return f"snapshots/{snapshot}/{self.app}.db"

    def snapshot_log(self, snapshot: str) -> Path:
        """Return the path of a snapshot's list of log parts."""
        return Path(self.at(self.parts_name(snapshot)))

    def parts_name(self, snapshot: str) -> str:
        """Return the name of a snapshot's list of log parts, relative to the folder."""
        return f"snapshots/{snapshot}/{self.app}.parts.json"

    def names(self) -> list[str]:
        """Return all names in the folder; empty if it does not exist."""
        try:
            return os.listdir(self._folder)
        except FileNotFoundError:
            return []

    def own_names(self) -> list[str]:
        """Return the names in the folder that are this app's, except those of snapshots."""
        head = f"{self.app}."
        return [name for name in self.names() if name.startswith(head)]

    def generations(self) -> list[int]:
        """Return the generations whose context is complete, oldest first."""
        found = (self._pattern.fullmatch(name) for name in self.names())
        return sorted(int(match[1]) for match in found if match and not match[2])

    def newest(self) -> int | None:
        """Return the current generation, or None if the app has no context here."""
        return max(self.generations(), default=None)

    def journal_name(self, generation: int) -> str:
        """Return the name of SQLite's rollback journal of a generation's context."""
        return f"{self.db_name(generation)}-journal"

    @property
    def spare_name(self) -> str:
        """The name of the spare file, a former context that may be overwritten."""
        return f"{self.app}.spare"

    def of_generation(self, names: Iterable[str], generation: int) -> set[str]:
        """Return the names that belong to a generation: its context, SQLite's rollback journal, its log."""
        head = f"{self.app}.{generation}."
        return {name for name in names if name.startswith(head)}

    def logs(self, names: Iterable[str]) -> set[str]:
        """Return the names that are logs of this app."""
        head = f"{self.app}."
        return {name for name in names if name.endswith(".log") and name.startswith(head)}

    def named_by_snapshots(self) -> set[str]:
        """Return the names of the logs that hold calls of a snapshot."""
        named: set[str] = set()
        for snapshot in os.listdir(self.at("snapshots")):
            path = self.at(self.parts_name(snapshot))
            with suppress(FileNotFoundError), open(path, "rb") as parts:
                named.update(name for name, _ in Sealed.load(parts.read()).parts)
        return named

    def require_parts(self, sealed: Sealed) -> None:
        """Verify that sealed parts of logs exist.

        Raises:
            CorruptFileError: a part is missing or too short.
        """
        for name, size in sealed.parts:
            path = self.at(name)
            have = os.path.getsize(path) if os.path.isfile(path) else 0
            if have < size:
                raise CorruptFileError(
                    f"{path} has {have} of the {size} bytes of calls that are part of this log; {WAY_OUT}"
                )

    def last_logged(self) -> int | None:
        """Return the newest generation that has a log, which may be all that remains of it."""
        found = (re.fullmatch(re.escape(self.app) + r"\.(\d+)\.log", name) for name in self.names())
        return max((int(match[1]) for match in found if match), default=None)

    def set_aside(self, name: str) -> str:
        """Rename a broken file so that nothing opens it; return its new path.

        Raises:
            OSError: renaming failed, as on a read-only disk.
        """
        path = self.at(f"{name}.broken")
        with suppress(FileNotFoundError):
            os.replace(self.at(name), path)
        return path

    def keep_too(self, name: str) -> None:
        """Keep a file also under the name of a broken one; its own name stays in use."""
        path = self.at(f"{name}.broken")
        with suppress(FileNotFoundError, FileExistsError):
            try:
                os.link(self.at(name), path)
            except FileExistsError:
                raise
            except OSError:  # a file system without hard links
                shutil.copyfile(self.at(name), path)

    def unlink(self, name: str) -> None:
        """Remove a file of the folder if it exists."""
        with suppress(FileNotFoundError):
            os.unlink(self.at(name))

    def clean(self, *, but_spare: bool = False) -> int | None:
        """Remove the remains of a killed process: older generations' contexts, half-written files, a spare.

        Returns:
            The current generation, or None if the app has no context here.
        """
        names = self.own_names()
        matches = [match for name in names if (match := self._pattern.fullmatch(name))]
        newest = max((int(match[1]) for match in matches if not match[2]), default=None)
        for match in matches:
            # Also a journal without its context: it must never apply to a later file of that name.
            if int(match[1]) != newest:
                self.unlink(match[0])
        for name in names:
            if name.endswith(".tmp") or (name == self.spare_name and not but_spare):
                self.unlink(name)
        return newest


@lru_cache(maxsize=256)
def _pattern(app: str) -> re.Pattern[str]:
    return re.compile(re.escape(app) + r"\.(\d+)\.db(-wal|-shm|-journal)?")


def write_new(path: str | Path, data: bytes, spare: str | None = None) -> None:
    """Create a file atomically, even if the process dies.

    Args:
        path: the new file.
        data: its contents.
        spare: a file to overwrite and rename instead of creating one.

    Raises:
        FileExistsError: ``path`` exists.
        OSError: the disk is full or not writable; no partial file has the name.
    """

    def fill(descriptor: int) -> None:
        _write_all(descriptor, memoryview(data))

    _make_new(path, fill, len(data), spare)


def copy_new(path: str | Path, source: int) -> None:
    """Copy an open file to a new one, atomically like ``write_new``; the kernel copies the bytes if it can."""
    size = os.fstat(source).st_size

    def fill(descriptor: int) -> None:
        done = 0
        while done < size:
            done += _copy_some(source, descriptor, size - done, done)

    _make_new(path, fill, size)


def copy_checked(path: str | Path, source: int, check: Callable[[str], object], spare: str | None = None) -> None:
    """Copy an open file to a new one, atomically like ``write_new``, and check its checksum before the rename.

    Args:
        path: the new file.
        source: descriptor of the source.
        check: called with the checksum of the copied bytes; if it raises, the copy is removed.
        spare: a file to overwrite and rename instead of creating one.
    """

    def fill(descriptor: int) -> None:
        digest = xxh3_128()
        for data in _blocks(source):
            digest.update(data)
            _write_all(descriptor, memoryview(data))
        check(digest.hexdigest())

    _make_new(path, fill, os.fstat(source).st_size, spare)


def _blocks(descriptor: int) -> Iterator[bytes]:
    """Yield an open file in blocks."""
    at = 0
    while data := os.pread(descriptor, _CHECK_BYTES, at):
        yield data
        at += len(data)


def _write_all(descriptor: int, data: memoryview) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _copy_some(source: int, target: int, count: int, at: int) -> int:
    """Copy bytes from an offset of a file to the same offset of another; return their number."""
    if hasattr(os, "copy_file_range"):
        try:
            copied = os.copy_file_range(source, target, count, at, at)
        except OSError as problem:
            # Unsupported between these file systems or in this container.
            if problem.errno not in (errno.EXDEV, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EPERM):
                raise
            copied = 0
        if copied:
            return copied
    data = os.pread(source, min(count, _COPY_BYTES), at)
    if not data:
        raise OSError(errno.EIO, "a file ended while it was copied")
    return os.pwrite(target, data, at)


def checksum(descriptor: int) -> str:
    """Return the checksum of an open file."""
    # It detects accidental damage, not forgery (a forger could replace the sum too), so a fast hash is enough.
    digest = xxh3_128()
    for data in _blocks(descriptor):
        digest.update(data)
    return digest.hexdigest()


def with_checksum(data: bytes) -> bytes:
    """Append a checksum to bytes; SQLite reads a database only up to the size in its header."""
    return data + xxh3_128_digest(data)


def without_checksum(data: bytes) -> bytes | None:
    """Remove and verify the checksum; return the original bytes, or None if they have changed."""
    content, kept = data[:-CHECKSUM_BYTES], data[-CHECKSUM_BYTES:]
    return content if xxh3_128_digest(content) == kept else None


def _make_new(path: str | Path, fill: Callable[[int], None], size: int, spare: str | None = None) -> None:
    temporary = spare or f"{path}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY if spare else os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        fill(descriptor)
        if os.fstat(descriptor).st_size > size:
            os.ftruncate(descriptor, size)
    except CorruptFileError:
        os.unlink(temporary)
        raise
    except OSError as problem:
        if not spare:  # a partial file must not use up disk space; a spare is overwritten again
            os.unlink(temporary)
        raise OSError(problem.errno, problem.strerror, str(path)) from problem
    finally:
        os.close(descriptor)
    if os.path.exists(path):
        os.unlink(temporary)
        raise FileExistsError(f"{path} exists; a generation is never written twice")
    os.rename(temporary, path)
