"""Numbers in answers, however they are put."""

from __future__ import annotations

import pytest

from farm.score.mentions import has_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("40cm 长", 40),
        ("五金店，68块", 68),
        ("58,000RMB in all", 58_000),
        ("现在是 32 万，不是 40 万", 320_000),
        ("达人线 320k左右", 320_000),
        ("3118likes", 3118),
        ("0.11%", 0.11),
        ("水温 88℃", 88),
    ],
)
def test_a_number_is_found_with_its_unit_or_scale_right_behind_it(text: str, number: float) -> None:
    assert has_number(text, number)


@pytest.mark.parametrize(("text", "number"), [("lot GY-2602-B", 2602), ("seat 9F-C14", 9), ("an 8D report", 8)])
def test_a_number_inside_a_name_is_no_number(text: str, number: float) -> None:
    assert not has_number(text, number)
