"""Planned faults that a client meets in HTTP: late, missing and broken answers, by every way that an answer takes."""

from __future__ import annotations

import asyncio
import http.client
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from farm.server.app import AppServer
from tests.protocol.in_process import Farm, farm
from tests.protocol.wire import Answers, answers, connections, http_request, request, toy_server

ADD: dict[str, Any] = {"name": "note_add", "arguments": {"text": "24 chairs"}}
BODY, FIELDS = request("tools/call", ADD)
ASKED = http_request(BODY, FIELDS)
LISTED = http_request(*request("tools/list"))
DELAY_S = 0.3


@pytest_asyncio.fixture
async def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Farm]:
    async with farm(tmp_path, "toy", monkeypatch=monkeypatch) as made:
        yield made


@pytest_asyncio.fixture(params=["the connection", "ASGI", "the SDK"])
async def way(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[AppServer, bool]]:
    """A server, and whether its connection knows the head of a request before the first call."""
    server = toy_server(tmp_path, is_fast=request.param != "the SDK")
    async with server.running():
        yield server, request.param == "the connection"


async def _learn(protocol: Any, line: Any, knows: bool) -> None:
    """Send the head of the calls once, with another body."""
    if knows:
        protocol.data_received(LISTED)
        await answers(line, 1)
        line.written = b""


def _plan(server: AppServer, **fault: Any) -> None:
    server.store.add_fault("ep", {"tools": ["note_add"], **fault})


def _made(server: AppServer) -> list[tuple[str | None, bool]]:
    return [(each.get("fault"), each.get("refused", False)) for each in server.store.calls("ep")]


async def test_an_unavailable_server_says_when_to_come_back_and_does_nothing(way: tuple[AppServer, bool]) -> None:
    server, knows = way
    _plan(server, kind="unavailable", retry_after="20s")
    async with connections(server, 1) as ((protocol, line),):
        await _learn(protocol, line, knows)
        protocol.data_received(ASKED)
        (first,) = await answers(line, 1)
        line.written = b""
        protocol.data_received(ASKED)
        (second,) = await answers(line, 1)

    assert (first.status, first.headers["retry-after"]) == (503, "20")
    assert first.json["error"] == {"code": -32000, "message": "Service Unavailable"}
    assert second.status == 200
    assert _made(server) == [("unavailable-1", True), (None, False)]
    assert len(server.store.rows("ep", "notes")["rows"]) == 1


async def test_an_expired_token_is_refused_until_the_fault_ends(way: tuple[AppServer, bool]) -> None:
    server, knows = way
    _plan(server, kind="unauthorized", id="expired")
    async with connections(server, 1) as ((protocol, line),):
        await _learn(protocol, line, knows)
        for _ in range(2):
            protocol.data_received(ASKED)
        refused = await answers(line, 2)
        line.written = b""
        server.store.heal_fault("ep", "expired")
        protocol.data_received(ASKED)
        (again,) = await answers(line, 1)

    assert [each.status for each in refused] == [401, 401]
    assert refused[0].headers["www-authenticate"] == (
        'Bearer error="invalid_token", error_description="The access token expired"'
    )
    assert again.status == 200
    assert _made(server) == [("expired", True), ("expired", True), (None, False)]


async def test_a_dropped_answer_announces_a_length_and_never_comes(way: tuple[AppServer, bool]) -> None:
    server, knows = way
    _plan(server, kind="dropped")
    async with connections(server, 2) as ((protocol, line), (other, fresh)):
        await _learn(protocol, line, knows)
        protocol.data_received(ASKED)
        found = await answers(line, 1)
        other.data_received(ASKED)
        (again,) = await answers(fresh, 1)

    assert found == []
    assert line.is_closed
    assert line.written.startswith(b"HTTP/1.1 200 OK\r\n")
    assert line.written.endswith(b"\r\n\r\n")
    assert again.status == 200
    assert _made(server) == [("dropped-1", True), (None, False)]


async def test_a_slow_answer_is_made_once_and_delays_nobody_else(way: tuple[AppServer, bool]) -> None:
    server, knows = way
    _plan(server, kind="slow", delay=f"{DELAY_S * 1000:.0f}ms", where={"text": "24 chairs"})
    neighbour = http_request(*request("tools/call", {"name": "note_add", "arguments": {"text": "hello"}}))
    async with connections(server, 2) as ((protocol, line), (other, beside)):
        for each in ((protocol, line), (other, beside)):
            await _learn(*each, knows)
        begun = time.monotonic()
        protocol.data_received(ASKED)
        other.data_received(neighbour)
        (quick,) = await answers(beside, 1)
        written_meanwhile = line.written
        (late,) = await answers(line, 1)
        took_s = time.monotonic() - begun

    assert quick.status == late.status == 200
    assert written_meanwhile == b""
    assert took_s >= DELAY_S
    assert sorted(_made(server), key=str) == [("slow-1", False), (None, False)]
    assert len(server.store.rows("ep", "notes")["rows"]) == 2


async def test_a_connection_goes_on_after_a_slow_answer(way: tuple[AppServer, bool]) -> None:
    server, knows = way
    _plan(server, kind="slow", delay="50ms")
    async with connections(server, 1) as ((protocol, line),):
        await _learn(protocol, line, knows)
        protocol.data_received(ASKED)
        await answers(line, 1)
        protocol.data_received(ASKED)
        found = await answers(line, 2)

    assert [each.status for each in found] == [200, 200]
    assert line.reads


async def test_a_server_that_ends_sends_a_slow_answer_at_once(tmp_path: Path) -> None:
    server = toy_server(tmp_path)
    _plan(server, kind="slow", delay="5m")
    async with server.running(), connections(server, 1) as ((protocol, line),):
        await _learn(protocol, line, knows=True)
        protocol.data_received(ASKED)
        protocol.shutdown()

    assert [each.status for each in Answers(line.written).complete] == [200]
    assert line.is_closed


async def test_a_client_that_leaves_gets_no_slow_answer(tmp_path: Path) -> None:
    server = toy_server(tmp_path)
    _plan(server, kind="slow", delay="30ms")
    async with server.running(), connections(server, 1) as ((protocol, line),):
        await _learn(protocol, line, knows=True)
        protocol.data_received(ASKED)
        protocol.connection_lost(None)
        await asyncio.sleep(0.06)

    assert line.written == b""


def _post(url: str, token: str, times: int) -> list[Any]:
    """Send the call so often over one connection; return each status, or the name of what went wrong."""
    parts = urlsplit(url)
    found: list[Any] = []
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    head = {name: value for name, value in FIELDS if name != "host"} | {"Authorization": f"Bearer {token}"}
    for _ in range(times):
        try:
            connection.request("POST", parts.path, json.dumps(BODY), head)
            answer = connection.getresponse()
            answer.read()
            found.append(answer.status)
        except (http.client.HTTPException, OSError) as problem:
            found.append(type(problem).__name__)
            connection.close()
    connection.close()
    return found


@pytest.mark.parametrize(
    ("kind", "statuses"),
    [
        ("unavailable", [503, 503, 200]),
        ("unauthorized", [401, 401, 200]),
        ("dropped", ["IncompleteRead", "IncompleteRead", 200]),
        ("slow", [200, 200, 200]),
    ],
)
async def test_the_gateway_passes_on_what_a_fault_makes_of_an_answer(
    running: Farm, kind: str, statuses: list[Any]
) -> None:
    # The first request has an unknown head and takes the gateway's way through ASGI, the second one the short way.
    delay = {"delay": "50ms"} if kind == "slow" else {}
    episode = await running.create(apps=["toy"], faults=[{"app": "toy", "kind": kind, "attempts": [1, 2], **delay}])

    found = await asyncio.to_thread(_post, episode["mcp"]["toy"], episode["token"], 3)

    calls = await running.ask("GET", f"/v1/episodes/{episode['id']}/calls")
    assert found == statuses
    assert [each.get("fault") for each in calls] == [f"{kind}-1", f"{kind}-1", None]
