"""Trials on Ray, without Ray: a cluster in this process, whose workers are lost when a test wants them to be."""

from __future__ import annotations

import itertools
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from farm.benchmark.agents.factory import make_agent
from farm.benchmark.runner import ray_engine, trial_worker
from farm.benchmark.runner.log import RunLog
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.ray_engine import RayEngine, require_cluster
from farm.benchmark.runner.run import report, run_suite
from farm.benchmark.runner.trial_worker import TrialWorker
from farm.benchmark.tasks import Suite
from farm.errors import FarmError
from tests.suites import parsed_suite

DEMO = parsed_suite("demo")
TASKS = tuple(map(DEMO.task, ("slack-boards-rate", "slack-unlock-scheduler")))
SUITE = Suite("demo", DEMO.title, TASKS)


class RayError(Exception):
    """As Ray's."""


class RayTaskError(RayError):
    """As Ray's: what a worker's method raised."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(f"ray::TrialWorker.trials()\n  File …\n{cause}")
        self.cause = cause


class Cluster(ModuleType):
    """What the engine uses of ``ray``.

    Attributes:
        room: how many workers start; others wait.
        fails: raised by the n-th call of ``TrialWorker.trials``, counted from 1.
        began: the number of calls of ``TrialWorker.trials`` so far.
        options: of ``init``.
        is_joined: whether it has not been left.
        workers: those that have started.
    """

    exceptions = SimpleNamespace(RayError=RayError)

    def __init__(self) -> None:
        super().__init__("ray")
        self.room = 99
        self.fails: dict[int, BaseException] = {}
        self.began = 0
        self.options: dict[str, Any] = {}
        self.is_joined = False
        self.workers: list[TrialWorker] = []
        self.closed = 0
        self.no_cluster: Exception | None = None

    def init(self, **options: Any) -> None:
        if self.no_cluster is not None:
            raise self.no_cluster
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # as Ray has a handler of its own
        self.options = {**options, "token": os.environ.get("RAY_AUTH_TOKEN")}
        self.is_joined = True

    def shutdown(self) -> None:
        self.is_joined = False

    def remote(self, **_: Any) -> Any:
        return lambda kind: SimpleNamespace(remote=lambda *given: self._start(kind, given))

    def _start(self, kind: Any, given: Sequence[Any]) -> Any:
        is_waiting = len(self.workers) >= self.room
        worker = kind(*given)
        if not is_waiting:
            self.workers.append(worker)

        def method(name: str) -> Any:
            return SimpleNamespace(
                remote=lambda *arguments: None if is_waiting else self._call(worker, name, arguments)
            )

        return SimpleNamespace(**{name: method(name) for name in ("require", "trials", "close")})

    def _call(self, worker: TrialWorker, name: str, arguments: Sequence[Any]) -> Any:
        def result() -> Any:
            if name == "trials":
                self.began += 1
                if self.began in self.fails:
                    raise self.fails[self.began]
            try:
                return getattr(worker, name)(*arguments)
            except FarmError as problem:
                raise RayTaskError(problem) from problem

        return _Reference(result)

    def wait(self, references: Sequence[Any], num_returns: int = 1, timeout: float = 0) -> Any:
        ready = [each for each in references if each is not None]
        if num_returns > 1:
            for each in ready:
                each.result()
        return ready[:num_returns], []

    def get(self, reference: Any) -> Any:
        return reference.result()

    def get_runtime_context(self) -> Any:
        return SimpleNamespace(gcs_address="127.0.0.1:9")


class _Reference:
    _numbers = itertools.count()

    def __init__(self, result: Any) -> None:
        self.result = result


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster()
    monkeypatch.setitem(sys.modules, "ray", cluster)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    (tmp_path / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    monkeypatch.setattr(trial_worker, "_CHUNK", 2)
    monkeypatch.setattr(trial_worker, "_EACH", 1)
    handler = signal.getsignal(signal.SIGTERM)
    yield cluster
    assert signal.getsignal(signal.SIGTERM) is handler
    assert "RAY_AUTH_TOKEN" not in os.environ
    for worker in cluster.workers:
        worker.close()


def run_on(
    cluster: str | None = None, agent: str = "oracle", out: Path | None = None, **options: Any
) -> dict[str, Any]:
    """Run two tasks three times each by two workers."""
    held = Options(k=3, parallel=2)
    player = make_agent(agent)
    engine = RayEngine(player, held, (), ("slack",), cluster)
    return run_suite(SUITE, player, None, held, engine=engine, out=out, **options)


def test_every_trial_is_logged_once(ray: Cluster, tmp_path: Path) -> None:
    found = run_on(out=tmp_path / "run")

    lines = (tmp_path / "run" / "trials.jsonl").read_bytes().splitlines()
    assert len(lines) == found["trials"] == 6
    assert found["acc"] == 1.0
    assert ray.began == 3  # two trials each
    assert not ray.is_joined
    assert len(ray.options["token"]) == 64


def test_a_cluster_with_room_for_one_worker_holds_all_trials(ray: Cluster) -> None:
    ray.room = 1

    assert run_on()["trials"] == 6


def test_a_cluster_without_room_is_said_to_have_none(ray: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    ray.room = 0
    monkeypatch.setattr(ray_engine, "_START_S_MAX", 0.0)

    with pytest.raises(FarmError, match="no worker of the Ray cluster has started within 0 s; 0 of 6 trials"):
        run_on()

    assert not ray.is_joined


def test_a_worker_that_is_lost_for_good_ends_the_run_which_goes_on_later(ray: Cluster, tmp_path: Path) -> None:
    ray.fails[2] = RayError("The actor died unexpectedly:\n\tclass_name: TrialWorker\nThe actor's node is dead.\n")

    with pytest.raises(FarmError) as ended:
        run_on(out=tmp_path / "run")

    assert str(ended.value) == (
        "a worker of the Ray cluster was lost: The actor died unexpectedly; The actor's node is dead; "
        f"2 of 6 trials had been held; 'farm run … --out {tmp_path / 'run'} --resume' goes on from there"
    )
    ray.fails.clear()
    run_on(out=tmp_path / "run", resume=True)
    log = RunLog(tmp_path / "run")
    assert len((tmp_path / "run" / "trials.jsonl").read_bytes().splitlines()) == 6
    assert report(log)["acc"] == 1.0


def test_what_a_worker_says_is_said(ray: Cluster) -> None:
    ray.fails[1] = RayTaskError(FarmError("the farm has not answered for 30 s"))

    with pytest.raises(FarmError, match=r"^the farm has not answered for 30 s; 0 of 6 trials had been held$"):
        run_on()


def test_a_cluster_gets_the_content_of_this_process(
    ray: Cluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "mine" / "tasks").mkdir(parents=True)
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "mine"))

    run_on("auto")

    assert ray.options["address"] == "auto"
    assert ray.options["runtime_env"]["env_vars"]["FARM_CONTENT"] == str(tmp_path / "mine")
    assert ray.options["token"] is None
    assert list((tmp_path / "t").iterdir()) == []  # the workers have closed what is theirs


def test_no_cluster_is_one_line(ray: Cluster) -> None:
    ray.no_cluster = ConnectionError("Could not find any running Ray instance.\nStart one with `ray start`.\n")

    with pytest.raises(FarmError) as ended:
        run_on("auto")

    assert str(ended.value) == (
        "no Ray cluster at auto: Could not find any running Ray instance; Start one with `ray start`; "
        "0 of 6 trials had been held"
    )
    with pytest.raises(FarmError, match=r"no Ray cluster at 127\.0\.0\.1:9: .*refused"):
        require_cluster("127.0.0.1:9")
    for elsewhere in ("", "auto", "ray://127.0.0.1:10001"):
        require_cluster(elsewhere)


def test_a_cluster_that_has_gone_ends_the_run(ray: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cluster, "wait", lambda *_, **__: ([], []))  # nothing comes back any more

    with pytest.raises(FarmError, match=r"no Ray cluster at 127\.0\.0\.1:9: .*refused; 0 of 6 trials had been held"):
        run_on()
