"""``python -m tests.bench``: every performance figure beside its floor and baseline, as ratios within one run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import orjson

from farm.errors import FarmError
from tests.bench import report
from tests.bench.measure import Sizes
from tests.bench.run import left_out, run


def main(arguments: Sequence[str]) -> int:
    """Measure the rows that the arguments name, print them, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rows", action="append", default=[], metavar="NAMES", help="only these: a comma list")
    parser.add_argument("--quick", action="store_true", help="one short round: shows that it works, says nothing")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write a plot here, as SVG")
    options = parser.parse_args(arguments)
    names = [name.strip() for each in options.rows for name in each.split(",")]
    try:
        if options.plot is not None:
            options.plot.touch()  # a path that cannot be written is refused before minutes of measuring
        _measure(names, Sizes.quick() if options.quick else Sizes(), as_json=options.json, plot=options.plot)
    except (FarmError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


def _measure(names: Sequence[str], sizes: Sizes, *, as_json: bool, plot: Path | None) -> None:
    omitted = [] if names else left_out()
    for group in omitted:
        print(f"left out, as {group.distribution} is not installed: {', '.join(group.rows)}", file=sys.stderr)
    if not as_json:
        print(report.HEADER)
    found = []
    for row in run(names, sizes):
        found.append(row)
        if not as_json:
            print(report.line(row), flush=True)
    if as_json:
        left = [name for group in omitted for name in group.rows]
        print(
            orjson.dumps(
                {"rows": [row.as_json() for row in found], "left_out": left}, option=orjson.OPT_INDENT_2
            ).decode()
        )
    if plot is not None:
        plot.write_text(report.plot(found), "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
