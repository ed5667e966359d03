"""Right texts that were refused once, each kind beside the wrong texts that look like it."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Code, Requirement, Situation, Stance, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
SLOT = Requirement((Claim("date", (date(2026, 3, 26),)), Claim("clock", ("10:00",))))
PLACE = Requirement((Claim("choice", ("雪松", "Cedar"), rivals=(("柳厅", "Willow"), ("Maple", "枫厅"))),))
COUNT = Requirement((Claim("number", (318.0,), of=("赞", "like")), Claim("number", (43.0,), of=("收藏", "save"))))
LIMIT = Requirement((Claim("number", (0.3,), units=("%",), of=("stop", "停")),))
NOT_SATURDAY = Requirement((Claim("clock", ("14:00",), of=("周日", "Sunday"), not_of=("周六", "Saturday")),))
CUT = Requirement((Claim("choice", ("no power", "power cut", "没电", "停电"), rivals=(("枫厅",),)),))
REPAIR = Requirement((Claim("says", ("take it apart", "拆"), is_denied=True),))

REPAIR_HANDS = Requirement((Claim("says", ("hands off", "no need to take it", "take it apart"), is_denied=True),))
LENGTH = Requirement((Claim("number", (40.0,), units=("cm", "")),))
HALF = Requirement((Claim("number", (11000.0,), of=("half", "减半")),), also=("22,000",))
FREIGHT = Requirement(
    (Claim("number", (58000.0,), of=("freight", "空运")), Claim("number", (6000.0,), of=("rebooking", "改期"))),
    also=("400 台", "400"),
)


def refused(wanted: Requirement, text: str, *said: str) -> set[Code]:
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
        (PLACE, "Cedar. Willow and Maple are taken", "Willow. Cedar and Maple are taken"),
        # A negator that is part of the name.
        (CUT, "No power at the plant on 18 March", "There will not be a power cut at the plant"),
        # English words beside Chinese ones.
        (REPAIR, "千万don't拆", "please拆"),
        # Of an abbreviation.
        (PLACE, "Cedar vs. the open desks: Cedar", "Cedar vs. Willow: Willow"),
        # ", was …" is of before only where something else holds.
        (COUNT, "The count, as of last night, was 318 likes and 43 saves", "300 likes, was 318, and 43 saves"),
        # Who asks in quotation marks is not asked.
        (PLACE, 'Cedar asked: "849?" Tell them.', "Is it Cedar?"),
        (PLACE, "雪松问“849？”，你回吧", "问一下是雪松吗？"),
        # A target where a target was asked for is tested below; a draft that it is not is no doubt.
        (PLACE, "Cedar, and that's not a guess", "Cedar, and that's a guess"),
        (PLACE, "是雪松，不是没定的草案", "是雪松，还只是草案"),
        # Counts stand for no price, and shares for no count.
        (
            FREIGHT,
            "Freight of the 400 units, ¥58,000, and the rebooking, ¥6,000",
            "Freight of the 400 units, ¥6,000, rebooking ¥58,000",
        ),
        (FREIGHT, "空运（400 台）58,000，改期 6,000", "空运（400 台）6,000，改期 58,000"),
        # A rival that is given to others.
        (PLACE, "雪松。柳厅留给周会", "柳厅。雪松留给周会"),
        # What is denied beside a rival, or as another count, is not what was claimed.
        (CUT, "停电（不是枫厅没电）", "没有停电，是枫厅没电"),
        (COUNT, "318 likes so far. He has 43 saves, not 318", "It is not 318 likes. He has 43 saves, not 318"),
        # A subject in brackets holds inside of them.
        (NOT_SATURDAY, "No to Sunday (Saturday is fine): 14:00", "Saturday is out (Sunday is fine): 14:00"),
        # The first day is no number.
        (COUNT, "318 likes, 43 saves, the first day of the month", "318 likes, 43 saves, 1 like"),
        # Some metres are centimetres.
        (LENGTH, "It is 0.4 m long", "It is 4 m long"),
        # A name that denies by itself.
        (REPAIR_HANDS, "Hands off the screws", "Take it apart, mind the screws"),
        (REPAIR_HANDS, "No need to take it apart", "You need to take it apart"),
        # What is no longer so, and what is compared with, make room.
        (SLOT, "不在19号了，3月26日10点", "不在3月26日了，19号10点"),
        (SLOT, "We said the 19th first. It's 26 March, 10:00", "We said 26 March, 10:00 first. It's the 19th"),
        (SLOT, "The launch was moved off 19 March; 26 March 10:00 stays", "The launch was moved off 26 March 10:00"),
        (SLOT, "上周还说是19号，现在是3月26日10点。", "上周还说是3月26日10点，现在是19号。"),
        # What was asked, thought or there before is not chosen.
        (PLACE, "You asked about Willow: it's Cedar", "You asked about Cedar: it's Willow"),
        (PLACE, "我先以为是柳厅，其实是雪松", "我先以为是雪松，其实是柳厅"),
        (PLACE, "Cedar. Willow went to the others", "Willow. Cedar went to the others"),
        # No joke.
        (SLOT, "3月26日10点，没开玩笑", "3月26日10点，开玩笑的"),
        (SLOT, "万一你没看到：3月26日10点", "万一下雨：3月26日10点"),
        (SLOT, "26.3., 10 o'clock", "26.4., 10 o'clock"),
        # Those who have nothing else to do.
        (SLOT, "The first slot in which nobody has anything: 26 March, 10:00", "Nobody has 26 March, 10:00"),
        (SLOT, "大家都没安排的时间：3月26日10点", "3月26日10点大家都没说行"),
    ],
)
def test_what_a_clause_does_to_something_else_takes_nothing_back(wanted: Requirement, right: str, wrong: str) -> None:
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
    wanted = Requirement((Claim("number", (899.0,)),), stale=("849",))

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
        ("yes", "Sounds right."),
        ("yes", "I don't see why not."),
        ("yes", "可。"),
        ("no", "I'm afraid she has no idea."),
        ("no", "她完全不知情"),
        ("no", "I have to say no."),
        ("no", "Sunday's a no."),
        ("no", "还没跟她说。"),
        ("no", "No, it won't be possible."),
    ],
)
def test_an_answer_may_be_put_in_many_ways(answer: str, text: str) -> None:
    for other in ("yes", "no"):
        wanted = Requirement(stance=Stance("yes" if other == "yes" else "no", ()))

        assert (refused(wanted, text) == set()) is (other == answer)


def test_what_is_only_denied_as_an_aside_hedges_nothing() -> None:
    assert refused(PLACE, "Cedar. Not the Deck, which you once suggested.") == set()
    assert refused(PLACE, "Cedar. Not sure, you once suggested it.") == {"hedged"}
