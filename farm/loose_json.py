"""JSON that orjson does not print or read as it stands: half surrogate pairs, and integers beyond 64 bits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import orjson

# Strings stand first, so that what looks like a number inside of one is left alone. A number is found as a whole: one
# that is not long enough would otherwise be tried again from each of its digits.
_NO_NUMBER = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN|-?([0-9]+)')
_DIGITS_MAX = 308  # of an integer that a double holds
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# A text with every digit as 0: a long run of them is found at once.
_ALIKE = bytes.maketrans(b"123456789", b"000000000")
_LONG, _LONG_BELOW_ZERO = b"0" * 20, b"-" + b"0" * 19


def may_be_long(text: bytes) -> bool:
    """Say whether JSON may hold an integer beyond 64 bits, which orjson reads as a double and does not print."""
    alike = text.translate(_ALIKE)
    return _LONG in alike or _LONG_BELOW_ZERO in alike


def parse_exact(text: bytes | str) -> Any:
    """Return what JSON says, its integers as they are written, however long.

    Raises:
        orjson.JSONDecodeError: it is none.
    """
    parsed = orjson.loads(text)
    try:
        return json.loads(text) if may_be_long(text if isinstance(text, bytes) else text.encode()) else parsed
    except (ValueError, RecursionError):
        return parsed  # more digits, or deeper, than the standard library takes


def print_exact(value: Any, *, is_indented: bool = False) -> bytes:
    """Return JSON as orjson prints it, with integers beyond 64 bits as they are.

    Half surrogate pairs become replacement characters, and numbers that no double holds become null.
    """
    try:
        return orjson.dumps(value, None, orjson.OPT_INDENT_2 if is_indented else 0)
    except orjson.JSONEncodeError:
        # Times and dataclasses, too, are orjson's to print.
        return print_loose(value, lambda each: orjson.loads(orjson.dumps(each)), is_indented=is_indented)


def print_loose(value: Any, default: Callable[[Any], Any] | None = None, *, is_indented: bool = False) -> bytes:
    """Return JSON that every parser reads.

    Numbers that no double holds become null, as orjson has them; half a surrogate pair, which UTF-8 cannot carry and
    most parsers refuse escaped, becomes the replacement character.
    """
    indent, separators = (2, (",", ": ")) if is_indented else (None, (",", ":"))
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, default=default)
    return LONE_SURROGATE.sub("\ufffd", _NO_NUMBER.sub(_null, text)).encode()


def _null(found: re.Match[str]) -> str:
    digits = found[1]
    is_kept = found[0].startswith('"') if digits is None else len(digits) <= _DIGITS_MAX
    return found[0] if is_kept else "null"
