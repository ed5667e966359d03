"""A pattern behind the prefilter finds what it finds without it, and is not tried where it cannot match."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.normalize import fold
from farm.benchmark.scoring.claims.prefilter import Prefilter, PrefilteredPattern, required_literals
from tests.claims.labelled_texts import prototype

PIECES = ("a", "b", "ab", "不", "不是", " ", "c")
ITEMS = (*PIECES, *PIECES, "[ab]", "[^a]", "[a-z]", ".", r"\W*", r"\b", "^")
AROUND = ("(?:{})", "({})", "(?={})", "(?!{})", "(?>{})", "(?i:{})", "(?:{})?", "(?:{})*", "(?:{})+?", "(?:{}){{2,3}}")
PATTERNS = st.recursive(
    st.sampled_from(ITEMS),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(st.sampled_from(AROUND), inner).map(lambda pair: pair[0].format(pair[1])),
    ),
    max_leaves=8,
)
TEXTS = st.lists(st.sampled_from([*PIECES, "A", "B", "\0", "\ud800", "\n"]), max_size=8).map("".join)


def spans(found: re.Match[str] | None) -> tuple[int, int] | None:
    return found.span() if found else None


@settings(max_examples=500, deadline=None)
@given(st.lists(PATTERNS, min_size=1, max_size=3), st.lists(TEXTS, min_size=5, max_size=10))
def test_whatever_the_pattern_it_finds_what_it_finds_by_itself(patterns: list[str], texts: list[str]) -> None:
    prefilter = Prefilter()
    for words, plain in [(prefilter.words(pattern), re.compile(pattern)) for pattern in patterns]:
        for text in texts:
            assert spans(words.search(text, 1)) == spans(plain.search(text, 1))
            assert spans(words.match(text)) == spans(plain.match(text))
            assert [each.span() for each in words.finditer(text)] == [each.span() for each in plain.finditer(text)]
            assert words.sub(lambda found: "~", text) == plain.sub("~", text)
            assert words.split(text) == plain.split(text)


def test_every_group_of_the_lexicon_finds_in_every_text_what_it_finds_by_itself() -> None:
    texts = list(dict.fromkeys(fold(exam.labelled.text) for exam in prototype()))
    groups = {name: words for name, words in vars(lexicon).items() if isinstance(words, PrefilteredPattern)}
    assert {"HEDGE", "NEGATION", "NEUTRAL_ADVERSE"} <= groups.keys()
    for name, words in groups.items():
        plain = re.compile(words.pattern)
        for text in texts:
            assert [each.span() for each in words.finditer(text)] == [each.span() for each in plain.finditer(text)], (
                name
            )


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        ("maybe|perhaps", {"maybe", "perhaps"}),
        (r"\bcall(?:ed|s) off\b", {"called off", "calls off"}),
        (r"可能(?!性)|[没未]定", {"可能", "没定", "未定"}),
        (r"until .{1,30}withdrew", {"withdrew"}),
        (r"(?:very )*sure", {"sure"}),
        (r"not (?:\w+ )?sure", {"sure"}),
        (r"(?:ab){2,3}", {"ab"}),
        ("maybe|perhaps|", set()),  # it matches nothing, too
        (r"maybe|\w+ish", {"maybe", "ish"}),
        (r"maybe|\d+", set()),
        ("(?i)maybe", set()),
        ("(?i:maybe)", set()),
    ],
)
def test_every_match_holds_one_of_the_literals(pattern: str, literals: set[str]) -> None:
    assert required_literals(pattern) == literals


def test_a_part_of_too_many_forms_is_not_spelled_out() -> None:
    digits = "(?:0|1|2|3|4|5|6|7|8|9)"
    assert required_literals(f"{digits}{digits}{digits} o'clock") == {f"{digit} o'clock" for digit in "0123456789"}


def test_a_pattern_of_which_no_literal_stands_in_a_text_is_not_tried() -> None:
    prefilter = Prefilter()
    maybe, perhaps = prefilter.words("maybe"), prefilter.words("perhaps")
    assert (maybe.may_match("maybe so"), perhaps.may_match("maybe so")) == (True, False)


def test_every_large_group_of_the_lexicon_has_literals() -> None:
    groups = {name: words for name, words in vars(lexicon).items() if isinstance(words, PrefilteredPattern)}
    assert not [name for name, words in groups.items() if len(words.pattern) > 1000 and words.may_match("")]
