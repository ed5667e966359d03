"""For every app: its list goes out as its contract says, and both paths answer its tools alike."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farm import content
from farm.server.app import AppServer
from tests.protocol.test_same_as_sdk import compare_paths
from tests.protocol.wire import LEGACY, MODERN, make_episode, request, send

APPS = content.app_names()


@pytest.mark.parametrize("app", APPS)
async def test_the_list_is_the_contract_to_the_letter(app: str, tmp_path: Path) -> None:
    server = AppServer(content.load_app(app), tmp_path)
    make_episode(server)

    async with server.running():
        for version in (LEGACY, MODERN):
            body, fields = request("tools/list", version=version)
            for _ in range(2):
                listed = (await send(server, body, fields)).json["result"]["tools"]

                # As text: the order of keys is part of what a model reads. The revision of 2026 knows no `execution`.
                gone = {"execution"} if version == MODERN else set()
                told = [{key: tool[key] for key in tool if key not in gone} for tool in server.loaded.tool_schemas]
                assert str(listed) == str(told)


@pytest.mark.parametrize("app", APPS)
async def test_both_paths_answer_every_tool_alike(app: str, tmp_path: Path) -> None:
    loaded = content.load_app(app)
    fast = AppServer(loaded, tmp_path / "fast")
    slow = AppServer(loaded, tmp_path / "slow", is_fast=False)
    make_episode(fast)
    make_episode(slow)

    async with fast.running(), slow.running():
        for entry in loaded.tool_schemas:
            for arguments in ({}, {"no_such_argument": 1}):
                for version in (LEGACY, MODERN):
                    params = {"name": entry["name"], "arguments": arguments}
                    body, fields = request("tools/call", params, version=version)
                    await compare_paths(fast, slow, f"{entry['name']} {arguments}", body, fields)


def zod_4(received: str) -> str:
    issue = {"expected": "record", "code": "invalid_type", "path": ["params", "arguments"]}
    return json.dumps([{**issue, "message": f"Invalid input: expected record, received {received}"}], indent=2)


def zod_3(received: str) -> str:
    issue = {"code": "invalid_type", "expected": "object", "received": received, "path": ["params", "arguments"]}
    return json.dumps([{**issue, "message": f"Expected object, received {received}"}], indent=2)


# Recorded of the three real servers.
NO_OBJECT = {
    ("lark", "calendar_v4_calendar_list", "[]"): (-32603, zod_4("array")),
    ("lark", "calendar_v4_calendar_list", "null"): (-32603, zod_4("null")),
    ("lark", "nope", "5"): (-32603, zod_4("number")),
    ("slack", "slack_list_channels", "null"): (-32603, zod_3("null")),
    ("slack", "nope", "null"): (-32603, zod_3("null")),
    ("slack", "slack_get_users", "true"): (-32603, zod_3("boolean")),
    ("rednote", "publish_content", "[1]"): (
        -32602,
        'invalid params: validating "arguments": unmarshaling arguments: json: cannot unmarshal "[1]" '
        "into Go value of type map[string]interface {}",
    ),
    ("rednote", "nope", "[1]"): (-32602, 'unknown tool "nope"'),
}


@pytest.mark.parametrize(("app", "tool", "arguments"), NO_OBJECT)
async def test_arguments_that_are_no_object_are_worded_as_by_the_real_server(
    app: str, tool: str, arguments: str, tmp_path: Path
) -> None:
    server = AppServer(content.load_app(app), tmp_path)
    make_episode(server)
    body, fields = request("tools/call", {"name": tool, "arguments": json.loads(arguments)}, version="2025-06-18")

    async with server.running():
        error = (await send(server, body, fields)).json["error"]

    assert (error["code"], error["message"]) == NO_OBJECT[app, tool, arguments]


# Recorded of the real server: Python's parser takes integers of any length, and pydantic shows them as they came.
@pytest.mark.parametrize("city", [-99999999999999999999, -(2**63) - 1, 2**64, 10**30])
async def test_an_integer_beyond_64_bits_is_told_back_as_it_was_sent(city: int, tmp_path: Path) -> None:
    server = AppServer(content.load_app("amap"), tmp_path)
    make_episode(server)
    plain = {"name": "maps_weather", "arguments": {"city": city}}

    async with server.running():
        # What has a member more is left to the SDK.
        for params in (plain, {**plain, "more": 1}):
            answer = await send(server, *request("tools/call", params))
            told = answer.json["result"]["content"][0]["text"]
            assert f"[type=string_type, input_value={city}, input_type=int]" in told


@pytest.mark.parametrize("number", [2**63, 2**64, -(2**90)])
@pytest.mark.parametrize("method", ["tools/list", "ping", "tools/call"])
async def test_a_request_s_number_may_be_beyond_64_bits(method: str, number: int, tmp_path: Path) -> None:
    server = AppServer(content.load_app("amap"), tmp_path)
    make_episode(server)
    params = {"name": "maps_weather", "arguments": {}} if method == "tools/call" else {}
    body, fields = request(method, params, request_id=number)

    async with server.running():
        answers = [await send(server, body, fields) for _ in range(2)]

    # The second of a lasting answer is kept, and gets its number put in.
    assert [answer.json["id"] for answer in answers] == [number, number]
