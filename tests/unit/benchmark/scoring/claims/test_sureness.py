"""How sure a verdict is: plain texts surely accepted, what reads unlike right texts doubted, foreign words unread."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Requirement, Situation, judge, sureness
from farm.benchmark.scoring.claims.verdict import tokens_of

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
SLOT = Requirement((Claim("date", (date(2026, 3, 26),)), Claim("clock", ("10:00",))))


def chance(text: str, asked: str = "") -> float:
    return sureness.probability(sureness.sequences(tokens_of(SLOT, text, Situation(NOW, (asked,)))))


def test_values_become_tags_and_words_of_the_request_too() -> None:
    asked = "Tell Ann when the lamp ships, not on 19 March."

    assert tokens_of(SLOT, "The lamp ships on 26 March, not on 19 March or 3 April", Situation(NOW, (asked,))) == [
        *("the", "a", "on", "C_date", ",", "not", "on", "A_date", "or", "X_date")
    ]


def test_a_text_of_which_nothing_is_known_is_as_likely_right_as_wrong() -> None:
    assert sureness.probability({"zyzzyva", "zyzzyva quux"}) == 0.5


def test_a_full_stop_at_the_end_says_nothing() -> None:
    assert chance("It is on 26 March at 10:00.") == chance("It is on 26 March at 10:00")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("26 March at 10:00.", "26 March at 10:00, but Helen says it moved again."),
        ("3月26日10点。", "3月26日10点，不过听说又黄了，你别当真。"),
        ("It's 26 March, 10:00.", "It was going to be 26 March, 10:00, but who knows now."),
    ],
)
def test_what_turns_a_text_round_lowers_its_chance(right: str, wrong: str) -> None:
    assert chance(wrong) < sureness.ACCEPTED < chance(right)


@pytest.mark.parametrize(
    "text",
    [
        "26 March, 10:00. Хотя нет, всё отменили.",
        "26 March, 10:00 … やっぱりなし",
        "26 March, 10:00. Finalement rien ne va, oubliez cela svp",
        "3月26日10点。취소됐어요",
    ],
)
def test_a_language_that_nobody_reads_makes_a_verdict_unsure(text: str) -> None:
    verdict = judge(SLOT, text, Situation(NOW))

    assert verdict.ok
    assert not verdict.sure


def test_a_doubt_names_the_words_that_nobody_explained() -> None:
    verdict = judge(SLOT, "26 March, 10:00. Helen vetoed it, the budget exploded.", Situation(NOW))

    assert not (verdict.ok and verdict.sure)
    assert "helen" in " ".join(verdict.doubts) or verdict.reasons


def test_two_reasons_of_different_kinds_stay_sure() -> None:
    verdict = judge(SLOT, "27 March, maybe 11:00", Situation(NOW))

    assert len({reason.code for reason in verdict.reasons}) > 1
    assert verdict.sure
