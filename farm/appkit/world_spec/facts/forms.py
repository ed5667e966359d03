"""How a value is written: each kind's forms, by name (``{{fact:launch.at zh_week_clock}}``)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from farm.appkit.world_spec.facts.measures import DAY, HOUR, measure
from farm.appkit.world_spec.facts.model import Fact, Kind, Value
from farm.appkit.world_spec.placeholders import FORMATS

_SIGNS = {"CNY": "¥", "SGD": "S$", "MYR": "RM", "USD": "US$", "EUR": "€", "GBP": "£", "JPY": "¥"}
_WEEKDAYS_EN = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAYS_ZH = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")
_ZH_DIGITS = "零一二三四五六七八九"
_EN_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_EN_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WAN = 10_000
_GERMAN = str.maketrans(",.", ".,")

Form = Callable[[Value, str], Value]  # (value, unit) -> what is written


def write(fact: Fact, value: Value, forms: Mapping[str, str], form: str) -> Value:
    """Return a value of a fact in a form; a number if the form is ``number``.

    Args:
        fact: the fact.
        value: its present value, or that of a version.
        forms: the further forms of this value.
        form: the form's name; empty for the usual one.

    Raises:
        ValueError: the kind has no such form, or the value cannot be written in it.
    """
    if form in forms:
        return forms[form]
    have = _FORMS[fact.kind]
    if form in have:
        return have[form](value, fact.unit)
    names = [*forms, *(name or "(none)" for name in have)]
    near = ", ".join(difflib.get_close_matches(form, names, n=4, cutoff=0.4) or names)
    raise ValueError(f"'{fact.key}' ({fact.kind}) has no form '{form}'; nearest: {near}")


def forms_of(fact: Fact) -> Mapping[str, str]:
    """Return form → how the fact's present value is written in it, for texts; dates stay placeholders."""
    made: dict[str, str] = {}
    for form in (*fact.forms, *_FORMS[fact.kind]):
        try:
            value = write(fact, fact.value, fact.forms, form)
        except ValueError:  # the value is too fine or too small for this form
            continue
        if isinstance(value, str) and form not in TYPED:
            made[form] = value
    return made


# -- times -----------------------------------------------------------------------------------------------------------


def _day_of(value: Value) -> str:
    return str(value).partition(" ")[0]


def _clock_of(value: Value) -> str:
    return str(value).rpartition(" ")[2]


def _date(name: str) -> Form:
    return lambda value, unit: f"{{{{date:{_day_of(value)} {name}}}}}"


def _dated_clock(name: str) -> Form:
    return lambda value, unit: f"{{{{date:{_day_of(value)} {name}}}}} {_clock_of(value)}"


def _weekday(names: tuple[str, ...]) -> Form:
    """Return a weekday written out. A world is moved by whole weeks only, and its day 0 is a Monday."""
    return lambda value, unit: names[int(_day_of(value)) % 7]


def _point(name: str) -> Form:
    return lambda value, unit: f"{{{{{name}:{value}}}}}"


def _hour_and_minute(value: Value) -> tuple[int, int]:
    hour, _, minute = _clock_of(value).partition(":")
    return int(hour), int(minute)


def _part_of_day(hour: int) -> str:
    for until, name in ((6, "凌晨"), (9, "早上"), (12, "上午"), (13, "中午"), (18, "下午")):
        if hour < until:
            return name
    return "晚上"


def _clock_zh(value: Value, unit: str) -> str:
    """Return 下午两点半."""
    hour, minute = _hour_and_minute(value)
    return f"{_part_of_day(hour)}{_zh_count(hour if hour <= 12 else hour - 12)}点{_zh_minutes(minute)}"


def _hour_zh(value: Value, unit: str) -> str:
    """Return 两点半, without the part of the day."""
    hour, minute = _hour_and_minute(value)
    return f"{_zh_count(hour if hour <= 12 else hour - 12)}点{_zh_minutes(minute)}"


def _clock_zh_digits(value: Value, unit: str) -> str:
    """Return 下午2点, 下午2点半 or 下午2点20分."""
    hour, minute = _hour_and_minute(value)
    minutes = "" if minute == 0 else "半" if minute == 30 else f"{minute:02d}分"
    return f"{_part_of_day(hour)}{hour if hour <= 12 else hour - 12}点{minutes}"


def _hour_zh_short(value: Value, unit: str) -> str:
    """Return 十点五十八: minutes without their measure word."""
    return _hour_zh(value, unit).removesuffix("分")


def _hour_zh_digits(value: Value, unit: str) -> str:
    """Return 14点 or 14点30."""
    hour, minute = _hour_and_minute(value)
    return f"{hour}点" + (f"{minute:02d}" if minute else "")


def _zh_minutes(minute: int) -> str:
    return "" if minute == 0 else "半" if minute == 30 else f"{'零' if minute < 10 else ''}{_zh(minute)}分"


def _clock_en(value: Value, unit: str) -> str:
    """Return 2 pm or 2:30 pm."""
    hour, minute = _hour_and_minute(value)
    return f"{(hour - 1) % 12 + 1}{f':{minute:02d}' if minute else ''} {'am' if hour < 12 else 'pm'}"


def _clock_en_tight(value: Value, unit: str) -> str:
    """Return 2pm or 2:30pm."""
    return _clock_en(value, unit).replace(" ", "")


def _hour_en(value: Value, unit: str) -> str:
    """Return ten, half past ten or 10:20."""
    hour, minute = _hour_and_minute(value)
    word = _en((hour - 1) % 12 + 1)
    return word if not minute else f"half past {word}" if minute == 30 else _clock_of(value)


def _clock_short(value: Value, unit: str) -> str:
    """Return 9:30 instead of 09:30."""
    return _clock_of(value).removeprefix("0")


_CLOCKS: Mapping[str, Form] = {
    "clock": lambda value, unit: _clock_of(value),
    "clock_short": _clock_short,
    "clock_zh": _clock_zh,
    "clock_zh_digits": _clock_zh_digits,
    "hour_zh": _hour_zh,
    "hour_zh_short": _hour_zh_short,
    "hour_zh_digits": _hour_zh_digits,
    "clock_en": _clock_en,
    "clock_en_tight": _clock_en_tight,
    "hour_en": _hour_en,
    "hour": lambda value, unit: str(_hour_and_minute(value)[0]),
    "minute": lambda value, unit: _clock_of(value).partition(":")[2],
}
_DATES: Mapping[str, Form] = {
    **{name: _date(name) for name in FORMATS},
    "weekday_en_words": _weekday(_WEEKDAYS_EN),
    "weekday_zh_words": _weekday(_WEEKDAYS_ZH),
}


def _whole(value: Value, minutes: int, what: str) -> int:
    number = measure("span", value) / minutes
    if number.denominator != 1:
        raise ValueError(f"'{value}' is no whole number of {what}")
    return int(number)


def _span(minutes: int, what: str, write_number: Callable[[int], str]) -> Form:
    return lambda value, unit: write_number(_whole(value, minutes, what))


_SPANS: Mapping[str, Form] = {
    "minutes": _span(1, "minutes", str),
    "hours": _span(HOUR, "hours", str),
    "days": _span(DAY, "days", str),
    "minutes_en": _span(1, "minutes", lambda number: f"{number} minute{'' if number == 1 else 's'}"),
    "hours_en": _span(HOUR, "hours", lambda number: f"{number} hour{'' if number == 1 else 's'}"),
    "days_en": _span(DAY, "days", lambda number: f"{number} day{'' if number == 1 else 's'}"),
    "minutes_zh": _span(1, "minutes", lambda number: f"{number} 分钟"),
    "hours_zh": _span(HOUR, "hours", lambda number: f"{number} 小时"),
    "days_zh": _span(DAY, "days", lambda number: f"{number} 天"),
    "minutes_zh_words": _span(1, "minutes", lambda number: f"{_zh_count(number)}分钟"),
    "hours_zh_words": _span(HOUR, "hours", lambda number: f"{_zh_count(number)}个小时"),
    "hours_zh_tight": _span(HOUR, "hours", lambda number: f"{_zh_count(number)}小时"),
    "days_zh_words": _span(DAY, "days", lambda number: f"{_zh_count(number)}天"),
    "minutes_en_words": _span(1, "minutes", lambda number: f"{_en(number)} minutes"),
    "hours_en_words": _span(HOUR, "hours", lambda number: f"{_en(number)} hours"),
    "days_en_words": _span(DAY, "days", lambda number: f"{_en(number)} days"),
}

# -- numbers ---------------------------------------------------------------------------------------------------------


def _plain(value: Value, unit: str = "") -> str:
    return str(value) if isinstance(value, int) else f"{value:g}"


def _digits(value: Value, unit: str = "") -> str:
    return f"{value:,}" if isinstance(value, int) else _cents(value)


def _cents(value: Value) -> str:
    number = float(value)
    return f"{number:,.2f}" if round(number, 2) == number and number >= 100 else f"{number:,g}"


def _sign(value: Value, unit: str) -> str:
    if unit not in _SIGNS:
        raise ValueError(f"no sign for the unit '{unit}'; have {', '.join(_SIGNS)}")
    return _SIGNS[unit]


def _fixed(value: Value) -> str:
    return f"{float(value):,.2f}"


def _wan(value: Value, unit: str) -> str:
    return f"{_plain(_divided(value, _WAN))}"


def _divided(value: Value, by: int) -> Value:
    number = Fraction(str(value)) / by
    return int(number) if number.denominator == 1 else float(number)


def _zh_amount(value: Value, unit: str = "") -> str:
    return _zh(_integer(value))


def _integer(value: Value) -> int:
    if not isinstance(value, int):
        raise ValueError(f"{value} is not whole, so it is not written in words")
    return value


def _zh(number: int) -> str:
    """Return 三十二; 二百六十; 一万二千."""
    if number < 0 or number >= _WAN * _WAN:
        raise ValueError(f"{number} is not written in words")
    if number >= _WAN:
        high, low = divmod(number, _WAN)
        return f"{_zh(high)}万" + ("" if not low else ("零" if low < 1000 else "") + _zh(low))
    written, is_gap = "", False
    for power, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, power)
        if digit:
            written += ("零" if is_gap else "") + _ZH_DIGITS[digit] + name
            is_gap = False
        elif written and number:
            is_gap = True
    if written.startswith("一十"):
        written = written[1:]
    return written or _ZH_DIGITS[0]


def _zh_count(number: int) -> str:
    """Return the numeral before a measure word: 两, 十二."""
    return "两" if number == 2 else _zh(number)


def _zh_spoken(value: Value, unit: str = "") -> str:
    """Return 两千, 一万一, 十八万三: as it is said, with 两 and without the last unit."""
    written = re.sub(r"二(?=[百千万])", "两", _zh(_integer(value)))
    written = re.sub(r"(?<=十)两(?=万)", "二", written)
    return re.sub(r"(?<=万)([一两二三四五六七八九])千$|(?<=千)([一两二三四五六七八九])百$", _last_digit, written)


def _last_digit(found: re.Match[str]) -> str:
    return (found[1] or found[2]).replace("两", "二")


def _en(number: int) -> str:
    """Return eight, forty-two, five thousand, two thousand one hundred."""
    if number < 0 or number >= 1_000_000:
        raise ValueError(f"{number} is not written in words")
    if number < len(_EN_WORDS):
        return _EN_WORDS[number]
    if number < 100:
        ten, one = divmod(number, 10)
        return _EN_TENS[ten] + (f"-{_EN_WORDS[one]}" if one else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    high, low = divmod(number, size)
    return f"{_en(high)} {name}" + (f" {_en(low)}" if low else "")


_NUMBERS: Mapping[str, Form] = {
    "": _digits,
    "digits": _digits,
    "plain": _plain,
    "number": lambda value, unit: value,
    "decimal": lambda value, unit: float(value),
    "cents": lambda value, unit: _fixed(value),
    "cents_de": lambda value, unit: _fixed(value).translate(_GERMAN),
    "cents_plain": lambda value, unit: _fixed(value).replace(",", ""),
    "wan": lambda value, unit: f"{_wan(value, unit)} 万",
    "wan_tight": lambda value, unit: f"{_wan(value, unit)}万",
    "yi": lambda value, unit: f"{_plain(_divided(value, _WAN * _WAN))} 亿",
    "wan_bare": _wan,
    "k": lambda value, unit: f"{_plain(_divided(value, 1000))}k",
    "thousands": lambda value, unit: _plain(_divided(value, 1000)),
    "millions": lambda value, unit: _plain(_divided(value, 1_000_000)),
    "zh": _zh_amount,
    "zh_spoken": _zh_spoken,
    "zh_count": lambda value, unit: _zh_count(_integer(value)),
    "en": lambda value, unit: _en(_integer(value)),
    "en_capital": lambda value, unit: _en(_integer(value)).capitalize(),
}
_AMOUNTS: Mapping[str, Form] = {
    **_NUMBERS,
    "money": lambda value, unit: _sign(value, unit) + _digits(value),
    "money_plain": lambda value, unit: _sign(value, unit) + _plain(value),
    "money_cents": lambda value, unit: _sign(value, unit) + _fixed(value),
    "money_k": lambda value, unit: f"{_sign(value, unit)}{_plain(_divided(value, 1000))}k",
    "code": lambda value, unit: f"{unit} {_digits(value)}",
    "code_after": lambda value, unit: f"{_digits(value)} {unit}",
    "yuan": lambda value, unit: f"{_plain(value)} 元",
    "yuan_tight": lambda value, unit: f"{_plain(value)}元",
    "yuan_digits": lambda value, unit: f"{_digits(value)} 元",
    "kuai": lambda value, unit: f"{_plain(value)}块",
    "kuai_spaced": lambda value, unit: f"{_plain(value)} 块",
}
_TEXTS: Mapping[str, Form] = {"": lambda value, unit: value}

_FORMS: Mapping[Kind, Mapping[str, Form]] = {
    "moment": {
        "at": lambda value, unit: value,
        "offset": lambda value, unit: _day_of(value),
        "day_at": lambda value, unit: f"{_day_of(value)} 00:00",
        **_DATES,
        **_CLOCKS,
        **{f"{name}_clock": _dated_clock(name) for name in FORMATS},
        **{name: _point(name) for name in ("rfc3339", "ms", "s")},
    },
    "day": {"offset": lambda value, unit: value, "day_at": lambda value, unit: f"{value} 00:00", **_DATES},
    "clock": {"": lambda value, unit: value, **_CLOCKS},
    "span": {**_SPANS, "number": lambda value, unit: int(measure("span", value))},
    "amount": _AMOUNTS,
    "number": _NUMBERS,
    "percent": {
        **_NUMBERS,
        "": lambda value, unit: f"{_plain(value)} %",
        "percent": lambda value, unit: f"{_plain(value)} %",
        "percent_tight": lambda value, unit: f"{_plain(value)}%",
        "tenths": lambda value, unit: f"{float(value):.1f}",
        "percent_tenths": lambda value, unit: f"{float(value):.1f} %",
        "percent_tenths_tight": lambda value, unit: f"{float(value):.1f}%",
        "fraction": lambda value, unit: _plain(_divided(value, 100)),
    },
    "id": {
        **_TEXTS,
        "number_part": lambda value, unit: "".join(letter for letter in str(value) if letter.isdigit()),
        "lower": lambda value, unit: str(value).lower(),
        "tight": lambda value, unit: str(value).replace("-", ""),
        "tail": lambda value, unit: str(value).partition("-")[2],
    },
    "person": _TEXTS,
    "place": _TEXTS,
    "choice": _TEXTS,
    "text": _TEXTS,
}
# Forms that are read by programs: no mark is put round them.
TYPED = frozenset(("at", "offset", "day_at", "number", "decimal", "rfc3339", "ms", "s"))
