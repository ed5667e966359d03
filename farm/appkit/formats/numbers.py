"""Numbers as programs that have only doubles store them."""

from __future__ import annotations

import math

EXACT_MAX = 2**53
_INT64_LIMIT = 2.0**63


def to_float64(number: int | float) -> int | float:
    """Convert a JSON number to its value as a double: an int if integral and within 64 bits, else a float.

    Both JavaScript and Go read every JSON number as a double, so 1.0 is 1 and 2**53 + 1 is 2**53.
    """
    if type(number) is int and -EXACT_MAX <= number <= EXACT_MAX:
        return number
    try:
        value = float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
    if value.is_integer() and -_INT64_LIMIT <= value < _INT64_LIMIT:
        return int(value)
    return value
