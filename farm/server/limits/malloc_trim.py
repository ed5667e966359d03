"""Returns memory to the system that a server needed only briefly.

glibc keeps freed memory, and serves ever larger blocks from its heap after one of them was freed; so a few long bodies
would enlarge a process for good. Other C libraries lack these options and are left unchanged.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable

# As in malloc.h of glibc.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
# glibc's initial value; set explicitly, it stays fixed.
_THRESHOLD_BYTES = 128 * 1024
_DELAY_S = 1.0


def _find_libc() -> ctypes.CDLL | None:
    try:
        libc = ctypes.CDLL(None)
    except (OSError, TypeError):  # TypeError: Windows
        return None
    return libc if hasattr(libc, "mallopt") and hasattr(libc, "malloc_trim") else None


_libc = _find_libc()


def limit_arenas() -> None:
    """Make glibc allocate long blocks from the system and return them when freed. Call once, at the process's start."""
    if _libc is not None:
        _libc.mallopt(_M_MMAP_THRESHOLD, _THRESHOLD_BYTES)
        _libc.mallopt(_M_TRIM_THRESHOLD, _THRESHOLD_BYTES)


def trim() -> None:
    """Return freed memory to the system now, on any thread."""
    if _libc is not None:
        _trim()


def _trim() -> None:
    assert _libc is not None
    _libc.malloc_trim(0)


class DelayedTrim:
    """Returns freed memory to the system shortly after a large request, at most once a second."""

    def __init__(self, trim: Callable[[], object] | None = None) -> None:
        """Use ``trim``; None: the C library's function, if it has one."""
        self._trim = trim or (None if _libc is None else _trim)
        self._is_due = False

    def soon(self, loop: asyncio.AbstractEventLoop) -> None:
        """Record that something large came; its memory is returned in a second."""
        if not self._is_due and self._trim is not None:
            self._is_due = True
            loop.call_later(_DELAY_S, self._now)

    def _now(self) -> None:
        self._is_due = False
        assert self._trim is not None
        self._trim()
