"""Holds trials one by one, and tells failures of the farm, of a model and of an agent's code apart."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable

from farm.benchmark.agents.base import Agent, EndpointError
from farm.benchmark.agents.waking import play_turns
from farm.benchmark.runner.episode_source import EpisodeSource
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.play import Play
from farm.benchmark.runner.trial_line import Trial, endpoint_failed, not_graded
from farm.benchmark.tasks import Task
from farm.errors import FarmError

# A killed gateway is back sooner, and a restarted farm in most cases.
AWAY_S_MAX = 30.0
_ASK_AGAIN_S = 0.5


class FarmGoneError(FarmError):
    """A farm has stopped answering during a run."""


class TrialRunner:
    """Holds trials, on any thread."""

    def __init__(
        self, agent: Agent, options: Options, source: Callable[[], EpisodeSource], cancelled: threading.Event
    ) -> None:
        """Hold trials of an agent.

        Args:
            agent: the agent.
            options: the options of the run.
            source: returns what creates episodes for the calling thread; it is used for several trials.
            cancelled: set when results are no longer needed.
        """
        self._agent = agent
        self._options = options
        self._source = source
        self._cancelled = cancelled

    def trial(self, task: Task, number: int) -> Trial:
        """Hold one trial and return its line; failures of the farm make it ``not_graded``.

        Raises:
            FarmGoneError: the farm has stopped answering.
        """
        head = {"task": task.id, "trial": number, "category": task.category, "seed": self._options.seed + number}
        started = time.monotonic()
        try:
            with self._play(task, number) as play:
                result = play_turns(self._agent, play.assignment(cancelled=self._cancelled))
                return {**play.finish_result(result), "trial": number}
        except EndpointError as problem:
            return head | endpoint_failed(task, str(problem), time.monotonic() - started)
        except FarmError as problem:
            self._require_farm(str(problem))
            return head | not_graded(str(problem), time.monotonic() - started)
        except Exception:
            # Foreign agents may raise anything; it belongs in the log.
            return head | not_graded(traceback.format_exc(limit=-3), time.monotonic() - started)

    def _require_farm(self, why: str) -> None:
        """Wait for a farm that failed a trial: otherwise the remaining trials would all fail at once.

        Raises:
            FarmGoneError: the farm has not come back.
        """
        until = time.monotonic() + AWAY_S_MAX
        while not self._cancelled.is_set():
            try:
                self._source().require()
                return
            except FarmError:
                if time.monotonic() >= until:
                    self._cancelled.set()
                    raise FarmGoneError(f"the farm has not answered for {AWAY_S_MAX:.0f} s: {why}") from None
            self._cancelled.wait(_ASK_AGAIN_S)

    def _play(self, task: Task, number: int) -> Play:
        options = self._options
        return Play(
            task,
            options.seed + number,
            source=self._source(),
            menu=options.menu,
            menu_seed=options.seed,
            profile=options.profile,
            prompt=options.prompt,
            answers=options.answers,
            unnecessary=options.context == "+unnecessary",
            named=options.context == "+named",
            paragraphs=options.paragraphs,
            own_prompt=options.own_prompt,
            skills=options.skills,
            calls_max=sum(map(len, task.oracle)) if options.calls_max == "oracle" else options.calls_max,
            rounds_max=options.rounds_max,
            time_s_max=options.time_s_max,
            label=f"{self._agent.name} {task.id} {number}",
        )
