"""Find out by one pass over a text which patterns cannot match in it, as most words occur in few texts.

A long list of alternatives takes 10 to 80 µs a clause, as every alternative is tried at every word. So each pattern
states literals one of which every match contains, and one automaton finds the literals of all patterns at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from re import _constants as opcodes  # type: ignore[attr-defined] # how ``re`` parses is public nowhere
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import ahocorasick  # type: ignore[import-not-found]  # a compiled module without types

_TEXTS_MAX = 4096  # as many clauses as some hundred texts have
_REPEATS = (opcodes.MAX_REPEAT, opcodes.MIN_REPEAT, opcodes.POSSESSIVE_REPEAT)


def needed_literals(pattern: str) -> frozenset[str] | None:
    """Return texts one of which every match of a pattern contains; None if the pattern has none.

    Args:
        pattern: the pattern, which must distinguish upper from lower case.
    """
    parsed = parser.parse(pattern)
    return None if parsed.state.flags & re.IGNORECASE else _of_sequence(parsed)


def _of_sequence(sequence: Iterable[tuple[Any, Any]]) -> frozenset[str] | None:
    """Return the literals of the element that has the longest ones."""
    found: list[frozenset[str]] = []
    run = ""
    for operation, given in sequence:
        if operation is opcodes.LITERAL:
            run += chr(given)
            continue
        each = _of_element(operation, given)
        found += [frozenset([run])] if run else []
        found += [] if each is None else [each]
        run = ""
    found += [frozenset([run])] if run else []
    return max(found, key=lambda each: (min(map(len, each)), -len(each)), default=None)


def _of_element(operation: Any, given: Any) -> frozenset[str] | None:
    if operation is opcodes.BRANCH:
        branches = [_of_sequence(each) for each in given[1]]
        known = [each for each in branches if each is not None]
        return frozenset().union(*known) if len(known) == len(branches) else None
    if operation is opcodes.SUBPATTERN:
        return _of_sequence(given[3])
    if operation is opcodes.ATOMIC_GROUP:
        return _of_sequence(given)
    if operation in _REPEATS and given[0] > 0:
        return _of_sequence(given[2])
    if operation is opcodes.IN and all(kind is opcodes.LITERAL for kind, _ in given):
        return frozenset(chr(code) for _, code in given)
    return None


class LiteralIndex:
    """The literals of several patterns.

    Attributes:
        found_in: returns the bits of the patterns that may match in a text.
    """

    def __init__(self, texts_max: int = _TEXTS_MAX) -> None:
        """Begin without patterns.

        Args:
            texts_max: how many texts are remembered with what was found in them.
        """
        self._added: list[str | frozenset[str]] = []
        self.found_in = lru_cache(maxsize=texts_max)(self._found_in) if texts_max else self._found_in

    def add(self, pattern: str) -> int:
        """Add a pattern, which is parsed when the first text comes, and return its bit in ``found_in``."""
        return self._add(pattern)

    def add_literals(self, literals: frozenset[str]) -> int:
        """Add what needs one of some literals, and return its bit in ``found_in``."""
        return self._add(literals)

    def _add(self, added: str | frozenset[str]) -> int:
        self._added.append(added)
        self.__dict__.pop("_automaton", None)
        if hasattr(self.found_in, "cache_clear"):
            self.found_in.cache_clear()
        return 1 << (len(self._added) - 1)

    @cached_property
    def _automaton(self) -> tuple[Any, int]:
        """The automaton of the literals, each with the bits of its patterns, and the bits of patterns without any."""
        bits: dict[str, int] = {}
        always = 0
        for number, added in enumerate(self._added):
            literals = needed_literals(added) if isinstance(added, str) else added
            if literals is None:
                always |= 1 << number
            for literal in literals or ():
                bits[literal] = bits.get(literal, 0) | 1 << number
        made = ahocorasick.Automaton()
        for literal, whose in bits.items():
            made.add_word(literal, whose)
        made.make_automaton()
        return made, always

    def _found_in(self, text: str) -> int:
        automaton, found = self._automaton
        for _, bits in automaton.iter(text):
            found |= bits
        return found
