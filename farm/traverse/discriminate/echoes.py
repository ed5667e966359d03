"""The texts that a client sent in a trace: an answer that only repeats them is data, whatever its words."""

from __future__ import annotations

import re
from typing import Any

from farm._util.json_strings import strings_in

# Shorter texts occur by chance in a server's own words.
_LETTERS_MIN = 4
_WHOLE_LETTERS_MIN = 8
# A single word of this length is not the first word of a refusal.
_WORD_LETTERS_MIN = 12
HIDDEN = "\x00"


class SentTexts:
    """The texts that a client sent in the calls of one trace."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._ordered: list[str] | None = None

    def add(self, arguments: Any) -> None:
        """Add the arguments of a call."""
        for text in strings_in(arguments):
            for piece in (text, *text.splitlines()):
                stripped = piece.strip()
                if len(stripped) >= _LETTERS_MIN:
                    self._texts.add(stripped)
        self._ordered = None

    def has(self, text: str) -> bool:
        """Return whether the client sent exactly this text."""
        return text.strip() in self._texts

    def mask(self, text: str) -> str:
        """Return a text in which every character of the client's texts is replaced by a neutral one."""
        for each in self._longest_first():
            if each not in text:
                continue
            is_long = " " in each or len(each) >= _WORD_LETTERS_MIN
            if is_long and len(each) >= _WHOLE_LETTERS_MIN:
                text = text.replace(each, HIDDEN * len(each))
            else:
                # A short text counts as an echo only as a separate word, and never as the first word.
                text = re.sub(rf"(?<=[\W_])(?<!^){re.escape(each)}(?!\w)", lambda found: HIDDEN * len(found[0]), text)
        return text

    def _longest_first(self) -> list[str]:
        if self._ordered is None:
            self._ordered = sorted(self._texts, key=lambda each: (-len(each), each))
        return self._ordered
