"""Clients that others wrote reach a running farm, and what `farm connect` writes down works as it stands."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp import StdioServerParameters, stdio_client
from mcp.client import Client as SdkClient

from farm.connect.clients import CLIENTS
from farm.runtime.supervisor.state import FarmState
from tests.e2e.conftest import RunningFarm, farm_command, farm_here, one_line, until

pytestmark = pytest.mark.e2e

Mode = Literal["auto", "legacy"]
MODES: tuple[Mode, ...] = ("auto", "legacy")
LIST = "slack_list_channels"


def _http(episode: dict[str, Any], url: str) -> StreamableHttpTransport:
    return StreamableHttpTransport(url, headers={"Authorization": f"Bearer {episode['token']}"})


def _bridge(farm: RunningFarm, *arguments: str) -> StdioTransport:
    return StdioTransport(
        sys.executable, ["-m", "farm", "bridge", *arguments, "--data", str(farm.data)], keep_alive=False
    )


def _channels(result: Any) -> list[str]:
    return [each["name"] for each in json.loads(result.content[0].text)["channels"]]


# -- over HTTP --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
async def test_fastmcp_s_client_lists_and_calls_in_both_eras(
    mode: Mode, farm: RunningFarm, episode: dict[str, Any]
) -> None:
    async with Client(_http(episode, episode["mcp"]["slack"]), mode=mode) as client:
        tools = await client.list_tools()
        result = await client.call_tool(LIST, {"limit": 200})

    assert len(tools) == 8
    assert "launch-ember" in _channels(result)


@pytest.mark.parametrize("mode", MODES)
async def test_one_address_has_the_tools_of_every_app(mode: Mode, episode: dict[str, Any]) -> None:
    async with Client(_http(episode, episode["mcp_all"]), mode=mode) as client:
        tools = await client.list_tools()
        result = await client.call_tool(f"slack__{LIST}", {"limit": 200})

    assert {tool.name.partition("__")[0] for tool in tools} == set(episode["apps"])
    assert "launch-ember" in _channels(result)


async def test_the_sdk_s_client_sees_a_refusal_as_the_vendor_words_it(farm: RunningFarm) -> None:
    async with SdkClient(farm.client.episode("default")["mcp"]["lark"]) as client:
        result = await client.call_tool("im_v1_chatMembers_get", {})

    assert result.is_error
    assert result.content[0].type == "text"
    assert "expected object, received undefined at path" in result.content[0].text


# -- over stdio -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
async def test_the_bridge_carries_both_eras(mode: Mode, farm: RunningFarm, episode: dict[str, Any]) -> None:
    async with Client(_bridge(farm, "slack", "--episode", episode["id"]), mode=mode) as client:
        tools = await client.list_tools()
        result = await client.call_tool(LIST, {"limit": 200})

    assert len(tools) == 8
    assert "launch-ember" in _channels(result)
    assert [call["tool"] for call in farm.client.calls(episode["id"])] == [LIST]


async def test_the_bridge_carries_all_apps_to_the_sdk_s_client(farm: RunningFarm) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "farm", "bridge", "all", "--data", str(farm.data)]
    )

    async with SdkClient(stdio_client(server)) as client:
        tools = (await client.list_tools()).tools

    assert {tool.name.partition("__")[0] for tool in tools} == set(farm.client.episode("default")["apps"])


def test_the_bridge_says_nothing_but_answers_and_ends_with_its_input(farm: RunningFarm) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        "",
        "no JSON",
        json.dumps({"jsonrpc": "2.0", "id": "two", "method": "no/such/method"}),
        json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": LIST, "arguments": {}}}),
    ]

    done = subprocess.run(
        [sys.executable, "-m", "farm", "bridge", "slack", "--data", str(farm.data)],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    assert set(answers) == {1, None, "two", 3}
    assert answers[1]["result"]["protocolVersion"] == "2025-06-18"
    assert answers[None]["error"]["code"] == -32700
    assert answers["two"]["error"]["code"] == -32601
    assert answers[3]["result"]["content"][0]["type"] == "text"
    assert done.stderr == ""


def test_without_a_farm_the_bridge_says_what_to_do(tmp_path: Path) -> None:
    done = farm_command("bridge", "slack", "--data", tmp_path / "none")

    assert (done.returncode, done.stdout) == (1, "")
    assert "no farm runs on" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_bridge_whose_port_is_taken_says_so_at_once(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        started_at = time.monotonic()

        done = farm_command(
            "bridge", "slack", "--up", "--data", tmp_path / "data", FARM_PORT=str(port), FARM_OPERATOR_PORT="0"
        )

    assert time.monotonic() - started_at < 60  # a farm that says nothing is waited for for 90 s
    assert f"port {port} of 127.0.0.1 cannot be used (Address already in use)" in one_line(done)


@pytest.mark.slow
def test_bridges_that_start_together_share_the_farm_that_one_of_them_starts(tmp_path: Path) -> None:
    data = tmp_path / "data"
    own = {**os.environ, "FARM_PORT": "0", "FARM_OPERATOR_PORT": "0"}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}) + "\n"
    command = [sys.executable, "-m", "farm", "bridge", "--up", "--data", str(data)]
    started = [
        subprocess.Popen([*command, app], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=own)
        for app in ("slack", "rednote")
    ]
    try:
        answers = [json.loads(each.communicate(line, timeout=120)[0]) for each in started]

        assert [len(answer["result"]["tools"]) for answer in answers] == [8, 18]
    finally:
        for each in started:
            each.kill()
            with suppress(ValueError):  # its pipes are closed already
                each.communicate()
        assert farm_command("down", "--data", data).returncode == 0
        until(lambda: FarmState.load(data) is None, "the end of the farm")


# -- farm connect -----------------------------------------------------------------------------------------------------


@pytest.fixture
def _no_menus_left(farm: RunningFarm) -> Iterator[None]:
    """Drop the episodes that connecting makes: other tests count them."""
    before = {each["id"] for each in farm.client.episodes()}
    yield
    for each in farm.client.episodes():
        if each["id"] not in before:
            farm.client.drop(each["id"])


def _connect(farm: RunningFarm, *arguments: str | Path) -> dict[str, Any]:
    done = farm_command("connect", *arguments, "--data", farm.data, "--json")
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.slow
@pytest.mark.usefixtures("_no_menus_left")
async def test_what_is_written_for_claude_desktop_starts_as_it_stands(farm: RunningFarm, tmp_path: Path) -> None:
    file = tmp_path / "claude_desktop_config.json"

    told = _connect(farm, "claude-desktop", "--write", "--file", file)

    servers = json.loads(file.read_text())["mcpServers"]
    assert set(servers) == set(farm.client.episode("default")["apps"])
    assert told["tool_count"] <= 40
    for name, entry in servers.items():
        assert Path(entry["command"]).is_absolute()
        # A desktop client starts it in a folder and with variables of its own.
        transport = StdioTransport(entry["command"], entry["args"], env=entry.get("env"), cwd="/", keep_alive=False)
        async with Client(transport) as client:
            assert [tool.name for tool in await client.list_tools()] == told["tools"][name]


@pytest.mark.usefixtures("_no_menus_left")
def test_a_bearer_written_under_version_control_is_warned_of(farm: RunningFarm, tmp_path: Path) -> None:
    (tmp_path / "kept" / ".git").mkdir(parents=True)

    def said(client: str, folder: str) -> str:
        file = tmp_path / folder / "inside" / "mcp.json"
        return farm_command("connect", client, "--write", "--file", file, "--data", farm.data).stderr

    assert said("cursor", "free") == said("claude-desktop", "kept") == ""
    assert said("cursor", "kept").startswith(f"warning: {tmp_path}/kept/inside/mcp.json holds the episode's bearer")


@pytest.mark.usefixtures("_no_menus_left")
async def test_an_http_client_s_entry_has_the_address_and_the_bearer(farm: RunningFarm) -> None:
    told = _connect(farm, "cursor")

    entry = told["config"]["mcpServers"]["lark"]
    async with Client(StreamableHttpTransport(entry["url"], headers=entry["headers"])) as client:
        shown = [tool.name for tool in await client.list_tools()]
    assert shown == told["tools"]["lark"]
    assert len(shown) < 51


@pytest.mark.usefixtures("_no_menus_left")
def test_connecting_again_plays_in_the_same_episode(farm: RunningFarm) -> None:
    first, again, other = (_connect(farm, name)["episode"] for name in ("codex", "codex", "vscode"))

    assert first == again
    assert other != first


@pytest.mark.usefixtures("_no_menus_left")
def test_what_printing_has_made_is_named_once_with_how_to_remove_it(farm: RunningFarm) -> None:
    before = {each["id"] for each in farm.client.episodes()}

    first, again = (farm_command("connect", "codex", "--data", farm.data).stdout for _ in range(2))

    (made,) = {each["id"] for each in farm.client.episodes()} - before
    command = f"farm episode drop {made}"
    assert command in first
    assert command not in again
    assert made in again
    assert farm_command(*command.split()[1:], "--data", farm.data).returncode == 0
    assert {each["id"] for each in farm.client.episodes()} == before


def test_all_tools_are_shown_in_the_default_episode(farm: RunningFarm) -> None:
    told = _connect(farm, "claude-code", "--tools", "all")

    assert told["episode"] == "default"
    assert told["tool_count"] == sum(each.tools for each in farm.state.apps)


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.usefixtures("_no_menus_left")
def test_the_text_ends_with_the_card(name: str, farm: RunningFarm) -> None:
    done = farm_command("connect", name, "--apps", "slack,rednote", "--data", farm.data)

    assert done.returncode == 0, done.stderr
    assert "tokens in each request" in done.stdout
    assert "You are    Wan Lin 林晚" in done.stdout
    assert "(simulated; follows the wall clock)" in done.stdout
    assert "Try " in done.stdout.splitlines()[-3]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["emacs"], "no client 'emacs'; have claude-desktop"),
        (["cursor", "--apps", "teams"], "no app 'teams' in episode 'default'"),
        (["cursor", "--tools", "few"], "no menu 'few'"),
        (["cursor", "--episode", "nope"], "no episode 'nope'"),
        (["cursor", "--episode", "default", "--tools", "all"], "has its own already"),
    ],
)
def test_a_mistake_is_answered_in_one_line(
    arguments: list[str], told: str, farm: RunningFarm, capsys: pytest.CaptureFixture[str]
) -> None:
    done = farm_here(capsys, "connect", *arguments, "--data", farm.data, folder=farm.data)

    assert (done.returncode, done.stdout) == (1, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


# -- farm watch -------------------------------------------------------------------------------------------------------


def test_watching_tells_each_call_and_its_rows_and_outlives_a_restart(start_farm: Callable[..., RunningFarm]) -> None:
    farm = start_farm("--apps=slack")
    episode = farm.client.episode("default")
    command = [sys.executable, "-u", "-m", "farm", "watch", "--past", "--data", str(farm.data)]
    text = farm.call(episode, "slack", LIST, limit=200)["content"][0]["text"]
    general = next(each["id"] for each in json.loads(text)["channels"] if each["name"] == "general")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        try:
            first = watching.stdout.readline()
            slack = next(each for each in farm.settled.apps if each.app == "slack")
            os.kill(slack.pid, 9)
            until(lambda: all(each.pid != slack.pid for each in farm.state.apps), "another Slack")
            farm.call(episode, "slack", "slack_post_message", channel_id=general, text="back again")
            farm.call(episode, "slack", "slack_post_message", channel_id="C0NOPE", text="hi")
            second, third = watching.stdout.readline(), watching.stdout.readline()
        finally:
            watching.send_signal(2)
        assert watching.wait(120) == 0

    assert first.rstrip().endswith("channels")
    assert 'slack_post_message → posted a message in #general: "back again" (messages +1)' in second
    assert "slack_post_message → refused: channel_not_found" in third
