"""Bound what is read from a real server: a message's bytes, compressed or not, its values and its depth.

The server is untrusted: it may send a body or a line without an end, or a gigabyte compressed to a megabyte.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import aiohttp

from farm._util.bounded_json import OversizedError, parse_bounded
from farm.traverse.transport.wire import ConnectionGoneError

# Twice the longest answer of a farm's app; real tool lists are below 1 MiB, results with pictures a few MiB.
BODY_BYTES_MAX = 16 * 2**20
PIECE_BYTES = 64 * 1024
ACCEPTED = "gzip, deflate"
_BYTES_A_VALUE = 16  # on average, in a message of maximum length: a parsed value takes a hundred bytes of memory


@dataclass(frozen=True)
class Bounds:
    """The bounds for one server.

    Attributes:
        name: the server's name in messages.
        body_max: the largest decompressed message, in bytes.
    """

    name: str
    body_max: int = BODY_BYTES_MAX

    def parse(self, raw: bytes) -> Any:
        """Parse a message.

        Raises:
            ConnectionGoneError: the message is too deep, or has too many values.
            ValueError: the message is not JSON.
        """
        try:
            return parse_bounded(raw, values_max=values_max(self.body_max))
        except OversizedError as problem:
            raise ConnectionGoneError(f"{self.name}: its message {problem}; {_way_out(str(problem))}") from None

    def too_long(self, what: str) -> ConnectionGoneError:
        """Return the error for a body, line, event or list that exceeds its bound."""
        return ConnectionGoneError(f"{self.name}: {what} of over {format_size(self.body_max)}; --body-max takes more")


def values_max(body_max: int) -> int:
    """Return how many values a message of at most so many bytes may have."""
    return max(50_000, body_max // _BYTES_A_VALUE)


def _way_out(problem: str) -> str:
    return "--body-max takes more" if "values" in problem else "no tool of MCP needs that"


def format_size(size: int) -> str:
    """Return a bound in the form used in messages."""
    return f"{size >> 20} MiB" if size >= 2**20 else f"{size:,} bytes"


class BodyDecoder:
    """Decodes a body's Content-Encoding into pieces of bounded size.

    Attributes:
        is_readable: whether the encoding is supported and the body is valid so far.
    """

    def __init__(self, encoding: str | None) -> None:
        """Begin a body; ``encoding`` is the header's value."""
        self.encoding = (encoding or "identity").strip().lower()
        # 47 detects gzip and zlib.
        self._unzip = zlib.decompressobj(47) if self.encoding in ("gzip", "x-gzip", "deflate") else None
        self.is_readable = self._unzip is not None or self.encoding == "identity"

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Yield the decoded pieces; nothing more once the body is invalid, or if its encoding is not supported."""
        if self._unzip is None:
            if self.is_readable:
                yield data
            return
        while True:
            try:
                piece = self._unzip.decompress(data, PIECE_BYTES)
            except zlib.error:
                self.is_readable = False
                return
            data = self._unzip.unconsumed_tail
            if piece:
                yield piece
            # After a full piece, zlib may hold more output although it has consumed all input.
            if not data and len(piece) < PIECE_BYTES:
                return


async def pieces(answer: aiohttp.ClientResponse, bounds: Bounds) -> AsyncIterator[bytes]:
    """Yield an answer's body as it arrives, decompressed.

    Raises:
        ConnectionGoneError: the encoding was not requested, or the body is invalid.
    """
    decoder = BodyDecoder(answer.headers.get("content-encoding"))
    async for data in answer.content.iter_any():
        for piece in decoder.decode(data):
            yield piece
        if not decoder.is_readable:
            raise ConnectionGoneError(f"{bounds.name}: its body is no {decoder.encoding:.40}, or that is not read here")


async def read_body(answer: aiohttp.ClientResponse, bounds: Bounds) -> bytes:
    """Return an answer's body.

    Raises:
        ConnectionGoneError: the body is too long.
    """
    body = bytearray()
    async for piece in pieces(answer, bounds):
        body += piece
        if len(body) > bounds.body_max:
            raise bounds.too_long("an answer")
    return bytes(body)


async def read_beginning(answer: aiohttp.ClientResponse, bounds: Bounds, size: int) -> bytes:
    """Return the beginning of an answer's body."""
    body = b""
    async for piece in pieces(answer, bounds):
        body += piece
        if len(body) >= size:
            break
    return body[:size]
