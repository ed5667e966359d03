"""A running farm for the tests that need one, and farms of their own for those that break it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.agents.process_group import descendants
from farm.client import FarmClient, mcp_call
from farm.runtime.supervisor.state import FarmState, is_alive
from tests.unit._command_lines import play

# Bounds of what would else hang for ever, on the busiest machine.
START_S_MAX = 300.0
END_S_MAX = 120.0


def farm_command(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the command line to its end."""
    return subprocess.run(
        [sys.executable, "-m", "farm", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=START_S_MAX,
        env={**os.environ, **environment},
        check=False,
    )


def farm_here(
    capsys: pytest.CaptureFixture[str], *arguments: str | Path, folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run a command that ends at a mistake in this process; it may write into the folder, and start nothing."""
    given = [*map(str, arguments)]
    found = play(given, folder, capsys=capsys)
    assert found.status is not None, "the command began to work"
    return subprocess.CompletedProcess(given, found.status, found.output, found.errors)


def one_line(result: subprocess.CompletedProcess[str]) -> str:
    """Return the one line a mistake is answered with."""
    assert result.returncode == 1, result
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("farm: ")
    return lines[0].removeprefix("farm: ")


def until(happens: Callable[[], bool], what: str, seconds: float = END_S_MAX) -> None:
    """Wait for something that other processes bring about, with a bound."""
    ends_at = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < ends_at, f"not in {seconds:.0f} s: {what}"
        time.sleep(0.01)


class RunningFarm:
    """A farm in the foreground of a process of its own, on free ports."""

    def __init__(self, data: Path, *options: str, log: Path | None = None, **environment: str) -> None:
        """Start it; what it prints goes to ``log``, or into the data folder."""
        self.data = data
        self.log = log or data / "out.txt"
        data.mkdir(parents=True, exist_ok=True)
        with self.log.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "farm", "up", "--data", str(data), "--port=0", "--operator-port=0", *options],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**os.environ, **environment},
            )
        try:
            until(lambda: self._is_ready() or self.process.poll() is not None, "a farm", START_S_MAX)
            assert self.process.poll() is None, self.output
        except BaseException:
            self.process.kill()  # nobody has it yet who would end it
            self.process.wait()
            raise
        self._client: FarmClient | None = None
        self._clients: list[FarmClient] = []

    def _is_ready(self) -> bool:
        # It is in its state file before it has said so.
        return FarmState.load(self.data) is not None and "\ntoken " in self.output

    @property
    def output(self) -> str:
        """What the farm printed so far."""
        return self.log.read_text()

    @property
    def state(self) -> FarmState:
        """Where everything is now."""
        state = FarmState.load(self.data)
        assert state is not None
        return state

    @property
    def settled(self) -> FarmState:
        """Where everything is, once the supervisor has told of every process that it has.

        A process may answer before the supervisor has come to say that it is there. Until then its number is 0, which
        to kill would be to kill the tests, or its predecessor's.
        """
        found: list[FarmState] = []

        def is_told() -> bool:
            found[:] = [self.state]
            return all(map(is_alive, filter(None, (numbers := _numbers(found[0]))))) and all(numbers)

        until(is_told, "the number of each process")
        return found[0]

    @property
    def token(self) -> str:
        """The operator token."""
        return Path(self.state.token_file).read_text().strip()

    @property
    def client(self) -> FarmClient:
        """The control API; one connection for as long as the ports stay."""
        if self._client is None:
            self._client = self.connect()
        return self._client

    def connect(self) -> FarmClient:
        """Return one more client, with a connection of its own; all are closed with the farm."""
        self._clients.append(FarmClient(self.state.operators_url, self.token))
        return self._clients[-1]

    def call(self, episode: dict[str, Any], app: str, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool through the gateway."""
        return mcp_call(episode["mcp"][app], tool, arguments, episode["token"])

    def pids(self) -> set[int]:
        """Return every process of the farm: those of its state file, and all below the supervisor."""
        state = self.state
        return {pid for pid in _numbers(state) if pid} | set(descendants(state.pid))

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and return the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(END_S_MAX)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self._client = None
            while self._clients:
                self._clients.pop().close()


def _numbers(state: FarmState) -> list[int]:
    return [state.pid, state.gateway_pid, *(app.pid for app in state.apps)]


def assert_all_end(pids: set[int]) -> None:
    """Wait until none of the processes is left."""
    until(lambda: not any(map(is_alive, pids)), f"the end of {pids}", END_S_MAX)


@pytest.fixture(autouse=True)
def _own_leftovers(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``farm gc`` and ``farm doctor``, which look at all that is temporary, find nothing that others have left."""
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("temporary")))


@pytest.fixture(scope="session")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFarm]:
    """One farm of every app for all tests that leave it as it is."""
    running = RunningFarm(tmp_path_factory.mktemp("farm"))
    yield running
    assert running.end() == 0, running.output


@pytest.fixture
def episode(farm: RunningFarm) -> Iterator[dict[str, Any]]:
    """A new episode of every app."""
    made = farm.client.create(seed=7)
    yield made
    farm.client.drop(made["id"])


@pytest.fixture
def start_farm(tmp_path: Path) -> Iterator[Callable[..., RunningFarm]]:
    """Start farms that may be broken: ``start_farm("--apps=slack")``, on one folder unless another is named."""
    started: list[RunningFarm] = []

    def start(*options: str, data: str | Path = "data", log: Path | None = None, **environment: str) -> RunningFarm:
        started.append(RunningFarm(tmp_path / data, *options, log=log, **environment))
        return started[-1]

    yield start
    for each in started:
        each.end()


@pytest.fixture(scope="module")
def breakable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFarm]:
    """A farm whose processes may be killed: it mends itself, so one is enough for all who do."""
    running = RunningFarm(tmp_path_factory.mktemp("breakable"), "--apps=slack,rednote")
    yield running
    running.end()
