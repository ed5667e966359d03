"""``farm traverse proxy``: records a client's traffic with a server."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from farm.cli.traverse.options import BODY_MAX, BodyMax, Environment, Folder, Headers, Named, Out, Server
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.traverse.transport.source import Source


def proxy(
    source: Named,
    out: Out,
    port: Annotated[int | None, typer.Option(help="Port to listen on, for a URL; default: any free port.")] = None,
    server: Server = None,
    env: Environment = None,
    header: Headers = None,
    cwd: Folder = None,
    body_max: BodyMax = BODY_MAX,
) -> None:
    """Relay between an MCP client and a real server, change nothing, and record the calls.

    For a command, the client starts this in the command's place. For a URL, it listens on loopback until Ctrl-C.

    Example: farm traverse proxy --out recorded/memory -- npx -y @modelcontextprotocol/server-memory
    """
    from farm.traverse.transport.source import read_source

    found = read_source(
        source, server=server, environment=env or (), headers=header or (), folder=cwd, body_max=body_max
    )
    if found.url is not None:
        _listen(found, out, port or 0)
        return
    if port is not None:
        raise FarmError("--port is for a server with a URL; one that is a command is reached over stdin and stdout")
    from farm.traverse.proxy.stdio_relay import relay

    sys.exit(relay(found, out))


def _listen(found: Source, out: Path, port: int) -> None:
    from farm.traverse.proxy.http_relay import HttpRelay

    relay = HttpRelay(found, out, port=port)
    said = f"{found.name} is at {relay.url} while this runs; what is called there is recorded in {out}. Ctrl-C ends it."
    asyncio.run(relay.serve(lambda: typer.echo(said)))
