"""``farm sit``: a person or a program plays the agent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from farm._util.plurals import pluralize
from farm.cli.options import Content, Profile, given_path
from farm.cli.run_options import ContextName, PromptName
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.benchmark.generate.sitting import Sitting


def sit(
    suite: Annotated[str, typer.Argument(help="The suite.")],
    tasks: Annotated[list[str] | None, typer.Argument(metavar="[TASK]...", help="The tasks; default: all.")] = None,
    out: Annotated[
        Path, typer.Option("--out", help="The folder that keeps scores and notes.", parser=given_path)
    ] = Path("sittings"),
    files: Annotated[
        Path | None,
        typer.Option(
            "--files", help="A folder: a program reads TRIAL.json and writes TRIAL.answer there.", parser=given_path
        ),
    ] = None,
    menu: Annotated[str, typer.Option(help="The tools: selected, all, or k=N.")] = "selected",
    time_s_max: Annotated[float, typer.Option("--time-max", min=1, help="Seconds for each task.")] = 1800,
    seed: Annotated[int, typer.Option(help="The seed of the episodes' ids.")] = 0,
    prompt: PromptName = "person-2",
    context: ContextName = "necessary",
    profile: Profile = "latest",
    _: Content = None,
) -> None:
    """Play the agent: see only instruction and tools, call them, answer; keep score and notes.

    Example: farm sit demo slack-boards-rate
    """
    from farm.benchmark.generate.sitting import QuitError, Sitting, keep, sat_line, wait_for_answer
    from farm.benchmark.runner.options import paragraphs_in, require_context
    from farm.benchmark.runner.play import Play
    from farm.benchmark.tasks import load_suite

    beside = require_context(context)
    loaded = load_suite(suite)
    chosen = [loaded.task(each) for each in tasks] if tasks else list(loaded.tasks)
    done = []
    for task in chosen:
        with Play(
            task,
            seed,
            menu=menu,
            prompt=prompt,
            unnecessary=beside == "+unnecessary",
            named=beside == "+named",
            paragraphs=paragraphs_in(beside),
            time_s_max=time_s_max,
            profile=profile,
            label="sit",
        ) as play:
            sitting = Sitting(play)
            if files is not None:
                sitting.answer = wait_for_answer(play, files)
            else:
                try:
                    if not _converse(sitting):
                        continue
                except QuitError:
                    break
            line = sat_line(task.id, sitting, sitting.finish())
        keep(out, line)
        done.append(line)
        most = pluralize(line["calls_max"], "call")
        typer.echo(f"{task.id}: {line['outcome']}, {line['acc']:.2f}, {line['calls_made']} of {most}")
    if not done:
        raise FarmError("no trial was finished, so nothing is kept")
    counting = [each for each in done if each["counts"]]
    mean = sum(each["acc"] for each in counting) / len(counting) if counting else 0.0
    typer.echo(f"{len(done)} sat, {len(counting)} count, acc {mean:.2f}; kept in {out}")


def _converse(sitting: Sitting) -> bool:
    """Read commands until there is an answer; return whether there is one."""
    from farm.benchmark.generate.sitting import QuitError

    typer.echo(sitting.opening)
    try:
        for line in sys.stdin:
            if line.strip() == "skip":
                return False
            if said := sitting.command(line):
                typer.echo(said)
            if sitting.answer is not None:
                return True
    except OSError as problem:
        raise FarmError(f"no commands can be read from the terminal: {problem}") from None
    raise QuitError


COMMANDS = {"sit": sit}
