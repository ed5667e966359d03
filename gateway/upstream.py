"""Connections to an app process: HTTP/1.1, kept open, one request at a time on each, answers as they come.

The relay sends every call of every agent through here, so it is as small as it can be: a general client costs several
times the call itself. It speaks to our own servers only.
"""

from __future__ import annotations

import asyncio
import time
from typing import Protocol, cast

import httptools

from farm.server.listener import KEEP_ALIVE_S

CONNECT_S_MAX = 30.0
IDLE_S_MAX = KEEP_ALIVE_S / 2
_STREAM = b"text/event-stream"
# Hop-by-hop headers, and those our own server writes.
_NOT_RETURNED = frozenset((b"connection", b"keep-alive", b"transfer-encoding", b"date", b"server"))
_END = b"\r\n\r\n"
_LENGTH = b"\r\ncontent-length: "
_CLOSE = b"\r\nconnection: close"
_UNKNOWN = -1


class Broken(Exception):
    """The connection ended, or what came on it was no HTTP, before the answer was complete."""


class Asker(Protocol):
    """Whoever takes an answer as the bytes that come."""

    def relay(self, data: bytes, *, is_last: bool, closes: bool) -> None:
        """Take the next bytes of the answer; ``closes``: the connection ends with the last of them."""

    def relay_broken(self, has_begun: bool) -> None:
        """Take note that the rest, or all of it when nothing has begun, will not come."""


class Connection(asyncio.Protocol):
    """One connection. An answer is read by ``ask`` and ``part``, or passed on unread to an ``Asker``.

    Attributes:
        status: status of the answer.
        headers: its headers, names in lower case, without those of the hop.
        is_stream: whether it comes bit by bit.
        is_whole: whether all of it has come.
        is_closed: whether nothing more can be asked here.
    """

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._parts: list[bytes] = []
        self._waiting: asyncio.Future[None] | None = None
        self._transport: asyncio.Transport | None = None
        self.is_closed = False
        self._asker: Asker | None = None
        self._begin()

    def _begin(self) -> None:
        self._head = b""
        # Bytes of the answer still to be passed on; None before its head is there.
        self._left: int | None = None
        self._stays_open = True
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.is_stream = self.is_whole = False
        self._parts.clear()

    async def ask(self, request: bytes) -> None:
        """Send a request; return when its answer is there: whole, or its head when it is a stream.

        Raises:
            Broken: it does not come.
        """
        self._begin()
        if self._transport is None or self.is_closed:
            raise Broken
        self._transport.write(request)
        await self._woken()

    async def _woken(self) -> None:
        if self.is_closed:
            raise Broken
        self._waiting = asyncio.get_running_loop().create_future()
        try:
            await self._waiting
        finally:
            self._waiting = None

    async def part(self) -> bytes:
        """Return what has come of the body since the last time; nothing at its end.

        Raises:
            Broken: it is cut short.
        """
        while not self._parts and not self.is_whole:
            await self._woken()
        found = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        self._parts.clear()
        return found

    @property
    def is_reusable(self) -> bool:
        """Whether the next request may be sent here."""
        return self.is_whole and not self.is_closed and self._stays_open

    def abort(self) -> None:
        """Close at once; the app sees that nobody waits any more."""
        self.is_closed = True
        if self._transport is not None:
            self._transport.abort()

    def ask_for(self, asker: Asker, request: bytes) -> None:
        """Send a request and pass the answer on as it comes; the connection must be an open one."""
        self._begin()
        self._asker = asker
        cast(asyncio.Transport, self._transport).write(request)

    def leave(self) -> None:
        """Nobody wants the answer any more."""
        self._asker = None
        self.abort()

    def pause(self) -> None:
        """Let the rest of the answer wait."""
        cast(asyncio.Transport, self._transport).pause_reading()

    def resume(self) -> None:
        """Let the answer come again."""
        cast(asyncio.Transport, self._transport).resume_reading()

    def _relay(self, asker: Asker, data: bytes) -> None:
        if self._left is None:
            data, self._head = self._head + data, b""
            end = data.find(_END)
            if end < 0:
                self._head = data
                return
            at = data.find(_LENGTH, 0, end)
            # Our servers give a length, in lower case; the end of anything else is the parser's to find.
            is_plain = at >= 0 and data.find(_CLOSE, 0, end) < 0
            stop = data.find(b"\r\n", at + len(_LENGTH))
            self._left = end + len(_END) + int(data[at + len(_LENGTH) : stop]) if is_plain else _UNKNOWN
        if self._left == _UNKNOWN:
            self._parser.feed_data(data)
            self._parts.clear()
            is_last = self.is_whole
        else:
            self._left -= len(data)
            is_last = self._left <= 0
        if not is_last:
            asker.relay(data, is_last=False, closes=False)
            return
        self._asker = None
        self.is_whole = True
        asker.relay(data, is_last=True, closes=not self._stays_open)

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    # -- called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # A cast, as uvloop's transports do not derive from asyncio's.
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        try:
            if self._asker is not None:
                self._relay(self._asker, data)
            else:
                self._parser.feed_data(data)
        except (httptools.HttpParserError, ValueError):
            self.abort()

    def connection_lost(self, _: Exception | None) -> None:
        self.is_closed = True
        if self._asker is not None:
            asker, self._asker = self._asker, None
            asker.relay_broken(self._left is not None)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(Broken())

    # -- called by the parser

    def on_header(self, name: bytes, value: bytes) -> None:
        name = name.lower()
        if name not in _NOT_RETURNED:
            self.headers.append((name, value))
        if name == b"content-type" and value.startswith(_STREAM):
            self.is_stream = True

    def on_headers_complete(self) -> None:
        self.status = self._parser.get_status_code()
        if self.is_stream:
            self._wake()

    def on_body(self, body: bytes) -> None:
        self._parts.append(body)
        if self.is_stream:
            self._wake()

    def on_message_complete(self) -> None:
        self.is_whole = True
        # Asked here, as the parser forgets it with the message.
        self._stays_open = self._parser.should_keep_alive()
        self._wake()


class Pool:
    """The connections to one app process."""

    def __init__(self, host: str, port: int) -> None:
        self._place = host, port
        self._idle: list[tuple[Connection, float]] = []  # and since when

    def take_idle(self) -> Connection | None:
        """Return an open connection nobody uses, if there is one."""
        while self._idle:
            connection, since_s = self._idle.pop()
            if connection.is_closed:
                continue
            if time.monotonic() - since_s < IDLE_S_MAX:
                return connection
            # The app may be closing it this very moment, and a request must not be lost to that.
            connection.abort()
        return None

    async def take(self) -> Connection:
        """Return a connection nobody uses.

        Raises:
            Broken: nothing listens there.
        """
        if idle := self.take_idle():
            return idle
        try:
            async with asyncio.timeout(CONNECT_S_MAX):
                _, made = await asyncio.get_running_loop().create_connection(Connection, *self._place)
        except (OSError, TimeoutError) as problem:
            raise Broken from problem
        return made

    def give_back(self, connection: Connection) -> None:
        """Keep a connection for the next request, or close it when its answer was not read to the end."""
        if connection.is_reusable:
            self._idle.append((connection, time.monotonic()))
        else:
            connection.abort()

    def close(self) -> None:
        """Close every idle connection."""
        while self._idle:
            self._idle.pop()[0].abort()
