"""From what a task file wants of a text to a verdict with its doubts."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from farm.claims import Claim, Judgement, Reason
from farm.score.evidence import Evidence, TaskScore
from farm.score.grade import grade
from farm.score.initial_state import load_start
from farm.score.resolve import Values
from farm.score.texts import wanted_of
from farm.task import Operate, Search, Task

START = load_start("harbor")
VALUES = Values(START, {}, said=["Tell Helen."])
ME = START.account("slack", "lin.wan")


def claim(**raw: Any) -> Claim:
    return wanted_of(VALUES.resolve({"claims": [raw]}, "slack"), "", VALUES.setting).claims[0]


def test_a_day_is_an_offset_from_the_worlds_monday() -> None:
    assert claim(date="+17").values == (date(2026, 3, 26),)
    assert claim(date=["+3", "+4"]).values == (date(2026, 3, 12), date(2026, 3, 13))


def test_an_amount_is_a_number_in_its_currency() -> None:
    assert (claim(amount="MYR 395").values, claim(amount="MYR 395").units) == ((395.0,), ("MYR",))


def test_a_person_is_claimed_by_every_name_only_they_have_and_all_others_are_rivals() -> None:
    found = claim(name="helen.zhou")

    assert {"周海伦", "Helen Zhou", "Zhou Helen", "Helen"} <= set(found.values)
    assert any("林晚" in rival for rival in found.rivals)
    assert not any("Helen Zhou" in rival for rival in found.rivals)


def test_rivals_of_a_table_are_its_other_rows() -> None:
    rivals = {"app": "slack", "table": "channels", "column": "name", "where": {"kind": "channel"}, "all": True}

    found = claim(choice="general", rivals=rivals)

    assert len(found.rivals) > 5
    assert ("general",) not in found.rivals


def test_names_of_one_rival_stand_in_a_list() -> None:
    assert claim(choice="Cove", rivals=["Tide", ["Anchor", "锚点"]]).rivals == (("Tide",), ("Anchor", "锚点"))


def test_kept_text_is_what_the_column_held_unless_the_task_names_it() -> None:
    assert wanted_of({"keeps": True}, "as before", VALUES.setting).keeps == "as before"
    assert wanted_of({"keeps": "this"}, "as before", VALUES.setting).keeps == "this"


# -- verdicts --------------------------------------------------------------------------------------------------------


def posted(text: str) -> TaskScore:
    row = {"channel_id": "C1", "ts": "1.1", "thread_ts": None, "user_id": ME, "text": text}
    change = {"op": "insert", "key": {"channel_id": "C1", "ts": "1.1"}, "old": None, "new": row, "call": 1}
    point = Operate("p", "create", "slack", "messages", {"channel_id": "C1"}, {"text": {"claims": [{"date": "+17"}]}})
    task = Task("t", "s", "T", "harbor", ("slack",), "c", "Say when.", (point,), ())
    return grade(task, Evidence({"slack": {"messages": [change]}}, ()), START)


@pytest.fixture
def doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every text that says *off* be refused, and every one with *hm* be in doubt."""

    def judge(_: object, text: str, __: object) -> Judgement:
        reasons = (Reason("denied", "it is off", 0),) if "off" in text else ()
        return Judgement(reasons, ("hm",) if "hm" in text else ())

    monkeypatch.setattr("farm.claims.judge", judge)


@pytest.mark.usefixtures("doubtful")
@pytest.mark.parametrize(
    ("text", "score", "low", "high"),
    [("fine", 1.0, 1.0, 1.0), ("off", 0.5, 0.5, 0.5), ("fine, hm", 1.0, 0.5, 1.0), ("off, hm", 0.5, 0.5, 1.0)],
)
def test_a_doubt_leaves_the_guess_and_spans_what_it_could_be(text: str, score: float, low: float, high: float) -> None:
    [point] = posted(text).checkpoints

    assert (point.score, point.low, point.high) == (score, low, high)
    assert bool(point.contested) is ("hm" in text)


@pytest.mark.usefixtures("doubtful")
def test_a_contested_text_says_what_it_ought_to_say_and_why_it_is_in_doubt() -> None:
    [contested] = posted("off, hm").checkpoints[0].contested

    assert (contested.place, contested.text, contested.guess) == ("text", "off, hm", False)
    assert contested.wanted[0] == "to say date 2026-03-26"
    assert contested.doubts == ("hm",)


@pytest.mark.usefixtures("doubtful")
def test_an_answer_in_doubt_spans_from_nothing_to_all() -> None:
    point = Search("s", "personal_search", {"claims": [{"date": "+17"}], "judge": "Is it said?"})
    task = Task("t", "s", "T", "harbor", ("slack",), "c", "When?", (point,), ())

    [found] = grade(task, Evidence({}, (), "fine, hm"), START).checkpoints

    assert (found.score, found.low, found.high) == (1.0, 0.0, 1.0)
    assert found.contested[0].question == "Is it said?"


def test_a_text_that_says_it_is_accepted_and_one_that_denies_it_is_not() -> None:
    assert posted("It is on 26 March.").acc == 1.0
    assert posted("It is not on 26 March.").acc == 0.5
