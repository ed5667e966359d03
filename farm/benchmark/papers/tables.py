"""Builds a paper's table from finished runs: the paper's rows first, then one row an agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from farm._util.plurals import pluralize
from farm.benchmark.papers.conditions import conditions, differing
from farm.benchmark.papers.definition import Arm, Column, TableDefinition, TaskFacts, shape_of
from farm.benchmark.papers.layout import LaidOut, Row, Source, Value
from farm.benchmark.papers.prices import Prices, load_prices
from farm.benchmark.papers.trial_figures import figures_of
from farm.benchmark.runner.log import RunLog
from farm.benchmark.scoring.metrics import summary
from farm.benchmark.tasks import load_suite
from farm.errors import FarmError, NotFoundError

Trial = Mapping[str, Any]
_SCRIPTS = ("oracle", "null", "replay")
_OWN_HEADS = ("tasks", "k", "pass@k", "pass^k")
_Bounds = tuple[float, float]


@dataclass
class AgentRuns:
    """The runs of one row: by arm, or under None if the table has no arms."""

    name: str
    runs: dict[str | None, RunLog] = field(default_factory=dict)

    @property
    def source(self) -> Source:
        """Whether the agent plays a script: then its figures say nothing about a model."""
        kinds = {log.manifest["agent"].partition(":")[0] for log in self.runs.values()}
        return "script" if kinds <= set(_SCRIPTS) else "run"


def build(table: TableDefinition, logs: Sequence[RunLog], prices: Prices | None = None) -> LaidOut:
    """Return a table with the rows of runs.

    Args:
        prices: the prices of models; None for those of the farm.

    Raises:
        FarmError: a run belongs to no arm of the table, or two runs fill the same cells.
    """
    known = prices or load_prices()
    agents = agents_of(table, logs)
    paper = [Row("paper", row.name, (*row.values, *(None,) * len(_OWN_HEADS)), {}) for row in table.published]
    rows = [*paper, *(_row(table, agent, known) for agent in agents)]
    heads = (*(column.name for column in table.columns), *_OWN_HEADS)
    notes = [*head_notes(table), *(note for agent in agents for note in run_notes(agent)), *_price_notes(table, known)]
    names = [column.name for column in table.columns]
    axes = (names.index(table.x), names.index(table.y)) if table.x in names and table.y in names else None
    return LaidOut(table.name, table.title, table.paper.cite, heads, tuple(rows), tuple(notes), table.layout, axes)


def head_notes(table: TableDefinition) -> Iterator[str]:
    """Yield the table's title, and which of the paper's figures are missing."""
    yield f"{table.title}. {table.paper.title}, {table.paper.cite}."
    if not table.published:
        yield "The paper's own figures are not part of this farm."
    elif table.incomplete:
        yield f"Of the paper's figures, the farm has {table.incomplete}."


def arm_of(table: TableDefinition, log: RunLog) -> Arm | None:
    """Return the arm of a run; None if the table compares none.

    Raises:
        FarmError: the run has the conditions of none of them.
    """
    if not table.arms:
        return None
    held = conditions(log.manifest)
    for arm in table.arms:
        if all(held.get(name) == value for name, value in arm.options.items()):
            return arm
    have = "; ".join(f"{arm.name} ({_options(arm)})" for arm in table.arms)
    raise FarmError(f"{log.folder} is of no arm of {table.name}, which has {have}")


def _options(arm: Arm) -> str:
    options = {name: "+".join(value) if isinstance(value, list) else value for name, value in arm.options.items()}
    return ", ".join(f"{name} {value or 'none'}" for name, value in options.items())


def agents_of(table: TableDefinition, logs: Sequence[RunLog]) -> list[AgentRuns]:
    """Return the rows: runs of one agent that differ only in the arm share one."""
    compared = frozenset(name for arm in table.arms for name in arm.options)
    found: dict[str, AgentRuns] = {}
    for log in logs:
        arm = arm_of(table, log)
        under = differing(conditions(log.manifest), compared)
        name = f"{log.manifest['agent']} ({under})" if under else log.manifest["agent"]
        agent = found.setdefault(name, AgentRuns(name))
        key = None if arm is None else arm.name
        if key in agent.runs:
            raise FarmError(f"{log.folder} and {agent.runs[key].folder} fill the same cells of {table.name}; name one")
        agent.runs[key] = log
    return list(found.values())


def _row(table: TableDefinition, agent: AgentRuns, prices: Prices) -> Row:
    values: list[Value] = []
    ranges: dict[int, _Bounds] = {}
    for index, column in enumerate(table.columns):
        value, bounds = _cell(table, column, agent, prices)
        values.append(value)
        if bounds is not None:
            ranges[index] = bounds
    return Row(agent.source, agent.name, (*values, *_own_values(agent)), ranges)


def _cell(
    table: TableDefinition, column: Column, agent: AgentRuns, prices: Prices
) -> tuple[float | None, _Bounds | None]:
    """Return a figure in its column's unit, and the bounds that doubts leave."""
    log = agent.runs.get(column.arm)
    trials = [] if log is None else trials_in(table, column.group, log)
    if not trials:
        return None, None
    found = figures_of(trials, prices)
    if column.figure not in found:
        raise FarmError(f"{table.name}: no figure '{column.figure}'")
    value = found[column.figure]
    if value is None:
        return None, None
    low, high = found["ranges"].get(column.figure, (value, value))
    return _scaled(value, column), None if low == high else (_scaled(low, column), _scaled(high, column))


def _scaled(value: float, column: Column) -> float:
    return round(100 * value, 2) if column.unit == "percent" else round(value, 6)


def trials_in(table: TableDefinition, group: str | None, log: RunLog) -> list[Trial]:
    """Return a run's trials of a group's tasks; all of them without a group."""
    trials: list[Trial] = [*log.trials()]
    if group is None:
        return trials
    wanted, suite = table.paper.group(group), suite_facts(log.manifest["suite"])
    return [trial for trial in trials if wanted.has(suite.get(trial["task"]) or _facts_of(trial))]


@lru_cache(maxsize=8)
def suite_facts(name: str) -> Mapping[str, TaskFacts]:
    """Return task → what groups ask of it; empty if the suite does not exist."""
    try:
        tasks = load_suite(name).tasks
    except NotFoundError:
        return {}
    return {task.id: TaskFacts(task.category, tuple(task.apps), shape_of(task.oracle)) for task in tasks}


def _facts_of(trial: Trial) -> TaskFacts:
    """Return what is known of a task that does not exist any more: its apps are those that were called."""
    return TaskFacts(trial["category"], tuple({call["app"] for call in trial["calls"]}), None)


def _own_values(agent: AgentRuns) -> Iterator[Value]:
    trials = [trial for log in agent.runs.values() for trial in log.trials()]
    yield len({trial["task"] for trial in trials})
    k = max(log.manifest["k"] for log in agent.runs.values())
    yield k
    if len(agent.runs) > 1:
        # The arms of a row differ, so their trials are not repetitions of one another.
        yield from (None, None)
        return
    found = summary(trials, agent="", suite="")
    for name in ("pass_at_k", "pass_all_k"):
        each = found[name].get(str(k))
        yield None if each is None else round(100 * each["value"], 2)


def run_notes(agent: AgentRuns) -> Iterator[str]:
    """Yield what a row's figures are: a script's, of which runs, and how many tools a menu showed."""
    if agent.source == "script":
        yield f"{agent.name} is a script, not a model."
    for key, log in agent.runs.items():
        trials = log.trials()
        failed = sum(trial["outcome"] == "not_graded" for trial in trials)
        where = f"{agent.name}{'' if key is None else f', {key}'}"
        lost = f", {failed} not graded" if failed else ""
        shown = _shown_tools(log, trials)
        count = pluralize(len(trials), "trial")
        yield f"{where}: {count} of suite '{log.manifest['suite']}'{shown}{lost} ({log.folder})."


def _shown_tools(log: RunLog, trials: Sequence[Trial]) -> str:
    counts = [trial["menu_tools"] for trial in trials if "menu_tools" in trial]
    if not counts or log.manifest.get("menu", "selected") == "selected":
        return ""
    low, high = min(counts), max(counts)
    return f", {low if low == high else f'{low} to {high}'} tools shown"


def _price_notes(table: TableDefinition, prices: Prices) -> Iterator[str]:
    if any(column.figure == "cost" for column in table.columns):
        yield f"Prices are those of {prices.date or 'no file'}."
