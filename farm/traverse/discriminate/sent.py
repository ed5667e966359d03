"""What a client has sent in a trace: an answer that only says it back is data, whatever its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

# Shorter ones occur by chance in what a server says of itself.
_LETTERS_MIN = 4
_WHOLE_LETTERS_MIN = 8
# From here on a single word is nobody's first word of a refusal.
_WORD_LETTERS_MIN = 12
# So much of an answer was sent before where it is said back with a heading or a page's footer.
_SHARE_MIN = 0.8
HIDDEN = "\x00"


class Sent:
    """The texts a client has sent, over the calls of one trace."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._ordered: list[str] | None = None

    def add(self, arguments: Any) -> None:
        """Take in the arguments of a call."""
        for text in texts_in(arguments):
            for piece in (text, *text.splitlines()):
                stripped = piece.strip()
                if len(stripped) >= _LETTERS_MIN:
                    self._texts.add(stripped)
        self._ordered = None

    def has(self, text: str) -> bool:
        """Whether a whole text is one that was sent."""
        return text.strip() in self._texts

    def said_back(self, text: str) -> bool:
        """Whether an answer is nothing but what the client sent."""
        stripped = text.strip()
        if len(stripped) >= _WHOLE_LETTERS_MIN and any(stripped in each for each in self._texts):
            return True
        hidden = self.hidden(stripped)
        if not hidden.startswith(HIDDEN):
            # A refusal that quotes a long argument is made of it for the most part, too, but begins with its own words.
            return False
        kept = len(re.sub(r"\s", "", hidden.replace(HIDDEN, "")))
        whole = len(re.sub(r"\s", "", stripped))
        return whole >= _WHOLE_LETTERS_MIN and kept <= (1 - _SHARE_MIN) * whole

    def hidden(self, text: str) -> str:
        """Return a text without what the client sent; each letter of that is one that says nothing."""
        for each in self._longest_first():
            if each not in text:
                continue
            is_long = " " in each or len(each) >= _WORD_LETTERS_MIN
            if is_long and len(each) >= _WHOLE_LETTERS_MIN:
                text = text.replace(each, HIDDEN * len(each))
            else:
                # A short one is taken for an echo only where it stands alone, and never as the first word.
                text = re.sub(rf"(?<=[\W_])(?<!^){re.escape(each)}(?!\w)", lambda found: HIDDEN * len(found[0]), text)
        return text

    def _longest_first(self) -> list[str]:
        if self._ordered is None:
            self._ordered = sorted(self._texts, key=lambda each: (-len(each), each))
        return self._ordered


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_in(each)
