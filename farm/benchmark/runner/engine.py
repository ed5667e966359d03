"""Engines: what holds the trials of a run concurrently. The one here uses threads and one or several farms."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Generator, Sequence
from contextlib import closing
from functools import partial
from typing import Protocol

from farm.benchmark.agents.base import Agent
from farm.benchmark.runner.episode_source import FarmSource
from farm.benchmark.runner.farm_address import FarmAddress, require_farms
from farm.benchmark.runner.listed_tools import hash_tools
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.trial_line import Trial
from farm.benchmark.runner.trials import TrialRunner
from farm.benchmark.runner.workers import Workers
from farm.benchmark.tasks import Suite, Task
from farm.client import FarmClient
from farm.errors import FarmError


class Engine(Protocol):
    """Holds the trials of a run."""

    def require(self) -> None:
        """Check that trials can be held.

        Raises:
            FarmError: a farm does not answer.
        """

    def tools_sha256(self, suite: Suite) -> dict[str, str]:
        """Return a hash of each app's tools in the form that an agent receives.

        Raises:
            FarmError: a farm does not answer.
        """

    def trials(self, work: Sequence[tuple[Task, int]]) -> Generator[Trial]:
        """Yield the line of each trial (task and number) in order of completion; closing it cancels the rest.

        Raises:
            FarmGoneError: a farm has stopped answering.
        """


class FarmEngine:
    """Holds trials on threads; their episodes are on one or several farms."""

    def __init__(self, agent: Agent, addresses: Sequence[FarmAddress], options: Options) -> None:
        """Use farms in turn, each by the same number of threads."""
        if not addresses:
            raise FarmError("a run needs a farm")
        self._agent = agent
        self._options = options
        self._addresses = addresses
        self._turns = itertools.cycle(addresses)
        self._local = threading.local()
        self._clients: list[FarmClient] = []

    def require(self) -> None:
        """Check that every farm answers."""
        require_farms(self._addresses)

    def tools_sha256(self, suite: Suite) -> dict[str, str]:
        """Return a hash of each app's tools, which must be the same on every farm."""
        return hash_tools(suite, self._options, self._addresses)

    def trials(self, work: Sequence[tuple[Task, int]]) -> Generator[Trial]:
        """Yield the line of each trial in order of completion."""
        cancelled = threading.Event()
        runner = TrialRunner(self._agent, self._options, self._source, cancelled)
        workers = Workers([partial(runner.trial, *each) for each in work], self._options.parallel, cancelled)
        # Closed immediately, also on interruption: cleanup must precede the end of the farm.
        with closing(workers.results()) as results:
            try:
                yield from results
            finally:
                results.close()
                for client in self._clients:
                    client.close()

    def _source(self) -> FarmSource:
        """Return the source of the calling thread, which keeps its farm and its connection."""
        if not hasattr(self._local, "source"):
            address = next(self._turns)
            client = address.client()
            self._clients.append(client)
            self._local.source = FarmSource(address, client)
        source: FarmSource = self._local.source
        return source
