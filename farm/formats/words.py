"""Words as simple searches compare them."""

from __future__ import annotations


def singular(word: str) -> str:
    """Return an English word without its plural's s, so that one form finds the other: ``lamps``, and not ``glass``."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
