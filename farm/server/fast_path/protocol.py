"""The HTTP connection of an agent: uvicorn's own, with a fast path for requests with known heads.

A client sends nearly the same head each time; only the path, the length and sometimes a header differ. A head that
uvicorn's parser accepted is cached. A later request that begins with exactly those bytes needs no parser, no ASGI
scope and no task: the connection dispatches it directly. Every other request goes through uvicorn, byte for byte: other
methods, new heads, requests in many pieces, pipelined ones, clients that read slowly. So the fast path changes only how
soon an answer comes, never which.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Protocol

from farm._util.bounded_cache import BoundedCache
from farm.server.http.answer import HttpAnswer
from farm.server.http.delivered import Delivered
from farm.server.limits.limited_protocol import LimitedProtocol

_START = b"POST /mcp/"
_START_LENGTH = len(_START)
_VERSION = b" HTTP/1.1"
_VERSION_LENGTH = len(_VERSION)
_END = b"\r\n\r\n"
_LENGTHS = (b"\r\nContent-Length: ", b"\r\ncontent-length: ")
_LENGTH_NAME = len(_LENGTHS[0])
# Uvicorn handles a request whose headers change how the connection is read.
_CONNECTION_HEADERS = frozenset((b"transfer-encoding", b"expect", b"upgrade", b"te", b"trailer"))
_KEEP_ALIVE = b"keep-alive"
# Longer bodies and heads go through uvicorn: the fast path would save nothing measurable.
_BODY_MAX = 1 << 16
_DIGITS_MAX = 5
_HEAD_MAX = 4096
# Limit for all cached heads. A client with its own bearer takes some 3 KiB, including its parsed headers.
HEADS_BYTES_MAX = 3 * 1024 * 1024
_HEADER_BYTES = 160  # overhead of one parsed header besides its texts
_BUG = HttpAnswer(500, b"", ((b"connection", b"close"),)).over_http()
_logger = logging.getLogger("farm.server")


class RequestHead:
    """The headers of a request without its length.

    Attributes:
        headers: value by name in lower case; no name is repeated.
        cached: data that the server caches for requests with these headers.
    """

    __slots__ = ("cached", "headers")

    def __init__(self, headers: dict[bytes, bytes]) -> None:
        self.headers = headers
        self.cached: Any = None


class RequestHeads:
    """The known heads of one server, by their bytes without request line and length."""

    def __init__(self) -> None:
        self._cache: BoundedCache[bytes, RequestHead] = BoundedCache(HEADS_BYTES_MAX)
        self.known = self._cache.known

    def learn(self, key: bytes, headers: list[tuple[bytes, bytes]]) -> None:
        """Cache a head that uvicorn's parser read, unless uvicorn has to handle it."""
        named = dict(headers)
        if (
            len(key) > _HEAD_MAX
            or len(named) != len(headers)
            # One line a header: nothing was folded, and nothing stood between.
            or key.count(b"\r\n") != len(headers) - 1
            or b"content-length" not in named
            or named.get(b"connection", _KEEP_ALIVE).lower() != _KEEP_ALIVE
            or not _CONNECTION_HEADERS.isdisjoint(named)
        ):
            return
        # Its bytes, the parsed headers, and the header lines that the gateway relays.
        self._cache.keep(key, RequestHead(named), 3 * len(key) + _HEADER_BYTES * len(named))


class FastPathProtocol(LimitedProtocol):
    """One connection to a server that has ``heads``; a subclass decides which requests with known heads it takes."""

    def __init__(self, config: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        self._heads: RequestHeads = config.app.heads
        self._held = b""  # of a request with a known head, whose body is incomplete
        self._used_at = 0.0

    def data_received(self, data: bytes) -> None:
        """Process received bytes (asyncio)."""
        if self._held:
            data, self._held = self._held + data, b""
            self._limits.held.hold(self, self._held_bytes())
        cycle = self.cycle
        if not self._is_between or (cycle is not None and not cycle.response_complete):
            super().data_received(data)
            return
        line, end = data.find(b"\r\n"), data.find(_END)
        start = line - _VERSION_LENGTH
        if end < 0 or not data.startswith(_START) or data[start:line] != _VERSION:
            super().data_received(data)
            return
        at = data.find(_LENGTHS[0], line, end)
        if at < 0 and (at := data.find(_LENGTHS[1], line, end)) < 0:
            super().data_received(data)
            return
        stop = data.find(b"\r\n", at + _LENGTH_NAME)
        key, digits = data[line:at] + data[stop:end], data[at + _LENGTH_NAME : stop]
        if not digits.isdigit() or len(digits) > _DIGITS_MAX or (length := int(digits)) > _BODY_MAX:
            super().data_received(data)
            return
        missing = end + 4 + length - len(data)
        head = self._heads.known.get(key)
        if head is None:
            super().data_received(data)
            if missing >= 0 and not self.transport.is_closing():
                self._heads.learn(key, self.headers)
        elif missing > 0:
            self._held = data
            self._count()
            self._watch(in_body=True)
        elif missing or self.flow.write_paused or not self._take(data[_START_LENGTH:start], head, data[end + 4 :]):
            super().data_received(data)
        else:
            self._used_at = self.loop.time()
            if self._slow is not None:
                self._watch_no_more()
            if self.timeout_keep_alive_task is None:
                self._wait_for_more(self.timeout_keep_alive)

    def _held_bytes(self) -> int:
        return super()._held_bytes() + len(self._held)

    def _end_overfull(self) -> None:
        super()._end_overfull()
        self._held = b""

    def _take(self, place: bytes, head: RequestHead, body: bytes) -> bool:
        """Answer a POST to ``/mcp/PLACE``, now or later, or return False to send it through ASGI."""
        raise NotImplementedError

    def _wait_for_more(self, seconds: float) -> None:
        self.timeout_keep_alive_task = self.loop.call_later(seconds, self.timeout_keep_alive_handler)

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection if it was idle for all that time."""
        # One timer outlives many requests: restarting it for each would cost more than reading their heads.
        left = self._used_at + self.timeout_keep_alive - self.loop.time()
        if left > 0:
            self._wait_for_more(left)
        else:
            super().timeout_keep_alive_handler()

    def shutdown(self) -> None:
        """Finish the request in progress, then close."""
        if self._held:
            # Uvicorn can end after a request that is still incomplete.
            data, self._held = self._held, b""
            super().data_received(data)
        super().shutdown()


class AnswersAtOnce(Protocol):
    """A server that can answer most requests without waiting for anything."""

    def answer_at_once(self, place: bytes, head: RequestHead, body: bytes) -> bytes | Delivered | None:
        """Return the whole HTTP answer to a POST to ``/mcp/PLACE``, or None if the request has to wait."""


class AppProtocol(FastPathProtocol):
    """A connection to an app's server."""

    def __init__(self, config: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        self._server: AnswersAtOnce = config.app
        self._late: Delivered | None = None  # the answer that is sent later
        self._timer: asyncio.TimerHandle | None = None

    def _take(self, place: bytes, head: RequestHead, body: bytes) -> bool:
        try:
            answer = self._server.answer_at_once(place, head, body)
        except Exception:
            # As uvicorn does: a bug costs one connection, not the server.
            _logger.exception("a request to /mcp/%s failed", place.decode("latin-1"))
            self.transport.write(_BUG)
            self.transport.close()
            return True
        if answer is None:
            return False
        if isinstance(answer, bytes):
            self.transport.write(answer)
        else:
            self._deliver_later(answer)
        return True

    # -- answers that a planned fault delays or breaks off

    def _deliver_later(self, answer: Delivered) -> None:
        self._late = answer
        if not answer.delay_s:
            self._deliver()
            return
        self.transport.pause_reading()  # until then, further requests wait in the system
        self._timer = self.loop.call_later(answer.delay_s, self._deliver)

    def _deliver(self) -> None:
        answer, self._late = self._late, None
        if answer is None or self.transport.is_closing():
            return
        self.transport.write(answer.over_http())
        if answer.breaks_off:
            self.transport.close()
        else:
            self._used_at = self.loop.time()
            self.transport.resume_reading()

    @property
    def waits_for_client(self) -> bool:
        """Return whether the client has to act next; not while an answer is delayed."""
        return self._late is None and super().waits_for_client

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection; waiting for a delayed answer is not idle."""
        if self._late is not None:
            self._used_at = self.loop.time()
        super().timeout_keep_alive_handler()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a delayed answer."""
        self._late = None
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Send a delayed answer now, then close."""
        self._deliver()
        super().shutdown()
