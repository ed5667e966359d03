"""``farm fidelity``: compares recorded calls of a real server with our app."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from farm import content
from farm.appkit.app import LATEST
from farm.cli.agreement import choose_start, print_agreement
from farm.cli.options import Content, Json, given_path, print_json


def fidelity(
    app: Annotated[str, typer.Argument(help="The app.")],
    calls: Annotated[
        Path, typer.Option(help="Recorded calls, one JSON line each.", parser=given_path, metavar="<path>")
    ],
    profile: Annotated[str, typer.Option(help="One of the app's profiles; only its version's lines count.")] = LATEST,
    world: Annotated[str | None, typer.Option(help="World every call starts in.")] = None,
    state: Annotated[
        Path | None,
        typer.Option(help="Rows every call starts from, one JSON line each.", parser=given_path, metavar="<path>"),
    ] = None,
    me: Annotated[str | None, typer.Option(help="Who plays: a person's key or their account's id.")] = None,
    sequence: Annotated[
        bool | None,
        typer.Option(
            "--sequence/--no-sequence",
            help="The lines are one session on one state; default: decided by their 'seq'.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Replay recorded calls over HTTP and print how far our answers agree with the real server's.

    Every part of an answer is compared; of a stand-in backend's answers only the form. The app's PROVENANCE.toml
    declares the start of the calls, which --world or --state replace, and the values that change from run to run.
    Without any of them the calls start in the world that ships with the farm. Method: docs/fidelity.md.

    Example: farm fidelity slack --calls recorded/slack.jsonl --json
    """
    from farm.traverse.fidelity.fidelity import measure
    from farm.traverse.fidelity.provenance import load_provenance
    from farm.traverse.recordings.calls import hash_calls, read_calls

    loaded = content.load_app(app, profile)
    path = calls.expanduser()
    recorded, sha256 = read_calls(path), hash_calls(path)
    provenance = load_provenance(loaded)
    known = provenance.find(path.name, sha256, profile)
    start = choose_start(world, state, me, known)
    if sequence is None and known is not None:
        sequence = known.is_sequence
    with tempfile.TemporaryDirectory(prefix="farm-fidelity-") as folder:
        found = measure(
            loaded,
            recorded,
            start,
            Path(folder),
            masks=provenance.masks,
            conditions=provenance.conditions,
            is_sequence=sequence,
        )
    found["sha256"] = sha256
    found["expected"] = dict(known.expected) if known is not None and known.sha256 == sha256 else None
    if as_json:
        print_json(found)
        return
    print_agreement(found)


COMMANDS: dict[str, Any] = {"fidelity": fidelity}
