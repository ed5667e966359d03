"""Prompts and resources over HTTP, in both eras, to a client of the SDK too; of one app, and of several at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from farm.testing import LocalApp
from tests.protocol.in_process import Farm, farm
from tests.protocol.test_gateway_farm import send as post
from tests.protocol.wire import LEGACY, MODERN, request

STARTER = "deepseek_chat_starter"
RUNTIME = "deepseek://api/runtime"


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_of_the_sdk_sees_prompts_and_resources(mode: Any, tmp_path: Path) -> None:
    with LocalApp("deepseek", tmp_path) as app:
        async with Client(app.url, mode=mode) as client:
            listed = [each.name for each in (await client.list_prompts()).prompts]
            prompt = await client.get_prompt(STARTER, {"task": "count"})
            resources = [str(each.uri) for each in (await client.list_resources()).resources]
            templates = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
            read = await client.read_resource(RUNTIME)
            with pytest.raises(MCPError) as refused:
                await client.read_resource("deepseek://api/nothing")

    assert listed == [STARTER]
    assert "count" in str(prompt.messages[0].content)
    assert RUNTIME in resources
    assert templates == ["deepseek://conversations/{conversationId}"]
    assert json.loads(getattr(read.contents[0], "text", ""))["server_version"] == "1.0.1"
    assert refused.value.error.code == -32602


async def test_getting_a_prompt_and_reading_a_resource_are_logged_as_calls_that_read(tmp_path: Path) -> None:
    with LocalApp("deepseek", tmp_path) as app:
        async with Client(app.url, mode="legacy") as client:
            await client.get_prompt(STARTER, {"task": "count"})
            await client.read_resource(RUNTIME)
            with pytest.raises(MCPError):
                await client.get_prompt("nothing")
        logged = app.store.calls(app.id)

    assert [(each["tool"], each.get("refused", False), each.get("wrote", False)) for each in logged] == [
        ("prompts/get", False, False),
        ("resources/read", False, False),
        ("prompts/get", True, False),
    ]
    assert logged[1]["arguments"] == {"uri": RUNTIME}


@pytest.mark.parametrize("version", [LEGACY, MODERN])
async def test_a_list_that_depends_on_the_episode_is_not_cached(version: str, tmp_path: Path) -> None:
    with LocalApp("deepseek", tmp_path) as app:
        seen = []
        for conversation in ("one", "two"):
            app.call("chat_completion", message="hi", conversation_id=conversation)
            body, fields = request("resources/list", version=version)
            listed = (await post(app.url, body, dict(fields))).json["result"]["resources"]
            seen.append([each["uri"] for each in listed if "conversations" in each["uri"]])

    assert seen == [
        ["deepseek://conversations/one"],
        ["deepseek://conversations/one", "deepseek://conversations/two"],
    ]


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        ("prompts/get", {"name": "no"}, "Prompt no not found"),
        ("resources/read", {"uri": "a:b"}, "Resource not found: a:b"),
        ("resources/read", {"uri": "b"}, "Resource URI b is invalid"),
    ],
)
async def test_both_eras_refuse_in_the_words_of_the_real_server(
    method: str, params: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with LocalApp("deepseek", tmp_path) as app:
        for version in (LEGACY, MODERN):
            body, fields = request(method, params, version=version)
            if version == MODERN and "uri" in params:
                fields.append(("mcp-name", params["uri"]))
            error = (await post(app.url, body, dict(fields))).json["error"]

            assert (error["code"], error["message"]) == (-32602, message)


async def test_a_request_beyond_the_limit_of_calls_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with farm(tmp_path, "deepseek", monkeypatch=monkeypatch) as running:
        episode = await running.create(apps=["deepseek"], calls_max=1)
        answers = [await _ask(episode, episode["mcp"]["deepseek"], "resources/read", {"uri": RUNTIME}) for _ in "ab"]

    assert "result" in answers[0]
    assert "error" in answers[1]


async def _ask(
    episode: dict[str, Any], url: str, method: str, params: dict[str, Any] | None = None, version: str = LEGACY
) -> Any:
    body, fields = request(method, params, version=version)
    if version == MODERN and "uri" in (params or {}):
        fields.append(("mcp-name", (params or {})["uri"]))
    return (await post(url, body, {**dict(fields), "authorization": f"Bearer {episode['token']}"})).json


async def _joint(running: Farm, *apps: str) -> tuple[dict[str, Any], str]:
    episode = await running.create(apps=list(apps))
    return episode, f"{running.agents_url}/mcp/{episode['id']}"


@pytest.mark.parametrize("version", [LEGACY, MODERN])
async def test_at_the_joint_address_prompts_are_named_like_tools_and_resources_keep_their_addresses(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with farm(tmp_path, "deepseek", "notion", "slack", monkeypatch=monkeypatch) as running:
        episode, url = await _joint(running, "deepseek", "notion", "slack")

        async def ask(method: str, params: dict[str, Any] | None = None) -> Any:
            return await _ask(episode, url, method, params, version)

        prompts = [each["name"] for each in (await ask("prompts/list"))["result"]["prompts"]]
        got = await ask("prompts/get", {"name": f"deepseek__{STARTER}", "arguments": {"task": "count"}})
        await running.call(episode, "deepseek", "chat_completion", message="hi", conversation_id="c")
        resources = (await ask("resources/list"))["result"]["resources"]
        templates = (await ask("resources/templates/list"))["result"]["resourceTemplates"]
        read = {uri: await ask("resources/read", {"uri": uri}) for uri in (RUNTIME, "ui://notion/page-workbench")}
        conversation = await ask("resources/read", {"uri": "deepseek://conversations/c"})
        refused = [
            (await ask("prompts/get", {"name": "slack__x"}))["error"]["message"],
            (await ask("resources/read", {"uri": "notion://x"}))["error"]["message"],
            (await ask("resources/read", {"uri": "other://x"}))["error"]["message"],
        ]

    assert prompts[0] == f"deepseek__{STARTER}"
    assert {name.partition("__")[0] for name in prompts} == {"deepseek", "notion"}
    assert "count" in got["result"]["messages"][0]["content"]["text"]
    assert {"deepseek://conversations/c", "notion://server/guide"} <= {each["uri"] for each in resources}
    assert all(each["name"].partition("__")[0] in ("deepseek", "notion") for each in [*resources, *templates])
    assert all("result" in each for each in (*read.values(), conversation))
    assert refused == [
        "Unknown prompt: slack__x",
        "MCP error -32602: Resource notion://x not found",
        "Resource not found: other://x",
    ]


async def test_the_joint_address_declares_what_the_apps_of_the_episode_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with farm(tmp_path, "notion", "slack", monkeypatch=monkeypatch) as running:
        told, refused = {}, {}
        for app in ("notion", "slack"):
            episode, url = await _joint(running, app)
            hello = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
            told[app] = (await _ask(episode, url, "initialize", hello))["result"]["capabilities"]
            modern = (await _ask(episode, url, "server/discover", version=MODERN))["result"]["capabilities"]
            assert modern.keys() >= told[app].keys() - {"experimental"}
            answers = [
                await _ask(episode, url, method, params)
                for method, params in (
                    ("prompts/list", None),
                    ("resources/list", None),
                    ("prompts/get", {"name": "x"}),
                    ("resources/read", {"uri": "x:y"}),
                )
            ]
            refused[app] = [each["error"]["code"] for each in answers if "error" in each]

    assert {"prompts", "resources"} <= told["notion"].keys()
    assert told["notion"]["extensions"] == {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
    assert not {"prompts", "resources", "extensions"} & told["slack"].keys()
    assert refused == {"notion": [-32602, -32602], "slack": [-32601] * 4}
