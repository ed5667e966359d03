"""What anybody who can connect may cause to be logged, kept from filling the log."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

EVERY_S = 60.0


class Seldom(logging.Filter):
    """Lets one line of each wording through a minute, which says how many there were since the one before.

    For loggers whose wordings are few: each is remembered. Errors are bugs or broken disks, and always go through.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._told_at: dict[str, float] = {}
        self._held: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a line is written (logging)."""
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
