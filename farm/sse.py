"""Server-sent events, as MCP over HTTP sends them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp


async def events(answer: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """Yield the data of each event of a ``text/event-stream``; what is cut off at the end is no event."""
    data: list[bytes] = []
    async for raw in answer.content:
        line = raw.rstrip(b"\r\n")
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
        elif not line and data:
            joined = b"\n".join(data)
            data = []
            if joined.strip():
                yield joined
