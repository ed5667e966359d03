"""Values that can be calculated with, as exact numbers: times and spans in minutes, amounts in their own unit."""

from __future__ import annotations

import re
from fractions import Fraction

from farm.appkit.world_spec.facts.model import Kind, Value

DAY, HOUR = 1440, 60
NUMBER_MAX = 10**12
TIMES: tuple[Kind, ...] = ("moment", "day", "clock", "span")
CLOCKS: tuple[Kind, ...] = ("clock", "span")  # times that belong to no day
_MOMENT = re.compile(r"([+-][0-9]{1,5}) ([0-9]{1,2}):([0-9]{2})")
_OFFSET = re.compile(r"[+-][0-9]{1,5}")
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})")
_SPAN = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,4})?) (min|h|days?)")
_SPAN_UNITS = {"min": 1, "h": HOUR, "day": DAY, "days": DAY}
EXAMPLES: dict[Kind, str] = {
    "moment": "'+17 10:00'",
    "day": "'+17'",
    "clock": "'14:00'",
    "span": "'90 min', '2 h' or '3 days'",
    "amount": "899",
    "number": "214",
    "percent": "6.3",
}


def measure(kind: Kind, value: Value) -> Fraction:
    """Return a value as a number.

    Raises:
        ValueError: the value is not of this kind.
    """
    if kind in ("amount", "number", "percent"):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{value!r} is no {kind}; write a number such as {EXAMPLES[kind]}")
        if not abs(value) < NUMBER_MAX:
            raise ValueError(f"{str(value)[:20]} is no {kind} that can be written; numbers are below {NUMBER_MAX:,}")
        return Fraction(str(value))
    if kind not in EXAMPLES:
        raise ValueError(f"a {kind} cannot be calculated or ordered; kinds that can: {', '.join(EXAMPLES)}")
    text = value if isinstance(value, str) else ""
    if kind == "moment" and (found := _MOMENT.fullmatch(text)):
        return Fraction(int(found[1]) * DAY + _minutes(found[2], found[3]))
    if kind == "day" and _OFFSET.fullmatch(text):
        return Fraction(int(text) * DAY)
    if kind == "clock" and (found := _CLOCK.fullmatch(text)):
        return Fraction(_minutes(found[1], found[2]))
    if kind == "span" and (found := _SPAN.fullmatch(text)):
        return Fraction(found[1]) * _SPAN_UNITS[found[2]]
    raise ValueError(f"{value!r} is no {kind}; write a text such as {EXAMPLES[kind]}")


def require_value(kind: Kind, value: object) -> None:
    """Refuse what is no value of a kind.

    Raises:
        ValueError: one line that says what a value is.
    """
    if kind in EXAMPLES and isinstance(value, str | int | float):
        measure(kind, value)
    elif kind in EXAMPLES:
        raise ValueError(f"{value!r} is no {kind}; write a value such as {EXAMPLES[kind]}")
    elif not isinstance(value, str) or not value or any(letter in value for letter in '"\\\n{}') or is_formula(value):
        raise ValueError(f"{value!r} is no {kind}; write a text without quotes, backslashes, braces and '=' before it")


def is_formula(value: object) -> bool:
    """Return whether a value is calculated from others."""
    return isinstance(value, str) and value.startswith("=")


def _minutes(hours: str, minutes: str) -> int:
    if int(hours) > 23 or int(minutes) > 59:
        raise ValueError(f"'{hours}:{minutes}' is no time of day; hours end at 23 and minutes at 59")
    return int(hours) * HOUR + int(minutes)


def unmeasure(kind: Kind, number: Fraction) -> Value:
    """Return the value of a number; the inverse of ``measure``.

    Raises:
        ValueError: the kind has no such value.
    """
    if kind in ("amount", "number", "percent"):
        if abs(number) >= NUMBER_MAX:
            raise ValueError(f"the {kind} is {NUMBER_MAX:,} or more; numbers are below that")
        return int(number) if number.denominator == 1 else round(float(number), 4)
    if number.denominator != 1:
        raise ValueError(f"{float(number):g} minutes are no {kind}")
    minutes = int(number)
    if kind == "moment":
        return f"{minutes // DAY:+d} {minutes % DAY // HOUR:02d}:{minutes % HOUR:02d}"
    if kind == "day":
        if minutes % DAY:
            raise ValueError(f"{minutes} minutes are no whole days")
        return f"{minutes // DAY:+d}"
    if kind == "clock":
        return f"{minutes % DAY // HOUR:02d}:{minutes % HOUR:02d}"
    return _span(minutes)


def _span(minutes: int) -> str:
    if minutes < 0:
        raise ValueError(f"a span of {minutes} minutes is negative")
    if minutes % DAY == 0 and minutes:
        return f"{minutes // DAY} days"
    return f"{minutes // HOUR} h" if minutes % HOUR == 0 and minutes else f"{minutes} min"
