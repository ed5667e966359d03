"""The supervisor's record of one child: how often it ended, and whether it answers."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

_BACKOFF_S = (0.05, 0.2, 1.0, 3.0, 5.0)
READY_S_MAX = 60.0
_STEADY_S = 10.0
# A process that misses so many health checks in a row, each for so long, has hung; containers are judged equally.
HEALTH_EVERY_S = 5.0
HEALTH_S_MAX = 3.0
SILENT_MAX = 3
_logger = logging.getLogger("farm.runtime.supervisor")


@dataclass
class Child:
    """The record of one child over all its processes.

    Attributes:
        pid: its current process; 0 if there is none.
        ended: how often it ended unexpectedly.
        last_status: exit status of the last end.
    """

    name: str
    pid: int = 0
    ended: int = 0
    last_status: int | None = None
    _in_a_row: int = 0
    _started_at: float = 0.0
    _silent: int = 0
    _has_answered: bool = False

    def has_started(self, pid: int) -> None:
        self.pid, self._started_at = pid, time.monotonic()
        self._silent, self._has_answered = 0, False

    def has_been_asked(self, *, answered: bool) -> int:
        """Record a health check; return how many it has missed in a row since it should answer."""
        self._has_answered |= answered
        # A starting process has as much time as a farm's whole start.
        is_starting = not self._has_answered and time.monotonic() - self._started_at < READY_S_MAX
        self._silent = 0 if answered or is_starting else self._silent + 1
        return self._silent

    def has_ended(self, status: int | None) -> float:
        """Record an end and return how long to wait before the next start, in seconds."""
        if time.monotonic() - self._started_at > _STEADY_S:
            self._in_a_row = 0
        wait_s = _BACKOFF_S[min(self._in_a_row, len(_BACKOFF_S) - 1)]
        self.pid, self.last_status = 0, status
        self.ended += 1
        self._in_a_row += 1
        _logger.warning("%s ended with status %s; it starts again", self.name, status)
        return wait_s
