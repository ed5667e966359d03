"""Speaks HTTP to a server in process, byte for byte: any header, twice if need be, and any body."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httptools
from starlette.types import ASGIApp

from farm.content import load_app
from farm.context.settings import Settings
from farm.server.app import AppServer
from farm.server.listener import http_server

CONTENT = Path(__file__).parent / "content"
NOW = "2026-03-09T09:00:00+08:00"
MODERN = "2026-07-28"
LEGACY = "2025-11-25"
ENVELOPE: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
Header = tuple[str, str]


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body's JSON."""
        return json.loads(self.body)


def settings(episode_id: str, app: str = "toy", **options: Any) -> Settings:
    """Return the settings of an empty episode."""
    return Settings(episode_id, None, (app,), **{"now": NOW, "seed": 7, **options})


def make_episode(server: AppServer, episode_id: str = "ep", **options: Any) -> None:
    """Create an empty episode."""
    folder = server.store.episodes / episode_id
    folder.mkdir(parents=True)
    settings(episode_id, server.loaded.app.name, **options).save(folder)
    server.store.create(episode_id)


def toy_server(data: Path, **options: Any) -> AppServer:
    """Return a server of the toy app with one empty episode ``ep``; FARM_CONTENT must name its folder."""
    server = AppServer(load_app("toy"), data, **options)
    make_episode(server)
    return server


def headers(version: str | None = LEGACY, method: str | None = None, name: str | None = None) -> list[Header]:
    """Return the headers a client sends."""
    found = [
        ("host", "127.0.0.1:8000"),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
    ]
    if version is not None:
        found.append(("mcp-protocol-version", version))
    if version is not None and version > "2026":
        found += [("mcp-method", method)] if method else []
        found += [("mcp-name", name)] if name else []
    return found


def request(
    method: str, params: Mapping[str, Any] | None = None, *, version: str | None = LEGACY, request_id: Any = 1
) -> tuple[dict[str, Any], list[Header]]:
    """Return body and headers of a good request."""
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id, "method": method}
    if version is not None and version > "2026":
        params = {**(params or {}), "_meta": {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": version}}
    if params is not None:
        body["params"] = dict(params)
    return body, headers(version, method, (params or {}).get("name"))


class Line(asyncio.Transport):
    """The server's end of a connection that goes nowhere: what is written is kept."""

    def __init__(self) -> None:
        super().__init__({"sockname": ("127.0.0.1", 8000), "peername": ("127.0.0.1", 5)})
        self.written = b""
        self.is_closed = False
        self.reads = True
        self.moved = asyncio.Event()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Take note of who is told from now on of what comes."""
        self.protocol = protocol

    def abort(self) -> None:
        """Close at once."""
        self.close()

    def write(self, data: Any) -> None:
        """Keep bytes."""
        self.written += bytes(data)
        self.moved.set()

    def is_closing(self) -> bool:
        """Say whether the server closed the connection."""
        return self.is_closed

    def close(self) -> None:
        """Close."""
        self.is_closed = True
        self.moved.set()

    def get_write_buffer_size(self) -> int:
        """Return how much the client has not read: nobody reads here."""
        return len(self.written)

    def pause_reading(self) -> None:
        """Take note that no more is read; what is fed all the same arrives."""
        self.reads = False

    def resume_reading(self) -> None:
        """Take note that more is read."""
        self.reads = True


class Answers:
    """Cuts what a server wrote into answers."""

    def __init__(self, data: bytes) -> None:
        self.complete: list[Answer] = []
        parser: Any = httptools.HttpResponseParser(self)
        self._status = parser.get_status_code
        parser.feed_data(data)

    def on_message_begin(self) -> None:
        """Begin an answer."""
        self._headers: dict[str, str] = {}
        self._body = b""

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        self._headers[name.decode().lower()] = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        """Take some of the body."""
        self._body += body

    def on_message_complete(self) -> None:
        """End an answer."""
        self.complete.append(Answer(self._status(), self._headers, self._body))


@asynccontextmanager
async def connection(app: ASGIApp) -> AsyncIterator[tuple[Any, Line]]:
    """Give a connection of the server's real HTTP protocol and the line it writes to."""
    async with connections(app, 1) as (pair,):
        yield pair


@asynccontextmanager
async def connections(app: ASGIApp, count: int) -> AsyncIterator[list[tuple[Any, Line]]]:
    """Give so many connections of one server."""
    async with connecting(app) as connect:
        yield [connect() for _ in range(count)]


@asynccontextmanager
async def connecting(app: ASGIApp) -> AsyncIterator[Callable[[], tuple[Any, Line]]]:
    """Give what connects to one server."""
    server = http_server(app)
    server.config.load()
    pairs: list[tuple[Any, Line]] = []

    def connect() -> tuple[Any, Line]:
        protocol: Any = server.config.http_protocol_class(  # type: ignore[call-arg]
            config=server.config, server_state=server.server_state, app_state={}
        )
        line = Line()
        line.set_protocol(protocol)
        protocol.connection_made(line)
        pairs.append((line.protocol, line))
        return pairs[-1]

    try:
        yield connect
    finally:
        for protocol, _ in pairs:
            protocol.connection_lost(None)


async def answers(line: Line, count: int) -> list[Answer]:
    """Return so many answers, or as many as came before the server closed the connection."""
    while len(found := Answers(line.written).complete) < count and not line.is_closed:
        line.moved.clear()
        await asyncio.wait_for(line.moved.wait(), 30)
    return found


def http_request(
    body: Any = None, fields: Iterable[Header] = (), *, path: str = "/mcp/ep", method: str = "POST", query: str = ""
) -> bytes:
    """Return a request as it goes over the wire; a body that is not bytes is sent as JSON."""
    data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    fields = list(fields)
    if not {"content-length", "transfer-encoding"} & {name.lower() for name, _ in fields}:
        fields.append(("content-length", str(len(data))))
    target = quote(path) + (f"?{query}" if query else "")
    head = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\n"
    return head.encode("latin-1") + data


async def send(
    app: ASGIApp,
    body: Any = None,
    fields: Iterable[Header] = (),
    *,
    path: str = "/mcp/ep",
    method: str = "POST",
    query: str = "",
    pieces: int = 1,
) -> Answer:
    """Send one request over a connection of its own, in so many pieces, and return the answer."""
    data = http_request(body, fields, path=path, method=method, query=query)
    size = max(1, -(-len(data) // pieces))
    async with connection(app) as (protocol, line):
        for start in range(0, len(data), size):
            protocol.data_received(data[start : start + size])
        if method == "HEAD":
            # Its answer has no body, whatever length it names.
            await asyncio.wait_for(line.moved.wait(), 30)
            line.written = line.written.replace(b"content-length", b"x-length").replace(
                b"\r\n", b"\r\ncontent-length: 0\r\n", 1
            )
        return (await answers(line, 1))[0]


async def tool(app: ASGIApp, name: str, arguments: Any = None, *, version: str = LEGACY, path: str = "/mcp/ep") -> Any:
    """Call a tool and return the JSON of the answer."""
    params = {"name": name} if arguments is None else {"name": name, "arguments": arguments}
    body, fields = request("tools/call", params, version=version)
    return (await send(app, body, fields, path=path)).json
