"""What a server may send without end: no more is taken of it than the bound, and one line says so."""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from farm.errors import FarmError
from farm.traverse.capture import capture_server
from farm.traverse.proxy.conversation import ServerState
from farm.traverse.proxy.http_exchanges import HttpConnection, Sessions
from farm.traverse.proxy.recorder import StdioConnection
from farm.traverse.recordings.calls import read_calls
from farm.traverse.recordings.recording import CALLS, Recording
from farm.traverse.transport.bounds import BodyDecoder
from farm.traverse.transport.source import Source

BODY_MAX = 2**20
# What the system's buffers of both ends may hold beside what was read.
BUFFERS = 16 * 2**20
OFFERED = 256 * 2**20
JSON = "content-type: application/json\r\n"
EVENTS = "content-type: text/event-stream\r\n"
Pieces = Callable[[], Iterator[bytes]]


class Server:
    """Answers every request alike, and counts what it could send."""

    def __init__(self, fields: str, pieces: Pieces) -> None:
        self._fields, self._pieces = fields, pieces
        self.sent = 0
        self.url = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"HTTP/1.1 200 OK\r\n{self._fields}connection: close\r\n\r\n".encode())
            for piece in self._pieces():
                writer.write(piece)
                await writer.drain()
                self.sent += len(piece)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(fields: str, pieces: Pieces) -> AsyncIterator[Server]:
    server = Server(fields, pieces)
    listening = await asyncio.start_server(server.answer, "127.0.0.1")
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/mcp"
    try:
        yield server
    finally:
        listening.close()


def endless(first: bytes, piece: bytes) -> Pieces:
    """Return what begins so and goes on with pieces, 256 MiB of them."""

    def pieces() -> Iterator[bytes]:
        yield first
        block = piece * (65536 // len(piece))
        for _ in range(OFFERED // len(block)):
            yield block

    return pieces


def once(*pieces: bytes) -> Pieces:
    return lambda: iter(pieces)


def result(text: bytes) -> bytes:
    return b'{"jsonrpc": "2.0", "id": 1, "result": ' + text + b"}"


ANSWER, EVENT = b'{"a": "', b"data: "


@cache
def bomb(first: bytes) -> bytes:
    """Return what is small and becomes 64 MiB; whoever collects tests need not wait for it."""
    return gzip.compress(first + b"x" * 2**26)


@pytest.mark.parametrize(
    ("fields", "pieces", "said"),
    [
        (JSON, endless(b'{"a": "', b"x"), "an answer of over 1 MiB; --body-max takes more"),
        (
            JSON + "content-encoding: gzip\r\n",
            lambda: iter([bomb(ANSWER)]),
            "an answer of over 1 MiB; --body-max takes more",
        ),
        (EVENTS, endless(b"data: ", b"x"), "an event of over 1 MiB; --body-max takes more"),
        (EVENTS, endless(b"", b"data: x\n"), "an event of over 1 MiB; --body-max takes more"),
        (EVENTS, endless(b"", b"data:\n"), "an event of over 1 MiB; --body-max takes more"),
        (
            EVENTS + "content-encoding: gzip\r\n",
            lambda: iter([bomb(EVENT)]),
            "an event of over 1 MiB",
        ),
        (JSON, once(result(b"[" * 40_000 + b"]" * 40_000)), "its message is nested over 190 deep"),
        (JSON, once(result(b'{"a":' * 200 + b"1" + b"}" * 200)), "its message is nested over 190 deep"),
        (EVENTS, once(b"data: " + result(b"[" * 40_000) + b"\n\n"), "its message is nested over 190 deep"),
        (JSON, once(result(b"[" + b"[]," * 200_000 + b"1]")), "its message has over 65,536 values; --body-max takes"),
        (JSON + "content-encoding: br\r\n", once(b"x" * 100), "its body is no br, or that is not read here"),
        (JSON + "content-encoding: gzip\r\n", once(b"x" * 100), "its body is no gzip, or that is not read here"),
    ],
)
async def test_no_more_of_an_answer_is_read_than_its_bound(
    tmp_path: Path, fields: str, pieces: Pieces, said: str
) -> None:
    if "gzip" in fields:
        bomb(ANSWER), bomb(EVENT)  # before memory is measured
    async with serving(fields, pieces) as server:
        tracemalloc.start()
        with pytest.raises(FarmError) as refused:
            await capture_server(Source("stranger", url=server.url, body_max=BODY_MAX), tmp_path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

    assert str(refused.value).startswith("stranger: ")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert server.sent <= BODY_MAX + BUFFERS
    assert peak < 24 * 2**20
    assert list(tmp_path.iterdir()) == []


async def test_a_list_of_many_short_pages_is_bounded_as_a_whole(tmp_path: Path) -> None:
    asked = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        head = await reader.readuntil(b"\r\n\r\n")
        size = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
        message = json.loads(await reader.readexactly(size) or b"{}")
        asked += 1
        greeted: dict[str, Any] = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "s"}}
        page = {"tools": [{"name": "t", "description": "x" * 100_000}], "nextCursor": "more"}
        said = {"id": message.get("id"), "result": greeted if message.get("method") == "initialize" else page}
        body = json.dumps({"jsonrpc": "2.0", **said}).encode()
        writer.write(
            f"HTTP/1.1 200 OK\r\n{JSON}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body
        )
        await writer.drain()
        writer.close()

    listening = await asyncio.start_server(answer, "127.0.0.1")
    url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/mcp"

    with pytest.raises(FarmError, match="stranger: a list of tools of over 1 MiB; --body-max takes more"):
        await capture_server(Source("stranger", url=url, body_max=BODY_MAX), tmp_path)

    listening.close()
    assert asked < 16


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("while True: sys.stdout.buffer.write(b'x' * 65536)", "stranger: a line of over 1 MiB; --body-max takes more"),
        ("print('[' * 40_000); sys.stdout.flush(); sys.stdin.read()", "stranger: its message is nested over 190 deep"),
        (
            "sys.stderr.write('x' * 30_000_000 + ' at last\\n'); sys.stderr.flush(); sys.exit(3)",
            "stranger ended, status 3: xxx",
        ),
    ],
)
async def test_no_more_of_a_line_is_read_than_its_bound(tmp_path: Path, program: str, said: str) -> None:
    tracemalloc.start()
    with pytest.raises(FarmError) as refused:
        await capture_server(
            Source("stranger", (sys.executable, "-c", f"import sys\n{program}"), body_max=BODY_MAX), tmp_path
        )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert said in str(refused.value)
    assert peak < 24 * 2**20


def test_a_body_is_decompressed_in_pieces_and_whole() -> None:
    text = bytes(range(256)) * 4_000
    packed = gzip.compress(text)

    decoder = BodyDecoder("gzip")
    found = [piece for at in range(0, len(packed), 7) for piece in decoder.decode(packed[at : at + 7])]

    assert b"".join(found) == text
    assert max(map(len, found)) <= 65536
    assert decoder.is_readable


CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "read", "arguments": {}}}


def _request(body: bytes) -> bytes:
    return f"POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body


@pytest.mark.parametrize(
    ("fields", "pieces", "what"),
    [
        (JSON, lambda: [b"x" * 65536] * 400, "an answer"),
        (JSON + "content-encoding: gzip\r\n", lambda: [bomb(ANSWER)], "an answer"),
        (EVENTS, lambda: [b"data: " + b"x" * 65536, *[b"x" * 65536] * 400], "an event"),
    ],
    ids=["long", "compressed", "event"],
)
def test_the_recorder_of_a_proxy_keeps_no_more_of_an_answer_than_its_bound(
    tmp_path: Path, fields: str, pieces: Callable[[], list[bytes]], what: str
) -> None:
    sent = pieces()
    with Recording(tmp_path) as recording:
        known = ServerState(recording, lambda *_: None, body_max=BODY_MAX)
        connection = HttpConnection(Sessions(known))
        connection.from_client(_request(json.dumps(CALL).encode()), 0.0)
        tracemalloc.start()
        connection.from_server(f"HTTP/1.1 200 OK\r\n{fields}\r\n".encode(), 0.0)
        for piece in sent:
            connection.from_server(piece, 0.0)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        connection.end("the connection ended before the answer", 0.0)

    (call,) = read_calls(tmp_path / CALLS)
    assert peak < 8 * 2**20
    assert known.too_long == 1
    if what == "an answer":
        assert call.result == {"silence": f"{what} of over 1 MiB, which is not recorded; --body-max records more"}


def test_the_recorder_of_a_proxy_keeps_no_more_of_a_line_than_its_bound(tmp_path: Path) -> None:
    answer = {"jsonrpc": "2.0", "id": 2, "result": {"content": []}}
    with Recording(tmp_path) as recording:
        known = ServerState(recording, lambda *_: None, body_max=BODY_MAX)
        lines = StdioConnection(known)
        lines.from_client(json.dumps(CALL).encode() + b"\n", 0.0)
        for _ in range(400):
            lines.from_server(b"x" * 65536, 0.0)
        lines.from_server(b"\n", 0.0)
        lines.from_client(json.dumps(CALL | {"id": 2}).encode() + b"\n", 0.0)
        lines.from_server(json.dumps(answer).encode() + b"\n", 0.0)
        lines.end("over", 0.0)

    first, second = read_calls(tmp_path / CALLS)
    assert first.result == {"silence": "a line of over 1 MiB, which is not recorded; --body-max records more"}
    assert second.result == {"content": []}
    assert known.too_long == 1
