"""Counts in sentences: ``1 episode``, ``2 episodes``."""

from __future__ import annotations


def pluralize(count: int, noun: str) -> str:
    """Return a count with its noun; ``noun`` is the singular, and any count but one appends an ``s``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
