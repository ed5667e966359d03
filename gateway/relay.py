"""Passes an agent's request on to the app that serves it, and the answer back as it comes.

Raw ASGI and kept connections: no total time-out, no second try, and the request to the app ends when the client leaves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from types import TracebackType

from starlette.types import Receive, Send

from farm.server.asgi import parsed, rpc_error, send_bytes

from .config import GatewayConfig, worker_of
from .upstream import Asker, Broken, Connection, Pool

# Hop-by-hop headers, and those the next hop writes itself.
_NOT_PASSED = frozenset(
    b"host connection keep-alive proxy-connection transfer-encoding content-length te trailer upgrade expect".split()
)
_PATIENCE_S = 0.05
INTERNAL_ERROR = -32603

Headers = Iterable[tuple[bytes, bytes]]


class Relay:
    """Forwards requests to app processes."""

    def __init__(self, config: GatewayConfig) -> None:
        self._pools = {app: [Pool(config.host, port) for port, _ in each] for app, each in config.ports.items()}
        name = f"[{config.host}]" if ":" in config.host else config.host
        self._hosts = {app: [f"{name}:{port}".encode() for port, _ in each] for app, each in config.ports.items()}

    def forward_at_once(
        self, app: str, episode_id: str, lines: bytes, body: bytes, asker: Asker
    ) -> tuple[Pool, Connection] | None:
        """POST a body over a connection that is open and idle, the answer for the asker; None when there is none.

        Args:
            lines: what ``passed_on`` made of the request's headers.
        """
        worker = worker_of(episode_id, len(self._pools[app]))
        pool = self._pools[app][worker]
        connection = pool.take_idle()
        if connection is None:
            return None
        connection.ask_for(asker, self._request(app, worker, episode_id, lines, body))
        return pool, connection

    def _request(self, app: str, worker: int, episode_id: str, lines: bytes, body: bytes) -> bytes:
        return b"POST /mcp/%b HTTP/1.1\r\nhost: %b\r\n%bContent-Length: %d\r\n\r\n%b" % (
            episode_id.encode(),
            self._hosts[app][worker],
            lines,
            len(body),
            body,
        )

    def close(self) -> None:
        """Close every idle connection."""
        for workers in self._pools.values():
            for pool in workers:
                pool.close()

    async def forward(
        self, app: str, episode_id: str, headers: Headers, body: bytes, receive: Receive, send: Send
    ) -> None:
        """POST a body to an episode's app, to the worker that has it, and send on what it answers."""
        worker = worker_of(episode_id, len(self._pools[app]))
        pool = self._pools[app][worker]
        request = self._request(app, worker, episode_id, passed_on(headers), body)
        connection: Connection | None = None
        with _WhileThere(receive):
            try:
                connection = await pool.take()
                await connection.ask(request)
                await _pass_on(connection, send)
            except Broken:
                # A stream that breaks ends without its last chunk, which tells the client.
                if connection is None or not connection.is_stream:
                    await send_bytes(send, 502, silence(app, body))
            finally:
                if connection is not None:
                    pool.give_back(connection)


def passed_on(headers: Headers) -> bytes:
    """Return the header lines that go on to the app."""
    return b"".join([b"%b: %b\r\n" % header for header in headers if header[0] not in _NOT_PASSED])


async def _pass_on(connection: Connection, send: Send) -> None:
    await send({"type": "http.response.start", "status": connection.status, "headers": connection.headers})
    if not connection.is_stream:
        await send({"type": "http.response.body", "body": await connection.part()})
        return
    while part := await connection.part():
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def silence(app: str, body: bytes) -> bytes:
    """Return the body that tells of an app which did not answer a request."""
    problem = f"app '{app}' did not answer; it may be restarting, and the call may or may not have been made"
    return rpc_error(problem, code=INTERNAL_ERROR, request=parsed(body))


class _WhileThere:
    """Ends what is inside when the client leaves.

    It looks only after a moment: nearly every answer is there before that, and looking costs a task.
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
