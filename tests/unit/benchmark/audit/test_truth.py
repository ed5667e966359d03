"""The audit refuses an oracle whose values are false, unread, needless to read, or ambiguous."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from farm.benchmark.agents.placeholders import MissingPlaceholderError
from farm.benchmark.audit.attacks import rewordings
from farm.benchmark.audit.audit import Auditor
from farm.benchmark.audit.truth.derived import DerivationError, Operands, derive
from farm.benchmark.audit.truth.passages import OwnWords, Passage, passages_of_result, passages_of_text
from farm.benchmark.audit.truth.standing import stands_in
from farm.benchmark.audit.truth.truth import truth_faults
from farm.benchmark.scoring.claims import Claim
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.tasks import Task, load_suite
from farm.benchmark.tasks.load import load_task
from farm.benchmark.tasks.reader import TaskError
from farm.world.facts import trace_of

DEMO = load_suite("demo")
START = load_start("harbor")
NOW = START.clock_context.now
TRAIN, VENUE, BUDGET = "email163-train-answer", "cross-venue-fee", "lark-outside-budget"

# The start has three office channels: Shanghai, Singapore and the move.
OWN = """
id = "{id}"
title = "Count"
world = "harbor"
apps = ["slack"]
category = "slack"
instruction = '''{instruction}'''
oracle_answer = "{answer}"
{oracle}

[[checkpoints]]
id = "told"
kind = "personal_search"
answer = {{ claims = [{claim}] }}
"""
CHANNELS = (
    '[[oracle]]\ncalls = [{ app = "slack", tool = "slack_list_channels", arguments = { limit = 200 }, as = "list" }]'
)
OFFICES = '{ app = "slack", table = "channels", where = { name = { prefix = "office-" } }, column = "id", all = true }'


@pytest.fixture(scope="module")
def auditor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Auditor]:
    made = Auditor(tmp_path_factory.mktemp("audit"))
    yield made
    made.close()


def edited(task: str, folder: Path, *changes: tuple[str, str]) -> Task:
    """Return a task of the demo suite whose file has some texts replaced, everywhere."""
    text = DEMO.task(task).raw.decode()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{task}.toml"
    path.write_text(text, "utf-8")
    return load_task(path, "demo")


def own(folder: Path, claim: str, answer: str, *, oracle: str = CHANNELS, instruction: str = "How many?") -> Task:
    """Return a task that asks for one value in the answer."""
    path = folder / "count.toml"
    text = OWN.format(id="count", claim=claim, answer=answer, oracle=oracle, instruction=instruction)
    path.write_text(text, "utf-8")
    return load_task(path, "own")


def faults(auditor: Auditor, task: Task) -> list[tuple[str, str]]:
    """Return the kind and the words of each fault."""
    context = auditor.context(task)
    assert context is not None
    return [(each.kind, each.line) for each in truth_faults(context, trace_of(task.world))]


def test_an_invented_train_is_false_and_the_true_one_is_proven(auditor: Auditor, tmp_path: Path) -> None:
    right = DEMO.task(TRAIN)
    wrong = edited(TRAIN, tmp_path, ("G7136", "G7921"), ('fact = "wedding.train",', 'id = "G7921",'))

    assert faults(auditor, right) == []
    ((kind, line),) = faults(auditor, wrong)
    assert kind == "false"
    assert line.startswith("id G7921 stands in no row of the start; name what it follows from")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            'rollout_time = { clock = "11:00" }',
            'rollout_time = { clock = "03:47" }',
            "clock 03:47 of the sheet's 'rollout_time'",
        ),
        ("stop_rate = { number = 0.3,", "stop_rate = { number = 7.77,", "number 7.77% of the sheet's 'stop_rate'"),
        (
            'rollout_day = { date = "+4" }',
            'rollout_day = { date = "+217" }',
            "date 2026-10-12 of the sheet's 'rollout_day'",
        ),
    ],
)
def test_a_value_of_a_sheet_is_held_against_the_rows_as_the_answer_is(
    auditor: Auditor, tmp_path: Path, old: str, new: str, words: str
) -> None:
    ((kind, line),) = faults(auditor, edited("cross-pager-rollout", tmp_path, (old, new)))

    assert kind == "false"
    assert line.startswith(f"{words} stands in no row of the start")
    assert faults(auditor, DEMO.task("cross-pager-rollout")) == []


@pytest.mark.parametrize(
    ("task", "changes", "kind", "words"),
    [
        (
            TRAIN,
            [("16:27", "16:41"), ('fact = "wedding.train_arrives", part = "clock"', 'clock = "16:41"')],
            "false",
            "clock 16:41 of 到 stands in no row",
        ),
        (
            TRAIN,
            [("到苏州。晚", "到苏州，21:17 到家。晚")],
            "false",
            "clock 21:17, which the text also names, stands in no",
        ),
        ("cross-myr-distributor", [("395", "417")], "false", "amount 417 MYR of 马来西亚 stands in no row"),
        ("cross-walk-venue", [("695", "811")], "false", "number 811 米 stands in no row"),
        ("cross-refund-brief", [("RF-3308", "RF-7719")], "false", "id RF-7719 stands in no row"),
        (
            "lark-new-room",
            [("9F-C14", "9F-K77"), ('fact = "move.desk",', 'choice = "9F-K77",')],
            "false",
            "choice 9F-K77 stands in no row",
        ),
        ("lark-emb412-count", [("214", "7214")], "false", "number 7214 stands in no row"),
        (BUDGET, [("64000", "65000"), ("64,000", "65,000")], "false", "does not follow: the sum is 64000"),
        (BUDGET, [("from = [58000, 6000]", "from = [57000, 7000]")], "false", "follows from 57000, which no result"),
        ("lark-kol-line", [("183", "173")], "false", "does not follow: the difference is 183000"),
        ("cross-leo-penalty", [("11000", "12000"), ("11,000", "12,000")], "false", "the product is 11000"),
        ("cross-lamp-maker-quarter", [("7.1", "8.1")], "false", "does not follow: the change is 7.11"),
        (
            "cross-offsite-drive",
            [("221", "231"), ('fact = "offsite.drive"', "number = 231")],
            "false",
            "does not follow: the rounded is 220.866",
        ),
        (
            "cross-berlin-slot",
            [('fact = "calendar.slot_berlin", part = "clock"', 'clock = "11:30"'), ("10:30 Berlin", "11:30 Berlin")],
            "false",
            "the zone is 10:30",
        ),
        ("cross-ethan-hour", [("need 45 minutes", "need 55 minutes")], "false", "number 55 min, which the text also"),
        ("cross-berlin-slot", [("+1 18:00", "+1 18:20")], "unread", "clock 18:20"),
        # The oracle moves the event to 15:00 before it says so: its own write proves nothing.
        ("cross-gonogo-earlier", [(', from = ["16:00", "one hour"], how = "difference"', "")], "unread", "clock 15:00"),
        ("cross-leave-family", [("EMB-425", "EMB-427")], "false", "id EMB-427 stands in no row"),
        (TRAIN, [('uid = "28"', 'uid = "39"')], "unread", "id G7136 stands in the start, but no result holds it"),
        ("cross-krause-numbers", [("name=launch-ember-eu", "name=coffee")], "unread", "number 200 of Nordlicht"),
    ],
)
def test_a_value_that_is_not_so_or_not_read_is_refused_for_its_reason(
    auditor: Auditor, tmp_path: Path, task: str, changes: list[tuple[str, str]], kind: str, words: str
) -> None:
    found = faults(auditor, edited(task, tmp_path, *changes))

    assert [each for each in found if each[0] == kind and words in each[1]], found


def test_a_small_number_proves_nothing_unless_a_result_is_named(auditor: Auditor, tmp_path: Path) -> None:
    alone = faults(auditor, own(tmp_path, '{ number = 8, from = ["8"] }', "There are 8."))
    part = faults(
        auditor, own(tmp_path, '{ number = 3, from = ["{list.channels[name=random].num_members}"] }', "There are 3.")
    )

    assert alone == [
        ("false", "number 8 is a number below 100, which stands in any result; name the one that holds it: {name.path}")
    ]
    assert part
    assert "does not follow: the operand is" in part[0][1]


def test_a_count_is_recounted(auditor: Auditor, tmp_path: Path) -> None:
    form = '{{ number = {}, from = [{}], how = "count" }}'

    assert faults(auditor, own(tmp_path, form.format(3, OFFICES), "There are 3.")) == []
    off = faults(auditor, own(tmp_path, form.format(4, OFFICES), "There are 4."))
    assert off == [("false", "number 4 does not follow: the count is 3")]


def test_operands_that_no_call_lists_are_unread(auditor: Auditor, tmp_path: Path) -> None:
    users = CHANNELS.replace("slack_list_channels", "slack_get_users")
    claim = f'{{ number = 3, from = [{OFFICES}], how = "count" }}'

    found = faults(auditor, own(tmp_path, claim, "There are 3.", oracle=users))

    assert [kind for kind, _ in found] == ["unread"]


def test_what_only_the_agent_itself_has_written_proves_nothing(auditor: Auditor, tmp_path: Path) -> None:
    there = 'channel_id = "{list.channels[name=random].id}"'
    oracle = f"""{CHANNELS}

[[oracle]]
calls = [{{ app = "slack", tool = "slack_post_message", arguments = {{ {there}, text = "HAL-9177" }} }}]

[[oracle]]
calls = [{{ app = "slack", tool = "slack_get_channel_history", arguments = {{ {there} }} }}]
"""

    found = faults(auditor, own(tmp_path, '{ id = "HAL-9177" }', "HAL-9177.", oracle=oracle))

    assert {kind for kind, _ in found} == {"false"}
    assert any(line.startswith("id HAL-9177 stands in no row") for _, line in found)


def test_a_task_whose_instruction_tells_the_answer_is_blind(auditor: Auditor, tmp_path: Path) -> None:
    blind = own(tmp_path, '{ id = "EMB-424" }', "It is EMB-424.", instruction="Is it EMB-424? Tell me its number.")
    read = own(tmp_path, '{ choice = "office-move" }', "It is office-move.", instruction="Which channel is it?")

    assert "blind" in {each.kind for each in auditor.audit(blind).survivors}
    assert "blind" not in {each.kind for each in auditor.audit(read).survivors}


def test_what_only_one_arm_is_told_is_not_known_to_an_oracle(auditor: Auditor, tmp_path: Path) -> None:
    task = own(tmp_path, '{ choice = "office-move" }', "It is office-move.", instruction="Which channel is it?")
    named = replace(task, named=("The channel is office-move.",))

    found, told = (auditor.audit(each).survivors for each in (named, replace(named, instruction=named.named[0])))

    assert "blind" not in {each.kind for each in found}
    assert "blind" in {each.kind for each in told}


def test_a_task_that_tells_a_value_it_asks_for_is_leaky(auditor: Auditor, tmp_path: Path) -> None:
    def leaks(claim: str, *told: str) -> list[tuple[str, str]]:
        task = replace(own(tmp_path, claim, "EMB-424, with 2."), instruction="Which case?", unnecessary=told)
        return [(each.why, each.found) for each in auditor.audit(task).survivors if each.kind == "leaky"]

    case, count = '{ id = "EMB-424" }', '{ number = 2, of = ["with"] }'

    assert leaks(case, "EMB-424 is closed.") == [("told", "id EMB-424 is asked for, and `unnecessary` tells it")]
    assert not leaks(case, "EMB-423 is closed.")
    assert not leaks(count, "We have 2 offices."), "a small number of another subject"
    assert leaks(count, "It comes with 2 offices.")
    assert not leaks('{ choice = "EMB-424" }', "EMB-424 is closed."), "the words of a choice may be put to the agent"


def test_a_lookup_that_two_rows_fit_is_ambiguous(auditor: Auditor, tmp_path: Path) -> None:
    wrong = edited(
        "cross-leo-penalty",
        tmp_path,
        ('where = { name = "mkt-rednote" }', 'where = { name = { contains = "office" } }'),
    )

    (found,) = auditor.audit(wrong).survivors

    assert (found.kind, found.why) == ("ambiguous", "lookups.channel")
    assert "fits 3 rows; it must fit exactly one" in found.found


def test_a_reference_that_two_items_of_a_result_fit_is_ambiguous(auditor: Auditor, tmp_path: Path) -> None:
    wrong = edited(
        "cross-leo-penalty", tmp_path, ("{channels.channels[name=mkt-rednote].id}", "{channels.channels[name~mkt].id}")
    )
    worse = edited(
        "cross-leo-penalty", tmp_path, ("{channels.channels[name=mkt-rednote].id}", "{channels.channels[name~m].id}")
    )

    assert not [each for each in auditor.audit(wrong).survivors if each.kind == "ambiguous"]
    found = [each.found for each in auditor.audit(worse).survivors if each.kind == "ambiguous"]
    assert found == ["{channels.channels[name~m].id}: two items with different values fit [name~m]"]


OPERANDS = Operands(
    ValueResolver(START, {}),
    "",
    [
        passages_of_text(
            "38 of 600 boards, 78 yuan for 250 grams, from 09:40 on 12 March, 22 hours, half of them", NOW
        ),
        passages_of_text("leaves 23:50, arrives 00:20 and takes 40 min; A-41", NOW),
    ],
)


@pytest.mark.parametrize(
    ("claim", "raw", "how"),
    [
        (Claim("number", (638.0,)), [600, 38], "sum"),
        (Claim("number", (562.0,)), [38, 600], "difference"),
        (Claim("number", (300.0,)), [600, "half"], "product"),
        (Claim("amount", (0.31,), units=("CNY",)), ["78 yuan", "250 grams"], "quotient"),
        (Claim("number", (6.3,), units=("%",)), [38, 600], "share"),
        (Claim("number", (6.33,), units=("%",)), [38, 600], "share"),
        (Claim("number", (93.7,), units=("%",)), [38, 600], "change"),
        (Claim("number", (0.3,), units=("kg",)), ["250 grams"], "rounded"),
        (Claim("number", (2.0,)), [38, 600], "count"),
        (Claim("id", ("A-42",)), ["A-41"], "next"),
        (Claim("clock", ("02:40",)), ["12 March 09:40", "Europe/Berlin"], "zone"),
        (Claim("clock", ("02:40",)), ["12 March 09:40", "lin.wan", "chris.vogel"], "zone"),
        (Claim("clock", ("21:40",)), ["12 March 09:40", "America/New_York", "Asia/Shanghai"], "zone"),
        (Claim("number", (30.0,), units=("min",)), ["23:50", "00:20"], "duration"),
        (Claim("number", (0.5,), units=("h",)), ["23:50", "00:20"], "duration"),
        (Claim("clock", ("00:30",)), ["23:50", "40 min"], "sum"),
        (Claim("span", (("23:50", "00:30"),)), ["23:50", "40 min"], "sum"),
        (Claim("date", (NOW.date().replace(day=13),)), ["12 March 09:40", "22 hours"], "sum"),
        (Claim("number", (600.0,)), [600], None),
    ],
)
def test_a_value_that_follows_is_proven_and_another_one_is_not(
    claim: Claim, raw: list[object], how: str | None
) -> None:
    value = claim.values[0]
    if isinstance(value, float):
        other = replace(claim, values=(value + (0.01 if value < 1 else 1),))
    elif isinstance(value, str):
        later = f"{(int(value[:2]) + 1) % 24:02}{value[2:]}" if claim.kind == "clock" else "A-43"
        other = replace(claim, values=(later,))
    else:
        other = replace(claim, values=(("23:50", "00:20"),) if claim.kind == "span" else (NOW.date(),))

    assert derive(claim, raw, how, OPERANDS) is None
    with pytest.raises(DerivationError):
        derive(other, raw, how, OPERANDS)


def test_an_operand_that_is_a_part_of_a_result_is_the_value_there() -> None:
    forecast = {"days": [{"date": "2026-03-12", "low": 8}, {"date": "2026-03-13", "low": "9"}]}
    operands = replace(OPERANDS, results={"weather": forecast})
    nine = Claim("number", (9.0,), units=("°C", ""))

    assert derive(nine, ["{weather.days[date={{date:+4 iso}}].low}"], None, operands) is None
    with pytest.raises(DerivationError, match="does not follow"):
        derive(nine, ["{weather.days[date={{date:+3 iso}}].low}"], None, operands)
    with pytest.raises(MissingPlaceholderError, match="no item with date=2026-03-17"):
        derive(nine, ["{weather.days[date={{date:+8 iso}}].low}"], None, operands)


@pytest.mark.parametrize(
    ("raw", "how", "words"),
    [
        ([38], "share", "needs two operands"),
        ([38, "23:50"], "sum", "needs a number, which 23:50 is not"),
        (["23:50", 38], "sum", "needs a length of time"),
        (["38 of 600"], None, "is not one value"),
        (["23:50", "12 March"], "zone", "needs a time and its zone"),
        (["23:50"], "duration", "needs two times"),
        ([38, 600], "rounded", "needs one operand"),
        ([39], None, "follows from 39, which no result and no instruction holds"),
    ],
)
def test_operands_that_do_not_suit_are_named(raw: list[object], how: str | None, words: str) -> None:
    with pytest.raises(DerivationError, match=words):
        derive(Claim("number", (38.0,)), raw, how, OPERANDS)


def test_a_small_count_stands_only_beside_its_subject() -> None:
    seats = Claim("number", (4.0,), of=("Cove",))
    result = {"rooms": [{"name": "Cove", "seatCount": 4}, {"name": "Polaris", "seatCount": 14}]}

    assert stands_in(seats, passages_of_result(result, OwnWords(), NOW))
    assert not stands_in(replace(seats, of=("Polaris",)), passages_of_result(result, OwnWords(), NOW))


def test_the_time_at_which_a_row_was_written_is_not_a_time_that_it_tells() -> None:
    at_nine = Claim("clock", ("09:00",))
    stamp = {"ts": f"{NOW.timestamp():.6f}", "text": "see you"}
    event = {"summary": "talk", "start_time": {"timestamp": f"{NOW.timestamp():.0f}"}}

    assert not stands_in(at_nine, passages_of_result(stamp, OwnWords(), NOW))
    assert stands_in(at_nine, passages_of_result(event, OwnWords(), NOW))


def test_a_text_that_is_quoted_as_json_is_read_without_its_escapes() -> None:
    quoted = r'"Lamps:\nPolaris\t14 seats\n"'
    somebody = '"14 seats", she said, "not 15"'

    (opened,) = passages_of_result(quoted, OwnWords(), NOW)
    (kept,) = passages_of_result(somebody, OwnWords(), NOW)

    assert opened.text.splitlines() == ["lamps:", "polaris 14 seats"]
    assert kept.text == somebody


def test_a_day_of_a_message_counts_from_the_message() -> None:
    yesterday = {"created_at": "2026-03-05T10:00:00+08:00", "text": "The gate is tomorrow."}

    assert stands_in(Claim("date", (NOW.date().replace(day=6),)), passages_of_result(yesterday, OwnWords(), NOW))


def test_how_needs_operands(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="how: needs `from`, the operands"):
        own(tmp_path, '{ number = 3, how = "count" }', "There are 3.")


def test_a_read_that_marks_what_it_returns_is_a_right_way(auditor: Auditor) -> None:
    context = auditor.context(DEMO.task("rednote-zhou-two-answers"))
    assert context is not None

    (script,) = (each for each in rewordings(context) if each.kind == "extra-reads")

    assert [call.tool for call in script.steps[0]] == ["list_notifications"]


def test_a_fact_is_read_in_rows_that_tell_it_and_not_wherever_its_value_stands(
    auditor: Auditor, tmp_path: Path
) -> None:
    right = DEMO.task("cross-mingdu-told")
    call, *_ = [line for line in right.raw.decode().splitlines(True) if "calendarEvent_list" in line]
    # Without the event, 12:00 stands in a result, too: somebody needs a table until noon of another Friday.
    without = edited("cross-mingdu-told", tmp_path, (call, ""))

    assert faults(auditor, right) == []
    ((kind, line),) = faults(auditor, without)
    assert kind == "unread"
    assert line == "clock 12:00 stands in the start, but no result holds it before it is asserted"


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("The second shop opens on Friday at 10:00, in Dock Road", True),
        ("the second shop opens on **Friday**!", True),
        ("We close at ten on Friday evening", False),
    ],
)
def test_a_place_that_tells_a_fact_is_found_by_its_neighbours(text: str, is_told: bool) -> None:
    passage = passages_of_text(text, NOW)

    assert trace_of("mini").tells("opening.at", passage) == is_told


def test_a_typed_value_may_tell_a_fact_that_names_its_columns() -> None:
    trace, moment = trace_of("harbor"), Passage("", "", (NOW,), (NOW,))

    assert trace.tells("mingdu.tell_by", moment)  # rows = ["lark.tasks.due_at"]
    assert not trace.tells("launch.price", moment)
    assert trace.covers("launch.price")
    assert not trace.covers("offsite.drive")  # the maps know it
