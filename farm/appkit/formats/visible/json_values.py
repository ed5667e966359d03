"""JSON that texts are stored as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

DEPTH_MAX = 30  # levels below which nothing is looked for; vendors nest texts much less


def parsed(stored: Any) -> Any:
    """Return a value of JSON, which may be stored as a text; a text that is no object or list stays a text."""
    if not isinstance(stored, str) or stored[:1] not in ("{", "["):
        return stored
    try:
        return orjson.loads(stored)
    except orjson.JSONDecodeError:
        return stored


def objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a list."""
    return (each for each in value if isinstance(each, Mapping)) if isinstance(value, list) else iter(())


def leaves(value: Any, depth: int = DEPTH_MAX) -> Iterator[str]:
    """Yield every plain value as a text."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for each in value if depth else ():
            yield from leaves(parsed(each), depth - 1)
    elif value is not None:
        yield str(value)


def text_in(value: Any) -> str:
    """Return a value if it is a text, else an empty text."""
    return value if isinstance(value, str) else ""
