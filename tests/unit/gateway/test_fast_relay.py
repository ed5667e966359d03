"""The gateway's short way: calls go on to the app and answers come back unread, over connections that stay open."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import pytest

from farm.server.fast_path.protocol import RequestHead, RequestHeads
from farm.server.http.answer import HttpAnswer
from farm.server.http.asgi import BODY_BYTES_MAX, read_body
from farm.server.limits.connection_limits import COMPLETE_BYTES_MAX, SMALL_BODY_BYTES
from farm.server.limits.limited_protocol import PIECE_BYTES
from gateway.config import GatewayConfig
from gateway.fast_relay import RelayProtocol
from gateway.relay import Relay, passed_on
from gateway.upstream import Connection, Downstream
from tests.ports import free_ports
from tests.protocol.wire import Line, answers, connection, connections, http_request

FIELDS = [("host", "farm.example"), ("content-type", "application/json"), ("Authorization", "Bearer t")]
FIRST = http_request(b'{"id":0}', FIELDS, path="/mcp/ep/slack")
CALL = http_request(b'{"id":"mine"}', FIELDS, path="/mcp/ep/slack")
PLAIN = b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n{"a":1}'
CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n7\r\ndata: 1\r\n"


class App:
    """An app that answers each request with the next of its answers, in the pieces given."""

    def __init__(self) -> None:
        self.answers: list[list[bytes]] = []
        self.requests: list[bytes] = []
        self.connections = 0
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self.is_asked = asyncio.Event()
        self.is_left = asyncio.Event()
        self.tasks: set[asyncio.Task[Any]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.tasks.add(cast(asyncio.Task[Any], asyncio.current_task()))
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
                self.requests.append(head + await reader.readexactly(length))
                self.is_asked.set()
                for piece in self.answers.pop(0) if self.answers else [PLAIN]:
                    await self.goes_on.wait()
                    if not piece:
                        return
                    writer.write(piece)
                    await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            self.is_left.set()
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


class Gateway:
    """As much of the gateway as a connection knows."""

    connection = RelayProtocol

    def __init__(self, relay: Relay) -> None:
        self.heads = RequestHeads()
        self.relay = relay
        self.by_asgi = 0

    def relay_at_once(
        self, episode_id: str, app: str, head: RequestHead, body: bytes, downstream: Downstream
    ) -> Connection | None:
        return self.relay.ask(app, episode_id, passed_on(head.headers.items()), body, downstream)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.by_asgi += 1
        body = await read_body(scope, receive)
        if scope["path"].count("/") < 3:
            await HttpAnswer(200, b"together").send(send)
        else:
            await self.relay.forward("slack", "ep", scope["headers"], body, receive, send)


@asynccontextmanager
async def gateway_to(app: App) -> AsyncIterator[Gateway]:
    """Give a gateway before one app."""
    server = await asyncio.start_server(app.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    relay = Relay(GatewayConfig(Path("/nowhere"), "", "", None, "", "", "", {"slack": ((port, 0),)}))
    try:
        yield Gateway(relay)
    finally:
        relay.close()
        server.close()
        app.goes_on.set()
        await asyncio.wait(app.tasks, timeout=60)


@asynccontextmanager
async def line_to(app: App) -> AsyncIterator[tuple[Any, Line, Gateway]]:
    """Give a connection to a gateway before one app; it has carried one request, by ASGI."""
    async with gateway_to(app) as gateway, connection(gateway) as (protocol, line):
        protocol.data_received(FIRST)
        await answers(line, 1)
        line.written = b""
        app.requests.clear()
        app.is_asked.clear()
        yield protocol, line, gateway


async def test_long_calls_to_an_app_that_stands_still_keep_no_other_from_being_read() -> None:
    app = App()
    app.goes_on.clear()
    body = b'{"x":"' + b"y" * (BODY_BYTES_MAX - 8) + b'"}'
    long = http_request(body, FIELDS, path="/mcp/ep/slack")
    together = http_request(body, FIELDS, path="/mcp/ep")
    count = COMPLETE_BYTES_MAX // len(body) + 1
    app.answers = [[b""]] * count  # it ends the connections when it goes on
    async with gateway_to(app) as gateway, connections(gateway, count + 1) as ((last, last_line), *stuck):
        for protocol, line in stuck:
            for at in range(0, len(long), SMALL_BODY_BYTES):
                protocol.data_received(long[at : at + SMALL_BODY_BYTES])
                await asyncio.sleep(0)
            async with asyncio.timeout(30):
                while len(app.requests) <= stuck.index((protocol, line)):
                    await asyncio.sleep(0)
        (_, first_line), *others = stuck

        assert first_line.is_closed, "it has waited longest"
        assert first_line.written.startswith(b"HTTP/1.1 503 ")
        assert not any(line.is_closed for _, line in others)

        last.data_received(together)
        (answer,) = await answers(last_line, 1)

    assert answer.body == b"together"


async def test_calls_after_the_first_share_its_connection_and_meet_no_asgi() -> None:
    app = App()
    async with line_to(app) as (protocol, line, gateway):
        for number in range(1, 6):
            protocol.data_received(CALL)
            await answers(line, number)

        assert line.written == PLAIN * 5
        assert (app.connections, gateway.by_asgi) == (1, 1)
    head, _, body = app.requests[-1].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /mcp/ep HTTP/1.1\r\nhost: 127.0.0.1:")
    assert b"\r\nauthorization: Bearer t\r\n" in head
    assert b"farm.example" not in head
    assert body == b'{"id":"mine"}'


@pytest.mark.parametrize("size", [1, 20, 90])
async def test_an_answer_in_pieces_is_passed_on_whole(size: int) -> None:
    app = App()
    async with line_to(app) as (protocol, line, _):
        app.answers = [[PLAIN[at : at + size] for at in range(0, len(PLAIN), size)]]

        protocol.data_received(CALL)
        await answers(line, 1)
        protocol.data_received(CALL)
        await answers(line, 2)

    assert line.written == PLAIN * 2
    assert app.connections == 1


async def test_a_stream_is_passed_on_as_it_comes_and_ends_with_its_last_chunk() -> None:
    app = App()
    async with line_to(app) as (protocol, line, gateway):
        app.answers = [[CHUNKED, b"0\r\n", b"\r\n"]]
        protocol.data_received(CALL)
        while not line.written:
            line.moved.clear()
            await asyncio.wait_for(line.moved.wait(), 30)
        assert line.written.startswith(CHUNKED)
        (answer,) = await answers(line, 1)
        protocol.data_received(CALL)
        await answers(line, 2)

        assert answer.body == b"data: 1"
        assert (app.connections, gateway.by_asgi) == (1, 1)


async def test_what_is_sent_before_the_answer_is_there_waits_its_turn() -> None:
    app = App()
    async with line_to(app) as (protocol, line, _):
        app.goes_on.clear()
        protocol.data_received(CALL)
        protocol.data_received(CALL + CALL[:30])
        protocol.data_received(CALL[30:])
        await asyncio.wait_for(app.is_asked.wait(), 30)
        assert len(app.requests) == 1

        app.goes_on.set()
        found = await answers(line, 3)

    assert [each.status for each in found] == [200, 200, 200]
    assert len(app.requests) == 3


async def test_an_agent_that_asks_too_early_is_not_read_until_its_turn_and_then_is() -> None:
    app = App()
    async with line_to(app) as (protocol, line, gateway):
        app.goes_on.clear()
        protocol.data_received(CALL)
        protocol.data_received(CALL)
        assert not line.reads

        app.goes_on.set()
        await answers(line, 2)

        assert line.reads
        assert (app.connections, gateway.by_asgi) == (1, 1)


async def test_an_agent_that_leaves_ends_what_it_asked_for() -> None:
    app = App()
    async with line_to(app) as (protocol, _line, _):
        app.goes_on.clear()
        protocol.data_received(CALL)
        await asyncio.wait_for(app.is_asked.wait(), 30)

        protocol.connection_lost(None)
        app.answers = [[PLAIN]]
        app.goes_on.set()

        await asyncio.wait_for(app.is_left.wait(), 30)
    assert len(app.requests) == 1


async def test_an_app_that_dies_is_an_error_of_the_call_and_the_call_is_not_sent_again() -> None:
    app = App()
    async with line_to(app) as (protocol, line, _):
        app.answers = [[b""]]
        protocol.data_received(CALL)
        (answer,) = await answers(line, 1)
        protocol.data_received(CALL)
        _, later = await answers(line, 2)

    assert answer.status == 502
    assert answer.json["id"] == "mine"
    assert "the call may or may not have been made" in answer.json["error"]["message"]
    assert later.status == 200
    assert len(app.requests) == 2


async def test_an_agent_that_reads_slowly_holds_up_its_own_answer_until_it_reads_again() -> None:
    app = App()
    async with line_to(app) as (protocol, line, _):
        app.answers = [[CHUNKED, b"2\r\n:)\r\n0\r\n\r\n"]]
        app.goes_on.clear()
        protocol.data_received(CALL)
        await asyncio.wait_for(app.is_asked.wait(), 30)

        protocol.pause_writing()
        assert not protocol._upstream._transport.is_reading()
        app.goes_on.set()
        protocol.resume_writing()

        (answer,) = await answers(line, 1)
    assert answer.body == b"data: 1:)"


async def test_an_agent_that_reads_nothing_yet_is_sent_nothing_before_its_app_is_reached_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = App()
    async with line_to(app) as (protocol, line, _):
        monkeypatch.setattr("gateway.upstream.IDLE_S_MAX", 0.0)
        protocol.data_received(CALL)
        protocol.pause_writing()  # before there is a connection to the app
        await asyncio.wait_for(app.is_asked.wait(), 30)

        assert not protocol._upstream._transport.is_reading()
        protocol.resume_writing()
        (answer,) = await answers(line, 1)

    assert answer.status == 200


async def test_a_connection_that_an_app_is_about_to_close_takes_no_other_call() -> None:
    app = App()
    async with line_to(app) as (protocol, line, gateway):
        # The app says so and leaves it open for as long as nobody asks.
        app.answers = [[PLAIN.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n", 1)], [b""]]
        protocol.data_received(CALL)
        await answers(line, 1)
        app.answers = []

        async with connection(gateway) as (other, other_line):
            other.data_received(CALL)
            (answer,) = await answers(other_line, 1)

    assert answer.status == 200
    assert app.connections == 2


async def test_an_agent_that_reads_slowly_holds_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App()
    async with line_to(app) as (protocol, line, gateway):
        write = line.write

        def write_what_is_not_read(data: bytes) -> None:
            write(data)
            protocol.pause_writing()  # as a transport does whose buffer is full

        monkeypatch.setattr(line, "write", write_what_is_not_read)
        protocol.data_received(CALL)
        await answers(line, 1)

        async with connection(gateway) as (other, other_line):
            other.data_received(CALL)
            (answer,) = await answers(other_line, 1)

    assert answer.status == 200
    assert app.connections == 1


async def test_an_agent_that_pipelines_without_reading_is_not_read_either(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App()
    async with line_to(app) as (protocol, line, _):
        write = line.write

        def write_what_is_not_read(data: bytes) -> None:
            write(data)
            protocol.pause_writing()

        monkeypatch.setattr(line, "write", write_what_is_not_read)
        flood, sent = CALL * 400, 0
        for _ in range(50):
            if line.reads:
                protocol.data_received(flood)
                sent += 1
            await asyncio.sleep(0.001)

        assert not line.reads
        assert len(app.requests) <= 2
        assert sent <= 3
        assert len(protocol._unread) + len(protocol._held) <= 3 * len(flood)
        assert len(protocol.pipeline) <= 1 + PIECE_BYTES / len(CALL)

        monkeypatch.undo()
        protocol.resume_writing()
        found = await answers(line, sent * 400)
        assert len(found) == sent * 400
        assert line.reads


async def test_an_agent_that_leaves_while_the_app_is_not_reached_yet_asks_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = App()
    async with line_to(app) as (protocol, _line, _):
        monkeypatch.setattr("gateway.upstream.IDLE_S_MAX", 0.0)
        protocol.data_received(CALL)
        upstream = protocol._upstream

        protocol.connection_lost(None)
        await asyncio.wait((upstream._connecting,), timeout=60)

        assert upstream._connecting.cancelled()
    assert app.requests == []


async def test_a_call_waits_for_an_app_that_nobody_can_reach_yet() -> None:
    app, back = App(), App()
    async with line_to(app) as (protocol, line, gateway):
        (pool,) = gateway.relay._pools["slack"]
        pool.close()
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", free_ports(1)[0]))
            pool.place = nobody.getsockname()
            protocol.data_received(CALL)
            connecting = protocol._upstream._connecting
            await asyncio.wait((connecting,), timeout=0.2)
            assert not connecting.done()
            async with await asyncio.start_server(back.serve, sock=nobody):
                (answer,) = await answers(line, 1)

        assert answer.json == {"a": 1}
        assert len(back.requests) == 1


async def test_an_app_that_cannot_be_reached_is_an_error_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App()
    monkeypatch.setattr("gateway.upstream.CONNECT_S_MAX", 0.05)
    async with line_to(app) as (protocol, line, gateway):
        (pool,) = gateway.relay._pools["slack"]
        pool.close()
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            pool.place = nobody.getsockname()
            protocol.data_received(CALL)
            (answer,) = await answers(line, 1)

        assert answer.status == 502
        assert answer.json["id"] == "mine"
        assert gateway.by_asgi == 1


@pytest.mark.parametrize("pieces", [[PLAIN[:-3], b""], [b"nonsense\r\n\r\n"], [CHUNKED, b"no length\r\n"]])
async def test_an_answer_that_breaks_off_ends_the_connection(pieces: list[bytes]) -> None:
    app = App()
    async with line_to(app) as (protocol, line, _):
        app.answers = [pieces]
        protocol.data_received(CALL)
        while not line.is_closed:
            line.moved.clear()
            await asyncio.wait_for(line.moved.wait(), 30)

    assert line.written in b"".join(pieces)


async def test_an_app_that_ends_after_its_answer_ends_the_agents_connection_too() -> None:
    app = App()
    async with line_to(app) as (protocol, line, _):
        app.answers = [[PLAIN.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n", 1)]]
        protocol.data_received(CALL)
        (answer,) = await answers(line, 1)

        assert answer.body == b'{"a":1}'
        assert line.is_closed


async def test_a_connection_that_was_idle_for_long_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App()
    async with line_to(app) as (protocol, line, _):
        monkeypatch.setattr("gateway.upstream.IDLE_S_MAX", 0.0)

        protocol.data_received(CALL)
        (answer,) = await answers(line, 1)

        assert answer.status == 200
        assert app.connections == 2


async def test_the_gateway_ends_after_the_answer_that_is_on_its_way() -> None:
    app = App()
    async with line_to(app) as (protocol, line, _):
        app.goes_on.clear()
        protocol.data_received(CALL)
        await asyncio.wait_for(app.is_asked.wait(), 30)

        protocol.shutdown()
        assert not line.is_closed
        app.goes_on.set()
        (answer,) = await answers(line, 1)

        assert answer.status == 200
        assert line.is_closed


async def test_without_the_fast_path_calls_are_relayed_by_asgi_with_the_same_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = App()
    async with line_to(app) as (protocol, line, gateway):
        protocol.data_received(CALL)
        (fast,) = await answers(line, 1)
        monkeypatch.setattr("farm.server.listener.find_problem", lambda: "another uvicorn")

        async with connection(gateway) as (plain, plain_line):
            plain.data_received(CALL)
            (slow,) = await answers(plain_line, 1)

        assert slow == fast
        assert gateway.by_asgi == 2


async def test_a_place_without_an_app_goes_through_asgi() -> None:
    app = App()
    async with line_to(app) as (protocol, line, gateway):
        protocol.data_received(CALL.replace(b"/mcp/ep/slack", b"/mcp/ep"))
        (answer,) = await answers(line, 1)

        assert (answer.body, gateway.by_asgi) == (b"together", 2)
