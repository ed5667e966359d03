"""The alarm of a process that is somebody else's: calls are cut on any of its threads, and its signals stay its own."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import orjson
import pytest

from farm import alarm
from farm.alarm import CUT_AFTER_S, Cut, ThreadAlarm
from farm.client import mcp_call
from farm.pipeline import INTERNAL_ERROR
from farm.testing import LocalWorld

TOY = Path(__file__).parents[1] / "protocol" / "content"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalWorld]:
    monkeypatch.setenv("FARM_CONTENT", str(TOY))
    with LocalWorld(None, ["toy"], data=tmp_path) as made:
        yield made


@pytest.mark.parametrize("tool", ["note_spin", "note_count"])
@pytest.mark.parametrize("thread", ["main", "another"])
def test_a_call_in_process_that_takes_too_long_is_cut_undone_and_logged(
    world: LocalWorld, tool: str, thread: str
) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)  # one that a test before has left may end by itself meanwhile
    handler, timer = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    started = time.monotonic()

    if thread == "main":
        outcome = world.outcome("toy", tool, {})
    else:
        with ThreadPoolExecutor(1) as threads:
            outcome = threads.submit(world.outcome, "toy", tool, {}).result()

    assert time.monotonic() - started >= CUT_AFTER_S
    assert (outcome.call, outcome.refused, outcome.cut, outcome.wrote) == (1, True, True, False)
    told = {"code": INTERNAL_ERROR, "message": f"{tool} took longer than 250 ms and was cut; nothing has changed"}
    assert orjson.loads(outcome.result) == told
    assert [(call["tool"], call["refused"], call["cut"]) for call in world.calls()] == [(tool, True, True)]
    assert world.diff() == {}
    assert not world.outcome("toy", "note_add", {"text": "one"}).refused
    assert [row["text"] for row in world.rows("toy", "notes")] == ["one"]
    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == (handler, timer)


def test_an_agent_is_told_what_an_app_of_a_farm_tells(world: LocalWorld) -> None:
    url = world.url("toy")

    answer = mcp_call(url, "note_spin", {}, world.token)

    assert "note_spin took longer than 250 ms and was cut; nothing has changed" in str(answer)
    assert "error" not in str(mcp_call(url, "note_add", {"text": "one"}, world.token))


def test_nothing_is_cut_once_it_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alarm, "_TICK_S", 0.0005)
    chance = random.Random(11)
    watching = ThreadAlarm()
    cut = ended = 0

    for _ in range(600):
        try:
            try:
                watching.arm(1_000_000)
                spend(chance.uniform(0, 0.003))
            finally:
                watching.disarm()
            ended += 1
        except Cut:
            watching.disarm()
            cut += 1
        spend(0.001)  # a Cut that comes late fails the test here

    watching.close()
    assert cut > 50
    assert ended > 50


def test_what_is_paused_is_not_cut_and_goes_on_with_what_was_left() -> None:
    watching = ThreadAlarm()
    watching.arm(100_000_000)

    left_ns = watching.pause()
    spend(0.2)

    assert 0 < left_ns <= 100_000_000
    watching.close()


def test_a_closed_alarm_leaves_no_thread() -> None:
    before = threading.active_count()
    watching = ThreadAlarm()
    watching.arm()
    watching.disarm()

    watching.close()

    assert threading.active_count() == before


def spend(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass
