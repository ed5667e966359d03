"""Which values a missed text or answer lacked: whether they had been shown, and whether former ones were written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from farm.appkit.envelope import body_of
from farm.benchmark.audit.truth.passages import OwnWords, Passage, passages_of_result, passages_of_text
from farm.benchmark.audit.truth.standing import stands_in
from farm.benchmark.failures.case import Case, name_of
from farm.benchmark.scoring.claims import Claim
from farm.benchmark.scoring.claims.values import Value, read
from farm.benchmark.scoring.initial_state import form_of
from farm.benchmark.scoring.resolve import UnresolvedDependencyError
from farm.benchmark.scoring.sheets import find_sheet
from farm.benchmark.scoring.texts import wanted_of
from farm.benchmark.tasks import Checkpoint, Operate, Search
from farm.benchmark.tasks.text_rules import TEXT_KEYS, wants_text
from farm.context.operators import instant
from farm.context.trace import Call
from farm.errors import FarmError


def unshown_values(case: Case, point: Checkpoint) -> list[str]:
    """Return the values that a checkpoint missed, and that stand in nothing the agent was told or shown."""
    shown = shown_passages(case)
    why = case.why(point.id)
    claims = list(_claims_of(case, point))
    failed = [claim for claim in claims if f"to say {claim.describe}" in why] or claims
    return [claim.describe for claim in failed if not stands_in(claim, shown)]


def _claims_of(case: Case, point: Checkpoint) -> Iterator[Claim]:
    """Yield the values that a checkpoint asks a text for, without those that have to be worked out."""
    match point:
        case Search():
            forms = [(point.answer, "")]
        case Operate():
            forms = [(wanted, point.app) for wanted in point.after.values() if wants_text(wanted)]
        case _:
            forms = []
    for form, app in forms:
        raw = {key: value for key, value in form.items() if key in TEXT_KEYS}
        with suppress(UnresolvedDependencyError):
            wanted = wanted_of(case.values.resolve(raw, app), "", case.values.clock_context)
            for claim, told in zip(wanted.claims, raw.get("claims", ()), strict=True):
                if not claim.is_denied and claim.kind != "says" and "from" not in told:
                    yield claim


def shown_passages(case: Case) -> Sequence[Passage]:
    """Return the texts that the agent was told or shown, without what it had written itself."""
    now = case.values.clock_context.now
    found, own = [passages_of_text(case.told, now)], OwnWords()
    for call in case.calls:
        own = own.with_call(call["arguments"], now, is_write=name_of(call) not in case.reading)
        if not call["refused"] and call.get("result"):
            with suppress(FarmError, KeyError, TypeError):
                found += passages_of_result(body_of(call["result"]), own, now)
    return found


def former_values(case: Case, point: Checkpoint, columns: Sequence[str] = ()) -> list[str]:
    """Return the former values that a text asserts, or that an answer sheet or one of some columns holds."""
    why = case.why(point.id)
    said = why.partition("the outdated ")[2].partition(" is said")[0]
    if said:
        return [said]
    now = case.values.clock_context.now
    old = list(dict.fromkeys(text for each in case.task.checkpoints for text in _stale_in(each.conditions)))
    old = [case.values.text(text) for text in old]
    if isinstance(point, Search):
        sheet = find_sheet(case.trial["answer"], case.task.sheet)
        if sheet is None:
            return []
        given = [str(value) for name in point.sheet for value in sheet.values.get(name, ())]
        return [text for text in old if any(_is_same(text, value, now) for value in given)]
    # A row's columns, such as a day: a text is judged with its meaning, above.
    return [text for text in old if any(_is_same(text, value, now) for value in columns)]


def _is_same(text: str, value: str, now: datetime) -> bool:
    """Return whether a value is a former one, in whatever form."""
    if text.casefold() == value.strip().casefold():
        return True
    ours, theirs = list(read(value, now)), list(read(text, now))
    if len(theirs) != 1 or len(ours) not in (1, 2):
        return False
    return any(_equal(one, theirs[0]) for one in ours)


def _equal(one: Value, other: Value) -> bool:
    if one.kind in ("date", "clock") or other.kind in ("date", "clock"):
        return one.kind == other.kind and bool({*one.options} & {*other.options})
    return one.kind == other.kind and one.number == other.number and one.options == other.options


def _stale_in(value: Any) -> Iterator[str]:
    match value:
        case Mapping():
            for key, each in value.items():
                yield from (
                    map(str, each if isinstance(each, list | tuple) else [each]) if key == "stale" else _stale_in(each)
                )
        case list() | tuple():
            for each in value:
                yield from _stale_in(each)


def columns_written(case: Case, calls: Sequence[Call], point: Operate) -> list[str]:
    """Return the values of the columns, other than texts with claims, that a checkpoint asks for in rows of calls."""
    numbers = {call["call"] for call in calls if call["app"] == point.app}
    asked = {key.partition(".")[0] for key, wanted in point.after.items() if not wants_text(wanted)}
    rows = [
        change["new"] or {}
        for change in case.diff.get(point.app, {}).get(point.table, ())
        if change.get("call") in numbers
    ]
    return [
        _written(case, point, key, row[key]) for row in rows for key in asked if isinstance(row.get(key), str | int)
    ]


def _written(case: Case, point: Operate, key: str, value: str | int) -> str:
    """Return a column's value as it would be told: a time as day and clock."""
    moment = instant(value, form_of(point.app, point.table, key))
    if isinstance(moment, datetime):
        return f"{moment.astimezone(case.values.clock_context.now.tzinfo):%Y-%m-%d %H:%M}"
    return str(value)
