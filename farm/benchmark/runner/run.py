"""A run: ``k`` trials of every task of a suite by one agent on one farm, each trial in its own episode."""

from __future__ import annotations

import secrets
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from farm._util.json_io import dumps, loads
from farm._util.plurals import pluralize
from farm.benchmark.agents.base import Agent, Assignment, EndpointError, Result, TrialLimits
from farm.benchmark.agents.scripted import Oracle
from farm.benchmark.runner import prompts, told
from farm.benchmark.runner.expected_calls import ExpectedCalls, Turns
from farm.benchmark.runner.farm_address import FarmAddress, WireSession, open_session
from farm.benchmark.runner.log import RunLog
from farm.benchmark.runner.manifest import manifest
from farm.benchmark.runner.menus import check_menu, check_profile, chosen_tools
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.token_sizes import context_tokens, menu_tokens
from farm.benchmark.runner.workers import Workers
from farm.benchmark.scoring.call_metrics import FREE_TEXTS, ToolUse, is_efficient, is_finished, reading_tools
from farm.benchmark.scoring.evidence import Evidence, TaskScore
from farm.benchmark.scoring.grade import grade
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.metrics import UNSCORED, outcome_of, summary
from farm.benchmark.tasks import Suite, Task
from farm.client import FarmClient
from farm.errors import FarmError

Trial = dict[str, Any]


# A killed gateway is back sooner, and a restarted farm in most cases.
AWAY_S_MAX = 30.0
_ASK_AGAIN_S = 0.5


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
    """Run an agent over a suite and return the summary that ``farm run --json`` prints.

    Args:
        suite: the suite.
        agent: the agent.
        options: the options.
        address: the farm's address.
        out: folder of the run's log; None to store nothing.
        resume: resume the run in ``out``: its graded trials are not repeated.
        on_trial: called with each finished trial and whether it is new; stored trials come first.

    Raises:
        FarmError: the options or the folder are invalid, or the farm does not answer, at the start or later.
    """
    check_menu(options.menu, check_profile(options.profile))
    prompts.text_of(options.prompt)
    with closing(address.client()) as client:
        client.episodes()
        log = RunLog.begin(out, manifest(suite, agent, options, client), resume=resume) if out else None
    done = {(t["task"], t["trial"]): t for t in (log.trials() if log else []) if t["outcome"] not in UNSCORED}
    wanted = [(task, number) for task in suite.tasks for number in range(options.k)]
    for task, number in wanted:
        if (task.id, number) in done:
            on_trial(done[(task.id, number)], False)
    left = [(task, number) for task, number in wanted if (task.id, number) not in done]
    runner = _Runner(agent, address, options)
    workers = Workers([partial(runner.trial, task, number) for task, number in left], options.parallel)
    runner.cancelled = workers.cancelled
    # Closed immediately, also on interruption: cleanup must precede the end of the farm.
    with closing(runner), closing(workers.results()) as results:
        try:
            for trial in results:
                if log:
                    log.append(trial)
                done[(trial["task"], trial["trial"])] = trial
                on_trial(trial, True)
        except FarmGoneError as problem:
            way_on = f"; 'farm run … --out {out} --resume' goes on from there" if out else ""
            raise FarmError(
                f"{problem}; {len(done)} of {pluralize(len(wanted), 'trial')} had been held{way_on}"
            ) from None
    trials = [done[(task.id, number)] for task, number in wanted]
    return _summary(trials, agent=agent.name, suite=suite.name, sealed=agent.is_sealed, profile=options.profile)


def _summary(trials: Sequence[Trial], *, agent: str, suite: str, sealed: bool, profile: str) -> dict[str, Any]:
    """Return the figures and conditions of a run; ``crashed`` counts trials in which the agent's program failed."""
    crashed = sum(trial.get("ended") == "failed" for trial in trials)
    told_wrongly = sum(bool(trial.get("told_wrongly")) for trial in trials)
    held = {"sealed": sealed, "profile": profile, "crashed": crashed, "told_wrongly": told_wrongly}
    return {**summary(trials, agent=agent, suite=suite), **held, **context_tokens(trials)}


class FarmGoneError(FarmError):
    """A farm has stopped answering during a run."""


class _Runner:
    """Runs trials, on any thread."""

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

    def _open(self, task: Task, number: int, menu: str, limits: TrialLimits | None = None) -> WireSession:
        apps, tools = chosen_tools(task, menu, self._options.seed, self._options.profile)
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
        """Run one trial and return its line of the log; failures of the farm or a model make it ``not_graded``."""
        head = {"task": task.id, "trial": number, "category": task.category, "seed": self._options.seed + number}
        started = time.monotonic()
        try:
            limits = self._limits(task)
            session = self._open(task, number, self._options.menu, limits)
            try:
                return head | self._played(task, number, session, limits, started)
            finally:
                session.close()
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
        while not self.cancelled.is_set():
            try:
                with closing(self._address.client()) as client:
                    client.episodes()
                return
            except FarmError:
                if time.monotonic() >= until:
                    self.cancelled.set()
                    raise FarmGoneError(f"the farm has not answered for {AWAY_S_MAX:.0f} s: {why}") from None
            self.cancelled.wait(_ASK_AGAIN_S)

    def _limits(self, task: Task) -> TrialLimits:
        options = self._options
        deadline = datetime.now(UTC) + timedelta(seconds=options.time_s_max)
        return TrialLimits(options.calls_max or task.calls_max, options.rounds_max, options.time_s_max, deadline)

    def _played(self, task: Task, number: int, session: WireSession, limits: TrialLimits, started: float) -> Trial:
        options = self._options
        job = Assignment(
            task,
            prompts.system_prompt(options.prompt, task, session.now, limits),
            prompts.instruction(task, with_unnecessary=options.unnecessary, answers=options.answers),
            session,
            limits,
            # Not the task's id, which would be a hint to the agent.
            secrets.token_hex(8),
            self.cancelled,
            options.answers,
        )
        result = self._agent.play(job)
        time_s = time.monotonic() - started
        calls, changes, over_limit = session.calls(), session.changes(), session.over_limit()
        now = datetime.fromisoformat(session.now)
        evidence = Evidence(changes.diff, calls, result.answer, now, changes.reverted, options.answers)
        turns = _held_turns(result, calls)
        tokens = told.find_token_problem(result, calls) if result.is_told else ""
        # An agent may count its calls and stop before the first one over the limit.
        end = "over_limit" if over_limit > 0 or result.ended == "calls" else result.ended
        return {
            **graded(task, evidence, end),
            **self._call_scores(task, number, None if turns is None else turns.turns, calls),
            "told_wrongly": [each for each in (turns.problem if turns else "", tokens) if each],
            "tokens_refuted": bool(tokens),
            "id": job.trial,
            "answer": result.answer,
            "ended": result.ended,
            "over_limit": over_limit,
            "models": list(result.models),
            "finish_reasons": list(result.finish_reasons),
            "usage": None if result.usage is None else asdict(result.usage),
            "menu_tokens": menu_tokens(
                chosen_tools(task, options.menu, options.seed, options.profile), options.profile
            ),
            "time_s": round(time_s, 3),
            "now": session.now,
            "turns": None if result.turns is None else [[list(call) for call in turn] for turn in result.turns],
            "calls": calls,
            "diff": changes.diff,
            "reverted_rows": changes.reverted,
            "transcript": list(result.transcript),
        }

    def _call_scores(self, task: Task, number: int, turns: told.Turns | None, calls: Sequence[Any]) -> Trial:
        """Return TFS and TEFS of a trial: whether the expected calls were made, and in the expected turns."""
        weight = sum(len(step) for step in task.oracle)
        made = [(f"{call['app']}.{call['tool']}", call["arguments"] or {}) for call in calls]
        names = {f"{call.app}.{call.tool}" for step in task.oracle for call in step}
        if not names <= {name for name, _ in made}:
            return {"weight": weight, "tfs": False, "tefs": None if turns is None else False}
        expected = self._expected_calls(task, number)
        skip = reading_tools(task.apps)
        flat = [call for step in expected for call in step]
        finished = is_finished(flat, made, skip=skip, free=FREE_TEXTS)
        if turns is None:
            return {"weight": weight, "tfs": finished, "tefs": None}
        return {
            "weight": weight,
            "tfs": finished,
            "tefs": is_efficient(expected, turns, skip=skip, free=FREE_TEXTS),
        }

    def _expected_calls(self, task: Task, number: int) -> list[list[ToolUse]]:
        """Return the oracle's calls with every id filled in for an episode with the same seed."""

        def play() -> Turns:
            session = self._open(task, number, "selected")
            try:
                return Oracle().play(Assignment(task, "", "", session, TrialLimits(task.calls_max))).turns or ()
            finally:
                session.close()

        seed = self._options.seed + number
        return self._expected.calls_for(task, seed=seed, profile=self._options.profile, play=play)


def _held_turns(result: Result, calls: Sequence[Any]) -> told.HeldTurns | None:
    """Return an agent's turns; those that it told are held against the trace. None if turns are unknown."""
    if result.turns is None:
        return None
    if result.is_told:
        return told.hold_turns(result.turns, calls)
    return told.HeldTurns([[(f"{app}.{tool}", given) for app, tool, given in turn] for turn in result.turns if turn])


def graded(task: Task, evidence: Evidence, end: str) -> Trial:
    """Return the verdict for a trial's line; some ends are outcomes themselves."""
    score: TaskScore = grade(task, evidence, load_start(task.world))
    return {
        "outcome": outcome_of(score.acc, bool(score.damage), end),
        "acc": score.acc,
        "exec_acc": score.exec_acc,
        "checkpoints": [asdict(each) for each in score.checkpoints],
        "damage": [asdict(each) for each in score.damage],
        "reverted": [asdict(each) for each in score.reverted],
    }


def not_graded(why: str, time_s: float) -> Trial:
    """Return the line of a trial that could not be run."""
    return {
        "outcome": "not_graded",
        "error": why,
        "acc": None,
        "exec_acc": None,
        "checkpoints": [],
        "damage": [],
        "reverted": [],
        "weight": 0,
        "tfs": None,
        "tefs": None,
        "usage": None,
        "time_s": round(time_s, 3),
        "calls": [],
    }


def endpoint_failed(task: Task, why: str, time_s: float) -> Trial:
    """Return the line of a trial whose model did not answer: a failure, as an endpoint could choose its trials."""
    failed = {"acc": 0.0, "exec_acc": 0.0, "weight": sum(map(len, task.oracle)), "tfs": False, "tefs": False}
    return not_graded(why, time_s) | {"outcome": "endpoint_failed"} | failed


def rescore(log: RunLog, suite: Suite) -> dict[str, Any]:
    """Grade a run's stored rows, calls and answers by the current tasks; append changed verdicts.

    Raises:
        FarmError: a task of the run no longer exists.
    """
    trials = []
    for trial in log.trials():
        if trial["outcome"] not in UNSCORED:
            now = datetime.fromisoformat(trial["now"])
            # A run of before the sheets asked for prose.
            asked = log.manifest.get("answers", "prose")
            evidence = Evidence(trial["diff"], trial["calls"], trial["answer"], now, trial["reverted_rows"], asked)
            # In the log's form, in which a tuple is a list: otherwise every verdict with one would seem changed.
            verdict = loads(dumps(graded(suite.task(trial["task"]), evidence, trial["outcome"])))
            if any(trial[key] != value for key, value in verdict.items()):
                trial |= verdict | {"rescored_at": datetime.now(UTC).isoformat(timespec="seconds")}
                log.append(trial)
        trials.append(trial)
    return report(log, trials)


def report(log: RunLog, trials: Sequence[Trial] | None = None) -> dict[str, Any]:
    """Return the summary of a finished run."""
    known = log.trials() if trials is None else trials
    return _summary(known, **{key: log.manifest[key] for key in ("agent", "suite", "sealed", "profile")})
