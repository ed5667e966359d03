"""The gateway's parts: joint names, the relay."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_asyncio
from starlette.requests import Request
from starlette.types import Message

from farm.context.log import Sealed
from farm.errors import FarmError, QuotaExceededError, UnavailableError
from farm.server.fast_path.protocol import RequestHead
from farm.server.http.answer import HttpAnswer
from farm.server.joint_names import NAME_MAX, joint_name
from gateway.addresses import Addresses
from gateway.app_client import AppClient
from gateway.config import GatewayConfig
from gateway.control import OPERATIONS, Control, control_app, openapi
from gateway.mcp_endpoint import McpEndpoint
from gateway.relay import Relay
from tests.protocol.wire import request, send
from tests.unit._gateway import Gateway, config

DOCS = Path(__file__).parents[3] / "docs"


def test_a_joint_name_begins_with_its_app_and_fits_every_client() -> None:
    short, long = joint_name("slack", "slack_list_channels"), joint_name("lark", "x" * 90)

    assert short == "slack__slack_list_channels"
    assert len(long) == NAME_MAX
    assert re.fullmatch(r"lark__x+_[0-9a-f]{8}", long)
    assert long != joint_name("lark", "x" * 91)


def test_every_call_is_in_the_openapi_document_and_in_the_documentation() -> None:
    paths = openapi()["paths"]
    page = (DOCS / "control-api.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+) ([^`]+)` \| ([^|]*) \| ([^|]*) \| (\d+) \|$", page, re.MULTILINE)

    assert rows == [
        (
            call.method,
            call.path,
            call.summary,
            ", ".join(f"`{name}`" for name in (*call.body, *(f"?{each}" for each in call.query))),
            str(call.status),
        )
        for call in OPERATIONS.values()
    ]
    for call in OPERATIONS.values():
        assert str(call.status) in paths[call.path][call.method.lower()]["responses"]
        assert f"### `{call.method} {call.path}`" in page


async def test_every_call_answers_with_the_status_its_document_says(tmp_path: Path) -> None:
    bodies = {
        "restore": {"snapshot": "cut"},
        "set_clock": {"advance_s": 1},
        "import_episode": {"folder": "brought", "episode": {}, "shift_days": 0},
        "export": {"folder": "taken"},
        "add_holder": {"me": "yu.han"},
        "rewind": {"calls": 0},
        "add_fault": {"app": "slack", "kind": "rate_limited"},
        "add_person_rule": {
            "who": "ben",
            "when": {"app": "slack", "table": "messages"},
            "then": [{"do": "reply", "text": "24."}],
        },
    }
    (tmp_path / "exports" / "taken").mkdir(parents=True)
    (tmp_path / "imports" / "brought").mkdir(parents=True)
    (tmp_path / "imports" / "brought" / "slack.0.db").touch()
    (tmp_path / "imports" / "brought" / "slack.0.log").write_bytes(Sealed().dump())
    async with Gateway(tmp_path, "slack") as gateway:

        async def ready() -> bool:
            return True

        async def metrics() -> str:
            return ""

        app = control_app(gateway.episodes, "token", ready, metrics, Addresses(config(tmp_path, "slack")))
        fields = [("host", "127.0.0.1:1"), ("authorization", "Bearer token")]
        await gateway.episodes.snapshot("default", "cut")
        # Last, as it takes the episode away.
        ids = {
            "drop": (await gateway.episodes.create({}))["id"],
            # Expectations speak of people and days.
            "check": (await gateway.episodes.create({"world": "harbor"}))["id"],
            "add_holder": (await gateway.episodes.create({"world": "harbor"}))["id"],
            # The default episode asks for no token.
            "renew_token": (await gateway.episodes.create({}))["id"],
        }
        where = {"fault": "burst", "app": "slack", "table": "messages", "suite": "demo", "task": "lark-new-room"}
        for name, call in sorted(OPERATIONS.items(), key=lambda each: each[0] == "drop"):
            path = call.path.format(id=ids.get(name, "default"), **where)

            answer = await send(app, bodies.get(name), fields, path=path, method=call.method)

            assert (answer.status, "error" in answer.json) == (call.status, False), name


@pytest.mark.parametrize(
    ("named", "status"),
    [
        ([("host", "127.0.0.1:8701")], 200),
        ([("host", "127.0.0.1:80.evil.example")], 421),
        ([("host", "127.0.0.1"), ("host", "evil.example")], 400),
        ([("host", "localhost"), ("origin", "http://127.0.0.1:8701.evil.example")], 403),
    ],
)
async def test_both_ports_of_the_gateway_compare_host_and_origin_whole(
    tmp_path: Path, named: list[tuple[str, str]], status: int
) -> None:
    async with Gateway(tmp_path, "slack") as gateway:
        nothing = cast(Any, None)
        agents = McpEndpoint(gateway.episodes, nothing, cast(Any, Answering()), (), nothing, nothing)
        operators = control_app(gateway.episodes, "token", nothing, nothing, Addresses(config(tmp_path, "slack")))
        body, fields = request("ping")

        for _ in range(2):
            asked = await send(agents, body, [*named, *fields[1:]], path="/mcp/default")
            told = await send(
                operators, None, [*named, ("authorization", "Bearer token")], path="/v1/episodes", method="GET"
            )

            assert (asked.status, told.status) == (status, status)


async def test_a_list_of_many_episodes_lets_others_have_their_turn(tmp_path: Path) -> None:
    async with Gateway(tmp_path, "slack") as gateway:
        made = [(await gateway.episodes.create({}))["id"] for _ in range(60)]
        control = Control(gateway.episodes, Addresses(config(tmp_path, "slack")))
        asked = asyncio.create_task(control.list(Request({"type": "http", "headers": []}), {}))

        await asyncio.sleep(0)
        assert not asked.done()
        _, listed = await asked

    assert [each["id"] for each in listed["episodes"]] == ["default", *made]


async def test_capacity_for_an_import_is_asked_for_by_its_size(tmp_path: Path) -> None:
    async def ask(gateway: Gateway, query: str) -> tuple[int, Any]:
        control = Control(gateway.episodes, Addresses(config(tmp_path, "slack")))
        asked = Request({"type": "http", "headers": [], "query_string": query.encode()})
        return await control.import_capacity(asked, {})

    async with Gateway(tmp_path, "slack", disk_max=64 << 20) as gateway:
        assert await ask(gateway, "size_bytes=1048576") == (200, {"size_bytes": 1 << 20})
        assert await ask(gateway, "") == (200, {"size_bytes": 0})
        for size_bytes in (64 << 20, 10**23):
            with pytest.raises(QuotaExceededError, match="are to come"):
                await ask(gateway, f"size_bytes={size_bytes}")
        for wrong in ("-1", "1.5", "x", "٣", "1" * 25):
            with pytest.raises(FarmError, match="'size_bytes' must be a count"):
                await ask(gateway, f"size_bytes={wrong}")


async def test_the_short_way_is_for_those_whose_like_was_let_in_before_and_for_episodes_there_are(
    tmp_path: Path,
) -> None:
    asked: list[tuple[str, str, bytes]] = []

    class ShortWay:
        def ask(self, app: str, episode_id: str, lines: bytes, *_: object) -> str:
            asked.append((app, episode_id, lines))
            return "on its way"

    async with Gateway(tmp_path, "slack") as gateway:
        agents = McpEndpoint(
            gateway.episodes, cast(Any, ShortWay()), cast(Any, Answering()), (), cast(Any, None), cast(Any, None)
        )
        body, fields = request("ping")
        named = {name.encode(): value.encode() for name, value in fields}

        def at_once(episode_id: str, app: str, **others: str) -> object:
            head = RequestHead({**named, **{name.encode(): value.encode() for name, value in others.items()}})
            return agents.relay_at_once(episode_id, app, head, b"{}", cast(Any, None))

        assert at_once("default", "slack") is None
        assert (await send(agents, body, fields, path="/mcp/default")).status == 200
        assert at_once("default", "slack") == "on its way"
        assert at_once("default", "slack", host="evil.example") is None
        assert at_once("default", "slack", origin="http://evil.example") is None
        assert at_once("default", "slack", **{"content-type": "text/plain"}) is None
        assert at_once("default", "fax") is at_once("gone", "slack") is None
        assert agents.requests == 2

    assert [each[:2] for each in asked] == [("slack", "default")]
    assert b"mcp-protocol-version: " in asked[0][2]
    assert b"host: " not in asked[0][2]


class Answering:
    """A joint server that answers whatever comes to it."""

    async def answer(self, *arguments: Any) -> None:
        await HttpAnswer(200, b"{}").send(arguments[-1])


# -- the control endpoints of apps -----------------------------------------------------------------------------------


async def test_a_gateway_that_ends_waits_for_no_app_that_never_answers() -> None:
    asked, left = asyncio.Event(), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await reader.read()
        writer.close()
        left.set()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    apps = AppClient(GatewayConfig(Path("/nowhere"), "", "", None, "", "", "", {"slack": ((0, port),)}))
    await apps.open()
    watching = asyncio.create_task(apps.ask("slack", "GET", "/episodes/ep/watch"))
    await asyncio.wait_for(asked.wait(), 30)

    apps.end()

    with pytest.raises(UnavailableError, match="app 'slack' does not answer"):
        await asyncio.wait_for(watching, 30)
    await apps.close()
    await asyncio.wait_for(left.wait(), 30)
    server.close()


# -- the relay -----------------------------------------------------------------------------------------------------

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Upstream:
    """An app that answers as told, byte for byte."""

    def __init__(self) -> None:
        self.requests: list[bytes] = []
        self.answer = b""
        self.is_closed_by_peer = asyncio.Event()
        self.is_asked = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(re.findall(rb"(?i)content-length: (\d+)", head)[0])
        self.requests.append(head + await reader.readexactly(length))
        self.is_asked.set()
        writer.write(self.answer)
        if not self.answer.startswith(b"HTTP"):
            writer.close()
        with suppress(ConnectionError):
            await reader.read()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
        self.is_closed_by_peer.set()


class Client:
    """An ASGI client of the relay."""

    def __init__(self) -> None:
        self.leaves = asyncio.Event()
        self.sent: list[Message] = []
        self.got_part = asyncio.Event()

    async def receive(self) -> Message:
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.sent.append(message)
        if message["type"] == "http.response.body":
            self.got_part.set()

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent[1:])


@pytest.fixture
def upstream() -> Upstream:
    return Upstream()


@pytest_asyncio.fixture
async def relay(upstream: Upstream) -> AsyncIterator[Relay]:
    server = await asyncio.start_server(upstream.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    made = Relay(GatewayConfig(Path("/nowhere"), "", "", None, "", "", "", {"slack": ((port, 0),)}))
    yield made
    made.close()
    server.close()
    if upstream.is_asked.is_set():
        await asyncio.wait_for(upstream.is_closed_by_peer.wait(), 30)


def response(body: bytes, *headers: bytes) -> bytes:
    lines = [b"HTTP/1.1 200 OK", b"content-length: %d" % len(body), *headers, b"", body]
    return b"\r\n".join(lines)


async def forward(relay: Relay, client: Client, body: bytes = b"{}") -> None:
    headers = [
        (b"host", b"farm.example"),
        (b"content-length", b"2"),
        (b"connection", b"close"),
        (b"authorization", b"Bearer t"),
        (b"mcp-protocol-version", b"2026-07-28"),
    ]
    await relay.forward("slack", "ep", headers, body, client.receive, client.send)


async def test_the_relay_passes_headers_and_bodies_on_as_they_are(relay: Relay, upstream: Upstream) -> None:
    upstream.answer = response(b'{"a": 1}', b"Content-Type: application/json", b"X-Vendor: yes", b"Date: now")
    client = Client()

    await forward(relay, client, b'{ "odd" : true }')

    head, _, body = upstream.requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /mcp/ep HTTP/1.1\r\n")
    assert b"\r\nauthorization: Bearer t" in head
    assert b"\r\nmcp-protocol-version: 2026-07-28" in head
    assert b"farm.example" not in head
    assert body == b'{ "odd" : true }'
    assert (client.status, client.body) == (200, b'{"a": 1}')
    assert set(client.sent[0]["headers"]) == {
        (b"content-length", b"8"),
        (b"content-type", b"application/json"),
        (b"x-vendor", b"yes"),
    }


async def test_a_stream_is_passed_on_as_it_comes(relay: Relay, upstream: Upstream) -> None:
    upstream.answer = (
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n7\r\ndata: 1\r\n"
    )
    client = Client()

    forwarding = asyncio.create_task(forward(relay, client))
    await asyncio.wait_for(client.got_part.wait(), 30)

    assert client.body == b"data: 1"
    client.leaves.set()
    await asyncio.wait_for(upstream.is_closed_by_peer.wait(), 30)
    await asyncio.wait_for(forwarding, 30)


async def test_a_client_that_leaves_ends_the_request_to_the_app(relay: Relay, upstream: Upstream) -> None:
    upstream.answer = b"HTTP/1.1 200 OK\r\n"  # and then nothing, for as long as the client stays
    client = Client()
    forwarding = asyncio.create_task(forward(relay, client))
    await asyncio.wait_for(upstream.is_asked.wait(), 30)

    client.leaves.set()

    await asyncio.wait_for(forwarding, 30)
    await asyncio.wait_for(upstream.is_closed_by_peer.wait(), 30)
    assert client.sent == []


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"]
)
async def test_a_call_that_is_not_answered_whole_is_an_error_and_never_sent_again(
    relay: Relay, upstream: Upstream, answer: bytes
) -> None:
    async def cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream.requests.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(answer)
        await writer.drain()
        writer.close()

    upstream.serve = cut  # type: ignore[method-assign]
    server = await asyncio.start_server(cut, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    broken = Relay(GatewayConfig(Path("/nowhere"), "", "", None, "", "", "", {"slack": ((port, 0),)}))
    client = Client()

    await forward(broken, client, b'{"id": "mine"}')

    assert client.status == 502
    said = "app 'slack' did not answer; it may be restarting, and the call may or may not have been made"
    assert json.loads(client.body) == {"jsonrpc": "2.0", "id": "mine", "error": {"code": -32603, "message": said}}
    assert len(upstream.requests) == 1
    broken.close()
    server.close()


@pytest.mark.parametrize("path", ["/mcp/secret-2/slack", "/mcp/secret-2", "/mcp/secret-2/mcp", "/mcp//slack"])
async def test_an_agent_hears_of_no_episode_but_the_one_it_names(tmp_path: Path, path: str) -> None:
    async with Gateway(tmp_path, "slack") as gateway:
        await gateway.episodes.create({})
        nothing = cast(Any, None)
        agents = McpEndpoint(gateway.episodes, nothing, nothing, (), nothing, Addresses(config(tmp_path, "slack")))

        answer = await send(agents, *request("ping"), path=path)

    named = path.split("/")[2]
    assert (answer.status, answer.json["error"]["message"]) == (404, f"no episode '{named}'")
