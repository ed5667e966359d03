"""What the gateway asks of app processes: once or twice, and what it makes of a refusal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from farm.errors import Conflict, Failed, FarmError, NotFound, Unavailable
from gateway.app_client import AppClient
from gateway.config import GatewayConfig


class App:
    """Control endpoints that hang up so many times before they answer."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.hangs_up = 0
        self.status = 200
        self.body: object = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked.append(head.partition(b" HTTP")[0].decode())
        if len(self.asked) > self.hangs_up:
            body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
            writer.write(b"HTTP/1.1 %d X\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % (self.status, len(body)))
            writer.write(body)
        writer.close()
        await writer.wait_closed()


@pytest.fixture
def app() -> App:
    return App()


@pytest_asyncio.fixture
async def client(app: App) -> AsyncIterator[AppClient]:
    server = await asyncio.start_server(app.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    made = AppClient(GatewayConfig(Path("/nowhere"), "", "", None, "", "", "", {"slack": ((0, port),)}))
    await made.open()
    yield made
    await made.close()
    server.close()


@pytest.mark.parametrize("action", ["fork", "snapshots"])
async def test_what_would_be_done_twice_is_asked_once(app: App, client: AppClient, action: str) -> None:
    app.hangs_up = 1

    with pytest.raises(Unavailable, match="app 'slack' does not answer"):
        await client.ask("slack", "POST", f"/episodes/ep/{action}")

    assert app.asked == [f"POST /episodes/ep/{action}"]


@pytest.mark.parametrize("action", ["hold", "create", "reset", "restore", "release", "clock"])
async def test_what_comes_to_the_same_is_asked_again_when_the_process_died(
    app: App, client: AppClient, action: str
) -> None:
    app.hangs_up, app.body = 1, {"id": "ep"}

    assert await client.ask("slack", "POST", f"/episodes/ep/{action}") == {"id": "ep"}

    assert app.asked == [f"POST /episodes/ep/{action}"] * 2


async def test_nothing_is_asked_a_third_time(app: App, client: AppClient) -> None:
    app.hangs_up = 9

    with pytest.raises(Unavailable):
        await client.ask("slack", "POST", "/episodes/ep/reset")

    assert len(app.asked) == 2


@pytest.mark.parametrize("kind", [NotFound, Conflict, Failed, FarmError])
async def test_an_apps_refusal_is_the_same_error_here(app: App, client: AppClient, kind: type[FarmError]) -> None:
    app.status, app.body = kind.status, kind("no snapshot 'x'; have y").as_json()

    with pytest.raises(FarmError, match="no snapshot 'x'; have y") as refused:
        await client.ask("slack", "POST", "/episodes/ep/restore", {"snapshot": "x"})

    assert type(refused.value) is kind


@pytest.mark.parametrize(("status", "body"), [(500, b"Internal Server Error"), (502, b""), (200, b"<html>")])
async def test_an_answer_that_is_no_json_is_a_failure_of_the_app(
    app: App, client: AppClient, status: int, body: bytes
) -> None:
    app.status, app.body = status, body

    with pytest.raises(Failed, match=f"app 'slack' answered {status}"):
        await client.ask("slack", "GET", "/episodes/ep/diff")

    assert await client.health() == {"slack": [None]}
