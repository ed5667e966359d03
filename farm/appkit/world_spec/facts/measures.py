"""Values that can be calculated with, as exact numbers: times and spans in minutes, amounts in their own unit."""

from __future__ import annotations

import re
from fractions import Fraction

from farm.appkit.world_spec.facts.model import Kind, Value

DAY, HOUR = 1440, 60
_MOMENT = re.compile(r"([+-]\d{1,5}) (\d{1,2}):(\d\d)")
_OFFSET = re.compile(r"[+-]\d{1,5}")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)")
_SPAN = re.compile(r"(\d+(?:\.\d+)?) (min|h|days?)")
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
        return Fraction(str(value))
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
