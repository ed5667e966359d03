"""MCP over HTTP+SSE, the transport of 2024-11-05: clients post messages and receive answers over one stream."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from urllib.parse import urljoin, urlsplit

import aiohttp

from farm._util.sse import EventTooLongError, events
from farm.traverse.transport.bounds import ACCEPTED, Bounds, pieces, read_beginning
from farm.traverse.transport.source import Source
from farm.traverse.transport.wire import ConnectionGoneError, Message, StreamWire, refusal_of

_ENDPOINT_S_MAX = 10.0


class SseWire(StreamWire):
    """An open stream, with the requests that it has not answered yet."""

    def __init__(
        self,
        bounds: Bounds,
        opened: AsyncExitStack,
        http: aiohttp.ClientSession,
        target: str,
        stream: AsyncIterator[bytes],
    ) -> None:
        self._name, self._opened, self._http, self._target = bounds.name, opened, http, target
        self._bounds = bounds
        super().__init__()
        self._reader = asyncio.create_task(self._read(stream))

    @classmethod
    async def start(cls, source: Source) -> SseWire:
        """Open the stream.

        Raises:
            ConnectionGoneError: this URL has no such stream.
        """
        assert source.url is not None
        bounds = Bounds(source.name, source.body_max)
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=_ENDPOINT_S_MAX)
        async with AsyncExitStack() as opened:
            headers = {"accept-encoding": ACCEPTED, **source.headers}
            http = aiohttp.ClientSession(timeout=timeout, headers=headers, auto_decompress=False)
            await opened.enter_async_context(http)
            try:
                async with asyncio.timeout(_ENDPOINT_S_MAX):
                    answer = await http.get(source.url, headers={"accept": "text/event-stream"})
                    opened.callback(answer.close)
                    if answer.status != 200 or answer.content_type != "text/event-stream":
                        raise ConnectionGoneError(f"{source.name} opens no stream (HTTP {answer.status})")
                    stream = events(pieces(answer, bounds), bounds.body_max)
                    target = urljoin(source.url, (await anext(stream)).decode("utf-8", "replace").strip())
            except EventTooLongError:
                raise bounds.too_long("an event") from None
            except (aiohttp.ClientError, OSError, StopAsyncIteration, TimeoutError):
                raise ConnectionGoneError(f"{source.name} opens no stream") from None
            if urlsplit(target)[:2] != urlsplit(source.url)[:2]:
                raise ConnectionGoneError(f"{source.name} wants its messages sent elsewhere: {target:.200}")
            return cls(bounds, opened.pop_all(), http, target, stream)

    async def tell(self, message: Message) -> None:
        """Post a message."""
        if self._reader.done():
            raise ConnectionGoneError(f"{self._name} ended its stream")
        headers = {"content-type": "application/json"}
        try:
            async with self._http.post(self._target, data=json.dumps(message).encode(), headers=headers) as answer:
                if answer.status >= 400:
                    shown = (await read_beginning(answer, self._bounds, 200)).decode("utf-8", "replace")
                    raise ConnectionGoneError(f"{self._name}: HTTP {answer.status}: {shown}")
        except (aiohttp.ClientError, OSError) as problem:
            raise ConnectionGoneError(f"{self._name}: no answer ({problem or type(problem).__name__})") from None

    async def close(self) -> None:
        """Close the stream."""
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        await self._opened.aclose()

    def agree(self, protocol: str) -> None:
        """Do nothing: this transport does not name the revision."""

    async def _read(self, stream: AsyncIterator[bytes]) -> None:
        gone = ConnectionGoneError(f"{self._name} ended its stream without an answer")
        try:
            async for raw in stream:
                await self._take(raw)
        except EventTooLongError:
            gone = self._bounds.too_long("an event")
        except ConnectionGoneError as problem:
            gone = problem
        except (aiohttp.ClientError, OSError):
            pass
        self._give_up(gone)

    async def _take(self, raw: bytes) -> None:
        self.received += len(raw)
        try:
            message = self._bounds.parse(raw)
        except ValueError:
            return
        if not isinstance(message, dict):
            return
        if refused := refusal_of(message):
            with contextlib.suppress(ConnectionGoneError):
                await self.tell(refused)
            return
        self._answered(message)
