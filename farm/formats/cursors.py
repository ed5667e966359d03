"""Cursors: where the next page begins, in a form that means nothing to whoever passes it on."""

from __future__ import annotations

import binascii
import json
from base64 import b64decode, b64encode
from typing import Any

_INTEGER_MIN, _INTEGER_MAX = -(2**63), 2**63 - 1


class BadCursor(ValueError):
    """A text is no cursor of this list; whoever asked words the vendor's refusal."""


def encode_cursor(kind: str, *keys: str | int | None) -> str:
    """Return the cursor that points behind a row with these keys, in a list of this kind."""
    return b64encode(json.dumps([kind, *keys], separators=(",", ":")).encode()).decode()


def decode_cursor(kind: str, cursor: str, *types: type | tuple[type, ...]) -> tuple[Any, ...]:
    """Return the keys a cursor points behind.

    Args:
        kind: which list it must be of.
        types: the type, or types, of each key: ``str``, ``int``, ``type(None)``.

    Raises:
        BadCursor: it is no cursor of this list, or somebody changed it.
    """
    try:
        text = cursor.encode("ascii")
        plain = b64decode(text, validate=True)
        read = json.loads(plain)
    except (binascii.Error, ValueError, RecursionError):
        raise BadCursor(cursor) from None
    if b64encode(plain) != text or not isinstance(read, list) or read[:1] != [kind] or len(read) != len(types) + 1:
        raise BadCursor(cursor)
    keys = tuple(read[1:])
    if not all(_fits(key, wanted) for key, wanted in zip(keys, types, strict=True)):
        raise BadCursor(cursor)
    return keys


def _fits(key: Any, wanted: type | tuple[type, ...]) -> bool:
    """Whether a key is of a type, true being no integer, and SQLite takes it: integers of 64 bits only."""
    is_wanted = isinstance(key, wanted) and not isinstance(key, bool)
    return is_wanted and (not isinstance(key, int) or _INTEGER_MIN <= key <= _INTEGER_MAX)
