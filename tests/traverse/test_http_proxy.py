"""The recording proxy over HTTP: what passes is what was sent but for Host, and the calls in it are recorded."""

from __future__ import annotations

import asyncio
import gzip
import json
import signal
import socket
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from farm.errors import FarmError
from farm.traverse.proxy.http_messages import Data, End, Head, HttpReader, NotHttpError
from farm.traverse.proxy.http_relay import HttpRelay, with_headers
from farm.traverse.recordings.calls import Recorded
from farm.traverse.recordings.recording import read_recording
from farm.traverse.transport.source import read_source

WAIT_S = 60
DONE = {"content": [{"type": "text", "text": "done"}]}

Answerer = Callable[[int, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def _server(answerer: Answerer) -> AsyncIterator[int]:
    """A TCP server; the answerer gets the number of the connection, from 0."""
    writers: list[asyncio.StreamWriter] = []

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await answerer(len(writers) - 1, reader, writer)
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=1 << 24)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()  # an answerer may wait for more, and nothing may outlive the test
        await asyncio.sleep(0)


@asynccontextmanager
async def _proxied(port: int, out: Path, **options: Any) -> AsyncIterator[str]:
    relay = HttpRelay(read_source([f"http://127.0.0.1:{port}/mcp?key=1"], **options), out)
    ready = asyncio.Event()
    serving = asyncio.create_task(relay.serve(ready.set))
    try:
        async with asyncio.timeout(WAIT_S):
            await ready.wait()
        yield relay.url
    finally:
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


def _port(url: str) -> int:
    return int(url.split(":")[2].split("/")[0])


def _call(request_id: object, tool: str = "t") -> bytes:
    params = {"name": tool, "arguments": {}}
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}).encode()


def _said(request_id: object, result: object = DONE) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": result}).encode()


def _request(body: bytes, *headers: str, method: str = "POST") -> bytes:
    lines = [f"{method} /mcp?key=1 HTTP/1.1", "Host: 127.0.0.1:1", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def _response(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def _chunked(*chunks: bytes, head: str = "Content-Type: text/event-stream") -> bytes:
    body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return f"HTTP/1.1 200 OK\r\n{head}\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + body + b"0\r\n\r\n"


async def _exchange(port: int, pieces: list[bytes], size: int | None = None) -> bytes:
    """Send the pieces one after the other and read ``size`` bytes, or up to the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(WAIT_S):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
            return await (reader.read() if size is None else reader.readexactly(size))
    finally:
        writer.close()


def _seen(calls: list[Recorded]) -> list[tuple[Any, ...]]:
    return [(each.trace, each.step, each.tool, each.result) for each in calls]


EVENT = b"event: message\r\nid: 7\r\ndata: %s\r\n\r\n"
ODD_REQUESTS = [
    _request(
        b'{"jsonrpc":"2.0",  "id":"s","method":"tools/call","params":{"name":"stream"}}\r\n', "x-ODD:  two  spaces "
    ),
    b"POST /mcp?key=1 HTTP/1.1\r\nHOST:127.0.0.1:1\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"5;ext=1\r\n\xff\xfe\x00{}\r\n3\r\n\r\n\n\r\n0\r\nTrailer: t\r\n\r\n",
    _request(_call(2, "big") + b" " * 2_000_000),
    _request(b"no JSON"),
    _request(b"", method="GET"),
]
ODD_ANSWERS = [
    _chunked(
        b": a comment\n\n",
        EVENT % b'{"jsonrpc":"2.0","method":"notifications/progress"}',
        EVENT % b'{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}',
        (EVENT % _said("s"))[:30],
        (EVENT % _said("s"))[30:],
    ),
    b"HTTP/1.1 202 Accepted\r\ncontent-length:0\r\nserver:  odd\r\n\r\n",
    _response(b" \n" + _said(2, {"content": [], "big": "z" * 2_000_000}) + b"\n"),
    _response(b"\xff\x00", status="400 Bad Request"),
    b"HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 2\r\n\r\n{}",
]


@pytest.mark.parametrize("size", [1 << 20, 1000], ids=["whole", "in pieces"])
async def test_the_bytes_are_the_same_in_both_directions_as_without_it(tmp_path: Path, size: int) -> None:
    sent, answers = b"".join(ODD_REQUESTS), b"".join(ODD_ANSWERS)
    pieces = [sent[at : at + size] for at in range(0, len(sent), size)]
    got: dict[int, bytes] = {}

    async def answer(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # The proxy's Host is this server's own, so a longer one; and until the client leaves there is no end.
        ends = b"GET /mcp?key=1 HTTP/1.1"
        got[number] = await reader.readuntil(ends) + await reader.readuntil(b"\r\n\r\n")
        for at in range(0, len(answers), size):
            writer.write(answers[at : at + size])
            await writer.drain()
        await reader.read()

    async with _server(answer) as port:
        bare = await _exchange(port, pieces, len(answers))
        async with _proxied(port, tmp_path) as url:
            proxied = await _exchange(_port(url), pieces, len(answers))

    assert proxied == bare == answers
    assert got[0] == sent
    assert got[1] == sent.replace(b"Host: 127.0.0.1:1\r", b"Host: 127.0.0.1:%d\r" % port).replace(
        b"HOST:127.0.0.1:1\r", b"Host: 127.0.0.1:%d\r" % port
    )
    stream, big = read_recording(tmp_path)
    assert (stream.tool, stream.result) == ("stream", DONE)
    assert (big.tool, len(big.result["big"])) == ("big", 2_000_000)


async def test_a_session_is_a_trace_whichever_stream_brings_the_answer(tmp_path: Path) -> None:
    async def answer(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        size = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        said = json.loads(await reader.readexactly(size) or b"{}")
        who = {"protocolVersion": "2025-11-25", "serverInfo": {"name": "web", "version": "3"}}
        if said.get("method") == "initialize":
            raw = _response(_said(said["id"], who), "Mcp-Session-Id: " + said["params"]["as"])
        elif head.startswith(b"GET"):
            raw = _chunked(EVENT % _said(9))
        elif head.startswith(b"DELETE"):
            raw = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        elif said["id"] == 9:
            raw = _chunked(b": the answer will come over another stream\n\n")
        else:
            raw = _response(_said(said["id"]))
        writer.write(raw)

    async with _server(answer) as port, _proxied(port, tmp_path) as url:
        for name in ("A", "B"):
            hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"as": name}}
            await _exchange(_port(url), [_request(json.dumps(hello).encode())])
            await _exchange(_port(url), [_request(_call(1, f"first {name}"), f"mcp-session-id: {name}")])
        await _exchange(_port(url), [_request(_call(9, "later A"), "Mcp-Session-Id: A")])
        await _exchange(_port(url), [_request(b"", "Mcp-Session-Id: A", method="GET")])
        await _exchange(_port(url), [_request(_call(9, "left B"), "Mcp-Session-Id: B")])
        await _exchange(_port(url), [_request(b"", "Mcp-Session-Id: B", method="DELETE")])

    assert _seen(read_recording(tmp_path)) == [
        (0, 0, "first A", DONE),
        (0, 1, "later A", DONE),
        (1, 0, "first B", DONE),
        (1, 1, "left B", {"silence": "the session ended before the answer"}),
    ]
    assert {(each.server, each.version) for each in read_recording(tmp_path)} == {("web", "3")}


@pytest.mark.parametrize(
    ("response", "result"),
    [
        (_response(_said(1), "x: y"), DONE),
        (_response(gzip.compress(_said(1)), "Content-Encoding: gzip"), DONE),
        (_chunked(gzip.compress(_said(1)), head="Content-Encoding: gzip"), DONE),
        (
            _response(b"x", "Content-Encoding: br"),
            {"silence": "an answer in the encoding 'br', which the recorder cannot read"},
        ),
        (_response(b"<h1>Bad gateway</h1>", status="502 Bad Gateway"), {"silence": "HTTP 502: <h1>Bad gateway</h1>"}),
        (_response(b"", status="401 Unauthorized"), {"silence": "HTTP 401"}),
        (
            _response(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"no"}}', status="400 Bad Request"),
            {"error": {"code": -32020, "message": "no"}},
        ),
        (_chunked(b": nothing\n\n"), {"silence": "the stream ended without an answer"}),
        (
            _response(_said(1, {"resultType": "input_required"})),
            {"silence": 'an answer that is no tool\'s result: {"resultType": "input_required"}'},
        ),
        (_response(_said(2)), {"silence": f"HTTP 200: {_said(2).decode()}"}),
    ],
)
async def test_what_an_answer_without_session_is(tmp_path: Path, response: bytes, result: dict[str, Any]) -> None:
    async def answer(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(_call(1))
        writer.write(response)
        await writer.drain()
        await reader.read()

    async with _server(answer) as port, _proxied(port, tmp_path) as url:
        await _exchange(_port(url), [_request(_call(1))], len(response))
    assert _seen(read_recording(tmp_path)) == [(0, 0, "t", result)]


async def test_a_client_that_closes_its_stream_takes_its_call_back_and_the_server_sees_it(tmp_path: Path) -> None:
    seen = asyncio.Event()

    async def answer(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(_call(1))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        assert await reader.read() == b""
        seen.set()

    async with _server(answer) as port, _proxied(port, tmp_path) as url:
        await _exchange(_port(url), [_request(_call(1))], 10)
        async with asyncio.timeout(WAIT_S):
            await seen.wait()
    said = "the client closed the connection before the answer"
    assert _seen(read_recording(tmp_path)) == [(0, 0, "t", {"silence": said})]


async def test_two_clients_with_the_same_ids_at_once(tmp_path: Path) -> None:
    both = asyncio.Barrier(2)

    async def answer(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        size = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        tool = json.loads(await reader.readexactly(size))["params"]["name"]
        await both.wait()
        writer.write(_response(_said(1, {"content": [{"type": "text", "text": f"of {tool}"}]})))
        await writer.drain()
        await reader.read()

    async with _server(answer) as port, _proxied(port, tmp_path) as url:
        await asyncio.gather(*(_exchange(_port(url), [_request(_call(1, tool))], 150) for tool in ("a", "b")))
    calls = read_recording(tmp_path)
    assert {(each.tool, each.result["content"][0]["text"]) for each in calls} == {("a", "of a"), ("b", "of b")}


async def test_headers_that_were_given_go_to_the_server_and_no_page_may_use_them(tmp_path: Path) -> None:
    got = []

    async def answer(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")

    async with _server(answer) as port, _proxied(port, tmp_path, headers=["Authorization: Bearer t"]) as url:
        ours = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{_port(url)}\r\n%s\r\n"
        assert (await _exchange(_port(url), [(ours % "").encode()], 12)).endswith(b" 202")
        foreign = (ours % "Origin: https://evil.example\r\n").encode()
        assert (await _exchange(_port(url), [foreign], 12)).endswith(b" 421")
        rebound = b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"
        assert (await _exchange(_port(url), [rebound], 12)).endswith(b" 421")
    assert [b"Authorization: Bearer t\r\n" in each for each in got if each] == [True]


async def test_a_server_that_cannot_be_reached_is_said_to_the_client(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))  # and does not listen
        port = silent.getsockname()[1]
        async with _proxied(port, tmp_path) as url:
            reader, writer = await asyncio.open_connection("127.0.0.1", _port(url))
            writer.write(_request(_call(1)))
            said = await reader.read()
            writer.close()
    assert said.startswith(b"HTTP/1.1 502 Bad Gateway\r\n")
    assert b"farm traverse proxy: 127.0.0.1:%d cannot be reached" % port in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
async def test_the_command_says_its_address_and_ends_without_losing_a_call(
    tmp_path: Path, number: signal.Signals
) -> None:
    async def answer(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(_call(1, "a"))
        writer.write(_response(_said(1)))
        await reader.read()

    async with _server(answer) as port:
        command = [
            sys.executable,
            "-m",
            "farm",
            "traverse",
            "proxy",
            "--out",
            str(tmp_path),
            f"http://127.0.0.1:{port}/mcp",
        ]
        process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE)
        assert process.stdout is not None
        said = (await process.stdout.readline()).decode()
        url = said.split(" is at ")[1].split(" ")[0]
        told = f"while this runs; what is called there is recorded in {tmp_path}. Ctrl-C ends it."
        assert said == f"127.0.0.1:{port} is at {url} {told}\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", _port(url))
        writer.write(_request(_call(1, "a")) + _request(_call(2, "b")))
        assert (await reader.readuntil(_said(1))).startswith(b"HTTP/1.1 200 OK")
        async with asyncio.timeout(WAIT_S):
            # The recorder writes beside the stream: what it has not come to when the proxy is killed stands as silent.
            while not (
                (tmp_path / "calls.jsonl").read_bytes() and b'"b"' in (tmp_path / "under-way.jsonl").read_bytes()
            ):
                await asyncio.sleep(0.01)
        process.send_signal(number)
        _, errors = await asyncio.wait_for(process.communicate(), WAIT_S)
        writer.close()
    assert process.returncode == (-number if number is signal.SIGKILL else 0)
    assert b"Traceback" not in errors
    first, second = _seen(read_recording(tmp_path))
    assert first == (0, 0, "a", DONE)
    assert second[:3] == (0, 1, "b")
    assert "before the answer" in second[3]["silence"]


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(FarmError, match=f"port {port} of 127.0.0.1 cannot be used .*; choose another with --port"):
            HttpRelay(read_source(["http://127.0.0.1:1/mcp"]), tmp_path, port=port)


def test_only_what_the_recorder_reads_is_left_of_accept_encoding() -> None:
    def passed(line: str) -> bytes:
        return with_headers(Head(f"GET / HTTP/1.1\r\n{line}\r\n\r\n".encode()), {})

    assert (
        passed("Accept-Encoding:  gzip,deflate ;q=0.5")
        == b"GET / HTTP/1.1\r\nAccept-Encoding:  gzip,deflate ;q=0.5\r\n\r\n"
    )
    assert passed("accept-encoding: br, gzip, zstd") == b"GET / HTTP/1.1\r\naccept-encoding: gzip\r\n\r\n"
    assert passed("accept-encoding: br") == b"GET / HTTP/1.1\r\naccept-encoding: identity\r\n\r\n"


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_http_is_taken_apart_however_it_is_cut(size: int) -> None:
    raw = b"".join(ODD_REQUESTS[:2]) + ODD_REQUESTS[3]
    reader = HttpReader(is_answers=False)
    parts = [part for at in range(0, len(raw), size) for part in reader.feed(raw[at : at + size])]

    assert b"".join(part.raw for part in parts if isinstance(part, (Head, Data))) == raw
    bodies, body = [], b""
    for part in parts:
        if isinstance(part, Data):
            body += part.body
        elif part is End.END:
            bodies.append(body)
            body = b""
    assert bodies == [ODD_REQUESTS[0].partition(b"\r\n\r\n")[2], b"\xff\xfe\x00{}\r\n\n", b"no JSON"]


def test_an_answer_without_a_body_and_one_without_a_length() -> None:
    reader = HttpReader(is_answers=True)
    for method in (b"HEAD", b"POST", b"GET"):
        reader.expect(method)
    raw = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
    raw += b"HTTP/1.1 304 Not Modified\r\n\r\nHTTP/1.1 200 OK\r\n\r\nto the end"
    parts = [*reader.feed(raw), *reader.end()]
    assert [part for part in parts if isinstance(part, Data)] == [Data(b"to the end", b"to the end")]
    assert parts.count(End.END) == 3


@pytest.mark.parametrize(
    "raw",
    [
        b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"x" * 300_000,
    ],
)
def test_what_is_no_http(raw: bytes) -> None:
    with pytest.raises(NotHttpError):
        list(HttpReader(is_answers=False).feed(raw))
