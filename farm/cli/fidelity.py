"""``farm fidelity``: recorded calls of a real server against our app."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from farm import content
from farm.cli.options import Content, Json, print_json
from farm.errors import FarmError

_TEXT_MAX = 200


def fidelity(
    app: Annotated[str, typer.Argument(help="The app.")],
    calls: Annotated[Path, typer.Option(help="Recorded calls, one JSON line each.")],
    world: Annotated[str | None, typer.Option(help="World every call starts in.")] = None,
    state: Annotated[Path | None, typer.Option(help="Rows every call starts from, one JSON line each.")] = None,
    me: Annotated[str | None, typer.Option(help="Who plays, with --state: the app's own user id.")] = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Replay recorded calls and print how far our answers agree with the real server's.

    Every call starts from the same state. Answers of a stand-in backend are compared by their form only. Without
    --world or --state the calls start in the world that ships with the farm.

    Example: farm fidelity slack --calls recorded/slack.jsonl --json
    """
    from farm.traverse.calls import hash_calls, read_calls
    from farm.traverse.fidelity import replay, report

    loaded = content.load_app(app)
    recorded = read_calls(calls.expanduser())
    start = _start(world, state, me)
    with tempfile.TemporaryDirectory(prefix="farm-fidelity-") as folder:
        found = report(app, recorded, replay(loaded, recorded, start, Path(folder)))
    found["sha256"] = hash_calls(calls.expanduser())
    if as_json:
        print_json(found)
        return
    typer.echo("\n".join(_lines(found)))


def _start(world: str | None, state: Path | None, me: str | None) -> Any:
    from farm.cli.up import choose_world
    from farm.context.template import read_rows
    from farm.traverse.fidelity import Start

    if world is not None and state is not None:
        raise FarmError("--world and --state exclude each other: both say where every call starts")
    if state is None:
        return Start(world=choose_world(world), me=me)
    try:
        rows = read_rows(state.expanduser())
    except (OSError, ValueError) as problem:
        raise FarmError(f"--state {state} cannot be read as rows, one JSON object a line: {problem}") from None
    if not all(isinstance(row, dict) and isinstance(row.get("table"), str) for row in rows):
        raise FarmError(f"--state {state} must hold one JSON object a line, each with its 'table'")
    return Start(rows=tuple(rows), me=me)


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [f"{found['app']}: {found['compared']} of {found['lines']} recorded calls compared word for word"]
    if found["compared"]:
        masked = f" ({found['masked']} with times masked)" if found["masked"] else ""
        lines += [
            f"  same success or refusal  {found['agreement']:.1%}",
            f"  same text                {found['exact']:.1%}{masked}",
            f"  F1 over kinds of answer  {found['f1']:.3f}",
            "  likeness of texts        "
            + ", ".join(f"{name} {value:.3f}" for name, value in found["similarity"].items()),
        ]
        for name, each in found["by_class"].items():
            shares = f"agreement {each['agreement']:.1%}, same text {each['exact']:.1%}"
            lines.append(f"    {name:<20} {each['lines']:>4} calls, {shares}")
    shape = found["shape"]
    if shape["lines"]:
        lines.append(
            f"  {shape['lines']} answers of a stand-in backend: {shape['same_outcome']} with the same outcome here,"
            f" {shape['same_form']} of those in the same form"
        )
    if found["other_servers"]:
        lines.append(f"  {found['other_servers']} calls were answered by another server and left out")
    for each in (*found["differences"], *shape["differences"]):
        lines += [f"  line {each['line']}, {each['tool']}:"]
        lines += [f"    {who:<9}{each[who]['kind']}: {_cut(each[who]['text'])}" for who in ("recorded", "ours")]
    return lines


def _cut(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= _TEXT_MAX else one_line[:_TEXT_MAX] + " …"


COMMANDS: dict[str, Any] = {"fidelity": fidelity}
