"""The quotas of a farm: number of episodes and disk space. Requests beyond them are rejected beforehand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from farm._util.plurals import pluralize
from farm._util.sizes import disk_usage, format_size
from farm.errors import QuotaExceededError

_MEASURED_S = 1.0
# Measuring every file may take at most this part of the time.
_MEASURING_SHARE = 0.05
_WAY_OUT = "drop some with 'farm episode drop', or what is over with 'farm gc'"


class Quotas:
    """The quotas of a farm.

    Attributes:
        episodes_max: maximum number of episodes besides ``default``; None: no limit.
        disk_max: maximum size of its data folder in bytes; None: no limit.
    """

    def __init__(self, data: Path, episodes_max: int | None, disk_max: int | None) -> None:
        self.episodes_max = episodes_max
        self.disk_max = disk_max
        self._data = data
        self._begun = 0
        self._used = 0
        self._holds_until = self._began_at = 0.0
        self._measuring = asyncio.Lock()

    @contextmanager
    def episodes(self, have: int, new: int) -> Iterator[None]:
        """Reserve new episodes while they are made inside.

        Args:
            have: number of episodes besides ``default``.
            new: number of episodes to be made; concurrent requests are counted, too.

        Raises:
            QuotaExceededError: these would be too many.
        """
        taken = have + self._begun
        if self.episodes_max is not None and taken + new > self.episodes_max:
            raise QuotaExceededError(
                f"this farm takes {pluralize(self.episodes_max, 'episode')} (--episodes-max), has {taken}, "
                f"and {new} more would be too many; {_WAY_OUT}"
            )
        self._begun += new
        try:
            yield
        finally:
            self._begun -= new

    async def require_disk(self, more: int = 0) -> None:
        """Require that the data folder is below its limit, by a recent measurement.

        Args:
            more: bytes that are to be added.

        Raises:
            QuotaExceededError: it has reached the limit, or would with these bytes.
        """
        if self.disk_max is None:
            return
        if time.monotonic() >= self._holds_until or self._used + more >= self.disk_max:
            await self._measure()
        if self._used + more >= self.disk_max:
            used, most = format_size(self._used), format_size(self.disk_max)
            coming = f", {format_size(more)} are to come" if more else ""
            raise QuotaExceededError(
                f"the data folder takes {used}{coming}, and this farm may take {most} (--disk-max); {_WAY_OUT}"
            )

    async def _measure(self) -> None:
        asked_at = time.monotonic()
        async with self._measuring:
            if asked_at < self._began_at:
                return  # another request has measured meanwhile
            self._began_at = began = time.monotonic()
            self._used = await asyncio.to_thread(disk_usage, self._data)
            took = time.monotonic() - began
            self._holds_until = time.monotonic() + max(_MEASURED_S, took / _MEASURING_SHARE)
