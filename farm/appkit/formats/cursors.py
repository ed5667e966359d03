"""Cursors: opaque texts that mark where the next page begins."""

from __future__ import annotations

import binascii
import json
from base64 import b64decode, b64encode
from typing import Any

_INTEGER_MIN, _INTEGER_MAX = -(2**63), 2**63 - 1


class InvalidCursorError(ValueError):
    """A text is not a cursor of this list; the caller words the vendor's refusal."""


def encode_cursor(kind: str, *keys: str | int | None) -> str:
    """Return the cursor that points after a row with these keys, in a list of this kind."""
    return b64encode(json.dumps([kind, *keys], separators=(",", ":")).encode()).decode()


def decode_cursor(kind: str, cursor: str, *types: type | tuple[type, ...]) -> tuple[Any, ...]:
    """Return the keys of the row that a cursor points after.

    Args:
        kind: the expected kind of list.
        cursor: the cursor.
        types: the type, or types, of each key: ``str``, ``int``, ``type(None)``.

    Raises:
        InvalidCursorError: the text is not a cursor of this list, or was changed.
    """
    try:
        text = cursor.encode("ascii")
        plain = b64decode(text, validate=True)
        read = json.loads(plain)
    except (binascii.Error, ValueError, RecursionError):
        raise InvalidCursorError(cursor) from None
    if b64encode(plain) != text or not isinstance(read, list) or read[:1] != [kind] or len(read) != len(types) + 1:
        raise InvalidCursorError(cursor)
    keys = tuple(read[1:])
    if not all(_fits(key, wanted) for key, wanted in zip(keys, types, strict=True)):
        raise InvalidCursorError(cursor)
    return keys


def _fits(key: Any, wanted: type | tuple[type, ...]) -> bool:
    """Return whether a key has a type (a boolean is not an integer) and SQLite can store it: 64-bit integers only."""
    is_wanted = isinstance(key, wanted) and not isinstance(key, bool)
    return is_wanted and (not isinstance(key, int) or _INTEGER_MIN <= key <= _INTEGER_MAX)
