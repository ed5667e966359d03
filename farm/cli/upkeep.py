"""``farm doctor`` and ``farm gc``: what keeps a data folder healthy."""

from __future__ import annotations

from typing import Annotated

import typer

from farm.cli.options import Content, Data, Json, print_json


def doctor(
    repair: Annotated[
        bool, typer.Option("--repair", help="Do what is safe: set aside, close to others, remove leftovers.")
    ] = False,
    data: Data = ...,  # type: ignore[assignment] # filled by its default factory
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Say what is wrong in the data folder, and what can be done; the status is 1 when something is.

    Example: farm doctor --repair
    """
    from farm.upkeep import doctor as upkeep

    report = upkeep.examine(data)
    if repair:
        upkeep.repair(report)
    if as_json:
        findings = [
            {
                "kind": each.kind,
                "path": each.path,
                "problem": each.problem,
                "way_out": each.way_out,
                "is_wrong": each.is_wrong,
                "can_repair": each.repair is not None,
                "repaired": report.repaired.get(each),
            }
            for each in report.findings
        ]
        checked = dict(report.checked)
        print_json({"data": str(data), "running": report.is_running, "checked": checked, "findings": findings})
    else:
        for each in report.findings:
            done = report.repaired.get(each)
            word = "repaired" if done else ("wrong" if each.is_wrong else "note")
            typer.echo(f"{word:<9} {each.line if done is None else f'{each.path}: {each.problem}; {done}'}")
        counts = ", ".join(f"{count} {name}" for name, count in report.checked.items()) or "nothing there yet"
        typer.echo(f"{'all is well' if report.is_well else 'not well'} in {data} ({counts})")
    if not report.is_well:
        raise typer.Exit(1)


COMMANDS = {"doctor": doctor}
