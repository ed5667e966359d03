"""A connection to a real server: what was said, and how it ends."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from farm.errors import FarmError
from farm.traverse.recordings.calls import Request
from farm.traverse.transport.connection import connect
from farm.traverse.transport.source import read_source
from farm.traverse.transport.wire import ConnectionGoneError

SMALL = (sys.executable, str(Path(__file__).with_name("small_server.py")))


async def test_tools_of_all_pages_and_the_server_s_own_words() -> None:
    async with connect(read_source(SMALL)) as connection:
        assert (connection.server.name, connection.server.version) == ("small", "1.2")
        assert [tool["name"] for tool in await connection.tools()] == ["add_note", "read_notes", "sleep", "crash"]
        refused = await connection.call(Request("add_note", ["no", "object"]))
        assert refused == {"content": [{"type": "text", "text": "title must be a text"}], "isError": True}


async def test_a_server_that_is_silent_is_waited_for_as_long_as_was_said() -> None:
    async with connect(read_source(SMALL)) as connection:
        silent = await connection.call(Request("sleep", {}), limit_s=0.2)
        assert silent == {"silence": f"{Path(SMALL[0]).name}: no answer to tools/call within 0.2 s"}


async def test_a_server_that_dies_says_its_last_words() -> None:
    async with connect(read_source(SMALL)) as connection:
        ended = f"{Path(SMALL[0]).name} ended, status 3: cannot go on"
        assert await connection.call(Request("crash", {})) == {"silence": ended}
        assert await connection.call(Request("read_notes", {})) == {"silence": ended}


_ASKS_AND_ENDS = """
import json, os, sys
hello = json.loads(sys.stdin.readline())
said = {"protocolVersion": hello["params"]["protocolVersion"], "serverInfo": {"name": "rude", "version": "1"}}
print(json.dumps({"jsonrpc": "2.0", "id": hello["id"], "result": {**said, "capabilities": {}}}), flush=True)
while "tools/call" not in sys.stdin.readline():
    pass
os.close(0)
for number in range(200):
    print(json.dumps({"jsonrpc": "2.0", "id": number, "method": "roots/list"}), flush=True)
sys.exit("no roots")
"""


async def test_a_server_that_asks_and_dies_before_it_is_told() -> None:
    async with connect(read_source([sys.executable, "-c", _ASKS_AND_ENDS])) as connection:
        silence = (await connection.call(Request("any", {})))["silence"]
        assert silence == f"{Path(SMALL[0]).name} ended, status 1: no roots"


_STAYS = """
import json, pathlib, signal, sys, time
def end(*_):
    pathlib.Path("ended").touch()
    sys.exit()
signal.signal(signal.SIGTERM, end)
hello = json.loads(sys.stdin.readline())
said = {"protocolVersion": hello["params"]["protocolVersion"], "serverInfo": {"name": "stays", "version": "1"}}
print(json.dumps({"jsonrpc": "2.0", "id": hello["id"], "result": {**said, "capabilities": {}}}), flush=True)
time.sleep(60)
"""


async def test_a_server_that_does_not_leave_with_its_input_is_asked_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async with connect(read_source([sys.executable, "-c", _STAYS])):
        assert not (tmp_path / "ended").exists()

    assert (tmp_path / "ended").exists()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["no-such-program"], "no-such-program does not start: no-such-program: No such file or directory"),
        ([sys.executable, "-c", "import sys; sys.exit('no key')"], "ended, status 1: no key"),
        (["cat"], "cat is no MCP server: it answered initialize with"),
        (["http://127.0.0.1:9/mcp"], "127.0.0.1:9: no answer"),
    ],
)
async def test_what_does_not_start(given: list[str], problem: str) -> None:
    with pytest.raises(FarmError, match=problem):
        async with connect(read_source(given)):
            pass


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def _served(handler: Handler) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_post("/mcp", handler)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        assert site._server is not None
        port = site._server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        await runner.cleanup()


def _hello(request_id: object) -> dict[str, object]:
    said = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "web", "version": "3"}}
    return {"jsonrpc": "2.0", "id": request_id, "result": said}


async def test_over_http_session_and_revision_are_given_back() -> None:
    seen: list[tuple[str | None, str | None]] = []

    async def answer(request: web.Request) -> web.StreamResponse:
        message = await request.json()
        seen.append((request.headers.get("mcp-session-id"), request.headers.get("mcp-protocol-version")))
        if message["method"] == "initialize":
            return web.json_response(_hello(message["id"]), headers={"mcp-session-id": "s1"})
        if "id" not in message:
            return web.Response(status=202)
        stream = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await stream.prepare(request)
        await stream.write(b'data: {"jsonrpc": "2.0", "method": "notifications/progress"}\n\n')
        await stream.write(b'data: {"jsonrpc": "2.0", "id": 2, "result": {"content": []}}\n\n')
        return stream

    async with _served(answer) as url, connect(read_source([url])) as connection:
        assert await connection.call(Request("any", {})) == {"content": []}
    assert seen == [(None, None), ("s1", "2025-06-18"), ("s1", "2025-06-18")]


async def test_over_http_a_login_page_is_no_answer() -> None:
    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(status=401, text="<html>Sign in</html>")

    async with _served(answer) as url:
        with pytest.raises(ConnectionGoneError, match=r"wants a login \(HTTP 401\)"):
            async with connect(read_source([url])):
                pass
