"""Values as Go prints them: ``%v``, ``%q`` and the JSON decoder's excerpts."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from farm.appkit.formats.numbers import to_float64

_EXCERPT_MAX = 32
_HALF = re.compile("[\ud800-\udfff]")
_ESCAPES = {"\a": r"\a", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v"}


def go_value(value: Any, *, nested: bool = False) -> str:
    """Print a decoded JSON value as ``%v`` does: ``map[a:1 b:[x y]]``, keys sorted; a bare null has its own name."""
    if value is None:
        return "<nil>" if nested else "<invalid reflect.Value>"
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is dict:
        pairs = (f"{key}:{go_value(item, nested=True)}" for key, item in sorted(value.items()))
        return f"map[{' '.join(pairs)}]"
    if type(value) is list:
        return f"[{' '.join(go_value(item, nested=True) for item in value)}]"
    return value if type(value) is str else go_float(value)


def go_float(number: int | float) -> str:
    """Print a float64 as ``%v`` does: shortest digits, an exponent below 1e-4 and from 1e6 on."""
    value = float(to_float64(number)) if type(number) is int else number
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    if math.isnan(value):
        return "NaN"
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        return repr(value).removesuffix(".0")
    shortest = Decimal(repr(value)).normalize()
    first, *others = map(str, shortest.as_tuple().digits)
    return f"{'-' * (value < 0)}{first}{'.' * bool(others)}{''.join(others)}e{shortest.adjusted():+03}"


def go_quote(text: str | bytes) -> str:
    """Quote as ``%q`` does: printable characters stay, whatever their script; broken bytes become ``\\x..``."""
    # A lone surrogate cannot reach Go: its decoder replaces it with U+FFFD.
    text = text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else _HALF.sub("\ufffd", text)
    return '"' + "".join(map(_quoted, text)) + '"'


def _quoted(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char in _ESCAPES:
        return _ESCAPES[char]
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if char.isprintable():
        return char
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def go_quotes(texts: list[str]) -> str:
    """Quote a list of strings as ``%q`` does: in brackets, with spaces between."""
    return f"[{' '.join(map(go_quote, texts))}]"


def go_rational(number: int | float) -> str:
    """Print a number as ``big.Rat`` does: always a fraction, ``5/1``."""
    value = to_float64(number)
    if not math.isfinite(value):
        return str(value)
    fraction = Fraction(value)
    return f"{fraction.numerator}/{fraction.denominator}"


def excerpt(value: Any) -> str:
    """Quote the beginning of a value's JSON, as the decoder does for a value that it cannot store."""
    source = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return go_quote(_truncate(source))


def beginning(source: str) -> str:
    """Return the beginning of JSON text, as the decoder shows it unquoted; a partial character becomes unreadable."""
    return _truncate(source.encode("utf-8", "replace")).decode("utf-8", "replace")


def _truncate(source: bytes) -> bytes:
    return source if len(source) < _EXCERPT_MAX else source[:_EXCERPT_MAX] + b"..."
