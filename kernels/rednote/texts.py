"""How the site counts and shows numbers and texts."""

from __future__ import annotations


def counter(number: int) -> str:
    """Return what a note's counter shows: all of it below ten thousand, then 万 with one digit, cut off, then 10万+."""
    if number < 10_000:
        return str(number)
    if number >= 100_000:
        return "10万+"
    whole, tenth = divmod(number // 1_000, 10)
    return f"{whole}.{tenth}万" if tenth else f"{whole}万"


def title_length(title: str) -> int:
    """Return the length the 20 is compared with: ASCII counts half, every other UTF-16 unit one, rounded up."""
    halves = sum(1 if character < "\x80" else 4 if character > "\uffff" else 2 for character in title)
    return (halves + 1) // 2
