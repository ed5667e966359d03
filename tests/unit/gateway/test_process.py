"""The gateway's process: how it starts, when it counts as ready, how it ends."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from farm._util.sockets import bind
from farm.errors import FarmError, UnavailableError
from gateway import __main__ as process
from gateway.app_client import HEALTH_S_MAX, AppClient
from gateway.episodes import Episodes
from tests.protocol.in_process import OPERATOR_TOKEN, settings_of
from tests.threads import still_running


class Apps:
    """Apps that say whether they are ready as told, and count how often they were asked."""

    def __init__(self) -> None:
        self.is_up = True
        self.asked = 0
        self.goes_on = asyncio.Event()
        self.goes_on.set()

    async def are_ready(self) -> bool:
        self.asked += 1
        await self.goes_on.wait()
        return self.is_up


class Clock:
    """The monotonic time of the process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 100.0
        monkeypatch.setattr("gateway.__main__.time.monotonic", lambda: self.now_s)


def readiness(apps: Apps) -> process._Readiness:
    return process._Readiness(cast(AppClient, apps))


async def test_nothing_is_ready_before_the_farm_is_in_order() -> None:
    apps = Apps()
    ready = readiness(apps)

    assert await ready() is False
    assert apps.asked == 0
    ready.is_open = True
    assert await ready() is True


async def test_apps_that_answer_are_asked_again_after_a_second_and_those_that_refuse_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    apps, clock = Apps(), Clock(monkeypatch)
    ready = readiness(apps)
    ready.is_open = True

    assert [await ready() for _ in range(3)] == [True] * 3
    clock.now_s += 0.99
    assert (await ready(), apps.asked) == (True, 1)
    clock.now_s += 0.01
    apps.is_up = False
    assert (await ready(), apps.asked) == (False, 2)
    assert (await ready(), apps.asked) == (False, 3)
    apps.is_up = True
    assert (await ready(), apps.asked) == (True, 4)


async def test_an_app_that_stands_still_is_asked_once_a_second_too(monkeypatch: pytest.MonkeyPatch) -> None:
    apps, clock = Apps(), Clock(monkeypatch)
    ready = readiness(apps)
    ready.is_open, apps.is_up = True, False
    apps.goes_on.clear()
    first = asyncio.create_task(ready())
    while not apps.asked:
        await asyncio.sleep(0)
    clock.now_s += HEALTH_S_MAX
    apps.goes_on.set()

    assert await first is False
    assert (await ready(), apps.asked) == (False, 1)
    clock.now_s += 1
    assert (await ready(), apps.asked) == (False, 2)


async def test_all_who_ask_at_once_wait_for_one_answer_that_outlives_who_asked_first() -> None:
    apps = Apps()
    ready = readiness(apps)
    ready.is_open = True
    apps.goes_on.clear()
    first, *others = (asyncio.create_task(ready()) for _ in range(4))
    while not apps.asked:
        await asyncio.sleep(0)

    first.cancel()
    await asyncio.wait([first])
    apps.goes_on.set()

    assert await asyncio.gather(*others) == [True] * 3
    assert (first.cancelled(), apps.asked) == (True, 1)


class Settling:
    """Episodes whose apps do not answer so many times."""

    def __init__(self, refusals: int) -> None:
        self.refusals = refusals

    async def recover(self) -> None:
        if self.refusals:
            self.refusals -= 1
            raise UnavailableError("app 'slack' does not answer")


async def test_a_farm_is_served_before_it_is_in_order_but_not_ready(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(process, "_RECHECK_S", 0.001)
    apps, begun = Apps(), asyncio.Event()
    ready, episodes = readiness(apps), Settling(1)
    opened: list[bool] = []
    begun_set = begun.set

    def note() -> None:
        opened.append(ready.is_open)
        begun_set()

    monkeypatch.setattr(begun, "set", note)
    await process._recover(cast(Episodes, episodes), ready, begun)

    assert opened == [False, True]
    assert caplog.messages == ["app 'slack' does not answer"]


async def test_an_app_that_does_not_come_up_is_waited_for_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[float | None, asyncio.Timeout]] = []
    timeout = asyncio.timeout

    def patience(seconds: float | None) -> asyncio.Timeout:
        given.append((seconds, timeout(None)))
        return given[-1][1]

    class Down(Apps):
        """Apps that are down, and when they were asked for the third time the gateway's patience is over."""

        async def are_ready(self) -> bool:
            self.asked += 1
            if self.asked == 3:
                given[0][1].reschedule(0)
            return False

    monkeypatch.setattr(asyncio, "timeout", patience)
    apps, begun = Down(), asyncio.Event()
    ready = readiness(apps)

    await process._recover(cast(Episodes, Settling(0)), ready, begun)

    assert begun.is_set()
    assert ready.is_open
    assert (apps.asked, given[0][0]) == (3, process._APPS_S_MAX)


# -- the whole process -------------------------------------------------------------------------------------------------


def start(
    data: Path, monkeypatch: pytest.MonkeyPatch, while_it_runs: Callable[[dict[str, Any]], None], **options: Any
) -> int:
    """Run a gateway without apps, as ``python -m`` does, until what is done meanwhile has ended."""
    agents, operators = bind("127.0.0.1", 0, "port"), bind("127.0.0.1", 0, "port")
    told = settings_of(data, {}, agents, operators, has_default=False, **options)
    for each in (agents, operators):
        each.detach()
    reads, writes = os.pipe()
    os.write(writes, json.dumps(told).encode() + b"\n")

    def then_close() -> None:
        try:
            while_it_runs(told)
        finally:
            os.close(writes)

    meanwhile = threading.Thread(target=then_close)
    with os.fdopen(reads) as standard_input:
        monkeypatch.setattr(sys, "stdin", standard_input)
        monkeypatch.setattr(logging, "basicConfig", lambda **_: None)
        meanwhile.start()
        status = process.main()
        meanwhile.join()
    return status


def get(url: str, token: str = OPERATOR_TOKEN) -> Any:
    try:
        with urlopen(Request(url, headers={"authorization": f"Bearer {token}"}), timeout=60) as answer:
            return json.load(answer)
    except HTTPError as refused:
        with refused:
            return json.load(refused)


def test_a_gateway_serves_by_what_it_is_told_until_its_supervisor_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Any] = []
    before = threading.enumerate()

    def ask(told: dict[str, Any]) -> None:
        found.append(get(f"{told['agents_url']}/healthz"))
        found.append(get(f"{told['operators_url']}/v1/farm")["cell"])
        found.append(get(f"{told['operators_url']}/v1/farm", "another")["error"]["code"])

    status = start(tmp_path, monkeypatch, ask, cell="c7")

    assert (status, found) == (0, [{"ready": True}, "c7", "unauthorized"])
    assert still_running(before) == []


def test_a_registry_that_cannot_be_read_is_one_line_and_status_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "registry.db").write_bytes(b"no database at all, " * 100)

    status = start(tmp_path, monkeypatch, lambda _: None)

    assert status == 1
    (line,) = [each for each in capsys.readouterr().err.splitlines() if each.startswith("farm: ")]
    assert line.startswith("farm: gateway: ")
    assert "file is not a database" in line


def test_a_supervisor_that_ends_before_it_has_said_anything_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    reads, writes = os.pipe()
    os.close(writes)
    with os.fdopen(reads) as standard_input:
        monkeypatch.setattr(sys, "stdin", standard_input)

        assert process.main() == 0


def test_every_problem_of_a_group_is_told_once() -> None:
    one, two, three = FarmError("one"), FarmError("two"), OSError("three")

    assert list(process._leaves(ExceptionGroup("a", [one, ExceptionGroup("b", [two, three])]))) == [one, two, three]
