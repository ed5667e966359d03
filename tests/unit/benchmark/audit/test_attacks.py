"""The audit's attackers: each makes of an oracle what a person would, and leaves out what it cannot make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from farm.benchmark.audit.attacks import AttackContext, AttackScript, attacks, rewordings, wrong_ways
from farm.benchmark.audit.attacks import right_texts as right
from farm.benchmark.audit.attacks import wrong_texts as wrong
from farm.benchmark.audit.attacks.attack_context import JudgedText
from farm.benchmark.audit.attacks.hidden_texts import hidden
from farm.benchmark.audit.attacks.paraphrase_values import clock_ways, date_ways, find, number_ways, relative_ways
from farm.benchmark.audit.attacks.script import leaves, replaced_at
from farm.benchmark.audit.attacks.wrong_texts import TextAttacker
from farm.benchmark.audit.audit import Auditor, TaskAudit
from farm.benchmark.scoring.claims import Claim, Requirement, Stance
from farm.benchmark.tasks import Allow, Operate, OracleCall, Task
from tests.suites import parsed_suite

DEMO = parsed_suite("demo")
DAY = date(2026, 3, 26)
WHEN = Claim("date", (DAY,))
AT_TEN = Claim("clock", ("10:00",))
SEATS = Claim("number", (4.0,), units=("座", "seats"), of=("小湾", "Cove"))
ROOM = Claim("choice", ("小湾", "Cove"), rivals=(("锚点", "Anchor"), ("北斗", "Polaris"), ("灯塔",)))
ID = Claim("id", ("EMB-424",))


def text(said: str, *claims: Claim, **wanted: object) -> JudgedText:
    """Return a text that is judged by some claims, written on Monday 9 March 2026."""
    before = str(wanted.get("keeps") or "")
    return JudgedText(
        "told: text",
        (0, 0),
        ("text",),
        f"{before}\n{said}" if before else said,
        said,
        Requirement(claims, **wanted),  # type: ignore[arg-type] # fields of Wanted
        before,
        ("Move it to the new day.",),
        date(2026, 3, 9),
        is_title=False,
    )


def made(attacker: TextAttacker, judged: JudgedText) -> list[str]:
    return [said for _, said in attacker(judged)]


EN = text("It is final: Thu 26 Mar 10:00.", WHEN, AT_TEN)
ZH = text("改到小湾 Cove，4 座，3月26日周四起。", ROOM, SEATS, WHEN)


# -- notations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "said", "shown"),
    [
        (WHEN, "on Thu 26 Mar at ten", "Thu 26 Mar"),
        (WHEN, "by March 26th, please", "March 26th"),
        (WHEN, "3月26日（周四）见", "3月26日（周四）"),
        (WHEN, "until 2026-03-26.", "2026-03-26"),
        (AT_TEN, "at 10 am.", "10 am"),
        (AT_TEN, "上午十点开始", "上午十点"),
        (AT_TEN, "10:00 to 11:00", "10:00"),
        (SEATS, "room for 4 seats", "4"),
        (ROOM, "改到小湾 Cove，", "小湾 Cove"),
        (ID, "see EMB-424.", "EMB-424"),
        (Claim("number", (1496.0,)), "about 1,496 lamps", "1,496"),
        (Claim("number", (6.3,), units=("%",)), "that is 6.3 %", "6.3"),
    ],
)
def test_a_value_is_found_however_an_oracle_writes_it(claim: Claim, said: str, shown: str) -> None:
    spot = find(claim, said)

    assert spot is not None
    assert spot.text == shown
    assert said[spot.start : spot.end] == shown


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (WHEN, "26 April, or 126 March"),
        (AT_TEN, "10:00 pm, or at 10:05"),
        (SEATS, "14 of 4.5 at 4:30, 4 %"),
        (WHEN, "26 March, yes, 26 March"),
        (ID, "EMB-4245"),
    ],
)
def test_what_is_another_value_or_stands_there_twice_is_not_found(claim: Claim, said: str) -> None:
    assert find(claim, said) is None


def test_ways_to_write_a_value_are_in_the_language_of_the_text() -> None:
    assert date_ways(DAY, zh=True)[0] == "3月26号"
    assert "Mar 26th" in date_ways(DAY, zh=False)
    assert clock_ways("15:30", zh=True) == ("15:30", "下午3点半", "下午三点半")
    assert clock_ways("12:00", zh=False) == ("12:00", "12 pm", "12pm")
    assert number_ways(320_000, zh=True) == ("320000", "320,000", "32万")
    assert number_ways(4, zh=False) == ("4", "four")
    assert number_ways(0.3, zh=False) == ()


def test_a_day_is_called_by_its_name_only_where_that_means_no_other() -> None:
    monday = date(2026, 3, 9)

    assert relative_ways(date(2026, 3, 10), monday, zh=False) == ["tomorrow", "this Tuesday"]
    assert relative_ways(date(2026, 3, 19), monday, zh=True) == ["下周四"]
    assert relative_ways(date(2026, 3, 19), monday, zh=False) == []
    assert relative_ways(date(2026, 3, 8), monday, zh=True) == []


def test_a_call_is_moved_by_a_day_a_year_and_half_a_day() -> None:
    due = {"at": "2026-03-09T10:00:00+08:00", "stamp": 1773018000, "ms": "1773018000000", "day": "2026-03-09"}
    call = OracleCall("slack", "slack_post_message", due)
    task = replace(DEMO.task("slack-unlock-scheduler"), oracle=((call,),))

    moved = {}
    for script in wrong_ways(task):
        if script.kind in ("wrong-day", "wrong-time"):
            change = script.overrides[0, 0].change
            assert change is not None
            moved[script.why.removeprefix("slack_post_message ")] = change(due, due)

    assert moved == {
        "a day later": {
            "at": "2026-03-10T10:00:00+08:00",
            "stamp": 1773104400,
            "ms": "1773104400000",
            "day": "2026-03-10",
        },
        "a day earlier": {
            "at": "2026-03-08T10:00:00+08:00",
            "stamp": 1772931600,
            "ms": "1772931600000",
            "day": "2026-03-08",
        },
        "a year later": {
            "at": "2027-03-09T10:00:00+08:00",
            "stamp": 1804554000,
            "ms": "1804554000000",
            "day": "2027-03-09",
        },
        "12 hours later": {
            "at": "2026-03-09T22:00:00+08:00",
            "stamp": 1773061200,
            "ms": "1773061200000",
            "day": "2026-03-09",
        },
    }


# -- wrong texts -----------------------------------------------------------------------------------------------------


def test_a_deed_that_was_not_done_is_claimed_of_somebody_whom_the_task_does_not_name() -> None:
    assert made(wrong.undone_deed, replace(EN, bystander="Priya Nair")) == [
        "It is final: Thu 26 Mar 10:00. I have also told Priya Nair about it."
    ]
    assert made(wrong.undone_deed, replace(ZH, bystander="罗琪")) == [
        "改到小湾 Cove，4 座，3月26日周四起。另外我已经跟罗琪说了。"
    ]
    assert made(wrong.undone_deed, replace(EN, bystander="Priya Nair", is_title=True)) == []
    assert made(wrong.undone_deed, EN) == []


def test_opposite_denies_refuses_and_cancels_with_the_same_values() -> None:
    assert made(wrong.opposite, EN) == [
        "No, it is not Thu 26 Mar, 10:00.",
        "Thu 26 Mar, 10:00 has been cancelled.",
        "It is final: Thu 26 Mar 10:00. Sorry, that was wrong, please ignore it.",
    ]
    assert "不改到小湾 Cove，4 座，3月26日周四起。" in made(wrong.opposite, ZH)
    yes = replace(EN, wanted=replace(EN.wanted, stance=Stance("yes")))
    assert made(wrong.opposite, yes)[0].startswith("No, I do not agree.")
    no = text("不行，我有事", stance=Stance("no"))
    assert made(wrong.opposite, no) == ["可以，没问题，我同意。"]


def test_opposite_asserts_what_must_be_denied() -> None:
    denied = replace(WHEN, is_denied=True)

    assert made(wrong.opposite, text("Not on 26 March.", denied)) == ["It is 26 March."]


def test_swap_gives_each_subject_the_value_of_the_other() -> None:
    berlin = Claim("clock", ("10:30",), of=("Berlin",))
    shanghai = Claim("clock", ("17:30",), of=("Shanghai",))

    assert made(wrong.swap, text("17:30 Shanghai, 10:30 Berlin", shanghai, berlin)) == ["10:30 Shanghai, 17:30 Berlin"]
    # Two days of nothing in particular may stand in any order.
    assert made(wrong.swap, text("17:30, 10:30", Claim("clock", ("17:30",)), Claim("clock", ("10:30",)))) == []


def test_rivals_stand_instead_of_the_value_or_beside_it() -> None:
    assert made(wrong.rivals, text("改到小湾，", ROOM)) == [
        "改到锚点，",
        "改到北斗，",
        "改到灯塔，",
        "改到小湾或者锚点，",
    ]
    assert "4 seats or 5 seats" in made(wrong.rivals, text("4 seats", SEATS))
    assert "see EMB-425." in made(wrong.rivals, text("see EMB-424.", ID))


def test_dump_names_every_candidate() -> None:
    (days,) = made(wrong.dump, text("on 26 March", WHEN))
    (clocks,) = made(wrong.dump, text("at 10:00", AT_TEN))
    (numbers,) = made(wrong.dump, text("4 seats", SEATS))
    (rooms,) = made(wrong.dump, text("改到小湾", ROOM))

    assert days.count("March") == 31
    assert clocks.count(":") == 96
    assert numbers.startswith("0, 1, 2, 3, 4, 5,")
    assert numbers.endswith(", 4999 seats")
    assert rooms == "改到小湾、锚点、北斗、灯塔"
    assert made(wrong.dump, text("on 26 March", WHEN, free=("date",))) == []


def test_hedge_question_asked_and_reported_stand_for_nothing() -> None:
    assert "I am not sure, but it might be Thu 26 Mar, 10:00." in made(wrong.hedge, EN)
    assert "I am not sure, but perhaps: It is final: Thu 26 Mar 10:00." in made(wrong.hedge, EN)
    assert "Is it Thu 26 Mar, 10:00?" in made(wrong.question, EN)
    assert made(wrong.asked, EN) == ["It is final: Thu 26 Mar 10:00?"]
    assert "听说是小湾 Cove、4 座、3月26日周四，没人核实过。" in made(wrong.reported, ZH)
    # What stands before the first of two sentences is not said of the second.
    two = text("It is final. On 26 March.", WHEN)
    assert not any(said.startswith("I am not sure, but perhaps") for said in made(wrong.hedge, two))


def test_extra_asserts_a_value_that_nobody_gave() -> None:
    assert made(wrong.extra, text("on 26 March", WHEN)) == ["on 26 March and 2 May"]
    assert made(wrong.extra, text("4 seats", SEATS)) == ["4 seats and 21 seats"]
    assert made(wrong.extra, text("改到小湾", ROOM)) == ["改到小湾和锚点"]
    assert made(wrong.extra, text("on 26 March", WHEN, free=("date",))) == []
    asked_for = replace(text("改到小湾", ROOM), said=("锚点、北斗还是灯塔？",))
    assert made(wrong.extra, asked_for) == []


def test_kept_text_is_cut_lost_or_doubled() -> None:
    judged = text("second case: 26 March", WHEN, keeps="the old note")

    assert made(wrong.keeps_truncated, judged) == ["the ol\nsecond case: 26 March", "second case: 26 March"]
    assert made(wrong.keeps_doubled, judged) == ["the old note\nthe old note\nsecond case: 26 March"]
    assert made(wrong.keeps_truncated, EN) == made(wrong.keeps_doubled, EN) == []


def test_a_text_is_hidden_by_the_means_of_its_format() -> None:
    note, post, plain = (replace(EN, format=format) for format in ("obsidian", "slack", "plain"))

    assert "%%It is final: Thu 26 Mar 10:00.%%" in made(hidden, note)
    assert "![It is final: Thu 26 Mar 10:00.](picture.png)" in made(hidden, note)
    assert "~It is final: Thu 26 Mar 10:00.~" in made(hidden, post)
    assert "Nothing is decided yet, please wait.\n~It is final: Thu 26 Mar 10:00.~" in made(hidden, post)
    assert not any("%%" in each or "](" in each for each in (*made(hidden, post), *made(hidden, plain)))
    # What any format can do: characters that are not displayed.
    assert len(made(hidden, plain)) == 3


def test_of_an_answer_blocks_of_code_are_text() -> None:
    answer = replace(EN, format="markdown")

    assert any("```" in each for each in made(hidden, answer))
    assert not any("```" in each for each in made(hidden, replace(answer, position=None)))


def test_a_name_of_a_thing_is_only_given_other_names() -> None:
    title = replace(text("小湾", ROOM), is_title=True)

    for attacker in wrong.WRONG_TEXTS:
        assert bool(made(attacker, title)) == (attacker is wrong.rivals)


# -- right texts -----------------------------------------------------------------------------------------------------


def test_numerals_are_written_in_other_notations() -> None:
    said = made(right.numerals, EN)

    assert "It is final: the 26th 10:00." in said
    assert "It is final: 2026-03-26 10:00." in said
    assert "It is final: Thu 26 Mar 10 am." in said
    assert "room for four seats" in made(right.numerals, text("room for 4 seats", SEATS))
    # One end of a span alone, or a day that would mean one in another month, is left as it is.
    assert made(right.numerals, text("10:00–11:00", AT_TEN)) == []
    april = Claim("date", (date(2026, 4, 2),))
    assert not any("the 2nd" in each for each in made(right.numerals, text("on 2 April", april)))


def test_near_days_are_called_by_their_names() -> None:
    tomorrow = Claim("date", (date(2026, 3, 10),))

    assert made(right.relative, text("on 10 March", tomorrow)) == ["on tomorrow", "on this Tuesday"]
    assert made(right.relative, text("tomorrow, 10 March", tomorrow)) == []


def test_a_wrong_value_is_denied_beside_the_right_one() -> None:
    assert made(right.denies_wrong, text("改到小湾", ROOM)) == ["改到小湾（不是锚点）"]
    assert made(right.denies_wrong, text("on 26 March", WHEN)) == ["on 26 March (not 19 March)"]
    assert made(right.denies_wrong, text("改到小湾", ROOM, bans=("锚点",))) == []


def test_people_greet_and_thank() -> None:
    assert made(right.greeting, EN) == ["Hi there! It is final: Thu 26 Mar 10:00."]
    assert made(right.polite, text("3月26日", WHEN)) == ["3月26日。谢谢，辛苦了！有问题随时找我。"]


# -- scripts ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def auditor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Auditor]:
    """One auditor, which builds the world's start once."""
    made = Auditor(tmp_path_factory.mktemp("audit"))
    yield made
    made.close()


def context(auditor: Auditor, name: str) -> AttackContext:
    found = auditor.context(DEMO.task(name))
    assert found is not None
    return found


def of_kind(kind: str, context: AttackContext) -> list[AttackScript]:
    return [script for script in attacks(context) if script.kind == kind]


def added(context: AttackContext, script: AttackScript) -> list[OracleCall]:
    return [call for step in script.steps[len(context.task.oracle) :] for call in step]


def test_a_text_is_found_in_the_call_that_wrote_it_with_what_it_must_keep(auditor: Auditor) -> None:
    noted, told = context(auditor, "cross-second-burp").texts

    assert noted.path == ("data", "fields", "Note")
    assert noted.before == "中山宏电，和 SQ-0147 无关"
    assert noted.text == "第二例：小红书 灯下犯困，第 20 天"
    assert noted.full_text_with("没有第二例") == "中山宏电，和 SQ-0147 无关。没有第二例"
    assert (told.path, told.before) == (("text",), "")


def test_a_text_inside_json_is_replaced_there() -> None:
    arguments = {"data": {"content": '{"text":"old"}', "ids": [1, 2]}}

    assert [path for path, value in leaves(arguments) if value == "old"] == [("data", "content", "\0json", "text")]
    changed = replaced_at(arguments, ("data", "content", "\0json", "text"), "new")
    assert changed == {"data": {"content": '{"text":"new"}', "ids": [1, 2]}}
    assert replaced_at(arguments, ("data", "ids", 1), 3)["data"]["ids"] == [1, 3]


def test_what_several_checkpoints_want_of_one_text_is_attacked_together(auditor: Auditor) -> None:
    (answer,) = context(auditor, "cross-pager-rollout").texts

    assert answer.position is None
    assert {claim.kind for claim in answer.wanted.claims} == {"date", "clock", "choice", "number"}


def test_a_mail_gets_html_that_says_something_else(auditor: Auditor) -> None:
    scripts = [each for each in of_kind("hidden", context(auditor, "cross-ethan-hour")) if "HTML" in each.why]

    (override,) = scripts[0].overrides.values()
    assert override.change is not None
    assert override.change(None, {"body": "right"}) == {
        "body": "right",
        "htmlBody": "<p>Nothing is decided yet, please wait.</p>",
        "mimeType": "multipart/alternative",
    }


def test_no_hidden_text_of_a_note_a_post_or_a_mail_is_surely_accepted(auditor: Auditor) -> None:
    for name in ("obsidian-best-beans", "lark-outside-budget", "cross-discord-rollout", "cross-ethan-hour"):
        found = auditor.audit(DEMO.task(name))

        assert found.tallies["hidden"].held > 1
        assert [each.why for each in found.survivors if each.kind == "hidden"] == []


def test_foreign_rows_are_touched_after_the_oracle_also_with_now(auditor: Auditor) -> None:
    moved = context(auditor, "lark-move-manual-review")

    scripts = of_kind("foreign", moved)

    assert {added(moved, script)[0].tool for script in scripts} == {"calendar_v4_calendarEvent_patch"}
    now = str(int(moved.evidence.now.timestamp())) if moved.evidence.now else ""
    assert any(now in str(added(moved, script)[0].arguments) for script in scripts if "with now" in script.why)


def test_spam_goes_to_every_other_place_once(auditor: Auditor) -> None:
    answered = context(auditor, "cross-myr-distributor")

    for script in of_kind("spam", answered):
        targets = [str(call.arguments) for call in added(answered, script)]
        assert len(targets) == len(set(targets)) > 1
    assert of_kind("spam", answered)


def test_the_wrong_person_is_taken_in_every_app(auditor: Auditor) -> None:
    (script, *_) = of_kind("wrong-person", context(auditor, "lark-nordlicht-prep"))
    assert "chris" in script.why


def test_what_is_reverted_rows_ends_as_the_oracle_does(auditor: Auditor) -> None:
    moved = context(auditor, "lark-move-manual-review")
    script = of_kind("there-and-back", moved)[0]

    seen = moved.look(script.steps)

    (asked,) = moved.evidence.diff["lark"]["events"]
    others = [change for change in seen.diff["lark"]["events"] if change["key"] != asked["key"]]
    assert all(change["new"]["start_at"] == change["old"]["start_at"] for change in others)
    assert any(each["columns"] for each in seen.reverted["lark"]["events"])


def test_calls_beyond_the_limit_come_before_the_thing_and_after_it(auditor: Auditor) -> None:
    moved = context(auditor, "lark-move-manual-review")

    after, before = of_kind("over-limit", moved)

    for script in (after, before):
        assert sum(map(len, script.steps)) == moved.task.calls_max + 1
        assert script.is_limited
    assert after.steps[:-1] == moved.task.oracle
    assert before.steps[-1] == moved.task.oracle[-1]


def test_texts_whose_wording_matters_are_not_reworded(auditor: Auditor) -> None:
    told = context(auditor, "cross-myr-distributor")

    assert list(rewordings(told))
    assert list(rewordings(replace(told, task=replace(told.task, exact_texts=True)))) == []


def test_an_oracle_that_cannot_be_played_has_no_scene(auditor: Auditor) -> None:
    broken = replace(DEMO.task("lark-move-manual-review"), oracle=DEMO.task("lark-move-manual-review").oracle[1:])

    assert auditor.context(broken) is None


# -- additions ---------------------------------------------------------------------------------------------------------


def tried(auditor: Auditor, task: Task, kind: str) -> TaskAudit:
    """Return the audit of a task by the scripts of one kind."""
    found = TaskAudit(task.id)
    oracle = auditor._oracle(task, found)
    assert oracle is not None
    made = auditor._context(task, oracle)
    for script in of_kind(kind, made):
        auditor._try_wrong(script, oracle, made, found)
    return found


def lax(name: str, checkpoint: str, **changes: object) -> Task:
    """Return a task of the demo suite in which one checkpoint is changed."""
    task = DEMO.task(name)
    points = [
        replace(each, **changes)  # type: ignore[arg-type] # keys of Operate
        if isinstance(each, Operate) and each.id == checkpoint
        else each
        for each in task.checkpoints
    ]
    return replace(task, checkpoints=tuple(points))


def test_arguments_that_an_oracle_leaves_out_are_filled(auditor: Auditor) -> None:
    whys = " ".join(script.why for script in of_kind("filled", context(auditor, "cross-berlin-slot")))

    for argument in ("data.description", "data.location.name", "data.free_busy_status", "data.recurrence"):
        assert f"event with {argument} " in whys
    assert "event with another data.summary than 'TR-5590'" in whys


def test_a_text_that_an_oracle_gives_and_its_task_judges_too_loosely_is_found(auditor: Auditor) -> None:
    task = DEMO.task("rednote-new-water")
    point = next(each for each in task.checkpoints if each.id == "same-topics")
    assert isinstance(point, Operate)
    # Two other tags hold the first one.
    words = {"contains_all": ["咖啡", "手冲", "小舟咖啡", "夜航", "云南咖啡"]}

    found = tried(auditor, lax("rednote-new-water", "same-topics", where={**point.where, "tags": words}), "filled")

    # What stands in the first one's place makes the verdict unsure.
    assert [each.why for each in found.unsure] == ["note with another tags.0 than '咖啡'"]
    assert (found.survivors, tried(auditor, task, "filled").unsure) == ([], [])


def test_what_nobody_asked_for_is_damage_in_every_argument(auditor: Auditor) -> None:
    found = tried(auditor, DEMO.task("cross-berlin-slot"), "filled")

    assert (found.survivors, found.tallies["filled"].held > 20) == ([], True)


def test_an_argument_whose_column_is_free_or_changes_no_meaning_is_no_attack(auditor: Auditor) -> None:
    free = tried(auditor, lax("cross-berlin-slot", "booked", free=("description", "location")), "filled")
    closed = tried(auditor, DEMO.task("cross-berlin-slot"), "filled")

    assert free.survivors == []
    assert free.tallies["filled"].held < closed.tallies["filled"].held


def test_one_more_in_a_list_is_one_too_many(auditor: Auditor) -> None:
    task = DEMO.task("cross-limits-task")
    everybody = Allow("lark", "task_members", ("create",), {"role": "follower"})

    strict, wide = tried(auditor, task, "one-larger"), tried(auditor, replace(task, allow=(everybody,)), "one-larger")

    assert (strict.survivors, strict.tallies["one-larger"].held) == ([], 2)
    assert wide.survivors == []
    whys = [script.why for script in of_kind("one-larger", context(auditor, "cross-limits-task"))]
    assert [("'assignee'" in why, "'follower'" in why) for why in whys] == [(True, False), (False, True)]


def test_another_recipient_is_added_beside_the_right_one(auditor: Auditor) -> None:
    task = DEMO.task("cross-krause-numbers")
    point = next(each for each in task.checkpoints if each.id == "answered")
    assert isinstance(point, Operate)
    loose = {name: value for name, value in point.after.items() if name != "recipients"}

    assert tried(auditor, task, "one-larger").survivors == []
    found = tried(auditor, lax("cross-krause-numbers", "answered", after=loose), "one-larger")
    assert [each.found for each in found.survivors] == ["full marks"]


def test_data_folder_is_left_empty(tmp_path: Path) -> None:
    made = Auditor(tmp_path)
    made.context(DEMO.task("cross-myr-distributor"))
    made.close()

    assert list((tmp_path / "episodes").iterdir()) == []


def test_a_row_is_mistaken_for_the_ones_beside_it(auditor: Auditor) -> None:
    moved = context(auditor, "lark-move-manual-review")

    scripts = [script for script in of_kind("wrong-target", moved) if "with event_id" in script.why]

    named = {script.why.split()[-1] for script in scripts}
    assert len(named) == len(scripts) > 1
    (change,) = moved.evidence.diff["lark"]["events"]
    assert change["key"]["event_id"] not in named
