"""Trials in other processes than the run's: their engine sends chunks of trials, by name, to workers like itself."""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property

from farm import __version__
from farm.benchmark.agents.base import Agent
from farm.benchmark.runner.episode_source import EpisodeSource, FarmSource, HostSource
from farm.benchmark.runner.farm_address import FarmAddress, own_farm
from farm.benchmark.runner.listed_tools import hash_installed
from farm.benchmark.runner.local_host import LocalHost
from farm.benchmark.runner.manifest import hash_tasks
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.trial_line import Trial
from farm.benchmark.runner.trials import TrialRunner
from farm.benchmark.scoring.expectations import require_task
from farm.benchmark.tasks import Suite, Task
from farm.errors import ConflictError

# A chunk is held again if its worker is lost, which costs money with a model: other agents' chunks are single trials.
_CHUNK, _EACH = 24, 4
Chunk = Sequence[tuple[str, int]]


def chunks(work: Sequence[tuple[Task, int]], agent: Agent, workers: int) -> list[Chunk]:
    """Return trials as workers hold them: by name, as the code that a task may have cannot travel.

    Each worker gets several chunks, so that all of them end at about the same time.
    """
    size = max(1, min(_CHUNK, len(work) // (_EACH * workers))) if agent.name in ("oracle", "null") else 1
    named = [(f"{task.suite}/{task.id}", number) for task, number in work]
    return [named[at : at + size] for at in range(0, len(named), size)]


class TrialWorker:
    """Holds trials in one process; several processes, each with a worker, hold a run."""

    def __init__(
        self, agent: Agent, options: Options, address: FarmAddress | None = None, apps: Sequence[str] = ()
    ) -> None:
        """Start nothing yet.

        Args:
            agent: the agent.
            options: the options of the run.
            address: a farm for the episodes; None for worlds in this process, or, for an agent that connects to the
                apps itself, a farm of the worker's own.
            apps: the apps of that farm.
        """
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

    def conditions(self, names: Sequence[str]) -> dict[str, str]:
        """Return what must be equal in every process: the farm's version, and hashes of tasks and their tools."""
        suite = Suite("", "", tuple(map(require_task, names)))
        tasks = {f"the task {task}": each for task, each in hash_tasks(suite).items()}
        tools = {f"the tools of {app}": each for app, each in hash_installed(suite, self._options).items()}
        return {"mcp-farm": __version__, **tasks, **tools}

    def require(self, wanted: Mapping[str, str], names: Sequence[str]) -> list[Trial]:
        """Check that this process has the conditions of another one; return no trials.

        Raises:
            ConflictError: something differs.
            NotFoundError: there is no such task here.
        """
        have = self.conditions(names)
        for what in wanted:
            if have.get(what) != wanted[what]:
                other = f"{what} is {have.get(what)} on {socket.gethostname()}, {wanted[what]} here"
                raise ConflictError(f"a worker differs: {other}; install the same farm on both")
        return []

    def trials(self, chunk: Chunk) -> list[Trial]:
        """Return the lines of some trials, each given by its task's name and its number."""
        return [self._runner.trial(require_task(name), number) for name, number in chunk]

    def close(self) -> None:
        """Remove the worlds or the farm."""
        self._stack.close()
