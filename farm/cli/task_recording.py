"""``farm tasks new``, ``record`` and ``harder``: a task by hand, from doing it once, or from another task."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from farm import content
from farm._util.names import split_names
from farm.cli.options import DATA, Content, Data, NamedFarm, episode_id, given_path, with_farm
from farm.cli.task_generation import UNIVERSES
from farm.errors import FarmError

SuiteName = Annotated[str, typer.Argument(help="The suite.")]
TaskId = Annotated[str, typer.Argument(metavar="TASK", help="The id of the new task.")]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="The folder of the task file; default: that of the suite.", parser=given_path),
]
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SKELETON = '''\
id = "{id}"
title = "…"                  # one line for people who read the list of tasks
world = "{world}"
apps = [{apps}]
category = "…"               # a group for reports, such as cross/calendar
calls_max = 20
instruction = """
…"""

[[checkpoints]]              # what must have changed, or what must be answered: docs/tasks.md#checkpoints
id = "done"
kind = "operate"
change = "create"
app = "{app}"
table = "…"                  # farm tables {app}
where = {{}}
after = {{}}

[[oracle]]                   # calls that do it: farm tools {app}
calls = [{{ app = "{app}", tool = "…", arguments = {{}}, as = "first" }}]

[[near_misses]]              # a wrong way that looks right
why = "…"
change = {{ first = {{}} }}
'''


def new(
    suite: SuiteName,
    task_id: TaskId,
    world: Annotated[str, typer.Option(help="The world of the task.")],
    apps: Annotated[list[str], typer.Option("--apps", help="Comma-separated list of its apps.")],
    out: Out = None,
    _: Content = None,
) -> None:
    """Write a task file to fill in by hand.

    Example: farm tasks new mine my-task --world WORLD --apps slack --out my-content/tasks/mine
    """
    from farm.context.template import load_world

    load_world(world)
    chosen = split_names(apps)
    for app in chosen:
        content.require_app(app)
    listed = ", ".join(f'"{each}"' for each in chosen)
    text = _SKELETON.format(id=task_id, world=world, apps=listed, app=chosen[0])
    typer.echo(f"written: {_write(suite, task_id, out, text)}")


def record(
    named: NamedFarm,
    suite: SuiteName,
    task_id: TaskId,
    instruction: Annotated[str, typer.Option(help="What the agent is asked to do.")],
    episode: Annotated[str | None, typer.Option(help="An episode of a running farm: its calls are the trace.")] = None,
    trace: Annotated[
        Path | None,
        typer.Option("--trace", help="A file with calls, such as sittings.jsonl.", parser=given_path),
    ] = None,
    world: Annotated[str | None, typer.Option(help="The world, with --trace.")] = None,
    me: Annotated[str | None, typer.Option(help="The person, with --trace; default: the protagonist.")] = None,
    answer: Annotated[str, typer.Option(help="The final answer, if the task asks for one.")] = "",
    out: Out = None,
    _: Content = None,
) -> None:
    """Make a task from a trace: you did it once, in any client, and the file proposes what to check.

    Example: farm tasks record mine my-task --episode ID --instruction 'Tell the Yue in finance …'
    """
    from farm.benchmark.generate.record import propose
    from farm.benchmark.generate.task_file import task_text
    from farm.benchmark.generate.trace_file import read_trace
    from farm.benchmark.runner.local_host import LocalHost
    from farm.world.facts import trace_of

    if (episode is None) == (trace is None):
        raise FarmError("name where the calls are: --episode ID, or --trace FILE")
    now = None
    if episode is not None:
        control = named.client()
        found = control.episode(episode_id(control, episode))
        world, me, now = found["world"], found["me"], found["now"]
        calls: Any = control.calls(found["id"], results=False)
    else:
        assert trace is not None
        if world is None:
            raise FarmError("--trace FILE needs --world WORLD")
        read = read_trace(trace)
        calls, answer = read.calls, answer or read.answer
    if world is None:
        raise FarmError(f"episode '{episode}' has no world, so its rows cannot be named in a task")
    with LocalHost(interrupts=False) as host:
        task = propose(
            host.farm,
            calls,
            trace_of(world),
            task_id=task_id,
            world=world,
            me=me,
            now=_start_of(world, now),
            instruction=instruction,
            answer=answer,
        )
    path = _write(suite, task_id, out, task_text(task))
    typer.echo(f"written: {path}; 'farm audit {suite} --tasks {task_id}' proves it")


def harder(
    suite: SuiteName,
    task_id: Annotated[str, typer.Argument(metavar="TASK", help="The task.")],
    by: Annotated[
        list[str],
        typer.Option(
            "--by",
            help="How: fault, pruned, person=ID or with=TASK; in a writer's words, unnamed, correction, distractor, "
            "wait, quantity or hop. Comma-separated, or repeated.",
        ),
    ],
    by_writer: Annotated[
        str | None,
        typer.Option("--by-writer", help="Who words it, if it needs words: files:DIR, command:COMMAND or llm:NAME."),
    ] = None,
    drafts: Annotated[
        Path | None,
        typer.Option("--drafts", help="The folder of the drafts; default: drafts/SUITE.", parser=given_path),
    ] = None,
    data: Data = DATA,
    _: Content = None,
) -> None:
    """Make a proven task harder, and let the audit prove it again; what it proves is a draft to accept.

    Example: farm tasks harder demo slack-unlock-scheduler --by fault
    """
    from farm._util.prompt_writers import read_writer
    from farm.benchmark.generate.drafts import write_draft
    from farm.benchmark.generate.harder import Words, draft_of, raised
    from farm.benchmark.generate.prove_tasks import audit_drafts
    from farm.world.facts import trace_of

    raises, folder = split_names(by), drafts or Path("drafts") / suite
    writer = None if by_writer is None else read_writer(by_writer, folder / "writers", option="--by-writer")
    words = None if writer is None else Words(writer, trace_of, data / UNIVERSES)
    made = raised(_content_of(suite, task_id), raises, lambda other: _content_of(suite, other), words)
    if (path := folder / f"{made['id']}.json").exists():
        raise FarmError(f"{path} exists already, with its history; remove it to raise the task anew")
    proofs = words.proofs if words else ()
    (draft,) = audit_drafts([draft_of(made, task_id, raises, proofs)], trace_of, parallel=1, on_task=lambda _: None)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FarmError(f"--drafts: {folder} cannot be made ({problem.strerror}); name another folder") from None
    write_draft(folder, draft)
    why = str(draft.history[-1].get("why", ""))
    accepting = f"farm tasks accept MINE {draft.id} --drafts {folder} --out FOLDER/tasks/MINE"
    then = f"; '{accepting}' makes it a task of a suite MINE" if draft.state == "audited" else ""
    typer.echo(f"{draft.id}: {draft.state}{f': {why}' if why else ''}{then}")
    if draft.state == "rejected":
        raise typer.Exit(1)


def _content_of(suite: str, task_id: str) -> dict[str, Any]:
    """Return what a task's file says, with the suite's own ``allow`` for its apps."""
    folder = content.suite_dir(suite)
    path = folder / f"{task_id}.toml"
    if not path.is_file():
        raise FarmError(f"no task '{task_id}' in suite '{suite}'; 'farm tasks list {suite}' lists them")
    found, shared = tomllib.loads(path.read_text("utf-8")), folder / "suite.toml"
    allowed = tomllib.loads(shared.read_text("utf-8")).get("allow", []) if shared.is_file() else []
    shown = [each for each in allowed if each["app"] in found["apps"]]
    return found | {"allow": [*found.get("allow", ()), *shown]}


def _start_of(world: str, now: str | None) -> str | None:
    """Return when a task begins, if it is not the world's first moment."""
    from datetime import datetime

    from farm.context.template import load_world

    return None if now is None or datetime.fromisoformat(now) == load_world(world).starts_at else now


def _write(suite: str, task_id: str, out: Path | None, text: str) -> Path:
    if out is None and suite not in content.suite_names():
        raise FarmError(f"there is no suite '{suite}' yet; name its folder: --out FOLDER/tasks/{suite}")
    if not _ID.fullmatch(task_id):
        raise FarmError(f"'{task_id}' is no id of a task; write small letters, digits and hyphens, as my-task")
    folder = out or content.suite_dir(suite)
    path = folder / f"{task_id}.toml"
    if path.exists():
        raise FarmError(f"{path} exists already; an id is never reused")
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def register(tasks: typer.Typer) -> None:
    """Add the commands to ``farm tasks``."""
    tasks.command()(new)
    tasks.command()(with_farm(record))
    tasks.command()(harder)
