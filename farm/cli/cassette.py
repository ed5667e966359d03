"""``farm cassette``: a recorded session in the place of an MCP server or a model."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from farm import __version__
from farm.cli.options import given_path
from farm.errors import FarmError


def cassette(
    file: Annotated[Path, typer.Argument(help="The cassette, JSON; it is made if it is recorded.", parser=given_path)],
    server: Annotated[
        str | None, typer.Option(help="What is recorded: an MCP server's URL or, with --model, a model's base URL.")
    ] = None,
    mode: Annotated[str, typer.Option(help="When it records: none, once, new_episodes or all.")] = "once",
    model: Annotated[bool, typer.Option("--model", help="Whether it is a model's.")] = False,
    ignore: Annotated[
        list[str] | None, typer.Option(help="A value that is not compared, such as params.arguments.uuid; repeatable.")
    ] = None,
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.")] = 8711,
    ephemeral: Annotated[
        bool,
        typer.Option(
            "--ephemeral", help="For test plugins: use a free port, run until standard input ends, print JSON."
        ),
    ] = False,
) -> None:
    """Record a session with an MCP server or a model, and replay it in tests.

    docs/testing-agents.md explains the record modes, which are those of vcrpy.

    Example: farm cassette slack.json --server http://127.0.0.1:8700/mcp/default/slack
    """
    from farm.testing.cassette import CassetteProxy, Tape

    try:
        proxy = CassetteProxy(Tape(file, mode, ignore or ()), server, is_model=model, port=0 if ephemeral else port)
    except FarmError as problem:
        raise typer.BadParameter(str(problem)) from None
    if ephemeral:
        proxy.start()
        sys.stdout.write(orjson.dumps({"url": proxy.url, "root": proxy.root, "version": __version__}).decode() + "\n")
        sys.stdout.flush()
        sys.stdin.read()
        proxy.close()
        return
    typer.echo(proxy.url)
    sys.stdout.flush()
    with suppress(KeyboardInterrupt):
        proxy.serve_forever()


COMMANDS: dict[str, Any] = {"cassette": cassette}
