"""Find values in a text, and write a value in the ways that people do.

This module deliberately shares no code for finding and writing values with ``scoring.claims``, which judges texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from farm.benchmark.scoring.claims import Claim

_DIGITS_ZH = "零一二三四五六七八九"
_SMALL_EN = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_PARTS_ZH = ((9, "早上"), (12, "上午"), (13, "中午"), (18, "下午"), (24, "晚上"))
_WEEK_ZH = "一二三四五六日"
_HAN = "\u3400-\u9fff"
_CJK = re.compile(f"[{_HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
# A number must not be part of a longer number, decimal, percentage or clock.
_NOT_BEFORE = r"(?<![\d.,:/-])(?<![A-Za-z])"
_NAME_GAP = re.compile(r"[ (（]{0,2}")
_UNIT_BEFORE = re.compile(r"(?:[¥$€]|S\$|\b(?:MYR|RMB|CNY|SGD|USD|EUR|RM|day) ?|第 ?)$")
_UNIT_AFTER = re.compile(
    r" ?(?:%|℃|°C|[天座台人个元赞条次件]|(?:mm|cm|km|kg|ml|units|boards|lamps|seats|likes|saves|yuan)\b)|万"
)
_NOT_AFTER = r"(?![\d:/]|[.,]\d|\s?%)"


@dataclass(frozen=True)
class TextPlace:
    """The place of a value in a text.

    Attributes:
        text: the text between ``start`` and ``end``.
    """

    start: int
    end: int
    text: str

    def replaced(self, text: str, other: str) -> str:
        """Return the text with this place replaced."""
        return text[: self.start] + other + text[self.end :]


def is_chinese(text: str) -> bool:
    """Whether a text is in Chinese rather than in English."""
    return len(_CJK.findall(text)) >= len(_LATIN_WORD.findall(text))


def find(claim: Claim, text: str) -> TextPlace | None:
    """Return the only place of a claimed value in a text; None if there is no place or several.

    Two adjacent names of one thing, as in ``小湾 Cove``, are one place.
    """
    places = {(spot.start, spot.end) for value in claim.values for spot in _spots(claim, value, text)}
    merged: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if merged and _NAME_GAP.fullmatch(text[merged[-1][1] : start]):
            first, last = merged.pop()
            start, end = first, max(last, end)
        merged.append((start, end))
    if len(merged) != 1:
        return None
    ((start, end),) = merged
    return TextPlace(start, end, text[start:end])


def with_unit(spot: TextPlace, text: str) -> TextPlace:
    """Return a number's place extended by its currency or unit, which a second number would also have."""
    if not spot.text[:1].isdigit():
        return spot
    before = _UNIT_BEFORE.search(text[: spot.start])
    after = _UNIT_AFTER.match(text, spot.end)
    start, end = before.start() if before else spot.start, after.end() if after else spot.end
    return TextPlace(start, end, text[start:end])


def _spots(claim: Claim, value: object, text: str) -> Iterator[TextPlace]:
    match claim.kind, value:
        case "date", date():
            pattern = _date_pattern(value)
        case "clock", str():
            pattern = _clock_pattern(value)
        case (("number" | "amount"), (float() | int())):
            pattern = _number_pattern(float(value), is_share="%" in claim.units)
        case (("choice" | "id"), str()):
            edge = r"(?<![A-Za-z0-9])" if value[:1].isascii() else ""
            pattern = edge + re.escape(value) + (r"(?![A-Za-z0-9])" if value[-1:].isascii() else "")
        case _:
            return
    for found in re.finditer(pattern, text, re.IGNORECASE):
        yield TextPlace(found.start(), found.end(), found[0])


def _date_pattern(day: date) -> str:
    month = f"(?:{day:%B}|{day:%b})"
    nth = f"0?{day.day}(?:st|nd|rd|th)?"
    week_en = f"(?:{day:%A}|{day:%a}),? "
    week_zh = f"周{_WEEK_ZH[day.weekday()]}"
    cores = (
        f"{day.year}-{day.month:02}-{day.day:02}",
        f"(?:{day.year}年)?0?{day.month}月0?{day.day}[日号]?(?: ?[(（]?{week_zh}[)）]?)?",
        f"(?:{week_en})?(?:the )?{nth}(?: of)? {month}(?: {day.year})?",
        f"(?:{week_en})?{month} {nth}(?:,? {day.year})?",
    )
    return r"(?<![\d/.-])(?:" + "|".join(cores) + r")(?!\d)"


def _clock_pattern(clock: str) -> str:
    hour, minute = map(int, clock.split(":"))
    twelve = hour % 12 or 12
    half = "p" if hour >= 12 else "a"
    part = "(?:(?:早上|上午|中午|下午|傍晚|晚上) ?)?"
    tail_zh = {0: "(?!\\d|半|[一二三四五六七八九十])", 30: "半"}.get(minute, f"{minute:02}分?")
    names = f"(?:{hour}|{twelve}|{chinese(hour)}|{chinese(twelve)})"
    forms = [
        rf"(?<![\d:.]){part}0?{hour}[:：]{minute:02}(?![\d:]| ?[ap]\.?m)",
        rf"(?<![\d一二三四五六七八九十]){part}{names}点{tail_zh}",
    ]
    forms.append(rf"(?<![\d:.])0?{twelve}:{minute:02} ?{half}\.?m\b\.?")
    if minute == 0:
        forms.append(rf"(?<![\d:.]){twelve} ?{half}\.?m\b")
    return "|".join(forms)


def _number_pattern(number: float, *, is_share: bool) -> str:
    forms = [re.escape(f"{number:g}")]
    if number == int(number):
        whole = int(number)
        forms = [re.escape(f"{whole:,}"), str(whole), f"{whole}.0"]
    after = r"(?= ?%)" if is_share else _NOT_AFTER
    return _NOT_BEFORE + "(?:" + "|".join(dict.fromkeys(forms)) + ")" + after


# -- ways to write -------------------------------------------------------------------------------------------------


def chinese(number: int) -> str:
    """Return a number from 0 to 99 in Chinese."""
    tens, ones = divmod(number, 10)
    if not tens:
        return _DIGITS_ZH[ones]
    return ("" if tens == 1 else _DIGITS_ZH[tens]) + "十" + (_DIGITS_ZH[ones] if ones else "")


def date_ways(day: date, *, zh: bool) -> Sequence[str]:
    """Return ways to write a day, each with its month."""
    if zh:
        return (
            f"{day.month}月{day.day}号",
            f"{day.year}-{day.month:02}-{day.day:02}",
            f"{day.year}年{day.month}月{day.day}日",
        )
    return (
        f"{day.day} {day:%B}",
        f"{day:%B} {day.day}",
        f"{day:%b} {day.day}{ordinal(day.day)}",
        f"{day.year}-{day.month:02}-{day.day:02}",
    )


def with_number(text: str) -> str:
    """Return a text without spaces between Chinese characters; digits need them, Chinese numerals do not."""
    return re.sub(rf"(?<=[{_HAN}]) (?=[{_HAN}])", "", text)


def readable(names: Sequence[str], *, zh: bool) -> str:
    """Return the name that people use, if possible in the language of the text."""
    plain = [name for name in names if name and not re.search(r"[@._\d]", name)] or list(names)
    return next((name for name in plain if bool(_CJK.search(name)) == zh), plain[0])


def ordinal(number: int) -> str:
    """Return ``st``, ``nd``, ``rd`` or ``th``."""
    return "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def clock_ways(clock: str, *, zh: bool) -> Sequence[str]:
    """Return ways to write a time of day."""
    hour, minute = map(int, clock.split(":"))
    twelve, half = hour % 12 or 12, "pm" if hour >= 12 else "am"
    if not 5 <= hour < 24:
        return (clock,)  # people differ on the day that an hour of the night belongs to
    if not zh:
        short = f"{twelve} {half}" if minute == 0 else f"{twelve}:{minute:02} {half}"
        return (clock, short, short.replace(" ", ""))
    part = next(name for until, name in _PARTS_ZH if hour < until)
    tail = {0: "点", 30: "点半"}.get(minute, f"点{minute:02}分")
    ways = [clock, f"{part}{twelve}{tail}"]
    if minute in (0, 30):
        name = "两" if twelve == 2 else chinese(twelve)
        ways.append(f"{part}{name}点{'半' if minute else ''}")
    return tuple(ways)


def number_ways(number: float, *, zh: bool) -> Sequence[str]:
    """Return ways to write a non-negative whole number; an empty sequence for other numbers."""
    if number != int(number) or number < 0:
        return ()
    whole = int(number)
    ways = [str(whole), f"{whole:,}"]
    if whole >= 10_000 and whole % 1000 == 0:
        ways.append(f"{whole / 10_000:g}万" if zh else f"{whole // 1000}k")
    if zh and 10 < whole < 100:
        ways.append(chinese(whole))
    if not zh and whole <= 12:
        ways.append(_SMALL_EN[whole])
    return tuple(dict.fromkeys(ways))


def relative_ways(day: date, today: date, *, zh: bool) -> Sequence[str]:
    """Return unambiguous relative names of a near day, such as ``tomorrow``; none for a past day."""
    monday = today - timedelta(days=today.weekday())
    away, week = (day - today).days, (day - monday).days // 7
    if away < 0:
        return []
    ways = []
    if away in (0, 1):
        ways.append(("今天", "明天")[away] if zh else ("today", "tomorrow")[away])
    if week == 0 and away:
        ways.append(f"这周{_WEEK_ZH[day.weekday()]}" if zh else f"this {day:%A}")
    if week == 1 and zh:
        ways.append(f"下周{_WEEK_ZH[day.weekday()]}")
    return ways
