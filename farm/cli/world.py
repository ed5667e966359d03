"""``farm world generate`` and ``check``: for authors of worlds."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from farm.cli.options import Content

world = typer.Typer(no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The world.")]


@world.command()
def generate(name: Name, _: Content = None) -> None:
    """Check a world's specification and write its rows; the same specification gives the same bytes.

    Example: farm world generate harbor
    """
    from farm.world import check as check_world
    from farm.world import write

    typer.echo(check_world(name))
    written = write(name)
    for path in written.values():
        typer.echo(f"wrote {path}")
    if not written:
        typer.echo("every file is as it was")


@world.command()
def check(name: Name, _: Content = None) -> None:
    """Check a world's specification without writing anything, and count its rows.

    Example: farm world check harbor
    """
    from farm.world import check as check_world

    typer.echo(check_world(name))


COMMANDS: dict[str, Any] = {"world": world}
