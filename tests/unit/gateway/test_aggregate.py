"""All apps as one server: which calls go on to an app, and in what form."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.types import Receive, Scope, Send

from farm import __version__
from farm.content import load_app
from farm.context.settings import Settings
from farm.server.app import AppServer
from farm.server.http.answer import HttpAnswer
from farm.server.http.asgi import read_body
from gateway.aggregate import Aggregate, _build_tool_list, _Call, _call_of, _target
from gateway.relay import Relay
from tests.protocol.wire import LEGACY, MODERN, make_episode, request, send
from tests.unit._gateway import Gateway

TOOL = "slack_list_channels"


class NoRelay:
    """Remembers what should go on to an app."""

    def __init__(self) -> None:
        self.passed: list[tuple[str, Any, list[bytes]]] = []
        self.bodies: list[bytes] = []

    async def forward(
        self, app: str, episode_id: str, headers: list[tuple[bytes, bytes]], body: bytes, _: Receive, send: Send
    ) -> None:
        self.bodies.append(body)
        names = [value for name, value in headers if name == b"mcp-name"]
        self.passed.append((app, json.loads(body)["params"]["name"], names))
        await HttpAnswer(200, b"{}").send(send)


@pytest.fixture
def relay() -> NoRelay:
    return NoRelay()


@asynccontextmanager
async def joint(data: Path, relay: NoRelay) -> AsyncIterator[Any]:
    """Give the joint server of the default episode, as an ASGI application."""
    async with Gateway(data, "rednote", "slack") as gateway:
        episodes = gateway.episodes
        aggregate = Aggregate(episodes, cast(Relay, relay))

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            body = await read_body(scope, receive)
            await aggregate.answer(
                episodes.settings("default"), episodes.running("default"), body, scope, receive, send
            )

        async with aggregate.running():
            yield app


def _named(*names: str) -> list[tuple[str, str]]:
    _, fields = request("tools/call", {"name": f"slack__{TOOL}"}, version=MODERN)
    return [field for field in fields if field[0] != "mcp-name"] + [("mcp-name", name) for name in names]


@pytest.mark.parametrize("version", [LEGACY, MODERN])
async def test_a_call_goes_on_to_its_app_under_the_name_the_app_knows(
    tmp_path: Path, relay: NoRelay, version: str
) -> None:
    body, fields = request("tools/call", {"name": f"slack__{TOOL}", "arguments": {}}, version=version)

    async with joint(tmp_path, relay) as app:
        answer = await send(app, body, fields, path="/mcp/default")

    assert answer.status == 200
    assert relay.passed == [("slack", TOOL, [TOOL.encode()] if version == MODERN else [])]


@pytest.mark.parametrize(
    "names", [("slack__slack_get_users",), (f"slack__{TOOL}", "x"), ("x", f"slack__{TOOL}"), (TOOL,)]
)
async def test_a_call_whose_header_names_another_tool_goes_nowhere(
    tmp_path: Path, relay: NoRelay, names: tuple[str, ...]
) -> None:
    body, _ = request("tools/call", {"name": f"slack__{TOOL}", "arguments": {}}, version=MODERN)

    async with joint(tmp_path, relay) as app:
        answer = await send(app, body, _named(*names), path="/mcp/default")

    assert relay.passed == []
    assert "error" in answer.json


@pytest.mark.parametrize("levels", [260, 900, 2 * sys.getrecursionlimit()])
async def test_a_call_too_deep_for_the_parser_is_refused_as_the_app_refuses_it(
    tmp_path: Path, relay: NoRelay, levels: int
) -> None:
    deep = b"[" * levels + b"]" * levels
    slack = AppServer(load_app("slack"), tmp_path / "slack")
    make_episode(slack)

    async with joint(tmp_path, relay) as app, slack.running():
        joined = await send(app, *_raw_call(f"slack__{TOOL}", deep), path="/mcp/default")
        direct = await send(slack, *_raw_call(TOOL, deep))

    assert relay.passed == []
    assert joined.status == direct.status == 400
    assert joined.json["error"]["code"] == direct.json["error"]["code"] == -32700


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32-le"])
async def test_a_body_that_is_not_in_utf_8_is_refused_as_the_app_refuses_it(
    tmp_path: Path, relay: NoRelay, encoding: str
) -> None:
    slack = AppServer(load_app("slack"), tmp_path / "slack")
    make_episode(slack)
    joint_body, joint_fields = _raw_call(f"slack__{TOOL}", b"2")
    body, fields = _raw_call(TOOL, b"2")

    async with joint(tmp_path, relay) as app, slack.running():
        joined = await send(app, joint_body.decode().encode(encoding), joint_fields, path="/mcp/default")
        direct = await send(slack, body.decode().encode(encoding), fields)

    assert relay.passed == []
    assert joined.status == direct.status == 400
    assert joined.json == direct.json


@pytest.mark.parametrize(
    "value", [b"1e400", b"-1e400", b"NaN", b'"\\ud800"', b"18446744073709551616", b"-9223372036854775809"]
)
async def test_values_that_are_json_only_to_some_go_on_to_the_app(tmp_path: Path, relay: NoRelay, value: bytes) -> None:
    body, fields = _raw_call(f"slack__{TOOL}", value)

    async with joint(tmp_path, relay) as app:
        await send(app, body, fields, path="/mcp/default")

    assert relay.passed == [("slack", TOOL, [])]
    sent, got = (str(json.loads(each)["params"]["arguments"]) for each in (body, relay.bodies[0]))
    assert sent == got


def _raw_call(tool: str, value: bytes) -> tuple[bytes, list[tuple[str, str]]]:
    body, fields = request("tools/call", {"name": tool, "arguments": {"limit": "HERE"}})
    return json.dumps(body).encode().replace(b'"HERE"', value), fields


async def test_a_tool_of_no_app_is_unknown_and_a_list_has_every_app(tmp_path: Path, relay: NoRelay) -> None:
    async with joint(tmp_path, relay) as app:
        unknown = await send(app, *request("tools/call", {"name": "fax__send", "arguments": {}}), path="/mcp/default")
        listed = await send(app, *request("tools/list"), path="/mcp/default")

    assert unknown.json["error"]["message"] == "Unknown tool: fax__send"
    assert {tool["name"].partition("__")[0] for tool in listed.json["result"]["tools"]} == {"rednote", "slack"}
    assert relay.passed == []


async def test_the_joint_server_says_what_it_is_to_clients_of_either_era(tmp_path: Path, relay: NoRelay) -> None:
    hello = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "me", "version": "1"}}
    async with joint(tmp_path, relay) as app:
        old = (await send(app, *request("initialize", hello), path="/mcp/default")).json["result"]
        new = (await send(app, *request("server/discover", version=MODERN), path="/mcp/default")).json["result"]

    instructions = "Several simulated apps. A tool's name begins with its app and two underscores."
    assert old["serverInfo"] == {"name": "mcp-farm", "version": __version__}
    assert old["instructions"] == new["instructions"] == instructions
    assert (new["ttlMs"], new["cacheScope"]) == (300_000, "private")


async def test_the_list_has_one_page_which_is_kept_by_one_client_for_five_minutes(
    tmp_path: Path, relay: NoRelay
) -> None:
    async with joint(tmp_path, relay) as app:
        listed = (await send(app, *request("tools/list", version=MODERN), path="/mcp/default")).json["result"]
        paged = await send(app, *request("tools/list", {"cursor": "2"}), path="/mcp/default")

    assert (listed["resultType"], listed["ttlMs"], listed["cacheScope"]) == ("complete", 300_000, "private")
    assert paged.json["error"] == {"code": -32602, "message": "Invalid cursor: the list of tools has one page"}
    (tool,) = (tool for tool in listed["tools"] if tool["name"] == f"slack__{TOOL}")
    (own,) = (tool for tool in load_app("slack").tool_schemas if tool["name"] == TOOL)
    assert tool == {**own, "name": f"slack__{TOOL}"}


async def test_what_is_shown_is_kept_once_for_all_episodes_of_a_kind_and_of_few_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.aggregate._LISTS_MAX", 2)
    one, two = (Settings(name, None, ("rednote", "slack")) for name in ("one", "two"))
    short = replace(one, menu={"slack": (TOOL,)})
    async with Gateway(tmp_path, "rednote", "slack") as gateway:
        aggregate = Aggregate(gateway.episodes, cast(Relay, None))

        first = aggregate._tool_list(one, ("rednote", "slack"))
        assert aggregate._tool_list(two, ("rednote", "slack")) is first
        assert {name.partition("__")[0] for name in aggregate._tool_list(one, ("slack",)).targets} == {"slack"}
        assert list(aggregate._tool_list(short, ("slack",)).targets) == [f"slack__{TOOL}"]

        assert len(aggregate._lists) == 2
        assert aggregate._tool_list(one, ("rednote", "slack")) is not first


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("slack__fax", ("slack", "fax")),
        ("slack__a__b", ("slack", "a__b")),
        ("slack__", ("slack", "")),
        ("slack_fax", None),
        ("slack", None),
        ("fax__send", None),
        ("slack__\u00e4", None),
        ("slack__a\nb", None),
    ],
)
def test_an_app_hears_of_a_tool_it_does_not_show_only_by_a_name_that_fits_a_header(
    name: str, target: tuple[str, str] | None
) -> None:
    listed = _build_tool_list(Settings("ep", None, ("slack",), menu={"slack": ()}), ("slack",))

    assert listed.targets == {}
    assert _target(name, listed, ("slack",)) == target


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b'"tools/call"',
        b"{",
        b'{"method": "tools/list", "params": {"name": "slack__x"}}',
        b'{"method": "tools/call"}',
        b'{"method": "tools/call", "params": []}',
        b'{"method": "tools/call", "params": {"name": 5}}',
        b'{"method": "tools/call", "params": {}}',
    ],
)
def test_what_is_no_plain_call_of_a_named_tool_is_left_to_the_sdk(body: bytes) -> None:
    assert _call_of(body, {"headers": []}) is None


def test_a_call_without_the_header_and_one_whose_header_agrees_are_taken() -> None:
    body = b'{"method": "tools/call", "params": {"name": "slack__x"}}'
    request = {"method": "tools/call", "params": {"name": "slack__x"}}

    assert _call_of(body, {"headers": [(b"accept", b"x")]}) == _Call(request, "tools/call", "slack__x")
    assert _call_of(body, {"headers": [(b"mcp-name", b"slack__x")] * 2}) == _Call(request, "tools/call", "slack__x")
