"""What a text names only to put it away is no further value: each construction in right and wrong pairs."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Code, Requirement, Situation, Stance, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
DAY = Claim("date", (date(2026, 3, 26),))
HOUR = Claim("clock", ("10:00",))
ROOM = Claim("choice", ("雪松", "Cedar"), rivals=(("柳厅", "Willow"), ("枫厅", "Maple")))
SHARE = Claim("number", (6.3,), ("%",))
SLOT = Requirement((DAY, HOUR), stale=("19 March", "7:10"))
PLACE = Requirement((ROOM,))
RATE = Requirement((SHARE,), stale=("4 %",))


def refused(wanted: Requirement, text: str, *said: str) -> set[Code]:
    """Return why a text is refused."""
    return {reason.code for reason in judge(wanted, text, Situation(NOW, said)).reasons}


PUT_AWAY = [
    (SLOT, "26 March, 10:00. If a template still shows 19 March, that's the old plan."),
    (SLOT, "26 March, 10:00. Whoever still has 19 March in the deck is looking at a stale page."),
    (SLOT, "26 March, 10:00 (the 19 March in the first mail was a slip)."),
    (SLOT, "3月26日10点；还写着19号的那几份都是老黄历。"),
    (SLOT, "3月26日10点。19号那版请忽略。"),
    (SLOT, "3月26日10点，7:10是手滑。"),
    (SLOT, "26 March, 10:00. Have a good Monday!"),
    (PLACE, "Cedar it is, nobody needs to walk over to Willow."),
    (PLACE, "雪松，别听错成柳厅。"),
    (PLACE, "Cedar. Willow would be overkill."),
    (PLACE, "雪松。柳厅、枫厅都比它大。"),
    (RATE, 'It is 6.3 %. The "about 4 %" was a guess from the first day.'),
    (RATE, "6.3%，4%那个是太早的估计。"),
    (RATE, "It is 6.3 %. Neither the 4 % that went round nor anything else holds."),
]


@pytest.mark.parametrize(("wanted", "text"), PUT_AWAY)
def test_what_is_put_away_is_no_further_value(wanted: Requirement, text: str) -> None:
    assert refused(wanted, text) == set()


SAID_BESIDE = [
    (SLOT, "26 March, 10:00, and 19 March as a fallback."),
    (SLOT, "3月26日10点，19号也可以。"),
    (SLOT, "26 March, 10:00. 19 March still stands, too."),
    (SLOT, "19 March, 10:00. Whoever has 26 March is looking at a stale page."),
    (PLACE, "Cedar. Willow is fine, too."),
    (PLACE, "雪松，柳厅备着。"),
    (PLACE, "雪松，不行就用柳厅。"),
    (PLACE, "雪松和柳厅还挂着旧牌子。"),
    (RATE, "6.3 % there and 4 % here."),
]


@pytest.mark.parametrize(("wanted", "text"), SAID_BESIDE)
def test_what_is_said_beside_is_one(wanted: Requirement, text: str) -> None:
    assert refused(wanted, text)


def test_a_claimed_value_is_denied_where_it_is_put_away_for_another() -> None:
    wanted = Requirement((HOUR,), also=("16:00",))

    assert refused(wanted, "16:00。之前邮件里的10:00请忽略。") == {"denied"}
    assert refused(wanted, "10:00。之前邮件里的16:00请忽略。") == set()


def test_a_value_of_a_subject_that_the_task_sets_apart_is_none_of_the_claim() -> None:
    wanted = Requirement((Claim("number", (4312.0,), not_of=("Shanghai",)),))

    assert refused(wanted, "4,312 people reserved; 1,108 of them in Shanghai.") == set()
    assert refused(wanted, "4,312 people reserved; 1,108 of them paid.") == {"extra"}


def test_a_share_behind_or_is_no_alternative() -> None:
    count = Requirement((Claim("number", (600.0,)), SHARE))

    assert refused(count, "38 out of 600, or 6.3 %.") == set()
    assert "rival" in refused(count, "38 out of 600 or 480, 6.3 %.")


@pytest.mark.parametrize(
    "text",
    ["I'd have loved that, but no.", "恐怕真的去不了。"],
)
def test_a_no_may_be_put_politely(text: str) -> None:
    assert refused(Requirement(stance=Stance("no", ("去",))), text) == set()


def test_what_is_said_of_an_old_day_answers_nothing() -> None:
    wanted = Requirement((DAY,), Stance("yes", ("改",)))

    assert refused(wanted, "可以，3月26日。表上那个19号没人改，别被它带偏。") == set()
    assert refused(wanted, "3月26日那个没人改，先别动。") != set()


SURE = [
    "26 March, 10:00. Please don't turn up on 19 March, that plan is dead.",
    "3月26日10点，别按原来的19号来。",
    "26 March, 10:00. Thanks for your patience, and enjoy your evening!",
    "26 March at 10:00. Send it before 12:00.",
]


@pytest.mark.parametrize("text", SURE)
def test_what_is_put_away_leaves_no_doubt(text: str) -> None:
    assert judge(Requirement((DAY, HOUR), also=("12:00",)), text, Situation(NOW)).sure
