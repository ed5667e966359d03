"""``farm new``: folders to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from farm.cli.options import Content, given_path
from farm.counted import counted
from farm.errors import FarmError

new = typer.Typer(no_args_is_help=True)


@new.callback()
def _new() -> None:
    """Make folders to begin with."""


@new.command()
def app(
    name: Annotated[str, typer.Argument(help="Short lower-case name, such as gcal.")],
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", help="The real server's answer to tools/list, as JSON.", parser=given_path, metavar="<path>"
        ),
    ] = None,
    dialect: Annotated[
        str, typer.Option("--dialect", help="How the real server's SDK words argument errors, such as 'Zod3()'.")
    ] = "Plain()",
    title: Annotated[str | None, typer.Option("--title", help="Name for people.")] = None,
    category: Annotated[str, typer.Option("--category", help="What kind of service it is, for reports.")] = "other",
    folder: Content = None,
) -> None:
    """Make an app's folders: it serves at once, refuses every call loudly, and passes the contract tests.

    Example: farm new app gcal --from tools.json --dialect 'Zod3()'
    """
    from farm.contracts import read_contract
    from farm.scaffold import default_folder, example_contract, new_app

    where = default_folder() if folder is None else folder.expanduser().absolute()
    contract = example_contract(name) if source is None else read_contract(source)
    is_new = not where.exists()
    where.mkdir(parents=True, exist_ok=True)
    try:
        made = new_app(
            name, where, contract, dialect=dialect, title=title or name.replace("_", " ").title(), category=category
        )
    except FarmError:
        if is_new:
            where.rmdir()  # nothing was written
        raise
    for path in made:
        typer.echo(f"wrote {path}")
    hint = "" if folder is None else f" --content {folder}"
    typer.echo(f"\n{counted(len(contract.tools), 'tool')}, refusing every call. Try: farm tools {name}{hint}")
    typer.echo("What to write next is in ARCHITECTURE.md, 'A new app'.")


COMMANDS: dict[str, Any] = {"new": new}
