"""What tools.json says of a real server: its own words, in its own order, and what the farm cannot play."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from farm.errors import FarmError
from farm.traverse.capture import capture_server
from farm.traverse.recordings.calls import Request
from farm.traverse.transport.connection import connect
from farm.traverse.transport.packages import packages_of
from farm.traverse.transport.source import read_source
from tests.traverse.test_connection import _served

SMALL = (sys.executable, str(Path(__file__).with_name("small_server.py")))
TOOL = {
    "name": "odd",
    "title": "Größe",
    "outputSchema": {"type": "object", "properties": {"z": {}, "a": {}}},
    "inputSchema": {"$schema": "x", "type": "object", "properties": {"b": {"minimum": 1.0}, "a": {}}, "required": []},
    "annotations": {"readOnlyHint": True, "idempotentHint": False},
    "execution": {"taskSupport": "required"},
    "_meta": {"vendor/key": 1},
}


async def test_tools_stand_as_the_server_lists_them(tmp_path: Path) -> None:
    taken = await capture_server(read_source(SMALL), tmp_path / "new")
    said = json.loads((tmp_path / "new" / "tools.json").read_bytes())
    assert said["server"] == {"name": "small", "version": "1.2"}
    assert said["protocol"] == "2025-11-25"
    assert [tool["name"] for tool in said["tools"]] == ["add_note", "read_notes", "sleep", "crash"]
    assert said["noise_lines"] == 1
    assert taken.summary == (
        f"small 1.2: 4 tools, in {tmp_path / 'new' / 'tools.json'}; 1 lines of its output were no messages"
    )


Answers = Callable[[dict[str, Any], web.Request], dict[str, Any] | web.Response]


def _handler(answers: Answers) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def answer(request: web.Request) -> web.StreamResponse:
        message = await request.json()
        if "id" not in message:
            return web.Response(status=202)
        said = answers(message, request)
        if isinstance(said, web.Response):
            return said
        return web.json_response({"jsonrpc": "2.0", "id": message["id"], **said}, headers={"mcp-session-id": "s"})

    return answer


def _legacy(message: dict[str, Any], _: web.Request) -> dict[str, Any] | web.Response:
    match message["method"]:
        case "initialize":
            able: dict[str, Any] = {"tools": {}, "resources": {}, "prompts": {}}
            who = {"name": "web", "version": "3"}
            return {"result": {"protocolVersion": "2025-06-18", "capabilities": able, "serverInfo": who}}
        case "tools/list":
            return {"result": {"tools": [TOOL]}}
        case "resources/list":
            return {"result": {"resources": [{"uri": "note://1"}], "nextCursor": None}}
        case "prompts/list":
            return {"result": {"prompts": [{"name": "greet"}, {"name": "part"}]}}
    return {"error": {"code": -32601, "message": "Method not found"}}


async def test_prompts_and_resources_are_captured_as_they_are_listed(tmp_path: Path) -> None:
    async with _served(_handler(_legacy)) as url:
        taken = await capture_server(read_source([url]), tmp_path)
    raw = (tmp_path / "tools.json").read_text(encoding="utf-8")
    said = json.loads(raw)
    # As text: the order of keys and 1.0 for a number that could be 1 are the server's, too.
    assert json.dumps(said["tools"]) == json.dumps([TOOL])
    assert "Größe" in raw
    assert (said["resources"], said["prompts"]) == ([{"uri": "note://1"}], [{"name": "greet"}, {"name": "part"}])
    # Declared, and not served.
    assert "resourceTemplates" not in said
    assert said["only_as_task"] == ["odd"]
    assert f"1 tools, 2 prompts, 1 resource, in {tmp_path / 'tools.json'}; only as tasks" in taken.summary


async def test_a_server_without_handshake_is_asked_in_its_own_way(tmp_path: Path) -> None:
    seen: list[tuple[str, Any]] = []

    def modern(message: dict[str, Any], request: web.Request) -> dict[str, Any] | web.Response:
        names = ("mcp-protocol-version", "mcp-method", "mcp-name")
        seen.append((message["method"], tuple(request.headers.get(each) for each in names)))
        if message["method"] == "initialize":
            return {"error": {"code": -32601, "message": "Method not found"}}
        meta = message["params"]["_meta"]
        assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
        assert meta["io.modelcontextprotocol/clientCapabilities"] == {}
        if message["method"] == "server/discover":
            told = {"io.modelcontextprotocol/serverInfo": {"name": "new", "version": "9"}}
            return {"result": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "_meta": told}}
        if message["method"] == "tools/list":
            return {"result": {"tools": [TOOL], "resultType": "complete"}}
        assert message["params"]["arguments"] == ["kept"]
        return {"result": {"content": [], "resultType": "complete"}}

    async with _served(_handler(modern)) as url:
        await capture_server(read_source([url]), tmp_path)
        async with connect(read_source([url]), protocol="2026-07-28") as connection:
            result = await connection.call(Request("größe", ["kept"]))
    assert result == {"content": [], "resultType": "complete"}
    said = json.loads((tmp_path / "tools.json").read_bytes())
    assert (said["server"], said["protocol"]) == ({"name": "new", "version": "9"}, "2026-07-28")
    assert said["protocols"] == ["2026-07-28"]
    assert seen[0] == ("initialize", (None, None, None))
    assert seen[1:3] == [(each, ("2026-07-28", each, None)) for each in ("server/discover", "tools/list")]
    assert seen[-1] == ("tools/call", ("2026-07-28", "tools/call", "=?base64?Z3LDtsOfZQ==?="))


async def test_a_revision_that_the_server_does_not_know() -> None:
    def modern(message: dict[str, Any], _: web.Request) -> dict[str, Any] | web.Response:
        return {"result": {"supportedVersions": ["2026-07-28"], "capabilities": {}}}

    async with _served(_handler(modern)) as url:
        with pytest.raises(FarmError, match="does not speak 2027-01-01; it knows 2026-07-28"):
            async with connect(read_source([url]), protocol="2027-01-01"):
                pass


async def test_a_forgotten_session_is_begun_anew_and_the_call_made_once() -> None:
    methods: list[str] = []
    forgets = [True]

    def forgetful(message: dict[str, Any], request: web.Request) -> dict[str, Any] | web.Response:
        methods.append(message["method"])
        if message["method"] == "tools/call" and forgets:
            forgets.clear()
            return web.Response(status=404, text="Session not found")
        if message["method"] == "tools/call":
            return {"result": {"content": []}}
        return _legacy(message, request)

    async with _served(_handler(forgetful)) as url, connect(read_source([url])) as connection:
        assert connection.sessions == 1
        assert await connection.call(Request("odd", {})) == {"content": []}
        assert connection.sessions == 2
    assert methods == ["initialize", "tools/call", "initialize", "tools/call"]


async def test_where_nothing_is_posted_and_no_stream_is_opened_the_first_answer_counts() -> None:
    def elsewhere(message: dict[str, Any], _: web.Request) -> dict[str, Any] | web.Response:
        return web.Response(status=404, text="no such page")

    async with _served(_handler(elsewhere)) as url:
        with pytest.raises(FarmError, match="HTTP 404: no such page"):
            async with connect(read_source([url])):
                pass


async def test_a_call_that_hangs_is_taken_back() -> None:
    told: list[dict[str, Any]] = []
    source = read_source(
        [
            sys.executable,
            "-c",
            "import sys, json\n"
            "for line in sys.stdin:\n"
            "    said = json.loads(line); method = said['method']\n"
            "    if method == 'initialize':\n"
            "        result = {'protocolVersion': '2025-11-25', 'serverInfo': {}}\n"
            "    elif method == 'notifications/cancelled': seen = said['params']['requestId']; continue\n"
            "    elif method == 'seen': result = {'seen': seen}\n"
            "    else: continue\n"
            "    print(json.dumps({'jsonrpc': '2.0', 'id': said['id'], 'result': result}), flush=True)\n",
        ]
    )
    async with connect(source) as connection:
        assert (
            "no answer to tools/call within 0.1 s" in (await connection.call(Request("t", {}), limit_s=0.1))["silence"]
        )
        told.append(await connection.request("seen"))
    assert told == [{"result": {"seen": 2}}]


def _npm_package(root: Path) -> Path:
    package = root / "node_modules" / "@scope" / "notes"
    for folder, about in (
        (package, {"name": "@scope/notes", "version": "2026.8.1"}),
        (package / "dist", {"type": "module"}),
        (package / "node_modules" / "zod", {"name": "zod", "version": "4.6.0"}),
        (root / "node_modules" / "@modelcontextprotocol" / "sdk", {"name": "x", "version": "1.32.0"}),
        (root / "node_modules" / "zod", {"name": "zod", "version": "3.0.0"}),
    ):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text(json.dumps(about))
    script = package / "dist" / "index.js"
    script.write_text("")
    command = root / "node_modules" / ".bin" / "notes"
    command.parent.mkdir()
    command.symlink_to(script)
    return command


@pytest.mark.parametrize("form", ["command", "node script", "relative"])
def test_an_npm_package_and_the_libraries_that_it_finds(tmp_path: Path, form: str) -> None:
    command = _npm_package(tmp_path)
    given = {
        "command": [str(command)],
        "node script": ["node", "--no-warnings", str(command.resolve()), "a folder"],
        "relative": ["node", "node_modules/@scope/notes/dist/index.js"],
    }
    found = packages_of(read_source(given[form], folder=tmp_path), None)
    assert found["package"] == {"registry": "npm", "name": "@scope/notes", "version": "2026.8.1"}
    assert found["libraries"] == {"@modelcontextprotocol/sdk": "1.32.0", "zod": "4.6.0"}


def _pypi_package(root: Path) -> Path:
    site = root / "lib" / "python3.12" / "site-packages"
    for name in ("mcp_notes-1.5", "mcp-2.3.0", "pydantic-2.14.1"):
        (site / f"{name}.dist-info").mkdir(parents=True)
    (site / "mcp_notes-1.5.dist-info" / "entry_points.txt").write_text("[console_scripts]\nnotes-server = notes:main\n")
    command = root / "bin" / "notes-server"
    command.parent.mkdir()
    # A runner that starts the real thing and waits for it, as npx and uvx do.
    command.write_text(f"#!{sys.executable}\nimport time\nprint('up', flush=True)\ntime.sleep(60)\n")
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return command


def test_a_python_package_also_behind_a_runner(tmp_path: Path) -> None:
    command = _pypi_package(tmp_path)
    found = packages_of(read_source([str(command)]), None)
    assert found["package"] == {"registry": "pypi", "name": "mcp-notes", "version": "1.5"}
    assert found["libraries"] == {"mcp": "2.3.0", "pydantic": "2.14.1"}

    if not Path("/proc/self/cmdline").exists():
        pytest.skip("this system does not show what a process has started")
    runner = [sys.executable, "-c", f"import subprocess; subprocess.run([{str(command)!r}])"]
    with subprocess.Popen(runner, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        behind = packages_of(read_source(["runner"]), process.pid)
        os.killpg(process.pid, 9)
    assert behind == found


def test_nothing_is_said_of_what_cannot_be_known(tmp_path: Path) -> None:
    assert packages_of(read_source(["http://127.0.0.1/mcp"]), None) == {}
    assert packages_of(read_source(["no-such-program"]), None) == {}
    (tmp_path / "server.js").write_text("")
    assert packages_of(read_source(["node", str(tmp_path / "server.js")]), None) == {}


async def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FarmError, match=r"file/tools.json cannot be written \(File exists\)"):
        await capture_server(read_source(SMALL), tmp_path / "file")
