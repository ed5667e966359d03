"""Skip the patterns that cannot match in a text, so that the cost of reading hardly grows with the lexicon.

Without this filter, most of the cost would be hundreds of alternatives tried at each place of a text, although hardly
any of them occurs. Each pattern's syntax tree yields literals of which every match contains at least one. One pass of
an Aho-Corasick automaton finds all literals of all patterns in a text. A pattern without a literal in the text is not
tried. The results are exactly those of ``re``, because the literals only exclude patterns that cannot match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from re import _constants as codes  # type: ignore[attr-defined]  # syntax trees have no public API
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import ahocorasick  # type: ignore[import-not-found]  # a compiled module without types

PIECES_MAX = 512  # pieces of texts whose results are cached
LITERALS_MAX = 128  # strings to which a part of a pattern may be expanded
RANGE_MAX = 16  # characters
ZERO_WIDTH = (codes.AT, codes.ASSERT, codes.ASSERT_NOT)
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
Strings = frozenset[str]


class PrefilteredPattern:
    """A pattern that is tried only if the text contains one of its literals."""

    def __init__(self, pattern: str, bit: int, passing: Callable[[str], int]) -> None:
        self.pattern = pattern
        self._bit = bit
        self._passing = passing

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        """The pattern, compiled on first use: most commands judge no text, and most texts need few patterns."""
        return re.compile(self.pattern)

    def may_match(self, text: str) -> bool:
        """Whether a text contains one of the literals, or the pattern has none."""
        return self._passing(text) & self._bit != 0

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the first match from a place on."""
        return self._compiled.search(text, start) if self._passing(text) & self._bit else None

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the start of a text."""
        return self._compiled.match(text) if self._passing(text) & self._bit else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return every match, in order."""
        return self._compiled.finditer(text) if self._passing(text) & self._bit else iter(())

    def sub(self, replace: Callable[[re.Match[str]], str], text: str) -> str:
        """Return a text with every match replaced."""
        return self._compiled.sub(replace, text) if self._passing(text) & self._bit else text

    def split(self, text: str) -> list[str]:
        """Return the pieces of a text between the matches, and the groups of the matches."""
        return self._compiled.split(text)


class Prefilter:
    """Patterns, with a filter for those that may match in a text."""

    def __init__(self) -> None:
        self._patterns: list[str] = []
        # Each piece of a text is searched many times, and the texts that asked are searched with every answer.
        self._passing = lru_cache(maxsize=PIECES_MAX)(self._find_passing)

    def words(self, pattern: str) -> PrefilteredPattern:
        """Add and return a pattern; all patterns must be added before the first search."""
        assert "_literals" not in self.__dict__
        self._patterns.append(pattern)
        return PrefilteredPattern(pattern, 1 << len(self._patterns) - 1, self._passing)

    @cached_property
    def _literals(self) -> dict[str, int]:
        """Literal → bits of its patterns; "" → bits of the patterns without a required literal."""
        bits = {"": 0}
        for place, pattern in enumerate(self._patterns):
            for literal in required_literals(pattern) or ("",):
                bits[literal] = bits.get(literal, 0) | 1 << place
        return bits

    @cached_property
    def _automaton(self) -> Any:
        automaton = ahocorasick.Automaton()
        for literal, bits in self._literals.items():
            if literal:
                automaton.add_word(literal, bits)
        automaton.make_automaton()
        return automaton

    def _find_passing(self, text: str) -> int:
        """Return the bits of the patterns that may match in a text."""
        passing = self._literals[""]
        for _, bits in self._automaton.iter(text) if len(self._literals) > 1 else ():
            passing |= bits
        return passing


def required_literals(pattern: str) -> Strings:
    """Return strings of which every match of a pattern contains at least one; empty if none can be derived."""
    tree = parser.parse(pattern)
    return frozenset() if tree.state.flags & re.IGNORECASE else _of_sequence(tree)[1]


# These functions return all strings that a part can match (None: too many), and strings of which it contains one.
def _of_sequence(items: Iterable[tuple[Any, Any]]) -> tuple[Strings | None, Strings]:
    """Return the strings of consecutive parts; neighbours form longer literals, and the rarest-looking are kept."""
    run: Strings = frozenset({""})
    candidates: list[Strings] = []
    is_whole = True
    for code, argument in items:
        exact, held = _of_item(code, argument)
        if exact is not None and len(run) * len(exact) <= LITERALS_MAX:
            run = frozenset(head + tail for head in run for tail in exact)
        else:
            candidates += [run, held]
            run = frozenset({""}) if exact is None else exact
            is_whole = False
    return run if is_whole else None, _rarest([*candidates, run])


def _rarest(candidates: Iterable[Strings]) -> Strings:
    """Return the set whose shortest string is longest; a Chinese sign counts as three letters, outer blanks as none."""
    useful = [each for each in candidates if each and "" not in each]
    return max(
        useful, key=lambda each: (min(len(one.strip().encode()) for one in each), -len(each)), default=frozenset()
    )


def _of_item(code: Any, argument: Any) -> tuple[Strings | None, Strings]:
    """Return the strings of one part; an unknown part yields none."""
    if code is codes.LITERAL:
        return frozenset({chr(argument)}), frozenset()
    if code is codes.IN:
        return _of_class(argument), frozenset()
    if code in ZERO_WIDTH:
        return frozenset({""}), frozenset()
    if code is codes.SUBPATTERN:
        _, flags_on, _, items = argument
        return (None, frozenset()) if flags_on & re.IGNORECASE else _of_sequence(items)
    if code is codes.BRANCH:
        return _of_branches([_of_sequence(items) for items in argument[1]])
    if code in REPEATS:
        least, most, items = argument
        exact, held = _of_sequence(items)
        if exact is not None and most == 1:
            return exact if least else exact | {""}, frozenset()
        return None, held if least else frozenset()
    return None, frozenset()


def _of_class(members: Iterable[tuple[Any, Any]]) -> Strings | None:
    """Return the signs of a character class; None if there are too many."""
    signs: set[str] = set()
    for code, argument in members:
        if code is codes.LITERAL:
            signs.add(chr(argument))
        elif code is codes.RANGE and argument[1] - argument[0] < RANGE_MAX:
            signs |= {chr(sign) for sign in range(argument[0], argument[1] + 1)}
        else:
            return None
    return frozenset(signs) if len(signs) <= LITERALS_MAX else None


def _of_branches(branches: list[tuple[Strings | None, Strings]]) -> tuple[Strings | None, Strings]:
    """Return the strings of alternatives; literals are required only if every alternative requires one."""
    exact = frozenset[str]().union(*(each for each, _ in branches if each is not None))
    held = frozenset[str]().union(*(each for _, each in branches))
    is_spelled = all(each is not None for each, _ in branches) and len(exact) <= LITERALS_MAX
    return exact if is_spelled else None, held if all(each for _, each in branches) else frozenset()
