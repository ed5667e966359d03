"""Values as JavaScript converts them: ``String(x)``, ``Number(x)``, the length of a text.

JSON has no ``undefined``; ``UNDEFINED`` represents a missing member.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final


class _Undefined:
    def __repr__(self) -> str:
        return "undefined"

    def __bool__(self) -> bool:
        return False


UNDEFINED: Final = _Undefined()
"""A member that an object does not have: ``arguments.get("name", UNDEFINED)``."""

OBJECT_MEMBERS: Final = frozenset(
    (
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
        "__proto__",
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    )
)
"""What every object has by inheritance, so that looking one of these up finds something."""

# White space and line ends as JavaScript trims them.
_WHITE = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
_DECIMAL = re.compile(r"[+-]?(?:Infinity|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)", re.ASCII)
_LEADING_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_INTEGER = re.compile(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+", re.ASCII)


def js_string(value: Any) -> str:
    """Return what ``String(value)`` gives: ``undefined``, ``null``, ``1,2``, ``[object Object]``."""
    match value:
        case str():
            return value
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return js_number_text(value)
        case list() | tuple():
            return ",".join(_texts(value))
        case Mapping():
            return "[object Object]"
        case _:
            return str(value)


def _texts(values: Sequence[Any]) -> Iterator[str]:
    """Yield the texts of a list and of all lists nested in it; joining them gives the same text."""
    left = [*reversed(values)]
    while left:
        match left.pop():
            case list() | tuple() as inner if inner:
                left.extend(reversed(inner))
            case None | _Undefined() | list() | tuple():
                yield ""
            case value:
                yield js_string(value)


def js_number_text(number: int | float) -> str:
    """Return a number's shortest text: no ``.0``, an exponent from 1e21 on and below 1e-6."""
    value = _float(number)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    # repr gives the shortest digits for this number; only the position of the dot differs.
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction.rstrip("0" if fraction != "" else "")).lstrip("0")
    point = len(whole) + int(exponent or 0) if whole != "0" else -(len(fraction) - len(fraction.lstrip("0")))
    digits = digits.rstrip("0")
    return sign + _placed(digits, point)


def _float(number: int | float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _placed(digits: str, point: int) -> str:
    """Place the dot after ``point`` digits, as ECMAScript's Number::toString does."""
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    exponent = point - 1
    mantissa = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
    return f"{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"


def js_number(value: Any) -> float:
    """Return what ``Number(value)`` gives; NaN if it is not a number."""
    match value:
        case bool() | None:
            return 1.0 if value else 0.0
        case int() | float():
            return _float(value)
        case str():
            return _number_of_text(value.strip(_WHITE))
        case list() | tuple():
            return _number_of_text(js_string(value).strip(_WHITE))
        case _:
            return math.nan


def _number_of_text(text: str) -> float:
    if not text:
        return 0.0
    if _INTEGER.fullmatch(text):
        return _float(int(text, 0))
    return float(text.replace("Infinity", "inf")) if _DECIMAL.fullmatch(text) else math.nan


def js_parse_int(text: str) -> int | None:
    """Return what ``parseInt(text, 10)`` gives: the whole number a text begins with, None for NaN."""
    found = _LEADING_INTEGER.match(text.lstrip(_WHITE))
    # Longer numbers are Infinity in JavaScript; Python refuses to parse them.
    return int(found[0][:310]) if found else None


def js_is_true(value: Any) -> bool:
    """Return what ``Boolean(value)`` gives: true for empty lists and objects, false for zero and an empty text."""
    if isinstance(value, list | tuple | Mapping):
        return True
    return bool(value) and value == value


def js_length(text: str) -> int:
    """Return a text's ``length``: its UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)


def js_well_formed(text: str) -> str:
    """Return what ``text.toWellFormed()`` gives: a lone surrogate becomes U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def js_slice(text: str, end: int) -> str:
    """Return what ``text.slice(0, end)`` gives for a length in UTF-16 units; a lone surrogate becomes U+FFFD."""
    if end >= js_length(text):
        return text
    return text.encode("utf-16-le", "surrogatepass")[: 2 * end].decode("utf-16-le", "replace")
