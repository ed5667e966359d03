"""``farm tasks`` and ``farm audit``: a suite's tasks, their export, and the proof that they can be done."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from farm import content
from farm._util.names import split_names
from farm._util.plurals import pluralize
from farm.benchmark.tasks import Suite, Task, TaskError, load_suite, shown
from farm.cli import task_generation, task_imports, task_recording, task_review
from farm.cli.options import DATA, Content, Data, Json, given_path, print_json
from farm.cli.tables import print_table, print_text, standard_error
from farm.errors import FarmError

tasks = typer.Typer(no_args_is_help=True)

SuiteName = Annotated[str, typer.Argument(help="The suite.")]
SuiteOrTask = Annotated[str, typer.Argument(metavar="SUITE", help="The suite, or SUITE/TASK.")]
OnlyTasks = Annotated[
    list[str] | None, typer.Option("--tasks", help="Only these tasks: a comma-separated list; may be repeated.")
]
ControlPort = Annotated[
    int, typer.Option(min=0, max=65535, help="The port for grading, on this machine's own address only.")
]
HARBOR = "harbor-framework"


@tasks.command(name="list")
def list_(
    suite: Annotated[str | None, typer.Argument(help="The suite; default: all.")] = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """List the tasks of a suite, or of every suite.

    Example: farm tasks list demo
    """
    suites = [load_suite(name) for name in (content.suite_names() if suite is None else [suite])]
    if as_json:
        print_json([_brief(task) for each in suites for task in each.tasks])
        return
    for each in suites:
        typer.echo(f"{each.name}: {each.title}")
        width = max((len(task.id) for task in each.tasks), default=0)
        for category, of in groupby(sorted(each.tasks, key=_category), key=_category):
            typer.echo(f"  {category}")
            for task in of:
                print_text(task.title, begin=f"    {task.id:<{width}}  ", indent=width + 6)


@tasks.command()
def show(
    suite: SuiteOrTask,
    task_id: Annotated[str | None, typer.Argument(metavar="[TASK]", help="The task's id.")] = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Show a task's instruction, its checkpoints and the oracle's calls.

    Example: farm tasks show demo slack-boards-rate
    """
    suite, task_id = _apart(suite, task_id)
    task = load_suite(suite).task(task_id)
    if as_json:
        told = {"necessary": list(task.necessary), "named": list(task.named), "unnecessary": list(task.unnecessary)}
        print_json(_brief(task) | {"instruction": task.instruction, **told})
        return
    print_text(f"{task.id}: {task.title}")
    most = f"at most {pluralize(task.calls_max, 'call')}"
    print_text(f"asked by {shown.asker(task)}")
    typer.echo(f"{task.category}, apps {', '.join(task.apps)}, {most}\n\n{shown.filled(task, task.instruction)}\n")
    for begin, facts in (
        ("told besides", task.necessary),
        ("told with --context +named", task.named),
        ("told with --context +unnecessary", task.unnecessary),
    ):
        for fact in facts:
            print_text(f"{begin}: {shown.filled(task, fact)}\n", indent=2)
    typer.echo("judged by")
    for line in shown.judged(task):
        print_text(line, begin="  ", indent=2)
    typer.echo("oracle")
    for number, line in shown.gold_calls(task):
        print_text(line, begin=f"  {number}. ", indent=5)
    if task.oracle_answer:
        print_text(f"answers: {shown.filled(task, task.oracle_answer)}", begin="  ", indent=2)


@tasks.command()
def validate(
    suite: Annotated[str | None, typer.Argument(help="The suite; default: all.")] = None, _: Content = None
) -> None:
    """Check every task file, and its lookups in the rows of its world; print one line for each problem.

    Example: farm tasks validate demo
    """
    from farm.benchmark.scoring.resolve import ValueResolver
    from farm.benchmark.scoring.task_start import start_of_task

    problems: list[str] = []
    count = 0
    for name in content.suite_names() if suite is None else [suite]:
        try:
            for task in load_suite(name).tasks:
                count += 1
                known = ValueResolver(start_of_task(task), task.lookups, task.me)
                problems += [f"{task.id}.toml: {line}" for line in known.wrong_lookups()]
        except TaskError as wrong:
            problems += wrong.problems
    if problems:
        raise FarmError("\n".join([*problems, f"{pluralize(len(problems), 'problem')}"]))
    typer.echo(f"{pluralize(count, 'task')}, no problems")


@tasks.command("try")
def try_(
    suite: SuiteOrTask,
    task: Annotated[str, typer.Argument(metavar="[TASK]", help="The task's id, if SUITE does not contain it.")],
    checkpoint: Annotated[str, typer.Argument(help="The checkpoint's id.")],
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="A text that an agent might write; - reads it from standard input."),
    ] = None,
    column: Annotated[str | None, typer.Option(help="The column, if the checkpoint judges several texts.")] = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Evaluate one text against one checkpoint: what it wants, what holds, what is in doubt. The status is 1 on a miss.

    Example: farm tasks try demo slack-unlock-scheduler answered-in-thread 'Yes, final: 26 March 10:00'
    """
    from farm.benchmark.scoring.findings import all_hold, doubts_of
    from farm.benchmark.scoring.try_text import try_text

    if text is None:
        # SUITE/TASK is one argument, so the later ones move one place forward.
        (suite, task), checkpoint, text = _apart(suite, None), task, checkpoint
    found = try_text(load_suite(suite).task(task), checkpoint, sys.stdin.read() if text == "-" else text, column)
    accepted, doubts = all_hold(found, "guess"), doubts_of(found)
    if as_json:
        lines = [{"ok": each.ok, "wanted": each.wanted, "why": each.why} for each in found]
        print_json({"accepted": accepted, "sure": not doubts, "doubts": doubts, "findings": lines})
    else:
        typer.echo(("accepted" if accepted else "refused") + (", in doubt" if doubts else ""))
        for each in found:
            typer.echo(f"  {'ok' if each.ok else 'no'}  {each.describe}")
        for doubt in doubts:
            typer.echo(f"  ??  {doubt}")
    if not accepted:
        raise typer.Exit(1)


@tasks.command()
def export(
    suite: SuiteName,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new or empty folder.", parser=given_path)],
    form: Annotated[str, typer.Option("--format", help=f"The form: {HARBOR}.")],
    only: OnlyTasks = None,
    _: Content = None,
) -> None:
    """Write a suite's tasks as folders for another harness.

    Every oracle is played in this process, and every written file is parsed. In containers nothing is run.

    Example: farm tasks export demo harbor-tasks --format harbor-framework
    """
    from farm.benchmark.export.harbor import export_suite

    if form != HARBOR:
        raise FarmError(f"no format '{form}'; have {HARBOR}")
    chosen = _chosen(load_suite(suite), only)
    with standard_error().status("exporting") as status:
        folders = export_suite(chosen, out, lambda task: status.update(f"exported: {task.id}"))
    typer.echo(f"{pluralize(len(folders), 'task')} in {out}: oracles played here, files parsed, no container was run")
    typer.echo(f"to try them, with Docker and Harbor: harbor run --path {out} --agent oracle")


@tasks.command()
def serve(
    suite: SuiteOrTask,
    task_id: Annotated[str | None, typer.Argument(metavar="[TASK]", help="The task's id.")] = None,
    seed: Annotated[int, typer.Option(help="The seed of the episode's ids.")] = 0,
    host: Annotated[str, typer.Option(help="The address that agents connect to.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Their port; 0 takes a free one.")] = 8700,
    control_port: ControlPort = 8701,
    _: Content = None,
) -> None:
    """Serve one episode of a task without a bearer, in the foreground: for a container beside the agent's.

    Each app is at /mcp/APP. Whoever reaches the port is the agent, so use another --host only on a network of its own.

    Example: farm tasks serve demo/slack-boards-rate
    """
    from farm.benchmark.export.task_server import serve_task

    def on_ready(port: int, control_port: int) -> None:
        typer.echo(f"agents: port {port}; grade: farm tasks grade FILE --out FOLDER --control-port {control_port}")

    name = "/".join(_apart(suite, task_id))
    serve_task(name, seed, host=host, port=port, control_port=control_port, on_ready=on_ready)


@tasks.command()
def grade(
    answer: Annotated[
        Path, typer.Argument(help="The file with the agent's answer; may be missing.", parser=given_path)
    ],
    out: Annotated[Path, typer.Option(help="The folder for trial.json and reward.json.", parser=given_path)],
    control_port: ControlPort = 8701,
) -> None:
    """End the episode of 'farm tasks serve' on this machine, and write its verdict.

    Example: farm tasks grade answer.md --out verdict
    """
    from farm.benchmark.export.verdict import write_verdict

    line = write_verdict(answer, out, control_port)
    typer.echo(f"{line['task']}: {line['outcome']}, {line['acc']:.2f}")


def audit(
    suite: SuiteName,
    only: OnlyTasks = None,
    parallel: Annotated[
        int | None, typer.Option(min=1, max=64, help="Concurrent tasks; default: one per processor.")
    ] = None,
    anew: Annotated[bool, typer.Option("--anew", help="Audit tasks on which nothing has changed, too.")] = False,
    as_json: Json = False,
    data: Data = DATA,
    _: Content = None,
) -> None:
    """Replay every task's oracle and attack the task as people would; exit with 1 if a task fails.

    A failure counts unless the task's file explains it; failures by an unsure text are counted separately. Verdicts
    are kept by all that they depend on: task, world, apps and the farm's code.

    Example: farm audit demo --json
    """
    from farm.benchmark.audit.audit import TaskAudit, audit_suite
    from farm.benchmark.audit.kept_verdicts import KeptVerdicts
    from farm.world.facts import trace_of

    loaded = _chosen(load_suite(suite), only)
    done: list[TaskAudit] = []
    console = standard_error()
    with console.status("auditing") as status:

        def on_task(found: TaskAudit) -> None:
            done.append(found)
            if not console.is_terminal:
                typer.echo(f"{len(done)}/{len(loaded.tasks)} {found.task}", err=True)
            status.update(f"auditing: {len(done)} of {pluralize(len(loaded.tasks), 'task')}")

        kept = None if anew else KeptVerdicts(data / "verdicts", trace_of)
        report = audit_suite(loaded, on_task, parallel=parallel, trace_of=trace_of, kept=kept)
    if as_json:
        print_json(report)
    else:
        _print_audit(report, done)
    if report["survivors"]:
        raise typer.Exit(1)


def _print_audit(report: dict[str, Any], done: list[Any]) -> None:
    rows = []
    for each in done:
        wrong, right = each.total(is_right=False), each.total(is_right=True)
        unsure = wrong.unsure + right.unsure
        rows.append(
            (
                each.task,
                f"{each.oracle:.2f}",
                f"{each.null:.2f}",
                f"{wrong.held} of {wrong.held + wrong.failed}",
                f"{right.held} of {right.held + right.failed}",
                str(unsure) if unsure else "",
            )
        )
    print_table(("task", "oracle", "null", "wrong refused", "right accepted", "unsure"), rows)
    sorts = [
        (
            kind,
            "accepted" if found["right"] else "refused",
            str(found["scripts"]),
            str(found["held"]),
            "–" if found["rate"] is None else f"{found['rate']:.2f}",
            str(found["unsure"] or ""),
            f"{found['unsure_held']} of {found['unsure']}" if found["unsure"] else "",
        )
        for kind, found in sorted(report["by_kind"].items(), key=lambda each: (each[1]["right"], each[0]))
    ]
    print_table(("sort", "should be", "scripts", "judged so", "rate", "unsure", "by guess"), sorts)
    for name in ("explained", "survivors"):
        for each in report[name]:
            print_text(f"{each['task']}: {each['kind']}: {each['why']}: {each['found']}")
            for key in ("text", "explained"):
                if key in each:
                    print_text(f"{key}: {each[key]}", begin="    ", indent=4)
    for each in report["stale"]:
        stale = f"{each['task']}: nothing of kind '{each['kind']}' survives any more; take it from the task's file"
        print_text(stale)
    typer.echo(f"{pluralize(report['tasks'], 'task')}, {pluralize(report['checkpoints'], 'checkpoint')}")
    typer.echo(f"oracle          {report['oracle']:.2f}   null {report['null']:.2f}")
    typer.echo(f"wrong refused   {_rate(report['kill_rate'])}  right accepted {_rate(report['accept_rate'])}")
    wrong, right = report["unsure_wrong"], report["unsure_right"]
    typer.echo(
        f"unsure besides  {wrong['scripts']} wrong, of which best guess refuses {wrong['held']};\n"
        f"                {right['scripts']} right, of which it accepts {right['held']}"
    )
    survivors, explained = len(report["survivors"]), len(report["explained"])
    verdict = f"NOT proven: {pluralize(survivors, 'script')} judged wrongly" if survivors else "proven"
    typer.echo(verdict + (f"; {explained} more, which the tasks' files explain" if explained else ""))


def _rate(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.3f}"


def _chosen(suite: Suite, only: list[str] | None) -> Suite:
    """Return a suite with only the named tasks, or all of it if none is named."""
    if not only:
        return suite
    return Suite(suite.name, suite.title, tuple(suite.task(each) for each in split_names(only)))


def _apart(suite: str, task: str | None) -> tuple[str, str]:
    """Return suite and task, which may be one argument: ``demo/slack-boards-rate``."""
    if task is not None:
        return suite, task
    name, slash, task = suite.partition("/")
    if not slash:
        raise FarmError(f"name the task, too: {suite}/TASK; 'farm tasks list {suite}' lists them")
    return name, task


def _category(task: Task) -> str:
    return task.category


def _brief(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "suite": task.suite,
        "title": task.title,
        "category": task.category,
        "world": task.world,
        "apps": list(task.apps),
        "calls_max": task.calls_max,
        "checkpoints": [{"id": point.id, "kind": point.kind} for point in task.checkpoints],
    }


task_generation.register(tasks)
task_imports.register(tasks)
task_recording.register(tasks)
task_review.register(tasks)
COMMANDS = {"tasks": tasks, "audit": audit}
