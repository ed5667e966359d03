"""One decision about a request, whichever way it came: the same refusals, the same waiting, one place for each."""

from __future__ import annotations

import asyncio
import shutil
from hashlib import sha256
from typing import Any

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from farm.server.app import AppServer
from farm.server.episode_gate import EpisodeGate
from tests.protocol.wire import LEGACY, MODERN, Answer, answers, connection, http_request, make_episode, request, send

TOKEN = ("authorization", "Bearer s3cret")
ERAS = pytest.mark.parametrize("version", [LEGACY, MODERN])


def _request(version: str) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    return request("tools/call", {"name": "note_show", "arguments": {}}, version=version)


def _call(version: str, *fields: tuple[str, str], path: str = "/mcp/ep") -> bytes:
    body, headers = _request(version)
    return http_request(body, [*headers, *fields], path=path)


async def _again(server: AppServer, data: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[Answer, Answer]:
    """Send a request twice over one connection, the second time without uvicorn."""

    def never(*_: Any) -> None:
        raise AssertionError("left to uvicorn")

    async with connection(server) as (protocol, line):
        protocol.data_received(data)
        await answers(line, 1)
        with monkeypatch.context() as patch:
            patch.setattr(HttpToolsProtocol, "data_received", never)
            protocol.data_received(data)
        first, second = await answers(line, 2)
    return first, second


@ERAS
@pytest.mark.parametrize("given", [(), (("authorization", "Bearer other"),)])
async def test_a_wrong_bearer_is_refused_in_the_same_words_both_ways(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch, version: str, given: tuple[tuple[str, str], ...]
) -> None:
    make_episode(toy, "locked", token_sha256=sha256(b"s3cret").hexdigest())

    by_asgi, at_once = await _again(toy, _call(version, *given, path="/mcp/locked"), monkeypatch)

    assert by_asgi == at_once
    assert at_once.status == 401
    assert at_once.headers["www-authenticate"] == "Bearer"
    assert at_once.json["id"] == 1


@ERAS
async def test_a_call_over_the_limit_is_refused_in_the_same_words_both_ways(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    make_episode(toy, "short", calls_max=1)
    assert (await send(toy, *_request(version), path="/mcp/short")).status == 200

    by_asgi, at_once = await _again(toy, _call(version, path="/mcp/short"), monkeypatch)

    assert by_asgi == at_once
    assert (at_once.status, at_once.json["result"]["isError"]) == (200, True)
    assert "the limit of 1 call for this task is reached" in at_once.json["result"]["content"][0]["text"]
    assert len(toy.store.calls("short")) == 1


@ERAS
async def test_a_tool_off_the_menu_is_unknown_in_the_same_words_both_ways(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    make_episode(toy, "short", menu={"toy": ("note_echo",)})

    by_asgi, at_once = await _again(toy, _call(version, path="/mcp/short"), monkeypatch)

    assert by_asgi == at_once
    assert "note_show" in at_once.json["error"]["message"]
    assert [entry["refused"] for entry in toy.store.calls("short")] == [True, True]


@ERAS
async def test_a_known_call_waits_while_the_episode_is_held_and_a_list_does_not(toy: AppServer, version: str) -> None:
    listed = http_request(*request("tools/list", version=version))
    for data in (_call(version), listed):
        async with connection(toy) as (protocol, line):
            protocol.data_received(data)
            await answers(line, 1)
    gate = toy.gates.known["ep"]
    gate.hold()

    async with connection(toy) as (protocol, line), connection(toy) as (other, other_line):
        other.data_received(listed)
        assert other_line.written.startswith(b"HTTP/1.1 200")
        protocol.data_received(_call(version))
        await asyncio.sleep(0)
        assert line.written == b""
        assert toy.calls == 1
        gate.release()
        (answer,) = await answers(line, 1)

    assert answer.status == 200
    assert toy.calls == 2


@ERAS
@pytest.mark.parametrize("is_plain", [True, False])
async def test_who_waits_for_an_episode_that_is_dropped_is_told_that_it_is_gone(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch, version: str, is_plain: bool
) -> None:
    waits, wait = asyncio.Event(), EpisodeGate.wait

    async def noticed(gate: EpisodeGate) -> None:
        waits.set()
        await wait(gate)

    monkeypatch.setattr(EpisodeGate, "wait", noticed)
    body, fields = request("tools/call", {"name": "note_show", "arguments": {}}, version=version)
    await send(toy, body, fields)
    toy.gates.known["ep"].hold()
    # One more parameter makes it a call for the SDK, which waits on its own side.
    asked = body if is_plain else {**body, "params": {**body["params"], "task": {"ttl": 5}}}
    waiting = asyncio.create_task(send(toy, asked, fields))
    await asyncio.wait_for(waits.wait(), 30)

    toy.store.drop("ep")
    shutil.rmtree(toy.store.episodes / "ep")
    toy.gates.forget("ep")

    assert (await waiting).json["error"]["message"] == "no episode 'ep'"


async def test_the_sdk_is_handed_a_request_and_nothing_beside_it(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    scopes: list[Any] = []
    handle = toy._served["latest"].sdk.manager.handle_request

    async def seen(scope: Any, receive: Any, send: Any) -> None:
        scopes.append(dict(scope))
        await handle(scope, receive, send)

    monkeypatch.setattr(toy._served["latest"].sdk.manager, "handle_request", seen)
    body, fields = request("tools/call", {"name": "note_show", "arguments": {}, "task": {"ttl": 5}})

    assert (await send(toy, body, fields)).json["result"]

    assert set(scopes[0]) <= {
        *("type", "asgi", "http_version", "server", "client", "scheme", "method", "path", "raw_path"),
        *("root_path", "query_string", "headers", "state", "farm.deliveries"),
    }
    assert scopes[0]["state"] == {}
