"""Values in a text of a specification that no reference made: days, times of day, amounts, numbers and ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal as Choice

from farm.benchmark.scoring.claims.values import fold, read

LiteralKind = Choice["date", "clock", "amount", "number", "id"]
KINDS: tuple[LiteralKind, ...] = ("date", "clock", "amount", "number", "id")
BOUND = re.compile(r"\{\{(?:fact|noise):(?:[^{}]|\{\{[^{}]*\}\})*\}\}")
_DATE = re.compile(r"\{\{(?:date|ms|s|rfc3339):[^{}]*\}\}")
_REFERENCE = re.compile(r"\{\{\w+:[^{}]*\}\}")
# EMB-412, emb-412, HL-MKT-02, GY-2603-A, GY-DRV-7; and a version, 2.8.1 or 3.0.0-rc1.
_ID = re.compile(
    r"(?<![A-Za-z\d/_.-])(?:[A-Z]{1,5}(?:-[A-Z]{2,4}(?=-))?(?:-?\d{2,}|-\d)(?:-[A-Z])?|[a-z]{2,4}-\d{3,}|\d{1,2}\.\d{1,2}\.\d{1,2}(?:-rc\d)?)"
    r"(?![A-Za-z\d_/-]|\.\w)"
)
# Days that are counted from the moment of writing hold no value.
_RELATIVE = re.compile(
    r"今天|今日|今晚|今早|明天|明早|明晚|后天|昨天|昨晚|前天|前晚|大后天|当天|today|tonight|tomorrow|yesterday|tmr|tmrw",
    re.IGNORECASE,
)
_COUNT_MIN = 10  # smaller whole numbers are words


@dataclass(frozen=True)
class Literal:
    """A value that was typed.

    Attributes:
        kind: what it is.
        text: how it is written.
    """

    kind: LiteralKind
    text: str


def literals(text: str, now: datetime) -> Iterator[Literal]:
    """Yield the typed values of a text with references.

    Args:
        text: as it stands in the file.
        now: any moment of the world, which decides what a weekday is.
    """
    text = BOUND.sub("某某", text)
    for found in _DATE.finditer(text):
        yield Literal("date", found[0])
    text = _REFERENCE.sub("某某", _DATE.sub("某某", text))
    for found in _ID.finditer(text):
        yield Literal("id", found[0])
    text = fold(_ID.sub("某某", text))
    for value in read(text, now):
        written = text[value.start : value.end]
        if value.kind == "date" and not _RELATIVE.search(written):
            yield Literal("date", written)
        elif value.kind in ("clock", "amount"):
            yield Literal("clock" if value.kind == "clock" else "amount", written)
        elif value.kind == "number" and (value.unit or value.number >= _COUNT_MIN or value.number % 1):
            yield Literal("number", written)
