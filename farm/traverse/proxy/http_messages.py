"""HTTP/1.1 taken apart as it passes by: heads, and bodies with and without their chunks' sizes."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

_HEAD_BYTES_MAX = 256 * 1024
_LINE_BYTES_MAX = 16 * 1024


class NotHttp(Exception):
    """The bytes are none that HTTP/1.1 allows."""


@dataclass(frozen=True)
class Head:
    """Start line and headers."""

    raw: bytes

    @cached_property
    def lines(self) -> list[bytes]:
        """The lines, the start line first, without what ends them."""
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
            raise NotHttp(f"no status line: {words[0][:80]!r}")
        return int(words[1])

    def get(self, name: bytes) -> str | None:
        """Return a header's value; the name in small letters."""
        for line in self.lines[1:]:
            key, _, value = line.partition(b":")
            if key.strip().lower() == name:
                return value.strip().decode("latin-1")
        return None


@dataclass(frozen=True)
class Data:
    """Part of a body.

    Attributes:
        raw: as it was sent, with the sizes of chunks and what ends them.
        body: what is in it.
    """

    raw: bytes
    body: bytes


class End(Enum):
    """The message is over."""

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
            is_answers: whether a server speaks; ``expect`` then says what it was asked.
        """
        self._is_answers = is_answers
        self._methods: deque[bytes] = deque()
        self._state = _State.HEAD
        self._left = 0
        self._buffer = b""

    def expect(self, method: bytes) -> None:
        """Say that a request was sent: an answer to HEAD has no body, whatever its headers say."""
        self._methods.append(method)

    def feed(self, data: bytes) -> Iterator[Part]:
        """Yield what the next bytes bring.

        Raises:
            NotHttp: they are none of HTTP/1.1.
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
        """Yield what the end of the connection brings: of a body without a length it is the end."""
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
                raise NotHttp(f"a head of more than {_HEAD_BYTES_MAX} bytes")
            return None
        return Head(self._take(end + 4))

    def _begin_body(self, head: Head) -> bool:
        """Say whether there is none."""
        method = b""
        if self._is_answers:
            if 100 <= head.status < 200 and head.status != 101:
                return False  # the answer itself is still to come
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
            raise NotHttp(f"a Content-Length of {length[:80]!r}")
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
                raise NotHttp("a chunk without a size")
            return None
        return self._take(end + 1)

    def _is_last(self, line: bytes) -> bool:
        if self._state is _State.TRAILER:
            return not line.strip()
        try:
            size = int(line.split(b";")[0], 16)
        except ValueError:
            raise NotHttp(f"a chunk of size {line[:80]!r}") from None
        self._state, self._left = (_State.CHUNK, size) if size else (_State.TRAILER, 0)
        return False


class Decoder:
    """A body without its Content-Encoding."""

    def __init__(self, encoding: str | None) -> None:
        """Begin a body.

        Args:
            encoding: the header's value.
        """
        self.encoding = (encoding or "identity").strip().lower()
        # 47: gzip or zlib, whichever it is.
        self._unzip = zlib.decompressobj(47) if self.encoding in ("gzip", "x-gzip", "deflate") else None
        self.is_readable = self._unzip is not None or self.encoding == "identity"

    def decode(self, data: bytes) -> bytes:
        """Return what more can be read; nothing of a body that is broken or in another encoding."""
        if self._unzip is None:
            return data if self.is_readable else b""
        try:
            return self._unzip.decompress(data)
        except zlib.error:
            self.is_readable = False
            return b""


class EventReader:
    """The data of server-sent events, as they pass by."""

    def __init__(self) -> None:
        self._buffer = b""
        self._data: list[bytes] = []

    def feed(self, body: bytes) -> Iterator[bytes]:
        """Yield the data of each event that is complete."""
        *lines, self._buffer = (self._buffer + body).split(b"\n")
        for raw in lines:
            line = raw.removesuffix(b"\r")
            if line.startswith(b"data:"):
                self._data.append(line[5:].removeprefix(b" "))
            elif not line and self._data:
                data, self._data = b"\n".join(self._data), []
                if data.strip():
                    yield data
