"""The process of a run's own farm: what it is told, what it says, and when it ends."""

from __future__ import annotations

import asyncio
import io
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.benchmark.runner import child_farm
from farm.errors import FarmError
from farm.runtime.supervisor.config import Config
from farm.runtime.supervisor.state import FarmState


class Supervisor:
    """A supervisor without processes, which runs until it is ended."""

    started: list[Config]
    fails: str | None = None

    def __init__(self, config: Config) -> None:
        self.started.append(config)
        self._config = config
        self._ended = asyncio.Event()

    async def run(self, on_ready: Callable[[FarmState], None]) -> None:
        if self.fails:
            raise FarmError(self.fails)
        token = self._config.data / "operator.token"
        token.write_text("secret\n")
        on_ready(FarmState(1, 2, "127.0.0.1", "http://agents", "http://operators", str(token), ()))
        await asyncio.wait_for(self._ended.wait(), 60)

    def end(self) -> None:
        self._ended.set()


class Input:
    """Standard input: one line, and then a pipe that somebody closes."""

    def __init__(self, line: bytes) -> None:
        self._line = line
        self.reading, self.writing = os.pipe()

    def readline(self) -> bytes:
        return self._line

    def fileno(self) -> int:
        return self.reading


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Input]:
    made = Input(orjson.dumps({"data": str(tmp_path), "apps": ["slack", "lark"]}) + b"\n")
    monkeypatch.setattr(child_farm, "Supervisor", Supervisor)
    monkeypatch.setattr(Supervisor, "started", [], raising=False)
    monkeypatch.setattr(child_farm, "log_to_stderr", lambda *_: None)
    monkeypatch.setattr(child_farm, "keep_private", lambda: None)
    monkeypatch.setattr("sys.stdin", made)
    yield made
    os.close(made.reading)


class Output(io.StringIO):
    """Standard output: closes the other end of standard input as soon as a line was flushed to it."""

    def __init__(self, other: Input) -> None:
        super().__init__()
        self._other = other

    def flush(self) -> None:
        os.write(self._other.writing, b"what nobody reads")
        os.close(self._other.writing)


def test_a_farm_says_its_address_once_keeps_its_token_off_the_disk_and_ends_with_its_input(
    told: Input, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = Output(told)
    monkeypatch.setattr("sys.stdout", said)

    child_farm.main()

    assert [orjson.loads(line) for line in said.getvalue().splitlines()] == [
        {"url": "http://operators", "token": "secret"}
    ]
    assert not (tmp_path / "operator.token").exists()
    assert Supervisor.started == [
        Config(tmp_path, ("slack", "lark"), port=0, operator_port=0, has_default=False)  # ports that are free
    ]


def test_a_farm_that_cannot_start_is_one_line_and_status_1(
    told: Input, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Supervisor, "fails", "port 1 is taken")

    with pytest.raises(SystemExit) as ended:
        child_farm.main()

    # Its parent is there still, and is not waited for.
    waiting = [thread for thread in threading.enumerate() if thread.name == "parent"]
    os.close(told.writing)
    for thread in waiting:
        thread.join(60)  # before its descriptor is closed
    assert [thread.daemon for thread in waiting] == [True]
    assert ended.value.code == 1
    assert capsys.readouterr() == ("", "farm: port 1 is taken\n")


def test_only_errors_of_a_runs_farm_are_shown_and_its_files_are_its_users(
    told: Input, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(child_farm, "log_to_stderr", lambda *given: asked.append(given))
    monkeypatch.setattr(child_farm, "keep_private", lambda: asked.append("private"))
    monkeypatch.setattr("sys.stdout", Output(told))

    child_farm.main()

    assert asked == [("farm: %(message)s", 40), "private"]
