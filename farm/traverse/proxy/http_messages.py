"""Parse HTTP/1.1 as it passes: heads, and bodies in raw and decoded form."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

_HEAD_BYTES_MAX = 256 * 1024
_LINE_BYTES_MAX = 16 * 1024


class NotHttpError(Exception):
    """The bytes are not valid HTTP/1.1."""


@dataclass(frozen=True)
class Head:
    """Start line and headers."""

    raw: bytes

    @cached_property
    def lines(self) -> list[bytes]:
        """The lines without line ends, the start line first."""
        return self.raw.rstrip(b"\r\n").split(b"\r\n")

    @property
    def method(self) -> bytes:
        """A request's method."""
        return self.lines[0].split(b" ")[0]

    @property
    def target(self) -> str:
        """A request's path and query."""
        words = self.lines[0].split(b" ")
        return words[1].decode("latin-1") if len(words) > 1 else ""

    @property
    def status(self) -> int:
        """An answer's status."""
        words = self.lines[0].split(b" ")
        if len(words) < 2 or not words[1].isdigit():
            raise NotHttpError(f"no status line: {words[0][:80]!r}")
        return int(words[1])

    def get(self, name: bytes) -> str | None:
        """Return a header's value; ``name`` is in lower case."""
        for line in self.lines[1:]:
            key, _, value = line.partition(b":")
            if key.strip().lower() == name:
                return value.strip().decode("latin-1")
        return None


@dataclass(frozen=True)
class Data:
    """Part of a body.

    Attributes:
        raw: the bytes as sent, with chunk sizes and line ends.
        body: the content.
    """

    raw: bytes
    body: bytes


class End(Enum):
    """The end of a message."""

    END = auto()


Part = Head | Data | End


class _State(Enum):
    HEAD = auto()
    LENGTH = auto()
    CHUNK = auto()
    CHUNK_SIZE = auto()
    CHUNK_END = auto()
    TRAILER = auto()
    REST = auto()


class HttpReader:
    """Reads one direction of a connection."""

    def __init__(self, *, is_answers: bool) -> None:
        """Begin to read.

        Args:
            is_answers: whether these are a server's answers; then ``expect`` announces each request.
        """
        self._is_answers = is_answers
        self._methods: deque[bytes] = deque()
        self._state = _State.HEAD
        self._left = 0
        self._buffer = b""

    def expect(self, method: bytes) -> None:
        """Announce a request: an answer to HEAD has no body, whatever its headers say."""
        self._methods.append(method)

    def feed(self, data: bytes) -> Iterator[Part]:
        """Yield the parts in the next bytes.

        Raises:
            NotHttpError: the bytes are not valid HTTP/1.1.
        """
        self._buffer += data
        while self._buffer:
            if self._state is _State.HEAD:
                if (head := self._head()) is None:
                    return
                yield head
                if self._begin_body(head):
                    yield End.END
            elif self._state in (_State.LENGTH, _State.CHUNK, _State.CHUNK_END, _State.REST):
                yield self._data()
                if self._state is _State.LENGTH and not self._left:
                    self._state = _State.HEAD
                    yield End.END
            else:
                if (line := self._line()) is None:
                    return
                yield Data(line, b"")
                if self._is_last(line):
                    self._state = _State.HEAD
                    yield End.END

    def end(self) -> Iterator[Part]:
        """Yield the parts that the end of the connection completes: a body without a length ends there."""
        if self._state is _State.REST:
            self._state = _State.HEAD
            yield End.END

    def _take(self, size: int) -> bytes:
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def _head(self) -> Head | None:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > _HEAD_BYTES_MAX:
                raise NotHttpError(f"a head of more than {_HEAD_BYTES_MAX} bytes")
            return None
        return Head(self._take(end + 4))

    def _begin_body(self, head: Head) -> bool:
        """Return whether the message has no body."""
        method = b""
        if self._is_answers:
            if 100 <= head.status < 200 and head.status != 101:
                return False  # an interim answer: the final one follows
            method = self._methods.popleft() if self._methods else b""
            if method == b"HEAD" or head.status in (204, 304):
                return True
        if "chunked" in (head.get(b"transfer-encoding") or "").lower():
            self._state = _State.CHUNK_SIZE
            return False
        length = head.get(b"content-length")
        if length is None:
            if self._is_answers:
                self._state = _State.REST
                return False
            return True
        if not length.isdigit():
            raise NotHttpError(f"a Content-Length of {length[:80]!r}")
        self._left = int(length)
        self._state = _State.LENGTH if self._left else _State.HEAD
        return not self._left

    def _data(self) -> Data:
        if self._state is _State.REST:
            taken = self._take(len(self._buffer))
            return Data(taken, taken)
        taken = self._take(self._left)
        self._left -= len(taken)
        if self._state is _State.CHUNK_END:
            if not self._left:
                self._state = _State.CHUNK_SIZE
            return Data(taken, b"")
        if self._state is _State.CHUNK and not self._left:
            self._state, self._left = _State.CHUNK_END, 2
        return Data(taken, taken)

    def _line(self) -> bytes | None:
        end = self._buffer.find(b"\n")
        if end < 0:
            if len(self._buffer) > _LINE_BYTES_MAX:
                raise NotHttpError("a chunk without a size")
            return None
        return self._take(end + 1)

    def _is_last(self, line: bytes) -> bool:
        if self._state is _State.TRAILER:
            return not line.strip()
        try:
            size = int(line.split(b";")[0], 16)
        except ValueError:
            raise NotHttpError(f"a chunk of size {line[:80]!r}") from None
        self._state, self._left = (_State.CHUNK, size) if size else (_State.TRAILER, 0)
        return False
