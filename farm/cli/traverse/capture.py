"""``farm traverse capture``: what a real server says of itself and its tools."""

from __future__ import annotations

import asyncio

import typer

from farm.cli.traverse.options import Environment, Folder, Headers, Named, Out, Server


def capture(
    source: Named,
    out: Out,
    server: Server = None,
    env: Environment = None,
    header: Headers = None,
    cwd: Folder = None,
) -> None:
    """Write a real server's tools, with their schemas as it lists them, to tools.json.

    Example: farm traverse capture --out recorded/memory -- npx -y @modelcontextprotocol/server-memory
    """
    from farm.traverse.capture import take
    from farm.traverse.source import read_source

    found = read_source(source, server=server, environment=env or (), headers=header or (), folder=cwd)
    taken = asyncio.run(take(found, out))
    typer.echo(f"{taken.server.name} {taken.server.version}: {len(taken.tools)} tools, in {taken.file}")
