"""``farm traverse capture``: a real server's description of itself and its tools."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from farm.cli.traverse.options import BODY_MAX, BodyMax, Environment, Folder, Headers, Named, Out, Server


def capture(
    source: Named,
    out: Out,
    server: Server = None,
    env: Environment = None,
    header: Headers = None,
    cwd: Folder = None,
    body_max: BodyMax = BODY_MAX,
    protocol: Annotated[
        str | None, typer.Option(help="Protocol revision, such as 2026-07-28; default: one that the server supports.")
    ] = None,
) -> None:
    """Write a real server's tools, with their schemas as it lists them, to tools.json.

    Example: farm traverse capture --out recorded/memory -- npx -y @modelcontextprotocol/server-memory
    """
    from farm.traverse.capture import capture_server
    from farm.traverse.transport.source import read_source

    found = read_source(
        source, server=server, environment=env or (), headers=header or (), folder=cwd, body_max=body_max
    )
    typer.echo(asyncio.run(capture_server(found, out, protocol=protocol)).summary)
