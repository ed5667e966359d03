"""Which threads outlive what has started them."""

from __future__ import annotations

import threading
from collections.abc import Iterable

_S_MAX = 60.0


def still_running(before: Iterable[threading.Thread]) -> list[str]:
    """Return the names of the threads that have come since and do not end.

    Others that were there before may end meanwhile, and a new one may have its last step before it: neither is a leak.
    """
    new = {*threading.enumerate()} - {*before}
    for thread in new:
        thread.join(_S_MAX)
    return [thread.name for thread in new if thread.is_alive()]
