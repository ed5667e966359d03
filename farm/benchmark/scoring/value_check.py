"""Compares a value with a task's expectation: a plain value, or a table of operators and of conditions for a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from farm.appkit.schema import TimeForm
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.findings import Finding
from farm.benchmark.scoring.reading_budget import UnreadError, read_within
from farm.benchmark.scoring.stored_texts import StoredText
from farm.benchmark.scoring.texts import judge_text
from farm.benchmark.scoring.words_besides import told_besides
from farm.benchmark.tasks.text_rules import TEXT_KEYS
from farm.context.operators import OPERATORS, Operator, equal, quote, texts_in

_KNOWN = OPERATORS.keys() | TEXT_KEYS
_SAID = frozenset(("claims", "stance"))  # the keys with which all that a text says is read


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
        return [_equal(wanted, found, form, stored, clock_context)]
    findings: list[Finding] = []
    has_words = False
    if not TEXT_KEYS.isdisjoint(wanted):
        findings += judge_text(wanted, texts_in(found), texts_in(before), clock_context, stored)
    for name, values in wanted.items():
        if name in TEXT_KEYS:
            continue
        operator = OPERATORS[name]
        try:
            seen = _seen(stored, clock_context) if _is_about_words(operator, values) else []
        except UnreadError as problem:
            findings.append(Finding.unread(operator.describe(values), str(problem)))
            continue
        has_words |= bool(seen)
        for one in seen or [found]:
            findings += _compared(operator, values, one, form, clock_context)
    if has_words and _SAID.isdisjoint(wanted) and all(each.ok for each in findings):
        findings += told_besides(wanted, stored, before, clock_context)
    return findings


def _is_about_words(operator: Operator, wanted: Any) -> bool:
    """Return whether a condition is about the words that a reader sees.

    A ban is held against all that is stored. An address may stand behind other words, and whom a message calls by id
    is shown by name.
    """
    return operator.needs_content and not operator.is_ban and not any(sign in str(wanted) for sign in ("://", "<@"))


def _seen(stored: Sequence[StoredText], clock_context: ClockContext) -> list[str]:
    """Return what is on the screen of each part of a text."""
    text = "\n".join(each.raw for each in stored)
    return read_within(clock_context.budget, text, lambda: [each.on_screen() for each in stored])


def _compared(
    operator: Operator, wanted: Any, found: Any, form: TimeForm | None, clock_context: ClockContext
) -> Iterator[Finding]:
    """Yield the findings of one operator about a value."""
    each = [wanted] if operator.lists == "whole" or not isinstance(wanted, (list, tuple)) else list(wanted)
    if operator.wants == "pattern":
        yield from (_matched(operator, pattern, found, clock_context) for pattern in each)
    elif operator.lists == "any":
        ok = any(operator.holds(value, found, form) for value in each)
        yield Finding(ok, operator.describe(wanted))
    else:
        for value in each:
            yield Finding(operator.holds(value, found, form), operator.describe(value), operator.is_ban)


def _equal(
    wanted: Any, found: Any, form: TimeForm | None, stored: Sequence[StoredText], clock_context: ClockContext
) -> Finding:
    """Return the finding of a plain value, which a text that is struck through does not have."""
    ok = equal(wanted, found, form)
    try:
        if ok and "~" not in str(wanted) and any("~" in each.raw for each in stored):
            ok = all(text.strip() for text in _seen(stored, clock_context))
    except UnreadError as problem:
        return Finding.unread(quote(wanted), str(problem))
    return Finding(ok, quote(wanted))


def _matched(operator: Operator, pattern: str, found: Any, clock_context: ClockContext) -> Finding:
    """Return the finding of a pattern, the only condition that may need more than linear time."""
    text, wanted = texts_in(found), operator.describe(pattern)
    try:
        ok = read_within(clock_context.budget, text, lambda: operator.holds(pattern, text, None), is_timed=True)
        return Finding(ok, wanted)
    except UnreadError as problem:
        return Finding.unread(wanted, str(problem))
