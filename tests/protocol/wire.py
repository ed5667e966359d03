"""Speaks to an ASGI application in process, byte for byte: any header, twice if need be, and any body."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Message

from farm.content import load_app
from farm.context.settings import Settings
from farm.server.app import AppServer

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
    """Send one request and return the answer; a body that is not bytes is sent as JSON."""
    data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    raw = [(key.lower().encode("latin-1"), value.encode("latin-1")) for key, value in fields]
    size = max(1, -(-len(data) // pieces))
    parts = [data[start : start + size] for start in range(0, len(data), size)] or [b""]
    messages: Iterator[Message] = iter(
        {"type": "http.request", "body": part, "more_body": index + 1 < len(parts)} for index, part in enumerate(parts)
    )
    sent: list[Message] = []

    answered = asyncio.Event()

    async def receive() -> Message:
        for message in messages:
            return message
        # A client stays on the line until it has its answer.
        await answered.wait()
        return {"type": "http.disconnect"}

    async def take(message: Message) -> None:
        sent.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            answered.set()

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": raw,
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8000),
    }
    await app(scope, receive, take)
    given = {key.decode(): value.decode() for key, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], given, b"".join(message.get("body", b"") for message in sent[1:]))


async def tool(app: ASGIApp, name: str, arguments: Any = None, *, version: str = LEGACY, path: str = "/mcp/ep") -> Any:
    """Call a tool and return the JSON of the answer."""
    params = {"name": name} if arguments is None else {"name": name, "arguments": arguments}
    body, fields = request("tools/call", params, version=version)
    return (await send(app, body, fields, path=path)).json
