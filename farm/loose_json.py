"""JSON of values that orjson does not print: half surrogate pairs, and integers beyond 64 bits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

# Strings stand first, so that what looks like a number inside of one is left alone. No double has more digits.
_NO_NUMBER = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN|-?[0-9]{309,}')


def print_loose(value: Any, *, ensure_ascii: bool, default: Callable[[Any], Any] | None = None) -> str:
    """Return JSON that every parser reads: numbers that no double holds become null, as orjson has them."""
    text = json.dumps(value, ensure_ascii=ensure_ascii, separators=(",", ":"), default=default)
    return _NO_NUMBER.sub(_null, text)


def _null(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else "null"
