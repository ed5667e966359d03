# ruff: noqa: E501 (the tables of rules are read line by line)
"""Reads the typed values of what somebody wrote, in English, Chinese and both mixed: days, clocks, numbers, amounts, ids.

``read`` works on a folded text (``fold``) and returns every value with its place, each once, in order. Reading is "all values
of the text", never "is this value there": only so can further values, rivals and pairs be seen.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from farm.claims.clocks import CLOCKS, narrowed
from farm.claims.dates import DATES, FULL_DATES
from farm.claims.folding import fold
from farm.claims.marks import GLUED, HOLE_SIGNS, HOLES, MARKS
from farm.claims.quantities import QUANTITIES
from farm.claims.rules import ANY_WORD, DIGITS, Rule, Situation, Value

__all__ = ["Value", "fold", "read", "spans"]

# In order of trust: what stands further up wins where several rules fit at one place.
RULES: tuple[Rule, ...] = (*FULL_DATES, *MARKS, *DATES, *CLOCKS, *QUANTITIES, GLUED)


def _index() -> dict[str, tuple[Rule, ...]]:
    """Return the rules to try at each token, in order."""
    everywhere = [each for each in RULES if ANY_WORD in each.starts]
    found: dict[str, tuple[Rule, ...]] = {ANY_WORD: tuple(everywhere)}
    for start in sorted({start for each in RULES for start in each.starts} - {ANY_WORD}):
        is_word = start.isascii() and start.isalpha()
        found[start] = tuple(each for each in RULES if start in each.starts or (is_word and ANY_WORD in each.starts))
    return found


_RULES_AT = _index()
_SINGLE = "".join(start for start in _RULES_AT if len(start) == 1 and not start.isascii()) + "+($"
_TOKEN = re.compile(rf"[a-z]+|\d+|[{re.escape(_SINGLE)}]")
_JOIN = re.compile(r"[\s,()·。.=]{0,4}(?:(?:the|that is|i\.e\.|on|即|就是|也就是)[\s,]?)?[\s(]?")
_SPAN = re.compile(r" ?(?:–|-|至|到) ?| (?:to|until|till|through|thru) (?:the )?| ?\)?(?:–|-|至|到) ?\(?")
_DASH = re.compile(r" ?(?:–|-|至|到) ?")


def read(text: str, now: datetime) -> list[Value]:
    """Return every value of a folded text, in order of place.

    Args:
        now: the moment of writing, in the writer's zone: days without a month or year are the nearest fair ones.
    """
    values: list[Value] = []
    for start, end in _between_holes(text):
        _read_piece(text, now, start, end, values)
    return _spanned(text, _merged(text, values))


def _between_holes(text: str) -> list[tuple[int, int]]:
    """Return the pieces of a text between links, mail addresses, mentions and hashtags."""
    if not any(sign in text for sign in HOLE_SIGNS):
        return [(0, len(text))]
    cuts = [0, *(place for hole in HOLES.finditer(text) for place in hole.span()), len(text)]
    return list(zip(cuts[::2], cuts[1::2], strict=True))


def _read_piece(text: str, now: datetime, start: int, end: int, values: list[Value]) -> None:
    place = start
    while token := _TOKEN.search(text, place, end):
        sign = text[token.start()]
        is_digit, is_word = sign.isdigit(), "a" <= sign <= "z"
        rules = _RULES_AT[DIGITS] if is_digit else _RULES_AT.get(token[0]) or (_RULES_AT[ANY_WORD] if is_word else ())
        place = token.end()
        situation = Situation(text, now, values[-1] if values else None)
        for each in rules:
            found = each.pattern.match(text, token.start(), end)
            made = each.make(situation, found) if found and found.end() > found.start() else None
            if found and made is not None:
                values += made
                place = max(found.end(), made[-1].end if made else 0)
                break


def _merged(text: str, values: list[Value]) -> list[Value]:
    """Make one date of two that stand together and can mean the same day: Thursday (12 March), 这周日（15号）."""
    merged: list[Value] = []
    for value in values:
        last = merged[-1] if merged else None
        if last and last.kind == value.kind == "date" and _JOIN.fullmatch(text, last.end, value.start):
            days = (
                (last.wide & frozenset(value.options))
                or (frozenset(last.options) & value.wide)
                or (last.wide & value.wide)
            )
            if days:
                merged[-1] = Value("date", last.start, value.end, tuple(sorted(days))[:2], last.wide & value.wide)
                continue
        merged.append(value)
    return merged


def _spanned(text: str, values: list[Value]) -> list[Value]:
    """Mark the two ends of each span, and let each clock of it narrow the other."""
    for index in range(len(values) - 1):
        first, last = values[index], values[index + 1]
        if first.kind != last.kind or first.part or last.start - first.end > 14 or first.kind in ("id", "ordinal"):
            continue
        joint = _SPAN if first.kind in ("date", "clock") else _DASH
        between = text[first.end : last.start]
        is_span = joint.fullmatch(between) or (
            between.strip() == "and" and text[max(0, first.start - 8) : first.start] == "between " and joint is _SPAN
        )
        if not is_span:
            continue
        if first.kind == "clock":
            options = narrowed(first, last)
            first, last = replace(first, options=options[0]), replace(last, options=options[1])
        values[index], values[index + 1] = replace(first, part="from"), replace(last, part="to")
    return values


def spans(values: list[Value]) -> list[tuple[Value, Value]]:
    """Return the spans among values that were read, each as its two ends."""
    return [(first, last) for first, last in pairwise(values) if (first.part, last.part) == ("from", "to")]
