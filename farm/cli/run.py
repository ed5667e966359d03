"""``farm run``, ``farm report`` and ``farm rescore``: run an agent over a suite, and score it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from farm._util.names import split_names
from farm._util.plurals import pluralize
from farm.appkit.app import LATEST
from farm.benchmark.agents import help_text
from farm.benchmark.scoring.metrics import UNSCORED
from farm.benchmark.tasks import Suite, load_suite
from farm.benchmark.tasks.sheet_fields import ANSWER_FORMS, AnswerForm
from farm.cli.options import (
    Content,
    FarmUrl,
    Json,
    Profile,
    TokenFile,
    VendorDescriptions,
    given_path,
    print_json,
    read_token,
)
from farm.cli.tables import print_table, print_text, standard_error
from farm.errors import FarmError
from farm.runtime.supervisor.state import default_data

if TYPE_CHECKING:
    from farm.benchmark.runner.log import RunLog

_FIGURES = ("acc", "sr_08", "exec_acc", "safe_sr", "damage_rate", "tfs", "tefs")
_CATEGORY_FIGURES = ("acc", "safe_sr")

_BREAKING_OFF_S_MAX = 0.8

# More than any realistic run; every part of a run can handle these numbers.
_SEED_MAX = 2**62
_CALLS_MAX = 1_000_000
_TIME_S_MAX = 7 * 24 * 3600.0

JudgeModel = Annotated[
    str | None,
    typer.Option("--judge", metavar="MODEL", help="Let a model decide the texts in doubt; printed beside the score."),
]
JudgeAll = Annotated[
    bool,
    typer.Option("--judge-all", help="Let the model of --judge judge every text, too, and print acc by its verdicts."),
]
BaseUrl = Annotated[str | None, typer.Option(envvar="OPENAI_BASE_URL", help="API of an llm: agent, and of the judge.")]
SuiteName = Annotated[str, typer.Argument(help="The suite.")]


def run(
    suite: SuiteName,
    agent: Annotated[
        str,
        typer.Option(help="oracle, null, replay:FILE, llm:MODEL, command:PROGRAM ARGUMENTS or python:MODULE:CALLABLE."),
    ],
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="Trials of each task.")] = 1,
    parallel: Annotated[int, typer.Option(min=1, max=256, help="Concurrent trials.")] = 4,
    menu: Annotated[
        str, typer.Option(help="selected (the task's apps), all, or k=N (N tools in all, the task's own and others).")
    ] = "selected",
    tasks: Annotated[
        list[str] | None, typer.Option("--tasks", help="Only these tasks: a comma-separated list; may be repeated.")
    ] = None,
    category: Annotated[
        list[str] | None, typer.Option(help="Only categories that begin with this; may be repeated.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run's log.", parser=given_path, metavar="<path>")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in --out.")] = False,
    seed: Annotated[int, typer.Option(min=0, max=_SEED_MAX, help="Seed of the first trial.")] = 0,
    prompt: Annotated[str, typer.Option(help="Name of the system prompt.")] = "person-2",
    unnecessary: Annotated[bool, typer.Option("--unnecessary", help="Give the agent unnecessary facts, too.")] = False,
    profile: Profile = LATEST,
    answers: Annotated[
        str, typer.Option(help="sheet (ask for a block of typed fields where a task has them) or prose.")
    ] = "sheet",
    calls_max: Annotated[
        int | None, typer.Option(min=1, max=_CALLS_MAX, help="Maximum calls of a trial; default: the task's own.")
    ] = None,
    rounds_max: Annotated[int, typer.Option(min=1, max=_CALLS_MAX, help="Maximum rounds of an llm: agent.")] = 20,
    time_max: Annotated[float, typer.Option(min=1, max=_TIME_S_MAX, help="Maximum seconds of a trial.")] = 600,
    base_url: BaseUrl = None,
    temperature: Annotated[
        float | None, typer.Option(min=0, max=10, help="Temperature of an llm: agent; default: the model's own.")
    ] = None,
    retries: Annotated[
        int,
        typer.Option(min=0, max=100, help="Retries of an llm: agent while its API is not ready; no call is repeated."),
    ] = 3,
    judge: JudgeModel = None,
    judge_all: JudgeAll = False,
    agent_env: Annotated[list[str] | None, typer.Option(help="Variable a command: agent may see.")] = None,
    agent_image: Annotated[
        str | None,
        typer.Option(help="Run a command: agent in containers of this image, which reach only its episode."),
    ] = None,
    as_json: Json = False,
    farm: FarmUrl = None,
    token_file: TokenFile = None,
    _: Content = None,
    __: VendorDescriptions = None,
) -> None:
    with _EndAtOnce() as end:
        from farm._util import temp_folders
        from farm.benchmark.agents.factory import make_agent
        from farm.benchmark.runner.log import RunLog
        from farm.benchmark.runner.menus import check_menu, check_profile, menu_apps, playable
        from farm.benchmark.runner.options import Options
        from farm.benchmark.runner.prompts import text_of
        from farm.benchmark.runner.run import run_suite

        chosen = choose(load_suite(suite), tasks, category)
        chosen, left_out = playable(chosen, check_profile(profile))
        player = make_agent(
            agent,
            base_url=base_url,
            environment=agent_env or (),
            temperature=temperature,
            retries=retries,
            image=agent_image,
        )
        if resume and out is None:
            raise FarmError("--resume needs --out: the folder of the run to go on with")
        _require_judge(judge, judge_all)
        # All errors that can be detected now are reported before a farm is started.
        check_menu(menu, profile)
        form = _answer_form(answers)
        text_of(prompt)
        folder = end.folder = out or _new_folder(suite, player.name)
        RunLog.require_free(folder, resume=resume)
        options = Options(k, parallel, menu, seed, prompt, rounds_max, time_max, calls_max, unnecessary, profile, form)
        temp_folders.sweep()
        with ExitStack() as stack:
            address = _farm(stack, farm, token_file, menu_apps(chosen, menu))
            on_trial = stack.enter_context(progress(player.name, len(chosen.tasks) * k))
            found = run_suite(chosen, player, address, options, out=folder, resume=resume, on_trial=on_trial)
        if judge is not None:
            found |= _judged(RunLog(folder), judge, base_url, every=judge_all)
    if as_json:
        print_json(found | {"out": str(folder), "left_out": left_out})
        _end(_status(found))
    print_summaries([found])
    if left_out:
        every = len(left_out) + len(chosen.tasks)
        typer.echo(f"left out, as profile '{profile}' lacks their tools: {len(left_out)} of {pluralize(every, 'task')}")
    typer.echo(f"log: {folder}")
    for outcome in UNSCORED:
        if count := found["outcomes"][outcome]:
            typer.echo(f"{count} {outcome.replace('_', ' ')}; why: farm report {folder} --failures", err=True)
    if found["crashed"]:
        which = (
            "every trial"
            if found["crashed"] == found["trials"]
            else f"{found['crashed']} of {pluralize(found['trials'], 'trial')}"
        )
        typer.echo(f"the agent crashed in {which}; why: farm report {folder} --failures", err=True)
    _end(_status(found))


def _answer_form(name: str) -> AnswerForm:
    for form in ANSWER_FORMS:
        if form == name:
            return form
    raise FarmError(f"no form of answers '{name}'; have {', '.join(ANSWER_FORMS)}")


def _status(found: dict[str, Any]) -> int:
    """Return 1 for a run without evidence about the agent: no trial could start or finish."""
    failed = sum(found["outcomes"][name] for name in UNSCORED)
    return int(failed + found["crashed"] == found["trials"])


def _end(status: int) -> NoReturn:
    """End the process at once; otherwise a hanging thread of an agent would delay it."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


class _EndAtOnce:
    """Ends a run within a second of Ctrl-C or SIGTERM, even if something hangs, and prints how to resume it.

    The next run removes what remains.
    """

    def __init__(self) -> None:
        self.folder: Path | None = None
        self._number = signal.SIGINT
        self._is_said = threading.Lock()

    def __enter__(self) -> _EndAtOnce:
        """Install the signal handlers."""
        # A shell that starts us in the background sets SIGINT to be ignored, on purpose.
        numbers = [each for each in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(each) is not signal.SIG_IGN]
        self._before = {number: signal.signal(number, self._break_off) for number in numbers}
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Remove the handlers; end if a signal came."""
        if kind is KeyboardInterrupt:
            self._end()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _break_off(self, number: int, _: object) -> NoReturn:
        self._number = signal.Signals(number)
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        patience = threading.Timer(_BREAKING_OFF_S_MAX, self._end)
        patience.daemon = True
        patience.start()
        raise KeyboardInterrupt

    def _end(self) -> NoReturn:
        self._is_said.acquire()  # never released: the second caller, finished or timed out, ends with the first
        there = self.folder is not None and self.folder.exists()
        how = f"; go on with the same command and --resume --out {self.folder}" if there else ""
        typer.echo(f"broken off{how}", err=True)
        _end(128 + self._number)


def choose(suite: Suite, tasks: list[str] | None, categories: list[str] | None) -> Suite:
    """Return the suite with only the named tasks, and of these only the tasks of the categories.

    Raises:
        FarmError: a task is unknown, or none is left.
    """
    kept = tuple(suite.task(each) for each in split_names(tasks)) if tasks else suite.tasks
    if categories:
        kept = tuple(task for task in kept if task.category.startswith(tuple(categories)))
    if not kept:
        have = ", ".join(sorted({task.category for task in suite.tasks}))
        raise FarmError(f"no task is left; categories of '{suite.name}': {have or 'none'}")
    return Suite(suite.name, suite.title, kept)


def _farm(stack: ExitStack, farm: str | None, token_file: Path | None, apps: list[str]) -> Any:
    from farm.benchmark.runner.farm_address import FarmAddress, own_farm

    if farm is None:
        return stack.enter_context(own_farm(apps))
    return FarmAddress(farm, read_token(token_file))


def _new_folder(suite: str, agent: str) -> Path:
    """Return a new folder for a run without --out."""
    at = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    name = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in agent)
    return default_data() / "runs" / f"{suite}-{name}-{at}"


@contextmanager
def progress(agent: str, count: int) -> Iterator[Callable[[dict[str, Any], bool], None]]:
    """Show the progress of a run on standard error: a bar on a terminal, otherwise a line a trial."""
    console = standard_error()
    done = 0

    def say(trial: dict[str, Any], is_new: bool) -> None:
        nonlocal done
        done += 1
        if is_new:
            acc = "" if trial["acc"] is None else f" {trial['acc']:.2f}"
            outcome = trial["outcome"].replace("_", " ")
            where = f"{done}/{count} {trial['task']} #{trial['trial']}"
            typer.echo(
                f"{where}: {outcome}{acc}, {pluralize(len(trial['calls']), 'call')}, {trial['time_s']:.1f} s", err=True
            )

    if not console.is_terminal:
        yield say
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        counter = bar.add_task(agent, total=count)
        yield lambda trial, is_new: bar.advance(counter)


def report(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of runs.", parser=given_path)],
    failures: Annotated[bool, typer.Option("--failures", help="Show why each checkpoint was missed.")] = False,
    contested: Annotated[
        bool, typer.Option("--contested", help="Show the texts whose reading is in doubt, for a person to decide.")
    ] = False,
    judge: JudgeModel = None,
    judge_all: JudgeAll = False,
    base_url: BaseUrl = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Summarise finished runs, side by side; docs/tasks.md defines each figure.

    Runs of the same agent are labelled by their folders.

    Example: farm report runs/gpt-5 runs/oracle --failures
    """
    from farm.benchmark.runner.log import RunLog
    from farm.benchmark.runner.run import report as report_of

    _require_judge(judge, judge_all)
    logs = [RunLog(folder) for folder in folders]
    found = [report_of(log) | {"out": str(log.folder)} | _judged(log, judge, base_url, every=judge_all) for log in logs]
    if as_json:
        if contested:
            found = [each | {"contested": contested_texts(log.trials())} for each, log in zip(found, logs, strict=True)]
        print_json(found[0] if len(found) == 1 else found)
        return
    print_summaries(found)
    for name, each in zip(_run_names(found), found, strict=True):
        print_tokens(each | {"agent": name})
    for log in logs if contested else ():
        for each in contested_texts(log.trials()):
            _print_contested(each)
    if failures:
        for name, log in zip(_run_names(found), logs, strict=True):
            if len(logs) > 1:
                typer.echo(f"\n{name}:")
            _print_failures(log.trials())


_TOOLS_SHOWN = 6


def print_tokens(found: dict[str, Any]) -> None:
    """Print what fills an agent's context: the menu in every request, and the tools with the longest answers."""
    if found["menu_tokens"] is None:
        return
    dear = sorted(found["answer_tokens"].items(), key=lambda each: -each[1]["largest"])[:_TOOLS_SHOWN]
    menu = f"about {found['menu_tokens']:,} tokens of tools in each request"
    if not dear:
        typer.echo(f"\n{found['agent']}: {menu}, and no call")
        return
    typer.echo(f"\n{found['agent']}: {menu}, longest answers:")
    print_table(
        ("tool", "calls", "tokens each", "largest"),
        [(tool, str(each["calls"]), f"{each['mean']:,}", f"{each['largest']:,}") for tool, each in dear],
    )


def contested_texts(trials: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return every text whose reading is in doubt, with its place."""
    return [
        {"task": trial["task"], "trial": trial["trial"], "checkpoint": point["id"], **each}
        for trial in trials
        for point in trial["checkpoints"]
        for each in point["contested"]
    ]


def _print_contested(each: dict[str, Any]) -> None:
    guess = "taken to say what it should" if each["guess"] else "taken not to say what it should"
    typer.echo("")
    print_text(f"{each['task']} #{each['trial']} {each['checkpoint']}, {each['place']}: {guess}")
    for line in each["wanted"]:
        print_text(f"ought {line}", begin="    ", indent=4)
    for line in each["doubts"]:
        print_text(f"in doubt: {line}", begin="    ", indent=4)
    for line in each["text"].splitlines():
        print_text(line, begin="    | ", indent=6)


def _require_judge(model: str | None, every: bool) -> None:
    if every and model is None:
        raise FarmError("--judge-all needs --judge MODEL: the model that judges every text")


def _judged(log: RunLog, model: str | None, base_url: str | None, *, every: bool = False) -> dict[str, Any]:
    """Return the figures with a model's decisions on the texts in doubt; empty if no model is named."""
    if model is None:
        return {}
    from farm.benchmark.runner.judge import JudgeModel, judged
    from farm.benchmark.runner.prompts import instruction

    said = {task.id: instruction(task) for task in load_suite(log.manifest["suite"]).tasks}
    try:
        return {"judged": judged(log.trials(), JudgeModel(model, log.folder, base_url=base_url), said, every=every)}
    except FarmError as problem:
        # The figures by code do not depend on it.
        typer.echo(f"farm: {problem}; its figures are left out", err=True)
        return {}


def _print_failures(trials: list[dict[str, Any]]) -> None:
    for trial in trials:
        where = f"{trial['task']} #{trial['trial']}"
        if trial["outcome"] in UNSCORED:
            print_text(f"{where}: {trial['outcome'].replace('_', ' ')}: {str(trial['error']).strip().splitlines()[-1]}")
            continue
        if trial["outcome"] == "over_limit":
            print_text(f"{where}: over its limit of calls; the farm refused {trial['over_limit']}")
        if trial["ended"] not in ("answered", "calls"):
            typer.echo(f"{where}: {_end_of(trial)}")
        for line in trial.get("told_wrongly", ()):
            print_text(f"{where}: {line}")
        for point in trial["checkpoints"]:
            if point["score"] < 1:
                print_text(f"{where}: {point['id']} {point['score']}: {point['why']}")
        for each in trial["damage"]:
            print_text(f"{where}: damage: {each['why']}")
        for each in trial["reverted"]:
            if not each["is_damage"]:
                print_text(f"{where}: reverted: {each['why']}")


_ERROR_LINES = 5


def _end_of(trial: dict[str, Any]) -> str:
    """Return why a trial ended without an answer, with the last output of a crashed program."""
    if trial["ended"] != "failed":
        return f"ended: {trial['ended'].replace('_', ' ')}"
    told = trial["transcript"][0]
    how = "" if told.get("status") is None else f" with exit status {told['status']}"
    said = told["stderr"].strip().splitlines()[-_ERROR_LINES:]
    return "\n    ".join([f"the agent crashed{how}", *said])


def rescore(
    source: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of a run, or a result file with --format.", parser=given_path)
    ],
    format_: Annotated[str | None, typer.Option("--format", help="mcpagentbench: score such a result file.")] = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Score a finished run again by the current tasks, without running the agent.

    Example: farm rescore runs/gpt-5
    """
    if format_ is not None:
        from farm.benchmark.scoring.mcpagentbench import score_file

        if format_ != "mcpagentbench":
            raise FarmError(f"no format '{format_}'; have mcpagentbench")
        print_json(score_file(source))
        return
    from farm.benchmark.runner.log import RunLog
    from farm.benchmark.runner.run import report as report_of
    from farm.benchmark.runner.run import rescore as rescore_log

    log = RunLog(source)
    before = report_of(log)
    after = rescore_log(log, load_suite(log.manifest["suite"]))
    if as_json:
        print_json(after)
        return
    print_summaries([before | {"agent": f"{before['agent']} (before)"}, after])


def print_summaries(found: list[dict[str, Any]], *, with_categories: bool = True) -> None:
    """Print a table with one line a run, and one for each run's categories: the main figures; JSON has all."""
    rows: list[tuple[str, ...]] = []
    names = _run_names(found)
    for name, each in zip(names, found, strict=True):
        outcomes = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in each["outcomes"].items() if count)
        sealed = "" if each.get("sealed", True) else " (unsealed)"
        profile = "" if each["profile"] == LATEST else f" ({each['profile']})"
        figures = (_cell(each, figure) for figure in _FIGURES)
        rows.append((name + sealed + profile, _trials(each), *figures, outcomes))
        if graded := each.get("graded_only"):
            cells = (_cell(graded, figure) for figure in _FIGURES)
            rows.append(("  without failures of its endpoint", str(each["graded"]), *cells, ""))
        if judged := each.get("judged"):
            made = f"{judged['decided']} of {judged['contested']} in doubt, agrees in {judged['agrees']}"
            what = f"  {judged['model']} decides {made}"
            rows.append((what, "", *(_cell(judged, figure) for figure in _FIGURES), ""))
            if every := judged.get("every_text"):
                made = f"{every['decided']} of {pluralize(every['texts'], 'text')}"
                rows.append((f"  {judged['model']} judges {made}", "", *(_cell(every, f) for f in _FIGURES), ""))
    print_table(("agent", "trials", *_FIGURES, "outcomes"), rows)
    for name, each in zip(names, found, strict=True):
        for line in _verdict_lines(each):
            print_text(f"{name}: {line}", indent=2)
    for name, each in zip(names, found, strict=True):
        if with_categories and len(each["by_category"]) > 1:
            parts = [
                (category, _trials(of), *(_cell(of, figure) for figure in _CATEGORY_FIGURES))
                for category, of in each["by_category"].items()
            ]
            print_table((name, "trials", *_CATEGORY_FIGURES), parts)


def _verdict_lines(found: dict[str, Any]) -> Iterator[str]:
    """Yield who decided the checkpoints, what sheets and prose scored, and what an agent told wrongly."""
    made = (found.get("judged") or found).get("decided_by") or {"open": 0, "judge": 0}
    total = sum(made.values())
    if made["open"] or made["judge"]:
        shares = ", ".join(f"{made[who]} by {who}" for who in ("code", "judge") if made[who])
        yield f"of {pluralize(total, 'checkpoint')}, {shares}{', ' if shares else ''}{made['open']} open"
    if count := found.get("told_wrongly"):
        yield f"in {pluralize(count, 'trial')} it told other calls or tokens than the trace has; the trace counts"
    if forms := found.get("answer_forms"):
        low, high = forms["by_prose_range"]
        prose = _interval(forms["by_prose"], low, high)
        same = f"alike in {forms['alike']} of {forms['checkpoints']}"
        yield f"answers by sheet {forms['by_sheet']:.2f}, by prose {prose}, {same}"


def _run_names(found: list[dict[str, Any]]) -> list[str]:
    """Return the runs' display names: the agent, and the folder, too, if several runs have the same agent."""
    agents = [each["agent"] for each in found]
    return [
        f"{each['agent']} in {each['out']}" if "out" in each and agents.count(each["agent"]) > 1 else each["agent"]
        for each in found
    ]


def _trials(figures: dict[str, Any]) -> str:
    """Return the number of scored trials, and the total if some could not start."""
    graded, trials = figures["graded"], figures["trials"]
    return str(trials) if graded == trials else f"{graded} of {trials}"


def _cell(figures: dict[str, Any], name: str) -> str:
    """Return a figure, or its interval if texts are in doubt."""
    value = figures.get(name)
    if value is None:
        return "–"
    return _interval(value, *figures.get("ranges", {}).get(name, (value, value)))


def _interval(value: float, low: float, high: float) -> str:
    """Return a figure; only its interval if texts are open, for a best guess is no verdict."""
    return f"{value:.2f}" if low == high else f"{low:.2f}–{high:.2f}"


def judge_agreement(
    folders: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.", parser=given_path)],
    human: Annotated[
        Path | None,
        typer.Option(
            help="CSV file of people's labels: trial, checkpoint, label.", parser=given_path, metavar="<path>"
        ),
    ] = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Show how far code, judge and people agree on the texts of runs, by kind of checkpoint.

    The judge's verdicts are those that 'farm report --judge MODEL --judge-all' has stored in a run's folder.

    Example: farm judge-agreement runs/gpt-5 --human labels.csv
    """
    from farm.benchmark.runner.judge.agreement import measure
    from farm.benchmark.runner.log import RunLog
    from farm.benchmark.runner.prompts import instruction

    logs = [RunLog(folder) for folder in folders]
    suites = {log.manifest["suite"] for log in logs}
    said = {name: {task.id: instruction(task) for task in load_suite(name).tasks} for name in suites}
    found = measure(logs, said, human)
    if as_json:
        print_json(found)
        return
    rows = []
    for kind, pairs in {"all": found["pairs"], **found["by_kind"]}.items():
        for each in pairs:
            kappa = "–" if each["kappa"] is None else f"{each['kappa']:.2f}"
            rows.append((kind, " – ".join(each["raters"]), str(each["labels"]), f"{each['agreement']:.1%}", kappa))
    typer.echo(f"{pluralize(found['checkpoints'], 'checkpoint')} with texts")
    if rows:
        print_table(("checkpoints", "raters", "labels", "agreement", "kappa"), rows)
    else:
        typer.echo("nothing to compare: no judge's verdicts (farm report --judge MODEL --judge-all), no --human labels")


run.__doc__ = f"""Run an agent over a suite and print its score. Without --farm the run starts a farm of its own.

Example: farm run demo --agent llm:gpt-5 -k 3 --out runs/gpt-5

{help_text.COMMAND}
{help_text.PYTHON}"""

COMMANDS = {"run": run, "report": report, "rescore": rescore, "judge-agreement": judge_agreement}
