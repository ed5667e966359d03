"""Clients that people use, through the proxy: they notice nothing, and what they do is recorded."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any, Literal

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from farm.traverse.recordings.recording import read_recording

pytestmark = pytest.mark.slow

SERVER = [sys.executable, str(Path(__file__).with_name("sdk_server.py"))]
WAIT_S = 60


async def _work(command: list[str], mode: Literal["auto", "legacy"]) -> tuple[Any, ...]:
    transport = StdioTransport(command[0], command[1:], keep_alive=False)
    async with Client(transport, mode=mode) as client:
        tools = [tool.model_dump() for tool in await client.list_tools()]
        good, bad = [
            (await client.call_tool("add", arguments, raise_on_error=False)) for arguments in ({"a": 2}, {"a": "x"})
        ]
        return tools, good.content, good.structured_content, bad.is_error, bad.content


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_gets_the_same_in_either_era(tmp_path: Path, mode: Literal["auto", "legacy"]) -> None:
    proxy = [sys.executable, "-m", "farm", "traverse", "proxy", "--out", str(tmp_path), "--"]
    assert await _work([*proxy, *SERVER], mode) == await _work(SERVER, mode)

    until = time.monotonic() + WAIT_S
    while (tmp_path / "calls.jsonl").read_bytes().count(b"\n") < 2:  # the client does not wait for the recorder
        assert time.monotonic() < until
        time.sleep(0.01)
    good, bad = read_recording(tmp_path)
    assert (good.tool, good.request.arguments, good.server) == ("add", {"a": 2}, "sdk")
    assert good.result["structuredContent"] == {"result": 3}
    assert bad.result["isError"] is True
    # Only results of the era without a handshake say whether they are complete.
    assert good.result.get("resultType") == ("complete" if mode == "auto" else None)
