"""Output of agreement reports and choice of a replay's start, shared by ``farm fidelity`` and other commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from farm._util.plurals import pluralize
from farm.appkit.app import LATEST
from farm.cli.tables import print_text
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.traverse.fidelity.provenance import Measured
    from farm.traverse.fidelity.replay import Start


def choose_start(world: str | None, state: Path | None, me: str | None, known: Measured | None = None) -> Start:
    """Return the start of a replay.

    Args:
        known: the start that PROVENANCE.toml declares for the calls, used if no other is named.

    Raises:
        FarmError: both a world and rows are named, or the rows cannot be read.
    """
    from dataclasses import replace

    from farm.cli.up import choose_world
    from farm.context.template import read_rows
    from farm.traverse.fidelity.replay import Start

    if world is not None and state is not None:
        raise FarmError("--world and --state exclude each other: both say where every call starts")
    if world is not None:
        return Start(world=choose_world(world), me=me)
    if state is None:
        if known is None:
            return Start(world=choose_world(None), me=me)
        return known.start if me is None else replace(known.start, me=me)
    try:
        rows = read_rows(state.expanduser())
    except (OSError, ValueError) as problem:
        raise FarmError(f"--state {state} cannot be read as rows, one JSON object a line: {problem}") from None
    if not all(isinstance(row, dict) and isinstance(row.get("table"), str) for row in rows):
        raise FarmError(f"--state {state} must hold one JSON object a line, each with its 'table'")
    return Start(rows=tuple(rows), me=me)


def print_agreement(found: dict[str, Any]) -> None:
    """Print a report of ``farm.traverse.fidelity.fidelity.measure``."""
    for line in _lines(found):
        said = line.lstrip()
        indent = len(line) - len(said)
        print_text(said, begin=" " * indent, indent=indent)


def _lines(found: dict[str, Any]) -> list[str]:
    name = found["app"] + ("" if found["profile"] == LATEST else f" ({found['profile']})")
    how = "one session, " if found["sequence"] else ""
    lines = [f"{name}: {how}{found['compared']} of {found['lines']} recorded calls compared in every part"]
    if found["compared"]:
        lines += _figures(found)
    lines += _beside(found)
    for each in (*found["differences"], *found["shape"]["differences"]):
        lines += _difference(each)
    left = found["differing"] - len(found["differences"])
    return [*lines, f"  {pluralize(left, 'further line')} differing"] if left else lines


def _figures(found: dict[str, Any]) -> list[str]:
    masked = f" ({found['masked']} with values masked)" if found["masked"] else ""
    lines = [
        f"  same success or refusal  {found['agreement']:.1%}",
        f"  same answer              {found['exact']:.1%}{masked}",
        f"  F1 over kinds of answer  {found['f1']:.3f}",
        *_bodies(found["bodies"]),
        "  likeness of texts        " + ", ".join(f"{name} {value:.3f}" for name, value in found["similarity"].items()),
    ]
    for name, each in found["by_class"].items():
        shares = f"agreement {each['agreement']:.1%}, same answer {each['exact']:.1%}"
        lines.append(f"    {name:<20} {pluralize(each['lines'], 'call'):>10}, {shares}")
    return lines


def _bodies(found: dict[str, Any]) -> list[str]:
    if not found["lines"]:
        return []
    shares = f"{found['leaf_equal']:.1%} of {found['lines']} bodies, {found['leaves']:.1%} of their values"
    return [f"  same bodies              {shares}"]


def _beside(found: dict[str, Any]) -> list[str]:
    lines = []
    expected = found.get("expected")
    if expected:
        said = ", ".join(f"{name} {value}" for name, value in expected.items())
        same = "as" if all(found.get(name) == value for name, value in expected.items()) else "NOT as"
        lines.append(f"  {same} PROVENANCE.toml says: {said}")
    if found["crashes"]:
        lines.append(f"  broke our server or timed out, and agree with nothing: {pluralize(found['crashes'], 'call')}")
    lines += [
        f"  masked in {pluralize(each['lines'], 'call')}: {each['name']} ({each['reason']})"
        for each in found["masks"]
        if each["lines"]
    ]
    if found["derived"]:
        lines.append(f"  worked out from published code, never recorded: {pluralize(found['derived'], 'call')}")
    shape, silent = found["shape"], found["unanswered"]
    if shape["lines"]:
        lines.append(
            f"  {pluralize(shape['lines'], 'answer')} of a stand-in backend: {shape['same_outcome']} with the same"
            f" outcome here, {shape['same_form']} of those in the same form"
        )
    if silent["lines"]:
        never = pluralize(silent["lines"], "call")
        lines.append(f"  never answered by the real server: {never}; refused here: {silent['refused']}")
    if found["other_servers"]:
        lines.append(f"  left out, as another server or version answered: {pluralize(found['other_servers'], 'call')}")
    if found["not_served"]:
        lines.append(f"  left out, as this profile has no such tool: {pluralize(found['not_served'], 'call')}")
    return lines


def _difference(each: dict[str, Any]) -> list[str]:
    condition = f" ({each['condition']})" if "condition" in each else ""
    if "differs" not in each:
        # Masking made the values equal, but it does not change the form of the bodies.
        return [f"  line {each['line']}, {each['tool']}{condition}: another form"]
    where = f"{', '.join(each['differs'])}; in {each['part']} at character {each['position']}"
    lines = [f"  line {each['line']}, {each['tool']}{condition}: differs in {where}:"]
    return lines + [f"    {who:<9}{each[who]['kind']}: {each[who]['around']}" for who in ("recorded", "ours")]
