"""The alarm of a process that is somebody else's: calls time out on any thread, and its signals stay its own."""

from __future__ import annotations

import gc
import random
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.client import mcp_call
from farm.errors import FarmError
from farm.server import deadline
from farm.server.deadline import CALL_S_MAX, CallTimeoutError, SignalAlarm, ThreadAlarm
from farm.server.pipeline import INTERNAL_ERROR
from farm.testing import LocalWorld

TOY = Path(__file__).parents[2] / "protocol" / "content"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalWorld]:
    monkeypatch.setenv("FARM_CONTENT", str(TOY))
    with LocalWorld(None, ["toy"], data=tmp_path) as made:
        yield made


@pytest.mark.parametrize("tool", ["note_spin", "note_count"])
@pytest.mark.parametrize("thread", ["main", "another"])
def test_a_call_in_process_that_takes_too_long_is_stopped_undone_and_logged(
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

    assert time.monotonic() - started >= CALL_S_MAX
    assert (outcome.call, outcome.refused, outcome.timed_out, outcome.wrote) == (1, True, True, False)
    told = {"code": INTERNAL_ERROR, "message": f"{tool} took longer than 250 ms and was stopped; nothing has changed"}
    assert orjson.loads(outcome.result) == told
    assert [(call["tool"], call["refused"], call["timed_out"]) for call in world.calls()] == [(tool, True, True)]
    assert world.diff() == {}
    assert not world.outcome("toy", "note_add", {"text": "one"}).refused
    assert [row["text"] for row in world.rows("toy", "notes")] == ["one"]
    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == (handler, timer)


def test_a_timed_out_call_is_no_success(world: LocalWorld) -> None:
    with pytest.raises(FarmError, match="note_count took longer than 250 ms and was stopped"):
        world.call("toy", "note_count")


def test_an_agent_is_told_what_an_app_of_a_farm_tells(world: LocalWorld) -> None:
    url = world.url("toy")

    answer = mcp_call(url, "note_spin", {}, world.token)

    assert "note_spin took longer than 250 ms and was stopped; nothing has changed" in str(answer)
    assert "error" not in str(mcp_call(url, "note_add", {"text": "one"}, world.token))


def test_nothing_times_out_once_it_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "_TICK_S", 0.0005)
    chance = random.Random(11)
    watching = ThreadAlarm()
    timed_out = ended = 0

    # How often it times out is a matter of how busy the machine is.
    while timed_out < 50 or ended < 200:
        try:
            try:
                watching.arm(1_000_000)
                spend(chance.uniform(0, 0.003))
            finally:
                watching.disarm()
            ended += 1
        except CallTimeoutError:
            watching.disarm()
            timed_out += 1
        spend(0.001)  # a timeout that comes late fails the test here

    watching.close()


def test_what_is_paused_does_not_time_out_and_goes_on_with_what_was_left() -> None:
    watching = ThreadAlarm()
    watching.arm(100_000_000)

    left_ns = watching.pause()
    spend(0.2)

    assert 0 < left_ns <= 100_000_000
    watching.close()


def test_the_time_of_a_garbage_collection_does_not_count() -> None:
    watching = ThreadAlarm()
    many = [[each] for each in range(1_000_000)]
    watching.arm(200_000_000)

    began = time.thread_time()
    while time.thread_time() - began < 0.4:
        gc.collect()
    watching.disarm()

    assert not watching.fired
    assert len(many) == 1_000_000
    watching.arm(50_000_000)
    assert is_timeout(watching, spend)  # what is no collection counts as before
    watching.close()


def test_nothing_is_raised_where_python_would_swallow_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ThreadAlarm, "_watch", lambda _: None)
    watching = ThreadAlarm()
    watching.arm(-1_000_000_000)
    dies: dict[str, Any] = {"look": watching.look, "sys": sys}
    exec(compile("def callback(): look(sys._getframe())", weakref.__file__, "exec"), dies)

    dies["callback"]()

    assert not watching.fired
    with pytest.raises(CallTimeoutError):
        watching.look(sys._getframe())
    watching.disarm()
    watching.close()


class Clock:
    """The monotonic clock, which can be put forward: as for a thread that was kept waiting, and did not run."""

    def __init__(self) -> None:
        self.ahead_ns = 0

    def __call__(self) -> int:
        return time.monotonic_ns() + self.ahead_ns


@pytest.mark.parametrize("kind", [SignalAlarm, ThreadAlarm])
def test_what_is_kept_waiting_by_others_does_not_time_out(
    monkeypatch: pytest.MonkeyPatch, kind: type[SignalAlarm] | type[ThreadAlarm]
) -> None:
    clock = Clock()
    monkeypatch.setattr(deadline, "_monotonic_ns", clock)
    watching = kind()
    handler = signal.getsignal(signal.SIGALRM)
    if isinstance(watching, SignalAlarm):
        watching.install()
    watching.arm()

    clock.ahead_ns = 2 * int(CALL_S_MAX * 1e9)
    spend(5 * deadline._TICK_S)
    left_ns = watching.pause()

    assert 0 < left_ns < CALL_S_MAX * 1e9
    watching.arm()
    clock.ahead_ns += 20 * int(CALL_S_MAX * 1e9)  # longer than a handler may wait, as where all is stopped meanwhile
    spend(5 * deadline._TICK_S)
    assert 0 < watching.pause() < CALL_S_MAX * 1e9
    watching.arm()
    assert is_timeout(watching, spend)
    monkeypatch.setattr(deadline, "_LATE_TICKS_MAX", 4)
    watching.arm()
    assert is_timeout(watching, time.sleep)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, handler)
    if isinstance(watching, ThreadAlarm):
        watching.close()


def is_timeout(watching: SignalAlarm | ThreadAlarm, work: Callable[[float], object]) -> bool:
    """Say whether what goes on for long times out; one that is kept waiting before it disarms times out once more."""
    try:
        try:
            for _ in range(1000):
                work(4 * deadline._TICK_S)
        finally:
            watching.disarm()
    except CallTimeoutError:
        watching.disarm()
        return True
    return False


def test_a_call_that_ends_while_the_alarm_looks_leaves_nothing_that_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    watching, ends = ThreadAlarm(), threading.Event()

    def slowly() -> int:
        if threading.current_thread() is not threading.main_thread() and watching._due_ns:
            ends.set()
            while watching._due_ns:
                time.sleep(0)
        return time.monotonic_ns()

    monkeypatch.setattr(deadline, "_monotonic_ns", slowly)
    watching.arm(-1)
    with suppress(CallTimeoutError):
        ends.wait(60)
        watching.disarm()

    spend(5 * deadline._TICK_S)  # a timeout that comes late fails the test here

    watching.close()


def test_a_closed_alarm_leaves_no_thread() -> None:
    before = {*threading.enumerate()}
    watching = ThreadAlarm()
    watching.arm()
    watching.disarm()
    (thread,) = {*threading.enumerate()} - before

    watching.close()

    assert not thread.is_alive()


def spend(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


@pytest.mark.parametrize("watch", ["cProfile.Profile().enable()", "sys.settrace(lambda *_: None)", "None"])
def test_a_timed_out_call_ends_under_a_profiler_and_coverage_too(watch: str) -> None:
    script = f"""
import cProfile, sys, time
from farm.server.deadline import CallTimeoutError, ThreadAlarm
{watch}
alarm = ThreadAlarm()
alarm.arm()
try:
    while True:
        time.sleep(0)
except CallTimeoutError:
    alarm.disarm()
alarm.disarm()
alarm.close()
print("cut")
"""

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout == "cut\n"


@pytest.mark.skipif(not hasattr(signal, "ITIMER_VIRTUAL"), reason="this system has no such timer")
def test_a_pattern_that_never_ends_times_out_on_the_main_thread() -> None:
    script = """
import re, signal
from farm.server.deadline import CallTimeoutError, ThreadAlarm
alarms = ThreadAlarm(), ThreadAlarm()
for alarm in (*alarms, *alarms):
    alarm.arm()
    try:
        re.search("^(a+)+$", "a" * 60 + "!")
    except CallTimeoutError:
        alarm.disarm()
        print("cut", alarm.fired, signal.getitimer(signal.ITIMER_VIRTUAL))
for alarm in alarms:
    alarm.close()
"""

    # Without what is tested here it would take years.
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)

    assert done.stdout == "cut True (0.0, 0.0)\n" * 4


def test_a_signal_that_the_process_uses_stays_its_own() -> None:
    if not hasattr(signal, "SIGVTALRM"):
        pytest.skip("this system has no such signal")
    before = signal.signal(signal.SIGVTALRM, signal.SIG_IGN)
    watching = ThreadAlarm()

    watching.arm()

    assert signal.getsignal(signal.SIGVTALRM) is signal.SIG_IGN
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    watching.disarm()
    watching.close()
    signal.signal(signal.SIGVTALRM, before)
