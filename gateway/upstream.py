"""Connections to an app process: HTTP/1.1, kept open, one request at a time on each, answers streamed.

The relay sends every agent's calls through here, so it is minimal: a general client costs several times the call
itself. It talks only to the farm's own servers, and parses an answer only to find its end.
"""

from __future__ import annotations

import asyncio
import time
from typing import Protocol, cast

import httptools

from farm.server.listener import KEEP_ALIVE_S

CONNECT_S_MAX = 30.0
IDLE_S_MAX = KEEP_ALIVE_S / 2
_IDLE_MAX = 256
_AGAIN_S = 0.1
_END = b"\r\n\r\n"
_LENGTH = b"\r\ncontent-length: "
_CLOSE = b"\r\nconnection: close"
_UNKNOWN = -1


class Downstream(Protocol):
    """Receives the bytes of an answer as they come."""

    def take_answer(self, data: bytes, *, is_last: bool, closes: bool) -> None:
        """Take the next bytes of the answer; ``closes``: the connection ends with the last of them."""

    def lose_answer(self, *, has_begun: bool) -> None:
        """Record that the rest will not come, or, if nothing has begun, no answer at all."""


class Connection(asyncio.Protocol):
    """One connection, made by its pool, which returns answers as bytes.

    Attributes:
        is_closed: whether it can take no more requests.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._parser = httptools.HttpResponseParser(self)
        self._transport: asyncio.Transport | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._downstream: Downstream | None = None
        self._request = b""  # sent as soon as the connection is open
        self._is_paused = False
        self.is_closed = False

    def ask(self, request: bytes, downstream: Downstream) -> None:
        """Send a request; stream the answer downstream, then return the connection to its pool."""
        self._head = b""
        # Bytes of the answer still to come; None before its head is complete.
        self._left: int | None = None
        self._is_whole = False
        self._stays_open = True
        self._downstream = downstream
        if self._transport is not None:
            self._transport.write(request)
        else:
            self._request = request
            self._connecting = asyncio.ensure_future(self._connect())

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(CONNECT_S_MAX):
                while True:
                    try:
                        await loop.create_connection(lambda: self, *self._pool.place)
                        return
                    except OSError:
                        # In a container no supervisor holds the app's socket while it restarts. Nothing was sent yet.
                        await asyncio.sleep(_AGAIN_S)
        except TimeoutError:
            self.connection_lost(None)

    def leave(self) -> None:
        """Abandon the answer; the app sees the connection close."""
        self._downstream = None
        self.abort()

    def abort(self) -> None:
        """Close at once."""
        self.is_closed = True
        if self._transport is not None:
            self._transport.abort()
        elif self._connecting is not None:
            self._connecting.cancel()

    def pause(self) -> None:
        """Pause the rest of the answer."""
        self._is_paused = True
        if self._transport is not None:
            self._transport.pause_reading()

    def resume(self) -> None:
        """Resume the answer."""
        self._is_paused = False
        if self._transport is not None:
            self._transport.resume_reading()

    # -- called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # A cast, as uvloop's transports do not derive from asyncio's.
        self._transport = cast(asyncio.Transport, transport)
        if self.is_closed:
            self._transport.abort()
            return
        if self._is_paused:
            self._transport.pause_reading()
        self._transport.write(self._request)
        self._request = b""

    def data_received(self, data: bytes) -> None:
        downstream = self._downstream
        if downstream is None:
            self.abort()  # nothing was requested
            return
        try:
            left = self._left
            if left is None:
                data, self._head = self._head + data, b""
                left = self._left = _answer_length(data)
                if left is None:
                    self._head = data
                    return
            if left == _UNKNOWN:
                self._parser.feed_data(data)
            else:
                self._left = left - len(data)
                self._is_whole = self._left <= 0
        except (httptools.HttpParserError, ValueError):
            self.abort()
            return
        if not self._is_whole:
            downstream.take_answer(data, is_last=False, closes=False)
            return
        # Returned to the pool first: the receiver may already send another request.
        self._downstream = None
        closes = not self._stays_open
        self._pool.give_back(self)
        downstream.take_answer(data, is_last=True, closes=closes)

    def connection_lost(self, _: Exception | None) -> None:
        self.is_closed = True
        downstream, self._downstream = self._downstream, None
        if downstream is not None:
            downstream.lose_answer(has_begun=self._left is not None)

    def on_message_complete(self) -> None:
        """Record an answer's end (httptools)."""
        self._is_whole = True
        # Read here, as the parser drops it with the message.
        self._stays_open = self._parser.should_keep_alive()

    @property
    def is_reusable(self) -> bool:
        """Return whether the next request may be sent here."""
        return self._is_whole and self._stays_open and not self.is_closed


def _answer_length(data: bytes) -> int | None:
    """Return an answer's length with its head; None before the head is complete, ``_UNKNOWN`` if not declared."""
    end = data.find(_END)
    if end < 0:
        return None
    at = data.find(_LENGTH, 0, end)
    # Our servers declare a length, in lower case; for any other answer the parser finds the end.
    if at < 0 or data.find(_CLOSE, 0, end) >= 0:
        return _UNKNOWN
    start = at + len(_LENGTH)
    return end + len(_END) + int(data[start : data.find(b"\r\n", start)])


class Pool:
    """The connections to one app process.

    Attributes:
        place: its host and port.
    """

    def __init__(self, host: str, port: int) -> None:
        self.place = host, port
        self._idle: list[tuple[Connection, float]] = []  # with the time since which it is idle

    def ask(self, request: bytes, downstream: Downstream) -> Connection:
        """Send a request over an idle connection, or a new one; the answer goes downstream."""
        connection = self._take_idle() or Connection(self)
        connection.ask(request, downstream)
        return connection

    def _take_idle(self) -> Connection | None:
        while self._idle:
            connection, since_s = self._idle.pop()
            if connection.is_closed:
                continue
            if time.monotonic() - since_s < IDLE_S_MAX:
                return connection
            # The app may be closing it at this moment, and no request must be lost to that.
            connection.abort()
        return None

    def give_back(self, connection: Connection) -> None:
        """Keep a connection for the next request, or close it if it cannot take one."""
        if connection.is_reusable and len(self._idle) < _IDLE_MAX:
            self._idle.append((connection, time.monotonic()))
        else:
            connection.abort()

    def close(self) -> None:
        """Close every idle connection."""
        while self._idle:
            self._idle.pop()[0].abort()
