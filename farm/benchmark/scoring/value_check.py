"""Compares a value with a task's expectation: a plain value, or a table of operators and of conditions for a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from farm.appkit.column_vocabulary import Role
from farm.appkit.formats.visible import visible_text
from farm.appkit.schema import TimeForm
from farm.benchmark.scoring.claims import Claim, Requirement, Situation, doubts_beside
from farm.benchmark.scoring.claims.normalize import fold
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.findings import Finding
from farm.benchmark.scoring.people import names_of_all
from farm.benchmark.scoring.reading_budget import UnreadError, read_within
from farm.benchmark.scoring.stored_texts import StoredText
from farm.benchmark.scoring.texts import judge_text
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
        findings += _told_besides(wanted, stored, before, clock_context)
    return findings


def _told_besides(
    wanted: Mapping[str, Any], stored: Sequence[StoredText], before: Any, clock_context: ClockContext
) -> Iterator[Finding]:
    """Yield a doubtful finding if a text with the right words shows, calls or says something else, too."""
    kept = texts_in(before)
    said = (*clock_context.said, kept, *_names(clock_context, stored))
    situation = Situation(clock_context.now, said, clock_context.done, clock_context.samples)
    doubts: dict[str, None] = {}
    for part in stored:
        doubts |= dict.fromkeys(part.visible().doubts)
        for each in visible_text(part.format, before).doubts if before else ():
            doubts.pop(each, None)
        screen = part.on_screen()
        if part.role == "person":  # an address, which conditions look for, and the name that stands beside it
            screen = _shown_names(screen)
        words = tuple(Claim("says", (each,)) for each in dict.fromkeys(_found(wanted, fold(screen))))
        is_kept = bool(kept.strip(" \n.。")) and fold(kept) in fold(screen)
        sought = Requirement(words, keeps=kept if is_kept else None)
        is_closed = part.role in _CLOSED
        if part.role in _READ:
            doubts |= dict.fromkeys(doubts_beside(sought, screen, situation, is_closed=is_closed))
    if doubts:
        yield Finding(True, "to tell nothing else", is_ban=True, doubts=tuple(doubts))


def _names(clock_context: ClockContext, stored: Sequence[StoredText]) -> Iterator[str]:
    """Yield the names of the world's people, for texts that name whom they go to."""
    if any(part.role == "person" for part in stored):
        for each in names_of_all(clock_context.world.people).values():
            yield from each


def _shown_names(receivers: str) -> str:
    """Return the names beside the addresses of a mail's receivers: ``Jia Song <jia@…>``."""
    return "\n".join(re.split(r"[,;>\n]", before)[-1] for before in receivers.split("<")[:-1])


# Columns in which people read more than the words that are looked for; in closed ones every other word counts.
_CLOSED: frozenset[Role | None] = frozenset(("place", "person"))
_READ: frozenset[Role | None] = _CLOSED.union((None, "title", "body"))
_LITERAL = re.compile(r"\\.|[^\W_]+")


def _found(wanted: Mapping[str, Any], text: str) -> Iterator[str]:
    """Yield the words for which conditions look that a text has; of a pattern the literal ones."""
    for name, values in wanted.items():
        if name in TEXT_KEYS:
            continue
        operator = OPERATORS[name]
        for each in map(str, values if isinstance(values, (list, tuple)) else [values]):
            words = _LITERAL.findall(each) if operator.wants == "pattern" else [each]
            if operator.needs_content and not operator.is_ban:
                yield from (word for word in words if word[0] != "\\" and len(word) > 1 and fold(word) in text)


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
