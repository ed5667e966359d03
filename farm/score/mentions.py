"""Finds numbers, dates, times of day and people in what somebody wrote, in English and Chinese, however it is put."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

_MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August"]
_MONTHS += ["September", "October", "November", "December"]
_SCALES = {"万": 10_000, "亿": 100_000_000, "k": 1_000, "m": 1_000_000, "mn": 1_000_000, "thousand": 1_000}
_SCALES |= {"million": 1_000_000}
# A unit may stand right after a number (``40cm``, ``58,000RMB``); other letters make it a name, such as 2602B.
_UNITS = "mm|cm|km|m|g|kg|ml|w|v|hz|khz|lm|lux|px|min|h|ms|rmb|cny|usd|sgd|myr|eur|yuan|pct|percent|units?|pcs"
_UNITS += "|likes|saves|comments|users|people"
_NUMBER = re.compile(
    r"(?<![\d.])(?<![A-Za-z]-)(?:(?<=[A-Z]{3})|(?<![A-Za-z]))"
    r"([-−]?\d+(?:,\d{3})*(?:\.\d+)?)\s?((?:万|亿|k|mn|m|thousand|million)(?![A-Za-z]))?"
    rf"(?!\d|(?!(?:{_UNITS})(?![A-Za-z\d]))[A-Za-z])",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"[*_`~]+")
_SPACE = re.compile(r"\s+")
_HOURS_ZH = ("一", "[两二]", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")


def plain(text: str) -> str:
    """Return a text for comparison: one width and case, emphasis marks gone, white space single."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", _MARKUP.sub("", folded)).strip()


def numbers(text: str) -> Iterator[float]:
    """Yield every number of a text, with and without the word that scales it (``1.08 million``, ``108万``)."""
    for found in _NUMBER.finditer(unicodedata.normalize("NFKC", text)):
        value = float(found[1].replace(",", "").replace("−", "-"))
        yield value
        if found[2]:
            yield value * _SCALES[found[2].lower()]


def has_number(text: str, wanted: float) -> bool:
    """Whether a number is in a text; a sign does not count, as in ``a fee of -6,000``."""
    return any(abs(abs(value) - abs(wanted)) <= 1e-9 * max(1.0, abs(wanted)) for value in numbers(text))


def has_date(text: str, wanted: date) -> bool:
    """Whether a day is in a text: 2026-03-26, 26 March, Mar 26th, 3月26日, 3/26, 26.3."""
    month, day = _MONTHS[wanted.month - 1], wanted.day
    names = f"(?:{month}|{month[:3]}|{month[:4]})"
    nth = f"0?{day}(?:st|nd|rd|th)?"
    forms = (
        rf"(?<!\d){wanted.year}[-/.年]0?{wanted.month}[-/.月]0?{day}(?!\d)",
        rf"(?<!\d){nth}(?: of)?[ -]{names}\b",
        rf"\b{names}\.?[ -](?:the )?{nth}(?!\d)",
        rf"(?<!\d)0?{wanted.month}月0?{day}(?!\d)",
        rf"(?<![\d/.-])0?{wanted.month}[/.-]0?{day}(?![\d/]|\.\d)",
        rf"(?<![\d/.-])0?{day}[/.]0?{wanted.month}(?![\d/]|\.\d)",
    )
    normal = unicodedata.normalize("NFKC", text)
    return any(re.search(form, normal, re.IGNORECASE) for form in forms)


def has_clock(text: str, wanted: str) -> bool:
    """Whether a time of day such as ``15:00`` is in a text: 15:00, 3 pm, 3:00pm, 15点, 下午3点."""
    hour, minute = (int(part) for part in wanted.split(":"))
    twelve = hour % 12 or 12
    half = "pm" if hour >= 12 else "am"
    dotted = f"{half[0]}\\.?m\\.?"
    forms = [rf"(?<!\d)0?{hour}[:.]{minute:02}(?!\d)", rf"(?<!\d)0?{twelve}[:.]{minute:02} ?{dotted}"]
    part = "(?:下午|晚上|傍晚|中午)" if hour >= 12 else "(?:上午|早上|凌晨|清晨)"
    tail = {0: "(?!\\d|半)", 30: "(?:半|30)"}.get(minute, f"{minute:02}")
    names = (str(twelve), _HOURS_ZH[twelve - 1])
    forms += [rf"{part} ?{name} ?[点时:]{tail}" for name in names]
    forms.append(rf"(?<!\d){hour} ?[点时]{tail}")
    if hour <= 12:
        forms.append(rf"(?<!\d){twelve} ?[点]{tail}")
    if minute == 0:
        forms.append(rf"(?<!\d){twelve} ?{dotted}")
    normal = unicodedata.normalize("NFKC", text)
    return any(re.search(form, normal, re.IGNORECASE) for form in forms)


def addresses(person: Mapping[str, Any]) -> list[str]:
    """Return a person's mail addresses: the one for everything, then those that only one app knows."""
    own = (account.get("address") for account in person.get("accounts", {}).values())
    return list(dict.fromkeys(filter(None, (person.get("email"), *own))))


def names_of(key: str, people: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return what only one person is called: both languages, either order, mail, and a given name nobody shares."""
    who = people[key]
    names = [key, str(who.get("name_zh") or ""), str(who.get("name_en") or ""), *addresses(who)]
    parts = str(who.get("name_en") or "").split()
    if len(parts) > 1:
        names.append(" ".join([parts[-1], *parts[:-1]]))
        given = parts[0]
        if not any(given in str(each.get("name_en") or "").split() for each in people.values() if each is not who):
            names.append(given)
    return list(dict.fromkeys(filter(None, names)))


def has_person(text: str, key: str, people: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether somebody is named in a text: in either language and order, by mail, or by a name only they have."""
    normal = plain(text)
    names = names_of(key, people)
    return any(re.search(rf"(?<![a-z0-9]){re.escape(plain(name))}(?![a-z0-9])", normal) for name in names)
