"""``operate`` checkpoints: the right rows were created, updated or deleted, and hold what they should.

A row is right when it fits ``where``. All rows right in every value, and as many as asked for: 1. A right row with a
wrong value, or the wrong number of them: 0.5. No right row: 0. Rows beyond the number asked for stay unaccounted for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.score.evidence import OPS, CheckpointScore, Evidence, RowChange, Verdict
from farm.score.initial_state import fits, form_of
from farm.score.operators import at_path, check
from farm.score.resolve import Values
from farm.task import Operate


def judge(point: Operate, evidence: Evidence, values: Values) -> Verdict:
    """Return the verdict on one ``operate`` checkpoint.

    Raises:
        Waiting: it depends on a checkpoint that is not satisfied.
    """
    where = values.resolve(point.where, point.app)
    after = values.resolve(point.after, point.app)
    changes = evidence.diff.get(point.app, {}).get(point.table, ())
    of_kind = [change for change in changes if change["op"] == OPS[point.change]]
    side = "new" if point.change == "create" else "old"
    setting = values.start.setting
    right = [
        (change, _wrong(change, point, after, values))
        for change in of_kind
        if fits(change[side], where, point.app, point.table, setting)
    ]
    full = [change for change, wrong in right if not wrong]
    # Rows that are right in everything count before the others.
    taken = sorted(right, key=lambda each: bool(each[1]))[: point.count]
    if len(full) == point.count:
        score, why = 1.0, _sentence(point, len(full))
    elif right:
        found = "; ".join(dict.fromkeys(line for _, wrong in taken for line in wrong)) or f"found {len(full)} of them"
        score, why = 0.5, f"expected {_wish(point, where)}, {found}"
    else:
        score, why = 0.0, f"expected {_wish(point, where)}, found {_others(point, len(of_kind))}"
    accounted = tuple(change for change, _ in taken)
    matched = tuple(change["new"] or change["old"] for change in full or accounted)
    return Verdict(CheckpointScore(point.id, point.kind, score, why), accounted, matched)


def _wrong(change: RowChange, point: Operate, after: Mapping[str, Any], values: Values) -> list[str]:
    """Return what is not as wanted in a right row, one phrase each."""
    row = change["new"] or change["old"]
    lines = []
    for key, wanted in after.items():
        found = at_path(row, key)
        form = form_of(point.app, point.table, key)
        for finding in check(wanted, found, values.start.setting, form):
            if not finding.ok:
                lines.append(f"{key} should be {finding.wanted} but is {_short(found)}")
    return lines


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 90 else f"{text[:87]}…"


def _wish(point: Operate, where: Mapping[str, Any]) -> str:
    times = f"{point.count} rows" if point.count != 1 else "a row"
    named = ", ".join(f"{key} {_short(value)}" for key, value in where.items())
    return f"{times} of {point.app}.{point.table} {point.change}d with {named}"


def _sentence(point: Operate, count: int) -> str:
    return f"{count} row{'s' * (count != 1)} of {point.app}.{point.table} {point.change}d as asked"


def _others(point: Operate, count: int) -> str:
    if not count:
        return f"none {point.change}d"
    return f"{count} {point.change}d, but not {'that one' if point.count == 1 else 'those'}"
