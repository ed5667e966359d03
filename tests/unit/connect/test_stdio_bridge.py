"""The stdio bridge passes messages on as they are and adds only what HTTP wants beside them."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web

from farm.connect.stdio_bridge import EndpointAddress, StdioBridge
from farm.errors import FarmError

Answer = Callable[[web.Request, bytes], Awaitable[web.StreamResponse]]
MODERN = "io.modelcontextprotocol/protocolVersion"


class Server:
    """An HTTP endpoint that notes what it gets."""

    def __init__(self) -> None:
        self.url = ""
        self.got: list[tuple[bytes, dict[str, str]]] = []
        self.answer: Answer = _echo

    async def take(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.got.append((body, {name.lower(): value for name, value in request.headers.items()}))
        return await self.answer(request, body)


async def _echo(_: web.Request, body: bytes) -> web.StreamResponse:
    message = json.loads(body)
    if "id" not in message:
        return web.Response(status=202)
    return _json({"jsonrpc": "2.0", "id": message["id"], "result": {}})


def _json(answer: Any, status: int = 200) -> web.Response:
    return web.Response(body=json.dumps(answer).encode(), status=status, content_type="application/json")


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    """An endpoint on loopback."""
    made = Server()
    app = web.Application()
    app.router.add_post("/mcp/ep/slack", made.take)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}/mcp/ep/slack"
    yield made
    await runner.cleanup()


async def _run(server: Server, *lines: bytes, token: str | None = None) -> list[dict[str, Any]]:
    async def find() -> EndpointAddress:
        return EndpointAddress(server.url, token)

    target = io.BytesIO()
    await StdioBridge(find, io.BytesIO(b"".join(line + b"\n" for line in lines)), target).run()
    return [json.loads(line) for line in target.getvalue().splitlines()]


def _call(request_id: Any = 1, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}).encode()


async def test_the_body_arrives_as_it_was_written(server: Server) -> None:
    line = (
        '{"params" : {"name":"t","arguments":{"x":1.0,"大":"\\u0041"}}, "id":7,"method":"tools/call","jsonrpc":"2.0"}'
    )

    answers = await _run(server, line.encode())

    assert server.got[0][0] == line.encode()
    assert answers == [{"jsonrpc": "2.0", "id": 7, "result": {}}]


async def test_a_modern_request_carries_the_headers_its_revision_asks_for(server: Server) -> None:
    await _run(server, _call(name="slack_get_users", _meta={MODERN: "2026-07-28"}), token="secret")

    headers = server.got[0][1]
    assert headers["mcp-protocol-version"] == "2026-07-28"
    assert (headers["mcp-method"], headers["mcp-name"]) == ("tools/call", "slack_get_users")
    assert headers["authorization"] == "Bearer secret"


@pytest.mark.parametrize(("method", "key"), [("prompts/get", "name"), ("resources/read", "uri")])
async def test_a_prompt_s_or_resource_s_target_is_repeated_in_a_header_too(
    method: str, key: str, server: Server
) -> None:
    params = {key: "a://b", "_meta": {MODERN: "2026-07-28"}}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()

    await _run(server, line)

    body, headers = server.got[0]
    assert body == line
    assert (headers["mcp-method"], headers["mcp-name"]) == (method, "a://b")


async def test_after_a_handshake_the_revision_agreed_on_is_sent_along(server: Server) -> None:
    async def answer(_: web.Request, body: bytes) -> web.StreamResponse:
        message = json.loads(body)
        return _json({"jsonrpc": "2.0", "id": message["id"], "result": {"protocolVersion": "2025-03-26"}})

    server.answer = answer
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2099-01-01"}}

    await _run(server, json.dumps(hello).encode(), _call(name="t"))

    assert "mcp-protocol-version" not in server.got[0][1]
    assert server.got[1][1]["mcp-protocol-version"] == "2025-03-26"
    assert "mcp-method" not in server.got[1][1]


async def test_a_notification_gets_no_answer(server: Server) -> None:
    answers = await _run(server, b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    assert answers == []
    assert len(server.got) == 1


async def test_every_event_of_a_stream_becomes_a_line(server: Server) -> None:
    async def answer(request: web.Request, _: bytes) -> web.StreamResponse:
        stream = web.StreamResponse(headers={"content-type": "text/event-stream"})
        await stream.prepare(request)
        await stream.write(b': hello\n\nevent: message\ndata: {"method":"notifications/progress"}\n\n')
        await stream.write(b'id: 9\ndata: {"id":1,\ndata: "result":{}}\n\n')
        return stream

    server.answer = answer

    answers = await _run(server, _call(name="t"))

    assert answers == [{"method": "notifications/progress"}, {"id": 1, "result": {}}]


async def test_an_answer_over_several_lines_is_written_on_one(server: Server) -> None:
    async def answer(_: web.Request, __: bytes) -> web.StreamResponse:
        return web.Response(body=b'{\r\n  "id": 1,\n  "result": {"text": "a\\nb"}\n}', content_type="application/json")

    server.answer = answer

    answers = await _run(server, _call(name="t"))

    assert answers == [{"id": 1, "result": {"text": "a\nb"}}]


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "no episode 'ep'"}}),
        (401, {"error": {"code": "unauthorized", "message": "no episode 'ep'"}}),
    ],
)
async def test_a_refusal_without_an_id_answers_the_request_it_refuses(status: int, body: Any, server: Server) -> None:
    async def answer(_: web.Request, __: bytes) -> web.StreamResponse:
        return _json(body, status)

    server.answer = answer

    answers = await _run(server, _call("a", name="t"))

    assert (answers[0]["id"], answers[0]["error"]["message"]) == ("a", "no episode 'ep'")


async def test_an_answer_that_is_no_message_is_an_error_with_the_status(server: Server) -> None:
    async def answer(_: web.Request, __: bytes) -> web.StreamResponse:
        return web.Response(status=502, text="<html>bad gateway</html>")

    server.answer = answer

    answers = await _run(server, _call(name="t"))

    assert "answered 502 without a message" in answers[0]["error"]["message"]


async def test_what_is_no_json_is_answered_and_not_sent(server: Server) -> None:
    answers = await _run(server, b"hello", b"", _call(2, name="t"))

    assert {answer["id"] for answer in answers} == {None, 2}
    assert len(server.got) == 1


async def test_a_slow_call_does_not_hold_up_the_next(server: Server) -> None:
    quick_was_answered = asyncio.Event()

    async def answer(_: web.Request, body: bytes) -> web.StreamResponse:
        message = json.loads(body)
        if message["id"] == "slow":
            await asyncio.wait_for(quick_was_answered.wait(), 30)
        quick_was_answered.set()
        return _json({"jsonrpc": "2.0", "id": message["id"], "result": {}})

    server.answer = answer

    answers = await _run(server, _call("slow", name="t"), _call("quick", name="t"))

    assert [each["id"] for each in answers] == ["quick", "slow"]


async def test_a_cancelled_call_is_left_and_never_answered(server: Server) -> None:
    is_cancelled = asyncio.Event()

    async def answer(_: web.Request, body: bytes) -> web.StreamResponse:
        if "id" not in json.loads(body):
            is_cancelled.set()
            return web.Response(status=202)
        await asyncio.wait_for(is_cancelled.wait(), 30)
        return _json({"jsonrpc": "2.0", "id": 1, "result": {}})

    server.answer = answer
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}

    answers = await _run(server, _call(name="t"), json.dumps(cancelled).encode())

    assert answers == []


async def test_an_endpoint_that_moved_is_looked_for_once_more(server: Server) -> None:
    asked: list[int] = []

    async def find() -> EndpointAddress:
        asked.append(1)
        # Port 9 on loopback: nothing listens there.
        return EndpointAddress("http://127.0.0.1:9/mcp/ep/slack" if len(asked) == 1 else server.url, None)

    target = io.BytesIO()

    await StdioBridge(find, io.BytesIO(_call(name="t") + b"\n"), target).run()

    assert json.loads(target.getvalue())["result"] == {}
    assert len(asked) == 2


async def test_a_farm_that_is_gone_is_an_answer_and_not_an_end(server: Server) -> None:
    asked: list[int] = []

    async def find() -> EndpointAddress:
        asked.append(1)
        if len(asked) > 1:
            raise FarmError("no farm runs on /data; start one with 'farm up'")
        return EndpointAddress("http://127.0.0.1:9/mcp/ep/slack", None)

    target = io.BytesIO()

    await StdioBridge(find, io.BytesIO(_call(5, name="t") + b"\n"), target).run()

    answer = json.loads(target.getvalue())
    assert (answer["id"], answer["error"]["code"]) == (5, -32603)
    assert "start one with 'farm up'" in answer["error"]["message"]
