"""Strips the plural of English words for simple searches."""

from __future__ import annotations


def strip_plural(word: str) -> str:
    """Strip the plural s of an English word, so that either form finds the other: ``lamps``, but not ``glass``."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
