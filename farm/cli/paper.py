"""``farm paper``: a paper's tables and figures, from finished runs or by running their arms."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm.cli import run_options as option
from farm.cli.judge import BaseUrl
from farm.cli.options import Content, Json, given_path, print_json
from farm.cli.tables import print_table, print_text
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.benchmark.papers.definition import Arm, TableDefinition
    from farm.benchmark.papers.layout import LaidOut
    from farm.benchmark.runner.log import RunLog

FormatName = Annotated[str, typer.Option("--format", help="text, csv, markdown, latex or svg.")]
PricesFile = Annotated[
    Path | None,
    typer.Option(help="TOML file of prices, in place of papers/prices.toml.", parser=given_path, metavar="<path>"),
]


def paper(
    table: Annotated[
        str, typer.Argument(metavar="TABLE", help="A table or figure, such as table3, or a paper, for all of its.")
    ],
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="[RUN...]", help="Folders of finished runs.", parser=given_path)
    ] = None,
    agent: Annotated[
        list[str] | None, typer.Option(help="Run each arm with this agent, as farm run names it; may be repeated.")
    ] = None,
    suite: Annotated[str | None, typer.Option(help="The suite; default: the paper's.")] = None,
    tasks: option.OnlyTasks = None,
    k: option.Trials = 1,
    parallel: option.Parallel = 4,
    profile: Annotated[str | None, typer.Option(help="Version of the apps, such as paper-2025.")] = None,
    prompt: Annotated[str | None, typer.Option(help="Name or file of the system prompt.")] = None,
    base_url: BaseUrl = None,
    tools_max: Annotated[int | None, typer.Option(min=1, help="Maximum number of tools that a model takes.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder of the arms' runs (default: runs/PAPER); finished trials in it are not repeated.",
            parser=given_path,
            metavar="<path>",
        ),
    ] = None,
    human: Annotated[
        Path | None,
        typer.Option(help="CSV file of people's labels, for tables of agreement.", parser=given_path, metavar="<path>"),
    ] = None,
    prices: PricesFile = None,
    format_: FormatName = "text",
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Print a paper's table or figure: its own figures and, beside them, those of your runs.

    With --agent, each arm that the table compares is run first; arms with equal options share a run.

    Example: farm paper table5 --agent llm:gpt-5 --out runs/paper
    """
    from farm.benchmark.papers.definition import find_tables
    from farm.benchmark.runner.log import RunLog

    wanted, form = find_tables(table), require_format(format_)
    logs = [RunLog(folder) for folder in folders or ()]
    if agent:
        given = {"--profile": profile, "--prompt": prompt, "--base-url": base_url, "--tools-max": tools_max}
        same = [part for name, value in given.items() if value is not None for part in (name, str(value))]
        same += [part for each in tasks or () for part in ("--tasks", each)]
        place = _Runs(suite, tuple(agent), [*same, "-k", str(k), "--parallel", str(parallel)], out)
        logs += place.hold(wanted, with_all_tasks=not tasks)
    _print(wanted, logs, form, suite=suite, human=human, prices=prices, as_json=as_json)


def print_paper(name: str, folders: Sequence[Path], format_: str, *, as_json: bool) -> None:
    """Print a table, or all of a paper's, from finished runs.

    Raises:
        FarmError: the table or the format does not exist, or a run does not fit.
    """
    from farm.benchmark.papers.definition import find_tables
    from farm.benchmark.runner.log import RunLog

    wanted, form = find_tables(name), require_format(format_)
    _print(wanted, [RunLog(folder) for folder in folders], form, as_json=as_json)


def _print(
    wanted: Sequence[TableDefinition],
    logs: Sequence[RunLog],
    form: str,
    *,
    suite: str | None = None,
    human: Path | None = None,
    prices: Path | None = None,
    as_json: bool,
) -> None:
    built = [_built(each, _fitting(each, logs, len(wanted) > 1), suite, human, prices) for each in wanted]
    if as_json:
        print_json({"tables": [each.as_json() for each in built]})
        return
    for each in built:
        _print_one(each, form)


def _fitting(table: TableDefinition, logs: Sequence[RunLog], is_one_of_many: bool) -> Sequence[RunLog]:
    """Return the runs for a table: of several tables, each takes those that have one of its arms."""
    from farm.benchmark.papers.tables import arm_of

    if not is_one_of_many:
        return logs
    fitting = []
    for log in logs:
        try:
            arm_of(table, log)
        except FarmError:
            continue
        fitting.append(log)
    return fitting


def _built(
    table: TableDefinition, logs: Sequence[RunLog], suite: str | None, human: Path | None, prices: Path | None
) -> LaidOut:
    from farm.benchmark.papers.agreement import build_agreement
    from farm.benchmark.papers.prices import load_prices
    from farm.benchmark.papers.statistics import build_statistics
    from farm.benchmark.papers.tables import build
    from farm.benchmark.runner.prompts import instruction
    from farm.benchmark.tasks import load_suite

    if table.layout == "statistics":
        named = suite or (logs[0].manifest["suite"] if logs else table.paper.suite)
        return build_statistics(table, load_suite(named))
    if table.layout == "agreement":
        suites = {log.manifest["suite"] for log in logs}
        said = {name: {task.id: instruction(task) for task in load_suite(name).tasks} for name in suites}
        return build_agreement(table, logs, said, human)
    return build(table, logs, load_prices(prices))


def require_format(name: str) -> str:
    """Return the format's name.

    Raises:
        FarmError: it does not exist.
    """
    from farm.benchmark.papers.rendering import FORMATS

    if name != "text" and name not in FORMATS:
        raise FarmError(f"no format '{name}'; have text, {', '.join(FORMATS)}")
    return name


def _print_one(table: LaidOut, form: str) -> None:
    from farm.benchmark.papers.rendering import FORMATS, cells_of

    if form in FORMATS:
        typer.echo(FORMATS[form](table), nl=False)
        return
    print_text(table.notes[0])
    print_table(("", "of", *table.heads), [(row.name, row.source, *cells_of(row)) for row in table.rows])
    for note in table.notes[1:]:
        print_text(note, indent=2)


@dataclass(frozen=True)
class _Runs:
    """Runs the arms of tables, each as ``farm run`` in a folder of its own.

    Attributes:
        same: the options that all arms have.
    """

    suite: str | None
    agents: tuple[str, ...]
    same: Sequence[str]
    out: Path | None

    def hold(self, wanted: Sequence[TableDefinition], *, with_all_tasks: bool) -> list[RunLog]:
        """Return a run of each arm with each agent; what is finished is not repeated.

        Raises:
            FarmError: a run ended without its trials.
        """
        from farm.benchmark.runner.log import RunLog

        folders: dict[Path, None] = {}
        for table in wanted:
            only = [] if not with_all_tasks else self._only(table)
            for arm in self._arms(table):
                for agent in self.agents:
                    folders[self._run(table, arm, agent, only)] = None
        return [RunLog(folder) for folder in folders]

    def _arms(self, table: TableDefinition) -> Iterator[Arm | None]:
        if table.layout in ("statistics", "agreement"):
            return
        for arm in table.arms or (None,):
            if arm is not None and arm.needs:
                typer.echo(f"{table.name}: '{arm.name}' is not run; it needs {arm.needs}", err=True)
                continue
            yield arm

    def _only(self, table: TableDefinition) -> list[str]:
        """Return the options that leave out tasks which no column is about."""
        from farm.benchmark.papers.tables import suite_facts

        names = [column.group for column in table.columns]
        groups = [table.paper.group(name) for name in names if name is not None]
        if len(groups) < len(names):
            return []
        facts = suite_facts(self.suite or table.paper.suite)
        chosen = [task for task, each in facts.items() if any(group.has(each) for group in groups)]
        if len(chosen) == len(facts):
            return []
        if not chosen:
            raise FarmError(f"no task of the suite belongs to a column of {table.name}")
        return ["--tasks", ",".join(chosen)]

    def _run(self, table: TableDefinition, arm: Arm | None, agent: str, only: Sequence[str]) -> Path:
        from farm.benchmark.papers.conditions import DEFAULTS

        # What every run has without being told is not an option, so that arms of several tables share their run.
        options = {} if arm is None else {k: v for k, v in arm.options.items() if v != DEFAULTS[k]}
        given = [part for name, value in options.items() for part in _option(name, value)]
        words = [self.suite or table.paper.suite, "--agent", agent, *self.same, *given, *only]
        # Equal options are one run, whichever table they are for; a run resumes with more tasks.
        folder = (self.out or Path("runs") / table.paper.name) / _slug(agent, given)
        again = ["--resume"] if (folder / "run.json").exists() else []
        command = [sys.executable, "-m", "farm", "run", *words, "--out", str(folder), *again, "--json"]
        # Its progress is shown; its figures are in the table.
        done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            arm_name = "" if arm is None else f", '{arm.name}'"
            raise FarmError(f"{table.name}{arm_name} with {agent}: the run ended with status {done.returncode}")
        return folder


def _option(name: str, value: Any) -> list[str]:
    """Return an arm's option as ``farm run`` takes it."""
    if name == "skills":
        return [part for skill in value for part in ("--skill", skill)]
    return [f"--{name}", str(value)]


def _slug(agent: str, given: Sequence[str]) -> str:
    words = [agent, *(word.removeprefix("--") for word in given)]
    return "-".join(re.sub(r"[^\w.=]+", "-", word).strip("-") for word in words)


COMMANDS: dict[str, Any] = {"paper": paper}
