"""How much a farm takes: so many episodes, so much of the disk. More is refused before anything is made."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from farm.counted import counted
from farm.errors import OverQuota
from farm.upkeep.sizes import disk_usage, shown_size

_MEASURED_S = 1.0
# Looking at every file may take at most this part of the time.
_MEASURING_SHARE = 0.05
_WAY_OUT = "drop some with 'farm episode drop', or what is over with 'farm gc'"


class Quotas:
    """The quotas of a farm.

    Attributes:
        episodes_max: how many episodes beside ``default``; None: any number.
        disk_max: how many bytes of the disk its data folder may take; None: any number.
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
        """Make new episodes inside.

        Args:
            have: how many there are beside ``default``.
            new: how many are to be made; others may be at it, too.

        Raises:
            OverQuota: these would be too many.
        """
        taken = have + self._begun
        if self.episodes_max is not None and taken + new > self.episodes_max:
            raise OverQuota(
                f"this farm takes {counted(self.episodes_max, 'episode')} (--episodes-max), has {taken}, "
                f"and {new} more would be too many; {_WAY_OUT}"
            )
        self._begun += new
        try:
            yield
        finally:
            self._begun -= new

    async def require_disk(self, more: int = 0) -> None:
        """See to it that the data folder takes no more of the disk than it may, as it was a moment ago.

        Args:
            more: how many bytes are to come.

        Raises:
            OverQuota: it takes as much as it may, or more, or would with these.
        """
        if self.disk_max is None:
            return
        if time.monotonic() >= self._holds_until or self._used + more >= self.disk_max:
            await self._measure()
        if self._used + more >= self.disk_max:
            used, most = shown_size(self._used), shown_size(self.disk_max)
            coming = f", {shown_size(more)} are to come" if more else ""
            raise OverQuota(
                f"the data folder takes {used}{coming}, and this farm may take {most} (--disk-max); {_WAY_OUT}"
            )

    async def _measure(self) -> None:
        asked_at = time.monotonic()
        async with self._measuring:
            if asked_at < self._began_at:
                return  # somebody else has measured meanwhile
            self._began_at = began = time.monotonic()
            self._used = await asyncio.to_thread(disk_usage, self._data)
            took = time.monotonic() - began
            self._holds_until = time.monotonic() + max(_MEASURED_S, took / _MEASURING_SHARE)
