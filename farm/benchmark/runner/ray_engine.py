"""Trials on Ray: workers of a cluster hold them, and the driver alone writes the log.

A worker has worlds in its own process; for an agent that connects to the apps itself, it starts a farm. Trials travel
in chunks. If a worker is lost, Ray starts another one, which holds the chunk again: a trial may be held twice, but it
is logged once. Docs: docs/scale.md.
"""

from __future__ import annotations

import itertools
import socket
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from hashlib import sha256
from typing import Any

from farm import __version__
from farm.benchmark.agents.base import Agent
from farm.benchmark.runner.engine import FarmEngine
from farm.benchmark.runner.episode_source import EpisodeSource, FarmSource, HostSource
from farm.benchmark.runner.farm_address import FarmAddress, own_farm
from farm.benchmark.runner.listed_tools import hash_installed
from farm.benchmark.runner.local_host import LocalHost
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.ray_cluster import Watch, joined, one_line, require_cluster, require_ray
from farm.benchmark.runner.trial_line import Trial
from farm.benchmark.runner.trials import TrialRunner
from farm.benchmark.scoring.expectations import require_task
from farm.benchmark.tasks import Suite, Task
from farm.errors import ConflictError, FarmError

# A chunk is held again if its worker is lost, which costs money with a model: other agents' chunks are single trials.
_CHUNK = 8
_LOST_MAX = 3  # otherwise an agent that ends its worker would do so forever
_POLL_S, _CLOSE_S_MAX, _START_S_MAX = 0.2, 5.0, 300.0


def conditions(tasks: Sequence[Task], options: Options) -> dict[str, str]:
    """Return what must be equal in every process: the farm's version, and hashes of tasks and tools."""
    hashes = {f"the task {task.id}": sha256(task.raw).hexdigest()[:16] for task in tasks}
    tools = hash_installed(Suite("", "", tuple(tasks)), options)
    return {"mcp-farm": __version__, **hashes, **{f"the tools of {app}": each for app, each in tools.items()}}


class RayWorker:
    """Holds trials in one process of the cluster."""

    def __init__(self, agent: Agent, options: Options, address: FarmAddress | None, apps: Sequence[str]) -> None:
        """Use a farm; without an address, this process or a farm of its own."""
        self._stack = ExitStack()
        self._agent, self._options, self._address, self._apps = agent, options, address, apps

    @cached_property
    def _runner(self) -> TrialRunner:
        if self._address or self._agent.connects:
            address = self._address or self._stack.enter_context(own_farm(self._apps))
            source: EpisodeSource = FarmSource(address, address.client())
        else:
            source = HostSource(self._stack.enter_context(LocalHost()))
        return TrialRunner(self._agent, self._options, lambda: source, threading.Event())

    def require(self, wanted: Mapping[str, str], names: Sequence[str]) -> list[Trial]:
        """Check that this process has the driver's farm and tasks; return no trials."""
        have = conditions([require_task(name) for name in names], self._options)
        for what in wanted:
            if have.get(what) != wanted[what]:
                other = f"{what} is {have.get(what)} on {socket.gethostname()}, {wanted[what]} here"
                raise ConflictError(f"a worker of the Ray cluster differs: {other}; install the same farm on both")
        return []

    def trials(self, chunk: Sequence[tuple[str, int]]) -> list[Trial]:
        """Return the lines of some trials, each given by its task's name and its number."""
        return [self._runner.trial(require_task(name), number) for name, number in chunk]

    def close(self) -> None:
        """Remove the worlds or the farm, as Ray ends its workers without any notice."""
        self._stack.close()


class RayEngine:
    """Holds trials on ``options.parallel`` workers of a Ray cluster; farms, if any are given, are used in turn."""

    def __init__(
        self, agent: Agent, options: Options, farms: Sequence[FarmAddress], apps: Sequence[str], cluster: str | None
    ) -> None:
        """Use the cluster at an address, such as ``auto``; None starts one on this machine, for the run."""
        self._agent, self._options, self._farms, self._apps, self._cluster = agent, options, farms, tuple(apps), cluster

    def require(self) -> None:
        """Check that Ray is installed, and that cluster and farms answer."""
        require_ray()
        require_cluster(self._cluster or "")
        if self._farms:
            FarmEngine(self._agent, self._farms, self._options).require()

    def tools_sha256(self, suite: Suite) -> dict[str, str]:
        """Return a hash of each app's tools, of the farms or of this installation."""
        if self._farms:
            return FarmEngine(self._agent, self._farms, self._options).tools_sha256(suite)
        return hash_installed(suite, self._options)

    def trials(self, work: Sequence[tuple[Task, int]]) -> Generator[Trial]:
        """Yield the line of each trial in order of completion."""
        size = _CHUNK if self._agent.name in ("oracle", "null") else 1
        # By name, as the code that a task may have cannot travel.
        named = [(f"{task.suite}/{task.id}", number) for task, number in work]
        tasks = {name: task for (name, _), (task, _) in zip(named, work, strict=True)}
        chunks = [named[at : at + size] for at in range(0, len(named), size)]
        if not chunks:
            return
        count = min(self._options.parallel, len(chunks))
        with joined(self._cluster, count) as ray:
            # ``max_task_retries`` holds a lost worker's chunk again.
            kind = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=_LOST_MAX)(RayWorker)
            farms = itertools.islice(itertools.cycle(self._farms or [None]), count)
            workers = [kind.remote(self._agent, self._options, farm, self._apps) for farm in farms]
            # A worker gets trials once it has started: a cluster may have room for fewer.
            wanted = conditions([*tasks.values()], self._options)
            running = {worker.require.remote(wanted, [*tasks]): worker for worker in workers}
            yield from self._held(ray, running, chunks)
            if self._cluster is not None:
                ray.wait([worker.close.remote() for worker in workers], num_returns=count, timeout=_CLOSE_S_MAX)

    def _held(self, ray: Any, running: dict[Any, Any], chunks: Sequence[Sequence[tuple[str, int]]]) -> Generator[Trial]:
        """Give chunks to whichever worker is free, and yield what comes back."""
        waiting, left = iter(chunks), sum(map(len, chunks))
        watch, begun = Watch(ray), time.monotonic()
        while left:
            done, _ = ray.wait(list(running), timeout=_POLL_S)  # it returns often, for Ctrl-C
            if not done:
                watch.require()
                if begun and time.monotonic() - begun > _START_S_MAX:
                    raise FarmError(f"no worker of the Ray cluster has started within {_START_S_MAX:.0f} s")
                continue
            begun, free = 0.0, running.pop(done[0])
            try:
                lines = ray.get(done[0])
            except ray.exceptions.RayError as problem:
                if isinstance(cause := getattr(problem, "cause", None), FarmError):
                    raise cause from None
                raise FarmError(f"a worker of the Ray cluster was lost: {one_line(problem)}") from None
            if (chunk := next(waiting, None)) is not None:
                running[free.trials.remote(chunk)] = free
            left -= len(lines)
            yield from lines
