"""How sure a verdict is: plain texts surely accepted, what reads unlike right texts doubted, foreign words unread."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.appkit.formats.visible import visible_text
from farm.benchmark.scoring.claims import Claim, Code, Reason, Requirement, Situation, judge, sureness
from farm.benchmark.scoring.claims.question import Question
from farm.benchmark.scoring.claims.reading import read_text
from farm.benchmark.scoring.claims.verdict import features_of

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
SLOT = Requirement((Claim("date", (date(2026, 3, 26),)), Claim("clock", ("10:00",))))


def chance(text: str, asked: str = "") -> float:
    return sureness.probability(features_of(SLOT, text, Situation(NOW, (asked,))))


def test_words_count_by_the_place_of_their_clause_and_values_become_tags() -> None:
    asked = "Tell Ann when the lamp ships, not on 19 March."
    text = "The lamp ships on 26 March, not on 19 March or 3 April"

    found = features_of(SLOT, text, Situation(NOW, (asked,)))
    words = {name for name in found if name.startswith(("in ", "after "))}

    inside = {f"in {word}" for word in ("the", "a", "on", "C_date", ",")}
    pairs = {"in ^_the", "in the_a", "in a_on", "in on_C_date", "in C_date_,", "in ,_$"}
    assert words == inside | pairs | {f"after {word}" for word in ("not", "on", "A_date", "!or", "X_date")}
    assert {"out ^_not", "out not_on", "out on_A_date", "out A_date_!or", "out !or_X_date", "out X_date_$"} <= set(
        found
    )


def test_what_the_rules_found_is_a_feature() -> None:
    found = features_of(SLOT, "26 March, oddly.", Situation(NOW))

    assert found["=missing"] == found["=only missing"] == found["=refused"] == 1
    assert found["=failing"] == 0.5
    assert "=accepted" not in found


def test_a_text_of_which_nothing_is_known_is_as_likely_right_as_wrong() -> None:
    assert sureness.probability({"in zyzzyva": 1.0, "after quux": 1.0}) == 0.5


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
    assert chance(wrong) < sureness.SURE < chance(right)


@pytest.mark.parametrize(
    "text",
    [
        "26 March, 10:00. Хотя нет, всё отменили.",
        "26 March, 10:00 … やっぱりなし",
        "26 March, 10:00. Finalement rien ne va, oubliez cela svp",
        "26 March, 10:00. No hay ninguna reunión",
        "26 March, 10:00. ʇɐɥʇ ǝsn ʇ,uop",
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


def test_words_can_overrule_a_reason_that_may_be_a_misreading() -> None:
    reason = Reason("extra", "the clock 14:00 is said, too")
    reading, question = read_text("26 march", NOW, []), Question()

    verdicts = [sureness.weighed([reason], chance, 0.9, reading, question, "") for chance in (0.1, 0.4, 0.6, 0.9)]
    misleading = sureness.weighed([reason], 0.9, 0.1, reading, question, "")

    assert [(verdict.ok, verdict.sure) for verdict in verdicts] == [
        (False, True),
        (False, False),
        (True, False),
        (True, True),
    ]
    assert not misleading.ok


def test_what_may_mislead_is_unsure_however_likely_it_is_right() -> None:
    reading, plain = read_text("26 march, vetoed", NOW, []), read_text("on the 26 march", NOW, [])

    verdicts = [sureness.weighed([], 0.9, fairness, reading, Question(), "") for fairness in (0.9, 0.1)]

    assert [(verdict.ok, verdict.sure) for verdict in verdicts] == [(True, True), (True, False)]
    assert sureness.weighed([], 0.9, 0.5, plain, Question(), "").sure  # nothing beside the value can mislead
    assert not sureness.weighed([], 0.9, 0.4, plain, Question(), "").sure  # known words can be put so that they do
    assert sureness.weighed([], 0.9, 0.1, plain, Question(), "he comes on the third").sure  # as a right text puts them
    assert sureness.weighed([], 0.9, 0.1, reading, Question(), "it was vetoed").sure  # a right text says so


@pytest.mark.parametrize("text", ["<!channel> 26 March, 10:00", "<!here|here> 26 March, 10:00", "3月26日10点 @所有人"])
def test_a_call_for_everybody_makes_a_verdict_unsure_unless_it_was_asked_for(text: str) -> None:
    shown = visible_text("slack", text).message

    assert "why it calls @" in judge(SLOT, shown, Situation(NOW)).doubts[0]
    assert judge(SLOT, shown, Situation(NOW, ("Call @channel, @here and @所有人.",))).doubts == ()


@pytest.mark.parametrize(("code", "is_sure"), [("altered", True), ("banned", True), ("missing", False)])
def test_what_is_no_misreading_is_never_accepted(code: Code, is_sure: bool) -> None:
    verdict = sureness.weighed([Reason(code, "why")], 0.99, 0.99, read_text("26 march", NOW, []), Question(), "")

    assert (verdict.ok, verdict.sure) == (False, is_sure)


def test_words_of_a_right_text_become_a_tag() -> None:
    text = "26 March, 10:00, bring umbrellas"
    found = [set(features_of(SLOT, text, Situation(NOW, samples=samples))) for samples in ((), ("bring umbrellas",))]

    assert any(name.endswith(" umbrellas") for name in found[0])
    assert any(name.endswith(" o") for name in found[1])
    assert not any("umbrellas" in name for name in found[1])


@pytest.mark.parametrize(("fairness", "sure", "close"), [(0.95, True, False), (0.8, True, True), (0.3, False, True)])
def test_other_words_than_a_right_texts_are_a_judges_question_unless_they_are_surely_fair(
    fairness: float, sure: bool, close: bool
) -> None:
    verdict = sureness.weighed([], 0.9, fairness, read_text("26 march, vetoed", NOW, []), Question(), "")

    assert (verdict.ok, verdict.sure, verdict.is_close) == (True, sure, close)


def test_a_text_in_the_words_of_a_right_one_is_no_question() -> None:
    text = read_text("on the 26 march", NOW, [])

    assert sureness.weighed([], 0.9, 0.6, text, Question(), "").is_close
    assert not sureness.weighed([], 0.9, 0.6, text, Question(), "he comes on the third").is_close
