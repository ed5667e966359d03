"""``farm fidelity``: recorded calls of a real server against our app."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm import content
from farm.app import LATEST
from farm.cli.options import Content, Json, given_path, print_json
from farm.cli.tables import print_text
from farm.counted import counted
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.traverse.provenance import Measured
    from farm.traverse.replay import Start


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
            help="The lines are one session on one state; told by their 'seq' when absent.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Replay recorded calls over HTTP and print how far our answers agree with the real server's.

    Answers are compared in every part; answers of a stand-in backend by their form only. Where the calls start, and
    which values change from run to run, the app's PROVENANCE.toml says, unless --world or --state do. Without any of
    them the calls start in the world that ships with the farm. How it is measured: docs/fidelity.md.

    Example: farm fidelity slack --calls recorded/slack.jsonl --json
    """
    from farm.traverse.calls import hash_calls, read_calls
    from farm.traverse.fidelity import measure
    from farm.traverse.provenance import load_provenance

    loaded = content.load_app(app, profile)
    path = calls.expanduser()
    recorded, sha256 = read_calls(path), hash_calls(path)
    provenance = load_provenance(loaded)
    known = provenance.find(path.name, sha256, profile)
    start = _start(world, state, me, known)
    if sequence is None and known is not None:
        sequence = known.is_sequence
    with tempfile.TemporaryDirectory(prefix="farm-fidelity-") as folder:
        found = measure(loaded, recorded, start, Path(folder), masks=provenance.masks, is_sequence=sequence)
    found["sha256"] = sha256
    found["expected"] = dict(known.expected) if known is not None and known.sha256 == sha256 else None
    if as_json:
        print_json(found)
        return
    for line in _lines(found):
        said = line.lstrip()
        indent = len(line) - len(said)
        print_text(said, begin=" " * indent, indent=indent)


def _start(world: str | None, state: Path | None, me: str | None, known: Measured | None) -> Start:
    from dataclasses import replace

    from farm.cli.up import choose_world
    from farm.context.template import read_rows
    from farm.traverse.replay import Start

    if world is not None and state is not None:
        raise FarmError("--world and --state exclude each other: both say where every call starts")
    if world is not None:
        return Start(world=choose_world(world), me=me)
    if state is None:
        if known is None:
            return Start(world=choose_world(None), me=me)
        return known.start if me is None else replace(known.start, me=me)
    try:
        rows = read_rows(state.expanduser())
    except (OSError, ValueError) as problem:
        raise FarmError(f"--state {state} cannot be read as rows, one JSON object a line: {problem}") from None
    if not all(isinstance(row, dict) and isinstance(row.get("table"), str) for row in rows):
        raise FarmError(f"--state {state} must hold one JSON object a line, each with its 'table'")
    return Start(rows=tuple(rows), me=me)


def _lines(found: dict[str, Any]) -> list[str]:
    name = found["app"] + ("" if found["profile"] == LATEST else f" ({found['profile']})")
    how = "one session, " if found["sequence"] else ""
    lines = [f"{name}: {how}{found['compared']} of {found['lines']} recorded calls compared in every part"]
    if found["compared"]:
        lines += _figures(found)
    lines += _beside(found)
    for each in (*found["differences"], *found["shape"]["differences"]):
        lines += _difference(each)
    left = found["differing"] - len(found["differences"])
    return [*lines, f"  {counted(left, 'further line')} differing"] if left else lines


def _figures(found: dict[str, Any]) -> list[str]:
    masked = f" ({found['masked']} with values masked)" if found["masked"] else ""
    lines = [
        f"  same success or refusal  {found['agreement']:.1%}",
        f"  same answer              {found['exact']:.1%}{masked}",
        f"  F1 over kinds of answer  {found['f1']:.3f}",
        "  likeness of texts        " + ", ".join(f"{name} {value:.3f}" for name, value in found["similarity"].items()),
    ]
    for name, each in found["by_class"].items():
        shares = f"agreement {each['agreement']:.1%}, same answer {each['exact']:.1%}"
        lines.append(f"    {name:<20} {counted(each['lines'], 'call'):>10}, {shares}")
    return lines


def _beside(found: dict[str, Any]) -> list[str]:
    lines = []
    expected = found["expected"]
    if expected:
        said = ", ".join(f"{name} {value}" for name, value in expected.items())
        same = "as" if all(found.get(name) == value for name, value in expected.items()) else "NOT as"
        lines.append(f"  {same} PROVENANCE.toml says: {said}")
    if found["crashes"]:
        lines.append(f"  broke our server or were cut, and agree with nothing: {counted(found['crashes'], 'call')}")
    lines += [
        f"  masked in {counted(each['lines'], 'call')}: {each['name']} ({each['reason']})"
        for each in found["masks"]
        if each["lines"]
    ]
    shape, silent = found["shape"], found["unanswered"]
    if shape["lines"]:
        lines.append(
            f"  {counted(shape['lines'], 'answer')} of a stand-in backend: {shape['same_outcome']} with the same"
            f" outcome here, {shape['same_form']} of those in the same form"
        )
    if silent["lines"]:
        never = counted(silent["lines"], "call")
        lines.append(f"  never answered by the real server: {never}; refused here: {silent['refused']}")
    if found["other_servers"]:
        lines.append(f"  left out, as another server or version answered: {counted(found['other_servers'], 'call')}")
    if found["not_served"]:
        lines.append(f"  left out, as this profile has no such tool: {counted(found['not_served'], 'call')}")
    return lines


def _difference(each: dict[str, Any]) -> list[str]:
    condition = f" ({each['condition']})" if "condition" in each else ""
    if "differs" not in each:
        # Masks made them equal, and left the form of the bodies as it was.
        return [f"  line {each['line']}, {each['tool']}{condition}: another form"]
    where = f"{', '.join(each['differs'])}; in {each['part']} at character {each['position']}"
    lines = [f"  line {each['line']}, {each['tool']}{condition}: differs in {where}:"]
    return lines + [f"    {who:<9}{each[who]['kind']}: {each[who]['around']}" for who in ("recorded", "ours")]


COMMANDS: dict[str, Any] = {"fidelity": fidelity}
