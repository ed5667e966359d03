"""A trial's line in the log of a run: its verdict, its figures on calls, and what it consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from farm.benchmark.agents.base import Result
from farm.benchmark.runner import told
from farm.benchmark.runner.menus import EpisodeMenu, shown_tools
from farm.benchmark.runner.token_sizes import menu_tokens
from farm.benchmark.scoring.call_metrics import Leniency, ToolUse, is_efficient, is_finished
from farm.benchmark.scoring.evidence import Evidence, TaskScore
from farm.benchmark.scoring.grade import grade
from farm.benchmark.scoring.initial_state import Start
from farm.benchmark.scoring.metrics import outcome_of
from farm.benchmark.scoring.reading_budget import ReadingBudget
from farm.benchmark.scoring.task_start import start_of_task
from farm.benchmark.tasks import Task
from farm.context.trace import Call, failed_as_planned

Trial = dict[str, Any]
Steps = Sequence[Sequence[ToolUse]]
_Use = TypeVar("_Use")


@dataclass(frozen=True)
class Conditions:
    """The conditions of a trial.

    Attributes:
        seed: the seed of the episode.
        now: the simulated time of the start.
        profile: the version of the apps.
        menu: the apps and tools that the agent was shown.
        over_limit: the number of calls refused as over the limit.
        start: the rows at the start; None for the world's.
    """

    seed: int
    now: str
    profile: str
    menu: EpisodeMenu
    over_limit: int = 0
    start: Start | None = None


def trial_line(
    task: Task,
    evidence: Evidence,
    result: Result,
    held: Conditions,
    expected: Callable[[], Steps],
    budget: ReadingBudget | None = None,
) -> Trial:
    """Grade a trial and return its line.

    Args:
        expected: returns the oracle's calls in an episode with this seed; only called if the trial may have made them.
        budget: the limits for reading texts; None for the default limits.
    """
    # An agent may count its calls and stop before the first one over the limit.
    end = "over_limit" if held.over_limit > 0 or result.ended == "calls" else result.ended
    calls = evidence.of_agent().calls
    kept = [call for call in calls if not failed_as_planned(call)]
    turns = held_turns(result, calls)
    if turns is not None:
        turns = replace(turns, turns=without_failed(turns.turns, calls, told.use_of))
    return {
        "task": task.id,
        "trial": 0,
        "category": task.category,
        "seed": held.seed,
        **graded(task, evidence, end, held.start, budget),
        **_call_figures(task, kept, turns, expected if _makes_oracle_calls(task, kept) else None),
        **_told_figures(result, calls),
        "answer": result.answer,
        "ended": result.ended,
        "over_limit": held.over_limit,
        "models": list(result.models),
        "finish_reasons": list(result.finish_reasons),
        "usage": None if result.usage is None else asdict(result.usage),
        "usage_by_model": {model: asdict(used) for model, used in result.usage_by_model.items()},
        "menu_tokens": menu_tokens(held.menu, held.profile),
        "menu_tools": len(shown_tools(held.menu, held.profile)),
        "now": held.now,
        "turns": None if result.turns is None else [[list(call) for call in turn] for turn in result.turns],
        "calls": evidence.calls,
        # A farm also answers with the apps in which nothing changed.
        "diff": {app: tables for app, tables in evidence.diff.items() if tables},
        "reverted_rows": evidence.reverted,
        "transcript": list(result.transcript),
    }


def graded(
    task: Task,
    evidence: Evidence,
    end: str,
    start: Start | None = None,
    budget: ReadingBudget | None = None,
) -> Trial:
    """Return the verdict on what the agent did, for a trial's line; some ends are outcomes themselves."""
    score: TaskScore = grade(task, evidence.of_agent(), start or start_of_task(task), budget)
    return {
        "outcome": outcome_of(score.acc, bool(score.damage), end),
        "acc": score.acc,
        "exec_acc": score.exec_acc,
        "checkpoints": score.checkpoint_lines(),
        "damage": [asdict(each) for each in score.damage],
        "reverted": [asdict(each) for each in score.reverted],
    }


def held_turns(result: Result, calls: Sequence[Call]) -> told.HeldTurns | None:
    """Return an agent's turns; those that it told are held against the trace. None if turns are unknown."""
    if result.turns is None:
        return None
    if result.is_told:
        return told.hold_turns(result.turns, calls)
    return told.HeldTurns([[(f"{app}.{tool}", given) for app, tool, given in turn] for turn in result.turns if turn])


def without_failed(
    turns: Iterable[Iterable[_Use]], calls: Sequence[Call], use_of: Callable[[Call], _Use]
) -> list[list[_Use]]:
    """Return turns without the calls that failed as planned: a retry costs no score.

    Args:
        turns: the calls of each turn, in any form.
        calls: the trace.
        use_of: returns a call of the trace in that form.
    """
    failed = [use_of(call) for call in calls if failed_as_planned(call)]
    kept = []
    for turn in turns:
        left = []
        for use in turn:
            if use in failed:
                failed.remove(use)
            else:
                left.append(use)
        kept += [left] if left else []
    return kept


def _told_figures(result: Result, calls: Sequence[Call]) -> Trial:
    """Return what an agent told wrongly of itself; the trace counts."""
    turns = held_turns(result, calls)
    tokens = told.find_token_problem(result, calls) if result.is_told else ""
    problems = [each for each in (turns.problem if turns else "", tokens) if each]
    return {"told_wrongly": problems, "tokens_refuted": bool(tokens)}


def _makes_oracle_calls(task: Task, calls: Sequence[Call]) -> bool:
    """Return whether a trial called every tool that the oracle calls: otherwise it cannot have finished the task."""
    made = {(call["app"], call["tool"]) for call in calls}
    return all((call.app, call.tool) in made for step in task.oracle for call in step)


def _call_figures(
    task: Task, calls: Sequence[Call], held: told.HeldTurns | None, expected: Callable[[], Steps] | None
) -> Trial:
    """Return TFS and TEFS of a trial: whether the expected calls were made, and in the expected turns.

    Args:
        held: the agent's turns; None if they are unknown.
        expected: returns the oracle's calls; None if the trial lacks one of their tools.
    """
    weight = sum(len(step) for step in task.oracle)
    if expected is None:
        return {"weight": weight, "tfs": False, "tfs_exact": False, "tefs": None if held is None else False}
    steps = expected()
    made = [(f"{call['app']}.{call['tool']}", call["arguments"] or {}) for call in calls]
    flat = [call for step in steps for call in step]
    lenient = Leniency.of_task(task)
    finished = is_finished(flat, made, skip=lenient.skip, free=lenient.free)
    efficient = None if held is None else is_efficient(steps, held.turns, skip=lenient.skip, free=lenient.free)
    exact = finished and is_finished(flat, made, skip=lenient.skip, free=lenient.free, nothing_else=True)
    return {"weight": weight, "tfs": finished, "tfs_exact": exact, "tefs": efficient}


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
        "tfs_exact": None,
        "tefs": None,
        "usage": None,
        "time_s": round(time_s, 3),
        "calls": [],
    }


def endpoint_failed(task: Task, why: str, time_s: float) -> Trial:
    """Return the line of a trial whose model did not answer: a failure, as an endpoint could choose its trials."""
    failed = {
        "acc": 0.0,
        "exec_acc": 0.0,
        "weight": sum(map(len, task.oracle)),
        "tfs": False,
        "tfs_exact": False,
        "tefs": False,
    }
    return not_graded(why, time_s) | {"outcome": "endpoint_failed"} | failed
