"""``farm new``: creates the folders of a new app."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from farm._util.plurals import pluralize
from farm.cli.options import Content, given_path
from farm.errors import FarmError

new = typer.Typer(no_args_is_help=True)


@new.callback()
def _new() -> None:
    """Create the folders of a new app."""


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
    ] = "GenericJsonSchema()",
    title: Annotated[str | None, typer.Option("--title", help="Display name.")] = None,
    category: Annotated[str, typer.Option("--category", help="Kind of service, for reports.")] = "other",
    folder: Content = None,
) -> None:
    """Create an app's folders: it serves at once, refuses every call with an error, and passes the contract tests.

    Example: farm new app gcal --from tools.json --dialect 'Zod3()'
    """
    from farm.appkit.tool_schemas import read_tool_schemas
    from farm.traverse.scaffold import default_folder, example_tool_schemas, new_app

    where = default_folder() if folder is None else folder.expanduser().absolute()
    tool_schemas = example_tool_schemas(name) if source is None else read_tool_schemas(source)
    is_new = not where.exists()
    where.mkdir(parents=True, exist_ok=True)
    try:
        made = new_app(
            name, where, tool_schemas, dialect=dialect, title=title or name.replace("_", " ").title(), category=category
        )
    except FarmError:
        if is_new:
            where.rmdir()  # nothing was written
        raise
    for path in made:
        typer.echo(f"wrote {path}")
    hint = "" if folder is None else f" --content {folder}"
    typer.echo(f"\n{pluralize(len(tool_schemas.tools), 'tool')}, refusing every call. Try: farm tools {name}{hint}")
    typer.echo("What to write next is in ARCHITECTURE.md, 'A new app'.")


COMMANDS: dict[str, Any] = {"new": new}
