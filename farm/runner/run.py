"""A run: every task of a suite, so many times, by one agent, on one farm; each trial an episode of its own."""

from __future__ import annotations

import secrets
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from farm.agents.base import Agent, Job, Limits, Result
from farm.agents.scripted import Oracle
from farm.app import LATEST
from farm.client import FarmClient
from farm.counted import counted
from farm.errors import FarmError
from farm.loose_json import parse_exact, print_exact
from farm.runner import prompts
from farm.runner.expected import ExpectedCalls, Turns
from farm.runner.log import RunLog
from farm.runner.manifest import manifest
from farm.runner.menus import check_menu, check_profile, shown
from farm.runner.sizes import context_tokens, menu_tokens
from farm.runner.target import FarmAddress, WireSession, open_session
from farm.runner.workers import Workers
from farm.score.call_metrics import FREE_TEXTS, ToolUse, is_efficient, is_finished, reading_tools
from farm.score.evidence import Evidence, TaskScore
from farm.score.grade import grade
from farm.score.initial_state import load_start
from farm.score.metrics import outcome_of, summary
from farm.task import Suite, Task

Trial = dict[str, Any]


# A gateway that was killed is back sooner, a farm that is started anew mostly.
AWAY_S_MAX = 30.0
_ASK_AGAIN_S = 0.5


@dataclass(frozen=True)
class Options:
    """How a run is held.

    Attributes:
        k: trials of each task.
        menu: which tools an agent is shown (``farm.runner.menus``).
        seed: of the first trial; the n-th has ``seed + n``.
        calls_max: instead of each task's own limit.
        unnecessary: tell the agent what does not matter, too.
        profile: the state in time that apps which know it are played in.
    """

    k: int = 1
    parallel: int = 4
    menu: str = "selected"
    seed: int = 0
    prompt: str = prompts.DEFAULT
    rounds_max: int = 20
    time_s_max: float = 600.0
    calls_max: int | None = None
    unnecessary: bool = False
    profile: str = LATEST


def run_suite(
    suite: Suite,
    agent: Agent,
    address: FarmAddress,
    options: Options = Options(),
    *,
    out: Path | None = None,
    resume: bool = False,
    on_trial: Callable[[Trial, bool], None] = lambda *_: None,
) -> dict[str, Any]:
    """Run an agent over a suite and return the summary ``farm run --json`` prints.

    Args:
        address: the farm's.
        out: folder of the run's log; None keeps nothing.
        resume: go on with the run in ``out``: what is graded there is not run again.
        on_trial: told of each finished trial, and whether it is new: those that were there already come first.

    Raises:
        FarmError: the options or the folder are not usable, or the farm does not answer, now or later in the run.
    """
    check_menu(options.menu, check_profile(options.profile))
    prompts.text_of(options.prompt)
    with closing(address.client()) as client:
        client.episodes()
        log = RunLog.begin(out, manifest(suite, agent, options, client), resume=resume) if out else None
    done = {(t["task"], t["trial"]): t for t in (log.trials() if log else []) if t["outcome"] != "not_graded"}
    wanted = [(task, number) for task in suite.tasks for number in range(options.k)]
    for task, number in wanted:
        if (task.id, number) in done:
            on_trial(done[(task.id, number)], False)
    left = [(task, number) for task, number in wanted if (task.id, number) not in done]
    runner = _Runner(agent, address, options)
    workers = Workers([partial(runner.trial, task, number) for task, number in left], options.parallel)
    runner.cancelled = workers.cancelled
    # Closed at once also when broken off: it clears up before the farm under it goes.
    with closing(runner), closing(workers.results()) as results:
        try:
            for trial in results:
                if log:
                    log.append(trial)
                done[(trial["task"], trial["trial"])] = trial
                on_trial(trial, True)
        except FarmGone as problem:
            way_on = f"; 'farm run … --out {out} --resume' goes on from there" if out else ""
            raise FarmError(
                f"{problem}; {len(done)} of {counted(len(wanted), 'trial')} had been held{way_on}"
            ) from None
    trials = [done[(task.id, number)] for task, number in wanted]
    return _summary(trials, agent=agent.name, suite=suite.name, sealed=agent.is_sealed, profile=options.profile)


def _summary(trials: Sequence[Trial], *, agent: str, suite: str, sealed: bool, profile: str) -> dict[str, Any]:
    """Return the figures of a run and how it was held; ``crashed``: trials the agent's program did not get through."""
    crashed = sum(trial.get("ended") == "failed" for trial in trials)
    held = {"sealed": sealed, "profile": profile, "crashed": crashed}
    return {**summary(trials, agent=agent, suite=suite), **held, **context_tokens(trials)}


class FarmGone(FarmError):
    """A farm has stopped answering in the middle of a run."""


class _Runner:
    """Holds trials, on any thread."""

    def __init__(self, agent: Agent, address: FarmAddress, options: Options) -> None:
        self._agent = agent
        self._address = address
        self._options = options
        self.cancelled = threading.Event()
        self._local = threading.local()
        self._clients: list[FarmClient] = []
        self._expected = ExpectedCalls()

    def _client(self) -> FarmClient:
        if not hasattr(self._local, "client"):
            self._local.client = self._address.client()
            self._clients.append(self._local.client)
        client: FarmClient = self._local.client
        return client

    def close(self) -> None:
        """Close the connections of every thread."""
        for client in self._clients:
            client.close()

    def _open(self, task: Task, number: int, menu: str, limits: Limits | None = None) -> WireSession:
        apps, tools = shown(task, menu, self._options.seed, self._options.profile)
        return open_session(
            self._client(),
            world=task.world,
            apps=apps,
            menu=tools,
            profile=self._options.profile,
            seed=self._options.seed + number,
            now=task.now,
            me=task.me,
            label=f"{self._agent.name} {task.id} {number}",
            calls_max=limits and limits.calls_max,
            expires_at=limits and limits.deadline and limits.deadline.isoformat(),
        )

    def trial(self, task: Task, number: int) -> Trial:
        """Hold one trial and return its line of the log; what fails on our side makes it ``not_graded``."""
        head = {"task": task.id, "trial": number, "category": task.category, "seed": self._options.seed + number}
        started = time.monotonic()
        try:
            limits = self._limits(task)
            session = self._open(task, number, self._options.menu, limits)
            try:
                return head | self._played(task, number, session, limits, started)
            finally:
                session.close()
        except FarmError as problem:
            self._require_farm(str(problem))
            return head | not_graded(str(problem), time.monotonic() - started)
        except Exception:
            # The boundary to other people's agents: whatever they raise belongs in the log, not in our face.
            return head | not_graded(traceback.format_exc(limit=-3), time.monotonic() - started)

    def _require_farm(self, why: str) -> None:
        """Wait for a farm that has failed a trial: without it the trials that are left would all fail at once.

        Raises:
            FarmGone: it has not come back.
        """
        until = time.monotonic() + AWAY_S_MAX
        while not self.cancelled.is_set():
            try:
                with closing(self._address.client()) as client:
                    client.episodes()
                return
            except FarmError:
                if time.monotonic() >= until:
                    self.cancelled.set()
                    raise FarmGone(f"the farm has not answered for {AWAY_S_MAX:.0f} s: {why}") from None
            self.cancelled.wait(_ASK_AGAIN_S)

    def _limits(self, task: Task) -> Limits:
        options = self._options
        deadline = datetime.now(UTC) + timedelta(seconds=options.time_s_max)
        return Limits(options.calls_max or task.calls_max, options.rounds_max, options.time_s_max, deadline)

    def _played(self, task: Task, number: int, session: WireSession, limits: Limits, started: float) -> Trial:
        options = self._options
        job = Job(
            task,
            prompts.system_prompt(options.prompt, task, session.now, limits),
            prompts.instruction(task, with_unnecessary=options.unnecessary),
            session,
            limits,
            # Not the task's id: that says what to look out for.
            secrets.token_hex(8),
            self.cancelled,
        )
        result = self._agent.play(job)
        time_s = time.monotonic() - started
        calls, changes, over_limit = session.calls(), session.changes(), session.over_limit()
        now = datetime.fromisoformat(session.now)
        evidence = Evidence(changes.diff, calls, result.answer, now, changes.churn)
        # An agent may keep its own count and stop where the next call would have been one too many.
        end = "over_limit" if over_limit > 0 or result.ended == "calls" else result.ended
        return {
            **graded(task, evidence, end),
            **self._call_scores(task, number, result, calls),
            "id": job.trial,
            "answer": result.answer,
            "ended": result.ended,
            "over_limit": over_limit,
            "models": list(result.models),
            "finish_reasons": list(result.finish_reasons),
            "usage": None if result.usage is None else asdict(result.usage),
            "menu_tokens": menu_tokens(shown(task, options.menu, options.seed, options.profile), options.profile),
            "time_s": round(time_s, 3),
            "now": session.now,
            "turns": None if result.turns is None else [[list(call) for call in turn] for turn in result.turns],
            "calls": calls,
            "diff": changes.diff,
            "done_and_undone": changes.churn,
            "transcript": list(result.transcript),
        }

    def _call_scores(self, task: Task, number: int, result: Result, calls: Sequence[Any]) -> Trial:
        """Return TFS and TEFS of a trial: whether the expected calls were made, and in the expected turns."""
        weight = sum(len(step) for step in task.oracle)
        made = [(f"{call['app']}.{call['tool']}", call["arguments"] or {}) for call in calls]
        names = {f"{call.app}.{call.tool}" for step in task.oracle for call in step}
        if not names <= {name for name, _ in made}:
            return {"weight": weight, "tfs": False, "tefs": None if result.turns is None else False}
        expected = self._expected_calls(task, number)
        skip = reading_tools(task.apps)
        flat = [call for step in expected for call in step]
        finished = is_finished(flat, made, skip=skip, free=FREE_TEXTS)
        if result.turns is None:
            return {"weight": weight, "tfs": finished, "tefs": None}
        turns = [[(f"{app}.{tool}", given) for app, tool, given in turn] for turn in result.turns if turn]
        return {
            "weight": weight,
            "tfs": finished,
            "tefs": is_efficient(expected, turns, skip=skip, free=FREE_TEXTS),
        }

    def _expected_calls(self, task: Task, number: int) -> list[list[ToolUse]]:
        """Return the oracle's calls with every id filled in, as an episode with the same seed has them."""

        def play() -> Turns:
            session = self._open(task, number, "selected")
            try:
                return Oracle().play(Job(task, "", "", session, Limits(task.calls_max))).turns or ()
            finally:
                session.close()

        seed = self._options.seed + number
        return self._expected.of(task, seed=seed, profile=self._options.profile, play=play)


def graded(task: Task, evidence: Evidence, end: str) -> Trial:
    """Return the part of a trial's line that is the verdict; some ends are outcomes themselves."""
    score: TaskScore = grade(task, evidence, load_start(task.world))
    return {
        "outcome": outcome_of(score.acc, bool(score.damage), end),
        "acc": score.acc,
        "exec_acc": score.exec_acc,
        "checkpoints": [asdict(each) for each in score.checkpoints],
        "damage": [asdict(each) for each in score.damage],
        "churn": [asdict(each) for each in score.churn],
    }


def not_graded(why: str, time_s: float) -> Trial:
    """Return the line of a trial that could not be held."""
    return {
        "outcome": "not_graded",
        "error": why,
        "acc": None,
        "exec_acc": None,
        "checkpoints": [],
        "damage": [],
        "churn": [],
        "weight": 0,
        "tfs": None,
        "tefs": None,
        "usage": None,
        "time_s": round(time_s, 3),
        "calls": [],
    }


def rescore(log: RunLog, suite: Suite) -> dict[str, Any]:
    """Grade a run's stored rows, calls and answers by the tasks as they are now; verdicts that change are appended.

    Raises:
        FarmError: a task of the run is gone.
    """
    trials = []
    for trial in log.trials():
        if trial["outcome"] != "not_graded":
            now = datetime.fromisoformat(trial["now"])
            evidence = Evidence(trial["diff"], trial["calls"], trial["answer"], now, trial["done_and_undone"])
            # As the log has it, where a tuple is a list: else every verdict that has one would seem to have changed.
            verdict = parse_exact(print_exact(graded(suite.task(trial["task"]), evidence, trial["outcome"])))
            if any(trial[key] != value for key, value in verdict.items()):
                trial |= verdict | {"rescored_at": datetime.now(UTC).isoformat(timespec="seconds")}
                log.append(trial)
        trials.append(trial)
    return report(log, trials)


def report(log: RunLog, trials: Sequence[Trial] | None = None) -> dict[str, Any]:
    """Return the summary of a run that is over."""
    known = log.trials() if trials is None else trials
    return _summary(known, **{key: log.manifest[key] for key in ("agent", "suite", "sealed", "profile")})
