"""What a farm says of itself while clients leave in the middle and an app stands still."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from farm.client import mcp_call
from farm.errors import FarmError
from farm.runtime.supervisor import supervisor as supervising
from farm.runtime.supervisor.config import Config
from farm.runtime.supervisor.state import FarmState
from farm.runtime.supervisor.supervisor import Supervisor
from tests.e2e.conftest import END_S_MAX, RunningFarm, until

pytestmark = pytest.mark.slow

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "slack_list_channels", "arguments": {}}}
# With one parameter more the SDK answers.
ODD = {**CALL, "params": {**CALL["params"], "task": {"ttl": 1}}}  # type: ignore[dict-item]
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {"x": 1}}}


def request(path: str, token: str, body: object, *, method: str = "POST", times: int = 1) -> bytes:
    data = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        f"authorization: Bearer {token}\r\naccept: application/json, text/event-stream\r\n"
        f"content-length: {len(data)}\r\n\r\n"
    )
    return (head.encode() + data) * times


def leave(port: int, data: bytes, *, resets: bool) -> None:
    """Send a request, or a part of one, and be gone."""
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(data)
        if resets:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def test_clients_who_leave_in_the_middle_leave_no_word_in_the_log(breakable: RunningFarm) -> None:
    made = breakable.client.create()
    agents, operators = (urlsplit(url).port or 0 for url in (breakable.state.agents_url, breakable.state.operators_url))
    direct = urlsplit(made["direct"]["slack"]).port or 0
    episode, slack = f"/mcp/{made['id']}", f"/mcp/{made['id']}/slack"
    before = breakable.output
    requests = [
        (port, request(path, made["token"], body, times=times))
        for port, path in ((agents, slack), (agents, episode), (direct, episode))
        for body in (CALL, ODD, LIST)
        for times in (1, 50)
    ]
    requests += [
        (operators, request(path, breakable.token, None, method="GET", times=times))
        for path in ("/v1/episodes", "/healthz", "/metrics", f"/v1/episodes/{made['id']}/diff")
        for times in (1, 20)
    ]

    for port, data in requests:
        for part in (data, data[:-1], data[: len(data) // 2]):
            for resets in (False, True):
                leave(port, part, resets=resets)

    assert mcp_call(made["mcp"]["slack"], "slack_list_channels", {}, made["token"])["content"]
    breakable.client.drop(made["id"])
    assert breakable.output == before


def status_of(url: str, token: str) -> int:
    """Return an answer's status."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=END_S_MAX)
    connection.request("GET", parts.path, headers={"authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_an_app_that_stands_still_keeps_nobody_else_waiting(breakable: RunningFarm) -> None:
    made = breakable.client.create()
    state, token = breakable.settled, breakable.token
    urls = [f"{state.agents_url}/healthz", f"{state.operators_url}/healthz", f"{state.operators_url}/metrics"]
    until(lambda: [status_of(url, token) for url in urls] == [200, 200, 200], "a farm that is ready")
    time_of_last_answer = time.monotonic()

    with stopped(next(each.pid for each in state.apps if each.app == "rednote")):
        until(lambda: time.monotonic() - time_of_last_answer > 1, "health is asked for again")
        # Whoever waited for it would do so until the supervisor has started another, and be told that all is well.
        answers = [status_of(url, token) for url in urls * 2]
        assert "error" not in mcp_call(made["mcp"]["slack"], "slack_list_channels", {}, made["token"])
        other = breakable.client.create(apps=["slack"])
        breakable.client.drop(other["id"])

    assert answers == [503, 503, 200] * 2
    until(lambda: status_of(urls[0], token) == 200, "the app goes on")
    breakable.client.drop(made["id"])


def answer_of(url: str) -> dict[str, Any]:
    """Return what a call is answered, also where the gateway starts again with its starter."""
    while True:
        with suppress(FarmError):
            return mcp_call(url, "slack_list_channels", {})


@pytest.mark.parametrize("hangs", ["slack", "the gateway", "the starter, and slack"])
async def test_what_hangs_is_ended_and_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, hangs: str
) -> None:
    monkeypatch.setattr(supervising, "HEALTH_EVERY_S", 0.1)
    farm, ready = Supervisor(Config(tmp_path, ("slack",), port=0, operator_port=0)), asyncio.Event()
    answers, hanging = supervising._answers, 0

    async def answers_in_time(host: str, port: int, seconds: float) -> bool:
        # Who hangs is not waited for as long as whoever does not, and may only be slow on a busy machine.
        state = farm.state()
        pid = state.gateway_pid if port == urlsplit(state.agents_url).port else state.apps[0].pid
        return await answers(host, port, 0.5 if pid == hanging else seconds)

    monkeypatch.setattr(supervising, "_answers", answers_in_time)
    running = asyncio.create_task(farm.run(lambda _: ready.set()))
    try:
        await asyncio.wait_for(ready.wait(), END_S_MAX)
        before = farm.state()
        starter = farm._starter
        assert starter is not None
        url = f"{before.agents_url}/mcp/default/slack"
        assert "content" in await asyncio.to_thread(mcp_call, url, "slack_list_channels", {})
        await asyncio.sleep(0.5)  # asked for its health meanwhile, and well
        assert caplog.messages == []

        hanging = before.gateway_pid if hangs == "the gateway" else before.apps[0].pid
        os.kill(hanging, signal.SIGSTOP)
        if hangs.startswith("the starter"):
            os.kill(starter.pid, signal.SIGSTOP)
        first = await asyncio.wait_for(asyncio.to_thread(mcp_call, url, "slack_list_channels", {}), END_S_MAX)
        answer = await asyncio.wait_for(asyncio.to_thread(answer_of, url), END_S_MAX)
        after: FarmState = farm.state()
    finally:
        farm.end()
        await running

    name = "the gateway" if hangs == "the gateway" else "app slack"
    assert "content" in answer
    if name == "app slack":
        # It went to the process that hung, and nobody knows what that made of it: so it is not sent again.
        assert "the call may or may not have been made" in first["error"]["message"]
    assert caplog.messages[0] == f"{name} answers no more; it is ended"
    if hangs.startswith("the starter"):
        assert "the starter ended with status -9; it starts again" in caplog.messages
    else:
        assert (after.apps[0].ended, after.gateway_ended) == ((0, 1) if name == "the gateway" else (1, 0))
        assert caplog.messages[1] == f"{name} ended with status -9; it starts again"
