"""A run: ``k`` trials of every task of a suite by one agent on one farm, each trial in its own episode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from farm._util.json_io import dumps, loads
from farm._util.plurals import pluralize
from farm.benchmark.agents.base import Agent
from farm.benchmark.runner import prompts
from farm.benchmark.runner.engine import Engine, FarmEngine
from farm.benchmark.runner.farm_address import FarmAddress
from farm.benchmark.runner.log import RunLog
from farm.benchmark.runner.manifest import manifest
from farm.benchmark.runner.menus import check_menu, check_profile
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.token_sizes import context_tokens
from farm.benchmark.runner.trial_line import Trial, graded
from farm.benchmark.scoring.evidence import Evidence
from farm.benchmark.scoring.metrics import UNSCORED, summary
from farm.benchmark.tasks import Suite
from farm.errors import FarmError


def run_suite(
    suite: Suite,
    agent: Agent,
    address: FarmAddress | None,
    options: Options = Options(),
    *,
    engine: Engine | None = None,
    out: Path | None = None,
    resume: bool = False,
    on_trial: Callable[[Trial, bool], None] = lambda *_: None,
) -> dict[str, Any]:
    """Run an agent over a suite and return the summary that ``farm run --json`` prints.

    Args:
        suite: the suite.
        agent: the agent.
        options: the options.
        address: the farm's address; None with an engine.
        engine: what holds the trials; None for threads that use the farm.
        out: folder of the run's log; None to store nothing.
        resume: resume the run in ``out``: its graded trials are not repeated.
        on_trial: called with each finished trial and whether it is new; stored trials come first.

    Raises:
        FarmError: the options or the folder are invalid, or the farm does not answer, at the start or later.
    """
    check_menu(options.menu, check_profile(options.profile))
    if options.own_prompt is None:
        prompts.text_of(options.prompt)
    engine = engine or FarmEngine(agent, [address] if address else [], options)
    engine.require()
    log = None
    if out is not None:
        log = RunLog.begin(out, manifest(suite, agent, options, engine.tools_sha256(suite)), resume=resume)
    done = {(t["task"], t["trial"]): t for t in (log.trials() if log else []) if t["outcome"] not in UNSCORED}
    wanted = [(task, number) for task in suite.tasks for number in range(options.k)]
    for task, number in wanted:
        if (task.id, number) in done:
            on_trial(done[(task.id, number)], False)
    left = [(task, number) for task, number in wanted if (task.id, number) not in done]
    with closing(engine.trials(left)) as results:
        try:
            for trial in results:
                if log:
                    log.append(trial)
                done[(trial["task"], trial["trial"])] = trial
                on_trial(trial, True)
        except FarmError as problem:
            way_on = f"; 'farm run … --out {out} --resume' goes on from there" if out else ""
            raise FarmError(
                f"{problem}; {len(done)} of {pluralize(len(wanted), 'trial')} had been held{way_on}"
            ) from None
    trials = [done[(task.id, number)] for task, number in wanted]
    return _summary(
        trials,
        agent=agent.name,
        suite=suite.name,
        sealed=agent.is_sealed,
        profile=options.profile,
        menu=options.menu,
    )


def _summary(
    trials: Sequence[Trial], *, agent: str, suite: str, sealed: bool, profile: str, menu: str
) -> dict[str, Any]:
    """Return the figures and conditions of a run; ``crashed`` counts trials in which the agent's program failed."""
    crashed = sum(trial.get("ended") == "failed" for trial in trials)
    told_wrongly = sum(bool(trial.get("told_wrongly")) for trial in trials)
    held = {"sealed": sealed, "profile": profile, "menu": menu, "crashed": crashed, "told_wrongly": told_wrongly}
    return {**summary(trials, agent=agent, suite=suite), **held, **context_tokens(trials)}


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
    return _summary(known, **{key: log.manifest[key] for key in ("agent", "suite", "sealed", "profile", "menu")})
