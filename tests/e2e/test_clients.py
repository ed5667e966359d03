"""Clients that others wrote reach a running farm, and what `farm connect` writes down works as it stands."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
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


def _connect(farm: RunningFarm, *arguments: str | Path) -> dict[str, Any]:
    done = farm_command("connect", *arguments, "--data", farm.data, "--json")
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.slow
async def test_what_is_written_for_claude_desktop_starts_as_it_stands(farm: RunningFarm, tmp_path: Path) -> None:
    file = tmp_path / "claude_desktop_config.json"

    told = _connect(farm, "claude-desktop", "--write", "--file", file)

    servers = json.loads(file.read_text())["mcpServers"]
    assert set(servers) == {"lark", "slack", "gmail"}
    assert told["tool_count"] <= 40
    for name, entry in servers.items():
        assert Path(entry["command"]).is_absolute()
        # A desktop client starts it in a folder and with variables of its own.
        transport = StdioTransport(entry["command"], entry["args"], env=entry.get("env"), cwd="/", keep_alive=False)
        async with Client(transport) as client:
            assert [tool.name for tool in await client.list_tools()] == told["tools"][name]


def test_a_bearer_written_under_version_control_is_warned_of(
    farm: RunningFarm, episode: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "kept" / ".git").mkdir(parents=True)

    def said(client: str, folder: str, named: str) -> str:
        file = tmp_path / folder / "inside" / "mcp.json"
        options = ("--episode", named, "--write", "--file", file, "--data", farm.data)
        return farm_command("connect", client, *options).stderr

    assert said("cursor", "free", episode["id"]) == said("claude-desktop", "kept", episode["id"]) == ""
    assert said("cursor", "kept", "default") == ""
    told = said("cursor", "kept", episode["id"])
    assert told.startswith(f"warning: {tmp_path}/kept/inside/mcp.json holds the episode's bearer")


async def test_an_http_client_s_entry_has_the_address_and_the_bearer(
    farm: RunningFarm, episode: dict[str, Any]
) -> None:
    told = _connect(farm, "cursor", "--episode", episode["id"], "--apps", "lark,slack,gmail")

    entry = told["config"]["mcpServers"]["lark"]
    async with Client(StreamableHttpTransport(entry["url"], headers=entry["headers"])) as client:
        shown = [tool.name for tool in await client.list_tools()]
    assert shown == told["tools"]["lark"]
    assert len(shown) < 51


def test_clients_with_other_apps_and_menus_play_in_the_same_world_and_printing_costs_no_episode(
    farm: RunningFarm,
) -> None:
    before = farm.client.episodes()

    told = [
        _connect(farm, *options)
        for options in (["codex"], ["codex", "--apps", "lark"], ["vscode", "--tools", "all"], ["zed", "--together"])
    ]

    assert {each["episode"] for each in told} == {"default"}
    assert [each["tool_count"] for each in told] == [39, 22, sum(each.tools for each in farm.state.apps), 39]
    assert farm.client.episodes() == before


def test_what_a_profile_has_made_is_named_once_with_how_to_remove_it(farm: RunningFarm) -> None:
    before = {each["id"] for each in farm.client.episodes()}
    options = ("connect", "codex", "--apps", "lark", "--profile", "paper-2025", "--data", farm.data)

    first, again = (farm_command(*options).stdout for _ in range(2))

    (made,) = {each["id"] for each in farm.client.episodes()} - before
    command = f"farm episode drop {made}"
    assert command in first
    assert command not in again
    assert made in again
    assert farm_command(*command.split()[1:], "--data", farm.data).returncode == 0
    assert {each["id"] for each in farm.client.episodes()} == before


def _home_with(monkeypatch: pytest.MonkeyPatch, home: Path, *folders: str) -> None:
    for name in folders:
        (home / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", str(home / "bin"))
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "OPENCLAW_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)


def test_the_installed_clients_are_found_connected_checked_and_let_go(
    farm: RunningFarm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _home_with(monkeypatch, tmp_path, ".cursor", ".codex", ".config/goose", ".config/zed")

    def said(*options: str) -> str:
        done = farm_command("connect", *options, "--data", farm.data)
        assert done.returncode == 0, done.stderr
        return done.stdout

    found = said()
    said("--write")
    checked = said("--check")
    said("--remove")

    for name in ("cursor", "codex", "goose", "zed"):
        assert f"{name}" in found
        assert f"{name}: slack: 8 tools" in checked
    assert "not connected" in found
    assert "connected: " not in said()


def test_one_client_s_broken_file_is_named_and_the_others_are_connected(
    farm: RunningFarm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _home_with(monkeypatch, tmp_path, ".cursor", ".lmstudio")
    broken = tmp_path / ".cursor" / "mcp.json"
    broken.write_text('{"mcpServers": ')

    done = farm_command("connect", "--write", "--data", farm.data)

    assert done.returncode == 1
    assert done.stderr.startswith(f"farm: cursor: {broken} is not JSON")
    assert broken.read_text() == '{"mcpServers": '
    assert set(json.loads((tmp_path / ".lmstudio" / "mcp.json").read_text())["mcpServers"]) == {
        "lark",
        "slack",
        "gmail",
    }


def test_without_any_client_the_way_out_is_named(
    farm: RunningFarm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _home_with(monkeypatch, tmp_path, "bin")

    done = farm_here(capsys, "connect", "--data", farm.data, folder=farm.data)

    assert "no MCP client is found on this machine; name one of claude-desktop" in one_line(done)


async def test_a_bundle_for_claude_desktop_starts_as_it_stands(farm: RunningFarm, tmp_path: Path) -> None:
    bundle = tmp_path / "lark.mcpb"
    told = _connect(farm, "claude-desktop", "--apps", "lark", "--mcpb", bundle)
    with zipfile.ZipFile(bundle) as packed:
        packed.extractall(tmp_path / "there")
    manifest = json.loads((tmp_path / "there" / "manifest.json").read_text())
    start = manifest["server"]["mcp_config"]
    arguments = [each.replace("${__dirname}", str(tmp_path / "there")) for each in start["args"]]

    async with Client(StdioTransport(start["command"], arguments, cwd="/", keep_alive=False)) as client:
        assert [tool.name for tool in await client.list_tools()] == told["tools"]["lark"]


def test_a_farm_of_another_version_is_not_connected(
    farm: RunningFarm, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("farm.cli.connect.__version__", "9.9")

    done = farm_here(capsys, "connect", "cursor", "--data", farm.data, folder=farm.data)

    assert "and this command is 9.9; end it with 'farm down'" in one_line(done)


def test_all_tools_are_shown_in_the_default_episode(farm: RunningFarm) -> None:
    told = _connect(farm, "claude-code", "--tools", "all")

    assert told["episode"] == "default"
    assert told["tool_count"] == sum(each.tools for each in farm.state.apps)


@pytest.mark.parametrize("name", CLIENTS)
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
        (["cursor", "--episode", "default", "--profile", "paper-2025"], "has its own already"),
        (["cursor", "--remove", "--write"], "--remove goes without"),
        (["--file", "x", "--write"], "name the client, too"),
        (["cursor", "--mcpb", "x"], "takes no .mcpb"),
        (["claude-desktop", "--mcpb", "x"], "a bundle has one server"),
        (["cursor", "--prefix", "a-rather-long-prefix-"], "choose a prefix that is 8 shorter"),
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
    assert "slack_post_message → tried to post a message; refused: channel_not_found" in third
