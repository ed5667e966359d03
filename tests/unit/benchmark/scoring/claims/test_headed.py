"""Values that only a heading tells apart, in another order than in a right text."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Requirement, Situation, judge
from farm.benchmark.scoring.claims.headed import exchanged
from farm.benchmark.scoring.claims.reading import read_text

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
RIGHT = ("搬家在 3月21日，新办公室第一天是 3月23日。", "Boards sampled: 600, of which 38 flickered.")


@pytest.mark.parametrize(
    "text",
    [
        "| 搬运 | 新办公室第一天 |\n|---|---|\n| 3月23日 | 3月21日 |",
        "| what | move | first day |\n|---|---|---|\n| when | 23 March | 21 March |",
        "搬运\n3月23日\n\n新办公室第一天\n3月21日",
        "sampled\n38\n\nflickered\n600",
    ],
)
def test_values_below_headings_in_another_order_are_exchanged(text: str) -> None:
    assert exchanged(read_text(text.lower(), NOW, []), RIGHT)


@pytest.mark.parametrize(
    "text",
    [
        "| 搬运 | 新办公室第一天 |\n|---|---|\n| 3月21日 | 3月23日 |",
        "| 新办公室第一天 | 3月23日 |\n| 搬运 | 3月21日 |",  # each beside its own words
        "新办公室第一天：3月23日\n搬运：3月21日",
        "3月23日\n4月2日",  # no right text has both
        "flickered 38\nsampled 600",
    ],
)
def test_values_in_the_order_of_a_right_text_or_beside_words_are_not(text: str) -> None:
    assert not exchanged(read_text(text, NOW, []), RIGHT)


def test_a_text_with_exchanged_values_is_never_surely_right() -> None:
    days = Requirement(tuple(Claim("date", (date(2026, 3, day),)) for day in (21, 23)))
    verdicts = [
        judge(days, f"| 搬运 | 新办公室第一天 |\n|---|---|\n| {row} |", Situation(NOW, samples=RIGHT))
        for row in ("3月21日 | 3月23日", "3月23日 | 3月21日")
    ]
    assert [verdict.sure for verdict in verdicts] == [True, False]
    assert all(verdict.ok for verdict in verdicts)
