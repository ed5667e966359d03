"""How the site counts and shows numbers and texts."""

from __future__ import annotations


def counter(number: int) -> str:
    """Return a number as the site shows it: in full below ten thousand, then in 万 and 亿 with one digit, cut off."""
    if number < 10_000:
        return str(number)
    unit, name = (10_000, "万") if number < 100_000_000 else (100_000_000, "亿")
    whole, tenth = divmod(number * 10 // unit, 10)
    return f"{whole}.{tenth}{name}" if tenth else f"{whole}{name}"


def title_length(title: str) -> int:
    """Return the length the 20 is compared with: ASCII counts half, every other UTF-16 unit one, rounded up."""
    halves = sum(1 if character < "\x80" else 4 if character > "\uffff" else 2 for character in title)
    return (halves + 1) // 2
