"""Reword the oracle's texts in ways that no careful reader could object to.

Each function takes a judged text and yields texts with the same meaning. Ambiguous texts are not yielded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from farm.benchmark.audit.attacks.attack_context import JudgedText
from farm.benchmark.audit.attacks.paraphrase_values import (
    TextPlace,
    clock_ways,
    date_ways,
    number_ways,
    ordinal,
    readable,
    relative_ways,
    with_number,
)
from farm.benchmark.audit.attacks.wrong_texts import Saying, TextAttacker
from farm.benchmark.scoring.claims import Claim


def numerals(judged: JudgedText) -> Iterator[Saying]:
    """Write a value in another notation: 3月26号, the 26th, 10 am, 上午十点, four, 32万."""
    for claim, spot in judged.spots:
        for way in _ways(claim, spot, judged):
            if way != spot.text and not _is_part_of_more(spot, judged.text):
                yield f"{way} for {spot.text}", with_number(spot.replaced(judged.text, way))


def relative(judged: JudgedText) -> Iterator[Saying]:
    """Name a near day relative to today: tomorrow, this Thursday, 下周四."""
    for claim, spot in judged.spots:
        day = claim.values[0]
        if isinstance(day, date) and not _is_beside_a_day_name(spot, judged.text):
            for way in relative_ways(day, judged.today, zh=judged.zh):
                yield f"{way} for {spot.text}", spot.replaced(judged.text, way)


def denies_wrong(judged: JudgedText) -> Iterator[Saying]:
    """State the right value, and deny a wrong one."""
    for claim, spot in judged.asserted:
        wrong = _wrong(claim, judged)
        # Nobody would write ``Marcus (not Chris) Lim``.
        if wrong and not judged.is_title and not re.match(r" [A-Z]", judged.text[spot.end :]):
            told = f"{spot.text}（不是{wrong}）" if judged.zh else f"{spot.text} (not {wrong})"
            yield f"not {wrong}", spot.replaced(judged.text, told)


def greeting(judged: JudgedText) -> Iterator[Saying]:
    """Greet first."""
    if not judged.is_title and not judged.before:
        yield "greets", (f"大家好！{judged.text}" if judged.zh else f"Hi there! {judged.text}")


def polite(judged: JudgedText) -> Iterator[Saying]:
    """Thank, and offer more help."""
    if not judged.is_title and not judged.before:
        end = "" if judged.text.rstrip()[-1:] in ".!?。！？」" else "。" if judged.zh else "."
        more = "谢谢，辛苦了！有问题随时找我。" if judged.zh else " Thanks a lot! Let me know if anything is unclear."
        yield "thanks", f"{judged.text}{end}{more}"


RIGHT_TEXTS: tuple[TextAttacker, ...] = (numerals, relative, denies_wrong, greeting, polite)


def _ways(claim: Claim, spot: TextPlace, judged: JudgedText) -> Iterator[str]:
    match claim.kind, claim.values[0]:
        case "date", date() as day:
            yield from date_ways(day, zh=judged.zh)
            # A day without a month means the next day of that number, so it is right only in the current month.
            if (day.year, day.month) == (judged.today.year, judged.today.month) and day >= judged.today:
                yield f"{day.day}号" if judged.zh else f"the {day.day}{ordinal(day.day)}"
        case "clock", str() as clock:
            yield from clock_ways(clock, zh=judged.zh)
        case "number", float() as number if "%" not in claim.units:
            yield from number_ways(number, zh=judged.zh)


def _is_part_of_more(spot: TextPlace, text: str) -> bool:
    """Whether a value is part of a span, a version or a fraction, so that rewriting it alone would be odd."""
    before, after = text[: spot.start].rstrip()[-1:], text[spot.end :].lstrip()[:1]
    return before in ("–", "-", "—", "~", "到", "至", "/", "#", "(") or after in (
        "–",
        "-",
        "—",
        "~",
        "到",
        "至",
        "/",
        ")",
    )


def _is_beside_a_day_name(spot: TextPlace, text: str) -> bool:
    """Whether the same place names the day in another way, too, as in ``tomorrow Tue 10 Mar``."""
    around = text[max(0, spot.start - 12) : spot.start].casefold() + text[spot.end : spot.end + 4].casefold()
    return any(word in around for word in ("today", "tomorrow", "day", "今", "明", "周", "后天"))


def _wrong(claim: Claim, judged: JudgedText) -> str | None:
    """Return a wrong value that a text may deny; None if there is no such value or the task bans naming it."""
    zh = judged.zh
    match claim.kind, claim.values[0]:
        case "date", date() as day:
            wrong = date_ways(day - timedelta(days=7), zh=zh)[0]
        case "clock", str() as clock:
            wrong = f"{(int(clock[:2]) + 1) % 24:02}{clock[2:]}"
        case "choice", _:
            own = [str(value).casefold() for value in claim.values]
            others = (readable(group, zh=zh) for group in claim.rivals if group)
            # A rival whose name contains the right name cannot be denied beside it.
            wrong = next((each for each in others if not any(name in each.casefold() for name in own)), "")
        case _:
            return None
    banned = any(
        word.casefold() in wrong.casefold() or wrong.casefold() in word.casefold() for word in judged.wanted.bans
    )
    return None if banned or not wrong else wrong
