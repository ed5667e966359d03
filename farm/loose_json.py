"""JSON of values that orjson does not print: half surrogate pairs, and integers beyond 64 bits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

# Strings stand first, so that what looks like a number inside of one is left alone. No double has more digits.
_NO_NUMBER = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN|-?[0-9]{309,}')
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def print_loose(value: Any, default: Callable[[Any], Any] | None = None) -> bytes:
    """Return JSON that every parser reads.

    Numbers that no double holds become null, as orjson has them; half a surrogate pair, which UTF-8 cannot carry and
    most parsers refuse escaped, becomes the replacement character.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=default)
    return LONE_SURROGATE.sub("\ufffd", _NO_NUMBER.sub(_null, text)).encode()


def _null(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else "null"
