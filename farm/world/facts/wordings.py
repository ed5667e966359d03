"""What the values of a ledger look like in a text: its ids with any digits, and the words of its places and choices."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import ahocorasick  # type: ignore[import-not-found]  # a compiled module without types

from farm.appkit.world_spec.facts import Fact, Ledger

_WORDS = ("place", "choice", "text")  # kinds whose values are words
_WORD_MIN, _ASCII_MIN, _PART_MIN = 2, 4, 4
_COMMON = re.compile(r"[a-z]+|[\d\W]+")
_KEY = re.compile(r"[a-z]+\.[a-z]+\d?")


def id_pattern(ledger: Ledger) -> re.Pattern[str]:
    """Return a pattern of ids that look like those of a ledger, also within a file's name.

    EMB-412 stands for EMB-413, emb-413 and emb413; the digits of GY-0147 stand for themselves.
    """
    shapes = {shape for fact in ledger.values() if fact.kind == "id" for shape in _shapes(fact)}
    every = "|".join(sorted(shapes, key=lambda shape: (-len(shape), shape))) or r"(?!)"
    return re.compile(rf"(?<![A-Za-z\d])(?:{every})(?![A-Za-z\d]|\.\d)", re.IGNORECASE)


class NameSearch:
    """Finds the words of a ledger's places, choices and texts, and those that a redraw can put in their place."""

    def __init__(self, ledger: Ledger) -> None:
        self._names = ahocorasick.Automaton()
        for fact in reversed([*ledger.values()]):
            for name in _names(fact):
                self._names.add_word(name, (name, fact.key))  # the first fact that has it
        if len(self._names):
            self._names.make_automaton()

    def find(self, text: str) -> list[tuple[str, str]]:
        """Return the names in a text and the keys of their facts, each once, the longest first."""
        if not len(self._names):
            return []
        found = {named for end, named in self._names.iter(text) if _is_apart(text, end + 1 - len(named[0]), end + 1)}
        return sorted(found, key=lambda named: (-len(named[0]), named))


def _shapes(fact: Fact) -> Iterator[str]:
    for value in (fact.value, *(each.value for each in fact.versions)):
        written = str(value)
        if written.isdigit():
            continue
        shape = re.sub(r"\d", lambda _: r"\d", re.escape(written))
        yield shape.replace(r"\-", "-?") if any(map(str.isalpha, written)) else shape
        number = "".join(filter(str.isdigit, written))
        if len(number) >= _PART_MIN:
            yield number


def _names(fact: Fact) -> Iterator[str]:
    """Yield the words of a fact's values; a person's only if a redraw gives them another name."""
    if fact.kind in _WORDS:
        yield from filter(_is_name, _written(fact))
    elif fact.kind == "person" and fact.draw:
        yield from (each for each in _written(fact) if _is_name(each) and not _KEY.fullmatch(each))


def _written(fact: Fact) -> Iterator[str]:
    """Yield every way in which a fact's values, and those of its candidates, are written."""
    yield from (str(fact.value), *fact.forms.values())
    for version in fact.versions:
        yield from (str(version.value), *version.forms.values())
    for candidate in fact.draw:
        table: Mapping[str, Any] = candidate if isinstance(candidate, Mapping) else {"value": candidate}
        yield str(table["value"])
        for name in ("forms", "former", "wrong"):
            yield from map(str, table.get(name, {}).values())


def _is_name(name: str) -> bool:
    """Return whether a word is found by itself: no number, no common word such as second."""
    if name.isascii():
        return len(name) >= _ASCII_MIN and not _COMMON.fullmatch(name)
    return len(name) >= _WORD_MIN and any(map(str.isalpha, name))


def _is_apart(text: str, start: int, end: int) -> bool:
    """Return whether a name in Latin letters is no part of a longer word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (_is_latin(text[start]) and _is_latin(before)) and not (_is_latin(text[end - 1]) and _is_latin(after))


def _is_latin(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()
