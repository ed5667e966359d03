"""Relays an agent's request to the app that serves it, and streams the answer back.

Raw ASGI and reused connections: no total timeout, no retry, and the request to the app ends when the client leaves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from types import TracebackType

import httptools
from starlette.types import Receive, Send

from farm.server.http.answer import HttpAnswer, parsed, rpc_error

from .config import GatewayConfig, in_url, worker_of
from .upstream import Connection, Downstream, Pool

# Hop-by-hop headers, and those that the next hop writes itself.
_NOT_PASSED = frozenset(
    b"host connection keep-alive proxy-connection transfer-encoding content-length te trailer upgrade expect".split()
)
# Hop-by-hop headers, and those that the gateway's own server writes.
_NOT_RETURNED = frozenset((b"connection", b"keep-alive", b"transfer-encoding", b"date", b"server"))
_STREAM = b"text/event-stream"
_PATIENCE_S = 0.05
INTERNAL_ERROR = -32603

Headers = Iterable[tuple[bytes, bytes]]


class Relay:
    """Forwards requests to app processes."""

    def __init__(self, config: GatewayConfig) -> None:
        self._pools, self._hosts = {}, {}
        for app, ports in config.ports.items():
            host = config.host_of(app)
            self._pools[app] = [Pool(host, port) for port, _ in ports]
            self._hosts[app] = [f"{in_url(host)}:{port}".encode() for port, _ in ports]

    def ask(self, app: str, episode_id: str, lines: bytes, body: bytes, downstream: Downstream) -> Connection:
        """POST a body to an episode's app, to the worker that has it; the answer goes downstream.

        Args:
            lines: the result of ``passed_on`` for the request's headers.
        """
        worker = worker_of(episode_id, len(self._pools[app]))
        request = b"POST /mcp/%b HTTP/1.1\r\nhost: %b\r\n%bContent-Length: %d\r\n\r\n%b" % (
            episode_id.encode(),
            self._hosts[app][worker],
            lines,
            len(body),
            body,
        )
        return self._pools[app][worker].ask(request, downstream)

    def close(self) -> None:
        """Close every idle connection."""
        for workers in self._pools.values():
            for pool in workers:
                pool.close()

    async def forward(
        self, app: str, episode_id: str, headers: Headers, body: bytes, receive: Receive, send: Send
    ) -> None:
        """Relay a request that came through ASGI, and send the app's answer."""
        answer = _AsgiAnswer()
        with _WhileThere(receive):
            connection = self.ask(app, episode_id, passed_on(headers), body, answer)
            try:
                await answer.pass_on(send)
            except _AnswerLostError:
                # A broken stream ends without its last chunk, by which the client notices.
                if answer.is_dropped:
                    await answer.begin(send)
                elif not answer.is_stream:
                    await no_answer(app, body).send(send)
            finally:
                if not answer.is_whole:
                    connection.leave()


def passed_on(headers: Headers) -> bytes:
    """Return the header lines that are relayed to the app."""
    return b"".join([b"%b: %b\r\n" % header for header in headers if header[0] not in _NOT_PASSED])


def no_answer(app: str, body: bytes) -> HttpAnswer:
    """Return the error for a request that an app did not answer."""
    problem = f"app '{app}' did not answer; it may be restarting, and the call may or may not have been made"
    return HttpAnswer(502, rpc_error(problem, code=INTERNAL_ERROR, request=parsed(body)))


class _AnswerLostError(Exception):
    """The answer, or the rest of it, will not come."""


class _AsgiAnswer:
    """An answer to a client that came through ASGI; streams are sent as they arrive, others when they are complete.

    Attributes:
        is_dropped: whether a planned fault closed the connection behind its head.
        is_stream: whether the answer is streamed.
        is_whole: whether it is complete.
    """

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._headers: list[tuple[bytes, bytes]] = []
        self._parts: list[bytes] = []
        self._moved = asyncio.Event()
        self._is_lost = False
        self.is_dropped = self.is_stream = self.is_whole = False

    async def pass_on(self, send: Send) -> None:
        """Send the answer.

        Raises:
            _AnswerLost: the answer is incomplete; nothing was sent unless it is a stream.
        """
        while not (self.is_stream or self.is_whole):
            await self._more()
        await self.begin(send)
        while not self.is_whole:
            if part := self._part():
                await send({"type": "http.response.body", "body": part, "more_body": True})
            else:
                await self._more()
        await send({"type": "http.response.body", "body": self._part()})

    async def begin(self, send: Send) -> None:
        """Send the answer's head."""
        await send({"type": "http.response.start", "status": self._parser.get_status_code(), "headers": self._headers})

    def _part(self) -> bytes:
        part = b"".join(self._parts)
        self._parts.clear()
        return part

    async def _more(self) -> None:
        if self._is_lost:
            raise _AnswerLostError
        self._moved.clear()
        await self._moved.wait()

    # -- called by the connection to the app

    def take_answer(self, data: bytes, *, is_last: bool, closes: bool) -> None:
        """Parse bytes of the answer."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self._is_lost = True
        else:
            self.is_whole = is_last
        self._moved.set()

    def lose_answer(self, *, has_begun: bool) -> None:
        """Record that the answer ends here."""
        self._is_lost = True
        self.is_dropped = has_begun and not self._parts and not self.is_stream
        self._moved.set()

    # -- called by the parser

    def on_header(self, name: bytes, value: bytes) -> None:
        name = name.lower()
        if name not in _NOT_RETURNED:
            self._headers.append((name, value))
        self.is_stream |= name == b"content-type" and value.startswith(_STREAM)

    def on_body(self, body: bytes) -> None:
        self._parts.append(body)


class _WhileThere:
    """Aborts its body when the client leaves.

    It starts watching only after a moment: by then nearly every answer is complete, and watching costs a task.
    """

    __slots__ = ("_has_left", "_looking", "_receive", "_task", "_timer")

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._looking: asyncio.Task[None] | None = None
        self._has_left = False

    def __enter__(self) -> None:
        self._task = asyncio.current_task()
        self._timer: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(_PATIENCE_S, self._look)

    def _look(self) -> None:
        self._looking = asyncio.ensure_future(self._until_gone())

    async def _until_gone(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        if self._timer is not None and self._task is not None:
            self._has_left = True
            self._task.cancel()

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._looking is not None:
            self._looking.cancel()
        if not self._has_left or self._task is None:
            return False
        return self._task.uncancel() == 0 and kind is asyncio.CancelledError
