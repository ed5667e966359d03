"""``farm traverse perturb``: what a real server refuses, and how."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm.cli.options import Json, given_path, print_json
from farm.cli.tables import print_table, print_text
from farm.cli.traverse.options import Environment, Folder, Headers, Named, Out, Reset, Server, words_of
from farm.counted import counted
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.traverse.provoke.plan import Coverage, Trace
    from farm.traverse.provoke.play import Played
    from farm.traverse.seeds import Seeds

# Class → the head of its column.
_HEADS = {
    "type_mismatch": "type",
    "schema_violation": "schema",
    "boundary": "boundary",
    "semantic_conflict": "conflict",
}


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
        bool, typer.Option("--sandbox", help="The server is a throw-away one: every tool may be called.")
    ] = False,
    reset: Reset = None,
    model: Annotated[
        str | None, typer.Option(help="A model that proposes conflicts from schemas, descriptions and answers.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(envvar="OPENAI_BASE_URL", help="The model's API.")] = None,
    per_tool: Annotated[int, typer.Option(min=1, help="How many of a model's proposals are sent of each tool.")] = 5,
    per_seed: Annotated[int, typer.Option(min=1, help="Provoked calls after each seed.")] = 2,
    seed: Annotated[int, typer.Option(help="Decides what is chosen.")] = 0,
    calls_max: Annotated[
        int | None, typer.Option(min=1, help="End after so many calls; the same command goes on.")
    ] = None,
    time_max: Annotated[float | None, typer.Option(help="End after so many seconds; the same command goes on.")] = None,
    rate: Annotated[float | None, typer.Option(help="Calls a second at most.")] = None,
    answer_max: Annotated[float, typer.Option(help="How long an answer is waited for, in seconds.")] = 10.0,
    ask_again: Annotated[
        bool,
        typer.Option(
            "--ask-again/--no-ask-again",
            help="Make calls once more at the end of their trace where the answer may be no refusal.",
        ),
    ] = True,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be called, and call nothing.")] = False,
    server: Server = None,
    env: Environment = None,
    header: Headers = None,
    cwd: Folder = None,
    as_json: Json = False,
) -> None:
    """Make successful calls again with one thing wrong in each, and record what a real server says.

    What is wrong: a type, the shape, a bound, or a conflict that only the server's state knows of. Only tools that the
    server declares read-only are called, unless others are allowed. Calls stand after the one they were made of; a
    model's, if one is asked for more conflicts, after those that it was shown.

    Example: farm traverse perturb --out provoked --seeds recorded --sandbox -- node server.js
    """
    from farm.traverse.capture import described, keep
    from farm.traverse.connection import connect
    from farm.traverse.packages import packages_of
    from farm.traverse.provoke.consent import allowed, is_recordable
    from farm.traverse.provoke.plan import cover, plan
    from farm.traverse.provoke.play import AskAgain, Limits, play, run_reset
    from farm.traverse.provoke.proposed import ANSWERS, Proposer
    from farm.traverse.recording import Recording
    from farm.traverse.seeds import read_seeds
    from farm.traverse.source import read_source

    _require_positive("--time-max", time_max)
    _require_positive("--rate", rate)
    _require_positive("--answer-max", answer_max)
    found = read_source(source, server=server, environment=env or (), headers=header or (), folder=cwd)

    async def ask() -> tuple[Any, dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
        async with connect(found) as connection:
            tools = await connection.tools()
            return connection.server, connection.hello, tools, packages_of(found, connection.pid)

    who, hello, tools, packages = asyncio.run(ask())
    may = allowed(tools, allow or (), is_sandbox=sandbox)
    recordable = frozenset(str(tool["name"]) for tool in tools if is_recordable(tool))
    read = read_seeds(seeds, may & recordable)
    schemas = {str(tool["name"]): tool["inputSchema"] for tool in tools}
    proposed = None
    if model is not None:
        _make(out)
        proposer = Proposer(model, out / ANSWERS, base_url=base_url)
        proposed = proposer.propose(read.traces, tools, per_tool=per_tool)
        for line in proposed.left_out:
            typer.echo(line, err=True)
    after = None if proposed is None else proposed.after
    traces = plan(read.traces, schemas, seed=seed, per_seed=per_seed, proposed=after)
    if dry_run:
        coverage = cover((step for trace in traces for step in trace), schemas)
        _show_plan(traces, coverage, read, as_json=as_json)
        return
    command = words_of(reset)
    with Recording(out, server=who.name) as recording:
        for line in recording.mended:
            print_text(line)
        keep(out, described(found.name, hello, tools, **packages))
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
    _show_played(played, cover(played.made, schemas), read, out, as_json=as_json)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FarmError(f"{folder} cannot be written ({problem.strerror})") from None


def _require_positive(option: str, value: float | None) -> None:
    if value is not None and not value > 0:
        raise typer.BadParameter(f"{value:g} is not above 0", param_hint=option)


def _show_plan(traces: Iterable[Trace], coverage: Coverage, read: Seeds, *, as_json: bool) -> None:
    if as_json:
        calls = [
            {
                "trace": number,
                "step": at,
                **step.request.params,
                "error_class": step.error_class,
                "operation": step.operation,
                "path": step.path,
            }
            for number, trace in enumerate(traces)
            for at, step in enumerate(trace)
        ]
        print_json({"calls": calls, "left_out": read.left_out, "coverage": _cells(coverage)})
        return
    for number, trace in enumerate(traces):
        for at, step in enumerate(trace):
            meant = "seed" if step.operation is None else f"{step.error_class}: {step.operation} at {step.argument}"
            sent = "" if step.request.omits_arguments else json.dumps(step.request.arguments, ensure_ascii=False)
            print_text(f"{number}.{at}  {step.request.tool}  {sent[:200]}  ({meant})")
    _say_left_out(read)
    _show_coverage(coverage)


def _show_played(played: Played, coverage: Coverage, read: Seeds, out: Path, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "calls": played.calls,
                "stood": played.stood,
                "asked_again": played.asked_again,
                "ended_by": played.ended_by,
                "refused_seeds": played.refused_seeds,
                "left_out": read.left_out,
                "coverage": _cells(coverage),
            }
        )
        return
    _say_left_out(read)
    if played.refused_seeds:
        shown = ", ".join(played.refused_seeds[:5])
        print_text(
            f"{counted(len(played.refused_seeds), 'seed')} refused this time ({shown}): a provoked call before had "
            "changed what it needs, or the server was not reset"
        )
    print_text(f"{counted(played.calls, 'call')} in {out}" + (f", {played.stood} stood there" if played.stood else ""))
    if played.asked_again:
        print_text(f"{counted(played.asked_again, 'call')} asked again, as the answer left a doubt")
    if played.ended_by:
        print_text(f"ended after {played.ended_by}; the same command goes on")
    _show_coverage(coverage)


def _say_left_out(read: Seeds) -> None:
    if read.left_out:
        names = ", ".join(f"{tool} ({count})" for tool, count in sorted(read.left_out.items()))
        print_text(f"left out, as the server does not declare them read-only: {names}; --allow TOOL or --sandbox")


def _cells(coverage: Coverage) -> dict[str, dict[str, dict[str, int]]]:
    return {
        tool: {argument: dict(classes) for argument, classes in arguments.items()}
        for tool, arguments in coverage.cells.items()
    }


def _show_coverage(coverage: Coverage) -> None:
    rows = []
    for tool, arguments in coverage.cells.items():
        if coverage.seeds[tool]:
            rows.append((tool, str(coverage.seeds[tool]), *("" for _ in _HEADS)))
            rows += [
                (f"  {argument}", "", *(str(classes[name] or "-") for name in _HEADS))
                for argument, classes in arguments.items()
            ]
    print_table(("tool and argument", "seeds", *_HEADS.values()), rows)
    if never := [tool for tool in coverage.cells if not coverage.seeds[tool]]:
        print_text(f"never called: {', '.join(never)}")
