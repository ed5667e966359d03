"""What the dialects of servers written in JavaScript share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from farm.dialects._base import TOO_DEEP, ArgumentsRefused, Check
from farm.dialects._values import ABSENT, Accept

_TYPES = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}


def received(value: Any) -> str:
    """Name a value's type as zod does."""
    if value is ABSENT:
        return "undefined"
    return "null" if value is None else _TYPES[type(value)]


def js_text(value: Any) -> str:
    """Write a scalar as JavaScript's String() does."""
    if value is None or type(value) is bool:
        return "null" if value is None else str(value).lower()
    if type(value) is float and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    # Python pads exponents to two digits, JavaScript does not: 1e-07, 1e-7.
    return str(value).replace("e-0", "e-").replace("e+0", "e+")


def compile_check(accept: Accept, refusal: Callable[[Any], ArgumentsRefused], *, absent: Any) -> Check:
    """Join the two sides of a root shape: accept, and only after a refusal the words for it.

    Args:
        accept: the root shape's accepting side.
        refusal: arguments → what to raise.
        absent: what arguments that were left out stand for.
    """

    def check(arguments: Any) -> dict[str, Any]:
        given = absent if arguments is None else arguments
        try:
            cleaned = accept(given)
            if type(cleaned) is dict:
                return cleaned
            refused = refusal(given)
        except RecursionError:
            refused = ArgumentsRefused(TOO_DEEP, code=None)
        raise refused

    return check
