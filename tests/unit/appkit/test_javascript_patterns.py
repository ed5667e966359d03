"""JavaScript's regular expressions in Python's: what differs between the two, and what V8 says of faults."""

from __future__ import annotations

import pytest

from farm.appkit.formats.javascript_patterns import PatternError, compile_pattern
from farm.appkit.formats.utf16 import from_units, to_units


@pytest.mark.parametrize(
    ("pattern", "words", "found"),
    [
        # $ is the end and nothing before it, \d is ASCII, a class may be empty, a byte order mark is white.
        ("a$", "a\n", None),
        (r"\d", "٣", None),
        ("[^]", "\n", "\n"),
        (r"\s", "\ufeff", "\ufeff"),
        ("(?<x>a)\\k<x>", "aa", "aa"),
        ("^.$", "\N{FOX FACE}", None),
        ("^..$", "\N{FOX FACE}", "\N{FOX FACE}"),
    ],
)
def test_a_pattern_means_what_it_means_in_javascript(pattern: str, words: str, found: str | None) -> None:
    match = compile_pattern(pattern).search(to_units(words))

    assert (None if match is None else from_units(match[0])) == found


@pytest.mark.parametrize(
    ("pattern", "said"),
    [("(", "Unterminated group"), ("a)", "Unmatched ')'"), ("*", "Nothing to repeat"), ("[b-a]", "Range out of order")],
)
def test_a_fault_is_told_in_v8_s_words(pattern: str, said: str) -> None:
    with pytest.raises(PatternError) as refused:
        compile_pattern(pattern)

    assert str(refused.value).startswith(f"Invalid regular expression: /{pattern}/: {said}")
