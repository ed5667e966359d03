"""Trials on Ray: workers of a cluster hold them, and the driver alone writes the log.

A worker has worlds in its own process; for an agent that connects to the apps itself, it starts a farm. Trials travel
in chunks. If a worker is lost, Ray starts another one, which holds the chunk again: a trial may be held twice, but it
is logged once. Docs: docs/scale.md.
"""

from __future__ import annotations

import itertools
import os
import tempfile
import threading
from collections.abc import Generator, Sequence
from contextlib import ExitStack, suppress
from typing import Any

from farm.benchmark.agents.base import Agent
from farm.benchmark.runner.engine import FarmEngine
from farm.benchmark.runner.episode_source import EpisodeSource, FarmSource, HostSource
from farm.benchmark.runner.farm_address import FarmAddress, own_farm
from farm.benchmark.runner.listed_tools import hash_installed
from farm.benchmark.runner.local_host import LocalHost
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.trial_line import Trial
from farm.benchmark.runner.trials import TrialRunner
from farm.benchmark.scoring.expectations import require_task
from farm.benchmark.tasks import Suite, Task
from farm.errors import FarmError

# A chunk's trials are held again if its worker is lost, which costs money with a model.
_CHUNK = 8


def require_ray() -> Any:
    """Return the module ``ray``.

    Raises:
        FarmError: it is not installed.
    """
    # Ray reports usage to its makers unless told otherwise, and warns about memory-backed folders.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        raise FarmError("Ray is not installed; install mcp-farm with its extra: pip install 'mcp-farm[ray]'") from None
    return ray


class RayWorker:
    """Holds trials in one process of the cluster."""

    def __init__(self, agent: Agent, options: Options, addresses: Sequence[FarmAddress], apps: Sequence[str]) -> None:
        """Prepare what creates episodes; without addresses it is this process, or a farm of its own."""
        self._stack = ExitStack()
        self._runner = TrialRunner(agent, options, self._source(agent, addresses, apps), threading.Event())

    def _source(self, agent: Agent, addresses: Sequence[FarmAddress], apps: Sequence[str]) -> Any:
        if addresses or agent.connects:
            address = addresses[0] if addresses else self._stack.enter_context(own_farm(apps))
            client = address.client()
            return lambda: FarmSource(address, client)
        host = self._stack.enter_context(LocalHost())

        def source() -> EpisodeSource:
            return HostSource(host)

        return source

    def trials(self, chunk: Sequence[tuple[str, int]]) -> list[Trial]:
        """Return the lines of some trials, each given by its task's name and its number."""
        return [self._runner.trial(require_task(name), number) for name, number in chunk]

    def close(self) -> None:
        """Remove the worlds or the farm, as Ray ends its workers without any notice."""
        self._stack.close()


class RayEngine:
    """Holds trials on the workers of a Ray cluster."""

    def __init__(
        self,
        agent: Agent,
        options: Options,
        addresses: Sequence[FarmAddress],
        apps: Sequence[str],
        cluster: str | None = None,
    ) -> None:
        """Use ``options.parallel`` workers.

        Args:
            agent: the agent, which is copied to each worker.
            options: the options of the run.
            addresses: farms for the workers to use in turn; none for worlds of their own.
            apps: the apps that any trial needs.
            cluster: address of a cluster, such as ``auto``; None to start one on this machine.
        """
        self._agent, self._options, self._apps, self._cluster = agent, options, tuple(apps), cluster
        self._addresses = tuple(addresses)

    def require(self) -> None:
        """Check that Ray is installed, and that the farms answer."""
        require_ray()
        if self._addresses:
            FarmEngine(self._agent, self._addresses, self._options).require()

    def tools_sha256(self, suite: Suite) -> dict[str, str]:
        """Return a hash of each app's tools, of the farms or of this installation."""
        if self._addresses:
            return FarmEngine(self._agent, self._addresses, self._options).tools_sha256(suite)
        return hash_installed(suite, self._options)

    def trials(self, work: Sequence[tuple[Task, int]]) -> Generator[Trial]:
        """Yield the line of each trial in order of completion."""
        ray = require_ray()
        size = _CHUNK if self._agent.name in ("oracle", "null") else 1
        # By name, as the code that a task may have cannot travel.
        named = [(f"{task.suite}/{task.id}", number) for task, number in work]
        chunks = [named[at : at + size] for at in range(0, len(named), size)]
        count = min(self._options.parallel, len(chunks))
        if not count:
            return
        with tempfile.TemporaryDirectory(prefix="farm-ray-", ignore_cleanup_errors=True) as folder:
            self._join(ray, count, folder)
            try:
                yield from self._held(ray, chunks, count)
            finally:
                ray.shutdown()

    def _join(self, ray: Any, count: int, folder: str) -> None:
        """Join the cluster, or start one on this machine."""
        quiet = {"log_to_driver": False, "logging_level": "ERROR", "ignore_reinit_error": True}
        try:
            if self._cluster is not None:
                ray.init(address=self._cluster, **quiet)
            else:
                ray.init(num_cpus=count, include_dashboard=False, _temp_dir=folder, **quiet)
        except Exception as problem:
            # Ray raises errors of many kinds here.
            said, where = str(problem).strip().splitlines() or [repr(problem)], self._cluster or "this machine"
            raise FarmError(f"no Ray cluster at {where}: {said[0]}") from None

    def _held(self, ray: Any, chunks: Sequence[Sequence[tuple[str, int]]], count: int) -> Generator[Trial]:
        worker = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(RayWorker)
        given = itertools.cycle([[address] for address in self._addresses] or [[]])
        workers = [worker.remote(self._agent, self._options, next(given), self._apps) for _ in range(count)]
        left = iter(chunks)
        running = {w.trials.remote(chunk): w for w, chunk in zip(workers, left, strict=False)}
        try:
            while running:
                (done, *_), _ = ray.wait(list(running))
                free = running.pop(done)
                if (chunk := next(left, None)) is not None:
                    running[free.trials.remote(chunk)] = free
                try:
                    yield from ray.get(done)
                except ray.exceptions.RayError as problem:
                    said = str(problem).strip().splitlines()
                    raise FarmError(f"a worker of the Ray cluster failed: {said[-1] if said else problem!r}") from None
        finally:
            with suppress(Exception):  # a worker that is gone has nothing to close
                ray.get([w.close.remote() for w in workers], timeout=5)
