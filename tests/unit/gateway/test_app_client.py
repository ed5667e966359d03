"""What the gateway asks of app processes: once or twice, and what it makes of a refusal."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from farm.context.corrupt_file import CorruptFileError
from farm.errors import ConflictError, FarmError, InternalError, NotFoundError, UnavailableError
from gateway.app_client import HEALTH_S_MAX, AppClient
from gateway.config import GatewayConfig


class App:
    """Control endpoints that hang up so many times before they answer."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.heads: list[bytes] = []
        self.bodies: list[bytes] = []
        self.stands_still = False
        self.hangs_up = 0
        self.status = 200
        self.body: object = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked.append(head.partition(b" HTTP")[0].decode())
        self.heads.append(head)
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
        self.bodies.append(await reader.readexactly(length))
        if self.stands_still:
            await reader.read()
        if len(self.asked) > self.hangs_up:
            body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
            writer.write(b"HTTP/1.1 %d X\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % (self.status, len(body)))
            writer.write(body)
        writer.close()
        await writer.wait_closed()


@pytest.fixture
def app() -> App:
    return App()


@asynccontextmanager
async def served(*workers: App) -> AsyncIterator[AppClient]:
    """Give a client of one app with these workers."""
    servers = [await asyncio.start_server(worker.serve, "127.0.0.1", 0) for worker in workers]
    try:
        async with client_of(*(server.sockets[0].getsockname()[1] for server in servers)) as made:
            yield made
    finally:
        for server in servers:
            server.close()


@asynccontextmanager
async def client_of(*ports: int) -> AsyncIterator[AppClient]:
    """Give a client of one app whose workers are asked at these ports."""
    pairs = {"slack": tuple((0, port) for port in ports)}
    made = AppClient(GatewayConfig(Path("/nowhere"), "", "", None, "", "", "the-control-token", pairs))
    await made.open()
    try:
        yield made
    finally:
        await made.close()


@pytest_asyncio.fixture
async def client(app: App) -> AsyncIterator[AppClient]:
    async with served(app) as made:
        yield made


@pytest.mark.parametrize("action", ["fork", "snapshots"])
async def test_what_would_be_done_twice_is_asked_once(app: App, client: AppClient, action: str) -> None:
    app.hangs_up = 1

    with pytest.raises(UnavailableError, match="app 'slack' does not answer"):
        await client.ask("slack", "POST", f"/episodes/ep/{action}")

    assert app.asked == [f"POST /episodes/ep/{action}"]


@pytest.mark.parametrize("action", ["hold", "create", "reset", "restore", "release", "clock"])
async def test_what_comes_to_the_same_is_asked_again_when_the_process_died(
    app: App, client: AppClient, action: str
) -> None:
    app.hangs_up, app.body = 1, {"id": "ep"}

    assert await client.ask("slack", "POST", f"/episodes/ep/{action}") == {"id": "ep"}

    assert app.asked == [f"POST /episodes/ep/{action}"] * 2


async def test_an_app_that_dies_again_and_again_is_waited_for_and_not_for_ever(
    app: App, client: AppClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.hangs_up = 3

    assert await client.ask("slack", "GET", "/episodes/ep/clock") == {}

    assert len(app.asked) == 4
    app.hangs_up = 99
    monkeypatch.setattr("gateway.app_client.RESTART_S_MAX", 0.2)
    with pytest.raises(UnavailableError) as silent:
        await client.ask("slack", "POST", "/episodes/ep/reset")
    assert str(silent.value) == "app 'slack' does not answer (ServerDisconnectedError); it may be restarting"


@pytest.mark.parametrize("action", ["snapshots", "clock"])
async def test_an_app_that_nobody_can_reach_yet_is_asked_when_it_is_back(action: str) -> None:
    # A container that starts again: nothing listens meanwhile, so nothing was sent that could be done twice.
    back = App()
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        async with client_of(nobody.getsockname()[1]) as client:
            asking = asyncio.create_task(client.ask("slack", "POST", f"/episodes/ep/{action}"))
            await asyncio.wait((asking,), timeout=0.2)
            assert not asking.done()

            async with await asyncio.start_server(back.serve, sock=nobody):
                assert await asyncio.wait_for(asking, 30) == {}

    assert back.asked == [f"POST /episodes/ep/{action}"]


async def test_what_is_broken_in_one_app_takes_the_place_of_its_answer_and_names_it() -> None:
    client = Several({"a": {"ok": 1}, "b": CorruptFileError("b.0.log is missing")})

    found = await client.ask_each("ab", "GET", "/episodes/ep")

    assert (found["a"], str(found["b"])) == ({"ok": 1}, "b.0.log is missing")
    with pytest.raises(CorruptFileError):
        await client.ask_all("ab", "GET", "/episodes/ep")
    client.answers["a"] = NotFoundError("a is gone")
    with pytest.raises(NotFoundError):
        await client.ask_each("ba", "GET", "/episodes/ep")


async def test_each_gateway_says_since_when_it_is_there(app: App, client: AppClient) -> None:
    await client.ask("slack", "GET", "/episodes/ep/clock")
    later = AppClient(GatewayConfig(Path("/nowhere"), "", "", None, "", "", "", {"slack": ()}))

    (said,) = (line.split(b": ")[1] for line in app.heads[0].lower().split(b"\r\n") if line.startswith(b"farm-gateway"))

    assert 0 < int(said) < int(later._headers["farm-gateway"])


@pytest.mark.parametrize("kind", [NotFoundError, ConflictError, InternalError, CorruptFileError, FarmError])
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

    with pytest.raises(InternalError, match=f"app 'slack' answered {status}"):
        await client.ask("slack", "GET", "/episodes/ep/diff")

    assert await client.health() == {"slack": [None]}


# -- who is asked, and what ------------------------------------------------------------------------------------------


async def test_a_question_carries_the_control_token_its_query_and_its_body(app: App, client: AppClient) -> None:
    app.body = {"rows": []}

    assert await client.ask("slack", "GET", "/episodes/ep/calls", after=0, results=1) == {"rows": []}
    await client.ask("slack", "POST", "/episodes/ep/restore", {"snapshot": "s.ab"})
    await client.ask("slack", "POST", "/episodes/ep/hold")

    assert app.asked == [
        "GET /episodes/ep/calls?after=0&results=1",
        "POST /episodes/ep/restore",
        "POST /episodes/ep/hold",
    ]
    assert all(b"\r\nauthorization: bearer the-control-token\r\n" in head.lower() for head in app.heads)
    assert app.bodies == [b"", b'{"snapshot":"s.ab"}', b""]


async def test_each_worker_is_asked_about_its_own_episodes() -> None:
    workers = [App(), App()]
    async with served(*workers) as client:
        for episode_id in ("c0-0-5f", "c0-1-5f", "default", "c0-3-5f"):
            await client.ask("slack", "GET", f"/episodes/{episode_id}/clock")
        assert await client.health() == {"slack": [{}, {}]}
        assert await client.are_ready() is True

        workers[1].status = 503
        assert await client.health() == {"slack": [{}, None]}
        assert await client.are_ready() is False

    assert workers[0].asked[:2] == ["GET /episodes/c0-0-5f/clock", "GET /episodes/default/clock"]
    assert workers[1].asked[:2] == ["GET /episodes/c0-1-5f/clock", "GET /episodes/c0-3-5f/clock"]
    assert set(workers[0].asked[2:]) == {"GET /healthz"}


async def test_an_app_that_is_not_there_is_down_and_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.app_client.RESTART_S_MAX", 0.1)
    gone = App()
    async with served(gone) as client:
        pass
    await client.open()

    assert await client.health() == {"slack": [None]}
    with pytest.raises(UnavailableError) as silent:
        await client.ask("slack", "GET", "/episodes/ep/clock")
    assert str(silent.value) == "app 'slack' does not answer (ClientConnectorError); it may be restarting"
    await client.close()


async def test_an_app_that_stands_still_is_down_after_half_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    still = App()
    still.stands_still = True
    monkeypatch.setattr("gateway.app_client._HEALTH_TIMEOUT", aiohttp.ClientTimeout(total=0.05))
    async with served(still) as client:
        assert await asyncio.wait_for(client.health(), 30) == {"slack": [None]}

    assert HEALTH_S_MAX <= 0.5


async def test_the_first_refusal_comes_after_all_have_answered() -> None:
    client = Several({"a": {"ok": 1}, "b": NotFoundError("b has none"), "c": ConflictError("c"), "d": {"ok": 4}})

    with pytest.raises(NotFoundError, match="b has none"):
        await client.ask_all("abcd", "POST", "/episodes/ep/reset", {"x": 1}, since="start")

    asked = ("POST", "/episodes/ep/reset", {"x": 1}, {"since": "start"})
    assert client.asked == [(app, *asked) for app in "abcd"]
    assert await client.ask_all("da", "GET", "/episodes/ep/clock") == {"d": {"ok": 4}, "a": {"ok": 1}}
    assert await client.ask_all((), "GET", "/episodes/ep/clock") == {}


async def test_what_is_asked_while_the_farm_ends_is_asked_once(app: App, client: AppClient) -> None:
    app.hangs_up = 1

    client.end()
    with pytest.raises(UnavailableError):
        await client.ask("slack", "POST", "/episodes/ep/reset")

    assert len(app.asked) == 1


class Several(AppClient):
    """Apps that answer or refuse as told."""

    def __init__(self, answers: dict[str, Any]) -> None:
        super().__init__(GatewayConfig(Path("/nowhere"), "", "", None, "", "", "", dict.fromkeys(answers, ())))
        self.answers = answers
        self.asked: list[Any] = []

    async def ask(self, app: str, method: str, path: str, body: Any = None, **query: Any) -> dict[str, Any]:
        self.asked.append((app, method, path, body, query))
        answer = self.answers[app]
        if isinstance(answer, Exception):
            raise answer
        found: dict[str, Any] = answer
        return found
