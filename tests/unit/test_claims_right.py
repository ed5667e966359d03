"""Right texts that were refused once, each kind beside the wrong texts that look like it."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.claims import Claim, Code, Situation, Stance, Wanted, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
SLOT = Wanted((Claim("date", (date(2026, 3, 26),)), Claim("clock", ("10:00",))))
PLACE = Wanted((Claim("choice", ("雪松", "Cedar"), rivals=(("柳厅", "Willow"), ("Maple", "枫厅"))),))
COUNT = Wanted((Claim("number", (318.0,), of=("赞", "like")), Claim("number", (43.0,), of=("收藏", "save"))))
LIMIT = Wanted((Claim("number", (0.3,), units=("%",), of=("stop", "停")),))
NOT_SATURDAY = Wanted((Claim("clock", ("14:00",), of=("周日", "Sunday"), not_of=("周六", "Saturday")),))
CUT = Wanted((Claim("choice", ("no power", "power cut", "没电", "停电")),))
REPAIR = Wanted((Claim("says", ("take it apart", "拆"), is_denied=True),))


def refused(wanted: Wanted, text: str, *said: str) -> set[Code]:
    """Return why a text is refused."""
    return {reason.code for reason in judge(wanted, text, Situation(NOW, said)).reasons}


@pytest.mark.parametrize(
    ("wanted", "right", "wrong"),
    [
        # What a bracket denies ends with it.
        (COUNT, "318 赞（不是 200）、43 收藏", "（不是 318 赞、43 收藏）"),
        (COUNT, "318 likes (not 200), 43 saves", "no 318 likes (yes, 43 saves)"),
        # What is not cancelled holds.
        (SLOT, "26 March, 10:00, not cancelled", "26 March, 10:00, cancelled"),
        (SLOT, "3月26日10点，没取消", "3月26日10点，取消了"),
        (SLOT, "26 March, 10:00 hasn't been postponed.", "26 March, 10:00 has been postponed."),
        (SLOT, "3月26日10点没有作废", "3月26日10点作废了"),
        # Another time is denied, not the one that was told.
        (SLOT, "26 March at 10:00, not yet at the weekend", "26 March at 10:00, not yet"),
        # What is not reached is told, what does not hold is not.
        (LIMIT, "We are nowhere near the 0.3 % stop line.", "We do not stop at 0.3 %."),
        (LIMIT, "还没碰到 0.3% 那条停线", "停线不是 0.3%"),
        # A new subject begins anew.
        (NOT_SATURDAY, "周六我在，周日不行：14:00 有事", "周日我在，周六不行：14:00 有事"),
        (
            NOT_SATURDAY,
            "Saturday is fine, Sunday isn't: at 14:00 I am in Suzhou",
            "Sunday is fine, Saturday has something at 14:00",
        ),
        # What is struck out was.
        (SLOT, "26 March, ~09:00~ 10:00", "26 March, ~10:00~ 09:00"),
        (SLOT, "~~19 March~~ 26 March, 10:00", "~~26 March~~ 19 March, 10:00"),
        # One predicate for a list of rivals.
        (PLACE, "雪松。柳厅、枫厅都没了", "柳厅。雪松、枫厅都没了"),
        (PLACE, "Cedar. Willow and Maple are taken", "Willow. Cedar and Maple are taken"),
        # A negator that is part of the name.
        (CUT, "No power at the plant on 18 March", "There will not be a power cut at the plant"),
        # English words beside Chinese ones.
        (REPAIR, "千万don't拆", "please拆"),
        # Of an abbreviation.
        (PLACE, "Cedar vs. the open desks: Cedar", "Cedar vs. Willow: Willow"),
        # ", was …" is of before only where something else holds.
        (COUNT, "The count, as of last night, was 318 likes and 43 saves", "300 likes, was 318, and 43 saves"),
        # Those who have nothing else to do.
        (SLOT, "The first slot in which nobody has anything: 26 March, 10:00", "Nobody has 26 March, 10:00"),
        (SLOT, "大家都没安排的时间：3月26日10点", "3月26日10点大家都没说行"),
    ],
)
def test_what_a_clause_does_to_something_else_takes_nothing_back(wanted: Wanted, right: str, wrong: str) -> None:
    assert refused(wanted, right) == set()
    assert refused(wanted, wrong) != set()


@pytest.mark.parametrize(
    "text",
    [
        "(first quoted as 849) It is 899.",
        "849 那个数旧了，现在 899",
        "849 was named first, it is 899.",
        "The 849 is from before that; it is 899.",
    ],
)
def test_an_outdated_value_may_be_told_as_such(text: str) -> None:
    wanted = Wanted((Claim("number", (899.0,)),), stale=("849",))

    assert refused(wanted, text) == set()


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("yes", "Yes, no second round needed."),
        ("yes", "Yes, sorry for leaving you on hold."),
        ("yes", "我不是不同意，同意的"),
        ("yes", "Yes. It won't be Daniel, Marcus does it."),
        ("yes", "听你的！"),
        ("yes", "You're right."),
        ("no", "Sunday's a no."),
        ("no", "还没跟她说。"),
        ("no", "No, it won't be possible."),
    ],
)
def test_an_answer_may_be_put_in_many_ways(answer: str, text: str) -> None:
    for other in ("yes", "no"):
        wanted = Wanted(stance=Stance("yes" if other == "yes" else "no", ()))

        assert (refused(wanted, text) == set()) is (other == answer)
