"""Limits the log lines that any client can cause."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

EVERY_S = 60.0


class ThrottleFilter(logging.Filter):
    """Passes one line of each message per minute, with the number of lines suppressed since the previous one.

    For loggers with few messages, as each is remembered. Errors are bugs or broken disks, and are always passed.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._told_at: dict[str, float] = {}
        self._held: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written (logging)."""
        if record.levelno >= logging.ERROR:
            return True
        now, wording = self._now(), str(record.msg)
        if now - self._told_at.get(wording, -EVERY_S) < EVERY_S:
            self._held[wording] = self._held.get(wording, 0) + 1
            return False
        self._told_at[wording] = now
        if held := self._held.pop(wording, 0):
            record.msg = f"{wording} ({held} more since this was last said)"
        return True
