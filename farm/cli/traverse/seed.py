"""``farm traverse seed``: calls that should succeed, from a file or a model, made to a server and recorded."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from farm._util.plurals import pluralize
from farm.cli.options import given_path
from farm.cli.traverse.options import (
    BODY_MAX,
    BodyMax,
    Environment,
    Folder,
    Headers,
    Named,
    Out,
    Reset,
    Server,
    words_of,
)
from farm.errors import FarmError

_File = Annotated[
    Path | None,
    typer.Option(
        "--from",
        help="The calls: a file with {tool, arguments} in each line, or a recording's folder.",
        parser=given_path,
        metavar="<path>",
    ),
]


def seed(
    source: Named,
    out: Out,
    file: _File = None,
    model: Annotated[str | None, typer.Option(help="A model that proposes the calls.")] = None,
    base_url: Annotated[str | None, typer.Option(envvar="OPENAI_BASE_URL", help="The model's API.")] = None,
    allow: Annotated[
        list[str] | None, typer.Option(help="A writing tool that the model may call; may be repeated.")
    ] = None,
    sandbox: Annotated[
        bool, typer.Option("--sandbox", help="The server is disposable: the model may call every tool.")
    ] = False,
    reset: Reset = None,
    calls_max: Annotated[int, typer.Option(min=1, help="Maximum number of the model's calls.")] = 40,
    answer_max: Annotated[float, typer.Option(min=0.01, help="Seconds to wait for an answer.")] = 10.0,
    server: Server = None,
    env: Environment = None,
    header: Headers = None,
    cwd: Folder = None,
    body_max: BodyMax = BODY_MAX,
) -> None:
    """Make calls to a real server and record them.

    Example: farm traverse seed --from seeds.jsonl --out recorded/memory -- npx -y @modelcontextprotocol/server-memory
    """
    from farm.traverse.transport.source import read_source

    if (file is None) == (model is None):
        raise FarmError("say where the calls come from: --from FILE, or --model MODEL")
    found = read_source(
        source, server=server, environment=env or (), headers=header or (), folder=cwd, body_max=body_max
    )

    command = words_of(reset)

    async def run() -> int:
        from farm.traverse.consent import allowed
        from farm.traverse.perturb.play import run_reset
        from farm.traverse.recordings.recording import Recording
        from farm.traverse.seeds.player import play, playing
        from farm.traverse.seeds.seeds import read_seeds

        again = None if command is None else lambda: run_reset(command)
        seeds = None if file is None else read_seeds(file)
        # The calls of a file are the user's own.
        asks = seeds is None and not sandbox
        may = (lambda listed: allowed(listed, allow or (), is_sandbox=False)) if asks else None
        with Recording(out) as recording:
            for each in recording.mended:
                typer.echo(each, err=True)
            async with playing(found, recording, limit_s=answer_max, reset=again, may=may) as player:
                if seeds is not None:
                    return await play(player, seeds)
                from farm.traverse.seeds.proposed import callable_tools, propose

                assert model is not None
                tools = callable_tools(player.tools, allow or (), is_sandbox=sandbox)
                return await propose(player, tools, model, base_url=base_url, calls_max=calls_max)

    typer.echo(f"{pluralize(asyncio.run(run()), 'call')} in {out}")
