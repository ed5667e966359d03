"""A pattern is skipped in a text only if it cannot match there."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

from farm._util.literals import LiteralIndex, needed_literals
from farm.benchmark.scoring import claims
from farm.benchmark.scoring.claims.lazy import LazyPattern
from farm.benchmark.scoring.claims.normalize import fold
from tests.claims.labelled_texts import labelled


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        ("guess", {"guess"}),
        ("guess|reckon", {"guess", "reckon"}),
        (r"(?<![a-z])(?:maybe|per(?:haps|chance))(?![a-z])", {"maybe", "haps", "chance"}),
        (r"\w+ pencill?ed in", {" pencil"}),
        (r"[不没]是那", {"是那"}),
        (r"[不没]\w", {"不", "没"}),
        ("(?:ab)+c*", {"ab"}),
        ("(?>ab|cd)e", {"ab", "cd"}),
    ],
)
def test_the_literals_are_those_of_the_part_that_has_the_longest(pattern: str, literals: set[str]) -> None:
    assert set(needed_literals(pattern) or ()) == literals


@pytest.mark.parametrize(
    "pattern", [r"\d+", "a?", "(?:ab)*", r"a|\w", "(?i)guess", "(?=ab)", "(?<=ab)", "(?!ab)", "^$"]
)
def test_a_pattern_may_have_no_literal(pattern: str) -> None:
    assert needed_literals(pattern) is None


def test_a_pattern_without_a_literal_is_never_skipped() -> None:
    index = LiteralIndex()
    guess, digits = index.add("guess|reckon"), index.add(r"\d+")

    assert index.found_in("nothing here") == digits
    assert index.found_in("i reckon so") == guess | digits


def test_literals_are_found_that_overlap_or_begin_alike() -> None:
    index = LiteralIndex(texts_max=0)
    pin, pins, inside = (index.add_literals(frozenset(each)) for each in (["pin"], ["pins", "nail"], ["ins"]))

    assert index.found_in("two pins") == pin | pins | inside
    assert index.found_in("a pin") == pin
    assert index.found_in("a nail") == pins


def long_patterns() -> Iterator[LazyPattern]:
    """Yield the patterns that are skipped in some texts."""
    for module in pkgutil.walk_packages(claims.__path__, f"{claims.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, LazyPattern) and value._bit:
                yield value


def test_no_match_in_a_labelled_text_is_missed() -> None:
    texts = {fold(exam.labelled.text) for exam in labelled("tune")}
    patterns = {id(each): each for each in long_patterns()}.values()

    found = [
        (pattern, [each.span() for each in pattern.finditer(text)], [each.span() for each in again])
        for text in texts
        for pattern in patterns
        for again in [pattern._for(text).finditer(text)]
    ]

    assert len(patterns) > 30
    assert len(texts) > 500
    assert [pattern.pattern for pattern, skipping, plain in found if skipping != plain] == []
    assert sum(bool(plain) for _, _, plain in found) > 1000
