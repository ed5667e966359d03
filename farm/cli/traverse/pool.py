"""``farm traverse pool``: recordings made into what a kernel is written from and measured by."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm.cli.options import Json, given_path, print_json
from farm.cli.tables import print_table, print_text
from farm.counted import counted

if TYPE_CHECKING:
    from collections.abc import Mapping


def pool(
    recordings: Annotated[
        list[Path], typer.Argument(help="Folders of recordings of one server.", parser=given_path, metavar="RECORDING")
    ],
    out: Annotated[Path, typer.Option(help="The pool's folder.", parser=given_path, metavar="<path>")],
    seed: Annotated[int, typer.Option(help="Decides which traces are held back, and which calls count.")] = 0,
    as_json: Json = False,
) -> None:
    """Judge recorded calls, keep apart what says nothing of the server, and hold whole traces back.

    Half of the traces are to write a kernel from, a fifth to check it by, the rest is held back for one last figure.

    Example: farm traverse pool recorded provoked --out pool
    """
    from farm.traverse.discriminate import judge_recording
    from farm.traverse.pool import make_pool, read_parts, write_pool

    parts = read_parts(recordings)
    judged = [judge_recording(part.lines, (part.tools or {}).get("tools", ())) for part in parts]
    made = make_pool(parts, [[(each.kind, each.why) for each in verdicts] for verdicts in judged], seed=seed)
    write_pool(made, out)
    if as_json:
        print_json(made.manifest)
        return
    manifest = made.manifest
    print_text(f"{counted(manifest['lines'], 'call')} in {out}, {manifest['duplicates']} of them seen before")
    rows = [(side, *(str(figure) for figure in counts.values())) for side, counts in manifest["sides"].items()]
    print_table(("side", *next(iter(manifest["sides"].values()))), rows)
    _show_classes(manifest)
    for why, count in manifest["rejected"].items():
        print_text(f"{count} kept apart: {why}")
    if manifest["never_called"]:
        print_text(f"never called: {', '.join(manifest['never_called'])}")


def _show_classes(manifest: Mapping[str, Any]) -> None:
    rows = [
        (name, str(sum(verdicts.values())), _share(verdicts.get("refused", 0), sum(verdicts.values())))
        for name, verdicts in manifest["by_class"].items()
    ]
    print_table(("meant as", "calls", "refused"), rows)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"
