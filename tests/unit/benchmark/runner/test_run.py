"""A run whose farm goes away, and one that is broken off."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from farm.benchmark.agents.factory import make_agent
from farm.benchmark.runner import run, trials
from farm.benchmark.runner.options import Options
from farm.cli import run as run_command
from farm.errors import FarmError
from tests.suites import parsed_suite

DEMO = parsed_suite("demo")


class GoneFarm:
    """An address at which a farm answers only so many times, counted over all clients."""

    def __init__(self, answers: int, comes_back: bool = False) -> None:
        self.answers = answers
        self.comes_back = comes_back
        self.trials = 0

    def client(self) -> Any:
        return self

    def close(self) -> None:
        pass

    def episodes(self) -> list[Any]:
        if self.answers == 0:
            self.answers = 1 if self.comes_back else 0
            raise FarmError("no farm answers at http://127.0.0.1:8701")
        self.answers -= 0 if self.comes_back else 1
        return []

    def create(self, **_: Any) -> Any:
        self.trials += 1
        raise FarmError("http://127.0.0.1:8701 closed the connection")


def test_a_run_ends_when_its_farm_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "AWAY_S_MAX", 0.0)
    farm: Any = GoneFarm(answers=1)

    with pytest.raises(FarmError, match=rf"closed the connection; 0 of {len(DEMO.tasks)} trials had been held"):
        run.run_suite(DEMO, make_agent("null"), farm, Options(parallel=1))

    assert farm.trials == 1


def test_a_run_waits_for_a_farm_that_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "_ASK_AGAIN_S", 0.01)
    farm: Any = GoneFarm(answers=1, comes_back=True)

    found = run.run_suite(DEMO, make_agent("null"), farm, Options(parallel=1))

    assert farm.trials == found["outcomes"]["not_graded"] == len(DEMO.tasks)


class Away:
    """An address at which a farm answered once; each question after it takes a second of a clock that stands else."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.asked = 0
        monkeypatch.setattr(trials, "time", self)

    def monotonic(self) -> float:
        return self.now

    def client(self) -> Any:
        return self

    def close(self) -> None:
        pass

    def episodes(self) -> list[Any]:
        self.asked += 1
        if self.asked > 1:
            self.now += 1.0
            raise FarmError("no farm answers at http://127.0.0.1:8701")
        return []

    def create(self, **_: Any) -> Any:
        raise FarmError("http://127.0.0.1:8701 closed the connection")


def test_a_farm_may_be_away_for_half_a_minute_and_is_asked_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "_ASK_AGAIN_S", 0.0)
    farm: Any = Away(monkeypatch)

    with pytest.raises(FarmError) as ended:
        run.run_suite(DEMO, make_agent("null"), farm, Options(parallel=1))

    assert str(ended.value) == (
        "the farm has not answered for 30 s: http://127.0.0.1:8701 closed the connection; "
        f"0 of {len(DEMO.tasks)} trials had been held"
    )
    assert farm.asked == 1 + 30


def test_that_a_run_was_broken_off_is_said_once_by_whoever_comes_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def end(status: int) -> None:
        raise SystemExit(status)

    monkeypatch.setattr(run_command, "_end", end)
    breaking = run_command._EndAtOnce()
    with pytest.raises(SystemExit):
        breaking._end()
    impatient = threading.Thread(target=breaking._end, daemon=True)  # has the process ended by then, but for this test

    impatient.start()
    impatient.join(0.2)

    assert capsys.readouterr().err == "broken off\n"
