"""Draw one of several values by weights, from a world's repeatable numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

T = TypeVar("T")
Number = Callable[..., int]
"""``Common.number``: a number from a range, by the world's seed and further parts."""


def pick(number: Number, weights: Mapping[T, int], *parts: object) -> T:
    """Return one of the values, each as often as its weight says; the same ``parts`` give the same value.

    Raises:
        ValueError: there is no weight above 0.
    """
    total = sum(weights.values())
    if total <= 0 or min(weights.values()) < 0:
        raise ValueError(f"weights are whole numbers from 0, one of them above it, not {[*weights.values()]}")
    at = number(1, total, *parts)
    for value, weight in weights.items():
        at -= weight
        if at <= 0:
            return value
    raise AssertionError("the numbers end at the sum of the weights")
