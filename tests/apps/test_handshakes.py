"""The handshakes of real servers, recorded: which revision each settles on, what it declares and says of itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.server.app import AppServer
from tests.protocol.wire import make_episode, request, send

RECORDED = [json.loads(line) for line in (Path(__file__).parent / "handshakes.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda each: f"{each['app']}:{each['profile']}")
async def test_a_handshake_is_answered_as_by_the_real_server(recorded: dict[str, Any], tmp_path: Path) -> None:
    server = AppServer(content.load_app(recorded["app"]), tmp_path)
    make_episode(server, profile=recorded["profile"])

    async with server.running():
        for asked, settled in recorded["settles"].items():
            hello = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
            told = (await send(server, *request("initialize", hello))).json["result"]

            assert told["protocolVersion"] == settled
            assert told["capabilities"] == recorded["capabilities"]
            # A description is ours, as all sentences are.
            assert {key: value for key, value in told["serverInfo"].items() if key != "description"} == recorded[
                "server"
            ]
            assert ("instructions" in told) == recorded["has_instructions"]
