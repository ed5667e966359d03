"""Compares a value with a task's expectation: a plain value, or a table of operators and of conditions for a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from farm.appkit.schema import TimeForm
from farm.benchmark.operators import OPERATORS, Operator, equal, quote, texts_in
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.findings import Finding
from farm.benchmark.scoring.reading_budget import UnreadError, read_within
from farm.benchmark.scoring.stored_texts import StoredText
from farm.benchmark.scoring.texts import judge_text
from farm.benchmark.tasks.text_rules import TEXT_KEYS

_KNOWN = OPERATORS.keys() | TEXT_KEYS


def check(
    wanted: Any,
    found: Any,
    clock_context: ClockContext,
    form: TimeForm | None = None,
    before: Any = None,
    stored: Sequence[StoredText] = (),
) -> list[Finding]:
    """Return the findings about one value.

    Args:
        wanted: a plain value, or a table of operators and of conditions for a text.
        found: the value as stored or written.
        clock_context: the context of the comparison.
        form: how the column stores a time, if it is one.
        before: the value at the start.
        stored: the text in its format, or in several that a reader may see; if absent, all of it is visible.
    """
    if not isinstance(wanted, Mapping) or not wanted.keys() <= _KNOWN:
        return [Finding(equal(wanted, found, form) and not _is_struck(wanted, stored), quote(wanted))]
    findings: list[Finding] = []
    if not TEXT_KEYS.isdisjoint(wanted):
        findings += judge_text(wanted, texts_in(found), texts_in(before), clock_context, stored)
    for name, values in wanted.items():
        if name in TEXT_KEYS:
            continue
        operator = OPERATORS[name]
        if stored and operator.needs_content and not operator.is_ban:
            # A ban is held against all that is stored.
            try:
                text = "\n".join(each.raw for each in stored)
                found = read_within(clock_context.budget, text, lambda: "\n".join(each.on_screen() for each in stored))
            except UnreadError as problem:
                findings.append(Finding.unread(operator.describe(values), str(problem)))
                continue
        each = [values] if operator.lists == "whole" or not isinstance(values, (list, tuple)) else list(values)
        if operator.wants == "pattern":
            findings += (_matched(operator, pattern, found, clock_context) for pattern in each)
        elif operator.lists == "any":
            ok = any(operator.holds(value, found, form) for value in each)
            findings.append(Finding(ok, operator.describe(values)))
        else:
            findings += (
                Finding(operator.holds(value, found, form), operator.describe(value), operator.is_ban) for value in each
            )
    return findings


def _is_struck(wanted: Any, stored: Sequence[StoredText]) -> bool:
    """Return whether a text is the wanted one, but struck through."""
    return any("~" in each.raw and "~" not in str(wanted) and not each.on_screen().strip() for each in stored)


def _matched(operator: Operator, pattern: str, found: Any, clock_context: ClockContext) -> Finding:
    """Return the finding of a pattern, the only condition that may need more than linear time."""
    text, wanted = texts_in(found), operator.describe(pattern)
    try:
        ok = read_within(clock_context.budget, text, lambda: operator.holds(pattern, text, None), is_timed=True)
        return Finding(ok, wanted)
    except UnreadError as problem:
        return Finding.unread(wanted, str(problem))
