"""The limits over all connections of one server: bodies in transit, unprocessed bytes, unread answers.

Each is also limited for one connection, but a client may open many. So only a few long bodies are read at a time while
the others wait. For the rest, the connection that holds the most is closed when the total is too large. Neither limit
affects ordinary calls.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Generic, Protocol, TypeVar

from farm.server.limits.malloc_trim import DelayedTrim

if sys.platform != "win32":
    import resource

# Bodies of at most this size, nearly all that agents send, never wait for others.
SMALL_BODY_BYTES = 64 * 1024
BODIES_BYTES_MAX = 6 * 1024 * 1024
COMPLETE_BYTES_MAX = 12 * 1024 * 1024
HELD_BYTES_MAX = 6 * 1024 * 1024
UNREAD_BYTES_MAX = 12 * 1024 * 1024
CONNECTIONS_MAX = 2048
# Share of all descriptors: a process has other open files besides connections, mainly contexts.
_OTHER_DESCRIPTORS = 1536
# A gateway has two ports, and a connection to an app for each of an agent's.
_DESCRIPTORS_EACH = 3
_LEAST = 64
_DESCRIPTORS_WANTED = 65_536
# Connections that get a refusal at the same time; any beyond that are closed without one.
REFUSED_MAX = 256
_NO_SLOT_S = 0.5


class Waiter(Protocol):
    """A connection that waits for its turn."""

    def go_on(self) -> None:
        """Continue, as its turn has come."""


class Connected(Waiter, Protocol):
    """A connection that has a slot."""

    @property
    def waits_for_client(self) -> bool:
        """Return whether the client has to act next: send a request, send the rest of one, or read an answer."""


W = TypeVar("W", bound=Waiter)
C = TypeVar("C", bound=Connected)


class BodyQueue(Generic[W]):
    """Bytes for long bodies, granted in the order of requests."""

    def __init__(self, bytes_max: int) -> None:
        self._left = bytes_max
        self._taken: dict[W, int] = {}
        self._waiting: dict[W, int] = {}

    def take(self, who: W, size_bytes: int) -> bool:
        """Return whether a connection may send its body, until ``leave``; if False, ``go_on`` is called later."""
        if who in self._taken:
            return True
        if who not in self._waiting:
            self._waiting[who] = size_bytes
            self._give()
        return who in self._taken

    @property
    def is_wanted(self) -> bool:
        """Whether a connection waits."""
        return bool(self._waiting)

    def leave(self, who: W) -> None:
        """Give up the granted bytes, or the position in the queue."""
        self._left += self._taken.pop(who, 0)
        self._waiting.pop(who, None)
        for following in self._give():
            following.go_on()

    def _give(self) -> list[W]:
        given = []
        while self._waiting:
            who, size_bytes = next(iter(self._waiting.items()))
            if size_bytes > self._left:
                break
            self._taken[who] = self._waiting.pop(who)
            self._left -= size_bytes
            given.append(who)
        return given


class ByteBudget(Generic[W]):
    """The bytes that each of many connections holds, and a limit for their sum."""

    def __init__(self, bytes_max: int, *, ends_oldest: bool = False) -> None:
        """Set the limit; ``ends_oldest``: close the longest holder instead of the one that holds the most."""
        self._bytes_max = bytes_max
        self._ends_oldest = ends_oldest
        self._held: dict[W, int] = {}
        self._size_bytes = 0

    def hold(self, who: W, size_bytes: int) -> list[W]:
        """Record how much a connection holds now; return and forget those to be closed as the sum exceeds the limit."""
        self._size_bytes += size_bytes - self._held.pop(who, 0)
        if size_bytes:
            self._held[who] = size_bytes
        ended = []
        while self._size_bytes > self._bytes_max:
            ended.append(next(iter(self._held)) if self._ends_oldest else max(self._held, key=self._held.__getitem__))
            self._size_bytes -= self._held.pop(ended[-1])
        return ended


class ConnectionSlots(Generic[C]):
    """The open connections, oldest first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._there: dict[C, None] = {}
        self._none_until_s = 0.0
        self._refused = 0

    def take(self, who: C, now_s: float) -> C | None:
        """Add a connection; return the one to be closed for it, which is the new one if all others are being served."""
        self._there[who] = None
        if len(self._there) <= self._most:
            return None
        # After a search among thousands found none, the next search waits a moment.
        oldest = who if now_s < self._none_until_s else next(each for each in self._there if each.waits_for_client)
        del self._there[oldest]
        if oldest is who and now_s >= self._none_until_s:
            self._none_until_s = now_s + _NO_SLOT_S
        return oldest

    def leave(self, who: C) -> None:
        """Remove a connection, if it is still listed."""
        self._there.pop(who, None)

    def begin_refusal(self) -> bool:
        """Return whether one more connection may get a refusal."""
        if self._refused >= REFUSED_MAX:
            return False
        self._refused += 1
        return True

    def end_refusal(self) -> None:
        """Record that a refusal is over."""
        self._refused -= 1


def allow_descriptors() -> None:
    """Raise this process's limit of open files as far as the system allows."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _DESCRIPTORS_WANTED if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS_WANTED)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with suppress(OSError, ValueError):  # not in this container
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def connections_max() -> int:
    """Return the maximum number of connections of a server, which depends on the system's limit of open files."""
    if sys.platform == "win32":
        return CONNECTIONS_MAX
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return CONNECTIONS_MAX
    return max(_LEAST, min(CONNECTIONS_MAX, (soft - _OTHER_DESCRIPTORS) // _DESCRIPTORS_EACH))


class ConnectionLimits(Generic[C]):
    """The limits over all connections of one server.

    Attributes:
        bodies: long bodies in transit.
        complete: complete long bodies that wait for their answers, such as those for an app that is stopped.
        held: all other received bytes that are not processed or answered yet.
        unread: answers that their clients have not read.
        slots: the connections themselves.
        trim: notified when something large came or was discarded.
    """

    def __init__(self, *, trusts_readers: bool = False) -> None:
        """Begin empty; ``trusts_readers``: unread answers are not limited, as all clients have an operator's token."""
        self.trim = DelayedTrim()
        self.bodies: BodyQueue[C] = BodyQueue(BODIES_BYTES_MAX)
        self.complete: ByteBudget[C] = ByteBudget(COMPLETE_BYTES_MAX, ends_oldest=True)
        self.held: ByteBudget[C] = ByteBudget(HELD_BYTES_MAX)
        self.unread: ByteBudget[C] = ByteBudget(sys.maxsize if trusts_readers else UNREAD_BYTES_MAX)
        self.slots: ConnectionSlots[C] = ConnectionSlots(connections_max())
