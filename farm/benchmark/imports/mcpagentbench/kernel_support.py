"""What mocks use in place of the machine: the episode's time, chance and ids, and numbers that stay the same."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any
from zlib import crc32

from farm.appkit import Episode, VendorError

_LINK = "https://errors.pydantic.dev/2.11/v/string_type"
_SHOWN_MAX = 50  # characters of a value in pydantic's messages
_BITS_MAX = 16_000
_ITEMS_MAX = 100_000


class ToolError(VendorError):
    """A mock raised an error."""


def mock(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a mock as a handler: whatever it raises, and whatever it returns but a text, is a refusal."""

    @wraps(function)
    def handler(ep: Episode, /, **given: Any) -> Any:
        try:
            result = function(ep, **given)
        except Exception as problem:
            raise ToolError(str(problem)) from None
        if not isinstance(result, str):
            # The mocks declare a text; FastMCP validates results from SDK 1.10 on.
            raise ToolError(_no_text(function.__name__, result))
        return result

    return handler


def _no_text(tool: str, result: object) -> str:
    shown = repr(result)
    shown = shown if len(shown) <= _SHOWN_MAX else f"{shown[:25]}...{shown[-24:]}"
    return (
        f"1 validation error for {tool}Output\nresult\n  Input should be a valid string [type=string_type, "
        f"input_value={shown}, input_type={type(result).__name__}]\n    For further information visit {_LINK}"
    )


def moment(ep: Episode) -> datetime:
    """Return the simulated time, without a zone."""
    return ep.now.replace(tzinfo=None)


def draws(ep: Episode, tool: str) -> random.Random:
    """Return the chance of one call, which the episode's seed and the earlier writes decide."""
    return random.Random(ep.hash("draws", tool, ep.now_ms))


def id_of(ep: Episode, tool: str) -> uuid.UUID:
    """Return an id that the episode's seed decides."""
    return uuid.UUID(int=ep.hash("id", tool, 0) << 64 | ep.hash("id", tool, 1), version=4)


def number_of(value: object) -> int:
    """Return a number for a value, the same in every process."""
    return crc32(repr(value).encode())


def power(base: Any, exponent: Any) -> Any:
    """Return a power, unless it has thousands of digits."""
    if isinstance(base, int) and isinstance(exponent, int) and abs(exponent) * max(base.bit_length(), 1) > _BITS_MAX:
        raise OverflowError("the power is too large")
    return base**exponent


def product(one: Any, other: Any) -> Any:
    """Return a product, unless it is a very long text or list."""
    for repeated, times in ((one, other), (other, one)):
        if isinstance(repeated, str | list | tuple) and isinstance(times, int) and len(repeated) * times > _ITEMS_MAX:
            raise OverflowError("the product is too long")
    return one * other
