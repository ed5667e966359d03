"""Cursors: where the next page begins, in a form that means nothing to whoever passes it on."""

from __future__ import annotations

import binascii
import json
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from typing import Any

_INTEGER_MIN, _INTEGER_MAX = -(2**63), 2**63 - 1


class BadCursor(ValueError):
    """A text is no cursor of this list; whoever asked words the vendor's refusal."""


def encode_cursor(kind: str, *keys: str | int) -> str:
    """Return the cursor that points behind a row with these keys, in a list of this kind."""
    return urlsafe_b64encode(json.dumps([kind, *keys], separators=(",", ":")).encode()).decode()


def decode_cursor(kind: str, cursor: str, *types: type) -> tuple[Any, ...]:
    """Return the keys a cursor points behind.

    Args:
        kind: which list it must be of.
        types: the type of each key: ``str`` or ``int``.

    Raises:
        BadCursor: it is no cursor of this list, or somebody changed it.
    """
    try:
        text = cursor.encode("ascii")
        read = json.loads(urlsafe_b64decode(text))
        if not isinstance(read, list) or urlsafe_b64encode(b64decode(text, b"-_", validate=True)) != text:
            raise BadCursor(cursor)
    except (binascii.Error, UnicodeError, ValueError, RecursionError):
        raise BadCursor(cursor) from None
    keys = tuple(read[1:])
    if read[:1] != [kind] or len(keys) != len(types):
        raise BadCursor(cursor)
    if not all(type(key) is wanted and _fits(key) for key, wanted in zip(keys, types, strict=True)):
        raise BadCursor(cursor)
    return keys


def _fits(key: Any) -> bool:
    """SQLite takes integers of 64 bits only."""
    return not isinstance(key, int) or _INTEGER_MIN <= key <= _INTEGER_MAX
