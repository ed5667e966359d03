"""MCP over HTTP+SSE, the transport of 2024-11-05: messages are posted, and what comes back comes over one stream."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from urllib.parse import urljoin, urlsplit

import aiohttp

from farm.sse import events
from farm.traverse.source import Source
from farm.traverse.wire import Gone, Message, StreamWire, refusal_of

_ENDPOINT_S_MAX = 10.0


class SseWire(StreamWire):
    """An open stream, and the answers that have not come over it yet."""

    def __init__(
        self, name: str, opened: AsyncExitStack, http: aiohttp.ClientSession, target: str, stream: AsyncIterator[bytes]
    ) -> None:
        self._name, self._opened, self._http, self._target = name, opened, http, target
        super().__init__()
        self._reader = asyncio.create_task(self._read(stream))

    @classmethod
    async def start(cls, source: Source) -> SseWire:
        """Open the stream.

        Raises:
            Gone: there is none at this URL.
        """
        assert source.url is not None
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=_ENDPOINT_S_MAX)
        async with AsyncExitStack() as opened:
            http = aiohttp.ClientSession(timeout=timeout, headers=dict(source.headers))
            await opened.enter_async_context(http)
            try:
                async with asyncio.timeout(_ENDPOINT_S_MAX):
                    answer = await http.get(source.url, headers={"accept": "text/event-stream"})
                    opened.callback(answer.close)
                    if answer.status != 200 or answer.content_type != "text/event-stream":
                        raise Gone(f"{source.name} opens no stream (HTTP {answer.status})")
                    stream = events(answer)
                    target = urljoin(source.url, (await anext(stream)).decode("utf-8", "replace").strip())
            except (aiohttp.ClientError, OSError, StopAsyncIteration, TimeoutError):
                raise Gone(f"{source.name} opens no stream") from None
            if urlsplit(target)[:2] != urlsplit(source.url)[:2]:
                raise Gone(f"{source.name} wants its messages sent elsewhere: {target:.200}")
            return cls(source.name, opened.pop_all(), http, target, stream)

    async def tell(self, message: Message) -> None:
        """Post a message."""
        if self._reader.done():
            raise Gone(f"{self._name} ended its stream")
        headers = {"content-type": "application/json"}
        try:
            async with self._http.post(self._target, data=json.dumps(message).encode(), headers=headers) as answer:
                if answer.status >= 400:
                    shown = (await answer.read())[:200].decode("utf-8", "replace")
                    raise Gone(f"{self._name}: HTTP {answer.status}: {shown}")
        except (aiohttp.ClientError, OSError) as problem:
            raise Gone(f"{self._name}: no answer ({problem or type(problem).__name__})") from None

    async def close(self) -> None:
        """Close the stream."""
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        await self._opened.aclose()

    def agree(self, protocol: str) -> None:
        """Do nothing: this transport does not name the revision."""

    async def _read(self, stream: AsyncIterator[bytes]) -> None:
        with contextlib.suppress(aiohttp.ClientError, OSError):
            async for raw in stream:
                await self._take(raw)
        self._give_up(Gone(f"{self._name} ended its stream without an answer"))

    async def _take(self, raw: bytes) -> None:
        try:
            message = json.loads(raw)
        except ValueError:
            return
        if not isinstance(message, dict):
            return
        if refused := refusal_of(message):
            with contextlib.suppress(Gone):
                await self.tell(refused)
            return
        self._answered(message)
