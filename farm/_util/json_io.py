"""Parse and serialize JSON that orjson cannot handle: lone surrogates, and integers beyond 64 bits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import orjson

# Strings come first in the pattern, so that digits inside a string are skipped. Each number is matched as a whole:
# otherwise a number that is too short would be tried again from each of its digits.
_NO_NUMBER = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN|-?([0-9]+)')
_DIGITS_MAX = 308  # the most digits of an integer that fits a double
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# Maps every digit to 0, so that one search finds a long run of digits.
_ALIKE = bytes.maketrans(b"123456789", b"000000000")
_LONG, _LONG_BELOW_ZERO = b"0" * 20, b"-" + b"0" * 19


def may_be_long(text: bytes) -> bool:
    """Return whether JSON may hold an integer beyond 64 bits: orjson parses it as a double and cannot serialize it."""
    alike = text.translate(_ALIKE)
    return _LONG in alike or _LONG_BELOW_ZERO in alike


def loads(text: bytes | str) -> Any:
    """Parse JSON and keep integers exact, however long.

    Raises:
        orjson.JSONDecodeError: the text is not JSON.
    """
    parsed = orjson.loads(text)
    try:
        return json.loads(text) if may_be_long(text if isinstance(text, bytes) else text.encode()) else parsed
    except (ValueError, RecursionError):
        return parsed  # more digits or levels than the standard library accepts


def dumps(value: Any, *, is_indented: bool = False) -> bytes:
    """Serialize to JSON as orjson does, and keep integers beyond 64 bits.

    Lone surrogates become replacement characters, and numbers that do not fit a double become null.
    """
    try:
        return orjson.dumps(value, None, orjson.OPT_INDENT_2 if is_indented else 0)
    except orjson.JSONEncodeError:
        # orjson also serializes times and dataclasses.
        return dumps_lossy(value, lambda each: orjson.loads(orjson.dumps(each)), is_indented=is_indented)


def dumps_lossy(value: Any, default: Callable[[Any], Any] | None = None, *, is_indented: bool = False) -> bytes:
    """Serialize to JSON that every parser accepts.

    Numbers that do not fit a double become null, as in orjson. A lone surrogate becomes the replacement character:
    UTF-8 cannot encode it, and most parsers reject it escaped.
    """
    indent, separators = (2, (",", ": ")) if is_indented else (None, (",", ":"))
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, default=default)
    return LONE_SURROGATE.sub("\ufffd", _NO_NUMBER.sub(_null, text)).encode()


def _null(found: re.Match[str]) -> str:
    digits = found[1]
    is_kept = found[0].startswith('"') if digits is None else len(digits) <= _DIGITS_MAX
    return found[0] if is_kept else "null"
