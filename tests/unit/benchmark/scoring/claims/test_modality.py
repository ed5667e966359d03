"""How a thing is said decides: each construction in right and wrong pairs, in both languages."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Code, Requirement, Situation, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
DAY = Claim("date", (date(2026, 3, 26),))
HOUR = Claim("clock", ("10:00",))
ROOM = Claim("choice", ("雪松", "Cedar"), rivals=(("柳厅", "Willow"), ("Maple",)))
SLOT = Requirement((DAY, HOUR))
PLACE = Requirement((ROOM,))


def refused(wanted: Requirement, text: str, *said: str) -> set[Code]:
    """Return why a text is refused."""
    return {reason.code for reason in judge(wanted, text, Situation(NOW, said)).reasons}


ASSERTED = [
    "26 March, 10:00.",
    "It's on the 26th at 10 am.",
    "3月26日上午10点。",
    "No worries: it's 26 March at 10:00.",
    "没问题，3月26日10点。",
    "26 March 10:00 doesn't clash with anything.",
    "3月26日10点，和别的会不冲突。",
    "There is no objection to 26 March, 10:00.",
    "大家对 3月26日10点 没有异议。",
    "26 March, 10:00, and that won't move again.",
    "3月26日10点，不会再动了。",
    "I can confirm that nothing has changed: 26 March, 10:00.",
    "Don't miss it: 26 March, 10:00!",
    "千万别错过：3月26日10点！",
    "3月26日10点，还有5只等家。",
    "3月26日10点，五只等家的都来。",
    "It can't be any clearer: 26 March at 10:00.",
    "It's 26 March, 10:00, sorry for not writing earlier.",
    "3月26日10点，抱歉没早点回你。",
    "26 March 10:00, without fail.",
    "You don't have to check again, it's 26 March, 10:00.",
    "26 March at 10:00 — no need to bring anything.",
    "3月26日10点，不用带东西。",
    "If you need anything else, just ask. 26 March, 10:00.",
    "如有问题随时找我。3月26日10点。",
    "It is on 26 March at 10:00. Let me know if that's a problem.",
    "26 March, 10:00. Any questions?",
    "I think we're all set: 26 March, 10:00.",
    "《听人说话》3月26日10点还。",
    "改到3月26日10点，备选那户请留着。",
]


@pytest.mark.parametrize("text", ASSERTED)
def test_a_negator_question_or_condition_of_something_else_takes_nothing_back(text: str) -> None:
    assert refused(SLOT, text) == set()


DENIED = [
    "It is not on 26 March at 10:00.",
    "3月26日10点不行。",
    "26 March at 10:00 is cancelled.",
    "26 March, 10:00 has been called off.",
    "26 March, 10:00 has been scrapped.",
    "3月26日10点的安排撤销了。",
    "3月26日10点取消。",
    "26 March 10:00 won't work.",
    "We're not doing 26 March at 10:00 after all.",
    "Nobody agreed to 26 March, 10:00.",
    "谁都没同意 3月26日10点。",
    "There is no meeting on 26 March at 10:00.",
    "26 March, 10:00? No way.",
    "3月26日10点？想都别想。",
    "26 March at 10:00. Scratch that.",
    "26 March at 10:00. Just kidding.",
    "3月26日10点。开玩笑的。",
    "3月26日10点。以上作废。",
    "26 March, 10:00. That is not happening.",
    "26 March at 10:00 fell through.",
    "3月26日10点黄了。",
    "It's anything but 26 March, 10:00.",
    "Neither 26 March nor 10:00 is right.",
    "26 March at 10:00 is already taken.",
    "3月26日10点已经被占了。",
    "I take back 26 March, 10:00.",
    "26 March 10:00 has been postponed.",
    "3月26日10点推迟了。",
]


@pytest.mark.parametrize("text", DENIED)
def test_what_is_denied_cancelled_or_taken_back_is_not_asserted(text: str) -> None:
    assert refused(SLOT, text)


ALTERNATIVES = [
    ("Cedar, not Willow.", set()),
    ("Not Willow, but Cedar.", set()),
    ("It isn't Willow, it's Cedar.", set()),
    ("Cedar instead of Willow.", set()),
    ("Instead of Willow we take Cedar.", set()),
    ("Cedar rather than Willow.", set()),
    ("不是柳厅，是雪松。", set()),
    ("是雪松而不是柳厅。", set()),
    ("雪松，别去柳厅。", set()),
    ("不在柳厅了，换到雪松。", set()),
    ("由柳厅改为雪松。", set()),
    ("Moved from Willow to Cedar.", set()),
    ("Willow is full, so we take Cedar.", set()),
    ("柳厅订满了，所以用雪松。", set()),
    ("Forget Willow: it's Cedar.", set()),
    ("Cedar (Willow is cancelled).", set()),
    ("Cedar replaces Willow.", set()),
    ("雪松代替柳厅。", set()),
    ("Willow, not Cedar.", {"denied"}),
    ("Not Cedar but Willow.", {"denied"}),
    ("Willow instead of Cedar.", {"denied"}),
    ("不是雪松，是柳厅。", {"denied"}),
    ("是柳厅而不是雪松。", {"denied"}),
    ("Moved from Cedar to Willow.", {"former"}),
    ("从雪松改到柳厅。", {"former"}),
    ("Willow replaces Cedar.", {"denied"}),
    ("柳厅代替雪松。", {"denied"}),
    ("Cedar or Willow.", {"rival"}),
    ("雪松或柳厅。", {"rival"}),
    ("要么雪松，要么柳厅。", {"rival"}),
    ("Either Cedar or Willow works.", {"rival"}),
    ("Cedar / Willow", {"extra", "rival"}),
    ("Cedar and Willow", {"extra"}),
    ("雪松、柳厅都行", {"extra", "rival"}),
    ("We were in Cedar; now it's Willow.", {"former", "extra"}),
    ("Cedar — sorry, Willow.", {"denied", "extra", "former"}),
    ("雪松，不对，是柳厅。", {"denied", "extra", "former"}),
    ("Willow — sorry, I mean Cedar.", set()),
    ("柳厅，不对，是雪松。", set()),
]


@pytest.mark.parametrize(("text", "codes"), ALTERNATIVES)
def test_of_two_alternatives_the_one_that_is_kept_counts(text: str, codes: set[Code]) -> None:
    found = refused(PLACE, text)

    assert bool(found) == bool(codes)
    assert not codes or found & codes


UNCERTAIN: list[tuple[str, Code]] = [
    ("Maybe 26 March at 10:00.", "hedged"),
    ("It could well be 26 March at 10:00.", "hedged"),
    ("I believe 26 March, 10:00, but don't quote me.", "hedged"),
    ("26 March 10:00, if memory serves.", "hedged"),
    ("26 March, 10:00 or so I hope.", "hedged"),
    ("大概是3月26日10点吧，我不敢肯定。", "hedged"),
    ("印象中是3月26日10点。", "hedged"),
    ("3月26日10点，还没最后敲定。", "hedged"),
    ("26 March, 10:00 — not confirmed yet.", "hedged"),
    ("We are hoping for 26 March at 10:00.", "hedged"),
    ("争取3月26日10点。", "hedged"),
    ("备选的是3月26日10点。", "hedged"),
    ("Is it 26 March at 10:00?", "asked"),
    ("26 March at 10:00, right?", "asked"),
    ("Could you tell me whether it is 26 March at 10:00.", "asked"),
    ("3月26日10点，对吧？", "asked"),
    ("是不是3月26日10点", "asked"),
    ("请问3月26日10点可以吗", "asked"),
    ("If Ann signs off, it's 26 March at 10:00.", "conditional"),
    ("26 March at 10:00, provided that Ann agrees.", "conditional"),
    ("26 March, 10:00 once Ann has signed.", "conditional"),
    ("Only if it stays dry: 26 March, 10:00.", "conditional"),
    ("如果安同意，就3月26日10点。", "conditional"),
    ("等安签字了，才能定3月26日10点。", "conditional"),
    ("3月26日10点，前提是安点头。", "conditional"),
    ("3月26日10点，只等安点头。", "conditional"),
    ("I heard it's 26 March at 10:00.", "reported"),
    ("Apparently it is 26 March, 10:00.", "reported"),
    ("Rumour has it that it's 26 March, 10:00.", "reported"),
    ("听说是3月26日10点。", "reported"),
    ("据说3月26日10点。", "reported"),
    ("有人说是3月26日10点。", "reported"),
    ("It used to be 26 March, 10:00.", "former"),
    ("It was originally 26 March at 10:00.", "former"),
    ("以前定的是3月26日10点。", "former"),
    ("原本是3月26日10点。", "former"),
]


@pytest.mark.parametrize(("text", "code"), UNCERTAIN)
def test_what_the_writer_does_not_stand_by_is_not_asserted(text: str, code: Code) -> None:
    assert code in refused(SLOT, text)


def test_an_original_price_is_a_former_one() -> None:
    van = Requirement((Claim("number", (380.0,), ("CNY",)),))
    assert refused(van, "380元（原价460元）") == refused(van, "380元，原报价460元") == set()
    assert "former" in refused(van, "原价380元")
