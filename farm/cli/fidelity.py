"""``farm fidelity``: compares recorded calls of a real server with our app."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from farm import content
from farm._util.plurals import pluralize
from farm.appkit.app import LATEST
from farm.cli.agreement import choose_start, print_agreement
from farm.cli.options import Content, Json, given_path, print_json
from farm.cli.tables import print_text


def fidelity(
    app: Annotated[str, typer.Argument(help="The app.")],
    calls: Annotated[
        Path | None, typer.Option(help="Recorded calls, one JSON line each.", parser=given_path, metavar="<path>")
    ] = None,
    features: Annotated[
        Path | None,
        typer.Option(
            help="A tools.json of 'farm traverse capture': compare what the server declares and lists.",
            parser=given_path,
            metavar="<path>",
        ),
    ] = None,
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

    With --features, compare instead what a captured server declares and lists (tools, prompts, resources, templates,
    revision, capabilities) with what the app does; descriptions are left out.

    Every part of an answer is compared; of a stand-in backend's answers only the form. The app's PROVENANCE.toml
    declares the start of the calls, which --world or --state replace, and the values that change from run to run.
    Without any of them the calls start in the world that ships with the farm. Method: docs/fidelity.md.

    Example: farm fidelity slack --calls recorded/slack.jsonl --json
    """
    from farm.traverse.fidelity.fidelity import measure
    from farm.traverse.fidelity.provenance import load_provenance
    from farm.traverse.recordings.calls import hash_calls, read_calls

    loaded = content.load_app(app, profile)
    if (calls is None) is (features is None):
        raise typer.BadParameter("give either --calls or --features")
    if features is not None:
        _print_features(loaded, features.expanduser(), as_json=as_json)
        return
    assert calls is not None
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


def _print_features(loaded: content.LoadedApp, path: Path, *, as_json: bool) -> None:
    from farm.traverse.fidelity.features import compare_features, read_capture

    found = compare_features(read_capture(path), loaded)
    if as_json:
        print_json(found)
        return
    typer.echo(f"{found['same']} of {pluralize(found['facts'], 'fact')} about the server are the same")
    for each in found["differences"]:
        typer.echo(f"{each['fact']}:")
        print_text(f"captured  {json.dumps(each['captured'], ensure_ascii=False)}", begin="    ", indent=4)
        print_text(f"ours      {json.dumps(each['ours'], ensure_ascii=False)}", begin="    ", indent=4)


COMMANDS: dict[str, Any] = {"fidelity": fidelity}
