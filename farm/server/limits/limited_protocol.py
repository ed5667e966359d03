"""An HTTP connection with limits on what a client sends, on top of uvicorn's own.

Uvicorn reads on while answers wait to be read, queues every pipelined request, and limits neither a head nor the time
a request takes to arrive. Here the parser gets a client's bytes in small pieces, and none while earlier answers wait;
meanwhile reading stops, too. ``connection_limits.py`` limits the sum over all connections.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from farm.server.http.answer import HttpAnswer
from farm.server.http.asgi import BODY_BYTES_MAX
from farm.server.http.uvicorn_internals import FlowControl, QuietProtocol
from farm.server.limits.connection_limits import SMALL_BODY_BYTES, ConnectionLimits

HEAD_BYTES_MAX = 64 * 1024
# including the lengths of its chunks, and what is discarded of a body that was refused
MESSAGE_BYTES_MAX = 4 * BODY_BYTES_MAX
# Each chunk costs as much as some kilobytes, and the shortest has six bytes. The longest body may have 1 KiB chunks.
CHUNKS_MAX = 4096
HEAD_S_MAX = 30.0
BODY_S_MAX = 60.0
LONG_BODY_S_MAX = 10.0  # if others wait in the queue
UNREAD_S_MAX = 60.0  # while a client reads nothing of an answer
# The shortest request has 18 bytes, so this also limits pipelined requests: to two hundred, or ten real ones.
PIECE_BYTES = 4096
_NO_SLOT_S_MAX = 2.0
_DIGITS_MAX = 10  # of a length that is worth parsing


class _Flow(FlowControl):
    """Uvicorn's flow control, except that reading stops while bytes are held."""

    is_held = False

    def resume_reading(self) -> None:
        """Resume reading, unless held bytes still wait."""
        if not self.is_held:
            super().resume_reading()


class _NoSlot(asyncio.Protocol):
    """A connection beyond the maximum: any request gets a refusal."""

    def __init__(self, limits: ConnectionLimits[Any], transport: Any) -> None:
        self._limits = limits
        self._transport = transport
        self._timer: asyncio.TimerHandle | None = None
        if limits.slots.begin_refusal():
            # The refusal follows a request only: if bytes remain unread, the system discards the answer.
            self._timer = asyncio.get_running_loop().call_later(_NO_SLOT_S_MAX, transport.abort)
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Answer (asyncio)."""
        if not self._transport.is_closing():
            headers = (
                (b"content-type", b"text/plain; charset=utf-8"),
                (b"connection", b"close"),
                (b"retry-after", b"1"),
            )
            words = b"Service Unavailable: too many connections are being served; try again in a moment"
            self._transport.write(HttpAnswer(503, words, headers).over_http())
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """End (asyncio)."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._limits.slots.end_refusal()


class LimitedProtocol(QuietProtocol):
    """One connection of a server whose configuration has ``limits``."""

    flow: _Flow

    def __init__(self, config: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        self._is_between = True  # the parser is between two requests
        self._in_head = True  # or in a head
        self._unread = b""  # waits until earlier answers are read
        self._dry_bytes = 0  # read since the parser last got the first byte of a request or some of a body
        self._message_bytes = 0
        self._chunks = 0
        self._limits: ConnectionLimits[LimitedProtocol] = config.limits
        self._body_bytes = 0  # of requests that are not answered yet
        self._is_let_in = False  # long bodies may be read now
        self._hurry: asyncio.TimerHandle | None = None  # runs while they may
        self._slow: asyncio.TimerHandle | None = None  # runs while a request is incomplete
        self._stalled: asyncio.TimerHandle | None = None  # runs while answers are unread

    def connection_made(self, transport: Any) -> None:
        """Begin (asyncio)."""
        has_to_go = self._limits.slots.take(self, self.loop.time())
        if has_to_go is self:
            transport.set_protocol(_NoSlot(self._limits, transport))
            return
        if has_to_go is not None:
            has_to_go._end_waiting()
        super().connection_made(transport)
        self.flow = _Flow(self.transport)

    @property
    def waits_for_client(self) -> bool:
        """Return whether the client has to act next: send a request, send the rest of one, or read an answer."""
        if self._stalled is not None or not self._is_between:
            return True
        return self.cycle is None or bool(self.cycle.response_complete)

    def _end_waiting(self) -> None:
        """Give up the slot for another connection."""
        if self._stalled is not None:
            self.transport.abort()
        elif self._is_between and not self._held_bytes():
            self.transport.close()
        else:
            self._refuse(408, "others want to connect, and the rest of this request has not come")
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Process received bytes (asyncio)."""
        if self._unread:
            self._hold(self._unread + data)
        else:
            self._feed(data)

    def _hold(self, data: bytes) -> None:
        self._unread = data
        self.flow.is_held = True
        self.flow.pause_reading()
        self.transport.pause_reading()
        self._count()

    def _feed(self, data: bytes) -> None:
        at = 0
        while at < len(data) and not self.transport.is_closing():
            if self.pipeline or self.flow.write_paused or not self._may_read_body():
                self._hold(data[at:])
                return
            piece = data[at : at + PIECE_BYTES]
            at += len(piece)
            self._dry_bytes += len(piece)
            self._message_bytes += len(piece)
            super().data_received(piece)
            if self._dry_bytes > HEAD_BYTES_MAX:
                self._refuse(431, f"the head of a request is over {HEAD_BYTES_MAX >> 10} KiB")
            elif self._message_bytes > MESSAGE_BYTES_MAX:
                self._refuse(413, f"the body is over {BODY_BYTES_MAX >> 20} MiB")
            elif self._chunks > CHUNKS_MAX:
                self._refuse(413, f"the body comes in over {CHUNKS_MAX} chunks")
        if not self._is_between:
            self._watch()

    def _may_read_body(self) -> bool:
        """Return whether more of a body may be read: of a long one only when its turn has come."""
        if self._body_bytes > SMALL_BODY_BYTES and not self._is_let_in and not self._in_head:
            length = dict(self.headers).get(b"content-length", b"")
            size = int(length) if length.isdigit() and len(length) < _DIGITS_MAX else BODY_BYTES_MAX
            self._is_let_in = self._limits.bodies.take(self, min(size, BODY_BYTES_MAX))
            if self._is_let_in:
                self._hurry = self.loop.call_later(LONG_BODY_S_MAX, self._end_slow_body)
            return self._is_let_in
        return True

    def _end_slow_body(self) -> None:
        """Give up an unfinished long body if others wait in the queue; otherwise check again later."""
        if self._limits.bodies.is_wanted:
            self._refuse(408, f"others wait, and a long body did not come within {LONG_BODY_S_MAX:.0f} s")
        else:
            self._hurry = self.loop.call_later(LONG_BODY_S_MAX, self._end_slow_body)

    def _held_bytes(self) -> int:
        return len(self._unread) + min(self._body_bytes, SMALL_BODY_BYTES)

    def _count(self) -> None:
        """Record how many bytes are held here; if the sum is too large, close the largest holders."""
        self._limits.trim.soon(self.loop)
        for largest in self._limits.held.hold(self, self._held_bytes()):
            largest._end_overfull()

    def _end_overfull(self) -> None:
        self._refuse(503, "too much of what others and you have sent waits")
        self._unread = b""

    def go_on(self) -> None:
        """Process held bytes, as its turn has come (``ConnectionLimits``)."""
        self.loop.call_soon(self._read_on)

    def _read_on(self) -> None:
        """Process held bytes, as far as their turn has come."""
        if self._unread and not self.transport.is_closing():
            data, self._unread = self._unread, b""
            self._count()
            self.flow.is_held = False
            self.flow.resume_reading()
            self._feed(data)

    def _refuse(self, status: int, problem: str) -> None:
        """End the connection, with an error answer if no other answer is in progress."""
        if self.transport.is_closing():
            return
        if self._may_answer():
            headers = ((b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close"))
            words = f"{HTTPStatus(status).phrase}: {problem}"
            self.transport.write(HttpAnswer(status, words.encode(), headers).over_http())
        self.transport.close()

    def _may_answer(self) -> bool:
        """Return whether an answer written now would answer the latest request."""
        if self.cycle is None or self.cycle.response_complete:
            return self._in_head  # otherwise these bytes belong to a request that was answered already
        is_last = self._is_between or not self._in_head
        return is_last and not (self.pipeline or self.cycle.response_started)

    # -- slow requests

    def _watch(self, *, in_body: bool | None = None) -> None:
        """End the connection if the rest of a request does not come in time."""
        if self._slow is None:
            in_body = not self._in_head if in_body is None else in_body
            part, seconds = ("body", BODY_S_MAX) if in_body else ("head", HEAD_S_MAX)
            self._slow = self.loop.call_later(seconds, self._give_up, part, seconds)

    def _watch_no_more(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None

    def _give_up(self, part: str, seconds: float) -> None:
        self._slow = None
        if self._unread or self.pipeline:
            self._watch()  # the server is not reading
            return
        self._refuse(408, f"the {part} of a request did not come within {seconds:.0f} s")

    # -- called by the parser, uvicorn and the event loop

    def on_message_begin(self) -> None:
        """Record a request's first byte (httptools)."""
        self._is_between = False
        self._in_head = True
        self._dry_bytes = self._message_bytes = self._chunks = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Record a head's end (httptools)."""
        self._in_head = False
        self._watch_no_more()
        super().on_headers_complete()

    def on_chunk_header(self) -> None:
        """Count a chunk of a body (httptools)."""
        self._chunks += 1

    def on_body(self, body: bytes) -> None:
        """Take some of a body (httptools)."""
        self._dry_bytes = 0
        if not self.cycle.response_complete:  # otherwise it is discarded
            self._body_bytes += len(body)
            if not self._is_let_in:
                self._count()
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Record a request's last byte (httptools)."""
        super().on_message_complete()
        if self._is_let_in:
            self._leave_queue()
            if not self.cycle.response_complete:
                for oldest in self._limits.complete.hold(self, self._body_bytes):
                    oldest._end_overfull()
        self._is_between = self._in_head = True
        self._dry_bytes = self._message_bytes = self._chunks = 0
        self._watch_no_more()

    def on_response_complete(self) -> None:
        """Continue with held bytes (uvicorn)."""
        self._forget_body()
        super().on_response_complete()
        self._read_on()

    def _forget_body(self) -> None:
        if self._body_bytes:
            if self._body_bytes > SMALL_BODY_BYTES:
                self._leave_queue()
                self._limits.complete.hold(self, 0)
            self._body_bytes = 0
            self._count()

    def _leave_queue(self) -> None:
        self._limits.bodies.leave(self)
        self._is_let_in = False
        if self._hurry is not None:
            self._hurry.cancel()
            self._hurry = None

    def pause_writing(self) -> None:
        """Wait for a client that does not read, within a time limit and a limit over all connections (asyncio)."""
        super().pause_writing()
        for largest in self._limits.unread.hold(self, self.transport.get_write_buffer_size()):
            largest.transport.abort()
        if self._stalled is None:
            self._stalled = self.loop.call_later(UNREAD_S_MAX, self.transport.abort)

    def _read_again(self) -> None:
        self._limits.unread.hold(self, 0)
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def resume_writing(self) -> None:
        """Continue with held bytes (asyncio)."""
        self._read_again()
        super().resume_writing()
        self._read_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """End (asyncio)."""
        self._watch_no_more()
        self._read_again()
        self._unread = b""
        self._forget_body()
        self._limits.slots.leave(self)
        self._limits.held.hold(self, 0)
        super().connection_lost(exc)
