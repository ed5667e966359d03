"""Gives memory back to the system that a server needed for a moment and does not need any more.

glibc keeps what was freed, and takes ever larger blocks from its heap once one of them was freed; a few long bodies so
leave a process large for good. Other C libraries, which have no such switches, are left alone.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable

# As in malloc.h of glibc.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
# What glibc begins with; set by hand, it stays there.
_THRESHOLD_BYTES = 128 * 1024
_DELAY_S = 1.0


def _find_libc() -> ctypes.CDLL | None:
    try:
        libc = ctypes.CDLL(None)
    except (OSError, TypeError):  # TypeError: Windows
        return None
    return libc if hasattr(libc, "mallopt") and hasattr(libc, "malloc_trim") else None


_libc = _find_libc()


def stay_small() -> None:
    """Let this process take long blocks from the system and return them when freed. Call once, at its start."""
    if _libc is not None:
        _libc.mallopt(_M_MMAP_THRESHOLD, _THRESHOLD_BYTES)
        _libc.mallopt(_M_TRIM_THRESHOLD, _THRESHOLD_BYTES)


class GivingBack:
    """Returns what was freed to the system a moment after something large, at most once a second."""

    def __init__(self, give_back: Callable[[], object] | None = None) -> None:
        """Return it by ``give_back``; None: as the C library does it, if it does."""
        self._give_back = give_back or (None if _libc is None else self._trim)
        self._is_due = False

    @staticmethod
    def _trim() -> None:
        assert _libc is not None
        _libc.malloc_trim(0)

    def soon(self, loop: asyncio.AbstractEventLoop) -> None:
        """Take note of something large; what it needed is returned in a second."""
        if not self._is_due and self._give_back is not None:
            self._is_due = True
            loop.call_later(_DELAY_S, self._now)

    def _now(self) -> None:
        self._is_due = False
        assert self._give_back is not None
        self._give_back()
