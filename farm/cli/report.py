"""``farm report``, ``farm rescore``, ``farm merge`` and ``farm judge-agreement``: what came of finished runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm._util.plurals import pluralize
from farm.benchmark.scoring.metrics import UNSCORED
from farm.benchmark.tasks import load_suite
from farm.cli.judge import BaseUrl, JudgeAll, JudgeModel, judged_figures, require_judge
from farm.cli.options import Content, Json, given_path, print_json
from farm.cli.paper import FormatName, print_paper
from farm.cli.run_figures import print_summaries, print_tokens, run_names
from farm.cli.tables import print_table, print_text
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.benchmark.failures.report import MissedTrial
    from farm.benchmark.runner.log import RunLog


def report(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of runs.", parser=given_path)],
    failures: Annotated[bool, typer.Option("--failures", help="Show why each checkpoint was missed.")] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Show why trials missed their tasks, by kind, each with what shows it.")
    ] = False,
    contested: Annotated[
        bool, typer.Option("--contested", help="Show the texts whose reading is in doubt, for a person to decide.")
    ] = False,
    paper: Annotated[
        str | None, typer.Option(help="Lay the runs out as this table or figure of a paper: docs/papers.md.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write one HTML file with figures and every trial, and print nothing else.",
            parser=given_path,
        ),
    ] = None,
    format_: FormatName = "text",
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
    from farm.benchmark.runner.merge import missing
    from farm.benchmark.runner.run import report as report_of

    if paper is not None:
        print_paper(paper, folders, format_, as_json=as_json)
        return
    require_judge(judge, judge_all)
    logs = [RunLog(folder) for folder in folders]
    if html is not None:
        _write_html(html, logs)
        return
    found = [
        report_of(log)
        | {"out": str(log.folder), "missing": missing(log)}
        | judged_figures(log, judge, base_url, every=judge_all)
        for log in logs
    ]
    missed = [list(_missed(log)) for log in logs] if why else []
    if as_json:
        found = [each | {"why": why_json(known)} for each, known in zip(found, missed, strict=True)] if why else found
        if contested:
            found = [each | {"contested": contested_texts(log.trials())} for each, log in zip(found, logs, strict=True)]
        print_json({"runs": found})
        return
    print_summaries(found)
    for name, each in zip(run_names(found), found, strict=True):
        for line in each["missing"]:
            print_text(f"{name}: {line}", indent=2)
        print_tokens(each | {"agent": name})
    for log in logs if contested else ():
        for each in contested_texts(log.trials()):
            _print_contested(each)
    for name, known in zip(run_names(found), missed, strict=False):
        _print_why(name, known)
    if failures:
        for name, log in zip(run_names(found), logs, strict=True):
            if len(logs) > 1:
                typer.echo(f"\n{name}:")
            _print_failures(log.trials())


def _write_html(file: Path, logs: list[RunLog]) -> None:
    from farm.cli.report_page.report_data import report_file

    held = [{"agent": log.manifest["agent"], "out": str(log.folder)} for log in logs]
    try:
        file.write_bytes(report_file(logs, run_names(held)))
    except OSError as problem:
        raise FarmError(f"{file} cannot be written ({problem.strerror})") from None
    typer.echo(f"{file}: {file.stat().st_size / 1e6:.1f} MB; it holds every call, answer and message of these runs")


def _missed(log: RunLog) -> Iterator[MissedTrial]:
    from farm.benchmark.failures.report import missed_trials

    yield from missed_trials(log.trials(), load_suite(log.manifest["suite"]), log.manifest["profile"])


def why_json(missed: list[MissedTrial]) -> dict[str, Any]:
    """Return why the trials of a run missed their tasks, for JSON."""
    from farm.benchmark.failures.report import as_json

    return as_json(missed)


def _print_why(name: str, missed: list[MissedTrial]) -> None:
    """Print how many trials have each reason, then each trial's reasons with what shows them."""
    from farm.benchmark.failures.report import counts

    if not missed:
        typer.echo(f"\n{name}: no trial missed its task")
        return
    rows = [(kind, str(count)) for kind, count in counts(missed).items() if count]
    typer.echo(f"\n{name}: why {pluralize(len(missed), 'trial')} missed; one may have several reasons:")
    print_table(("reason", "trials"), rows)
    for each in missed:
        for reason in each.reasons:
            for line in reason.evidence:
                print_text(f"{each.task} #{each.trial}: {reason.kind}: {line}")


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


def merge(
    folders: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.", parser=given_path)],
    out: Annotated[Path, typer.Option(help="Folder of the merged run.", parser=given_path, metavar="<path>")],
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Merge runs that were held in parts, such as shards on several machines, into one run.

    Each trial counts once. The runs must have been held alike: agent, menu, seed, tools.

    Example: farm merge runs/part-1 runs/part-2 --out runs/whole
    """
    from farm.benchmark.runner.log import RunLog
    from farm.benchmark.runner.merge import merge as merge_runs
    from farm.benchmark.runner.merge import missing
    from farm.benchmark.runner.run import report as report_of

    merged = merge_runs([RunLog(folder) for folder in folders], out)
    left = missing(merged)
    found = report_of(merged)
    if as_json:
        print_json(found | {"out": str(out), "missing": left})
        return
    print_summaries([found])
    for line in left:
        typer.echo(line, err=True)
    typer.echo(f"log: {out}")


COMMANDS = {"report": report, "rescore": rescore, "merge": merge, "judge-agreement": judge_agreement}
