"""The functions that formulas know, on texts, numbers, moments and lists of them.

Source: https://www.notion.com/help/formula-syntax
"""

from __future__ import annotations

import math
import re
import statistics
from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from . import formula_patterns
from .formula_values import DateRange, Day, Page, Person, first_moment, range_of, read_day_or_moment, text, with_time

TEXT_MAX, LIST_MAX = 10_000, 1_000
_LENGTHS_S = {"minutes": 60, "hours": 3_600, "days": 86_400, "weeks": 604_800}
_MONTHS = {"months": 1, "quarters": 3, "years": 12}
# What moment.js makes of a format's letters, as far as strftime has it.
_LETTERS = {
    "YYYY": "%Y", "Y": "%Y", "YY": "%y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "DD": "%d", "dddd": "%A", "ddd": "%a",
    "HH": "%H", "hh": "%I", "mm": "%M", "ss": "%S", "A": "%p",
}  # fmt: skip
_PADDED = {"M": "%m", "D": "%d", "H": "%H", "h": "%I", "m": "%M", "s": "%S"}
_FORMAT = re.compile(r"\[([^\]]*)\]|Y{1,4}|M{1,4}|D{1,2}|d{3,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|[Aa]|[A-Za-z]+")


class UnknownValueError(Exception):
    """Something in a formula that is not simulated, or that has no value."""


def checked(value: Any) -> Any:
    """Return what came of a step, or refuse what no property shows: complex numbers, durations, endless texts."""
    if isinstance(value, str) and len(value) > TEXT_MAX:
        raise UnknownValueError
    if value is not None and not isinstance(
        value, bool | int | float | str | datetime | list | DateRange | Person | Page
    ):
        raise UnknownValueError
    return value


def weight(value: Any) -> int:
    """Return how much a value holds, lists in lists too, or refuse what holds too many values.

    The same list may stand in another one many times, so what is looked through is bounded, not what was made.
    """
    left, held, total = [value], 0, 0
    while left:
        each = left.pop()
        if isinstance(each, str):
            total += len(each) // 16
        elif isinstance(each, list):
            held += len(each)
            if held > LIST_MAX:
                raise UnknownValueError
            left.extend(each)
    return total + held


def number(value: Any) -> float:
    """Return a number; nothing else is one."""
    if not isinstance(value, int | float):
        raise UnknownValueError
    return float(value)


def _words(value: Any) -> str:
    if not isinstance(value, str | list):
        raise UnknownValueError
    return text(value)


def _several(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise UnknownValueError
    return value


def _moment(value: Any) -> datetime:
    value = first_moment(value)
    if not isinstance(value, datetime):
        raise UnknownValueError
    return value


def _numbers(values: tuple[Any, ...]) -> list[float]:
    """Return all numbers of some arguments, each a number or a list of them."""
    return [number(each) for value in values for each in (value if isinstance(value, list) else [value])]


def _to_int(value: Any) -> int:
    return int(number(value))


def _round(value: float, digits: float = 0) -> float:
    power = 10.0 ** int(digits)
    return float(math.floor(value * power + 0.5) / power)


def power(base: Any, exponent: Any) -> Any:
    """Return a power that does not grow without end."""
    if abs(base) > 1e6 or abs(exponent) > 64:
        raise UnknownValueError
    return float(base) ** float(exponent)


def _between(later: datetime, earlier: datetime, unit: str) -> int:
    last, first = _moment(later), _moment(earlier)
    if unit in _MONTHS:
        start, end = sorted((first, last))
        months = (end.year - start.year) * 12 + end.month - start.month
        if _months_on(start, months) > end:
            months -= 1
        whole = months // _MONTHS[unit]
        return whole if last >= first else -whole
    if unit not in _LENGTHS_S:
        raise UnknownValueError
    return int((last - first).total_seconds() / _LENGTHS_S[unit])


def _months_on(moment: datetime, months: int) -> datetime:
    years, month = divmod(moment.month - 1 + months, 12)
    year = moment.year + years
    if not 1 < year < 9999:
        raise UnknownValueError
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))


def _later(moment: datetime, amount: float, unit: str, *, sign: int = 1) -> datetime:
    steps, start = sign * _to_int(amount), _moment(moment)
    if unit in _MONTHS:
        return _months_on(start, steps * _MONTHS[unit])
    if unit not in _LENGTHS_S:
        raise UnknownValueError
    if unit in ("minutes", "hours"):
        start = with_time(start)
    return start + timedelta(seconds=steps * _LENGTHS_S[unit])


def _date_start(value: Any) -> datetime:
    return _moment(value)


def _date_end(value: Any) -> datetime:
    return value.end if isinstance(value, DateRange) else _moment(value)


def _range(start: Any, end: Any) -> DateRange:
    return range_of(_moment(start), end if isinstance(end, DateRange) else _moment(end))


def _formatted(moment: datetime, form: str) -> str:
    def letters(found: re.Match[str]) -> str:
        if found[1] is not None:
            return found[1]
        name = found[0]
        if name == "a":
            return moment.strftime("%p").lower()
        if name in _PADDED:
            return str(int(moment.strftime(_PADDED[name])))
        if name not in _LETTERS:
            raise UnknownValueError
        return moment.strftime(_LETTERS[name])

    moment = _moment(moment)
    return _FORMAT.sub(letters, form)


def _parsed(written: str) -> datetime:
    found = read_day_or_moment(_words(written))
    if found is None:
        raise UnknownValueError
    return found


def _from_ms(ms: float) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=_to_int(ms))


def _page(value: Any) -> Page:
    if not isinstance(value, Page):
        raise UnknownValueError
    return value


def _person(value: Any) -> Person:
    if not isinstance(value, Person):
        raise UnknownValueError
    return value


def _styled(value: Any, *styles: Any) -> str:
    # The API shows a formula's text without its style.
    if not all(isinstance(each, str) for each in styles):
        raise UnknownValueError
    return text(value)


def _repeated(value: Any, times: float) -> str:
    words = _words(value)
    if len(words) * _to_int(times) > TEXT_MAX:
        raise UnknownValueError
    return words * _to_int(times)


def _padded(value: Any, length: float, filling: Any, *, is_before: bool) -> str:
    words, filler = text(value), _words(filling)
    missing = max(0, _to_int(length) - len(words))
    if missing > TEXT_MAX or not filler:
        raise UnknownValueError
    padding = (filler * (missing // len(filler) + 1))[:missing]
    return padding + words if is_before else words + padding


def _replaced(value: Any, pattern: Any, replacement: Any, *, is_first_only: bool = False) -> str:
    return formula_patterns.replaced(
        text(value), _words(pattern), text(replacement), is_first_only=is_first_only, size_max=TEXT_MAX
    )


def _split(value: Any, between: Any) -> list[str]:
    words, mark = _words(value), _words(between)
    return words.split(mark) if mark else list(words)


def _part(value: Any, start: float, end: float | None = None) -> str:
    words = _words(value)
    # JavaScript's: what is below 0 is 0, and the smaller of the two comes first.
    first, last = sorted(max(0, _to_int(each)) for each in (start, len(words) if end is None else end))
    return words[first:last]


def _at(values: list[Any], place: float) -> Any:
    return _several(values)[_to_int(place)] if -len(values) <= place < len(values) else None


def _joined(*values: Any) -> Any:
    if values and all(isinstance(each, list) for each in values):
        return [each for value in values for each in value]
    return "".join(map(text, values))


def _sorted(values: list[Any]) -> list[Any]:
    kinds = {type(each) for each in _several(values)}
    if not any(kinds <= each for each in ({int, float}, {str}, {datetime, Day})):
        raise UnknownValueError
    return sorted(values)


def _flat(values: list[Any]) -> list[Any]:
    return [each for value in _several(values) for each in (value if isinstance(value, list) else [value])]


def _unique(values: list[Any]) -> list[Any]:
    made: dict[tuple[bool, Any], Any] = {}
    for each in _several(values):
        # In Python, true is 1.
        made.setdefault((isinstance(each, bool), text(each) if isinstance(each, list) else each), each)
    return list(made.values())


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "[": lambda *values: list(values),
    "empty": lambda value=None: value in (None, "", 0, False, []),
    "length": len,
    "and": lambda *values: all(values),
    "equal": lambda left, right: left == right,
    "or": lambda *values: any(values),
    "unequal": lambda left, right: left != right,
    # Texts.
    "concat": _joined,
    "contains": lambda words, part: _words(part) in _words(words),
    "format": text,
    "join": lambda values, between: _words(between).join(map(text, _several(values))),
    "lower": lambda words: words.lower(),
    "link": lambda words, address: _styled(words, address),
    "match": lambda words, pattern: formula_patterns.all_matches(text(words), _words(pattern)),
    "padEnd": lambda words, length, filler: _padded(words, length, filler, is_before=False),
    "padStart": lambda words, length, filler: _padded(words, length, filler, is_before=True),
    "repeat": _repeated,
    "replace": lambda words, pattern, new: _replaced(words, pattern, new, is_first_only=True),
    "replaceAll": _replaced,
    "split": _split,
    "style": _styled,
    "substring": _part,
    "test": lambda words, pattern: formula_patterns.is_found(text(words), _words(pattern)),
    "toNumber": float,
    "unstyle": _styled,
    "trim": lambda words: _words(words).strip(),
    "upper": lambda words: words.upper(),
    # Numbers.
    "abs": abs,
    "add": lambda left, right: number(left) + number(right),
    "cbrt": math.cbrt,
    "ceil": lambda value: float(math.ceil(value)),
    "divide": lambda left, right: number(left) / number(right),
    "e": lambda: math.e,
    "exp": math.exp,
    "floor": lambda value: float(math.floor(value)),
    "ln": math.log,
    "log10": math.log10,
    "log2": math.log2,
    "max": lambda *values: max(_numbers(values)),
    "mean": lambda *values: statistics.fmean(_numbers(values)),
    "median": lambda *values: statistics.median(_numbers(values)),
    "min": lambda *values: min(_numbers(values)),
    "mod": lambda left, right: math.fmod(left, right),
    "multiply": lambda left, right: number(left) * number(right),
    "pi": lambda: math.pi,
    "pow": power,
    "round": _round,
    "sign": lambda value: math.copysign(1.0, value) if number(value) else 0.0,
    "sqrt": math.sqrt,
    "subtract": lambda left, right: number(left) - number(right),
    "sum": lambda *values: math.fsum(_numbers(values)),
    "unaryMinus": lambda value: -number(value),
    "unaryPlus": float,
    # Moments.
    "date": lambda moment: _moment(moment).day,
    "dateAdd": _later,
    "dateBetween": _between,
    "dateEnd": _date_end,
    "dateRange": _range,
    "dateStart": _date_start,
    "dateSubtract": lambda moment, amount, unit: _later(moment, amount, unit, sign=-1),
    "day": lambda moment: _moment(moment).isoweekday(),
    "formatDate": _formatted,
    "fromTimestamp": _from_ms,
    "hour": lambda moment: _moment(moment).hour,
    "minute": lambda moment: _moment(moment).minute,
    "month": lambda moment: _moment(moment).month,
    "parseDate": _parsed,
    "timestamp": lambda moment: _moment(moment).timestamp() * 1000,
    "week": lambda moment: _moment(moment).isocalendar().week,
    "year": lambda moment: _moment(moment).year,
    # People and pages.
    "email": lambda person: _person(person).email,
    "id": lambda page: _page(page).id.replace("-", ""),
    "name": lambda person: _person(person).name,
    # Lists.
    "at": _at,
    "first": lambda values: _at(values, 0),
    "flat": _flat,
    "includes": lambda values, wanted: wanted in _several(values),
    "last": lambda values: _at(values, -1),
    "reverse": lambda values: _several(values)[::-1],
    "slice": lambda values, start, end=None: _several(values)[_to_int(start) : None if end is None else _to_int(end)],
    "sort": _sorted,
    "unique": _unique,
}
