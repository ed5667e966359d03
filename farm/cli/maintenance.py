"""``farm doctor`` and ``farm gc``: the maintenance of a data folder."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from farm._util.plurals import pluralize
from farm._util.sizes import format_size, parse_age
from farm.cli.options import DATA, Content, Data, Json, NamedFarm, print_json, with_farm
from farm.runtime.data_format import check_format


def doctor(
    repair: Annotated[
        bool, typer.Option("--repair", help="Do the safe repairs: set aside, restrict permissions, remove leftovers.")
    ] = False,
    data: Data = DATA,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Report problems in the data folder and their repairs; the status is 1 if there are any.

    Example: farm doctor --repair
    """
    from farm.runtime.maintenance.doctor import examine
    from farm.runtime.maintenance.doctor import repair as make_repairs

    check_format(data)
    report = examine(data)
    if repair:
        make_repairs(report)
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
        counts = (
            ", ".join(pluralize(count, name.removesuffix("s")) for name, count in report.checked.items())
            or "nothing there yet"
        )
        typer.echo(f"{'all is well' if report.is_well else 'not well'} in {data} ({counts})")
    if not report.is_well:
        raise typer.Exit(1)


@with_farm
def gc(
    named: NamedFarm,
    older_than: Annotated[
        str, typer.Option(help="Remove only what expired at least this long ago: 7d, 12h, 0s.")
    ] = "7d",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be removed, and remove nothing.")
    ] = False,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Remove expired and used-up episodes, unlisted starts and snapshots, broken files and leftovers.

    Example: farm gc --older-than 1d --dry-run
    """
    from farm.runtime.maintenance.gc import collect, freed

    data = named.data
    check_format(data)
    age, running = parse_age(older_than, "--older-than"), named.client() if named.farm else None
    found = collect(data, age, datetime.now(UTC), is_dry=dry_run, client=running)
    total = sum(each.size_bytes for each in found)
    if as_json:
        removed = [{"kind": each.kind, "path": str(each.path), "size_bytes": each.size_bytes} for each in found]
        print_json({"data": str(data), "dry_run": dry_run, "removed": removed, "freed_bytes": total})
        return
    if dry_run:
        for each in found:
            typer.echo(f"{each.kind:<12} {each.path}  {format_size(each.size_bytes)}")
    counts, sizes = freed(found)
    parts = ", ".join(
        f"{count} {kind.removesuffix('s') if count == 1 else kind} ({format_size(sizes[kind])})"
        for kind, count in counts.items()
    )
    word = "would free" if dry_run else "freed"
    typer.echo(
        f"{word} {format_size(total)}: {parts}" if found else f"nothing has been over for {older_than} in {data}"
    )


COMMANDS = {"doctor": doctor, "gc": gc}
