"""Texts in one width and case; most of their marks are sought only in texts that have one of their signs."""

from __future__ import annotations

import pytest

from farm.benchmark.scoring.claims import normalize
from farm.benchmark.scoring.claims.normalize import fold
from tests.claims.labelled_texts import labelled


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("a  b", "a b"),
        ("a\tb", "a b"),
        ("a - b", "a–b"),
        ("a -b", "a -b"),
        ("a- b", "a- b"),
        ("a--b", "a–b"),
        ("a — b", "a–b"),
        ("3x2 and x4", "3x2 and × 4"),
        ("*Yes*, `no` ~maybe~", "yes, no ␡maybe␡".replace("␡", normalize.STRUCK)),
        ("会议：明天，十点", "会议: 明天, 十点"),
    ],
)
def test_a_mark_is_folded_wherever_it_stands(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_every_gap_has_one_of_the_signs_by_which_it_is_found() -> None:
    texts = [exam.labelled.text for exam in labelled("tune")]
    gaps = [gap[0] for text in texts for gap in normalize._GAP.finditer(text)]

    assert gaps
    assert not [gap for gap in gaps if not any(sign in gap for sign in normalize._GAPS)]
