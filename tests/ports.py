"""Ports for processes that must be told which to take."""

from __future__ import annotations

import random
import socket
from contextlib import ExitStack
from pathlib import Path

_OWN = Path("/proc/sys/net/ipv4/ip_local_port_range")
_COUNT = 12_000


def free_ports(count: int) -> list[int]:
    """Return ports that nobody has, of those that a system gives to nobody by itself.

    From when they are found until they are taken, any of the others may become a connection's of somebody else.
    """
    end = int(_OWN.read_text().split()[0]) if _OWN.exists() else 49_152
    with ExitStack() as taken:
        found: list[int] = []
        while len(found) < count:
            probe = taken.enter_context(socket.socket())
            try:
                probe.bind(("127.0.0.1", random.randrange(end - _COUNT, end)))
            except OSError:
                continue
            found.append(int(probe.getsockname()[1]))
        return found
