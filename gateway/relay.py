"""Passes an agent's request on to the app that serves it, and the answer back as it comes.

Raw ASGI and one connection pool: no copies of bodies, no total time-out, no second try of a POST, and the upstream
request ends when the client leaves.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
from starlette.types import Receive, Scope, Send

from farm.server._http import send_rpc_error

# Hop-by-hop headers, and those the next hop writes itself.
_NOT_PASSED = {b"host", b"connection", b"keep-alive", b"transfer-encoding", b"content-length", b"te", b"upgrade"}
_NOT_RETURNED = {b"connection", b"keep-alive", b"transfer-encoding", b"date", b"server"}
_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=30)
INTERNAL_ERROR = -32603


class Relay:
    """Forwards requests to app processes."""

    def __init__(self, host: str, ports: dict[str, int]) -> None:
        self._urls = {app: f"http://{host}:{port}/mcp/" for app, port in ports.items()}
        self._session: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        """Make the connection pool; needs a running loop."""
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=300)
        self._session = aiohttp.ClientSession(
            connector=connector,
            timeout=_TIMEOUT,
            auto_decompress=False,
            skip_auto_headers=("user-agent", "accept", "accept-encoding", "content-type"),
        )

    async def close(self) -> None:
        """Close the connection pool."""
        if self._session:
            await self._session.close()

    def url(self, app: str, episode_id: str) -> str:
        """Return an episode's address at its app."""
        return self._urls[app] + episode_id

    async def post(self, app: str, episode_id: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        """Send one request to an app and return status and body."""
        assert self._session is not None
        async with self._session.post(self.url(app, episode_id), data=body, headers=headers) as answer:
            return answer.status, await answer.read()

    async def forward(
        self, app: str, episode_id: str, scope: Scope, receive: Receive, send: Send, body: bytes | None = None
    ) -> None:
        """Forward a request and stream the answer.

        Args:
            body: the body to send instead of the request's own.
        """
        assert self._session is not None
        headers = [(k.decode("latin-1"), v.decode("latin-1")) for k, v in scope["headers"] if k not in _NOT_PASSED]
        if body is None:
            message = await receive()
            if message["type"] != "http.request":
                return
            first: bytes = message.get("body", b"")
            data: Any = _stream(first, receive) if message.get("more_body") else first
        else:
            data = body
        started = False
        try:
            async with self._session.request(
                scope["method"], self.url(app, episode_id), data=data, headers=headers, allow_redirects=False
            ) as answer:
                started = True
                await self._answer(answer, receive, send)
        except (aiohttp.ClientError, TimeoutError, ConnectionError):
            if not started:
                problem = (
                    f"app '{app}' did not answer; it may be restarting, and the call may or may not have been made"
                )
                await send_rpc_error(send, 502, problem, code=INTERNAL_ERROR)

    @staticmethod
    async def _answer(answer: aiohttp.ClientResponse, receive: Receive, send: Send) -> None:
        headers = [(k.lower(), v) for k, v in answer.raw_headers if k.lower() not in _NOT_RETURNED]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        if answer.content_type != "text/event-stream":
            await send({"type": "http.response.body", "body": await answer.read()})
            return
        gone = asyncio.ensure_future(_until_gone(receive))
        gone.add_done_callback(lambda _: answer.close())
        try:
            async for part in answer.content.iter_any():
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except aiohttp.ClientError:
            return  # closed from either side; what was sent was sent
        finally:
            gone.cancel()


async def _stream(first: bytes, receive: Receive) -> AsyncIterator[bytes]:
    yield first
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ConnectionError("the client left")
        yield message.get("body", b"")
        if not message.get("more_body"):
            return


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
