"""An episode's limits: the maximum of calls over all its apps, and the deadline.

Each app is a process, or a container that shares the data folder, so the count is in a mapped file in the episode's
folder, ``calls``. It has 64-bit integers, apps in the order of ``episode.json``: first each app's logged calls, then
each app's calls refused as over the limit. Only the app writes its numbers, and the episode's count is the sum. An
app's number copies its call log and is corrected whenever its context is opened, reset, restored or forked. So a
process killed during a call neither loses a count nor counts the call twice. (Until its context is opened again, which
a request for the episode does, the interrupted call counts for the other apps.)
"""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from farm._util.plurals import pluralize
from farm.context.files import EpisodeFiles
from farm.context.settings import Settings

try:
    import fcntl
except ImportError:  # Windows: two apps may then both take the last call
    fcntl = None  # type: ignore[assignment]

FILE = "calls"
_INTEGER_BYTES = 8
_NO_LIMIT = 2**62
_NOTHING_DONE = "This call was not made and nothing has changed; every further call is refused as well."


class CallCount:
    """One app's part in the count of an episode's calls.

    Attributes:
        most: the maximum of calls over all apps.
    """

    __slots__ = ("_calls", "_descriptor", "_far", "_mapped", "_own", "_refused", "most")

    def __init__(self, files: EpisodeFiles, settings: Settings) -> None:
        """Open an episode's count; create the file if necessary."""
        apps = len(settings.apps)
        calls_max = _NO_LIMIT if settings.calls_max is None else settings.calls_max
        self._own = settings.apps.index(files.app)
        self.most = calls_max
        # Up to this sum a call needs no lock: even if each other app took one at the same moment, all would fit.
        self._far = calls_max - apps
        size = 2 * apps * _INTEGER_BYTES
        self._descriptor = os.open(files.at(FILE), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if os.fstat(self._descriptor).st_size <= size:
                # Two apps at once do the same. Zeros are written, one integer more than is mapped: with a sparse file,
                # a full disk would kill the process at the first call; here it is an error.
                os.pwrite(self._descriptor, bytes(_INTEGER_BYTES), size)
            self._mapped = mmap.mmap(self._descriptor, size)
        except OSError as problem:
            os.close(self._descriptor)
            raise OSError(problem.errno, problem.strerror, files.at(FILE)) from problem
        numbers = memoryview(self._mapped).cast("q")
        self._calls, self._refused = numbers[:apps], numbers[apps:]

    @property
    def total(self) -> int:
        """The number of logged calls over all apps."""
        return sum(self._calls)

    def set(self, calls: int) -> None:
        """Set this app's number of logged calls."""
        self._calls[self._own] = calls

    def begin_anew(self, calls: int) -> None:
        """Set this app's number of logged calls after a reset or a restore, and no refused calls."""
        self._calls[self._own] = calls
        self._refused[self._own] = 0

    def take(self, number: int) -> bool:
        """Count a call before it is made; return False if the limit is reached.

        Args:
            number: the call's number within the app, one more than the log has.
        """
        calls, own = self._calls, self._own
        # Written before the other numbers are read, so that of two concurrent apps one sees the other.
        calls[own] = number
        if sum(calls) <= self._far:
            return True
        calls[own] = number - 1
        with self._locked():
            if sum(calls) < self.most:
                calls[own] = number
                return True
        self._refused[own] += 1
        return False

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Lock the count against the other apps; the lock ends with the process."""
        if fcntl is None:
            yield
            return
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    @property
    def refused(self) -> int:
        """The number of this app's calls refused as over the limit since the start, or the last reset or restore."""
        return self._refused[self._own]

    def close(self) -> None:
        """Close the file."""
        self._calls.release()
        self._refused.release()
        self._mapped.close()
        os.close(self._descriptor)


class Limits:
    """The limits of an episode, for one of its apps.

    Attributes:
        count: the count of calls; None without a maximum.
    """

    __slots__ = ("_expires_s", "count")

    def __init__(self, files: EpisodeFiles, settings: Settings) -> None:
        """Open the limits of an episode's settings."""
        self._expires_s = settings.expires_s
        self.count = CallCount(files, settings) if is_counted(settings) else None

    def take(self, number: int) -> str | None:
        """Count a call before it is made; return the reason, worded for an agent, if it is refused.

        Args:
            number: the call's number within the app, one more than the log has.
        """
        if self._expires_s is not None and time.time() > self._expires_s:
            return f"Refused: the time for this task is over. {_NOTHING_DONE}"
        if self.count is None or self.count.take(number):
            return None
        return f"Refused: the limit of {pluralize(self.count.most, 'call')} for this task is reached. {_NOTHING_DONE}"

    @property
    def is_reached(self) -> bool:
        """Whether the next call will be refused."""
        is_over = self._expires_s is not None and time.time() > self._expires_s
        return is_over or (self.count is not None and self.count.total >= self.count.most)

    @property
    def refused(self) -> int:
        """The number of this app's calls refused as over the limit."""
        return 0 if self.count is None else self.count.refused

    def close(self) -> None:
        """Close the file, if there is one."""
        if self.count is not None:
            self.count.close()


def calls_taken(folder: Path, settings: Settings) -> int:
    """Return the number of calls of an episode with a limit, without opening it."""
    count, size = 0, len(settings.apps) * _INTEGER_BYTES
    with suppress(FileNotFoundError):
        count = sum(memoryview((folder / FILE).read_bytes()[:size].ljust(size, b"\0")).cast("q"))
    return count


def is_limited(settings: Settings) -> bool:
    """Return whether an episode has any limit, or counts its calls."""
    return is_counted(settings) or settings.expires_at is not None


def is_counted(settings: Settings) -> bool:
    """Return whether calls are counted over all apps: for a maximum, or since each takes time."""
    return settings.calls_max is not None or bool(settings.pace_ms)


def begin_anew(files: EpisodeFiles, settings: Settings, calls: int) -> None:
    """Set an app's part of the count from its log after a create, reset, restore or fork."""
    if is_counted(settings):
        count = CallCount(files, settings)
        count.begin_anew(calls)
        count.close()
