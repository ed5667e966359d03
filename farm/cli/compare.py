"""``farm compare``: whether one run did better than another, over the trials that both held."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm._util.plurals import pluralize
from farm.cli.options import Content, Json, given_path, print_json
from farm.cli.tables import print_table, print_text
from farm.errors import FarmError, NotFoundError

if TYPE_CHECKING:
    from farm.benchmark.runner.log import RunLog
    from farm.benchmark.scoring.paired import Comparison


def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="Folder of a run.", parser=given_path)],
    second: Annotated[Path, typer.Argument(metavar="B", help="Folder of another run.", parser=given_path)],
    figure: Annotated[str, typer.Option(help="acc, sr_08, exec_acc, safe_sr, tfs or tefs.")] = "acc",
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Compare run B with run A over the trials of equal task and seed that both held.

    Prints the difference with a 95 % interval, the p-value of a permutation test, and each task that differs.

    Example: farm compare runs/plain runs/with-skill
    """
    from farm.benchmark.runner.log import RunLog
    from farm.benchmark.scoring import paired

    if figure not in paired.FIGURES:
        raise FarmError(f"no figure '{figure}'; have {', '.join(paired.FIGURES)}")
    logs = RunLog(first), RunLog(second)
    found = paired.compare(logs[0].trials(), logs[1].trials(), figure, _worlds(logs))
    if found is None:
        raise FarmError(f"{first} and {second} have no trial of one task and seed with '{figure}'")
    if as_json:
        print_json({"figure": figure, "first": str(first), "second": str(second), **_as_json(found)})
        return
    _print(found, figure, first, second)


def _worlds(logs: tuple[RunLog, ...]) -> dict[str, str]:
    from farm.benchmark.tasks import load_suite

    worlds: dict[str, str] = {}
    for suite in {log.manifest["suite"] for log in logs}:
        try:
            worlds |= {task.id: task.world for task in load_suite(suite).tasks}
        except NotFoundError:
            continue
    return worlds


def _as_json(found: Comparison) -> dict[str, Any]:
    whole = asdict(found)
    values = {name: whole.pop(name) for name in ("first", "second")}
    return {"value_first": values["first"], "value_second": values["second"], **whole}


def _print(found: Comparison, figure: str, first: Path, second: Path) -> None:
    interval = "" if found.interval is None else f" ({found.interval[0]:+.3f} to {found.interval[1]:+.3f})"
    typer.echo(f"{figure}: {found.first:.3f} → {found.second:.3f}, a difference of {found.difference:+.3f}{interval}")
    pairs = sum(each.trials for each in found.tasks)
    typer.echo(
        f"p = {found.p_value:.4f} over {pluralize(pairs, 'paired trial')} of {pluralize(len(found.tasks), 'task')}"
    )
    if found.only_first or found.only_second:
        print_text(f"not compared: {found.only_first} only in {first}, {found.only_second} only in {second}")
    differing = sorted((each for each in found.tasks if each.difference), key=lambda each: each.difference)
    if differing:
        rows = [(e.task, f"{e.first:.2f}", f"{e.second:.2f}", f"{e.difference:+.2f}", str(e.trials)) for e in differing]
        print_table(("task", "A", "B", "difference", "trials"), rows)
    else:
        typer.echo("no task differs")


COMMANDS: dict[str, Any] = {"compare": compare}
