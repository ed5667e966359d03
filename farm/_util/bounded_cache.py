"""A cache of a server's requests, bounded in bytes whatever clients send."""

from __future__ import annotations

from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")
# The size of an entry without its texts.
ENTRY_BYTES = 512


def compact_bytes(printed: bytes) -> bytes:
    """Return the same bytes without spare capacity: orjson allocates at least 4 KiB even for an empty result."""
    return memoryview(printed).tobytes()


class BoundedCache(Generic[K, V]):
    """A cache of answers that clears itself when it is full.

    Entries that are still in use are computed once more and come back. A lookup therefore never has to write anything.

    Attributes:
        known: the entries; read it, do not write to it.
        size_bytes: the size of all entries.
    """

    __slots__ = ("_bytes_max", "known", "size_bytes")

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self.known: dict[K, V] = {}
        self.size_bytes = 0

    def keep(self, key: K, value: V, size_bytes: int) -> None:
        """Store an answer; ``size_bytes`` is the size of the texts in key and answer."""
        if key in self.known:
            return
        size_bytes += ENTRY_BYTES
        if self.size_bytes + size_bytes > self._bytes_max:
            self.known.clear()
            self.size_bytes = 0
        self.known[key] = value
        self.size_bytes += size_bytes
