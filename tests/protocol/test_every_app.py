"""For every app: its list goes out as its contract says, and both paths answer its tools alike."""

from __future__ import annotations

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

                # As text: the order of keys is part of what a model reads.
                assert str(listed) == str(list(server.loaded.contract))


@pytest.mark.parametrize("app", APPS)
async def test_both_paths_answer_every_tool_alike(app: str, tmp_path: Path) -> None:
    loaded = content.load_app(app)
    fast = AppServer(loaded, tmp_path / "fast")
    slow = AppServer(loaded, tmp_path / "slow", is_fast=False)
    make_episode(fast)
    make_episode(slow)

    async with fast.running(), slow.running():
        for entry in loaded.contract:
            for arguments in ({}, {"no_such_argument": 1}):
                for version in (LEGACY, MODERN):
                    params = {"name": entry["name"], "arguments": arguments}
                    body, fields = request("tools/call", params, version=version)
                    await compare_paths(fast, slow, f"{entry['name']} {arguments}", body, fields)
