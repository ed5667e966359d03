"""Marks around rendered values, so that a generated row says which fact each part of a text tells.

The marks are characters for private use, which no text of a world has; ``plain`` removes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_START, _MIDDLE, _END = "\ue000", "\ue001", "\ue002"
NOISE = "noise"
_MARKED = re.compile(f"{_START}([^{_MIDDLE}]*){_MIDDLE}([^{_END}]*){_END}")


@dataclass(frozen=True)
class Told:
    """A part of a text that tells a fact.

    Attributes:
        fact: the fact's key; ``noise`` for a value that belongs to no fact.
        version: the key of a former or wrong value; empty for the present one.
        text: the rendered value.
        start: where it begins in the text without marks.
    """

    fact: str
    version: str
    text: str
    start: int = field(default=0, compare=False)


def marked(fact: str, version: str, text: str) -> str:
    """Return a rendered value with the marks of its fact."""
    return f"{_START}{fact}#{version}{_MIDDLE}{text}{_END}"


def plain(text: str) -> str:
    """Return a text without marks."""
    return _MARKED.sub(r"\2", text) if _START in text else text


def told_in(text: str) -> Iterator[Told]:
    """Yield what a text with marks tells."""
    of_marks = 0
    for found in _MARKED.finditer(text):
        fact, _, version = found[1].partition("#")
        yield Told(fact, version, found[2], found.start() - of_marks)
        of_marks += len(found[0]) - len(found[2])
