"""Numbers that are told by a comparison, a conversion, a heading or two moments."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Code, Requirement, Situation
from farm.benchmark.scoring.claims.verdict import features_of, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
LEAD = Requirement((Claim("number", (47.0,), of=("Ada", "艾达"), not_of=("Bo", "阿博")),), also=("211", "164"))
SALES = Requirement(
    (
        Claim("amount", (5.4e9,), ("CNY",), of=("Ada", "艾达"), not_of=("Bo", "阿博")),
        Claim("amount", (5.1e9,), ("CNY",), of=("Bo", "阿博"), not_of=("Ada", "艾达")),
        Claim("says", ("Ada is ahead", "艾达高"), rivals=(("Bo is ahead",), ("阿博高",)), is_implied=True),
    )
)
DRIVE = Requirement((Claim("number", (17.0,), ("km",)), Claim("number", (26.0,), ("min",))))
OUTAGE = Requirement(
    (Claim("date", (date(2026, 3, 20),)), Claim("date", (date(2026, 3, 22),)), Claim("span", (("20:00", "12:00"),)))
)
CALL = Requirement((Claim("clock", ("10:00",)),))


def found_faults(wanted: Requirement, text: str) -> set[Code]:
    """Return the faults that the rules find, whatever the learned weights make of them."""
    found = features_of(wanted, text, Situation(NOW))
    codes: set[Code] = {"missing", "extra", "other_subject", "stale", "denied", "former"}
    return {code for code in codes if f"={code}" in found}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Ada was ahead of Bo by 47.", "Bo was ahead of Ada by 47."),
        ("Ada beat Bo by 47.", "Bo beat Ada by 47."),
        ("Bo brought 47 fewer than Ada.", "Bo brought 47 more than Ada."),
        ("Lead of Ada over Bo: 47", "Lead of Bo over Ada: 47"),
        ("艾达领先阿博 47。", "阿博领先艾达 47。"),
        ("艾达比阿博多 47。", "阿博比艾达多 47。"),
    ],
)
def test_a_lead_belongs_to_the_one_who_leads(right: str, wrong: str) -> None:
    assert found_faults(LEAD, right) == set()
    assert "other_subject" in found_faults(LEAD, wrong)


@pytest.mark.parametrize(
    "text",
    [
        "艾达高：54 亿元 vs 阿博 51 亿元。",
        "艾达 54 亿元 > 阿博 51 亿元",
        "| 公司 | 亿元 |\n|---|---|\n| 艾达 | 54 |\n| 阿博 | 51 |",
        "Ada 5.4 billion yuan, Bo 5.1 billion yuan.",
        "阿博比艾达低：51 亿元对 54 亿元。",
    ],
)
def test_two_amounts_imply_which_is_higher(text: str) -> None:
    assert found_faults(SALES, text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "艾达 54 亿元，阿博 51 亿元，阿博高。",
        "艾达高：51 亿元 vs 阿博 54 亿元。",
        "| 公司 | 万元 |\n|---|---|\n| 艾达 | 54 |\n| 阿博 | 51 |",
    ],
)
def test_what_is_implied_may_not_be_contradicted(text: str) -> None:
    assert found_faults(SALES, text)


def test_a_number_before_it_was_rounded_is_no_further_value() -> None:
    assert found_faults(DRIVE, "17 km, 26 minutes (17,175 metres and 1,570 seconds).") == set()
    assert "extra" in found_faults(DRIVE, "17 km, 26 minutes (18,175 metres and 1,570 seconds).")


def test_a_share_or_difference_of_claimed_values_is_no_further_value() -> None:
    wanted = Requirement((Claim("amount", (3040.0,), ("CNY",)), Claim("amount", (1520.0,), ("CNY",))))

    assert found_faults(wanted, "¥3,040 in all, ¥1,520 now (50 %).") == set()
    assert "extra" in found_faults(wanted, "¥3,040 in all, ¥1,520 now (40 %).")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "It's back on Sunday 22 March at 12:00; it goes off on Friday 20 March at 20:00.",
            "It goes off on Friday 20 March at 12:00; it's back on Sunday 22 March at 20:00.",
        ),
        (
            "down: Fri 20 March, 20:00\nback: Sun 22 March, 12:00",
            "down: Fri 20 March, 12:00\nback: Sun 22 March, 20:00",
        ),
        (
            "| goes down | Friday 20 March | 20:00 |\n| is back | Sunday 22 March | 12:00 |",
            "| goes down | Friday 20 March | 12:00 |\n| is back | Sunday 22 March | 20:00 |",
        ),
    ],
)
def test_a_span_may_be_told_as_two_moments(right: str, wrong: str) -> None:
    assert found_faults(OUTAGE, right) == set()
    assert "missing" in found_faults(OUTAGE, wrong)


@pytest.mark.parametrize("more", ["It was in a mail of 2 March.", "So all of Saturday is out."])
def test_a_past_day_and_a_day_within_the_span_are_no_further_days(more: str) -> None:
    told = "The network is off from Friday 20 March 20:00 until Sunday 22 March 12:00."

    assert found_faults(OUTAGE, f"{told} {more}") == set()
    assert "extra" in found_faults(OUTAGE, f"{told} On 25 March, too.")


@pytest.mark.parametrize("text", ["At 10:00 (02:00 UTC).", "10:00, which is 3 am in Berlin.", "10点，柏林时间凌晨3点"])
def test_a_clock_of_another_zone_is_converted(text: str) -> None:
    assert found_faults(CALL, text) == set()


@pytest.mark.parametrize("text", ["At 10:00 Berlin time.", "10:00 (03:00 UTC)", "10:00 GMT"])
def test_a_clock_of_another_zone_is_no_local_one(text: str) -> None:
    assert found_faults(CALL, text)


def test_an_hour_asked_for_in_another_zone_stays_as_it_is() -> None:
    wanted = Requirement((Claim("clock", ("03:00",), of=("Berlin",)),))

    assert judge(wanted, "03:00 in Berlin.", Situation(NOW)).ok
