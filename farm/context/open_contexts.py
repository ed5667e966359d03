"""The open contexts and their maximum number: the least recently used one is closed for the next.

An open context holds descriptors, and many systems limit a process to 1,024. A library must not raise that limit
behind its user's back, and need not, as the next call reopens a closed context. So the number of open contexts follows
the limit, and some descriptors are left to the rest of the process.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
from collections import OrderedDict
from collections.abc import Callable

from farm.errors import InternalError

if sys.platform != "win32":
    import resource

OPEN_MAX = 256
# The file, its rollback journal, the call log, the count of calls, and the file once more after it was copied.
_DESCRIPTORS_EACH = 5
_CONTEXTS_SHARE = 0.75  # of all descriptors
_DESCRIPTORS_REQUIRED = 8  # for opening a context, and for reading or copying files meanwhile


class DescriptorsExhaustedError(InternalError):
    """The process has no file descriptor left."""

    def __init__(self) -> None:
        limit = descriptors_max()
        have = "no further file" if limit is None else f"{limit:,} files (`ulimit -n`), and all of them are open"
        super().__init__(
            f"this process may open {have}; raise the limit, as with `ulimit -n 4096`, close worlds, "
            "or let those with folders of their own share one LocalHost"
        )


class OpenContexts:
    """The open contexts of stores that share one lock.

    Attributes:
        open_max: the maximum number, whatever the descriptors allow.
        recent: context → its closing function, the least recently used first.
    """

    def __init__(self, open_max: int = OPEN_MAX) -> None:
        self.open_max = open_max
        self.recent: OrderedDict[object, Callable[[], None]] = OrderedDict()

    def evict(self) -> None:
        """Close the least recently used contexts until one more may be opened."""
        most = min(self.open_max, contexts_max())
        while len(self.recent) >= most:
            self._close_oldest()

    def require_descriptors(self) -> None:
        """Close contexts, except the last used one, until this process can open some files.

        Raises:
            DescriptorsExhaustedError: it still cannot open them.
        """
        while True:
            try:
                return require_descriptors()
            except DescriptorsExhaustedError:
                if len(self.recent) < 2:
                    raise
                for _ in range(len(self.recent) // 2):
                    self._close_oldest()

    def _close_oldest(self) -> None:
        next(iter(self.recent.values()))()


def descriptors_max() -> int | None:
    """Return the process's limit of open files; None if it is unlimited or unknown."""
    if sys.platform == "win32":
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def contexts_max() -> int:
    """Return the number of contexts that may be open, which leaves descriptors to the rest of the process."""
    limit = descriptors_max()
    return sys.maxsize if limit is None else max(1, int(limit * _CONTEXTS_SHARE) // _DESCRIPTORS_EACH)


def is_exhausted(problem: OSError | sqlite3.Error) -> bool:
    """Return whether too many open files may have caused an error; SQLite does not report the reason."""
    if isinstance(problem, OSError):
        return problem.errno in (errno.EMFILE, errno.ENFILE)
    return getattr(problem, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CANTOPEN


def require_descriptors() -> None:
    """Try whether this process can open some files.

    Raises:
        DescriptorsExhaustedError: it cannot.
    """
    opened: list[int] = []
    try:
        opened.append(os.open(os.devnull, os.O_RDONLY))
        while len(opened) < _DESCRIPTORS_REQUIRED:
            opened.append(os.dup(opened[0]))
    except OSError as problem:
        if is_exhausted(problem):
            raise DescriptorsExhaustedError from problem
        raise
    finally:
        for each in opened:
            os.close(each)
