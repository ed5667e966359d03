"""``farm tasks import``: another benchmark's tasks and tools, as a content folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from farm._util.plurals import pluralize
from farm.cli.options import Json, given_path, print_json, use_content
from farm.cli.tables import print_text, standard_error
from farm.errors import FarmError

FORMATS = ("mcpagentbench",)


def import_(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help=f"The benchmark: {', '.join(FORMATS)}.")],
    path: Annotated[Path, typer.Argument(help="Your checkout of its repository.", parser=given_path)],
    folder: Annotated[
        Path, typer.Option("--content", help="The content folder to write.", parser=given_path, metavar="<path>")
    ] = Path("mcpagentbench"),
    as_json: Json = False,
) -> None:
    """Import a benchmark: its tools become an app, its tasks a suite, and each task's reference is played.

    Nothing of the repository is run: its code is translated by rules, which know no file, process or network.

    Example: farm tasks import mcpagentbench ~/MCPAgentBench --content mcpagentbench
    """
    from farm.benchmark.imports.mcpagentbench.write import NAME, import_checkout

    if form not in FORMATS:
        raise FarmError(f"no format '{form}'; have {', '.join(FORMATS)}")
    made = import_checkout(path.expanduser(), folder.expanduser().absolute())
    use_content(folder)
    from farm.benchmark.imports.mcpagentbench.proof import play_gold

    with standard_error().status("playing") as status:
        played = play_gold(lambda task: status.update(f"playing: {task.id}"))
    if as_json:
        print_json(
            {
                "suite": NAME,
                "tools": len(made.tools),
                "tasks": len(made.tasks),
                "left_out": dict(made.left_out),
                "refused": played.refused,
                "tfs": round(100 * played.tfs, 2),
                "tefs": round(100 * played.tefs, 2),
            }
        )
        return
    typer.echo(f"{pluralize(len(made.tools), 'tool')} and {pluralize(len(made.tasks), 'task')} in {folder}")
    for task, why in made.left_out.items():
        print_text(f"{task} is left out: {why}", indent=2)
    typer.echo(f"oracle: TFS {100 * played.tfs:.2f}, TEFS {100 * played.tefs:.2f}")
    if played.refused:
        typer.echo(f"{pluralize(len(played.refused), 'task')} with a reference that its own tools refuse:")
        for task, why in played.refused.items():
            print_text(f"{task}: {why}", begin="  ", indent=4)
    typer.echo(f"to run it: farm run {NAME} --content {os.path.relpath(folder)} --menu k=20:own --prompt counted")


def register(tasks: typer.Typer) -> None:
    """Add the command."""
    tasks.command("import")(import_)
