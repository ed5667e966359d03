"""What scalars of YAML mean in the core schema of 1.2: dates and times stay texts."""

from __future__ import annotations

import math
import re
from typing import Any

from farm.appkit.formats.javascript import js_number, js_number_text

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE, _FALSE = frozenset({"true", "True", "TRUE"}), frozenset({"false", "False", "FALSE"})
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL, _HEX = re.compile(r"0o[0-7]+"), re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?:\.[0-9]*)?[eE][-+]?[0-9]+|\.[0-9]+[eE][-+]?[0-9]+)")
_INFINITY, _NAN = re.compile(r"([-+]?)\.(?:inf|Inf|INF)"), re.compile(r"\.(?:nan|NaN|NAN)")
# Up to here a JavaScript number holds every integer.
_SAFE = 2**53
# Longer whole numbers are Infinity, or zeros in front of something shorter.
_DIGITS_MAX = 400


def tagged(scalar: str, tag: str) -> Any:
    """Return what a scalar with a tag means; a number or truth that it does not fit, and any unknown tag, is a text."""
    kind = tag.removeprefix("tag:yaml.org,2002:")
    fits = {
        "int": _INTEGER.fullmatch(scalar) or _OCTAL.fullmatch(scalar) or _HEX.fullmatch(scalar),
        "float": _FLOAT.fullmatch(scalar) or _INFINITY.fullmatch(scalar) or _NAN.fullmatch(scalar),
        "bool": scalar in _TRUE or scalar in _FALSE,
        "null": scalar in _NULLS,
    }
    return meaning(scalar) if fits.get(kind) else scalar


def meaning(scalar: str) -> Any:
    """Return what a plain scalar means in the core schema; most are texts."""
    if scalar in _NULLS:
        return None
    if scalar in _TRUE or scalar in _FALSE:
        return scalar in _TRUE
    if _INTEGER.fullmatch(scalar):
        return as_number(int(scalar) if len(scalar) <= _DIGITS_MAX else float(scalar))
    if _OCTAL.fullmatch(scalar):
        return as_number(int(scalar[2:], 8))
    if _HEX.fullmatch(scalar):
        return as_number(int(scalar[2:], 16))
    if _FLOAT.fullmatch(scalar):
        return as_number(float(scalar))
    if infinity := _INFINITY.fullmatch(scalar):
        return -math.inf if infinity[1] == "-" else math.inf
    return math.nan if _NAN.fullmatch(scalar) else scalar


def as_number(number: int | float) -> int | float:
    """Return a JavaScript number: whole ones without a dot, large integers as near as a float comes."""
    if isinstance(number, int):
        if abs(number) <= _SAFE:
            return number
        number = js_number(number)
    if not math.isfinite(number) or number != int(number) or abs(number) >= 1e21:
        return number
    return int(js_number_text(number))  # with zeros behind the digits that tell it from others
