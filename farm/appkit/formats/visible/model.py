"""What a reader sees of a text, and how it is collected."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

# Longer struck-through text corrects no single value, so it is omitted.
_STRUCK_MAX = 80
_SHOWN_MAX = 60  # characters of an item that a doubt names
_STRUCK = re.compile(r"~~[^~\n]{1,80}~~")


@dataclass(frozen=True)
class VisibleText:
    """What a reader sees of a text.

    Attributes:
        message: what the writer tells the reader, without markup. Struck-through words stand between ``~~``.
        screen: all that is on the screen: ``message`` and, in their places, blocks of code, formulas, spoilers and
            properties, which are shown but tell the reader nothing by themselves.
        doubts: why a reader may see something else.
    """

    message: str
    screen: str
    doubts: tuple[str, ...] = ()

    @classmethod
    def from_message(cls, message: str) -> VisibleText:
        """Return a text that is all message."""
        return cls(message, message)

    def map(self, change: Callable[[str], str]) -> VisibleText:
        """Return the text with its parts changed."""
        message = change(self.message)
        return VisibleText(message, message if self.screen == self.message else change(self.screen), self.doubts)

    def with_doubts(self, *doubts: str) -> VisibleText:
        """Return the text with further doubts, each once."""
        return VisibleText(self.message, self.screen, tuple(dict.fromkeys((*self.doubts, *doubts))))


class Writer:
    """Collects the visible words of a text in order."""

    def __init__(self) -> None:
        self.doubts: dict[str, None] = {}
        self._message: list[str] = []
        self._screen: list[str] = []
        self._struck: list[str] = []

    def doubt(self, why: str | None) -> None:
        """Add why a reader may see something else, if there is a reason."""
        if why is not None:
            self.doubts[why] = None

    def write(self, text: str, *, is_struck: bool = False) -> None:
        """Add words of the message."""
        if is_struck:
            self._struck.append(text)
            return
        self._end_struck()
        self._message.append(text)
        self._screen.append(text)

    def write_aside(self, text: str) -> None:
        """Add what is on the screen and no part of the message."""
        self._end_struck()
        self._message.append(" ")
        self._screen.append(text)

    def write_both(self, message: str, screen: str) -> None:
        """Add words of the message, and what is on the screen in their place."""
        self._end_struck()
        self._message.append(message)
        self._screen.append(screen)

    def _end_struck(self) -> None:
        if self._struck:
            marked = struck("".join(self._struck))
            self._struck.clear()
            self._message.append(marked)
            self._screen.append(marked)

    def take(self) -> tuple[str, str]:
        """Return the message and the screen since the last call."""
        self._end_struck()
        parts = "".join(self._message), "".join(self._screen)
        self._message.clear()
        self._screen.clear()
        return parts

    def text(self) -> VisibleText:
        """Return the whole text."""
        return VisibleText(*self.take(), tuple(self.doubts))


def doubt_about_ticked(words: str) -> str:
    """Return why a reader may take an item for done: it is ticked off."""
    return f"an item that is ticked off: {words.strip()[:_SHOWN_MAX]}"


def struck(text: str) -> str:
    """Return struck-through words in the one form that is kept of them, line by line."""
    return "\n".join(map(_struck_line, text.split("\n")))


def _struck_line(line: str) -> str:
    words = line.strip().replace("~", "")
    if not words or len(words) > _STRUCK_MAX:
        return " " if line else ""
    before, after = line[: len(line) - len(line.lstrip())], line[len(line.rstrip()) :]
    return f"{before}~~{words}~~{after}"


def without_struck(text: str) -> str:
    """Return a message without its struck-through words."""
    return _STRUCK.sub(" ", text) if "~~" in text else text
