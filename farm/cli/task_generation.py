"""A workbench: ``farm tasks units``, ``universe``, ``generate``, ``write``, ``read``, ``drafts`` and ``accept``."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm import content
from farm._util.names import split_names
from farm._util.plurals import pluralize
from farm.cli.options import DATA, Content, Data, Json, given_path, print_json
from farm.cli.tables import print_table, print_text, standard_error
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.benchmark.generate.drafts import Draft, State

World = Annotated[str, typer.Argument(help="The world.")]
SuiteName = Annotated[str, typer.Argument(help="The suite.")]
Me = Annotated[str | None, typer.Option("--me", help="The person; default: the world's protagonist.")]
SomeApps = Annotated[
    list[str] | None,
    typer.Option("--apps", help="Comma-separated list of apps; default: all of the person's that have units."),
]
Drafts = Annotated[
    Path | None,
    typer.Option("--drafts", help="The folder of the drafts; default: drafts/SUITE.", parser=given_path),
]
By = Annotated[str, typer.Option("--by", help="Who answers: files:DIR, command:COMMAND or llm:NAME.")]
OfWorld = Annotated[str, typer.Option("--world", help="The world that the drafts are set in.")]
UNIVERSES = "universes"


def units(
    app: Annotated[str, typer.Argument(help="The app.")],
    world: Annotated[str | None, typer.Option(help="The world to learn in; default: that of the last time.")] = None,
    suite: Annotated[
        list[str] | None, typer.Option("--suite", help="A suite whose oracles give example calls. May be repeated.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Compare with the kernel's units.json.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Write the kernel's units.json.")] = False,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Learn by play what an app's tools take and return.

    Example: farm tasks units slack --check
    """
    from farm.benchmark.generate.learn import learn_units
    from farm.benchmark.generate.units import as_text, differences, load_units, units_path
    from farm.benchmark.runner.local_host import LocalHost

    content.require_app(app)
    path = units_path(app)
    known = load_units(app) if path.is_file() and (check or world is None) else None
    learned_in = known.world if world is None and known else world
    if learned_in is None or (check and known is None):
        raise FarmError(f"{app} has no {path.name} yet; name a world that has the app: --world WORLD")
    suites = split_names(suite) if suite else list(known.suites) if known else []
    with LocalHost(interrupts=False) as host, standard_error().status("playing"):
        found = learn_units(host.farm, app, learned_in, suites)
    if as_json:
        print_json(json.loads(as_text(found)))
    else:
        _print_units(found)
    if check and known is not None:
        lines = differences(known, found)
        for line in lines:
            typer.echo(line, err=True)
        if lines:
            raise FarmError(f"{path} is not what play shows; 'farm tasks units {app} --write' writes it anew")
    if write:
        path.write_text(as_text(found), "utf-8")
        typer.echo(f"written: {path}", err=True)


def _print_units(found: Any) -> None:
    rows = [
        (
            unit.tool,
            "writes" if unit.writes else "reads",
            {True: "yes", False: "no", None: "–"}[unit.is_personal],
            ", ".join(f"{each.path} ({each.role})" for each in unit.arguments.values() if each.role not in ("option",)),
        )
        for unit in found.units.values()
    ]
    print_table(("tool", "", "personal", "arguments"), rows)
    for tool, why in found.missing.items():
        print_text(f"{tool}: {why}", begin="  not learned: ", indent=4)
    typer.echo(f"{pluralize(len(found.units), 'unit')}, {pluralize(len(found.edges), 'edge')}")


def universe(
    world: World, me: Me = None, apps: SomeApps = None, as_json: Json = False, data: Data = DATA, _: Content = None
) -> None:
    """Play every reading tool as a person until nothing new is seen, and keep what was found.

    Example: farm tasks universe WORLD --me lin.wan --apps slack
    """
    from farm.benchmark.generate.universe import explore
    from farm.benchmark.runner.local_host import LocalHost

    with LocalHost(interrupts=False) as host, standard_error().status("playing"):
        found = explore(host.farm, world, me, _apps(world, me, apps), data / UNIVERSES)
    counts = [
        {"app": app, "calls": len(view.calls), "objects": len(view.seen), "keys": len(view.by_key)}
        for app, view in found.apps.items()
    ]
    if as_json:
        print_json({"world": world, "me": found.me, "apps": counts})
        return
    print_table(("app", "calls", "objects", "keys"), [tuple(map(str, each.values())) for each in counts])


def _apps(world: str, me: str | None, given: list[str] | None) -> list[str]:
    """Return the named apps, or those of a person's that have units."""
    from farm.benchmark.generate.universe import apps_with_units

    return split_names(given) if given else apps_with_units(world, me)


def generate(
    suite: SuiteName,
    world: Annotated[str, typer.Option(help="The world that the tasks are set in.")],
    me: Me = None,
    apps: SomeApps = None,
    families: Annotated[
        list[str] | None, typer.Option("--families", help="Comma-separated list of samplers; default: all.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="The largest number of drafts.")] = 20,
    seed: Annotated[int, typer.Option(help="The seed of all draws.")] = 0,
    drafts: Drafts = None,
    audited: Annotated[bool, typer.Option("--audit/--no-audit", help="Let the audit prove each draft.")] = True,
    parallel: Annotated[int | None, typer.Option(min=1, max=64, help="Concurrent audits.")] = None,
    as_json: Json = False,
    data: Data = DATA,
    _: Content = None,
) -> None:
    """Sample chains of tools, fill them from facts, play them, and keep those that the audit proves as drafts.

    Example: farm tasks generate mine --world WORLD --families tell --count 10
    """
    from farm.benchmark.generate.drafts import write_draft
    from farm.benchmark.generate.pipeline import Yield
    from farm.benchmark.generate.pipeline import generate as make_drafts
    from farm.benchmark.generate.prove_tasks import audit_drafts
    from farm.benchmark.generate.samplers import SAMPLERS
    from farm.benchmark.generate.samplers.ground import Ground
    from farm.benchmark.generate.universe import explore
    from farm.benchmark.runner.local_host import LocalHost
    from farm.world.facts import trace_of

    folder, counted = _folder(suite, drafts), Yield()
    chosen = split_names(families) if families else list(SAMPLERS)
    with LocalHost(interrupts=False) as host, standard_error().status("sampling") as status:
        known = explore(host.farm, world, me, _apps(world, me, apps), data / UNIVERSES)
        ground = Ground(known, trace_of(world), seed)
        made = list(make_drafts(host.farm, ground, suite, chosen, count, counted, *_taken(suite, folder)))
        if audited:
            status.update("auditing")
            made = audit_drafts(made, trace_of, parallel=parallel, on_task=lambda task: status.update(task))
    for draft in made:
        write_draft(folder, draft)
    _report(made, counted, folder, as_json=as_json)


def _report(made: list[Draft], counted: Any, folder: Path, *, as_json: bool) -> None:
    states = Counter(each.state for each in made)
    if as_json:
        print_json(
            {
                "drafts": len(made),
                "states": dict(states),
                "sampled": dict(counted.sampled),
                "sequences": len(counted.sequences),
                "refused": dict(counted.refused),
            }
        )
        return
    _print_drafts(made)
    reasons = Counter[str]()
    for reason, number in counted.refused.items():
        reasons[reason[:100]] += number
    for reason, number in reasons.most_common(12):
        typer.echo(f"  {number:>5}  {reason}")
    sampled, different = sum(counted.sampled.values()), len(counted.sequences)
    typer.echo(f"{pluralize(sampled, 'chain')}, {different} different; {pluralize(len(made), 'draft')} in {folder}")


def _print_drafts(made: list[Draft]) -> None:
    rows = []
    for each in made:
        why = next((str(line["why"]) for line in reversed(each.history) if line.get("why")), "")
        rows.append((each.id, each.state, str(each.task["instruction"]), why if each.state == "rejected" else ""))
    print_table(("draft", "state", "instruction", "why not"), rows)


def _taken(suite: str, folder: Path) -> tuple[list[tuple[str, ...]], list[str]]:
    """Return the tool sequences that the suite and its drafts have already, and the ids of the drafts."""
    from farm.benchmark.generate.drafts import read_draft
    from farm.benchmark.tasks import load_suite

    drafts = [read_draft(path) for path in sorted(folder.glob("*.json"))]
    found = [tuple(each.chain["tools"]) for each in drafts]
    if suite in content.suite_names():
        found += [
            tuple(f"{call.app}.{call.tool}" for step in task.oracle for call in step)
            for task in load_suite(suite).tasks
        ]
    return found, [each.id for each in drafts]


def write(
    suite: SuiteName,
    by: By,
    world: OfWorld,
    me: Me = None,
    apps: SomeApps = None,
    drafts: Drafts = None,
    data: Data = DATA,
    _: Content = None,
) -> None:
    """Have drafts worded: why somebody would ask for it, then how; code checks the words.

    Example: farm tasks write mine --world WORLD --by files:answers
    """
    _at_desk(suite, by, world, me, apps, drafts, data, wanted=("proved", "audited"), step="word")


def read(
    suite: SuiteName,
    by: By,
    world: OfWorld,
    me: Me = None,
    apps: SomeApps = None,
    drafts: Drafts = None,
    data: Data = DATA,
    _: Content = None,
) -> None:
    """Have worded drafts read blind; those that are understood are audited again.

    Example: farm tasks read mine --world WORLD --by 'command:my-reader {task}'
    """
    _at_desk(suite, by, world, me, apps, drafts, data, wanted=("written",), step="read")


def _at_desk(
    suite: str,
    by: str,
    world: str,
    me: str | None,
    apps: list[str] | None,
    drafts: Path | None,
    data: Path,
    *,
    wanted: tuple[State, ...],
    step: str,
) -> None:
    """Ask a writer about each draft in some states; every draft is kept as soon as its answer is there."""
    from farm._util.prompt_writers import AnswerPendingError, read_writer
    from farm.benchmark.generate.drafts import in_states, read_drafts, write_draft
    from farm.benchmark.generate.prove_tasks import audit_drafts
    from farm.benchmark.generate.samplers.ground import Ground
    from farm.benchmark.generate.universe import explore
    from farm.benchmark.generate.writers import Desk
    from farm.benchmark.runner.local_host import LocalHost
    from farm.world.facts import trace_of

    folder = _folder(suite, drafts)
    chosen = in_states(read_drafts(folder), wanted)
    writer = read_writer(by, folder / "writers", option="--by")
    if writer is None:
        raise FarmError("--by none writes nothing; name files:DIR, command:COMMAND or llm:NAME")
    with LocalHost(interrupts=False) as host:
        ground = Ground(explore(host.farm, world, me, _apps(world, me, apps), data / UNIVERSES), trace_of(world))
    desk, waiting, done = Desk(ground, writer), 0, 0
    for draft in chosen:
        try:
            answered = desk.word(draft) if step == "word" else desk.read(draft)
        except AnswerPendingError as waits:
            waiting += 1
            print_text(str(waits), begin=f"{draft.id}: ", indent=4)
            continue
        except (KeyError, TypeError) as problem:
            raise FarmError(f"{folder / draft.id}.json was edited: its chain lacks {problem}") from None
        if answered.problem:
            print_text(answered.problem, begin=f"{draft.id}: refused: ", indent=4)
            continue
        changed = answered.draft
        if changed.state == "read":
            changed = audit_drafts([changed], trace_of, parallel=1, on_task=lambda _: None)[0]
        write_draft(folder, changed)
        done += 1
        why = str(changed.history[-1].get("why", ""))
        print_text(f"{changed.state}{f': {why}' if why else ''}", begin=f"{draft.id}: ", indent=4)
    typer.echo(f"{done} of {pluralize(len(chosen), 'draft')} answered; {waiting} waiting")


def list_drafts(suite: SuiteName, drafts: Drafts = None, as_json: Json = False) -> None:
    """List the drafts of a suite with their states.

    Example: farm tasks drafts mine
    """
    from farm.benchmark.generate.drafts import read_drafts

    found = read_drafts(_folder(suite, drafts))
    if as_json:
        print_json([{"id": each.id, "state": each.state, "family": each.chain["family"]} for each in found])
        return
    _print_drafts(found)


def accept(
    suite: SuiteName,
    ids: Annotated[list[str] | None, typer.Argument(metavar="[DRAFT]...", help="The drafts; default: all.")] = None,
    drafts: Drafts = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The folder of the task files; default: that of the suite.", parser=given_path),
    ] = None,
    _: Content = None,
) -> None:
    """Write drafts that were proven as task files of their suite.

    Example: farm tasks accept mine mine-001-tell --out my-content/tasks/mine
    """
    from farm.benchmark.generate.drafts import read_drafts, write_draft
    from farm.benchmark.generate.task_file import task_text

    folder = _folder(suite, drafts)
    found = {each.id: each for each in read_drafts(folder)}
    chosen = ids or [each.id for each in found.values() if each.state in ("audited", "sat")]
    if unknown := [each for each in chosen if each not in found]:
        raise FarmError(f"no draft '{unknown[0]}' in {folder}; 'farm tasks drafts {suite}' lists them")
    if unproven := [each for each in chosen if found[each].state not in ("audited", "sat", "accepted")]:
        raise FarmError(f"{unproven[0]} is {found[unproven[0]].state}; only what the audit has proven is accepted")
    if out is None and suite not in content.suite_names():
        raise FarmError(f"there is no suite '{suite}' yet; name its folder: --out FOLDER/tasks/{suite}")
    target = out or content.suite_dir(suite)
    target.mkdir(parents=True, exist_ok=True)
    for name in chosen:
        path, text = target / f"{name}.toml", task_text(found[name].task)
        if path.exists() and path.read_text("utf-8") != text:
            raise FarmError(f"{path} exists already and is another task by now; remove it to accept the draft again")
    for name in chosen:
        (target / f"{name}.toml").write_text(task_text(found[name].task), "utf-8")
        write_draft(folder, found[name].to("accepted", "accept"))
    typer.echo(f"{pluralize(len(chosen), 'task')} in {target}")


def _folder(suite: str, given: Path | None) -> Path:
    return given or Path("drafts") / suite


def register(tasks: typer.Typer) -> None:
    """Add the commands to ``farm tasks``."""
    tasks.command()(units)
    tasks.command()(universe)
    tasks.command()(generate)
    tasks.command()(write)
    tasks.command()(read)
    tasks.command("drafts")(list_drafts)
    tasks.command()(accept)
