"""What a test run leaves behind: no file, no process, no socket, however it ends. Found by ``/proc``, so on Linux."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from farm._util import temp_folders
from tests.plugin.conftest import Run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.e2e,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
]
MARK = "FARM_TEST_HYGIENE"
# Each test opens all there is to open: two worlds, a URL, a call over it, one in process, a fork, a snapshot.
MANY = """
import json
import os
import threading
import urllib.request
from pathlib import Path

import pytest

COUNTS = Path(os.environ["COUNTS"])


def ask(connection):
    params = {"name": "slack_post_message", "arguments": {"channel_id": "#general", "text": "hello"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    request = urllib.request.Request(connection["url"], body, {**headers, **connection["headers"]})
    with urllib.request.urlopen(request) as answer:
        json.load(answer)["result"]


@pytest.mark.parametrize("number", range(NUMBER))
def test_it(mcp_farm, number):
    world = mcp_farm.world(apps=["slack"])
    mcp_farm.world(apps=["slack", "lark"])
    world.call("slack", "slack_post_message", channel_id="#general", text=str(number))
    ask(world.connection("slack"))
    world.snapshot()
    world.fork().call("slack", "slack_list_channels")
    world.assert_changed("slack.messages", count=2)
    world.assert_only("slack.messages")


@pytest.fixture(autouse=True)
def counted():
    yield
    opened = sorted(os.readlink(f"/proc/self/fd/{each}") for each in os.listdir("/proc/self/fd") if
        os.path.lexists(f"/proc/self/fd/{each}"))
    kinds = sorted(each.partition(":")[0] for each in opened)
    with (COUNTS / str(os.getpid())).open("a") as file:
        print(len(opened), kinds.count("socket"), threading.active_count(), file=file)
"""
SLEEPS = """
import os
import time
from pathlib import Path

import pytest

@pytest.mark.parametrize("number", range(2))
def test_it(mcp_farm, number):
    mcp_farm.world(apps=["slack"]).url("slack")
    Path(os.environ["COUNTS"], f"ready-{os.getpid()}").touch()
    time.sleep(3600)
"""


def alive() -> list[str]:
    """Return the processes that a run has started, and what they started."""
    mark, found = f"{MARK}={os.getpid()}".encode(), []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if path.name != str(os.getpid()) and mark in (path / "environ").read_bytes().split(b"\0"):
                found.append((path / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:  # another person's, or ended meanwhile
            continue
    return [command for command in found if command]  # one that has ended and was not looked at has none


def wait_for(so: Callable[[], bool], seconds: float = 300) -> bool:
    until = time.monotonic() + seconds
    while not so() and time.monotonic() < until:
        time.sleep(0.05)
    return so()


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A folder for temporary files, and one in which tests count; what is started carries the mark."""
    temporary, counts = tmp_path / "temporary", tmp_path / "counts"
    temporary.mkdir()
    counts.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setenv("COUNTS", str(counts))
    monkeypatch.setenv(MARK, str(os.getpid()))
    return temporary, counts


def left(temporary: Path) -> list[str]:
    """Return what is left of temporary files, pytest's own folder aside."""
    return [each.name for each in temporary.iterdir() if not each.name.startswith("pytest-of-")]


def options(place: str, folder: Path) -> list[str]:
    """Return what makes a run play its worlds in process, or on a farm, of two apps only, as that starts sooner."""
    if place == "in process":
        return []
    command = folder / "farm"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m farm "$@" --apps slack,lark\n')
    command.chmod(0o700)
    return [f"--mcp-farm-command={command}"]


PLACES = ["in process", "a farm"]


@pytest.mark.parametrize("place", PLACES)
def test_many_tests_on_two_workers_leave_nothing(run: Run, folders: tuple[Path, Path], place: str) -> None:
    temporary, counts = folders

    done = run(MANY.replace("NUMBER", "60"), "-n2", "-q", *options(place, counts.parent), apart=True)

    done.assert_outcomes(passed=60)
    assert wait_for(lambda: alive() == []), alive()
    assert left(temporary) == []
    counted = [
        [[int(count) for count in line.split()] for line in each.read_text().splitlines()] for each in counts.iterdir()
    ]
    # A worker that starts late finds little to do; the other has done the more.
    assert sum(map(len, counted)) == 60
    for rows in (each for each in counted if len(each) > 10):
        # The first tests find a farm and start the servers; from then on nothing may add up. What a test leaves for a
        # moment, such as a connection that its server has yet to close, adds up to nothing.
        least = [min(counts) for counts in zip(*rows[-5:], strict=True)]
        assert all(count <= first + 2 for count, first in zip(least, rows[5], strict=True)), rows


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda each: each.name)
@pytest.mark.parametrize("place", PLACES)
def test_a_run_that_is_ended_by_a_signal_leaves_no_process(
    pytester: pytest.Pytester, folders: tuple[Path, Path], number: signal.Signals, place: str
) -> None:
    temporary, counts = folders
    path = pytester.makepyfile(SLEEPS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-n2",
        *options(place, counts.parent),
        str(path),
    ]
    with (
        (pytester.path / "said").open("wb") as said,
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
        ) as process,
    ):
        try:
            ready = wait_for(lambda: len(list(counts.glob("ready-*"))) == 2)

            process.send_signal(number)

            assert ready, (pytester.path / "said").read_text()
            process.wait(300)
        finally:
            process.kill()
    assert wait_for(lambda: alive() == []), alive()
    # A process that is killed removes no folder: the next run does.
    assert place == "in process" or wait_for(lambda: left(temporary) == []), left(temporary)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tempfile.tempdir", str(temporary))
        temp_folders.sweep()
    assert left(temporary) == []
