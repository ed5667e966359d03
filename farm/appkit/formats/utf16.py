"""Texts by UTF-16 code units, as JavaScript counts them: a character beyond the 16th bit is two."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")


def to_units(text: str) -> str:
    """Return a text whose characters are code units."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    return "".join(each if each <= "\uffff" else _halves(ord(each)) for each in text)


def _halves(code: int) -> str:
    return chr(0xD7C0 + (code >> 10)) + chr(0xDC00 + (code & 0x3FF))


def from_units(units: str) -> str:
    """Return the text of code units; halves that belong together are one character, the others stay halves."""
    if units.isascii() or not _HALF.search(units):
        return units
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
