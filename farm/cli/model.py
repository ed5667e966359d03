"""``farm model``: an endpoint that answers from a script."""

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


def model(
    script: Annotated[
        Path | None,
        typer.Option(help="The model's answers, turn by turn: .toml or .json.", parser=given_path, metavar="<path>"),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.")] = 8710,
    ephemeral: Annotated[
        bool,
        typer.Option(
            "--ephemeral",
            help="For test plugins: use a free port, run until standard input ends, print JSON, accept scripts.",
        ),
    ] = False,
) -> None:
    """Serve a model that answers from a script, by the APIs of OpenAI, Anthropic and Gemini: for tests of agents.

    docs/testing-agents.md describes the script's format.

    Example: farm model --script my_test.toml
    """
    from farm.server.limits.malloc_trim import limit_arenas
    from farm.testing.mock_model import Endpoint, load_script

    limit_arenas()
    try:
        if ephemeral:
            _until_input_ends(Endpoint(None if script is None else load_script(script)))
            return
        if script is None:
            raise FarmError("--script is missing: the file that says what the model says")
        endpoint = Endpoint(load_script(script), host=host, port=port)
    except FarmError as problem:
        raise typer.BadParameter(str(problem)) from None
    for name, value in endpoint.environment().items():
        typer.echo(f"{name}={value}")
    typer.echo(f"# models: {', '.join(endpoint.play('').script.names)}")
    sys.stdout.flush()
    with suppress(KeyboardInterrupt):
        endpoint.serve_forever()
    endpoint.close()


def _until_input_ends(endpoint: Any) -> None:
    endpoint.start()
    sys.stdout.write(orjson.dumps({"url": endpoint.url, "version": __version__}).decode() + "\n")
    sys.stdout.flush()
    sys.stdin.read()
    endpoint.close()


COMMANDS: dict[str, Any] = {"model": model}
