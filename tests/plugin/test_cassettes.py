"""Cassettes: what is recorded, what is replayed, and what a mismatch says."""

from __future__ import annotations

import asyncio
import json
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from pytest_mcp_farm import McpFarm, McpFarmError, McpFarmModel, open_farm
from pytest_mcp_farm.farm import Options
from pytest_mcp_farm.model import SessionModels

from tests.plugin.conftest import Run

POST, LIST = "slack_post_message", "slack_list_channels"
COMMAND = f"{sys.executable} -m farm"


@pytest.fixture
def mcp_farm() -> Iterator[McpFarm]:
    """Open a farm in this process."""
    with open_farm() as farm:
        yield farm


def agent(connection: dict[str, Any], *calls: tuple[str, dict[str, Any]]) -> list[str]:
    """Make calls as an agent does, by a real client, and return the texts."""

    async def calling() -> list[str]:
        async with Client({"mcpServers": {"slack": {"transport": "http", **connection}}}) as client:
            assert POST in {each.name for each in await client.list_tools()}
            texts = []
            for tool, arguments in calls:
                found = await client.call_tool(tool, arguments, raise_on_error=False)
                texts.append(found.content[0].text)
            return texts

    return asyncio.run(calling())


HELLO = (POST, {"channel_id": "#general", "text": "hello"})


def record(mcp_farm: McpFarm, path: Path, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    """Record a session with a world and return the texts."""
    world = mcp_farm.world(apps=["slack"])
    with mcp_farm.cassette(path, world.connection("slack")) as tape:
        said = agent(tape.connection(), *calls)
        tape.assert_finished()
    return said


def test_a_recorded_session_is_replayed_without_its_server(mcp_farm: McpFarm, tmp_path: Path) -> None:
    path = tmp_path / "tapes" / "slack.json"
    calls = ((LIST, {"limit": 2}), HELLO, (POST, {"channel_id": "#nowhere", "text": "hello"}))
    recorded = record(mcp_farm, path, *calls)

    with mcp_farm.cassette(path, lambda: pytest.fail("the server is not needed")) as tape:
        # A client connects twice, and the calls come in another order.
        replayed = [*agent(tape.connection(), calls[1]), *agent(tape.connection(), calls[2], calls[0])]

        assert [replayed[2], *replayed[:2]] == recorded
        assert tape.calls.tools == [POST, POST, LIST]
        assert tape.calls[1].text == recorded[2]
        tape.calls.assert_order(POST, LIST)
        tape.assert_finished()


def test_no_bearer_is_recorded(mcp_farm: McpFarm, tmp_path: Path) -> None:
    world = mcp_farm.world(apps=["slack"])
    with mcp_farm.cassette(tmp_path / "slack.json", world.connection("slack")) as tape:
        agent(tape.connection(), HELLO)

    assert world.token is not None
    assert world.token not in (tmp_path / "slack.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        ([(POST, {**HELLO[1], "text": "ho"})], 'params.arguments.text is "ho", recorded: "hello"'),
        ([HELLO, HELLO], r"slack_post_message comes more often than it is recorded with these values \(1\)"),
        ([(POST, {"channel_id": "#general"})], 'params.arguments.text is absent, recorded: "hello"'),
        ([(POST, {**HELLO[1], "x": [1]})], r"params.arguments.x is \[1\], and recorded without it"),
        ([("slack_get_users", {})], "slack_get_users is not recorded; it has .*tools/call slack_post_message"),
    ],
)  # fmt: skip
def test_a_request_that_differs_says_what_differs_to_agent_and_test(
    calls: list[Any], said: str, mcp_farm: McpFarm, tmp_path: Path
) -> None:
    path = tmp_path / "slack.json"
    record(mcp_farm, path, HELLO)
    tape = mcp_farm.cassette(path)

    with pytest.raises(Exception, match=said):
        agent(tape.connection(), *calls)

    with pytest.raises(
        McpFarmError, match=f"cassette slack.json, record mode 'once': .*{said}.*'new_episodes' records"
    ):
        tape.close()


def test_what_is_ignored_may_differ(mcp_farm: McpFarm, tmp_path: Path) -> None:
    path = tmp_path / "slack.json"
    recorded = record(mcp_farm, path, HELLO)

    with mcp_farm.cassette(path, ignore=["params.arguments.text"]) as tape:
        assert agent(tape.connection(), (POST, {**HELLO[1], "text": "ho"})) == recorded


def test_new_episodes_are_recorded_beside_the_old_ones(mcp_farm: McpFarm, tmp_path: Path) -> None:
    path = tmp_path / "slack.json"
    recorded = record(mcp_farm, path, HELLO)
    world = mcp_farm.world(apps=["slack"])

    with mcp_farm.cassette(path, world.connection("slack"), mode="new_episodes") as tape:
        said = agent(tape.connection(), HELLO, (POST, {**HELLO[1], "text": "ho"}))

    assert said[:1] == recorded
    assert [each.arguments["text"] for each in world.calls] == ["ho"]
    with mcp_farm.cassette(path, mode="none") as tape:
        assert agent(tape.connection(), HELLO, (POST, {**HELLO[1], "text": "ho"})) == said


def test_all_records_anew(mcp_farm: McpFarm, tmp_path: Path) -> None:
    path = tmp_path / "slack.json"
    record(mcp_farm, path, HELLO, (LIST, {}))
    world = mcp_farm.world(apps=["slack"])
    with mcp_farm.cassette(path, world.connection("slack"), mode="all") as tape:
        agent(tape.connection(), HELLO)

    titles = [each["title"] for each in json.loads(path.read_text("utf-8"))["interactions"]]
    assert titles.count(f"tools/call {POST}") == 1
    assert f"tools/call {LIST}" not in titles


def test_what_was_not_asked_for_is_told(mcp_farm: McpFarm, tmp_path: Path) -> None:
    path = tmp_path / "slack.json"
    record(mcp_farm, path, HELLO, (LIST, {}))

    with mcp_farm.cassette(path) as tape:
        agent(tape.connection(), HELLO)
        with pytest.raises(AssertionError, match="tools/call slack_list_channels was recorded and not asked for"):
            tape.assert_finished()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "there is no cassette .*x.json yet, and no server to record it from; name the server"),
        ({"mode": "none"}, "there is no cassette .*x.json, and the record mode is 'none'; record it with 'once'"),
        ({"mode": "twice"}, "no record mode 'twice'; have none, once, new_episodes, all"),
        ({"server": 5}, r"the server of a cassette is an address or world.connection\(app\), not 5"),
    ],
)
def test_a_cassette_that_cannot_be_had_is_told(
    options: dict[str, Any], said: str, mcp_farm: McpFarm, tmp_path: Path
) -> None:
    with pytest.raises(McpFarmError, match=said):
        mcp_farm.cassette(tmp_path / "x.json", **options)


@pytest.mark.parametrize("text", ["{", "[]", '{"interactions": [{}]}'])
def test_a_file_that_is_no_cassette_is_left_as_it_is(text: str, mcp_farm: McpFarm, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, "utf-8")

    with pytest.raises(McpFarmError, match=r"x.json is no cassette.* remove it to record it anew"):
        mcp_farm.cassette(path)
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"cassette": 99, "interactions": []}',
            "x.json is a cassette of format 99, and this farm reads 1; update the farm",
        ),
        ('{"log": {}}', "x.json is no cassette: it has no 'interactions'; remove it"),
    ],
)
def test_a_cassette_of_a_newer_format_or_of_none_is_told(
    text: str, said: str, mcp_farm: McpFarm, tmp_path: Path
) -> None:
    (tmp_path / "x.json").write_text(text, "utf-8")

    with pytest.raises(McpFarmError, match=said):
        mcp_farm.cassette(tmp_path / "x.json")


def test_a_server_that_does_not_answer_is_told(mcp_farm: McpFarm, tmp_path: Path) -> None:
    tape = mcp_farm.cassette(tmp_path / "x.json", "http://127.0.0.1:9/mcp")

    with pytest.raises(Exception, match=r"the server to record from, http://127.0.0.1:9/mcp, does not answer"):
        agent(tape.connection(), HELLO)
    with pytest.raises(McpFarmError, match="does not answer"):
        tape.close()


def _complete(base_url: str, text: str, *, stream: bool = False) -> tuple[int, str]:
    body = {"model": "gpt-5", "messages": [{"role": "user", "content": text}], "stream": stream}
    request = urllib.request.Request(
        f"{base_url}/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": "Bearer secret-key"},
    )
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as problem:
        with problem:
            return problem.code, problem.read().decode()


@pytest.mark.parametrize("stream", [False, True])
def test_a_models_turns_are_recorded_and_replayed(stream: bool, tmp_path: Path) -> None:
    models, path = SessionModels(Options()), tmp_path / "model.json"
    real, taped = McpFarmModel(models), McpFarmModel(models)
    first = _complete(taped.cassette(path, real(["Hello."]).base_url).base_url, "hi", stream=stream)
    real.close()
    taped.close()
    tape = taped.cassette(path)

    second = _complete(tape.base_url, "hi", stream=stream)
    status, refusal = _complete(tape.base_url, "ho", stream=stream)

    assert "Hello." in first[1]
    assert json.loads(second[1]) == json.loads(first[1]) if not stream else second == first
    assert "secret-key" not in path.read_text("utf-8")
    wanted = 'POST /v1/chat/completions differs: body.messages[0].content is "ho", recorded: "hi"'
    assert status == 400
    with pytest.raises(McpFarmError) as told:
        taped.close()
    assert wanted in str(told.value)
    assert wanted in json.loads(refusal)["error"]["message"]
    models.close()


def test_the_command_line_sets_the_mode_and_a_mismatch_fails_the_test(
    run: Run, mcp_farm: McpFarm, tmp_path: Path
) -> None:
    path = tmp_path / "slack.json"
    record(mcp_farm, path, HELLO)
    code = f"""
    import json, urllib.request

    def test_it(mcp_farm):
        tape = mcp_farm.cassette({str(path)!r}, mode="all")
        body = {{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": "{POST}", "arguments": {{}}}}}}
        request = urllib.request.Request(tape.url, json.dumps(body).encode())
        with urllib.request.urlopen(request) as answer:
            assert "differs" in answer.read().decode()
    """

    done = run(code, "--mcp-farm-record-mode=none", f"--mcp-farm-command={COMMAND}")

    done.assert_outcomes(passed=1, errors=1)
    done.stdout.fnmatch_lines(["*cassette slack.json, record mode 'none': tools/call slack_post_message differs: *"])
