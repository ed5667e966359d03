"""``farm traverse compare``: compares an app with the real server, call by call."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm import content
from farm.appkit.app import LATEST
from farm.cli.agreement import choose_start, print_agreement
from farm.cli.options import Content, Json, given_path, print_json
from farm.cli.traverse.options import BODY_MAX, BodyMax, Environment, Folder, Headers, Named, Reset, Server, words_of

if TYPE_CHECKING:
    from farm.traverse.recordings.calls import Recorded


def compare(
    app: Annotated[str, typer.Argument(help="The app of the farm.")],
    source: Named,
    calls: Annotated[
        Path, typer.Option(help="A pool, or a file of calls, one JSON line each.", parser=given_path, metavar="<path>")
    ],
    side: Annotated[str | None, typer.Option(help="Only the pool's traces of this side: train, check or held.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Keep the real server's answers in this file, an arm of a report.", parser=given_path, metavar="<path>"
        ),
    ] = None,
    reset: Reset = None,
    answer_max: Annotated[float, typer.Option(help="Seconds to wait for an answer.")] = 10.0,
    profile: Annotated[str, typer.Option(help="One of the app's profiles.")] = LATEST,
    world: Annotated[str | None, typer.Option(help="World the app starts in.")] = None,
    state: Annotated[
        Path | None,
        typer.Option(help="Rows the app starts from, one JSON line each.", parser=given_path, metavar="<path>"),
    ] = None,
    me: Annotated[str | None, typer.Option(help="Who plays: a person's key or their account's id.")] = None,
    server: Server = None,
    env: Environment = None,
    header: Headers = None,
    cwd: Folder = None,
    body_max: BodyMax = BODY_MAX,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Make the same calls to a real server and to an app, and print how far their answers agree.

    Both return to their start before each trace: the server by --reset, the app by its rows. A file without traces is
    one trace. Values that change from run to run are masked as the app's PROVENANCE.toml and the pool's masks.toml
    declare.

    Example: farm traverse compare jotter --calls pool --side held -- node server.js
    """
    from farm.traverse.fidelity.fidelity import measure
    from farm.traverse.fidelity.provenance import load_provenance, own_start, read_masks
    from farm.traverse.fidelity.side_by_side import ask, read_questions
    from farm.traverse.perturb.play import run_reset
    from farm.traverse.transport.source import read_source

    loaded = content.load_app(app, profile)
    found = read_source(
        source, server=server, environment=env or (), headers=header or (), folder=cwd, body_max=body_max
    )
    start = choose_start(world, state, me)
    if world is None and state is None:
        start = own_start(loaded, start)
    command = words_of(reset)
    asked = asyncio.run(
        ask(
            found,
            read_questions(calls, side),
            reset=None if command is None else lambda: run_reset(command),
            answer_s_max=answer_max,
        )
    )
    if out is not None:
        out.write_text("".join(_line(each) + "\n" for each in asked), "utf-8")
    with tempfile.TemporaryDirectory(prefix="farm-compare-") as folder:
        masks = (*load_provenance(loaded).masks, *read_masks(calls))
        report = measure(loaded, asked, start, Path(folder), masks=masks, is_sequence=False)
    if as_json:
        print_json(report)
    else:
        print_agreement(report)


def _line(call: Recorded) -> str:
    told: dict[str, Any] = {"trace": call.trace, "step": call.step, "tool": call.tool}
    told |= {"arguments_omitted": True} if call.request.omits_arguments else {"arguments": call.request.arguments}
    at = call.at.isoformat(timespec="milliseconds") if call.at else None
    return json.dumps({**told, "error_class": call.error_class, "result": call.result, "at": at})
