"""What one who knew only the documentation expected: values bind to their subjects, moves and answers are read."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Requirement, Situation, Stance, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
ANNA, BOB, CLEO = ("Anna", "安娜"), ("Bob", "小波"), ("Cleo", "可丽")
VOTES = Requirement(
    (
        Claim("number", (4.0,), of=ANNA, not_of=(*BOB, *CLEO)),
        Claim("number", (9.0,), of=BOB, not_of=(*ANNA, *CLEO)),
        Claim("number", (2.0,), of=CLEO, not_of=(*ANNA, *BOB)),
    )
)
RETAIL, DISTRIBUTOR = ("retail", "零售"), ("distributor", "分销")
PRICES = Requirement(
    (
        Claim("amount", (179.0,), ("SGD",), of=RETAIL, not_of=DISTRIBUTOR),
        Claim("amount", (118.0,), ("SGD",), of=DISTRIBUTOR, not_of=RETAIL),
    )
)
SEATS = Requirement((Claim("number", (14.0,), of=("Polaris", "北斗")),))
DAY = Requirement((Claim("date", (date(2026, 4, 3),)),))
SIGNED = Requirement(stance=Stance("yes", ("sign", "签")))
ISSUE = Requirement((Claim("id", ("EMB-424",)),))


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (VOTES, "Anna has 4 votes, Bob has 9 and Cleo has 2."),
        (VOTES, "安娜有 4 票，小波有 9 票，可丽有 2 票。"),
        (PRICES, "S$179 retail and S$118 distributor"),
        (PRICES, "S2 retail is S$179, the distributor price is S$118."),
        (PRICES, "零售价 S$179，分销价 S$118。"),
        (SEATS, "Polaris: 14 seats"),
        (SIGNED, "I'll sign."),
        (SIGNED, "我不反对签。"),
        (ISSUE, "EMB424"),
        (ISSUE, "emb 424"),
    ],
)
def test_values_bind_to_the_subjects_beside_them(wanted: Requirement, text: str) -> None:
    assert judge(wanted, text, Situation(NOW)).reasons == ()


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (VOTES, "Anna has 9 votes, Bob has 4 and Cleo has 2."),
        (VOTES, "The counts are 9, 4 and 2."),
        (PRICES, "S$118 retail and S$179 distributor"),
        (PRICES, "零售价 S$118，分销价 S$179。"),
        (SEATS, "Polaris, 14 seats and 31 seats."),
        (DAY, "不改到4月3日"),
        (DAY, "没有改到4月3日"),
        (DAY, "4月3日就算了。"),
        (SIGNED, "Finance must sign first. Retail S$179."),
        (SIGNED, "I'll sign once finance has signed. It is fine."),
        (ISSUE, "EMB425"),
    ],
)
def test_what_binds_to_another_or_is_not_moved_to_is_refused(wanted: Requirement, text: str) -> None:
    assert not judge(wanted, text, Situation(NOW)).ok


@pytest.mark.parametrize(
    ("wanted", "text"),
    [(VOTES, "4, 9 and 2."), (PRICES, "S$179 and S$118.")],
)
def test_values_in_the_order_in_which_they_were_asked_for_need_no_subject(wanted: Requirement, text: str) -> None:
    assert judge(wanted, text, Situation(NOW)).ok
