"""Real app processes: many episodes at once, kills under load, clean ends, slow handlers, real clients."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from mcp.client import Client

from farm._util.sockets import bind
from farm.errors import FarmError
from farm.server.serve import run
from tests.e2e.processes import TOKEN, AppProcess, app_process
from tests.protocol.wire import CONTENT, LEGACY, MODERN, request

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="forks app processes")]

KILLS = 20
WRITERS = ("note_add", "note_tear")  # the second refuses, and keeps what it wrote
EPISODES = 200


@pytest_asyncio.fixture
async def toy(tmp_path: Path) -> AsyncIterator[AppProcess]:
    async with app_process(tmp_path) as served:
        yield served


@pytest_asyncio.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        yield session


class Operator:
    """Sends control requests to a process."""

    def __init__(self, served: AppProcess, http: aiohttp.ClientSession) -> None:
        self._url = f"http://127.0.0.1:{served.ports[1]}"
        self._http = http

    async def __call__(self, method: str, path: str, body: Any = None) -> Any:
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        async with self._http.request(method, self._url + path, json=body, headers=bearer) as answer:
            assert answer.status == 200, await answer.text()
            return await answer.json()


@pytest.fixture
def operator(toy: AppProcess, http: aiohttp.ClientSession) -> Operator:
    return Operator(toy, http)


async def call(
    http: aiohttp.ClientSession, url: str, name: str, arguments: Any, *, version: str = LEGACY, token: str | None = None
) -> Any:
    body, fields = request("tools/call", {"name": name, "arguments": arguments}, version=version)
    sent = {key: value for key, value in fields if key != "host"}
    if token:
        sent["authorization"] = f"Bearer {token}"
    async with http.post(url, json=body, headers=sent) as answer:
        return await answer.json()


def notes(answer: Any) -> list[str]:
    found: list[str] = json.loads(answer["result"]["content"][0]["text"])["notes"]
    return found


async def test_two_hundred_episodes_at_once_never_see_each_other(
    toy: AppProcess, http: aiohttp.ClientSession, operator: Operator
) -> None:
    names = [f"ep-{index}" for index in range(EPISODES)]
    tokens = {name: sha256(name.encode()).hexdigest() for name in names}
    for name in names:
        toy.make_episode(name, token_sha256=sha256(tokens[name].encode()).hexdigest())
        await operator("POST", f"/episodes/{name}/create")

    async def drive(name: str, version: str) -> None:
        url, token = toy.url(name), tokens[name]
        for turn in range(5):
            await call(http, url, "note_add", {"text": f"{name} {turn}"}, version=version, token=token)
            shown = notes(await call(http, url, "note_show", {}, version=version, token=token))
            assert shown == [f"{name} {before}" for before in range(turn + 1)]
        other = names[(names.index(name) + 1) % EPISODES]
        assert "error" in await call(http, toy.url(other), "note_show", {}, version=version, token=token)

    await asyncio.gather(*(drive(name, MODERN if i % 2 else LEGACY) for i, name in enumerate(names)))

    for name in names[::37]:
        changed = (await operator("GET", f"/episodes/{name}/diff"))["changes"]["notes"]
        assert {change["new"]["text"].split()[0] for change in changed} == {name}


async def test_kills_under_load_lose_no_acknowledged_call(
    toy: AppProcess, http: aiohttp.ClientSession, operator: Operator
) -> None:
    writers = [f"w{index}" for index in range(4)]
    for name in writers:
        toy.make_episode(name)
        await operator("POST", f"/episodes/{name}/create")
    acknowledged: dict[str, list[str]] = {name: [] for name in writers}
    sent: dict[str, int] = dict.fromkeys(writers, 0)
    enough = asyncio.Event()
    progress = asyncio.Condition()

    async def write(name: str) -> None:
        while not enough.is_set():
            text = f"{name} {sent[name]}"
            tool = WRITERS[sent[name] % 2]
            sent[name] += 1
            try:
                answer = await call(http, toy.url(name), tool, {"text": text})
            except aiohttp.ClientError:
                continue  # not acknowledged: it may have happened or not
            assert "result" in answer, answer
            acknowledged[name].append(text)
            async with progress:
                progress.notify_all()

    def total() -> int:
        return sum(map(len, acknowledged.values()))

    tasks = [asyncio.create_task(write(name)) for name in writers]
    chance = random.Random(7)
    for _ in range(KILLS):
        goal = total() + chance.randrange(1, 60)
        async with progress, asyncio.timeout(120):
            while total() < goal:
                await progress.wait()
        assert await toy.kill() == -signal.SIGKILL
        await toy.start()
    enough.set()
    await asyncio.gather(*tasks)

    for name in writers:
        kept = notes(await call(http, toy.url(name), "note_show", {}))
        logged = (await operator("GET", f"/episodes/{name}/calls?limit=10000"))["calls"]
        written = [entry["arguments"]["text"] for entry in logged if entry["tool"] in WRITERS]
        assert len(set(kept)) == len(kept)
        assert set(acknowledged[name]) <= set(kept)
        assert kept == written
        assert {(e["tool"], e.get("refused", False), e["wrote"]) for e in logged if e["tool"] in WRITERS} == {
            ("note_add", False, True),
            ("note_tear", True, True),
        }
        assert [entry["n"] for entry in logged] == list(range(1, len(logged) + 1))


async def test_a_call_sent_while_the_process_is_down_waits_for_the_next_one(
    toy: AppProcess, http: aiohttp.ClientSession, operator: Operator
) -> None:
    toy.make_episode("ep")
    await operator("POST", "/episodes/ep/create")
    await toy.kill()

    waiting = asyncio.create_task(call(http, toy.url("ep"), "note_add", {"text": "patient"}))
    await toy.start()

    assert "result" in await asyncio.wait_for(waiting, 120)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_an_end_finishes_calls_and_closes_files(
    toy: AppProcess, http: aiohttp.ClientSession, operator: Operator, number: signal.Signals
) -> None:
    toy.make_episode("ep")
    await operator("POST", "/episodes/ep/create")
    await call(http, toy.url("ep"), "note_add", {"text": "before"})
    await operator("POST", "/episodes/ep/hold")
    held = asyncio.create_task(call(http, toy.url("ep"), "note_add", {"text": "held"}))
    watching = asyncio.create_task(operator("GET", "/episodes/ep/watch?after=9"))
    # Both are sent while the first of these is answered, and read by the process while the next ones are.
    for _ in range(20):
        await operator("GET", "/healthz")

    assert await toy.kill(number) == 0

    assert "result" in await held
    assert (await watching)["calls"] == []
    assert not list((toy.data / "episodes" / "ep").glob("*-wal"))


@pytest.mark.parametrize("tool", ["note_spin", "note_count"])
async def test_a_handler_without_end_times_out_and_neighbours_go_on(
    toy: AppProcess, http: aiohttp.ClientSession, operator: Operator, tool: str
) -> None:
    for name in ("slow", "quick"):
        toy.make_episode(name)
        await operator("POST", f"/episodes/{name}/create")
    await call(http, toy.url("slow"), "note_add", {"text": "kept"})

    endless = asyncio.create_task(call(http, toy.url("slow"), tool, {}))
    neighbours = await asyncio.gather(*(call(http, toy.url("quick"), "note_add", {"text": str(i)}) for i in range(20)))
    cut = await asyncio.wait_for(endless, 120)

    assert all("result" in each for each in neighbours)
    assert cut["error"]["code"] == -32603
    assert cut["error"]["message"] == f"{tool} took longer than 250 ms and was stopped; nothing has changed"
    assert notes(await call(http, toy.url("slow"), "note_show", {})) == ["kept"]
    logged = (await operator("GET", "/episodes/slow/calls"))["calls"][1]
    assert logged["timed_out"] is True


@pytest.mark.skipif(sys.platform != "linux", reason="reads from /proc how long a process has run")
async def test_a_timeout_comes_within_half_a_second_of_work(
    toy: AppProcess, http: aiohttp.ClientSession, operator: Operator
) -> None:
    toy.make_episode("ep")
    await operator("POST", "/episodes/ep/create")
    before_s = ran_s(toy.pid)

    cut = await call(http, toy.url("ep"), "note_spin", {})

    assert "was stopped" in cut["error"]["message"]
    assert ran_s(toy.pid) - before_s < 0.5


def ran_s(pid: int) -> float:
    """Return how long a process has run, whatever else the machine is busy with."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _until_open(http: aiohttp.ClientSession, url: str) -> None:
    async with http.get(url) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_sdks_own_client_works_in_either_era(
    toy: AppProcess, http: aiohttp.ClientSession, operator: Operator, mode: Any
) -> None:
    toy.make_episode("ep")
    await operator("POST", "/episodes/ep/create")
    await _until_open(http, f"http://127.0.0.1:{toy.ports[0]}/healthz")

    async with Client(toy.url("ep"), mode=mode) as client:
        listed = await client.list_tools()
        added = await client.call_tool("note_add", {"text": "by the SDK"})

    assert [tool.name for tool in listed.tools][:2] == ["note_add", "note_show"]
    assert not added.is_error
    assert notes(await call(http, toy.url("ep"), "note_show", {})) == ["by the SDK"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda data, port: {"app": "nothing", "data": data}, "no app 'nothing'; have "),
        (lambda data, port: {"app": "toy", "data": data, "port": port}, "cannot be used (Address already in use)"),
        (lambda data, port: {"app": "toy", "data": data / "file"}, "is not writable (Not a directory)"),
        (lambda data, port: {"app": "toy", "data": data, "control_port": 0}, "the control endpoints need a token"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path, int], dict[str, Any]], message: str
) -> None:
    monkeypatch.setenv("FARM_CONTENT", str(CONTENT))
    (tmp_path / "file").touch()

    with bind("127.0.0.1", 0, "--port") as taken, pytest.raises(FarmError) as refused:
        run(**make(tmp_path, taken.getsockname()[1]))

    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
