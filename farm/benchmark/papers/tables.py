"""Builds a paper's table from finished runs: the paper's rows first, then one row an agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from farm._util.names import list_names
from farm._util.plurals import pluralize
from farm.benchmark.papers.conditions import DEFAULTS, conditions, differing
from farm.benchmark.papers.definition import Arm, Column, TableDefinition, TaskFacts, shape_of
from farm.benchmark.papers.layout import LaidOut, Row, Source, Value
from farm.benchmark.papers.partial_run import PartialRun
from farm.benchmark.papers.prices import Prices, load_prices
from farm.benchmark.papers.trial_figures import figures_of
from farm.benchmark.runner.log import RunLog
from farm.benchmark.scoring.metrics import UNSCORED, summary
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
    # Every cell asks for the trials, so they are read once.
    read = [PartialRun(log, log.trials()) for log in logs]
    found = agents_of(table, [log for log in read if log.trials()])
    agents = [agent for agent in found if not _is_for_another_table(table, agent)]
    paper = [Row("paper", row.name, (*row.values, *(None,) * len(_OWN_HEADS)), {}) for row in table.published]
    rows = [*paper, *(row for agent in agents for row in _rows(table, agent, known))]
    heads = (*(column.name for column in table.columns), *_OWN_HEADS)
    notes = [
        *head_notes(table),
        *(note for agent in agents for note in (*run_notes(agent), *_arm_notes(table, agent))),
        *_left_out_notes(table, [agent for agent in found if agent not in agents]),
        *_empty_notes(table, [log for log in read if not log.trials()]),
        *_price_notes(table, agents, known),
    ]
    names = [column.name for column in table.columns]
    axes = tuple((names.index(x), names.index(table.y)) for x in table.x if table.y is not None)
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
    found: dict[str, AgentRuns] = {}
    for log in logs:
        arm = arm_of(table, log)
        name = _row_name(table, log)
        agent = found.setdefault(name, AgentRuns(name))
        key = None if arm is None else arm.name
        if key in agent.runs:
            raise FarmError(f"{log.folder} and {agent.runs[key].folder} fill the same cells of {table.name}; name one")
        agent.runs[key] = log
    return list(found.values())


def _compared(table: TableDefinition) -> frozenset[str]:
    """Return the options that the table's arms differ in."""
    return frozenset(name for arm in table.arms for name in arm.options)


def _row_name(table: TableDefinition, log: RunLog) -> str:
    """Return the agent, with its conditions that are neither the usual ones nor those of the table's arms."""
    under = differing(conditions(log.manifest), _compared(table))
    agent: str = log.manifest["agent"]
    return f"{agent} ({under})" if under else agent


def _is_for_another_table(table: TableDefinition, agent: AgentRuns) -> bool:
    """Return whether a row is another table's arm, which has only the usual value of what this table compares.

    Runs of several arms of this table were made for it, whatever else they have in common.
    """
    if not table.arms or len(agent.runs) > 1:
        return False
    (log,) = agent.runs.values()
    held, compared = conditions(log.manifest), _compared(table)
    return any(
        name not in compared and value != DEFAULTS[name] and held[name] == value
        for arm in table.paper.known_arms
        for name, value in arm.options.items()
    )


def _rows(table: TableDefinition, agent: AgentRuns, prices: Prices) -> Iterator[Row]:
    """Yield an agent's row, and a second one without failures of its endpoint if there are any."""
    yield _row(table, agent, prices)
    every = {arm: log.trials() for arm, log in agent.runs.items()}
    if any(trial["outcome"] == "endpoint_failed" for trials in every.values() for trial in trials):
        graded = {
            arm: PartialRun(log, [trial for trial in every[arm] if trial["outcome"] not in UNSCORED])
            for arm, log in agent.runs.items()
        }
        yield _row(table, AgentRuns(f"{agent.name} without failures of its endpoint", {**graded}), prices)


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
        counts = {outcome: sum(trial["outcome"] == outcome for trial in trials) for outcome in UNSCORED}
        lost = "".join(f", {count} {outcome.replace('_', ' ')}" for outcome, count in counts.items() if count)
        shown = _shown_tools(log, trials)
        yield f"{_where(agent.name, key)}: {_held(log)} of suite '{log.manifest['suite']}'{shown}{lost} ({log.folder})."


def _where(agent: str, arm: str | None) -> str:
    return agent if arm is None else f"{agent}, {arm}"


def _held(log: RunLog) -> str:
    """Return how many trials a run has, and of how many if it lacks some of its tasks."""
    held = {(trial["task"], trial["trial"]) for trial in log.trials()}
    wanted = {(task, number) for task in log.manifest["tasks"] for number in range(log.manifest["k"])}
    if wanted <= held:
        return pluralize(len(held), "trial")
    return f"only {len(wanted & held)} of {pluralize(len(wanted), 'trial')} held"


def _arm_notes(table: TableDefinition, agent: AgentRuns) -> Iterator[str]:
    """Yield what makes the arms of a row hard to compare: tasks that one of them lacks or has in another version."""
    tasks = {arm: _tasks_of(table, log) for arm, log in agent.runs.items()}
    every = {task for each in tasks.values() for task in each}
    for arm, each in tasks.items():
        if lacking := sorted(every - each.keys()):
            count = pluralize(len(lacking), "task")
            yield f"{_where(agent.name, arm)}: lacks {count} of its other arms, {list_names(lacking, '')}."
    changed = sorted(task for task in every if len({each[task] for each in tasks.values() if task in each}) > 1)
    if changed:
        yield f"{agent.name}: its arms have different versions of {list_names(changed, '')}."


def _tasks_of(table: TableDefinition, log: RunLog) -> dict[str, str]:
    """Return task → hash of a run's tasks that a column is about."""
    tasks: dict[str, str] = log.manifest["tasks"]
    names = [column.group for column in table.columns]
    groups = [table.paper.group(name) for name in names if name is not None]
    if len(groups) < len(names):
        return tasks
    known = suite_facts(log.manifest["suite"])
    return {
        task: made
        for task, made in tasks.items()
        if task not in known or any(group.has(known[task]) for group in groups)
    }


def _left_out_notes(table: TableDefinition, agents: Sequence[AgentRuns]) -> Iterator[str]:
    for agent in agents:
        (log,) = agent.runs.values()
        yield f"{agent.name} is no arm of {table.name} and has no row ({log.folder})."


def _empty_notes(table: TableDefinition, logs: Sequence[RunLog]) -> Iterator[str]:
    for log in logs:
        arm = arm_of(table, log)
        where = _where(_row_name(table, log), None if arm is None else arm.name)
        yield f"{where}: {_held(log)}, so it has no figures ({log.folder})."


def _shown_tools(log: RunLog, trials: Sequence[Trial]) -> str:
    counts = [trial["menu_tools"] for trial in trials if "menu_tools" in trial]
    if not counts or log.manifest.get("menu", "selected") == "selected":
        return ""
    low, high = min(counts), max(counts)
    return f", {low if low == high else f'{low} to {high}'} tools shown"


def _price_notes(table: TableDefinition, agents: Sequence[AgentRuns], prices: Prices) -> Iterator[str]:
    """Yield the date of the prices, and why an agent has no cost."""
    if not any(column.figure == "cost" for column in table.columns):
        return
    yield f"Prices are those of {prices.date or 'no file'}."
    for agent in agents:
        trials = [each for log in agent.runs.values() for each in log.trials() if each["outcome"] not in UNSCORED]
        models = {model for trial in trials for model in (trial.get("usage_by_model") or trial.get("models") or ())}
        unknown = sorted(model for model in models if prices.find(model) is None)
        if unknown:
            yield f"{agent.name}: no price of {', '.join(unknown)}, so no cost; --prices FILE names a file that has it."
        elif any(trial.get("usage") is None for trial in trials):
            yield f"{agent.name}: no tokens are known of its trials, so no cost."
