"""What all connections of one server may hold together: bodies on their way, bytes not taken yet, answers not read.

Each of these is bounded for one connection, and somebody may open many. So long bodies come a few at a time while the
others wait unread, and of the rest, who holds the most has to go when all is too much. Both leave ordinary calls alone.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Generic, Protocol, TypeVar

from farm.server.memory import GivingBack

if sys.platform != "win32":
    import resource

# Bodies up to here, nearly all that agents send, never wait for others.
SMALL_BODY_BYTES = 64 * 1024
BODIES_BYTES_MAX = 6 * 1024 * 1024
WHOLE_BYTES_MAX = 12 * 1024 * 1024
HELD_BYTES_MAX = 6 * 1024 * 1024
UNREAD_BYTES_MAX = 12 * 1024 * 1024
CONNECTIONS_MAX = 2048
# Of all descriptors: what a process has open beside connections, contexts above all.
_OTHER_DESCRIPTORS = 1536
# A gateway has two ports, and a connection to an app for each of an agent's.
_DESCRIPTORS_EACH = 3
_LEAST = 64
_DESCRIPTORS_WANTED = 65_536
# Connections that are told that there is no place; beyond that nobody is told anything.
REFUSED_MAX = 256
_NO_PLACE_S = 0.5


class Waiting(Protocol):
    """Who waits for room."""

    def go_on(self) -> None:
        """Take note that there is room now."""


class Connected(Waiting, Protocol):
    """Who has a place."""

    @property
    def waits_for_client(self) -> bool:
        """Whether the next thing to come is the client's: a request, the rest of one, or that it reads an answer."""


W = TypeVar("W", bound=Waiting)
C = TypeVar("C", bound=Connected)


class Line(Generic[W]):
    """Room for long bodies, given in the order in which it was asked for."""

    def __init__(self, bytes_max: int) -> None:
        self._left = bytes_max
        self._taken: dict[W, int] = {}
        self._waiting: dict[W, int] = {}

    def take(self, who: W, size_bytes: int) -> bool:
        """Say whether somebody has room, once given for as long as it takes; if not, ``go_on`` is called later."""
        if who in self._taken:
            return True
        if who not in self._waiting:
            self._waiting[who] = size_bytes
            self._give()
        return who in self._taken

    @property
    def is_wanted(self) -> bool:
        """Whether somebody waits."""
        return bool(self._waiting)

    def leave(self, who: W) -> None:
        """Give room back, or a place in the line."""
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


class Sum(Generic[W]):
    """How much is held for each of many, and for all."""

    def __init__(self, bytes_max: int, *, ends_oldest: bool = False) -> None:
        """Hold at most ``bytes_max``; ``ends_oldest``: who has waited longest has to go, not who has the most."""
        self._bytes_max = bytes_max
        self._ends_oldest = ends_oldest
        self._held: dict[W, int] = {}
        self._size_bytes = 0

    def hold(self, who: W, size_bytes: int) -> list[W]:
        """Take note of how much is held for somebody now; return who has to go as all is too much, and forget them."""
        self._size_bytes += size_bytes - self._held.pop(who, 0)
        if size_bytes:
            self._held[who] = size_bytes
        ended = []
        while self._size_bytes > self._bytes_max:
            ended.append(next(iter(self._held)) if self._ends_oldest else max(self._held, key=self._held.__getitem__))
            self._size_bytes -= self._held.pop(ended[-1])
        return ended


class Places(Generic[C]):
    """Who is connected, oldest first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._there: dict[C, None] = {}
        self._none_until_s = 0.0
        self._refused = 0

    def take(self, who: C, now_s: float) -> C | None:
        """Give somebody a place; return who has to go for it, which is the newcomer if all others are being served."""
        self._there[who] = None
        if len(self._there) <= self._most:
            return None
        # Who was looked for in vain among thousands is not looked for with each that comes.
        oldest = who if now_s < self._none_until_s else next(each for each in self._there if each.waits_for_client)
        del self._there[oldest]
        if oldest is who and now_s >= self._none_until_s:
            self._none_until_s = now_s + _NO_PLACE_S
        return oldest

    def leave(self, who: C) -> None:
        """Give a place back, if it was not taken away."""
        self._there.pop(who, None)

    def begin_refusal(self) -> bool:
        """Say whether one more may be told that there is no place."""
        if self._refused >= REFUSED_MAX:
            return False
        self._refused += 1
        return True

    def end_refusal(self) -> None:
        """Take note that somebody was told."""
        self._refused -= 1


def allow_descriptors() -> None:
    """Have the system let this process open as many files as it may."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _DESCRIPTORS_WANTED if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS_WANTED)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with suppress(OSError, ValueError):  # not in this container
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def connections_max() -> int:
    """Return how many connections a server has place for: fewer where the system lets it open few files."""
    if sys.platform == "win32":
        return CONNECTIONS_MAX
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return CONNECTIONS_MAX
    return max(_LEAST, min(CONNECTIONS_MAX, (soft - _OTHER_DESCRIPTORS) // _DESCRIPTORS_EACH))


class Room(Generic[C]):
    """What all connections of one server hold.

    Attributes:
        bodies: long bodies on their way.
        whole: long bodies that wait for their answers, such as those for an app that stands still.
        held: whatever else has come and was not taken or answered yet.
        unread: answers that their clients do not read.
        places: the connections themselves.
        giving_back: to be told when something large came or was thrown away.
    """

    def __init__(self, *, trusts_readers: bool = False) -> None:
        """Make room; ``trusts_readers``: who gets long answers here has a token of operators and will read them."""
        self.giving_back = GivingBack()
        self.bodies: Line[C] = Line(BODIES_BYTES_MAX)
        self.whole: Sum[C] = Sum(WHOLE_BYTES_MAX, ends_oldest=True)
        self.held: Sum[C] = Sum(HELD_BYTES_MAX)
        self.unread: Sum[C] = Sum(sys.maxsize if trusts_readers else UNREAD_BYTES_MAX)
        self.places: Places[C] = Places(connections_max())
