"""HTTP+SSE of 2024-11-05: a stream of answers beside the posts, asked directly and through the proxy."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from farm.errors import FarmError
from farm.traverse.recordings.calls import Request
from farm.traverse.recordings.recording import read_recording
from farm.traverse.transport.connection import connect
from farm.traverse.transport.source import read_source
from tests.traverse.test_http_proxy import _port, _proxied

DONE = {"content": [{"type": "text", "text": "done"}]}


@asynccontextmanager
async def _older(endpoint: str = "/messages?session=1") -> AsyncIterator[str]:
    """A server that answers all but the tool ``silent``, and ends its stream at the tool ``end``."""
    over: asyncio.Queue[bytes] = asyncio.Queue()

    async def stream(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await answer.prepare(request)
        await answer.write(f"event: endpoint\ndata: {endpoint}\n\n".encode())
        while said := await over.get():
            await answer.write(b"event: message\r\ndata: " + said + b"\r\n\r\n")
        return answer

    async def post(request: web.Request) -> web.Response:
        assert request.path_qs == "/messages?session=1"
        message = await request.json()
        tool = message.get("params", {}).get("name")
        who = {"protocolVersion": "2024-11-05", "serverInfo": {"name": "older", "version": "1"}, "capabilities": {}}
        if tool == "end":
            over.put_nowait(b"")
        elif "id" in message and "method" in message and tool != "silent":
            over.put_nowait(b'{"jsonrpc": "2.0", "id": 1, "method": "roots/list"}')
            result = who if message["method"] == "initialize" else DONE
            over.put_nowait(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode())
        return web.Response(status=202, text="Accepted")

    app = web.Application()
    app.router.add_get("/mcp", stream)
    app.router.add_post("/messages", post)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        assert site._server is not None
        yield f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/mcp?key=1"  # type: ignore[attr-defined]
    finally:
        over.put_nowait(b"")
        await runner.cleanup()


async def test_a_server_where_nothing_is_posted_is_asked_over_its_stream() -> None:
    async with _older() as url, connect(read_source([url])) as connection:
        assert (connection.server.name, connection.server.protocol) == ("older", "2024-11-05")
        assert await connection.call(Request("any", {})) == DONE
        silent = await connection.call(Request("silent", {}), limit_s=0.2)
        assert "no answer to tools/call within 0.2 s" in silent["silence"]
        assert await connection.call(Request("any", {})) == DONE
        ended = await connection.call(Request("end", {}))
        assert ended["silence"].endswith("ended its stream without an answer")


async def test_a_stream_that_sends_its_messages_to_others_is_not_followed() -> None:
    async with _older("http://evil.example/messages") as url:
        with pytest.raises(FarmError, match="HTTP 405"):
            async with connect(read_source([url])):
                pass


async def test_through_the_proxy_a_stream_is_a_trace(tmp_path: Path) -> None:
    async with (
        _older() as url,
        _proxied(_port(url), tmp_path) as proxied,
        connect(read_source([proxied])) as connection,
    ):
        assert await connection.call(Request("first", {"a": 1})) == DONE
        await connection.call(Request("silent", {}), limit_s=0.2)
        await connection.call(Request("end", {}))
    calls = [(each.trace, each.step, each.tool, each.result) for each in read_recording(tmp_path)]
    assert calls == [
        (0, 0, "first", DONE),
        (0, 1, "silent", {"silence": "cancelled by the client"}),
        (0, 2, "end", {"silence": "the stream ended before the answer"}),
    ]
    assert {each.server for each in read_recording(tmp_path)} == {"older"}
