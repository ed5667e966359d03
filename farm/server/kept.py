"""What a server remembers of requests, bounded in bytes whatever clients send."""

from __future__ import annotations

from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")
# What an entry takes beside the texts in it.
ENTRY_BYTES = 512


def exact(printed: bytes) -> bytes:
    """Return the same bytes, taking no more than their length: what orjson prints holds 4 KiB or more, be it empty."""
    return memoryview(printed).tobytes()


class Kept(Generic[K, V]):
    """Answers to questions that come again and again.

    When it is full, all is forgotten: what matters comes again and costs one slow answer, and so nothing has to be
    written down when something is looked up.

    Attributes:
        known: what is kept; to be read, not to be written.
        size_bytes: what it takes.
    """

    __slots__ = ("_bytes_max", "known", "size_bytes")

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self.known: dict[K, V] = {}
        self.size_bytes = 0

    def keep(self, key: K, value: V, size_bytes: int) -> None:
        """Keep an answer; ``size_bytes`` is what the texts in key and answer take."""
        if key in self.known:
            return
        size_bytes += ENTRY_BYTES
        if self.size_bytes + size_bytes > self._bytes_max:
            self.known.clear()
            self.size_bytes = 0
        self.known[key] = value
        self.size_bytes += size_bytes
