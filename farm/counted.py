"""Counts in sentences: ``1 episode``, ``2 episodes``."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, which is given for one and takes an ``s`` for any other number."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
