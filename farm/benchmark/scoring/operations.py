"""``operate`` checkpoints: the right rows were created, updated or deleted, and have the expected values.

A row is right if it matches ``where``. The score is 1 if all values are right and the number of rows is as required,
0.5 for a right row with a wrong value or for a wrong number of right rows, and 0 without a right row. Rows beyond the
required number are not accounted for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from farm.benchmark.scoring.called_people import with_called_people
from farm.benchmark.scoring.changes_made import ChangesMade
from farm.benchmark.scoring.claims import Change
from farm.benchmark.scoring.evidence import (
    OPS,
    CheckpointScore,
    CheckpointVerdict,
    Contested,
    Evidence,
    RowChange,
    WrittenText,
    row_name,
)
from farm.benchmark.scoring.findings import VIEWS, Finding, View, all_hold, doubts_of
from farm.benchmark.scoring.initial_state import chosen_columns, deleted_column, fits, form_of, held
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.stored_texts import (
    StoredText,
    format_of,
    is_mail,
    other_part_of_mail,
    role_of,
    stored_texts,
)
from farm.benchmark.scoring.unknown_addresses import with_unknown_addresses
from farm.benchmark.scoring.value_check import check
from farm.benchmark.tasks import Operate, Task
from farm.benchmark.tasks.text_rules import wants_text
from farm.context.operators import at_path, instant, texts_in
from farm.errors import FarmError

# Key of ``after`` → the row's value, and the findings about it.
_Found = dict[str, tuple[Any, list[Finding]]]


def judge(point: Operate, task: Task, evidence: Evidence, values: ValueResolver) -> CheckpointVerdict:
    """Return the verdict on one ``operate`` checkpoint.

    Raises:
        UnresolvedDependencyError: it depends on a checkpoint that is not satisfied.
    """
    where = values.resolve(point.where, point.app)
    after = values.resolve(point.after, point.app)
    changes = evidence.diff.get(point.app, {}).get(point.table, ())
    of_kind = [change for change in changes if change["op"] == OPS[point.change] and _is_done(change, point)]
    made = ChangesMade.of(evidence)
    side = "new" if point.change == "create" else "old"
    right = [
        (change, _findings(change, point, where, after, _beside(values, made.besides(point.app, change)), evidence))
        for change in of_kind
        if fits(change[side], where, point.app, point.table, values.clock_context)
    ]
    full = [change for change, found in right if _is_full(found, "guess")]
    # Fully right rows count first.
    taken = sorted(right, key=lambda each: not _is_full(each[1], "guess"))[: point.count]
    scores = _scores(point, right)
    if scores["guess"] == 1.0:
        why = _sentence(point, len(full))
    elif right:
        wrong = "; ".join(dict.fromkeys(line for _, found in taken for line in _wrong(point, found)))
        why = f"expected {_wish(point, where)}, {wrong or f'found {len(full)} of them'}"
    else:
        why = f"expected {_wish(point, where)}, found {_others(point, len(of_kind))}"
    texts = [each for _, found in taken for each in _texts({**where, **after}, found)]
    contested, settled = (tuple(each for each in texts if bool(each.doubts) == is_open) for is_open in (True, False))
    if_said = _scores(point, [(change, _without_texts(after, found)) for change, found in right])["guess"]
    score = CheckpointScore(
        *(point.id, point.kind, scores["guess"], why, scores["low"], scores["high"], contested, settled, if_said)
    )
    accounted = tuple(change for change, _ in taken)
    matched = tuple(change["new"] or change["old"] for change in full or accounted)
    free = _free(point, task) if point.free else ()
    may_change = {row_name(point.app, point.table, each): _excused(point, free, each, values) for each in accounted}
    return CheckpointVerdict(score, accounted, may_change, matched, len(full))


def find_in(point: Operate, values: ValueResolver, text: str, column: str | None) -> list[Finding]:
    """Return the findings about a text in a column, which is optional if the checkpoint judges only one text.

    Raises:
        FarmError: the checkpoint judges no such column.
    """
    wanted = values.resolve(point.after, point.app)
    named = _column(point, wanted, column and values.text(column))
    before = _before(point, named, values)
    is_part = other_part_of_mail(point.app, point.table, named) is not None and is_mail(point.app, point.table)
    form, role = format_of(point.app, point.table, named), role_of(point.app, point.table, named)
    stored = (StoredText(form, text, text, is_mail=is_part, role=role),)
    return check(wanted[named], text, values.clock_context, form_of(point.app, point.table, named), before, stored)


def texts_of(
    point: Operate, changes: Sequence[RowChange], _evidence: Evidence, values: ValueResolver
) -> Iterator[WrittenText]:
    """Yield the texts of the accounted rows that claims are made about."""
    for name, wanted in point.after.items():
        key = values.text(name)
        for change in changes if wants_text(wanted) else ():
            text, before = texts_in(at_path(change["new"], key)), texts_in(at_path(change["old"] or {}, key))
            format = format_of(point.app, point.table, key)
            yield WrittenText(key, text, wanted, before, point.app, change["call"], format)


def _is_done(change: RowChange, point: Operate) -> bool:
    """Return whether a change has the kind that a checkpoint asks for.

    A created row that is marked as deleted does not count unless the task requires its columns. A row in which only
    the app itself changed columns was not updated unless the task asks for just that.
    """
    if point.change == "update":
        named = {key.partition(".")[0] for key in point.after}
        asked = any(change["old"].get(each) != change["new"].get(each) for each in named)
        return asked or bool(chosen_columns(point.app, point.table, change))
    column = deleted_column(point.app, point.table, change["new"]) if point.change == "create" else None
    return column is None or column in {*point.where, *point.after}


def _beside(values: ValueResolver, done: frozenset[Change]) -> ValueResolver:
    """Return values that know which kinds of changes the trial made besides a row."""
    return values.in_context(replace(values.clock_context, done=done))


def _findings(
    change: RowChange,
    point: Operate,
    where: Mapping[str, Any],
    after: Mapping[str, Any],
    values: ValueResolver,
    evidence: Evidence,
) -> _Found:
    """Return the expectations for a right row and its values, by key.

    By what ``where`` looks for in a text of a new row the row is found: that holds, but the text may say more.
    """
    row, old = change["new"] or change["old"], change["old"] or {}
    judged = {each.partition(".")[0] for each in after}
    found: _Found = {}
    looked_for = where if point.change == "create" else {}
    for key, wanted in {**looked_for, **after}.items():
        value, form = held(point.app, point.table, row, key), form_of(point.app, point.table, key)
        before = held(point.app, point.table, old, key)
        texts = stored_texts(point.app, point.table, row, key, value)
        named = with_called_people(texts, point.app, point.table, row, values, judged)
        known = (*values.clock_context.said, texts_in(before))
        stored = with_unknown_addresses(named, evidence, (point.app, change.get("call")), known)
        findings = check(wanted, value, values.clock_context, form, before, stored)
        if key not in after and not doubts_of(findings):
            continue
        found[key] = "\n".join(part.raw for part in stored) if stored[0].is_mail else value, findings
    return found


def _free(point: Operate, task: Task) -> tuple[str, ...]:
    """Return the columns that may hold anything, as far as this checkpoint is concerned.

    Checkpoints that look for the same new row share it: what one of them judges is not free by another, so that the
    right values do not count if they stand apart, each in a row of its own beside wrong ones.
    """
    same = [
        each
        for each in task.checkpoints
        if isinstance(each, Operate)
        and (each.change, each.app, each.table, each.where) == (point.change, point.app, point.table, point.where)
    ]
    judged = {key for each in same for key in each.after}
    return tuple(name for name in point.free if name not in judged)


def _excused(point: Operate, free: Sequence[str], change: RowChange, values: ValueResolver) -> set[str]:
    """Return the keys of a right row that may change, or that a new one may hold.

    Columns of ``where`` only find a row of the start and may not change. A checkpoint that names the column of
    deletion but does not want a deletion excuses every other value of it.
    """
    keys = (*point.after, *point.may_change, *free)
    named = {values.text(key) for key in ((*point.where, *keys) if point.change == "create" else keys)}
    # What is asked of a mail's text holds for its HTML as well, if it has any.
    parts = (other_part_of_mail(point.app, point.table, key) for key in tuple(named))
    named.update(part for part in parts if part and point.change == "create")
    gone = deleted_column(point.app, point.table, change["new"]) if change["new"] else None
    if gone and gone in point.after:
        wanted = values.resolve({gone: point.after[gone]}, point.app)
        if not fits(change["new"], wanted, point.app, point.table, values.clock_context):
            named.discard(gone)
    return named


def _is_full(found: _Found, view: View) -> bool:
    return all(all_hold(findings, view) for _, findings in found.values())


def _scores(point: Operate, right: Sequence[tuple[RowChange, _Found]]) -> Mapping[View, float]:
    """Return the score by best guess, and its minimum and maximum."""
    full = {view: sum(_is_full(found, view) for _, found in right) for view in VIEWS}
    # Doubts of rows are independent: any number between the surely full and the possibly full rows is possible.
    could_be = full["low"] <= point.count <= full["high"]
    earns_one: Mapping[View, bool] = {
        "guess": full["guess"] == point.count,
        "low": could_be and full["low"] == full["high"],
        "high": could_be,
    }
    partly = 0.5 if right else 0.0
    return {view: 1.0 if earns_one[view] else partly for view in VIEWS}


def _wrong(point: Operate, found: _Found) -> Iterator[str]:
    """Yield the wrong values of a right row, one phrase each."""
    for key, (value, findings) in found.items():
        form = form_of(point.app, point.table, key)
        moment = instant(value, form) if form not in (None, "date", "rfc3339") and value is not None else None
        is_value = _short(value) + (f" ({moment.isoformat()})" if moment else "")
        for each in findings:
            if not each.ok:
                yield f"{key} is {is_value}, wanted: {each.describe}"


def _texts(after: Mapping[str, Any], found: _Found) -> Iterator[Contested]:
    """Yield the texts of a right row whose content was judged."""
    for key, (value, findings) in found.items():
        if doubts_of(findings) or wants_text(after.get(key)):
            yield Contested.of_findings(key, texts_in(value), findings, after[key].get("judge"))


def _without_texts(after: Mapping[str, Any], found: _Found) -> _Found:
    """Return what was found apart from the texts whose content was judged."""
    return {key: each for key, each in found.items() if not wants_text(after.get(key))}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 90 else f"{text[:87]}…"


def _wish(point: Operate, where: Mapping[str, Any]) -> str:
    times = f"{point.count} rows" if point.count != 1 else "a row"
    named = ", ".join(f"{key} {_short(value)}" for key, value in where.items())
    return f"{times} of {point.app}.{point.table} {point.change}d{' with ' * bool(named)}{named}"


def _sentence(point: Operate, count: int) -> str:
    return f"{count} row{'s' * (count != 1)} of {point.app}.{point.table} {point.change}d as asked"


def _others(point: Operate, count: int) -> str:
    if not count:
        return f"none {point.change}d"
    return f"{count} {point.change}d, but not {'that one' if point.count == 1 else 'those'}"


def _column(point: Operate, wanted: dict[str, Any], column: str | None) -> str:
    if column in wanted:
        return column
    texts = [name for name, value in wanted.items() if wants_text(value)]
    if column is None and len(texts) == 1:
        return texts[0]
    have = ", ".join(texts or wanted) or "none"
    problem = f"judges no column '{column}'" if column else f"judges {len(texts) or 'no'} texts; name one with --column"
    raise FarmError(f"checkpoint '{point.id}' {problem}; have {have}")


def _before(point: Operate, column: str, values: ValueResolver) -> Any:
    """Return the column's value at the start, if the checkpoint is about a row of the start."""
    if point.change == "create":
        return None
    rows = values.start.find(point.app, point.table, values.resolve(point.where, point.app))
    return held(point.app, point.table, rows[0], column) if len(rows) == 1 else None
