"""JSON values as JavaScript and Go represent them, and helpers that every dialect needs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from farm.appkit.formats.numbers import to_float64

Accept = Callable[[Any], Any]
"""A raw value → the cleaned value, or REFUSED. Builds no texts: those are made only when something was refused."""

ABSENT: Final[Any] = type("Absent", (), {"__repr__": lambda _self: "ABSENT"})()
REFUSED: Final[Any] = type("Refused", (), {"__repr__": lambda _self: "REFUSED"})()

_PATTERN_PARTS = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\$|\(\?<(?=[A-Za-z_])", re.DOTALL)


def is_number(value: Any) -> bool:
    """Return whether a value is a JSON number; True and False are not."""
    kind = type(value)
    return kind is int or kind is float


def is_nan(value: Any) -> bool:
    """Return whether a value is NaN."""
    return type(value) is float and math.isnan(value)


def copy_value(value: Any) -> Any:
    """Copy any JSON value with its numbers as doubles; iterative, as a caller may nest values to any depth."""
    return _copied(value, to_float64)


def copy_json(value: Any) -> Any:
    """Copy any JSON value with its numbers unchanged; iterative, as above."""
    return _copied(value, None)


def _copied(value: Any, number: Callable[[int | float], int | float] | None) -> Any:
    top = [value]
    pending: list[Any] = [top]
    while pending:
        holder = pending.pop()
        for key, item in holder.items() if type(holder) is dict else enumerate(holder):
            kind = type(item)
            if kind is dict or kind is list:
                holder[key] = item.copy()
                pending.append(holder[key])
            elif number is not None and (kind is int or kind is float):
                holder[key] = number(item)
    return top[0]


def equal(left: Any, right: Any) -> bool:
    """Compare two JSON values: 1 equals 1.0, but True does not equal 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(item, right[key]) for key, item in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if is_number(left) and is_number(right):
        return to_float64(left) == to_float64(right)
    return type(left) is type(right) and bool(left == right)


def is_multiple(number: int | float, divisor: int | float) -> bool:
    """Return whether a number is a multiple of another in decimal notation: 0.3 is a multiple of 0.1."""
    value = to_float64(number)
    return bool(divisor) and math.isfinite(value) and Fraction(str(value)) % Fraction(str(divisor)) == 0


def default_maker(schema: Any) -> Callable[[], Any] | None:
    """Return a function that makes fresh copies of a schema's default; None if it has no default."""
    if not isinstance(schema, Mapping) or "default" not in schema:
        return None
    default = schema["default"]
    return lambda: copy_value(default)


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str) -> re.Pattern[str] | None:
    """Translate an ECMA-262 or RE2 pattern; None if Python has no equivalent, and then nothing is checked."""
    translated = _PATTERN_PARTS.sub(_translate, pattern)
    try:
        return re.compile(translated, re.ASCII)
    except (re.error, OverflowError):
        return None


def _translate(found: re.Match[str]) -> str:
    # "$" must not match before a final newline, as it does in Python; Python spells named groups (?P<name>…).
    return {"$": r"\Z", "(?<": "(?P<"}.get(found[0], found[0])


def resolve_pointer(root: Any, reference: str) -> Any:
    """Resolve a local ``$ref`` such as ``#/$defs/Point``; an unknown one gives the schema that allows anything."""
    target = root
    for step in _pointer_steps(reference):
        if isinstance(target, Mapping) and step in target:
            target = target[step]
        elif isinstance(target, list) and step.isdecimal() and int(step) < len(target):
            target = target[int(step)]
        else:
            return True
    return target


def _pointer_steps(reference: str) -> Iterator[str]:
    if not reference.startswith("#"):
        yield ""  # never a key: a reference to another document, which cannot be resolved here
    for step in reference.lstrip("#").split("/")[1:]:
        yield step.replace("~1", "/").replace("~0", "~")
