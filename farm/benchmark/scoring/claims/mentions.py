"""Compare two mentions, and give mentions a status."""

from __future__ import annotations

from farm.benchmark.scoring.claims.reading import Mention, Status
from farm.benchmark.scoring.claims.values import Value

MONEY = ("CNY", "MYR", "SGD", "USD", "EUR", "GBP")
Places = list[tuple[int, Mention]]  # the mentions of a segment with their places in its text


def gap(a: Mention, b: Mention) -> int:
    """Return the number of characters between two mentions."""
    return max(b.start - a.end, a.start - b.end)


def same(a: Mention, b: Mention) -> bool:
    """Whether two mentions are of the same thing."""
    if a.value and b.value:
        return a.sort == b.sort and same_value(a.value, b.value)
    return a.key == b.key


def same_value(a: Value, b: Value) -> bool:
    """Whether two values may be equal; a bare number may be an amount of money."""
    if a.options or b.options:
        return bool(set(a.options) & set(b.options))
    return a.number == b.number and (a.unit == b.unit or {"", a.unit, b.unit} <= {"", *MONEY})


def give(mentions: list[Mention], status: Status) -> Status:
    """Give mentions a status, and return the status."""
    for mention in mentions:
        mention.status = status
    return status


def give_asserted(mentions: list[Mention], status: Status) -> None:
    """Give a status to the mentions that are still asserted."""
    for mention in mentions:
        mention.status = status if mention.status == "asserted" else mention.status
