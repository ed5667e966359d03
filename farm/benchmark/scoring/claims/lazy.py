"""Compile a pattern on its first use: most commands judge no text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property


class LazyPattern:
    """A pattern that is compiled on its first use."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the first match from a place on."""
        return self._compiled.search(text, start)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the start of a text."""
        return self._compiled.match(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return every match, in order."""
        return self._compiled.finditer(text)

    def sub(self, replace: Callable[[re.Match[str]], str], text: str) -> str:
        """Return a text with every match replaced."""
        return self._compiled.sub(replace, text)

    def split(self, text: str) -> list[str]:
        """Return the pieces of a text between the matches, and the groups of the matches."""
        return self._compiled.split(text)
