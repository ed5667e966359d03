"""``farm traverse capture``: what a real server says of itself and its tools."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from farm.cli.traverse.options import Environment, Folder, Headers, Named, Out, Server


def capture(
    source: Named,
    out: Out,
    server: Server = None,
    env: Environment = None,
    header: Headers = None,
    cwd: Folder = None,
    protocol: Annotated[
        str | None, typer.Option(help="The revision to speak, such as 2026-07-28; else what the server knows.")
    ] = None,
) -> None:
    """Write a real server's tools, with their schemas as it lists them, to tools.json.

    Example: farm traverse capture --out recorded/memory -- npx -y @modelcontextprotocol/server-memory
    """
    from farm.traverse.capture import take
    from farm.traverse.source import read_source

    found = read_source(source, server=server, environment=env or (), headers=header or (), folder=cwd)
    typer.echo(asyncio.run(take(found, out, protocol=protocol)).summary)
