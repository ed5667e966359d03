"""An HTTP connection that takes no more than it should: uvicorn's own, with limits on what a client sends.

Uvicorn reads on while answers wait to be read, queues whatever is pipelined, and sets no limit to a head, nor to the
time a request takes to arrive. Here a client's bytes go to the parser in small pieces, none as long as earlier answers
wait; what is not parsed yet is not read further either.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from farm.server.answer import HttpAnswer
from farm.server.asgi import BODY_BYTES_MAX
from farm.server.uvicorn_internals import FlowControl, QuietProtocol

HEAD_BYTES_MAX = 64 * 1024
# With the lengths of its chunks, and what is thrown away of a body that was refused.
MESSAGE_BYTES_MAX = 4 * BODY_BYTES_MAX
HEAD_S_MAX = 30.0
BODY_S_MAX = 60.0
UNREAD_S_MAX = 60.0  # while a client reads nothing of an answer
# The shortest request has 18 bytes, so this is also how many may wait for their answers: two hundred, or ten real ones.
PIECE_BYTES = 4096


class _Flow(FlowControl):
    """Uvicorn's flow control, but that nothing is read as long as something is held."""

    is_held = False

    def resume_reading(self) -> None:
        """Read on, unless what was read still waits."""
        if not self.is_held:
            super().resume_reading()


class BoundedProtocol(QuietProtocol):
    """One connection."""

    flow: _Flow

    def __init__(self, config: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        self._is_between = True  # the parser stands between two requests
        self._in_head = True  # or in a head
        self._unread = b""  # what waits until answers are gone
        self._dry_bytes = 0  # read since there was something of a request: its first byte, or some of its body
        self._message_bytes = 0
        self._slow: asyncio.TimerHandle | None = None  # runs while a request is on its way
        self._stalled: asyncio.TimerHandle | None = None  # runs while answers are not read

    def connection_made(self, transport: Any) -> None:
        """Begin (asyncio)."""
        super().connection_made(transport)
        self.flow = _Flow(self.transport)

    def data_received(self, data: bytes) -> None:
        """Take what came (asyncio)."""
        if self._unread:
            self._hold(self._unread + data)
        else:
            self._feed(data)

    def _hold(self, data: bytes) -> None:
        self._unread = data
        self.flow.is_held = True
        self.flow.pause_reading()
        self.transport.pause_reading()

    def _feed(self, data: bytes) -> None:
        at = 0
        while at < len(data) and not self.transport.is_closing():
            if self.pipeline or self.flow.write_paused:
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
        if not self._is_between:
            self._watch()

    def _read_on(self) -> None:
        """Take what was held, as far as its turn has come."""
        if self._unread and not self.transport.is_closing():
            data, self._unread = self._unread, b""
            self.flow.is_held = False
            self.flow.resume_reading()
            self._feed(data)

    def _refuse(self, status: int, problem: str) -> None:
        """End the connection; say why, if nothing else is being said on it."""
        if self.transport.is_closing():
            return
        if self._in_head:
            is_free = self.cycle is None or self.cycle.response_complete
        else:
            is_free = not (self.pipeline or self.cycle.response_started)
        if is_free:
            headers = ((b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close"))
            words = f"{HTTPStatus(status).phrase}: {problem}"
            self.transport.write(HttpAnswer(status, words.encode(), headers).over_http())
        self.transport.close()

    # -- a request that takes its time

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
            self._watch()  # it is we who do not read
            return
        self._refuse(408, f"the {part} of a request did not come within {seconds:.0f} s")

    # -- called by the parser, uvicorn and the event loop

    def on_message_begin(self) -> None:
        """Take note of a request's first byte (httptools)."""
        self._is_between = False
        self._in_head = True
        self._dry_bytes = self._message_bytes = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Take note of a head's end (httptools)."""
        self._in_head = False
        self._watch_no_more()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take some of a body (httptools)."""
        self._dry_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Take note of a request's last byte (httptools)."""
        super().on_message_complete()
        self._is_between = self._in_head = True
        self._dry_bytes = self._message_bytes = 0
        self._watch_no_more()

    def on_response_complete(self) -> None:
        """Go on with what was held (uvicorn)."""
        super().on_response_complete()
        self._read_on()

    def pause_writing(self) -> None:
        """Wait for a client that does not read, but not for ever (asyncio)."""
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(UNREAD_S_MAX, self.transport.abort)

    def _read_again(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def resume_writing(self) -> None:
        """Go on with what was held (asyncio)."""
        self._read_again()
        super().resume_writing()
        self._read_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """End (asyncio)."""
        self._watch_no_more()
        self._read_again()
        self._unread = b""
        super().connection_lost(exc)
