"""Compile a pattern on its first use, as most commands judge no text; skip it in texts without its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache

from farm._util.literals import LiteralIndex

_LATIN = re.compile("[a-z']")
_LONG = 15  # characters; a shorter pattern takes no longer than looking for its words
_LITERALS = LiteralIndex()


@lru_cache(maxsize=4096)
def _has_latin(text: str) -> bool:
    """Whether a text has a letter with which an English word begins; many patterns are sought in one text."""
    return _LATIN.search(text) is not None


class LazyPattern:
    """A pattern that is compiled on its first use.

    Attributes:
        latin: the part of the pattern that can match in a text of ASCII signs only; None: the whole.
        chinese: the part that can match in a text without Latin letters; None: the whole.
    """

    def __init__(self, pattern: str, *, latin: str | None = None, chinese: str | None = None) -> None:
        self.pattern = pattern
        self.latin = pattern if latin is None else latin
        self.chinese = pattern if chinese is None else chinese
        self._bit = _LITERALS.add(pattern) if len(pattern) >= _LONG else 0

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    @cached_property
    def _compiled_latin(self) -> re.Pattern[str]:
        return re.compile(self.latin or "(?!)")

    @cached_property
    def _compiled_chinese(self) -> re.Pattern[str]:
        return re.compile(self.chinese or "(?!)")

    def _for(self, text: str) -> re.Pattern[str]:
        if text.isascii():
            return self._compiled_latin
        return self._compiled if _has_latin(text) else self._compiled_chinese

    def _is_absent(self, text: str) -> bool:
        """Whether a text has no word that a match needs."""
        return self._bit > 0 and not self._bit & _LITERALS.found_in(text)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the first match from a place on."""
        # The most frequent of all: without calls of methods it takes half the time.
        bit = self._bit
        if bit and not bit & _LITERALS.found_in(text):
            return None
        return (self._compiled_latin if text.isascii() else self._for(text)).search(text, start)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the start of a text."""
        return self._for(text).match(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return every match, in order."""
        return iter(()) if self._is_absent(text) else self._for(text).finditer(text)

    def sub(self, replace: Callable[[re.Match[str]], str], text: str) -> str:
        """Return a text with every match replaced."""
        return text if self._is_absent(text) else self._for(text).sub(replace, text)

    def split(self, text: str) -> list[str]:
        """Return the pieces of a text between the matches, and the groups of the matches."""
        return self._compiled.split(text)
