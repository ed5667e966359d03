"""A client's own menu, in the address: what it shows, what it hides, and that the data stay the same."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.protocol.in_process import Farm, farm
from tests.protocol.test_gateway_farm import agent, send
from tests.protocol.wire import LEGACY, MODERN, request

ERAS = pytest.mark.parametrize("version", [LEGACY, MODERN])


@pytest_asyncio.fixture
async def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Farm]:
    async with farm(tmp_path, "parrot", "toy", monkeypatch=monkeypatch) as made:
        yield made


async def _listed(running: Farm, path: str, token: str | None = None, version: str = LEGACY) -> list[str]:
    body, _ = request("tools/list", version=version)
    fields = agent(token, version=version, method="tools/list" if version == MODERN else None)
    answer = await send(running.agents_url + path, body, fields)
    assert answer.status == 200, answer.body
    return [tool["name"] for tool in answer.json["result"]["tools"]]


async def _called(url: str, tool: str, token: str | None = None, **arguments: Any) -> dict[str, Any]:
    body, _ = request("tools/call", {"name": tool, "arguments": arguments})
    found: dict[str, Any] = (await send(url, body, agent(token))).json
    return found


@ERAS
async def test_a_menu_in_the_address_shows_its_first_tools_and_the_episode_shows_all(
    running: Farm, version: str
) -> None:
    whole = await _listed(running, "/mcp/default/toy", version=version)

    for _ in range(2):
        assert await _listed(running, "/mcp/default/toy?menu=all:1", version=version) == whole[:1]
        assert await _listed(running, "/mcp/toy?menu=all:2", version=version) == whole[:2]
        assert await _listed(running, "/mcp/default/toy", version=version) == whole


async def test_a_tool_off_the_menu_does_not_exist_and_the_data_are_shared(running: Farm) -> None:
    url = f"{running.agents_url}/mcp/default/toy"

    refused = await _called(f"{url}?menu==note_show", "note_add", text="no")
    await _called(url, "note_add", text="yes")
    shown = await _called(f"{url}?menu==note_show", "note_show")

    assert "error" in refused or refused["result"]["isError"]
    assert "yes" in str(shown)
    assert '"no"' not in str(shown)


async def test_the_joint_address_takes_apps_and_a_menu(running: Farm) -> None:
    both = await _listed(running, "/mcp/default")
    toy = [name for name in both if name.startswith("toy__")]

    assert await _listed(running, "/mcp/default?apps=toy") == toy
    assert len(await _listed(running, "/mcp/default?menu=desktop:3")) == 3
    assert len(await _listed(running, "/mcp/default?apps=toy&menu=all:1")) == 1
    hidden = await _called(f"{running.agents_url}/mcp/default?apps=toy&menu=all:0", "toy__note_show")
    assert "note_show" in str(hidden)
    assert "notes" not in str(hidden)


async def test_no_address_shows_what_the_episodes_own_menu_hides(running: Farm) -> None:
    made = await running.create(menu={"toy": ["note_show"]})

    for address in (made["mcp"]["toy"], f"{running.agents_url}/mcp/toy"):
        path = address.removeprefix(running.agents_url)
        assert await _listed(running, f"{path}?menu=all", made["token"]) == ["note_show"]
    joint = made["mcp_all"].removeprefix(running.agents_url)
    assert await _listed(running, f"{joint}?menu=all&apps=toy", made["token"]) == ["toy__note_show"]


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/mcp/default/toy?menu=few", "no menu 'few' in toy; have all, desktop"),
        ("/mcp/default/toy?menu=all:x", "no menu 'all:x'; write one as desktop:12"),
        ("/mcp/default?menu=few", "no menu 'few' in parrot"),
        ("/mcp/default?apps=teams", "episode 'default' has no app 'teams'; it has parrot, toy"),
    ],
)
async def test_a_menu_that_is_none_is_refused_with_those_there_are(running: Farm, address: str, told: str) -> None:
    answer = await send(running.agents_url + address, request("tools/list")[0], agent())

    assert answer.status in (400, 404)
    assert told in answer.json["error"]["message"]


async def test_other_parameters_in_an_address_change_nothing(running: Farm) -> None:
    assert await _listed(running, "/mcp/default/toy?x=1") == await _listed(running, "/mcp/default/toy")
