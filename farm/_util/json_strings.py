"""The strings inside a value of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def strings_in(value: Any) -> Iterator[str]:
    """Yield every string inside a value of JSON, at any depth, in order; keys are none of them."""
    match value:
        case str():
            yield value
        case Mapping():
            for each in value.values():
                yield from strings_in(each)
        case list() | tuple():
            for each in value:
                yield from strings_in(each)
