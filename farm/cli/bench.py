"""``farm bench``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from farm.cli.options import Content, Json, given_path, print_json


def bench(
    json: Json = False,
    rows: Annotated[list[str] | None, typer.Option(help="Only these rows: a comma list, or several times.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="One short round: shows that it works, says nothing.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Write a plot here, as SVG.", parser=given_path, metavar="<path>")
    ] = None,
    _: Content = None,
) -> None:
    """Measure every performance figure beside its floor and its baseline, as ratios within this run.

    Example: farm bench --rows cpu_read --rows cpu_write --plot bench.svg
    """
    from farm.bench import report
    from farm.bench.measure import Sizes
    from farm.bench.run import run

    if plot is not None:
        # Said now, not after minutes of measuring.
        plot.touch()
    if not json:
        typer.echo(report.HEADER)
    found = []
    for row in run(
        [name.strip() for each in rows or () for name in each.split(",")], Sizes.quick() if quick else Sizes()
    ):
        found.append(row)
        if not json:
            typer.echo(report.line(row))
    if json:
        print_json({"rows": [row.as_json() for row in found]})
    if plot is not None:
        plot.write_text(report.plot(found), "utf-8")


COMMANDS = {"bench": bench}
