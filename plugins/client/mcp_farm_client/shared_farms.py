"""Farms that the plays of this process share: one pool of connections for each URL and token."""

from __future__ import annotations

import os
import threading

from .wire import Farm

__tracebackhide__ = True  # pytest shows a problem at the test's own line


class _Shared:
    """A farm and the number of its users."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.farm: Farm | None = None
        self.users = 0


# A forked process must not use its parent's connections, so a key has the process's id.
_shared: dict[tuple[int, str, str], _Shared] = {}
_lock = threading.Lock()


class SharedFarm:
    """One use of a farm; the last one that is closed closes the connections.

    Attributes:
        farm: the farm, connected.
    """

    def __init__(self, url: str, token: str) -> None:
        """Use the farm at a URL.

        Raises:
            McpFarmError: as ``Farm`` does.
        """
        self._key = (os.getpid(), url, token)
        with _lock:
            shared = _shared.setdefault(self._key, _Shared())
            shared.users += 1
        try:
            with shared.lock:
                if shared.farm is None:
                    shared.farm = Farm(url, token)
                self.farm = shared.farm
        except BaseException:
            self.close()
            raise

    def again(self) -> SharedFarm:
        """Return another use of the same farm."""
        return SharedFarm(*self._key[1:])

    def close(self) -> None:
        """End this use; call it once."""
        with _lock:
            shared = _shared[self._key]
            shared.users -= 1
            if shared.users:
                return
            del _shared[self._key]
        if shared.farm is not None:
            shared.farm.close()
