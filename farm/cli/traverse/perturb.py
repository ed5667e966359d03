"""``farm traverse perturb``: records which calls a real server refuses, and how."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm.cli.options import Json, given_path
from farm.cli.tables import print_text
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
from farm.cli.traverse.print_plan import show_plan, show_played
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.traverse.perturb.proposed import Proposed
    from farm.traverse.seeds.seeds import Seeds
    from farm.traverse.transport.connection import ServerInfo
    from farm.traverse.transport.source import Source


def perturb(
    source: Named,
    out: Out,
    seeds: Annotated[
        Path,
        typer.Option(
            help="Successful calls: a recording's folder, or a file of calls.", parser=given_path, metavar="<path>"
        ),
    ],
    allow: Annotated[list[str] | None, typer.Option(help="A tool that may change something; may be repeated.")] = None,
    sandbox: Annotated[
        bool, typer.Option("--sandbox", help="The server is disposable: every tool may be called.")
    ] = False,
    reset: Reset = None,
    model: Annotated[
        str | None, typer.Option(help="A model that proposes conflicts from schemas, descriptions and answers.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(envvar="OPENAI_BASE_URL", help="The model's API.")] = None,
    per_tool: Annotated[int, typer.Option(min=1, help="Number of a model's proposals sent for each tool.")] = 5,
    per_seed: Annotated[int, typer.Option(min=1, help="Provoked calls after each seed.")] = 2,
    seed: Annotated[int, typer.Option(help="Seed of the choice of calls.")] = 0,
    calls_max: Annotated[
        int | None, typer.Option(min=1, help="End after so many calls; the same command resumes.")
    ] = None,
    time_max: Annotated[float | None, typer.Option(help="End after so many seconds; the same command resumes.")] = None,
    rate: Annotated[float | None, typer.Option(help="Calls a second at most.")] = None,
    answer_max: Annotated[float, typer.Option(help="Seconds to wait for an answer.")] = 10.0,
    ask_again: Annotated[
        bool,
        typer.Option(
            "--ask-again/--no-ask-again",
            help="Repeat calls at the end of their trace if the answer may not be a refusal.",
        ),
    ] = True,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the planned calls, and make none.")] = False,
    server: Server = None,
    env: Environment = None,
    header: Headers = None,
    cwd: Folder = None,
    body_max: BodyMax = BODY_MAX,
    as_json: Json = False,
) -> None:
    """Repeat successful calls with one error in each, and record the real server's answers.

    The error is a type, the shape, a bound, or a conflict with the server's state. Only tools that the server
    declares read-only are called, unless --allow or --sandbox permit others. A changed call follows its original;
    a model's proposals follow the calls that the model was shown.

    Example: farm traverse perturb --out provoked --seeds recorded --sandbox -- node server.js
    """
    from farm.traverse.capture import describe_server, write_unless_equal
    from farm.traverse.consent import allowed, is_recordable
    from farm.traverse.perturb.plan import cover, plan
    from farm.traverse.perturb.play import AskAgain, Limits, play, run_reset
    from farm.traverse.recordings.recording import Recording
    from farm.traverse.seeds.seeds import read_seeds
    from farm.traverse.transport.source import read_source

    _require_positive("--time-max", time_max)
    _require_positive("--rate", rate)
    _require_positive("--answer-max", answer_max)
    found = read_source(
        source, server=server, environment=env or (), headers=header or (), folder=cwd, body_max=body_max
    )

    asked = asyncio.run(_ask(found))
    tools = asked.tools
    may = allowed(tools, allow or (), is_sandbox=sandbox)
    recordable = frozenset(str(tool["name"]) for tool in tools if is_recordable(tool))
    read = read_seeds(seeds, may & recordable)
    schemas = {str(tool["name"]): tool["inputSchema"] for tool in tools}
    after = None if model is None else _propose(model, base_url, out, read, tools, per_tool).after
    traces = plan(read.traces, schemas, seed=seed, per_seed=per_seed, proposed=after)
    if dry_run:
        coverage = cover((step for trace in traces for step in trace), schemas)
        show_plan(traces, coverage, read, as_json=as_json)
        return
    command = words_of(reset)
    with Recording(out, server=asked.who.name) as recording:
        for line in recording.mended:
            print_text(line)
        write_unless_equal(out, describe_server(found.name, asked.hello, tools, **asked.packages))
        played = asyncio.run(
            play(
                found,
                traces,
                recording,
                Limits(calls_max, time_max, rate, answer_max),
                reset=None if command is None else lambda: run_reset(command),
                ask_again=AskAgain(tools, sandbox) if ask_again else None,
                may=None if sandbox else lambda listed: allowed(listed, allow or (), is_sandbox=False),
                say=lambda line: typer.echo(line, err=True),
            )
        )
    show_played(played, cover(played.steps, schemas), read, out, as_json=as_json)


@dataclass(frozen=True)
class _ServerDescription:
    """A server's description of itself, and its runtime."""

    who: ServerInfo
    hello: dict[str, Any]
    tools: list[dict[str, Any]]
    packages: dict[str, Any]


async def _ask(source: Source) -> _ServerDescription:
    from farm.traverse.transport.connection import connect
    from farm.traverse.transport.packages import packages_of

    async with connect(source) as connection:
        tools = await connection.tools()
        return _ServerDescription(connection.server, connection.hello, tools, packages_of(source, connection.pid))


def _propose(
    model: str, base_url: str | None, out: Path, read: Seeds, tools: list[dict[str, Any]], per_tool: int
) -> Proposed:
    """Return the conflicts that a model proposes, and keep its answers."""
    from farm.traverse.perturb.proposed import ANSWERS, Proposer

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FarmError(f"{out} cannot be written ({problem.strerror})") from None
    proposed = Proposer(model, out / ANSWERS, base_url=base_url).propose(read.traces, tools, per_tool=per_tool)
    for line in proposed.left_out:
        typer.echo(line, err=True)
    return proposed


def _require_positive(option: str, value: float | None) -> None:
    if value is not None and not value > 0:
        raise typer.BadParameter(f"{value:g} is not above 0", param_hint=option)
