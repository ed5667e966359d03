"""Find the first difference of two texts and quote what surrounds it."""

from __future__ import annotations

_BEFORE, _AFTER = 40, 120


def first_difference(left: str, right: str) -> int:
    """Return the position of the first character that differs in two texts, or the length of the shorter one."""
    pairs = zip(left, right, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(left), len(right)))


def around(text: str, at: int) -> str:
    """Return the text around a position on one line, with ``▸`` at the position."""
    start, end = max(0, at - _BEFORE), at + _AFTER
    before, after = ("…" if start else "") + text[start:at], text[at:end] + ("…" if end < len(text) else "")
    return (before + "▸" + after).replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t")
