"""Parse foreign JSON, but only if its depth and number of values stay within the caller's limits.

A list within a list takes two bytes of text and a hundred bytes of memory, and a thousand nested lists break code that
walks them recursively. This module needs only the standard library.
"""

from __future__ import annotations

import json
from typing import Any

DEPTH_MAX = 190  # every parser used here accepts this depth
_BLOCK_BYTES = 64 * 1024


class OversizedError(Exception):
    """A text exceeds a limit; the message ends a sentence, as in ``is nested over 190 deep``."""


def parse_bounded(text: bytes, *, values_max: int, depth_max: int = DEPTH_MAX) -> Any:
    """Return the value of a JSON text.

    Args:
        text: the JSON.
        values_max: the largest number of commas and opening brackets outside strings.
        depth_max: the largest depth of nested lists and objects.

    Raises:
        OversizedError: the text exceeds a limit.
        ValueError: the text is not JSON.
    """
    if has_many_values(text, values_max):
        raise OversizedError(f"has over {values_max:,} values")
    try:
        value = json.loads(text)
    except RecursionError:
        raise OversizedError(f"is nested over {depth_max} deep") from None
    if is_deeper(value, depth_max):
        raise OversizedError(f"is nested over {depth_max} deep")
    return value


def is_deeper(value: Any, depth_max: int = DEPTH_MAX) -> bool:
    """Return whether lists and objects are nested deeper than this."""
    level = [value] if type(value) is dict or type(value) is list else []
    for _ in range(depth_max):
        if not level:
            return False
        level = [
            child
            for each in level
            for child in (each.values() if type(each) is dict else each)
            if type(child) is dict or type(child) is list
        ]
    return bool(level)


def has_many_values(body: bytes, most: int) -> bool:
    """Return whether a JSON text has more commas and opening brackets outside strings, without parsing it."""
    if _count_values(body) <= most:
        return False
    # Outside strings, a backslash is not valid JSON; inside, they come in the pairs that are removed first.
    plain = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    number, in_string = 0, False
    for at in range(0, len(plain), _BLOCK_BYTES):
        parts = plain[at : at + _BLOCK_BYTES].split(b'"')
        number += _count_values(b"".join(parts[in_string::2]))
        if number > most:
            return True
        in_string ^= len(parts) % 2 == 0
    # The standard library would also parse UTF-16, whose quotes have other bytes; UTF-8 text has no null bytes.
    return b"\0" in body


def _count_values(text: bytes) -> int:
    return text.count(b",") + text.count(b"[") + text.count(b"{")
