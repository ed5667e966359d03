"""An episode's limits: how many calls it takes over all its apps together, and until when.

Each app is a process, or a container that shares the data folder, so the count is in a mapped file in the episode's
folder, ``calls``: first how many calls each app has logged, then how many each has refused as over the limit, all as
64-bit integers, apps in the order of ``episode.json``. A number is written by its app alone, and the episode's count is
the sum. An app's number is a copy of what its call log says and is put right whenever its context is opened, reset,
restored or forked: so a process killed in the middle of a call neither loses a count nor counts the call twice.
(Until its context is opened again, which asking for the episode does, the call it died in counts for the others.)
"""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from farm.context.files import EpisodeFiles
from farm.context.settings import Settings
from farm.counted import counted

try:
    import fcntl
except ImportError:  # Windows: two apps may then take the last call at once
    fcntl = None  # type: ignore[assignment]

FILE = "calls"
_INTEGER_BYTES = 8
_NOTHING_DONE = "This call was not made and nothing has changed; every further call is refused as well."


class CallCount:
    """One app's part in the count of an episode's calls.

    Attributes:
        most: how many calls all apps may take together.
    """

    __slots__ = ("_calls", "_descriptor", "_far", "_mapped", "_own", "_refused", "most")

    def __init__(self, files: EpisodeFiles, settings: Settings, calls_max: int) -> None:
        """Open an episode's count, making the file when it is not there."""
        apps = len(settings.apps)
        self._own = settings.apps.index(files.app)
        self.most = calls_max
        # Up to here a call needs no lock: were each other app to take one in the same moment, all would still fit.
        self._far = calls_max - apps
        size = 2 * apps * _INTEGER_BYTES
        self._descriptor = os.open(files.at(FILE), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if os.fstat(self._descriptor).st_size <= size:
                # Two apps at once do the same. One zero more than is mapped, and written: a hole of the file that no
                # disk has room for would kill the process with the first call, and here it is an error.
                os.pwrite(self._descriptor, bytes(_INTEGER_BYTES), size)
            self._mapped = mmap.mmap(self._descriptor, size)
        except OSError as problem:
            os.close(self._descriptor)
            raise OSError(problem.errno, problem.strerror, files.at(FILE)) from problem
        numbers = memoryview(self._mapped).cast("q")
        self._calls, self._refused = numbers[:apps], numbers[apps:]

    def set(self, calls: int) -> None:
        """Say how many calls this app's log has."""
        self._calls[self._own] = calls

    def begin_anew(self, calls: int) -> None:
        """Say how many calls this app's log has after a reset or a restore; none was refused since."""
        self._calls[self._own] = calls
        self._refused[self._own] = 0

    def take(self, number: int) -> bool:
        """Count a call before it is made, or refuse it.

        Args:
            number: of the call within the app; one more than its log has.
        """
        calls, own = self._calls, self._own
        # Written before the others are read: of two apps that do so at once, one sees the other.
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
        """Keep the other apps from taking a call; a process that dies lets go."""
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
        """How many calls this app has refused as over the limit since the start, or the last reset or restore."""
        return self._refused[self._own]

    def close(self) -> None:
        """Close the file."""
        self._calls.release()
        self._refused.release()
        self._mapped.close()
        os.close(self._descriptor)


class Limits:
    """The limits of an episode, as one of its apps keeps them.

    Attributes:
        count: of the calls; None where any number may be made.
    """

    __slots__ = ("_expires_s", "count")

    def __init__(self, files: EpisodeFiles, settings: Settings) -> None:
        """Open the limits that an episode was created with."""
        self._expires_s = settings.expires_s
        self.count = None if settings.calls_max is None else CallCount(files, settings, settings.calls_max)

    def take(self, number: int) -> str | None:
        """Count a call that is about to be made; or return why it is refused, in words for an agent.

        Args:
            number: of the call within the app; one more than its log has.
        """
        if self._expires_s is not None and time.time() > self._expires_s:
            return f"Refused: the time for this task is over. {_NOTHING_DONE}"
        if self.count is None or self.count.take(number):
            return None
        return f"Refused: the limit of {counted(self.count.most, 'call')} for this task is reached. {_NOTHING_DONE}"

    @property
    def refused(self) -> int:
        """How many calls this app has refused as over the limit."""
        return 0 if self.count is None else self.count.refused

    def close(self) -> None:
        """Close the file, if there is one."""
        if self.count is not None:
            self.count.close()


def calls_taken(folder: Path, settings: Settings) -> int:
    """Return how many calls an episode with a limit has taken, without opening it."""
    count, size = 0, len(settings.apps) * _INTEGER_BYTES
    with suppress(FileNotFoundError):
        count = sum(memoryview((folder / FILE).read_bytes()[:size].ljust(size, b"\0")).cast("q"))
    return count


def is_limited(settings: Settings) -> bool:
    """Say whether an episode has any limit."""
    return settings.calls_max is not None or settings.expires_at is not None


def begin_anew(files: EpisodeFiles, settings: Settings, calls: int) -> None:
    """Bring an app's part of the count to what its log has after a create, reset, restore or fork."""
    if settings.calls_max is not None:
        count = CallCount(files, settings, settings.calls_max)
        count.begin_anew(calls)
        count.close()
