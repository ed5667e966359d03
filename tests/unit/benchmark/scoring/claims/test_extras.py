"""What else a text may assert, which text of the start it keeps, and what it may not name."""

from __future__ import annotations

import time
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Code, Requirement, Situation, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
DAY = Claim("date", (date(2026, 3, 26),))
HOUR = Claim("clock", ("10:00",))
SEATS = Claim("number", (4.0,), of=("seat", "座"))
PRICE = Claim("amount", (395.0,), ("MYR",))
SLOT = Requirement((DAY, HOUR))


def refused(wanted: Requirement, text: str, *said: str) -> set[Code]:
    """Return why a text is refused."""
    return {reason.code for reason in judge(wanted, text, Situation(NOW, said)).reasons}


@pytest.mark.parametrize(
    "text",
    [
        "26 March 10:00–11:00",
        "26 March, 10:00, for 30 minutes.",
        "3月26日10点，一共 3 个人。",
        "26 March 10:00, as I told you today.",
        "26 March, 10:00, not 27 March.",
        "It was 19 March at 9:00, it is now 26 March at 10:00.",
    ],
)
def test_a_span_a_length_and_what_is_denied_or_over_may_stand_beside(text: str) -> None:
    assert refused(SLOT, text) == set()


def test_a_few_days_that_are_over_may_stand_beside_a_day_and_a_list_of_them_may_not() -> None:
    bought = Requirement((Claim("date", (date(2026, 2, 17),)),))
    assert refused(bought, "Bought on 17 February, asked about on 20 February and again on 2 March.") == set()
    diary = ", ".join(f"{day} February" for day in range(12, 24))
    assert refused(bought, f"The diary has {diary}.") == {"extra"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("26 March 10:00, and a second one on 27 March.", "extra"),
        ("3月26日10点，27日再来一次。", "extra"),
        ("24 March, 25 March, 26 March, 27 March, 10:00", "extra"),
        ("3月26日：9:00、9:30、10:00、10:30", "extra"),
        ("26 March or 27 March, 10:00", "rival"),
    ],
)
def test_a_further_day_or_hour_is_refused(text: str, code: Code) -> None:
    assert code in refused(SLOT, text)


def test_what_the_instruction_names_may_be_said_but_not_what_is_stale() -> None:
    asked = "Tell them that the one of 19 March is now on the 26th at ten."

    assert refused(SLOT, "26 March 10:00, the day after the dinner of 19 March.", asked) == set()
    assert "extra" in refused(SLOT, "26 March 10:00, the day after the dinner of 18 March.", asked)
    assert "stale" in refused(Requirement((DAY, HOUR), stale=("19 March",)), "26 March 10:00, and 19 March.", asked)


def test_the_whole_of_a_claimed_part_is_no_further_number() -> None:
    assert refused(Requirement((SEATS,)), "seats: 4 (of 23)") == set()
    assert "extra" in refused(Requirement((SEATS,)), "seats: 4 and 23")


def test_kinds_that_are_free_may_be_said() -> None:
    assert refused(Requirement((DAY, HOUR), free=("date",)), "26 March 10:00, and again on 27 March.") == set()
    assert "extra" in refused(Requirement((DAY, HOUR), free=("date",)), "26 March 10:00, and again at 11:15.")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("MYR 395", set()),
        ("RM395, not the retail price of RM 599.", set()),
        ("less with a minus: −395 MYR", set()),
        ("MYR 599 incl. tax; 395 is the old price.", {"former", "missing", "extra"}),
        ("MYR 599 含税；395 是旧价。", {"former", "missing", "extra"}),
        ("MYR 395 or MYR 399", {"rival"}),
        ("S$395", {"missing"}),
        ("MYR 394, MYR 395, MYR 396", {"extra"}),
    ],
)
def test_an_amount_has_its_currency_and_no_rival(text: str, codes: set[Code]) -> None:
    found = refused(Requirement((PRICE,)), text)

    assert bool(found) == bool(codes)
    assert not codes or found & codes


def test_an_id_may_not_stand_beside_others_of_its_kind() -> None:
    wanted = Requirement((Claim("id", ("AB-424",)),))

    assert refused(wanted, "It's AB-424.") == set()
    assert refused(wanted, "It's AB-424, not AB-425.") == set()
    assert refused(wanted, "AB-424 or AB-425") == {"rival"}
    assert refused(wanted, "AB-423, AB-424, AB-425") == {"extra"}

    assert "missing" in refused(wanted, "It's AB-4241.")
    assert refused(wanted, "AB-424, next to AB-425", "Which one stands next to AB-425?") == set()


def test_a_span_has_both_ends() -> None:
    wanted = Requirement((Claim("span", (("15:00", "16:30"),)),))

    assert refused(wanted, "From 15:00 to 16:30.") == set()
    assert refused(wanted, "下午三点到四点半") == set()
    assert refused(wanted, "3–4:30pm") == set()
    assert "missing" in refused(wanted, "15:00–16:00")
    assert "missing" in refused(wanted, "15:00")
    assert "missing" in refused(wanted, "16:30 to 15:00")


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("Blue case, spare key inside. 4 seats", True),
        ("4 seats. Blue case, spare key inside.", True),
        ("Blue case, spare key inside.\n4 seats", True),
        ("BLUE CASE, spare key inside — 4 seats", True),
        ("Blue case. 4 seats", False),
        ("Blue case, no spare key inside. 4 seats", False),
        ("Blue case, spare key inside. Blue case, spare key inside. 4 seats", False),
        ("4 seats", False),
        ("Blue case, spare key inside. 5 seats", False),
    ],
)
def test_the_text_of_the_start_stands_whole_and_once(text: str, is_right: bool) -> None:
    found = refused(Requirement((SEATS,), keeps="Blue case, spare key inside."), text)

    assert (not found) == is_right


def test_what_may_not_be_named_is_not_named() -> None:
    wanted = Requirement((HOUR,), bans=("dress", "礼服"))

    assert refused(wanted, "At 10:00 I'm busy.") == set()
    assert refused(wanted, "At 10:00 for the dress.") == {"banned"}
    assert refused(wanted, "10:00 试礼服") == {"banned"}
    assert refused(wanted, "At 10:00, here is my address.") == set()


@pytest.mark.parametrize(
    "text",
    [
        " ".join(str(number) for number in range(5000)),
        "、".join(f"{month}月{day}日" for month in range(1, 13) for day in range(1, 29)),
        " ".join(f"{hour:02}:{minute:02}" for hour in range(24) for minute in range(0, 60, 15)),
    ],
)
def test_who_dumps_every_candidate_says_none(text: str) -> None:
    assert refused(Requirement((DAY,)), text)
    assert refused(Requirement((HOUR,)), text)
    assert refused(Requirement((Claim("number", (424.0,)),)), text)


@pytest.mark.parametrize(
    "text",
    [
        "3–" * 50_000,
        "10:00 " * 20_000,
        "小湾不是" * 25_000,
        "(b)" * 1_300,
        "if not maybe 26 March or " * 150,
        "不是" * 1_900,
        "“a”" * 1_300,
        "| a " * 1_000,
        "twenty hundred " * 260,
        "\n" * 3_900,
    ],
)
def test_no_text_costs_more_than_its_length(text: str) -> None:
    start = time.process_time()
    found = refused(Requirement((DAY, HOUR, SEATS)), text)
    spent = time.process_time() - start

    assert found
    assert spent < 3, "before texts were bounded the worst took 18 s; a slow machine has room"


def test_a_text_that_is_too_long_is_said_to_be_unread() -> None:
    assert refused(Requirement((DAY,)), "26 March " * 12_000) == {"unread"}
    assert refused(Requirement((DAY,)), "26 March, 10:00, 4 seats. " * 100) == {"unread"}
