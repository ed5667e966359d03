"""``farm run`` as a person starts it and breaks it off."""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from farm._util import temp_folders
from farm.benchmark.agents.process_group import descendants
from farm.runtime.supervisor.state import is_alive

from .conftest import END_S_MAX, START_S_MAX, farm_command, until

pytestmark = [pytest.mark.slow, pytest.mark.e2e, pytest.mark.xdist_group("run")]

ONE = ("--tasks", "slack-boards-rate")
TWO = (*ONE, "--tasks", "slack-unlock-scheduler")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where the runs of a test keep what is temporary."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    return folder


def test_a_run_in_which_every_trial_crashed_says_so_and_why(tmp_path: Path) -> None:
    script = tmp_path / "agent.py"
    script.write_text("import sys\nsys.exit('no key: set MY_KEY')\n")

    agent = f"command:{shlex.join([sys.executable, str(script)])}"
    done = farm_command("run", "demo", *TWO, "--agent", agent, "--out", tmp_path / "run")

    assert done.returncode == 1
    assert f"the agent crashed in every trial; why: farm report {tmp_path / 'run'} --failures" in done.stderr
    told = farm_command("report", tmp_path / "run", "--failures").stdout
    assert "slack-boards-rate #0: the agent crashed with exit status 1\n    no key: set MY_KEY\n" in told


def test_a_run_tells_of_each_trial_where_there_is_no_terminal(tmp_path: Path) -> None:
    # A service that runs tests has colours forced; they are no terminal.
    asked = ("--agent", "null", "--out", tmp_path / "run", "--json")
    done = farm_command("run", "demo", *TWO, *asked, FORCE_COLOR="1")

    assert done.returncode == 0
    assert json.loads(done.stdout)["trials"] == 2
    lines = done.stderr.splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["1/2", "2/2"]
    assert all("#0: fail 0.00, 0 calls, " in line for line in lines)


# Leaves a daemon without an environment behind and hangs, unless it is told to answer.
AGENT = """
import os, pathlib, sys, time
folder = pathlib.Path({folder!r})
def play(job=None):
    if (folder / "answer").exists():
        return "answered"
    (folder / "started").touch()
    {hang}
if __name__ == "__main__":
    if not (folder / "answer").exists() and os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sleep", ["sleep", "3600"], {{}})
        os._exit(0)
    print(play())
"""
PRINTS_ENDLESSLY = "[os.write(1, b'y' * 65536) for _ in range(1 << 40)]"


# A run that would wait an hour for each thing that it waits seconds for: one that ends has waited for none of them.
PATIENT = """
from farm.benchmark.agents import command
from farm.cli import main
from farm.benchmark.runner import farm_address as target
from farm.benchmark.runner import trials
from farm import client
command._LATE_S_MAX = target._END_S_MAX = trials.AWAY_S_MAX = client.TIMEOUT_S = 3600.0
main()
"""


class BrokenOff:
    """A run that is started, and ended in the middle of a trial."""

    def __init__(self, folder: Path, place: Path) -> None:
        self._folder, self._place = folder, place
        self._process: subprocess.Popen[str] | None = None

    def words(self, *options: str) -> list[str]:
        return [sys.executable, "-c", PATIENT, "run", "demo", *ONE, "--out", str(self._folder / "run"), *options]

    def run(self, number: signal.Signals, *options: str, begun: Callable[[], bool] | None = None) -> tuple[int, str]:
        """Start a run, send it a signal once a trial has begun, and return its status and what it said."""
        is_begun = begun or (self._folder / "started").exists
        environment = {**os.environ, "TMPDIR": str(self._place)}
        process = self._process = subprocess.Popen(
            self.words(*options), cwd=self._folder, env=environment, stderr=subprocess.PIPE, text=True
        )
        until(lambda: is_begun() or process.poll() is not None, "a trial", START_S_MAX)
        below = descendants(process.pid)
        process.send_signal(number)
        _, said = process.communicate(timeout=END_S_MAX)
        until(lambda: not any(map(is_alive, below)), "the end of what the run started")
        return process.returncode, said

    def end(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


@pytest.fixture
def broken_off(tmp_path: Path, place: Path) -> Iterator[BrokenOff]:
    run = BrokenOff(tmp_path, place)
    yield run
    run.end()


@pytest.mark.parametrize(
    ("agent", "hang", "number"),
    [
        ("command:python3 agent.py", PRINTS_ENDLESSLY, signal.SIGTERM),
        ("python:agent:play", "time.sleep(3600)", signal.SIGINT),
        ("python:agent:play", "while True: pass", signal.SIGTERM),
    ],
)
def test_a_run_that_is_broken_off_ends_at_once(
    broken_off: BrokenOff, tmp_path: Path, agent: str, hang: str, number: signal.Signals
) -> None:
    (tmp_path / "agent.py").write_text(AGENT.format(folder=str(tmp_path), hang=hang))

    status, said = broken_off.run(number, "--agent", agent)

    assert status == 128 + number
    assert said == f"broken off; go on with the same command and --resume --out {tmp_path / 'run'}\n"


@pytest.mark.parametrize("hangs", ["the endpoint", "the farm"])
def test_a_run_ends_at_once_when_another_server_hangs(broken_off: BrokenOff, tmp_path: Path, hangs: str) -> None:
    (tmp_path / "token").write_text("token")
    with socket.create_server(("127.0.0.1", 0)) as listening:  # takes connections, and says nothing
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        endpoint = ("--agent", "llm:m", "--base-url", f"{url}/v1")
        farm = ("--agent", "null", "--farm", url, "--token-file", str(tmp_path / "token"))

        status, said = broken_off.run(
            signal.SIGINT,
            *(endpoint if hangs == "the endpoint" else farm),
            begun=lambda: bool(select.select([listening], [], [], 0)[0]),
        )

    assert (status, said.partition(";")[0].strip()) == (130, "broken off")


def test_a_run_that_was_broken_off_goes_on(broken_off: BrokenOff, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(AGENT.format(folder=str(tmp_path), hang="time.sleep(3600)"))
    broken_off.run(signal.SIGINT, "--agent", "command:python3 agent.py")
    (tmp_path / "answer").touch()

    words = broken_off.words("--agent", "command:python3 agent.py", "--resume")
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert "1/1 slack-boards-rate #0: fail" in done.stderr
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="daemons are only found on Linux")
def test_what_a_killed_run_leaves_is_gone_with_the_next_run(
    broken_off: BrokenOff, tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "agent.py").write_text(AGENT.format(folder=str(tmp_path), hang="time.sleep(3600)"))

    status, _ = broken_off.run(signal.SIGKILL, "--agent", "command:python3 agent.py")

    assert status == -signal.SIGKILL
    assert {path.name[:9] for path in place.iterdir()} == {"farm-run-", "farm-agen"}
    monkeypatch.setattr("tempfile.tempdir", str(place))
    assert len(temp_folders.sweep()) == 2
    assert list(place.iterdir()) == []


def test_a_shard_that_was_killed_goes_on_and_is_merged_with_the_others(tmp_path: Path, place: Path) -> None:
    tasks = "slack-boards-rate,slack-unlock-scheduler,slack-copy-wording,slack-pairing-release"
    words = [sys.executable, "-m", "farm", "run", "demo", "--tasks", tasks, "-k", "25", "--agent", "oracle"]
    environment = {**os.environ, "TMPDIR": str(place)}
    first, second, merged = (tmp_path / name for name in ("first", "second", "merged"))
    log = first / "trials.jsonl"
    with subprocess.Popen([*words, "--shard", "1/2", "--out", str(first)], env=environment) as process:
        until(lambda: log.exists() and log.read_bytes().count(b"\n") >= 5, "five trials", START_S_MAX)
        below = descendants(process.pid)
        process.kill()
    until(lambda: not any(map(is_alive, below)), "the end of the killed run's farm")
    kept = log.read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    assert kept.count(b"\n") < 50, "the run was over before it was killed"

    for shard, folder, *more in (("1/2", first, "--resume"), ("2/2", second)):
        done = farm_command(*words[3:], "--shard", shard, "--out", folder, *more, TMPDIR=str(place))
        assert done.returncode == 0, done.stderr
    done = farm_command("merge", first, second, "--out", merged, "--json")

    found = json.loads(done.stdout)
    assert (found["trials"], found["acc"], found["missing"]) == (100, 1.0, [])
    assert log.read_bytes().startswith(kept)
    lines = [json.loads(line) for line in (merged / "trials.jsonl").read_text().splitlines()]
    assert sorted((line["task"], line["trial"]) for line in lines) == sorted(
        (task, number) for task in tasks.split(",") for number in range(25)
    )
    assert log.read_bytes().count(b"\n") == 50
