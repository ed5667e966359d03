"""Values in a text of a specification that no reference made: days, times of day, amounts, numbers, ids and names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal as Choice

from farm.appkit.world_spec.facts import Ledger
from farm.benchmark.scoring.claims.identifiers import HOLES
from farm.benchmark.scoring.claims.values import Value, fold, read
from farm.world.facts.wordings import NameSearch, id_pattern

LiteralKind = Choice["date", "clock", "amount", "number", "id", "name"]
KINDS: tuple[LiteralKind, ...] = ("date", "clock", "amount", "number", "id", "name")
BOUND = re.compile(r"\{\{(?:fact|noise):(?:[^{}]|\{\{[^{}]*\}\})*\}\}")
_DATE = re.compile(r"\{\{(?:date|ms|s|rfc3339):[^{}]*\}\}")
_REFERENCE = re.compile(r"\{\{\w+:[^{}]*\}\}")
_GAP = "某某"  # stands where a reference was
# EMB-412, emb-412, HL-MKT-02, GY-2603-A, GY-DRV-7; and a version, 2.8.1 or 3.0.0-rc1.
_ID = re.compile(
    r"(?<![A-Za-z\d/_.-])(?:[A-Z]{1,5}(?:-[A-Z]{2,4}(?=-))?(?:-?\d{2,}|-\d)(?:-[A-Z])?|[a-z]{2,4}-\d{3,}|\d{1,2}\.\d{1,2}\.\d{1,2}(?:-rc\d)?)"
    r"(?![A-Za-z\d_/]|-[A-Za-z\d]|\.\w)"
)
# Days that are counted from the moment of writing hold no value.
_RELATIVE = re.compile(
    r"今天|今日|今晚|今早|明天|明早|明晚|后天|昨天|昨晚|前天|前晚|大后天|当天|today|tonight|tomorrow|yesterday|tmr|tmrw",
    re.IGNORECASE,
)
# The number of an item in a list: "1. ", "2)", "(3)", "4️⃣", "⑤"; and a meeting of two, a 1:1.
_ITEM = re.compile(r"(?:^|[\n:;.])\s*\d[.、](?:\s|(?=[^\s\d]))|(?:^|[\s:;,.])(?:\d\)|\d️?⃣)|(?:^|[\n:;,.])\s*\(\d\)")
_NO_VALUE = re.compile(r"[①-⑳]|(?<!\d)1:1(?!\d)")
# What the reader of claims passes over: digits, as in 15g and 第 16 天, but not those of a name such as S2; 两遍 and
# 三色; one week.
_NUMERALS = re.compile(
    r"(?<![a-z\d_.,/#@:-])\d{1,7}(?:[.,]\d{1,7})*(?P<unit>[a-z]*)(?![\da-z_:/-])"
    r"|(?<![一二三四五六七八九十百千万几这那第周])(?:两(?=[\u4e00-\u9fff])(?![两边岸])|[三四五六七八九](?=[样句遍版班步种档行色升平段把顿盆]))"
    r"|\bone(?= (?:week|month|hour|minute)\b)"
)
_IN_FILE = re.compile(r"(?<=[a-z]{4})\d{2,4}(?=\.[a-z]{3,4}\b)")  # pairing_android15.log
# Words in small letters that are no days, and an ordinal that is no time of day.
_NO_DAY = re.compile(
    r"(?<=\bhe )sat\b|(?<=\b(?:we|it) )sat\b|(?<=\b(?:she|who|had|and|cat|dog) )sat\b|(?<=\b(?:they|just|have) )sat\b"
    r"|\bsat (?=down|in|at the|there|next|by)|(?<=\bthe )sun\b|(?<=\bin )sun\b|\bsun(?='s| is| was| came)"
    r"|\bsecond (?=verse|half|helping|hand|part|row|line|floor)"
)
_UNITS = frozenset((None, "", "g", "l", "ml", "mm", "cm", "m", "km", "w", "v", "h", "min", "s", "k"))


@dataclass(frozen=True)
class Literal:
    """A value that was typed.

    Attributes:
        kind: what it is.
        text: how it is written.
        fact: the key of a fact that has this name; empty for another kind.
    """

    kind: LiteralKind
    text: str
    fact: str = ""


class LiteralReader:
    """Reads the typed values of texts.

    The ledger says what its ids look like: other digits in the place of an id's are an id, too, even within a file's
    name. The words of its places, choices and texts, and those that a redraw can put in their place, are names.
    """

    def __init__(self, ledger: Ledger, now: datetime) -> None:
        """Take any moment of the world, which decides what a weekday is."""
        self._now, self._ids, self._names = now, id_pattern(ledger), NameSearch(ledger)

    def literals(self, text: str) -> Iterator[Literal]:
        """Yield the typed values of a text as it stands in a file, with its references."""
        text = BOUND.sub(_GAP, text)
        for found in _DATE.finditer(text):
            yield Literal("date", found[0])
        text = _NO_VALUE.sub(_GAP, _REFERENCE.sub(_GAP, _DATE.sub(_GAP, text)))
        for pattern in (self._ids, _ID):
            for found in pattern.finditer(text):
                yield Literal("id", found[0])
            text = pattern.sub(_GAP, text)
        for name, key in self._names.find(text):
            if name in text:  # it stands not only within a longer one
                yield Literal("name", name, key)
                text = text.replace(name, _GAP)
        yield from self._measured(fold(_NO_DAY.sub(_GAP, text)))

    def _measured(self, text: str) -> Iterator[Literal]:
        values = read(text, self._now)
        items = [found.span() for found in _ITEM.finditer(text)]
        for value in values:
            written = text[value.start : value.end]
            if value.kind == "date" and not _RELATIVE.search(written):
                yield Literal("date", written)
            elif value.kind in ("clock", "amount"):
                yield Literal("clock" if value.kind == "clock" else "amount", written)
            elif value.kind == "number" and not _stands_in(value.start, items):
                yield Literal("number", written)
        yield from _unread(text, values, items)


def _unread(text: str, values: list[Value], items: list[tuple[int, int]]) -> Iterator[Literal]:
    """Yield the numerals that the reader of claims takes for no value; an ordinal's is one."""
    read_already = [(value.start, value.end) for value in values if value.kind != "ordinal"]
    taken = [*items, *read_already, *(hole.span() for hole in HOLES.finditer(text))]
    for found in _NUMERALS.finditer(text):
        if found["unit"] in _UNITS and not _stands_in(found.start(), taken):
            yield Literal("number", found[0])
    for found in _IN_FILE.finditer(text):
        yield Literal("number", found[0])


def _stands_in(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)
