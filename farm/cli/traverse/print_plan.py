"""The output of ``farm traverse perturb``: its plan, its result, and which arguments were wrong in which way."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from farm._util.plurals import pluralize
from farm.cli.options import print_json
from farm.cli.tables import print_table, print_text

if TYPE_CHECKING:
    from farm.traverse.perturb.plan import Coverage, PlannedTrace
    from farm.traverse.perturb.play import Played
    from farm.traverse.seeds.seeds import Seeds

# Class → the heading of its column.
_HEADS = {
    "type_mismatch": "type",
    "schema_violation": "schema",
    "boundary": "boundary",
    "semantic_conflict": "conflict",
}


def show_plan(traces: Iterable[PlannedTrace], coverage: Coverage, read: Seeds, *, as_json: bool) -> None:
    """Print the planned calls."""
    if as_json:
        calls = [
            {
                "trace": number,
                "step": at,
                **step.request.params,
                "error_class": step.error_class,
                "operation": step.operation,
                "path": step.path,
            }
            for number, trace in enumerate(traces)
            for at, step in enumerate(trace)
        ]
        print_json({"calls": calls, "left_out": read.left_out, "coverage": _cells(coverage)})
        return
    for number, trace in enumerate(traces):
        for at, step in enumerate(trace):
            meant = "seed" if step.operation is None else f"{step.error_class}: {step.operation} at {step.argument}"
            sent = "" if step.request.omits_arguments else json.dumps(step.request.arguments, ensure_ascii=False)
            print_text(f"{number}.{at}  {step.request.tool}  {sent[:200]}  ({meant})")
    _say_left_out(read)
    _show_coverage(coverage)


def show_played(played: Played, coverage: Coverage, read: Seeds, out: Path, *, as_json: bool) -> None:
    """Print the calls that were made, and why the run ended."""
    if as_json:
        print_json(
            {
                "calls": played.calls,
                "stood": played.stood,
                "asked_again": played.asked_again,
                "ended_by": played.ended_by,
                "refused_seeds": played.refused_seeds,
                "left_out": read.left_out,
                "coverage": _cells(coverage),
            }
        )
        return
    _say_left_out(read)
    if played.refused_seeds:
        shown = ", ".join(played.refused_seeds[:5])
        print_text(
            f"{pluralize(len(played.refused_seeds), 'seed')} refused this time ({shown}): a provoked call before had "
            "changed what it needs, or the server was not reset"
        )
    print_text(
        f"{pluralize(played.calls, 'call')} in {out}" + (f", {played.stood} stood there" if played.stood else "")
    )
    if played.asked_again:
        print_text(f"{pluralize(played.asked_again, 'call')} asked again, as the answer left a doubt")
    if played.ended_by:
        print_text(f"ended after {played.ended_by}; the same command goes on")
    _show_coverage(coverage)


def _say_left_out(read: Seeds) -> None:
    if read.left_out:
        names = ", ".join(f"{tool} ({count})" for tool, count in sorted(read.left_out.items()))
        print_text(f"left out, as the server does not declare them read-only: {names}; --allow TOOL or --sandbox")


def _cells(coverage: Coverage) -> dict[str, dict[str, dict[str, int]]]:
    return {
        tool: {argument: dict(classes) for argument, classes in arguments.items()}
        for tool, arguments in coverage.cells.items()
    }


def _show_coverage(coverage: Coverage) -> None:
    rows = []
    for tool, arguments in coverage.cells.items():
        if coverage.seeds[tool]:
            rows.append((tool, str(coverage.seeds[tool]), *("" for _ in _HEADS)))
            rows += [
                (f"  {argument}", "", *(str(classes[name] or "-") for name in _HEADS))
                for argument, classes in arguments.items()
            ]
    print_table(("tool and argument", "seeds", *_HEADS.values()), rows)
    if never := [tool for tool in coverage.cells if not coverage.seeds[tool]]:
        print_text(f"never called: {', '.join(never)}")
