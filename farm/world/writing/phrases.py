"""Find phrases of a text that stand in other texts of the world, too: a machine repeats itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from farm.world.facts.spec_texts import SpecText

WORDS = 8  # of any language; a Chinese character counts as one
_REFERENCE = re.compile(r"\{\{[^{}]*\}\}")
_WORD = re.compile(r"[A-Za-zÀ-ÿ0-9'’]+|[\u4e00-\u9fff]")


class Phrases:
    """The phrases of texts, each with the first place where it stands."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, ...], str] = {}

    def add(self, texts: Iterable[SpecText]) -> None:
        """Learn the phrases of texts."""
        for text in texts:
            for phrase in _phrases(text.text):
                self._places.setdefault(phrase, text.place)

    def merge(self, other: Phrases) -> None:
        """Learn the phrases that others have learnt."""
        for phrase, place in other._places.items():
            self._places.setdefault(phrase, place)

    def repeated(self, text: SpecText, own: Phrases) -> tuple[str, str] | None:
        """Return the first phrase of a text that stands elsewhere, and that place.

        Args:
            text: the text.
            own: the phrases of earlier texts of its file.
        """
        for phrase in _phrases(text.text):
            place = self._places.get(phrase) or own._places.get(phrase)
            if place:
                return _written(phrase), place
        return None


def _phrases(text: str) -> Iterator[tuple[str, ...]]:
    # A reference ends a phrase: the values around it differ from text to text.
    for piece in _REFERENCE.split(text):
        words = [word.lower() for word in _WORD.findall(piece)]
        yield from (tuple(words[at : at + WORDS]) for at in range(len(words) - WORDS + 1))


def _written(phrase: tuple[str, ...]) -> str:
    return re.sub(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])", "", " ".join(phrase))
