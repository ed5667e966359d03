"""Trials on Ray: workers of a cluster hold them, and the driver alone writes the log.

If a worker is lost, Ray starts another one, which holds the chunk again: a trial may be held twice, but it is logged
once. Docs: docs/scale.md.
"""

from __future__ import annotations

import itertools
import math
import os
import secrets
import signal
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from farm._util import sockets, temp_folders
from farm.appkit import vendor_descriptions
from farm.benchmark.agents.base import Agent
from farm.benchmark.runner.farm_address import FarmAddress, require_farms
from farm.benchmark.runner.listed_tools import hash_tools
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.trial_line import Trial
from farm.benchmark.runner.trial_worker import Chunk, TrialWorker, chunks
from farm.benchmark.tasks import Suite, Task
from farm.errors import FarmError

# Without these, Ray reports usage to its makers, and writes warnings to the terminal.
_SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
# One for a process, as Ray reads it only once; without one, Ray writes one to the home folder.
_TOKEN = os.environ.get("RAY_AUTH_TOKEN") or secrets.token_hex(32)
_LOST_MAX = 3  # otherwise an agent that ends its worker would do so forever
_POLL_S, _CLOSE_S_MAX, _START_S_MAX, _ANSWER_S_MAX = 0.5, 5.0, 300.0, 10.0


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
        if not (waiting := chunks(work, self._agent, self._options.parallel)):
            return
        count = min(self._options.parallel, len(waiting))
        names = list(dict.fromkeys(name for chunk in waiting for name, _ in chunk))
        wanted = TrialWorker(self._agent, self._options).conditions(names)
        with _joined(self._cluster, count) as ray:
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
    start_until = time.monotonic() + _START_S_MAX
    while left:
        done, _ = ray.wait(list(running), timeout=_POLL_S)  # it returns often, for Ctrl-C
        if not done:
            if time.monotonic() > start_until:
                raise FarmError(f"no worker of the Ray cluster has started within {_START_S_MAX:.0f} s")
            require_cluster(ray.get_runtime_context().gcs_address)  # in a minute, Ray would end us without a message
            continue
        start_until, free = math.inf, running.pop(done[0])
        try:
            lines = ray.get(done[0])
        except ray.exceptions.RayError as problem:
            lost = FarmError(f"a worker of the Ray cluster was lost: {_one_line(problem)}")
            cause = getattr(problem, "cause", None)
            raise (cause if isinstance(cause, FarmError) else lost) from None
        if (chunk := next(rest, None)) is not None:
            running[free.trials.remote(chunk)] = free
        left -= len(lines)
        yield from lines


def require_ray() -> Any:
    """Return the module ``ray``; raise FarmError if it is not installed."""
    os.environ.update({**_SETTINGS, **os.environ})
    try:
        import ray
    except ImportError:
        raise FarmError("Ray is not installed; install mcp-farm with its extra: pip install 'mcp-farm[ray]'") from None
    return ray


def require_cluster(address: str) -> None:
    """Raise FarmError if nothing listens at an address, as Ray tries for minutes; ``auto`` and URLs are Ray's."""
    host, _, port = address.rpartition(":")
    is_plain = host and port.isdecimal() and "/" not in host
    if is_plain and (problem := sockets.refusal(host, int(port), _ANSWER_S_MAX)):
        raise FarmError(f"no Ray cluster at {address}: {problem}")


@contextmanager
def _joined(address: str | None, workers: int) -> Iterator[Any]:
    """Join the cluster at an address, such as ``auto``, and yield ``ray``; None starts a cluster for some workers."""
    ray, variables = require_ray(), ("FARM_CONTENT", vendor_descriptions.VARIABLE)
    with ExitStack() as stack:
        if address is None:
            # What the cluster's processes write is in the folder: both end with it, or are removed by the next run.
            folder = stack.enter_context(temp_folders.scratch("farm-ray-", is_for_sockets=True))
            stack.enter_context(temp_folders.marking(folder, TMPDIR=str(folder), RAY_AUTH_TOKEN=_TOKEN))
            place = {"_temp_dir": str(folder), "_node_ip_address": "127.0.0.1"}
            settings = {"address": "local", "num_cpus": workers, "include_dashboard": False, **place}
        else:  # it runs in another environment than ours
            passed_on = {name: os.environ[name] for name in variables if name in os.environ}
            settings = {"address": address, "runtime_env": {"env_vars": passed_on}}
        handler = signal.getsignal(signal.SIGTERM)
        try:
            ray.init(log_to_driver=False, logging_level="CRITICAL", **settings)
        except Exception as problem:  # of many kinds
            raise FarmError(f"no Ray cluster at {address or 'this machine'}: {_one_line(problem)}") from None
        finally:
            with suppress(ValueError):  # in a thread, where Ray leaves it alone
                signal.signal(signal.SIGTERM, handler)
        try:
            yield ray
        finally:  # leaving takes Ray seconds: after Ctrl-C it leaves when the process ends
            if not isinstance(sys.exception(), KeyboardInterrupt | GeneratorExit):
                ray.shutdown()


def _one_line(problem: BaseException) -> str:
    """Return Ray's message in one line: the first line says what happened, and the last one often why."""
    lines = [line for each in str(problem).splitlines() if (line := each.strip(" :;."))] or [repr(problem)]
    return "; ".join(dict.fromkeys((lines[0], lines[-1])))
