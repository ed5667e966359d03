"""``farm traverse report``: how closely apps, or other answers, match a real server."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm import content
from farm.cli.agreement import choose_start
from farm.cli.options import Content, Json, given_path, print_json
from farm.cli.tables import print_table, print_text
from farm.errors import FarmError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from farm.traverse.fidelity.compare import Mask
    from farm.traverse.fidelity.replay import Start
    from farm.traverse.fidelity.table import Arm
    from farm.traverse.recordings.calls import Recorded


def report(
    pool: Annotated[Path, typer.Argument(help="The pool.", parser=given_path, metavar="POOL")],
    arm: Annotated[
        list[str],
        typer.Option(metavar="NAME=APP", help="An app, or a file of answers, one JSON line a call; may be repeated."),
    ],
    side: Annotated[str, typer.Option(help="Which calls: train, check or held.")] = "held",
    page: Annotated[
        Path | None,
        typer.Option(help="Write an HTML page with all differing answers.", parser=given_path, metavar="<path>"),
    ] = None,
    world: Annotated[str | None, typer.Option(help="World the apps start in.")] = None,
    state: Annotated[
        Path | None,
        typer.Option(help="Rows the apps start from, one JSON line each.", parser=given_path, metavar="<path>"),
    ] = None,
    me: Annotated[str | None, typer.Option(help="Who plays: a person's key or their account's id.")] = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Compare arms with the real server over the held-back calls: MCP-Persona's Table 4.

    An arm is an app of the farm, or a file of any other answers: a line {"trace", "step", "result"} a call.

    Example: farm traverse report pool --arm written=jotter --arm guessed=guessed.jsonl --page report.html
    """
    from farm.traverse.fidelity.page import HEADS, PARTS, cells, paper_rows
    from farm.traverse.fidelity.page import page as page_of
    from farm.traverse.fidelity.provenance import read_masks
    from farm.traverse.fidelity.side_by_side import read_questions
    from farm.traverse.fidelity.table import disagreements, judge_arm, table
    from farm.traverse.pool.pool import read_lines, read_tools

    calls = read_questions(pool, side)
    lines, tools = read_lines(pool), read_tools(pool)
    declared = read_masks(pool)
    start = choose_start(world, state, me)
    arms: list[Arm] = []
    every = {each.name: each for each in declared}
    for given in arm:
        name, answers, masks = _answers(given, calls, start, declared, is_named=bool(world or state))
        if any(each.name == name for each in arms):
            raise FarmError(f"two arms are called '{name}'; give each a name of its own")
        arms.append(judge_arm(name, lines, calls, answers, tools, masks))
        every |= {each.name: each for each in masks}
    tables = [table(each) for each in arms]
    differing = {each.name: disagreements(each) for each in arms}
    if page is not None:
        page.write_text(page_of(f"{pool.name}, {side}", tables, differing, list(every.values())), "utf-8")
    if as_json:
        rules = [{"name": each.name, "pattern": each.pattern.pattern, "reason": each.reason} for each in every.values()]
        print_json({"side": side, "masks": rules, "arms": tables, "disagreements": differing})
        return
    for part, head in PARTS.items():
        print_text(head)
        rows = [(each["arm"], *cells(each[part])) for each in tables]
        print_table(("arm", *HEADS), rows + (paper_rows() if part == "scored" else []))
    for name, found in differing.items():
        wrong = sum(not each["outcome"] for each in found)
        print_text(f"{name}: {len(found)} of {len(calls)} differ, {wrong} in the outcome")
    for mask in every.values():
        counts = ", ".join(f"{each['arm']} {each['masks'].get(mask.name, 0)}" for each in tables)
        print_text(f"masked: {mask.name} ({mask.reason}), in calls of {counts}")
    if page is not None:
        print_text(f"all of them in {page}")


def _answers(
    given: str, calls: Sequence[Recorded], start: Start, declared: tuple[Mask, ...], *, is_named: bool
) -> tuple[str, list[dict[str, Any]], tuple[Mask, ...]]:
    """Return an arm's name, its answer to each call, and the masks that the pool and its app declare.

    Args:
        is_named: whether the start was named on the command line; an app's own start yields to it.
    """
    name, has_value, what = given.partition("=")
    if not (name and has_value and what):
        raise FarmError(f"--arm {given}: write NAME=APP, or NAME=FILE.jsonl")
    if what.endswith(".jsonl"):
        return name, _from_file(Path(what).expanduser(), calls), declared
    return name, *_from_app(what, calls, start, declared, is_named=is_named)


def _from_app(
    app: str, calls: Sequence[Recorded], start: Start, declared: tuple[Mask, ...], *, is_named: bool
) -> tuple[list[dict[str, Any]], tuple[Mask, ...]]:
    from farm.traverse.fidelity.provenance import load_provenance, own_start
    from farm.traverse.fidelity.replay import replay

    loaded = content.load_app(app)
    masks = (*load_provenance(loaded).masks, *declared)
    begun = start if is_named else own_start(loaded, start)
    with tempfile.TemporaryDirectory(prefix="farm-report-") as folder:
        return replay(loaded, calls, begun, Path(folder), masks=masks), masks


def _from_file(file: Path, calls: Sequence[Recorded]) -> list[dict[str, Any]]:
    from farm.traverse.recordings.calls import read_result

    found: dict[tuple[Any, Any], dict[str, Any]] = {}
    try:
        raw = file.read_bytes()
    except OSError as problem:
        raise FarmError(f"{file} cannot be read ({problem.strerror})") from None
    for number, line in enumerate(raw.splitlines(), 1):  # as bytes: text has more line separators than JSON
        where = f"{file}, line {number}"
        try:
            said = json.loads(line)
        except ValueError as problem:
            raise FarmError(f"{where} is not JSON: {problem}") from None
        match said:
            case {"trace": int() as trace, "step": int() | None as step, "result": dict() as result}:
                found[trace, step] = read_result(result, where)
            case _:
                raise FarmError(f'{where} is no answer; one looks like {{"trace", "step", "result"}}')
    missing = [each for each in calls if (each.trace, each.step) not in found]
    if missing:
        place = f"{missing[0].trace}.{missing[0].step}, {missing[0].tool}"
        raise FarmError(f"{file} has no answer to {len(missing)} of the calls; the first is {place}")
    return [found[each.trace, each.step] for each in calls]
