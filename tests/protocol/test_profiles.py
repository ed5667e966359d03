"""Profiles over the wire: episodes of one server, each with contract, tools, dialect and rendering of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.appkit.app import App, Profile, Tool
from farm.appkit.dialects import GenericJsonSchema
from farm.errors import FarmError, NotFoundError
from farm.server.app import AppServer
from farm.testing import LocalApp
from tests.protocol.wire import LEGACY, MODERN, make_episode, request, send, tool

ERAS = pytest.mark.parametrize("version", [LEGACY, MODERN])
OLD = ["note_add", "note_find", "note_show", "note_refuse"]


async def _result(server: AppServer, method: str, version: str, path: str, **params: Any) -> Any:
    body, fields = request(method, params, version=version)
    return (await send(server, body, fields, path=path)).json["result"]


async def _names(server: AppServer, version: str, path: str) -> list[str]:
    return [each["name"] for each in (await _result(server, "tools/list", version, path))["tools"]]


def _text(answer: Any) -> str:
    return str(answer["result"]["content"][0]["text"])


@pytest.fixture(params=["fast", "sdk"])
def server(request: pytest.FixtureRequest) -> AppServer:
    """A server with one episode of each profile; the second leaves every request to the SDK."""
    made: AppServer = request.getfixturevalue("toy" if request.param == "fast" else "reference")
    make_episode(made, "old", profile="old")
    make_episode(made, "small", profile="small")
    return made


@ERAS
async def test_each_profile_lists_its_own_tools_however_often_they_take_turns(server: AppServer, version: str) -> None:
    for _ in range(3):
        assert await _names(server, version, "/mcp/old") == OLD
        assert await _names(server, version, "/mcp/small") == ["note_add", "note_show"]
        assert await _names(server, version, "/mcp/ep") == [entry["name"] for entry in server.loaded.tool_schemas]


async def test_the_handshake_names_the_server_s_version_of_that_time(server: AppServer) -> None:
    hello = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}

    for _ in range(2):
        old = await _result(server, "initialize", LEGACY, "/mcp/old", **hello)
        now = await _result(server, "initialize", LEGACY, "/mcp/ep", **hello)

        assert (old["serverInfo"]["version"], old.get("instructions")) == ("0.9.0", None)
        assert (now["serverInfo"]["version"], now["instructions"]) == ("1.2.3", "Write notes. 写笔记。")


async def test_a_result_of_the_2026_era_is_stamped_with_the_profile_s_server(server: AppServer) -> None:
    versions = []
    for path in ("/mcp/old", "/mcp/ep"):
        result = await _result(server, "tools/call", MODERN, path, name="note_show", arguments={})
        versions.append(next(iter(result["_meta"].values()))["version"])

    assert versions == ["0.9.0", "1.2.3"]


@ERAS
async def test_tools_dialect_and_rendering_are_the_profile_s(server: AppServer, version: str) -> None:
    async def call(path: str, name: str, **arguments: Any) -> Any:
        return await tool(server, name, arguments, version=version, path=path)

    for path in ("/mcp/old", "/mcp/ep"):
        assert "tea" in _text(await call(path, "note_add", text="tea"))

    # The handler of the same name, in Go's indented JSON.
    assert _text(await call("/mcp/old", "note_show")) == '{\n  "count": 1\n}'
    assert _text(await call("/mcp/ep", "note_show")) == '{"notes":["tea"]}'
    # A tool of one of them only.
    assert _text(await call("/mcp/old", "note_find", word="te")) == '{\n  "notes": [\n    "tea"\n  ]\n}'
    assert "error" in await call("/mcp/ep", "note_find", word="te")
    # Refusals of each: one words them as a success.
    worded = await call("/mcp/old", "note_refuse")
    assert (_text(worded), worded["result"].get("isError")) == ("refused: The notebook is full.", None)
    assert (await call("/mcp/ep", "note_refuse"))["result"]["isError"] is True
    # Argument errors, and tools there are not: zod 3 of a JavaScript server in the old one.
    assert (await call("/mcp/old", "note_add"))["error"]["message"].startswith(
        "MCP error -32602: Invalid arguments for tool note_add: ["
    )
    assert "MCP error" not in str(await call("/mcp/ep", "note_add"))
    assert (await call("/mcp/old", "note_spin"))["error"]["message"] == "MCP error -32602: Tool note_spin not found"


async def test_a_profile_that_the_app_does_not_know_is_played_as_latest(toy: AppServer) -> None:
    make_episode(toy, "elsewhere", profile="paper-2025")

    assert await _names(toy, LEGACY, "/mcp/elsewhere") == [entry["name"] for entry in toy.loaded.tool_schemas]
    assert "note_show" in await _names(toy, LEGACY, "/mcp/elsewhere")


async def test_an_episode_is_in_its_profile_after_a_reset_and_when_opened_again(toy: AppServer) -> None:
    make_episode(toy, "old", profile="old")
    toy.store.reset("old")
    toy.store.close_all()

    assert _text(await tool(toy, "note_show", {}, path="/mcp/old")) == '{\n  "count": 0\n}'


def test_a_profile_takes_from_the_app_what_it_leaves_out() -> None:
    latest, small = content.load_app("toy"), content.load_app("toy", "small")

    assert (small.app.dialect, small.app.envelope, small.app.ids) == (
        latest.app.dialect,
        latest.app.envelope,
        latest.app.ids,
    )
    assert small.schema is latest.schema
    assert small.server == latest.server
    # A menu keeps what the profile has; one that would show nothing is none.
    assert small.app.menus == {"writing": ("note_add", "note_show")}
    assert list(latest.profiles) == list(small.profiles) == ["latest", "old", "small"]


def test_an_app_in_process_is_played_in_a_profile_too(tmp_path: Path) -> None:
    old = LocalApp("toy", tmp_path, profile="old")

    assert old.text("note_show") == '{\n  "count": 0\n}'
    old.close()


def test_a_profile_that_nobody_declared_is_refused_naming_those_there_are() -> None:
    with pytest.raises(NotFoundError, match="no profile 'new' of app 'toy'; have latest, old, small"):
        content.load_app("toy", "new")


def test_a_contract_with_a_tool_that_nobody_handles_is_refused_naming_the_profile() -> None:
    latest = content.load_app("toy")
    profile = Profile(tools_json="tools.old.json", tools=())
    app = App("toy", "Toy", "test", GenericJsonSchema(), latest.app.tools, profiles={"broken": profile})
    loaded = content.LoadedApp(app, latest.root, latest.folder, latest.server, None, latest.tool_schemas)

    with pytest.raises(
        FarmError, match=r"app 'toy', profile 'broken': tool table and contract differ in \['note_find'\]"
    ):
        assert loaded.profiles["broken"].bound


def test_a_list_of_names_that_the_contract_has_not_is_refused() -> None:
    latest = content.load_app("toy")
    app = App(
        "toy", "Toy", "test", GenericJsonSchema(), latest.app.tools, profiles={"few": Profile(names=("note_fly",))}
    )
    loaded = content.LoadedApp(app, latest.root, latest.folder, latest.server, None, latest.tool_schemas)

    with pytest.raises(FarmError, match=r"profile 'few': tools.json has no \['note_fly'\]"):
        assert loaded.profiles


def test_a_tool_that_answers_for_any_name_does_so_only_where_it_is_served() -> None:
    latest = content.load_app("toy")
    profiles = {"with": Profile(names=("note_show", "note_echo")), "without": Profile(names=("note_show",))}
    app = App("toy", "Toy", "test", GenericJsonSchema(), latest.app.tools, any_name="note_echo", profiles=profiles)
    loaded = content.LoadedApp(app, latest.root, latest.folder, latest.server, None, latest.tool_schemas)

    assert [each.app.any_name for each in loaded.profiles.values()] == ["note_echo", "note_echo", None]


def test_a_row_of_the_profile_stands_for_the_app_s_of_that_name() -> None:
    old = {row.name: row for row in content.load_app("toy", "old").app.tools}
    now = {row.name: row for row in content.load_app("toy").app.tools}

    assert old["note_add"] == now["note_add"]
    assert old["note_show"] != now["note_show"]
    assert isinstance(old["note_find"], Tool)
