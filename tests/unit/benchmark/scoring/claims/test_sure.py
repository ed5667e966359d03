"""What may turn a text round: refused where it must, accepted and unsure where it may, and no more than that."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Requirement, Situation, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
SLOT = Requirement((Claim("date", (date(2026, 3, 26),)), Claim("clock", ("10:00",))))
RATE = Requirement((Claim("number", (6.3,), units=("%",)), Claim("number", (38.0,))))

STOOD_BY = [
    "26 March at 10:00. Ann confirmed it, nobody has objected.",
    "It's 26 March, 10:00. I agreed to that last week.",
    "26 March at 10:00; the calendar shows the same.",
    "26 March, 10:00. I couldn't find any clash.",
    "26 March at 10:00, I checked it twice.",
    "26 March at 10:00. No one disagrees.",
    "3月26日10点，我已经答应了。",
    "3月26日10点，没人不同意。",
    "3月26日10点，日历里写的也是这个。",
    "3月26日10点，安跟我核对过。",
    "3月26日10点，我自己定的。",
]

# Clauses that turn a text round in words of which no rule knows.
TURNED = [
    "26 March at 10:00. Ann wrapped it up weeks ago, ticked off.",
    "26 March at 10:00, Ann got bumped.",
    "3月26日10点，已经告一段落，归档。",
    "3月26日10点，小周临了打退堂鼓。",
    "3月26日10点，安昨夜把它收走。",
]
PLAIN = [
    "26 March at 10:00. See you there.",
    "26 March, 10:00. Thanks for asking!",
    "3月26日10点，记得带证件。",
]

# A clause, a question or a condition of its own takes nothing back.
OF_ITS_OWN = [
    (RATE, "Not 4 %, that was Bob's estimate: 38 lamps, 6.3 %."),
    (RATE, "5 % is gossip: we counted 38, 6.3 %."),
    (RATE, "不是 4 %，频闪现在 6.3%；一共 38 块。"),
    (SLOT, "It's 26 March at 10:00, could you write back to Bob?"),
    (SLOT, "3月26日10点，你去回一句？"),
    (SLOT, "26 March at 10:00. Don't be late or Bob will start without us."),
    (SLOT, "3月26日10点，定好了～别忘了带票。"),
    (SLOT, "It used to start at 9:00 on 26 March. It now starts at 10:00."),
    (SLOT, "3月26日10点，过时不候。"),
    (SLOT, "3月26日10点，要等半小时。"),
]
TAKEN_BACK = [
    (RATE, "Bob's estimate: 38 lamps, 6.3 %. Rumour has it."),
    (RATE, "小周的传言：38 块，6.3%。"),
    (RATE, "38 of them, 6.3 %, so scrap that."),
    (RATE, "不是 6.3%，也不是 38 块。"),
    (SLOT, "Is it 26 March at 10:00, or something else?"),
    (SLOT, "3月26日10点？是这个吗，你问问安"),
    (SLOT, "3月26日10点，要是不下雨的话。"),
    (SLOT, "It used to be on 26 March at 10:00. It now is on 27 March at 9:00."),
    (SLOT, "3月26日10点，那是过时的安排。"),
    (SLOT, "3月26日10点，要等老板点头。"),
    (SLOT, "26 March at 10:00, once the board agrees."),
    (SLOT, "来得及才放在3月26日10点。"),
]


@pytest.mark.parametrize("text", STOOD_BY)
def test_what_is_stood_by_is_accepted(text: str) -> None:
    assert judge(SLOT, text, Situation(NOW)).reasons == ()


@pytest.mark.parametrize("text", TURNED)
def test_a_sign_that_turns_texts_round_leaves_none_surely_accepted(text: str) -> None:
    judgement = judge(SLOT, text, Situation(NOW))

    assert not (judgement.ok and judgement.sure)


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_plain_is_surely_accepted(text: str) -> None:
    assert judge(SLOT, text, Situation(NOW)).reasons == ()
    assert judge(SLOT, text, Situation(NOW)).doubts == ()


@pytest.mark.parametrize(("wanted", "text"), OF_ITS_OWN)
def test_a_clause_of_its_own_takes_nothing_back(wanted: Requirement, text: str) -> None:
    assert judge(wanted, text, Situation(NOW)).reasons == ()


@pytest.mark.parametrize(("wanted", "text"), TAKEN_BACK)
def test_its_neighbour_that_is_about_the_claim_does(wanted: Requirement, text: str) -> None:
    assert not judge(wanted, text, Situation(NOW)).ok
