"""``farm traverse reconstruct``: the rows at the start of a recorded trace."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from farm._util.plurals import pluralize
from farm.cli.options import Json, given_path, print_json
from farm.cli.tables import print_text
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.traverse.reconstruct import ReconstructedStart

_SHOWN_MAX = 20


def reconstruct(
    pool: Annotated[
        Path,
        typer.Argument(help="A pool: a folder with pool.jsonl, or such a file.", parser=given_path, metavar="POOL"),
    ],
    tree: Annotated[
        Path, typer.Option(help="The tree.toml of farm traverse tree, corrected.", parser=given_path, metavar="<path>")
    ],
    out: Annotated[
        Path,
        typer.Option(
            help="File for the rows; {trace} in its name stands for the trace's number.",
            parser=given_path,
            metavar="<path>",
        ),
    ],
    trace: Annotated[int | None, typer.Option(help="Only this trace.")] = None,
    as_json: Json = False,
) -> None:
    """Derive the state before a trace from its calls: rows for --state of farm fidelity.

    A read before any write shows the start. A row that a call created was absent; one that was changed, deleted or
    requested was present. Unknown facts are printed, and written beside the rows with the ending .unknown.json.

    Example: farm traverse reconstruct pools/notes --tree notes/tree.toml --out notes/start.jsonl
    """
    from farm.traverse.reconstruct import reconstruct as rebuild
    from farm.traverse.tree.pool_calls import read_pool_calls
    from farm.traverse.tree.toml_file import read_tree

    calls, found = read_pool_calls(pool.expanduser()), read_tree(tree.expanduser())
    traces = sorted({call.trace for call in calls.calls}) if trace is None else [trace]
    if len(traces) > 1 and "{trace}" not in out.name:
        raise FarmError(
            f"{pool} has {len(traces)} traces, each with a start of its own: choose one with --trace N, or write"
            f" {{trace}} into the name of --out"
        )
    starts = [rebuild(calls, found, number) for number in traces]
    for start in starts:
        file = out.expanduser().with_name(out.name.replace("{trace}", str(start.trace)))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in start.rows), "utf-8")
        beside = file.with_name(f"{file.name.removesuffix('.jsonl')}.unknown.json")
        beside.write_text(json.dumps(_doubts(start), ensure_ascii=False, indent=2) + "\n", "utf-8")
        if not as_json:
            typer.echo(f"wrote {file}")
            _print(start)
    if as_json:
        print_json([{"trace": start.trace, "rows": len(start.rows), **_doubts(start)} for start in starts])


def _doubts(start: ReconstructedStart) -> dict[str, object]:
    return {
        "unknown": [
            {"table": each.table, "key": dict(each.key), "columns": list(each.columns), "why": each.why}
            for each in start.unknown
        ],
        "absent": [{"table": table, "key": dict(key)} for table, key in start.absent],
    }


def _print(start: ReconstructedStart) -> None:
    tables = Counter(row["table"] for row in start.rows)
    held = ", ".join(f"{number} {table}" for table, number in tables.items()) or "none"
    print_text(f"trace {start.trace}: {pluralize(len(start.rows), 'row')} ({held})", begin="  ", indent=4)
    if start.absent:
        typer.echo(f"  not there yet: {pluralize(len(start.absent), 'row')}")
    for each in start.unknown[:_SHOWN_MAX]:
        key = ", ".join(f"{name}={value}" for name, value in each.key.items())
        what = ", ".join(each.columns) if each.columns else "the row itself"
        print_text(f"not known: {each.table} {key}: {what} ({each.why})", begin="  ", indent=4)
    if len(start.unknown) > _SHOWN_MAX:
        typer.echo(f"  … and {pluralize(len(start.unknown) - _SHOWN_MAX, 'further row')}: in the file beside")
