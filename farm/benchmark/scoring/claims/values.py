"""Read the typed values of an English, Chinese or mixed text: days, clocks, numbers, ids.

``read`` takes a folded text (``normalize.fold``) and returns every value with its place, each once, in order. It always
returns all values of the text, because extra values, rivals and pairs are only visible that way.

These are not read: days and clocks without a number or a name (next week, the weekend, 月底, later); years and months
alone; quarters; recurring days (每周四, every Thursday); vague amounts (十几个, a few, a couple); halves without a unit
(一半, half price); "one" and 一 without a measure; Roman numerals; 26.3. without "on" before it; 周六日; other
calendars; zones (17:30 CST is 17:30); anything in a link, an address, a hashtag, a version or a phone number.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import pairwise

from farm.benchmark.scoring.claims.clocks import CLOCKS, narrowed
from farm.benchmark.scoring.claims.dates import DATES, FULL_DATES
from farm.benchmark.scoring.claims.identifiers import GLUED, HOLE_SIGNS, HOLES, MARKS
from farm.benchmark.scoring.claims.normalize import fold
from farm.benchmark.scoring.claims.numerals import SIGNS_ZH
from farm.benchmark.scoring.claims.quantities import QUANTITIES
from farm.benchmark.scoring.claims.rules import AND, ANY_WORD, DIGITS, TO, Rule, RuleInput, Value

__all__ = ["Value", "fold", "read", "spans"]

# In order of trust: if several rules match at one place, the first one wins.
RULES: tuple[Rule, ...] = (*FULL_DATES, *MARKS, *DATES, *CLOCKS, *QUANTITIES, GLUED)


_NUMERALS = frozenset((DIGITS, *SIGNS_ZH))
_FOLLOWERS = frozenset("".join(each.then for each in RULES))
_OTHER = "?"  # stands for every sign that no rule names
_AFTER_NUMERAL = re.compile(rf"(?:\d+|[{SIGNS_ZH}]{{1,16}}) ?(.)?")


def _index() -> dict[str, tuple[Rule, ...]]:
    """Return the rules to try at each token, in order."""
    starts = {start for each in RULES for start in each.starts}
    return {start: tuple(each for each in RULES if _may_begin(each, start)) for start in sorted(starts)}


def _may_begin(each: Rule, start: str) -> bool:
    return start in each.starts or (start.isascii() and start.isalpha() and ANY_WORD in each.starts)


_RULES_AT = _index()
_SINGLE = "".join(start for start in _RULES_AT if len(start) == 1 and not start.isascii()) + "+($"
_TOKEN = re.compile(rf"[a-z]+|\d+|[{re.escape(_SINGLE)}]")


@cache
def _rules_at_numeral(start: str, follower: str) -> tuple[Rule, ...]:
    """Return the rules to try at a numeral before that sign; there is one result per start and follower."""
    return tuple(each for each in _RULES_AT.get(start, ()) if not each.then or follower in each.then)


def _rules_at(text: str, token: re.Match[str]) -> tuple[Rule, ...]:
    """Return the rules to try at a token, in order."""
    word = token[0]
    if "a" <= word[0] <= "z":
        follower = text[token.end() : token.end() + 1]
        is_glued = follower == "-" or follower.isdigit()
        return _RULES_AT.get(word) or (_RULES_AT[ANY_WORD] if is_glued else ())
    start = DIGITS if word[0].isdigit() else word
    if start not in _NUMERALS:
        return _RULES_AT.get(start, ())
    after = _AFTER_NUMERAL.match(text, token.start())
    follower = (after[1] if after else None) or _OTHER
    return _rules_at_numeral(start, "0" if follower.isdigit() else follower if follower in _FOLLOWERS else _OTHER)


_JOIN = re.compile(r"[\s,()·。.=]{0,4}(?:(?:the|a|which is a|that is|i\.e\.|on|即|就是|也就是)[\s,]?)?[\s(]?")
_LIST = re.compile(rf"(?:{TO}|{AND}),? ?")
_SPAN = re.compile(r" ?(?:–|-|至|到) ?| (?:to|until|till|through|thru) (?:the )?| ?\)?(?:–|-|至|到) ?\(?")
_DASH = re.compile(r" ?(?:–|-|至|到) ?")


def read(text: str, now: datetime) -> list[Value]:
    """Return every value of a folded text, in order of place.

    Args:
        now: the moment of writing, in the writer's zone; days without a month or year are read as the nearest plausible
            ones.
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
        place = token.end()
        for each in _rules_at(text, token):
            if not (found := each.pattern.match(text, token.start(), end)):
                continue
            made = each.make(RuleInput(text, now, values[-1] if values else None), found)
            if made is not None:
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
        if last and last.kind == value.kind == "date" and _LIST.fullmatch(text, last.end, value.start):
            value = _in_month_of(last, value)
        merged.append(value)
    return merged


def _in_month_of(last: Value, value: Value) -> Value:
    """Return a bare day that is listed behind a date as one of the same month: 3月5号、6号."""
    months = {day[:7] for day in last.options}
    days = tuple(sorted(day for day in value.wide if day[:7] in months))
    is_bare = len(value.wide) > len(value.options) and len({day[8:] for day in value.wide}) == 1
    return replace(value, options=days, wide=frozenset(days)) if is_bare and len(months) == 1 and days else value


def _spanned(text: str, values: list[Value]) -> list[Value]:
    """Mark the two ends of each span, and narrow each of its clocks by the other."""
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
    """Return the spans among the values, each as its two ends."""
    return [(first, last) for first, last in pairwise(values) if (first.part, last.part) == ("from", "to")]
