"""Trials on Ray: workers of a cluster hold them, and the driver alone writes the log.

If a worker is lost, Ray starts another one, which holds the chunk again: a trial may be held twice, but it is logged
once. Docs: docs/scale.md.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Generator, Sequence
from typing import Any

from farm.benchmark.agents.base import Agent
from farm.benchmark.runner.farm_address import FarmAddress, require_farms
from farm.benchmark.runner.listed_tools import hash_tools
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.ray_cluster import Watch, failure, joined, require_cluster, require_ray
from farm.benchmark.runner.trial_line import Trial
from farm.benchmark.runner.trial_worker import Chunk, TrialWorker, chunks
from farm.benchmark.tasks import Suite, Task
from farm.errors import FarmError

_LOST_MAX = 3  # otherwise an agent that ends its worker would do so forever
_POLL_S, _CLOSE_S_MAX, _START_S_MAX = 0.2, 5.0, 300.0


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
        require_farms(self._farms)

    def tools_sha256(self, suite: Suite) -> dict[str, str]:
        """Return a hash of each app's tools, of the farms or of this installation."""
        return hash_tools(suite, self._options, self._farms)

    def trials(self, work: Sequence[tuple[Task, int]]) -> Generator[Trial]:
        """Yield the line of each trial in order of completion."""
        waiting = chunks(work, self._agent)
        if not waiting:
            return
        count = min(self._options.parallel, len(waiting))
        names = list(dict.fromkeys(name for chunk in waiting for name, _ in chunk))
        wanted = TrialWorker(self._agent, self._options).conditions(names)
        with joined(self._cluster, count) as ray:
            # ``max_task_retries`` holds a lost worker's chunk again.
            kind = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=_LOST_MAX)(TrialWorker)
            farms = itertools.islice(itertools.cycle(self._farms or [None]), count)
            workers = [kind.remote(self._agent, self._options, farm, self._apps) for farm in farms]
            # A worker gets trials once it has started: a cluster may have room for fewer.
            yield from _held(ray, {worker.require.remote(wanted, names): worker for worker in workers}, waiting)
            if self._cluster is not None:  # that goes on without us, and would end the workers without any notice
                ray.wait([worker.close.remote() for worker in workers], num_returns=count, timeout=_CLOSE_S_MAX)


def _held(ray: Any, running: dict[Any, Any], waiting: Sequence[Chunk]) -> Generator[Trial]:
    """Give chunks to whichever worker is free, and yield what comes back."""
    left, rest = sum(map(len, waiting)), iter(waiting)
    watch, start_until = Watch(ray), time.monotonic() + _START_S_MAX
    while left:
        done, _ = ray.wait(list(running), timeout=_POLL_S)  # it returns often, for Ctrl-C
        if not done:
            watch.require()
            if time.monotonic() > start_until:
                raise FarmError(f"no worker of the Ray cluster has started within {_START_S_MAX:.0f} s")
            continue
        start_until, free = math.inf, running.pop(done[0])
        try:
            lines = ray.get(done[0])
        except ray.exceptions.RayError as problem:
            raise failure(problem) from None
        if (chunk := next(rest, None)) is not None:
            running[free.trials.remote(chunk)] = free
        left -= len(lines)
        yield from lines
