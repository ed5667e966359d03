"""Passes an agent's request on to the app that serves it, and the answer back as it comes.

Raw ASGI and one connection pool: no total time-out, no second try of a POST, and the upstream request ends when the
client leaves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from types import TracebackType

import aiohttp
import orjson
from starlette.types import Receive, Send

from farm.server.wire import send_rpc_error

from .orders import Orders

# Hop-by-hop headers, and those the next hop writes itself.
_NOT_PASSED = frozenset(
    b"host connection keep-alive proxy-connection transfer-encoding content-length te trailer upgrade expect".split()
)
_NOT_RETURNED = frozenset((b"connection", b"keep-alive", b"transfer-encoding", b"date", b"server"))
_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=30)
_PATIENCE_S = 0.05
INTERNAL_ERROR = -32603

Headers = Iterable[tuple[bytes, bytes]]


class Relay:
    """Forwards requests to app processes."""

    def __init__(self, orders: Orders) -> None:
        self._urls = {app: f"{orders.direct_url(app)}/mcp/" for app in orders.ports}
        self._session: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        """Make the connection pool; needs a running loop."""
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=300),
            timeout=_TIMEOUT,
            auto_decompress=False,
            skip_auto_headers=("user-agent", "accept", "accept-encoding", "content-type"),
        )

    async def close(self) -> None:
        """Close the connection pool."""
        if self._session:
            await self._session.close()

    async def forward(
        self, app: str, episode_id: str, headers: Headers, body: bytes, receive: Receive, send: Send
    ) -> None:
        """POST a body to an episode's app and send on what it answers."""
        assert self._session is not None
        passed = [(k.decode("latin-1"), v.decode("latin-1")) for k, v in headers if k not in _NOT_PASSED]
        is_begun = False
        with _WhileThere(receive):
            try:
                async with self._session.post(
                    self._urls[app] + episode_id, data=body, headers=passed, allow_redirects=False
                ) as answer:
                    start = {"type": "http.response.start", "status": answer.status, "headers": _returned(answer)}
                    if answer.content_type != "text/event-stream":
                        # Read whole before its first byte goes out: one cut short is an error, not half an answer.
                        out = await answer.read()
                        is_begun = True
                        await send(start)
                        await send({"type": "http.response.body", "body": out})
                        return
                    is_begun = True
                    await send(start)
                    async for part in answer.content.iter_any():
                        await send({"type": "http.response.body", "body": part, "more_body": True})
                    await send({"type": "http.response.body", "body": b""})
            except (aiohttp.ClientError, TimeoutError, ConnectionError):
                # A stream that breaks ends without its last chunk, which tells the client.
                if not is_begun:
                    await _send_silence(app, body, send)


def _returned(answer: aiohttp.ClientResponse) -> list[tuple[bytes, bytes]]:
    return [(name, value) for k, value in answer.raw_headers if (name := k.lower()) not in _NOT_RETURNED]


async def _send_silence(app: str, body: bytes, send: Send) -> None:
    problem = f"app '{app}' did not answer; it may be restarting, and the call may or may not have been made"
    try:
        request = orjson.loads(body)
    except orjson.JSONDecodeError:
        request = None
    await send_rpc_error(send, 502, problem, code=INTERNAL_ERROR, request=request)


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
