"""Options that several commands of ``farm traverse`` share."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from farm.cli.options import given_path
from farm.errors import FarmError

Named = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE",
        help="The real server: a URL, a file with mcpServers, or a command after --.",
    ),
]
Server = Annotated[str | None, typer.Option(help="Which server of the mcpServers file.")]
Environment = Annotated[
    list[str] | None,
    typer.Option("--env", help="NAME=value for a command, or NAME for its current value; may be repeated."),
]
Headers = Annotated[list[str] | None, typer.Option("--header", help="'Name: value' for a URL; may be repeated.")]
Folder = Annotated[
    Path | None, typer.Option("--cwd", help="Working folder of a command.", parser=given_path, metavar="<path>")
]
BodyMax = Annotated[
    str, typer.Option(help="Maximum size of a message of the server.", metavar="<size>", show_default=True)
]
BODY_MAX = "16MiB"
Out = Annotated[Path, typer.Option(help="The recording's folder.", parser=given_path, metavar="<path>")]
Reset = Annotated[str | None, typer.Option(help="Command that resets the server, run before each trace.")]


def words_of(reset: str | None) -> list[str] | None:
    """Split a command that is given as one text into words.

    Raises:
        FarmError: a quotation does not end, or there is no word.
    """
    if reset is None:
        return None
    try:
        words = shlex.split(reset)
    except ValueError as problem:
        raise FarmError(f"--reset: {problem} in: {reset}") from None
    if not words:
        raise FarmError("--reset names no command")
    return words
