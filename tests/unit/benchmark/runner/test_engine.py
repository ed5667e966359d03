"""A run on several farms: who gets trials, what must be equal, and what happens if one goes away."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.agents.base import Assignment, Result
from farm.benchmark.agents.factory import make_agent
from farm.benchmark.agents.scripted import Oracle
from farm.benchmark.runner import farm_address, listed_tools, trials
from farm.benchmark.runner.engine import FarmEngine
from farm.benchmark.runner.listed_tools import hash_installed
from farm.benchmark.runner.log import RunLog
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.run import report, run_suite
from farm.benchmark.tasks import Suite
from farm.errors import ConflictError, FarmError
from tests.suites import parsed_suite
from tests.unit._farm_here import Acting, FarmHere, _Caller

DEMO = parsed_suite("demo")
SUITE = Suite("demo", DEMO.title, tuple(map(DEMO.task, ("slack-boards-rate", "slack-unlock-scheduler"))))
ALL_OF_THEM = sorted((task.id, number) for task in SUITE.tasks for number in range(4))


class NumberedFarm(FarmHere):
    """One of several farms.

    Attributes:
        url: where it would be.
        is_away: whether it no longer answers.
        description: of each of its tools; None for their own.
    """

    def __init__(self, data: Path, url: str) -> None:
        super().__init__(data)
        self.url = url
        self.is_away = False
        self.description: str | None = None

    def require(self) -> None:
        if self.is_away:
            raise FarmError(f"no farm answers at {self.url}")

    def episodes(self) -> list[Any]:
        self.require()
        return super().episodes()

    def create(self, **wishes: Any) -> dict[str, Any]:
        self.require()
        return super().create(**wishes)

    def tools(self, url: str, token: str | None = None) -> list[dict[str, Any]]:
        listed = super().tools(url, token)
        return listed if self.description is None else [each | {"description": self.description} for each in listed]


@pytest.fixture
def farms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[NumberedFarm]]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setattr(trials, "AWAY_S_MAX", 0.0)
    both = [NumberedFarm(tmp_path / name, f"http://{name}:8701") for name in ("one", "two")]

    def farm_of(url: str) -> NumberedFarm:
        return next(farm for farm in both if url.split("/")[3] in farm.sessions)

    class Caller:
        def call(self, url: str, *rest: Any) -> dict[str, Any]:
            return _Caller(farm_of(url)).call(url, *rest)

        def close(self) -> None:
            pass

    def tools(url: str, token: str | None = None) -> list[dict[str, Any]]:
        return farm_of(url).tools(url, token)

    monkeypatch.setattr(farm_address, "McpCaller", Caller)
    monkeypatch.setattr(farm_address, "mcp_tools", tools)
    monkeypatch.setattr(listed_tools, "mcp_tools", tools)
    yield both
    for farm in both:
        farm.end()


def run_on(farms: list[Any], agent: Any, out: Path | None = None, *, resume: bool = False) -> dict[str, Any]:
    """Run two tasks four times each, on two threads."""
    options = Options(k=4, parallel=2)
    engine = FarmEngine(agent, farms, options)
    return run_suite(SUITE, agent, None, options, engine=engine, out=out, resume=resume)


def meeting_oracle(count: int = 2) -> Acting:
    """Return the oracle, whose first trials wait for each other, as on farms of the same speed."""
    meeting = threading.Barrier(count)
    met = threading.Event()

    def act(job: Assignment) -> Result:
        if not met.is_set():
            meeting.wait(60)
            met.set()
        return Oracle().play(job)

    return Acting(act)


def test_each_farm_holds_trials_and_none_keeps_an_episode(farms: list[NumberedFarm], tmp_path: Path) -> None:
    found = run_on(farms, meeting_oracle(), tmp_path / "run")

    held = [[each for each in farm.created if str(each["label"]).startswith("acting ")] for farm in farms]
    assert all(held)
    assert sum(map(len, held)) == len(ALL_OF_THEM)
    assert (found["trials"], found["acc"]) == (len(ALL_OF_THEM), 1.0)
    assert [farm.sessions for farm in farms] == [{}, {}]
    assert [farm.clients for farm in farms] == [0, 0]


def test_farms_with_other_tools_are_refused_before_any_trial(farms: list[NumberedFarm], tmp_path: Path) -> None:
    farms[1].description = "Post a text."

    with pytest.raises(ConflictError) as refused:
        run_on(farms, make_agent("oracle"), tmp_path / "run")

    assert str(refused.value) == (
        "http://two:8701 has other tools of slack than http://one:8701; run both in one version"
    )
    assert not (tmp_path / "run").exists()
    assert [farm.sessions for farm in farms] == [{}, {}]


def test_every_farm_must_answer_at_the_start(farms: list[NumberedFarm], tmp_path: Path) -> None:
    farms[1].is_away = True

    with pytest.raises(FarmError, match="no farm answers at http://two:8701"):
        run_on(farms, make_agent("oracle"), tmp_path / "run")

    assert not (tmp_path / "run").exists()


def test_a_run_needs_a_farm() -> None:
    with pytest.raises(FarmError, match="a run needs a farm"):
        FarmEngine(make_agent("null"), [], Options())


def test_a_run_whose_second_farm_goes_away_keeps_its_trials_and_goes_on(
    farms: list[NumberedFarm], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    oracle = meeting_oracle()

    def act(job: Assignment) -> Result:
        result = oracle.play(job)
        farms[1].is_away = True
        return result

    with pytest.raises(FarmError) as ended:
        run_on(farms, Acting(act), out)
    kept = RunLog(out).trials()

    said = str(ended.value)
    assert said.startswith("the farm has not answered for 0 s: ")
    assert "no farm answers at http://two:8701" in said
    assert f"; {len(kept)} of 8 trials had been held; 'farm run … --out {out} --resume' goes on from there" in said
    assert "\n" not in said

    going_on = Acting(Oracle().play)
    run_on(farms[:1], going_on, out, resume=True)

    log = RunLog(out)
    assert [(trial["task"], trial["trial"]) for trial in log.trials()] == ALL_OF_THEM
    assert len(going_on.jobs) == len(ALL_OF_THEM) - len(kept)
    assert report(log)["acc"] == 1.0
    assert all(trial in log.trials() for trial in kept)


def test_tools_are_the_same_whether_a_farm_lists_them_or_this_installation(farms: list[NumberedFarm]) -> None:
    options = Options()
    here: list[Any] = farms[:1]
    engine = FarmEngine(make_agent("null"), here, options)

    assert engine.tools_sha256(SUITE) == hash_installed(SUITE, options)
