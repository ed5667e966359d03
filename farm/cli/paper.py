"""``farm paper``: a paper's tables and figures, from finished runs or by running their arms."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from farm._util.names import split_names
from farm.benchmark.scoring.metrics import UNSCORED
from farm.cli import run_options as option
from farm.cli.judge import BaseUrl
from farm.cli.options import Content, Json, given_path, print_json
from farm.cli.tables import print_table, print_text
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.benchmark.papers.definition import Arm, TableDefinition
    from farm.benchmark.papers.layout import LaidOut
    from farm.benchmark.runner.log import RunLog

# Layout of a table that runs no agent → where its figures come from.
_WITHOUT_RUNS = {
    "statistics": "name a suite by --suite",
    "agreement": "name the folders of finished runs",
}
_BROKEN_OFF = (128 + signal.SIGINT, 128 + signal.SIGTERM, -signal.SIGINT, -signal.SIGTERM)
FormatName = Annotated[str, typer.Option("--format", help="text, csv, markdown, latex or svg.")]
TrialsCounted = Annotated[
    int | None,
    typer.Option("-k", min=1, max=1000, help="Trials of each task: run so many (default: 1), and count no more."),
]
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
    k: TrialsCounted = None,
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

    With --agent, each arm that the table compares is run first; arms with equal options share a run. --tasks and -k
    also limit what counts of finished runs.

    Example: farm paper table5 --agent llm:gpt-5 --out runs/paper
    """
    from farm.benchmark.papers.definition import find_tables
    from farm.benchmark.papers.partial_run import limit, require_tasks
    from farm.benchmark.runner.log import RunLog

    wanted = find_tables(table)
    form = require_format(format_, [each.name for each in wanted], as_json=as_json)
    logs = [RunLog(folder) for folder in folders or ()]
    held: Mapping[str, Sequence[RunLog]] = {}
    if agent:
        _require_run(wanted)
        given = {"--profile": profile, "--prompt": prompt, "--base-url": base_url, "--tools-max": tools_max}
        same = [part for name, value in given.items() if value is not None for part in (name, str(value))]
        same += [part for each in tasks or () for part in ("--tasks", each)]
        place = _Runs(suite, tuple(agent), [*same, "-k", str(k or 1), "--parallel", str(parallel)], out)
        held = place.hold(wanted, with_all_tasks=not tasks)
    only = split_names(tasks)
    if not agent:
        # A run of an agent has refused unknown tasks, and left out those that its profile cannot do.
        require_tasks(logs, only)
    for_tables = {each.name: [limit(log, only, k) for log in _for(each, wanted, logs, held)] for each in wanted}
    _print(wanted, for_tables, form, suite=suite, human=human, prices=prices, as_json=as_json)


def print_paper(name: str, folders: Sequence[Path], format_: str, *, as_json: bool) -> None:
    """Print a table, or all of a paper's, from finished runs.

    Raises:
        FarmError: the table or the format does not exist, or a run does not fit.
    """
    from farm.benchmark.papers.definition import find_tables
    from farm.benchmark.runner.log import RunLog

    wanted = find_tables(name)
    form = require_format(format_, [each.name for each in wanted], as_json=as_json)
    logs = [RunLog(folder) for folder in folders]
    _print(wanted, {each.name: _for(each, wanted, logs, {}) for each in wanted}, form, as_json=as_json)


def _require_run(wanted: Sequence[TableDefinition]) -> None:
    """Check that a table runs an agent.

    Raises:
        FarmError: none does.
    """
    if any(table.layout not in _WITHOUT_RUNS for table in wanted):
        return
    table = wanted[0]
    raise FarmError(f"{table.name} runs no agent; leave --agent out, and {_WITHOUT_RUNS[table.layout]}")


def _for(
    table: TableDefinition,
    wanted: Sequence[TableDefinition],
    logs: Sequence[RunLog],
    held: Mapping[str, Sequence[RunLog]],
) -> Sequence[RunLog]:
    """Return the runs for a table: those that were held for it, and named ones that have one of its arms.

    A single table takes all that are named. One that is about verdicts takes what was held for all tables.
    """
    from farm.benchmark.papers.tables import arm_of

    own = held.get(table.name) or list({log.folder: log for each in held.values() for log in each}.values())
    if len(wanted) == 1:
        return [*logs, *own]
    fitting = []
    for log in logs:
        try:
            arm_of(table, log)
        except FarmError:
            continue
        fitting.append(log)
    return [*fitting, *own]


def _print(
    wanted: Sequence[TableDefinition],
    logs: Mapping[str, Sequence[RunLog]],
    form: str,
    *,
    suite: str | None = None,
    human: Path | None = None,
    prices: Path | None = None,
    as_json: bool,
) -> None:
    built = [_built(each, logs[each.name], suite, human, prices) for each in wanted]
    if as_json:
        print_json({"tables": [each.as_json() for each in built]})
        return
    for each in built:
        _print_one(each, form)


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


def require_format(name: str, tables: Sequence[str], *, as_json: bool) -> str:
    """Return the format's name.

    Raises:
        FarmError: it does not exist, or is one picture for several tables.
    """
    from farm.benchmark.papers.rendering import FORMATS

    if name != "text" and name not in FORMATS:
        raise FarmError(f"no format '{name}'; have text, {', '.join(FORMATS)}")
    if name == "svg" and len(tables) > 1 and not as_json:
        raise FarmError(f"an SVG is one picture; name one of {', '.join(tables)}")
    return name


def _print_one(table: LaidOut, form: str) -> None:
    from farm.benchmark.papers.rendering import FORMATS, cells_of

    if form in FORMATS:
        typer.echo(FORMATS[form](table), nl=False)
        # These have no place for notes, and a row that lacks trials must not pass for a whole one.
        for note in table.notes[1:] if form in ("csv", "svg") else ():
            typer.echo(f"{table.name}: {note}", err=True)
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

    def hold(self, wanted: Sequence[TableDefinition], *, with_all_tasks: bool) -> dict[str, list[RunLog]]:
        """Return, for each table, a run of each arm with each agent; what is finished is not repeated.

        Raises:
            FarmError: a run ended without its trials.
            KeyboardInterrupt: somebody broke off; how to go on is printed.
        """
        from farm.benchmark.runner.log import RunLog

        try:
            return {
                table.name: [RunLog(folder) for folder in self._folders(table, with_all_tasks=with_all_tasks)]
                for table in wanted
                if table.layout not in _WITHOUT_RUNS
            }
        except KeyboardInterrupt:
            where = self.out or Path("runs") / wanted[0].paper.name
            typer.echo(f"broken off; finished trials are in {where}: the same farm paper command goes on", err=True)
            raise

    def _folders(self, table: TableDefinition, *, with_all_tasks: bool) -> list[Path]:
        """Run the arms of a table and return their folders; an arm that only the user can run counts once it was."""
        only = self._only(table) if with_all_tasks else []
        folders: dict[Path, None] = {}
        for arm in table.arms or (None,):
            for agent in self.agents:
                if arm is None or not arm.needs:
                    folders[self._run(table, arm, agent, only)] = None
                    continue
                folder, words = self._command(table, arm, agent, only)
                if (folder / "run.json").exists():
                    folders[folder] = None
                else:
                    how = f"with them: {shlex.join(['farm', *words])}, and this command again"
                    typer.echo(f"{table.name}: '{arm.name}' is not run; it needs {arm.needs}; {how}", err=True)
        return list(folders)

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

    def _command(
        self, table: TableDefinition, arm: Arm | None, agent: str, only: Sequence[str]
    ) -> tuple[Path, list[str]]:
        """Return the folder of an arm's run, and the words of ``farm run`` that hold it."""
        from farm.benchmark.papers.conditions import DEFAULTS

        # What every run has without being told is not an option, so that arms of several tables share their run.
        options = {} if arm is None else {k: v for k, v in arm.options.items() if v != DEFAULTS[k]}
        is_own = arm is not None and bool(arm.needs)
        given = [part for name, value in options.items() for part in _option(name, value, is_own=is_own)]
        # Equal options are one run, whichever table they are for; a run resumes with more tasks.
        folder = (self.out or Path("runs") / table.paper.name) / _slug(agent, given)
        words = ["run", self.suite or table.paper.suite, "--agent", agent, *self.same, *given, *only]
        return folder, [*words, "--out", str(folder)]

    def _run(self, table: TableDefinition, arm: Arm | None, agent: str, only: Sequence[str]) -> Path:
        folder, words = self._command(table, arm, agent, only)
        again = ["--resume"] if (folder / "run.json").exists() else []
        command = [sys.executable, "-m", "farm", *words, *again, "--json"]
        arm_name = "" if arm is None else f", '{arm.name}'"
        where = f"{table.name}{arm_name} with {agent}"
        # Its progress is shown; its figures are in the table.
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        try:
            printed, _ = process.communicate()
        except KeyboardInterrupt:
            # It ends within a second, also if only we were interrupted.
            process.terminate()
            process.wait()
            raise
        if process.returncode in _BROKEN_OFF:
            raise KeyboardInterrupt
        if process.returncode:
            raise FarmError(f"{where}: {_why_failed(folder, printed, process.returncode)}")
        if left_out := orjson.loads(printed)["left_out"]:
            typer.echo(f"{where}: left out, as the profile lacks their tools: {', '.join(left_out)}", err=True)
        return folder


def _why_failed(folder: Path, printed: bytes, status: int) -> str:
    """Return why a run failed: its first failed trial; a run that could not begin has said so itself."""
    from farm.benchmark.runner.log import RunLog

    if not printed:
        return f"the run ended with status {status}; its reason stands above"
    for trial in RunLog(folder).trials():
        where = f"every trial failed; the first, {trial['task']} #{trial['trial']}"
        if trial["outcome"] in UNSCORED:
            return f"{where}, {trial['outcome'].replace('_', ' ')}: {str(trial['error']).strip().splitlines()[-1]}"
        if trial["ended"] == "failed":
            said = str(trial["transcript"][0]["stderr"]).strip().splitlines()
            return f"{where}, the agent crashed: {said[-1] if said else 'it said nothing'}"
    return f"the run ended with status {status}; see farm report {folder} --failures"


def _option(name: str, value: Any, *, is_own: bool) -> list[str]:
    """Return an arm's option as ``farm run`` takes it; skills of an arm that the user brings are files."""
    if name == "skills":
        return [part for skill in value for part in ("--skill", f"{skill}.md" if is_own else skill)]
    return [f"--{name}", str(value)]


def _slug(agent: str, given: Sequence[str]) -> str:
    words = [agent, *(word.removeprefix("--") for word in given)]
    return "-".join(re.sub(r"[^\w.=]+", "-", word).strip("-") for word in words)


COMMANDS: dict[str, Any] = {"paper": paper}
