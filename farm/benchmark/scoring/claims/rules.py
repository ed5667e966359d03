"""Define the rules of the recogniser, their input and their result.

A rule begins at a token: a word, a run of digits, or one of the Chinese signs and marks that it names. At each token
the first matching rule of the table wins, and reading continues after its match. So each rule is tried at few places,
and the length of a text bounds its cost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

ValueKind = Literal["date", "clock", "number", "amount", "ordinal", "id"]
# The starts of a rule that does not name its words: any run of digits, any English word.
DIGITS = "0"
ANY_WORD = "a"
# The words between the two ends of a span.
TO = r"(?: ?(?:–|-|至|到) ?| (?:to|until|till|through|thru) (?:the )?)"
# The words between two values that are merely listed.
# The signs with which these words begin.
TO_SIGNS = "–-至到tu"
AND_SIGNS = "/&,、和或跟与ao"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
AND = r"(?: ?(?:/|&|,|、|和|或|或者|跟|与) ?| (?:and|or) (?:the )?)"


@dataclass(frozen=True)
class Value:
    """One value of a text: its kind, its place in the folded text, and its possible meanings.

    Attributes:
        options: the plausible readings of a date (ISO) or a clock (HH:MM, 24:00 for the end of a day); an id in
            capitals.
        wide: for a weekday or a day without its month, every day it may mean beside another date.
        number: of a number, an amount, an ordinal or an id.
        unit: "%", an ISO currency, a measure, the letters of an id (``EMB``, ``9F-C``), or "" for a bare count.
        part: whether it is the start or the end of a span; its other end is the next or the previous value.
    """

    kind: ValueKind
    start: int
    end: int
    options: tuple[str, ...] = ()
    wide: frozenset[str] = frozenset()
    number: float = 0.0
    unit: str = ""
    part: Literal["", "from", "to"] = ""


@dataclass(frozen=True)
class RuleInput:
    """The input of a rule in addition to its match: the whole text and the moment of reading."""

    text: str
    now: datetime
    before: Value | None = None

    @property
    def today(self) -> date:
        """Return the day of reading."""
        return self.now.date()


# None: the rule does not match after all; an empty list: the match is not a value, and no other rule reads it.
Make = Callable[[RuleInput, re.Match[str]], list[Value] | None]


@dataclass(frozen=True)
class Rule:
    """A pattern, the tokens at which it may begin, and the function that converts a match.

    Attributes:
        then: for a rule that begins at a numeral, the signs that may follow it, ignoring a blank ("0" for any digit);
            empty: any. It only saves time.
    """

    name: str
    starts: frozenset[str]
    pattern: re.Pattern[str]
    make: Make
    then: str = ""


def rule(name: str, starts: Iterable[str], pattern: str, make: Make, then: str = "") -> Rule:
    """Return a rule; ``starts`` are words, single signs, ``DIGITS`` or ``ANY_WORD``."""
    return Rule(name, frozenset(starts), re.compile(pattern), make, then)


def nothing(rule_input: RuleInput, found: re.Match[str]) -> list[Value]:
    """Consume the match without a value."""
    return []


def words(line: str) -> list[str]:
    """Return the words of a line, so that a table of words fits in a line; ``_`` stands for a blank in a word."""
    return [word.replace("_", " ") for word in line.split()]


def by_word(table: Mapping[str, str]) -> dict[str, str]:
    """Return word → thing, from a table of the words for each thing."""
    return {word: thing for thing, line in table.items() for word in words(line)}


def any_of(choices: Iterable[str]) -> str:
    """Return a pattern for any of the words, the longest first; an English word must end there."""
    ordered = sorted(choices, key=len, reverse=True)
    return "|".join(
        re.escape(word) + (r"(?![a-z])" if word[-1].isascii() and word[-1].isalpha() else "") for word in ordered
    )
