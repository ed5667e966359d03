"""Every kind of outcome passes through the gateway as the app sent it, one app's address and all apps' alike."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from farm.client import mcp_call, mcp_tools
from farm.content import load_app
from tests.e2e.conftest import RunningFarm
from tests.e2e.test_gateway import rpc, send
from tests.protocol.test_outcomes import OUTCOMES
from tests.protocol.wire import CONTENT, NOW


@pytest.fixture(scope="module")
def odd_farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFarm]:
    """A farm of the two apps that answer in every way there is."""
    running = RunningFarm(tmp_path_factory.mktemp("odd"), "--content", str(CONTENT), "--apps=parrot,toy")
    yield running
    assert running.end() == 0, running.output


@pytest.fixture
def made(odd_farm: RunningFarm) -> dict[str, Any]:
    """An empty episode of both."""
    return odd_farm.client.create(world=None, apps=["parrot", "toy"], now=NOW)


@pytest.mark.parametrize("is_modern", [False, True])
def test_every_outcome_passes_the_gateway_to_the_byte(made: dict[str, Any], is_modern: bool) -> None:
    bearer = {"authorization": f"Bearer {made['token']}"}
    for name, (arguments, expected) in OUTCOMES.items():
        plain, plain_headers = rpc("tools/call", {"name": name, "arguments": arguments}, is_modern=is_modern)
        joint, joint_headers = rpc("tools/call", {"name": f"toy__{name}", "arguments": arguments}, is_modern=is_modern)

        direct = send(made["direct"]["toy"], "POST", plain, plain_headers | bearer)

        if name != "note_lock":  # it tells the time, which note_tear has moved
            assert expected[:-1] in direct[2].decode(), name
        assert send(made["mcp"]["toy"], "POST", plain, plain_headers | bearer) == direct, name
        assert send(made["mcp_all"], "POST", joint, joint_headers | bearer) == direct, name


def test_output_schemas_and_hints_are_listed_on_every_address(
    made: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FARM_CONTENT", str(CONTENT))
    tool_schemas = [dict(tool) for tool in load_app("toy").tool_schemas]
    for address, before in ((made["direct"]["toy"], ""), (made["mcp"]["toy"], ""), (made["mcp_all"], "toy__")):
        listed = [tool for tool in mcp_tools(address, made["token"]) if tool["name"].startswith(f"{before}note_")]

        assert listed == [{**tool, "name": before + tool["name"]} for tool in tool_schemas]


def test_the_trace_tells_a_refusal_that_kept_what_it_wrote(odd_farm: RunningFarm, made: dict[str, Any]) -> None:
    for tool in ("note_tear", "note_mumble"):
        mcp_call(made["mcp"]["toy"], tool, {"text": "x"} if tool == "note_tear" else {}, made["token"])

    told = [(call["tool"], call["refused"], call["wrote"]) for call in odd_farm.client.calls(made["id"])]
    assert told == [("note_tear", True, True), ("note_mumble", True, False)]
    (change,) = odd_farm.client.diff(made["id"])["toy"]["notes"]
    assert (change["new"]["text"], change["call"]) == ("x", 1)


def test_an_app_that_answers_to_any_name_does_so_on_every_address(made: dict[str, Any]) -> None:
    arguments = {"words": "hello"}

    for address, name in ((made["mcp"]["parrot"], "shout"), (made["mcp_all"], "parrot__shout")):
        result = mcp_call(address, name, arguments, made["token"])

        assert json.loads(result["content"][0]["text"])["said"] == "hello"
        assert result["isError"] is False
