"""A verdict says when it may be wrong, and only then."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Judgement, Requirement, Situation, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
SLOT = Requirement((Claim("date", (date(2026, 3, 26),)), Claim("clock", ("10:00",))))
PRICE = Requirement((Claim("number", (899.0,)),))
TITLE = Requirement((Claim("choice", ("Nordlicht", "order plan")),))


def judged(wanted: Requirement, text: str, *said: str) -> Judgement:
    """Return what comes of a text."""
    return judge(wanted, text, Situation(NOW, said))


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (SLOT, "It's 26 March at 10:00."),
        (SLOT, "3月26日上午10点，到时候见。"),
        (SLOT, "Not on 26 March, but on 27 March at 10:00."),
        (SLOT, "Is it 26 March at 10:00?"),
        (SLOT, "27 March, 11:00"),
        (PRICE, "¥899"),
        (TITLE, "Nordlicht: order plan"),
    ],
)
def test_what_is_plainly_said_or_not_said_is_sure(wanted: Requirement, text: str) -> None:
    assert judged(wanted, text).sure


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (PRICE, "正确价 899，顺便告诉他首周立减 50。"),
    ],
)
def test_what_may_turn_a_claim_round_unseen_makes_an_acceptance_unsure(wanted: Requirement, text: str) -> None:
    judgement = judged(wanted, text)

    assert judgement.ok
    assert judgement.doubts


def test_one_firm_reason_makes_a_refusal_sure() -> None:
    judgement = judged(Requirement((*PRICE.claims, *SLOT.claims)), "正确价 899，另有 3,360 的卡片。")

    assert not judgement.ok
    assert judgement.sure
