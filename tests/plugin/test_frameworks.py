"""A framework that is missing, too old or broken is named with what to install.

What the helpers give is tested with the frameworks themselves, by ``make agent-tests``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_mcp_farm.errors import McpFarmError
from pytest_mcp_farm.farm import McpFarm, Options, SessionFarm
from pytest_mcp_farm.world import World


async def connected(world: World) -> None:
    async with world.openai_agents_servers():
        pass


CALLS: dict[str, tuple[Callable[[World], object], str, str]] = {
    "langchain_tools": (
        lambda world: asyncio.run(world.langchain_tools()),
        "langchain-mcp-adapters",
        "langchain_mcp_adapters/client",
    ),
    "openai_agents_servers": (lambda world: asyncio.run(connected(world)), "openai-agents", "agents/mcp"),
    "pydantic_ai_toolsets": (World.pydantic_ai_toolsets, "pydantic-ai-slim", "pydantic_ai/mcp"),
    "adk_toolsets": (World.adk_toolsets, "google-adk", "google/adk/tools/mcp_tool"),
}


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    session = SessionFarm(Options())
    yield McpFarm(session).world(apps=["slack"])
    session.close()


def refusal(call: str, world: World) -> str:
    with pytest.raises(McpFarmError) as refused:
        CALLS[call][0](world)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def installed(site: Path, distribution: str, version: str) -> None:
    folder = site / f"{distribution.replace('-', '_')}-{version}.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")


@pytest.mark.parametrize("call", CALLS)
def test_a_framework_that_is_not_installed_is_named_with_the_command_that_does(call: str, world: World) -> None:
    said = refusal(call, world)

    distribution = CALLS[call][1]
    assert said.startswith(f"world.{call}() wants {distribution}")
    assert "which is not installed; pip install" in said


@pytest.mark.parametrize("call", CALLS)
def test_a_framework_that_is_too_old_is_told_with_its_version(
    call: str, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, CALLS[call][1], "0.0.9")
    monkeypatch.syspath_prepend(tmp_path)

    assert ", which is installed as 0.0.9; pip install --upgrade '" in refusal(call, world)


@pytest.mark.parametrize("call", CALLS)
def test_a_framework_that_cannot_be_imported_is_told_with_its_own_words(
    call: str, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, distribution, module = CALLS[call]
    installed(tmp_path, distribution, "99.0")
    # As pydantic-ai does it where its extra is missing, in two lines.
    for package in Path(module).parents:
        (tmp_path / package).mkdir(parents=True, exist_ok=True)
    (tmp_path / f"{module}.py").write_text('raise ImportError("Please install the extra\\n  to use it")\n')
    monkeypatch.syspath_prepend(tmp_path)

    assert "which is installed as 99.0 and cannot be used (Please install the extra to use it); pip" in refusal(
        call, world
    )


def test_a_framework_without_what_is_wanted_of_it_is_told(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Google's ADK imports without its extra, and then has no toolset.
    installed(tmp_path, "google-adk", "99.0")
    (tmp_path / "google" / "adk" / "tools" / "mcp_tool").mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path)

    assert "has no attribute 'McpToolset'); pip install --upgrade 'google-adk[mcp]>=" in refusal("adk_toolsets", world)
