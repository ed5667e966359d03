"""From what a task file wants of a text to a verdict with its doubts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from itertools import permutations
from typing import Any

import pytest

from farm.benchmark.scoring.claims import Claim, Judgement, Reason, Requirement, Situation, Stance
from farm.benchmark.scoring.evidence import Contested, Evidence, TaskScore
from farm.benchmark.scoring.findings import Finding
from farm.benchmark.scoring.grade import grade
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.texts import judge_text, wanted_of
from farm.benchmark.tasks import Operate, Search, Task

START = load_start("harbor")
VALUES = ValueResolver(START, {}, said=["Tell Helen."])
ME = START.account("slack", "lin.wan")


def claim(**raw: Any) -> Claim:
    return wanted_of(VALUES.resolve({"claims": [raw]}, "slack"), "", VALUES.clock_context).claims[0]


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
    assert claim(choice="general", rivals=["Tide", rivals]).rivals == (("Tide",), *found.rivals)
    assert ("general",) not in found.rivals


def test_a_row_that_bears_the_claimed_name_is_no_rival_and_a_name_in_two_languages_is_two() -> None:
    rooms = {"app": "lark", "table": "rooms", "column": "name", "all": True}
    polaris = claim(number=14, of=["北斗", "Polaris"], not_of=rooms).not_of

    rivals = claim(choice=["北斗", "Polaris"], rivals=rooms).rivals

    assert ("灯塔 Lighthouse", "灯塔", "Lighthouse") in rivals
    assert not any("北斗" in name for group in rivals for name in group)
    assert "Lighthouse" in polaris
    assert not any("北斗" in name for name in polaris)


def test_names_of_one_rival_stand_in_a_list() -> None:
    assert claim(choice="Cove", rivals=["Tide", ["Anchor", "锚点"]]).rivals == (("Tide",), ("Anchor", "锚点"))


def test_kept_text_is_what_the_column_held_unless_the_task_names_it() -> None:
    assert wanted_of({"keeps": True}, "as before", VALUES.clock_context).keeps == "as before"
    assert wanted_of({"keeps": "this"}, "as before", VALUES.clock_context).keeps == "this"


def test_every_key_of_a_claim_reaches_the_judge() -> None:
    full = claim(number=3, unit=["cm", "mm"], of=["lamp", "灯"], not_of=["box", ["bag", "袋"]], beside="Cove")

    assert (full.kind, full.values, full.units) == ("number", (3.0,), ("cm", "mm"))
    assert (full.of, full.not_of, full.beside) == (("lamp", "灯"), ("box", "bag", "袋"), ("Cove",))
    assert (full.is_former, full.is_denied) == (False, False)
    assert claim(says="free", former=True).is_former
    assert claim(says=["free", "空"], denied=True) == Claim("says", ("free", "空"), is_denied=True)


@pytest.mark.parametrize(
    ("raw", "kind", "values"),
    [
        ({"date": ["+17", "+18"]}, "date", (date(2026, 3, 26), date(2026, 3, 27))),
        ({"clock": "15:00"}, "clock", ("15:00",)),
        ({"clock": ["15:00", "16:00"]}, "clock", ("15:00", "16:00")),
        ({"span": ["10:00", "11:00"]}, "span", (("10:00", "11:00"),)),
        ({"number": 3}, "number", (3.0,)),
        ({"amount": "MYR 395.5"}, "amount", (395.5,)),
        ({"choice": ["Cove", "海湾"]}, "choice", ("Cove", "海湾")),
        ({"id": "EMB-424"}, "id", ("EMB-424",)),
        ({"says": "free"}, "says", ("free",)),
    ],
)
def test_a_kind_of_value_is_claimed_as_what_it_is(raw: dict[str, Any], kind: str, values: tuple[Any, ...]) -> None:
    found = claim(**raw)

    assert (found.kind, found.values) == (kind, values)
    assert found.rivals == ()


def test_who_is_claimed_is_one_thing_by_many_names() -> None:
    found = claim(name="chen.mei", rivals=["everybody"])

    assert found.kind == "choice"
    assert found.rivals[0] == ("everybody",)
    # Everybody else but Helen, whom the request names, is a rival: she may be addressed.
    rivals = {names[0] for names in found.rivals[1:]}
    assert rivals == START.world.people.keys() - {"chen.mei", "helen.zhou"}


def test_a_rival_of_the_same_name_is_none_whatever_its_case() -> None:
    assert claim(choice=["Cove", "海湾"], rivals=["cove", ["Bay", "海湾"], "Tide", ""]).rivals == (("Tide",),)


def test_every_key_of_a_text_reaches_the_judge() -> None:
    raw = {
        "claims": [{"number": 1}, {"number": 2}],
        "stance": {"is": "no", "on": ["send", "发"]},
        "only": {"also": "3", "stale": ["4"], "free": ["clock", "date"]},
        "keeps": "start",
        "bans": ["fee", "费"],
    }

    wanted = wanted_of(raw, "before", VALUES.clock_context)

    assert [each.values for each in wanted.claims] == [(1.0,), (2.0,)]
    assert wanted.stance == Stance("no", ("send", "发"))
    assert (wanted.also, wanted.stale, wanted.free) == (("3",), ("4",), ("clock", "date"))
    assert (wanted.keeps, wanted.bans) == ("start", ("fee", "费"))


def test_what_a_text_form_leaves_out_is_not_wanted() -> None:
    assert wanted_of({"judge": "Is it?"}, "before", VALUES.clock_context) == Requirement()
    assert wanted_of({"stance": {"is": "yes"}}, "", VALUES.clock_context).stance == Stance("yes")
    assert wanted_of({"bans": "fee"}, "", VALUES.clock_context).bans == ("fee",)


# -- findings --------------------------------------------------------------------------------------------------------

EVERYTHING = {
    "claims": [{"date": "+17"}, {"says": "free", "denied": True}],
    "stance": {"is": "no"},
    "keeps": True,
    "bans": ["fee", "费"],
}
WORDS = (
    "to say date 2026-03-26",
    "to deny says free",
    "to say nothing else of that kind",
    "to answer no",
    "to keep the text of the start",
    "not to name fee, 费",
)


def findings(raw: Mapping[str, Any], *reasons: Reason, doubts: tuple[str, ...] = ()) -> list[Finding]:
    """Return what becomes of a judgement."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("farm.benchmark.scoring.claims.judge", lambda *_: Judgement(reasons, doubts))
        return list(judge_text(raw, "text", "before", VALUES.clock_context))


def test_each_thing_that_is_wanted_of_a_text_is_a_finding() -> None:
    found = findings(EVERYTHING)

    assert [each.wanted for each in found] == list(WORDS)
    assert all(each.ok for each in found)
    # What must not be there ruins an answer of which half is right.
    assert [each.wanted for each in found if each.is_ban] == [WORDS[2], WORDS[4], WORDS[5]]


@pytest.mark.parametrize(
    ("reason", "fails"),
    [
        (Reason("missing", "why", 0), WORDS[0]),
        (Reason("denied", "why", 1), WORDS[1]),
        (Reason("extra", "why"), WORDS[2]),
        (Reason("stale", "why"), WORDS[2]),
        (Reason("stance", "why"), WORDS[3]),
        (Reason("altered", "why"), WORDS[4]),
        (Reason("banned", "why"), WORDS[5]),
    ],
)
def test_a_reason_fails_the_finding_it_concerns_and_no_other(reason: Reason, fails: str) -> None:
    found = findings(EVERYTHING, reason)

    assert [each.describe for each in found if not each.ok] == [f"{fails} (why)"]


def test_several_reasons_for_one_finding_are_all_told() -> None:
    [first, *_] = findings(EVERYTHING, Reason("denied", "it is off", 0), Reason("asked", "it is asked", 0))

    assert first.describe == "to say date 2026-03-26 (it is off; it is asked)"


def test_what_is_not_wanted_gives_no_finding() -> None:
    assert findings({"judge": "Is it?"}) == []
    assert [each.wanted for each in findings({"stance": {"is": "yes"}})] == ["to answer yes"]


def test_a_text_that_was_not_read_answers_nothing_and_says_nothing() -> None:
    unread = Reason("unread", "too long")

    for raw in ({"stance": {"is": "yes"}}, {"claims": [{"date": "+17"}]}):
        assert not all(each.ok for each in findings(raw, unread))
    # What is kept and what is not named needs no reading.
    assert all(each.ok for each in findings({"keeps": True, "bans": ["fee"]}, unread))


def test_a_doubt_about_a_text_touches_all_that_is_wanted_of_it() -> None:
    assert {each.doubts for each in findings(EVERYTHING, doubts=("hm", "ha"))} == {("hm", "ha")}


def test_a_text_is_read_at_the_trials_moment_as_the_answer_to_what_the_agent_was_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = []

    def judge(wanted: Requirement, text: str, situation: Situation) -> Judgement:
        seen.append((text, wanted.keeps, situation))
        return Judgement()

    monkeypatch.setattr("farm.benchmark.scoring.claims.judge", judge)
    at = datetime.fromisoformat("2026-03-10T02:30:00+01:00")
    point = Operate("p", "update", "lark", "events", {}, {"description": {"keeps": True}})
    search = Search("s", "personal_search", {"claims": [{"date": "+17"}]})
    task = Task(
        "t", "s", "T", "harbor", ("lark",), "c", "Till {{date:+17 en}}?", (point, search), (), necessary=("A.",)
    )
    old, new = ({"status": "confirmed", "description": f"Bring {what}."} for what in ("a pen", "two pens"))
    change = {"op": "update", "key": {"event_id": "e"}, "old": old, "new": new, "call": 1}

    grade(task, Evidence({"lark": {"events": [change]}}, (), "Yes.", at), START)

    now = Situation(datetime.fromisoformat("2026-03-10T09:30:00+08:00"), ("Till 26 March?", "A."))
    # The change of the text itself is no deed that it could tell of.
    assert seen == [
        ("Bring two pens.", "Bring a pen.", replace(now, done=frozenset())),
        ("Yes.", None, replace(now, done=frozenset({"update"}))),
    ]


# -- verdicts --------------------------------------------------------------------------------------------------------


def posted(*texts: str, count: int = 1, question: str | None = None) -> TaskScore:
    """Return the verdict on messages of which ``count`` should say the day."""
    keys = [{"channel_id": "C1", "ts": f"{number}.1"} for number, _ in enumerate(texts)]
    changes = [
        {"op": "insert", "key": key, "old": None, "new": {**key, "user_id": ME, "text": text}, "call": 1}
        for key, text in zip(keys, texts, strict=True)
    ]
    wanted: dict[str, Any] = {"claims": [{"date": "+17"}]}
    if question:
        wanted["judge"] = question
    point = Operate("p", "create", "slack", "messages", {"channel_id": "C1"}, {"text": wanted}, count=count)
    task = Task("t", "s", "T", "harbor", ("slack",), "c", "Say when.", (point,), ())
    return grade(task, Evidence({"slack": {"messages": changes}}, ()), START)


@pytest.fixture
def doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every text that says *off* be refused, and every one with *hm* be in doubt."""

    def judge(_: object, text: str, __: object) -> Judgement:
        reasons = (Reason("denied", "it is off", 0),) if "off" in text else ()
        return Judgement(reasons, ("hm",) if "hm" in text else ())

    monkeypatch.setattr("farm.benchmark.scoring.claims.judge", judge)


@pytest.mark.usefixtures("doubtful")
@pytest.mark.parametrize(
    ("text", "score", "low", "high"),
    [("fine", 1.0, 1.0, 1.0), ("off", 0.5, 0.5, 0.5), ("fine, hm", 1.0, 0.5, 1.0), ("off, hm", 0.5, 0.5, 1.0)],
)
def test_a_doubt_leaves_the_guess_and_spans_what_it_could_be(text: str, score: float, low: float, high: float) -> None:
    [point] = posted(text).checkpoints

    assert (point.score, point.low, point.high) == (score, low, high)
    assert bool(point.contested) is ("hm" in text)


# Which of several rows say it is settled one by one, so that as many as are wanted may do so or not.
@pytest.mark.usefixtures("doubtful")
@pytest.mark.parametrize(
    ("texts", "count", "score", "low", "high"),
    [
        (("fine", "fine, hm"), 1, 0.5, 0.5, 1.0),
        (("fine", "off, hm"), 1, 1.0, 0.5, 1.0),
        (("off, hm", "off, hm"), 1, 0.5, 0.5, 1.0),
        (("fine, hm", "off, hm"), 1, 1.0, 0.5, 1.0),
        (("fine", "fine", "fine, hm"), 1, 0.5, 0.5, 0.5),
        (("off", "off, hm"), 2, 0.5, 0.5, 0.5),
        (("fine", "fine, hm"), 2, 1.0, 0.5, 1.0),
        (("fine", "fine"), 2, 1.0, 1.0, 1.0),
    ],
)
def test_the_doubts_of_several_rows_span_all_that_could_be(
    texts: tuple[str, ...], count: int, score: float, low: float, high: float
) -> None:
    for each in permutations(texts):
        [point] = posted(*each, count=count).checkpoints

        assert (point.score, point.low, point.high) == (score, low, high)


@pytest.mark.usefixtures("doubtful")
def test_a_row_that_says_it_by_best_guess_is_meant_before_one_that_does_not() -> None:
    for texts in (("off", "fine, hm"), ("fine, hm", "off")):
        found = posted(*texts)

        assert [each.text for each in found.checkpoints[0].contested] == ["fine, hm"]
        assert [each.key["ts"] for each in found.damage] == [f"{texts.index('off')}.1"]


@pytest.mark.usefixtures("doubtful")
def test_a_contested_text_says_what_it_ought_to_say_and_why_it_is_in_doubt() -> None:
    [wrong], [right] = (posted(text, question="Is it said?").checkpoints for text in ("off, hm", "fine, hm"))

    [refused], [accepted] = wrong.contested, right.contested

    wanted = ("to say date 2026-03-26", "to say nothing else of that kind")
    assert refused == Contested("text", "off, hm", wanted, False, ("hm",), "Is it said?")
    assert accepted == Contested("text", "fine, hm", wanted, True, ("hm",), "Is it said?")
    assert right.why == "1 row of slack.messages created as asked"
    assert posted("off, hm").checkpoints[0].contested[0].question is None


@pytest.mark.usefixtures("doubtful")
@pytest.mark.parametrize(
    ("answer", "score", "low", "high"),
    [
        ("fine", 1.0, 1.0, 1.0),
        ("fine, hm", 1.0, 0.0, 1.0),
        ("off", 0.0, 0.0, 0.0),
        ("off, hm", 0.0, 0.0, 1.0),
    ],
)
def test_an_answer_in_doubt_spans_from_nothing_to_all(answer: str, score: float, low: float, high: float) -> None:
    wanted = {"claims": [{"date": "+17"}], "judge": "Is it said?"}
    task = Task("t", "s", "T", "harbor", ("slack",), "c", "When?", (Search("s", "personal_search", wanted),), ())

    [found] = grade(task, Evidence({}, (), answer), START).checkpoints

    assert (found.score, found.low, found.high) == (score, low, high)
    said = ("to say date 2026-03-26", "to say nothing else of that kind")
    doubt = Contested("answer", answer, said, score == 1.0, ("hm",), "Is it said?")
    assert found.contested == ((doubt,) if "hm" in answer else ())


def test_a_text_that_says_it_is_accepted_and_one_that_denies_it_is_not() -> None:
    assert posted("It is on 26 March.").acc == 1.0
    assert posted("It is not on 26 March.").acc == 0.5
