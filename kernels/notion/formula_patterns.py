"""Patterns in formulas: JavaScript's regular expressions."""

from __future__ import annotations

import re
from typing import Any

from farm.appkit.formats.javascript_patterns import PatternError, compile_pattern
from farm.appkit.formats.utf16 import from_units, to_units

_PATTERN_MAX, _MATCHES_MAX = 500, 1_000
_REFERENCE = re.compile(r"\$(?:\$|&|`|'|([0-9]{1,2})|<([^>]*)>)")

# What opens no group: what is escaped, and what stands in a class.
_NO_GROUP = re.compile(r"\\.|\[(?:[^\]\\]|\\.)*\]", re.DOTALL)
_GROUP = re.compile(r"\((?:\?<([A-Za-z_$][\w$]*)>|(?!\?))")


class NoPatternError(ValueError):
    """The pattern is no regular expression, or longer than anybody's."""


def is_found(words: str, pattern: str) -> bool:
    """Tell whether a text has what a pattern says."""
    return _compiled(pattern).search(to_units(words)) is not None


def all_matches(words: str, pattern: str) -> list[str]:
    """Return all that a pattern finds."""
    found = [from_units(each[0]) for each in _found(words, pattern)]
    if len(found) > _MATCHES_MAX:
        raise NoPatternError
    return found


def replaced(words: str, pattern: str, replacement: str, *, is_first_only: bool, size_max: int) -> str:
    """Return a text with what a pattern finds replaced; ``$1``, ``$&`` and the like stand for what was found."""
    units, new, names = to_units(words), to_units(replacement), _names(pattern)
    pieces, place, size = [], 0, 0
    for found in _found(words, pattern):
        pieces += [units[place : found.start()], _expanded(new, found, names)]
        size += len(pieces[-1])
        if size > size_max:
            raise NoPatternError
        place = found.end()
        if is_first_only:
            break
    return from_units("".join([*pieces, units[place:]]))


def _compiled(pattern: str) -> re.Pattern[str]:
    if len(pattern) > _PATTERN_MAX:
        raise NoPatternError
    try:
        return compile_pattern(pattern)
    except PatternError:
        raise NoPatternError from None


def _found(words: str, pattern: str) -> Any:
    return _compiled(pattern).finditer(to_units(words))


def _names(pattern: str) -> dict[str, int]:
    """Return the numbers of the groups that have a name."""
    groups = _GROUP.finditer(_NO_GROUP.sub("", pattern))
    return {group[1]: number for number, group in enumerate(groups, start=1) if group[1]}


def _expanded(replacement: str, found: re.Match[str], names: dict[str, int]) -> str:
    def reference(sign: re.Match[str]) -> str:
        if sign[2] is not None:
            return (found[names[sign[2]]] or "" if sign[2] in names else "") if names else sign[0]
        if sign[1] is not None:
            return _group(sign[1], sign[0], found)
        around = {"$$": "$", "$&": found[0], "$`": found.string[: found.start()], "$'": found.string[found.end() :]}
        return around[sign[0]]

    return _REFERENCE.sub(reference, replacement)


def _group(digits: str, written: str, found: re.Match[str]) -> str:
    """Return what a group found; two digits are one number only where there are so many groups."""
    count = len(found.groups())
    if 1 <= int(digits) <= count:
        return found[int(digits)] or ""
    if len(digits) == 2 and 1 <= int(digits[0]) <= count:
        return (found[int(digits[0])] or "") + digits[1]
    return written
