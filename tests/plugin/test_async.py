"""Agents in an event loop, by the plugins that run one."""

from __future__ import annotations

import pytest

from tests.plugin.conftest import Run

CODE = """
import asyncio
import time
from dataclasses import replace

import pytest
import pytest_asyncio
from fastmcp import Client
from pytest_mcp_farm import ToolRefusedError

from farm.content import load_app


async def agent(world, tool="slack_post_message", **arguments):
    async with Client(world.mcp_config()) as client:
        await client.call_tool(tool, arguments or {"channel_id": "#general", "text": "hi"})


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest_asyncio.fixture
async def world(mcp_farm):
    world = mcp_farm.world(apps=["slack"])
    await agent(world)
    yield world
    world.assert_changed("slack.messages", where={"text": "hi"})
    world.assert_only("slack.messages")


@pytest.mark.asyncio
async def test_on_a_loop_of_its_own(world):
    assert world.call("slack", "slack_list_channels")["ok"] is True


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("number", range(2))
async def test_on_the_sessions_loop(mcp_farm, number):
    world = mcp_farm.world(apps=["slack"])
    calls = (asyncio.to_thread(world.call, "slack", "slack_list_channels") for _ in range(5))
    await asyncio.gather(*(agent(world) for _ in range(3)), *calls)
    world.assert_changed("slack.messages", count=3)
    assert len(world.calls) == 8


@pytest.mark.anyio
async def test_with_anyio(mcp_farm):
    world = mcp_farm.world(apps=["slack"])
    await agent(world)
    world.assert_changed("slack.messages")


@pytest.mark.asyncio
async def test_a_slow_call_keeps_no_loop_waiting_but_for_a_call_of_the_tests_own(mcp_farm, monkeypatch):
    world = mcp_farm.world(apps=["slack"])
    world.url("slack")
    bound = load_app("slack").bound

    ticks = 0

    def spin(given):
        nonlocal most
        before, until = ticks, time.monotonic() + 20
        while time.monotonic() < until:
            most = max(most, ticks - before)
        return given

    most = 0
    monkeypatch.setitem(bound, "slack_list_channels", replace(bound["slack_list_channels"], check=spin))

    async def tick():
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    ticking = asyncio.create_task(tick())
    with pytest.raises(Exception, match="took longer than 250 ms and was stopped"):
        await agent(world, "slack_list_channels", limit=1)
    assert most > 2  # while the call was made
    with pytest.raises(ToolRefusedError, match="took longer than 250 ms and was stopped"):
        world.call("slack", "slack_list_channels")
    ticking.cancel()
    world.assert_only()
"""


@pytest.mark.parametrize("mode", ["strict", "auto"])
def test_agents_in_event_loops_use_a_world(run: Run, mode: str) -> None:
    done = run(CODE, "-o", f"asyncio_mode={mode}")

    done.assert_outcomes(passed=5)
