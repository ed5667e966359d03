"""What a world's texts tell of its facts: in time, by those who knew, in each app, and nothing typed by hand."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from farm import content
from farm.appkit.world_spec.facts import FactError, Ledger, plain, told_in
from farm.errors import FarmError
from farm.world import Spec
from farm.world.facts import FactReport, check_facts, tellings
from farm.world.facts.literals import Literal, LiteralReader
from farm.world.facts.tellings import shown_texts
from farm.world.generate import generate, rows_of, scheduled_rows_of

LEDGER = """
[[facts]]
key = "opening.at"
kind = "moment"
value = "+4 10:00"
names = ["opening", "open in Dock Road"]
since = "-3 12:00"
former = [{ key = "first", value = "+3 10:00", until = "-3 12:00" }]
known = { ben = "-3 12:00", ada = "-3 16:00", gus = "-1 15:04" }
tell = ["slack"]

[[facts]]
key = "opening.chairs"
kind = "number"
value = 24
unit = "chairs"
names = ["chairs"]
rows = ["slack.messages.text"]
"""
WHEN = "{{fact:opening.at weekday_en}} at {{fact:opening.at clock}}"
TALK = f"""## #general
- -3 16:00 ben: We open in Dock Road on {WHEN}, not {{{{fact:opening.at#first weekday_en}}}}.
## #opening
- -1 15:00 ben: How many chairs did we order?
  - 15:04 gus: {{{{fact:opening.chairs}}}}, they come on {{{{noise:+2 weekday_en}}}}.
"""
NOISE = '[[noise]]\nfiles = "slack/*"\nkinds = ["clock", "date"]\n'
Checked = Callable[..., FactReport]


@pytest.fixture
def small(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a world of which Slack alone has a part."""

    def make(talk: str = TALK, ledger: str = LEDGER) -> Path:
        home, folder = content.world_dir("mini"), tmp_path / "mini"
        shutil.copytree(home / "spec" / "slack", folder / "spec" / "slack")
        shutil.copyfile(home / "world.toml", folder / "world.toml")
        (folder / "spec" / "slack" / "talk").joinpath("all.md").write_text(talk, "utf-8")
        for path in (folder / "spec" / "slack" / "talk").glob("*.md"):
            path.unlink() if path.name != "all.md" else None
        # The other files tell facts of another ledger.
        of_mini = Ledger.load([home])
        for path in (folder / "spec" / "slack").glob("*.toml"):
            path.write_text(of_mini.render(path.read_text("utf-8"), path.name), "utf-8")
        (folder / "facts").mkdir()
        (folder / "facts" / "opening.toml").write_text(ledger, "utf-8")
        return folder

    return make


@pytest.fixture
def checked(small: Callable[..., Path]) -> Checked:
    return lambda talk=TALK, ledger=LEDGER: check_facts(Spec(small(talk, ledger)))


def slack(report: FactReport) -> list[str]:
    return [each for each in report.findings if "talk/" in each or "facts/" in each]


def test_a_world_whose_values_are_all_references_has_no_findings(checked: Checked) -> None:
    report = checked()

    assert slack(report) == []
    assert (report.facts, report.former, report.telling, report.bound, report.marks) == (2, 1, 2, 4, 1)


def test_rows_with_marks_are_the_same_but_for_the_marks(small: Callable[..., Path]) -> None:
    folder = small()

    plain_rows = rows_of(Spec(folder))["slack"]
    traced = rows_of(Spec(folder, traced=True))["slack"]

    assert [{name: plain(v) if isinstance(v, str) else v for name, v in row.items()} for row in traced] == plain_rows
    told = [(each.fact, each.version) for row in traced for each in told_in(str(row.get("text", "")))]
    assert told.count(("opening.at", "")) == 2
    assert ("opening.at", "first") in told


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("{{fact:opening.at clock}}", "11:00", "slack/talk/all.md:2: '11:00' (clock) belongs to no fact; refer to one"),
        ("{{fact:opening.chairs}}", "36 chairs", "slack/talk/all.md:5: '36' contradicts 'opening.chairs', 24, in"),
        (
            "How many",
            "In Dock Road, how many",
            "slack/talk/all.md:4: 'Dock Road' (name) is typed, and 'opening.road' has i",
        ),
        ("-3 16:00 ben", "-3 11:00 ben", "slack/talk/all.md:2: tells 'opening.at' before it is true (-3 12:00)"),
        ("-3 16:00 ben", "-3 16:00 cleo", "slack/talk/all.md:2: cleo tells 'opening.at' and is not among those who"),
        ("-3 16:00 ben", "-3 15:59 ada", "slack/talk/all.md:2: ada tells 'opening.at' before -3 16:00"),
        ("{{noise:+2 weekday_en}}", "{{date:+2 weekday_en}}", "slack/talk/all.md:5: '{{date:+2 weekday_en}}' (date)"),
    ],
)
def test_what_is_typed_or_told_too_early_is_found_with_its_line(
    checked: Checked, old: str, new: str, finding: str
) -> None:
    assert old in TALK

    road = '[[facts]]\nkey = "opening.road"\nkind = "place"\nvalue = "Dock Road"\n'
    findings = slack(checked(TALK.replace(old, new), LEDGER + road))

    assert any(each.startswith(finding) for each in findings), findings


def test_a_flag_that_names_other_messages_by_their_times_is_no_text(checked: Checked) -> None:
    report = checked(TALK + "- -1 16:00 ada {forward: opening: -1 15:00, -1 15:04}: the list\n")

    assert slack(report) == []


def test_a_file_in_a_message_may_be_named_by_a_fact(small: Callable[..., Path]) -> None:
    folder = small(TALK + "- -1 16:00 ada {file: {{fact:opening.chairs}}_chairs.pdf}: the list\n")

    report, rows = check_facts(Spec(folder)), rows_of(Spec(folder))["slack"]

    assert slack(report) == []
    assert any("24_chairs.pdf" in str(row) for row in rows)


# Columns with ids that are made from other texts, and senders whose names are quoted if they have signs.
MADE = {("slack", "files"), ("lark", "content"), ("notion", "value"), ("notion", "config"), ("gmail", "cc")}


@pytest.mark.parametrize("world", ["harbor", "halfday", "mini"])
def test_what_a_world_tells_stands_in_its_rows(world: str) -> None:
    spec = Spec.load(world)
    rows = [(app, row) for app, rows in generate(world).items() for row in rows]
    rows += [(app, each.row) for app in spec.apps for each in scheduled_rows_of(spec.app(app))]
    texts = {
        (app, row["table"], column, text)
        for app, row in rows
        for column, value in row.items()
        for text in shown_texts(value)
    }

    found = [*tellings(world)]

    assert {each.fact for each in found} <= {*spec.facts}
    assert len({each.fact for each in found}) > 0.8 * len(spec.facts)
    assert all(each.whole[each.start :].startswith(each.text) for each in found)
    lost = [each for each in found if (each.app, each.table, each.column, each.whole) not in texts]
    assert {(each.app, each.column) for each in lost if each.column != "sender"} <= MADE


@pytest.mark.parametrize(
    ("entry", "early"),
    [
        (f'topic = "{WHEN}"', False),
        (f'rows = [["chairs", "{WHEN}"]]', False),
        (f'turns = ["-3 16:00 > {WHEN}"]', True),
        (f'text = "{WHEN}"', True),
    ],
)
def test_a_topic_and_a_row_of_a_table_are_newer_than_what_they_stand_in(
    small: Callable[..., Path], entry: str, early: bool
) -> None:
    folder = small()
    path = folder / "spec" / "slack" / "channels.toml"
    path.write_text(f'{path.read_text("utf-8")}\n[[channels]]\ncreated = "-90 10:00"\n{entry}\n', "utf-8")

    findings = [each for each in check_facts(Spec(folder)).findings if "channels.toml" in each]

    assert any("before it is true" in each for each in findings) == early
    assert not any("16:00" in each for each in findings)


def test_a_fact_that_an_app_must_tell_and_does_not_is_found(checked: Checked) -> None:
    talk = TALK.replace(WHEN, "some day")

    assert "facts/opening.toml: 'opening.at': no text of slack tells it, and 'tell' names slack" in slack(checked(talk))


def test_a_fact_that_nothing_rests_on_is_found(checked: Checked) -> None:
    ledger = LEDGER.replace('rows = ["slack.messages.text"]', "")

    findings = slack(checked(TALK.replace("{{fact:opening.chairs}}", "Some"), ledger))

    line = "facts/opening.toml: 'opening.chairs' is told in fewer than two texts, and no task rests on it"
    assert [each for each in findings if each.startswith(line)]


@pytest.mark.parametrize(
    ("files", "kinds", "found"),
    [
        ("slack/*", ["number"], "slack/talk/all.md tells 'opening.chairs', so its numbers are no noise by place"),
        ("slack/talk/*", ["clock"], "slack/talk/all.md tells 'opening.at', so its clocks are no noise by place"),
        ("slack/talk/*", ["id", "amount", "name"], ""),
        ("slack/channels.toml", ["number"], ""),
    ],
)
def test_noise_by_place_does_not_excuse_what_a_fact_could_be_typed_as(
    checked: Checked, files: str, kinds: list[str], found: str
) -> None:
    findings = slack(checked(TALK, f'{LEDGER}[[noise]]\nfiles = "{files}"\nkinds = {kinds}\n'))

    assert [each.removeprefix("facts/opening.toml: noise 1: ").partition(";")[0] for each in findings] == (
        [found] if found else []
    )


@pytest.mark.parametrize("reference", ["{{fact:opening.chairs}}", "{{fact:opening.chairs en}}"])
def test_a_count_is_found_in_a_text_that_refers_to_no_fact(checked: Checked, reference: str) -> None:
    ledger, typed = LEDGER.replace("value = 24", "value = 4"), "4" if reference.endswith("chairs}}") else "four"

    findings = slack(checked(f"{TALK}- -1 16:00 ada: {reference} is enough.\n- -1 16:01 ada: {typed} is.\n", ledger))

    assert [each.partition(" belongs")[0] for each in findings] == [f"slack/talk/all.md:7: '{typed}' (number)"]


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ('name = "AB-88213_list.csv"', "'AB-88213'"),
        ('files = { "AB-88213_list.csv" = 12 }', "'AB-88213'"),
        ('files = { "ab-88213-list.csv" = 12 }', "'ab-88213'"),
        ('from = "Order AB-88213 <shop@example.com>"', "'AB-88213'"),
        ('cells = [["chairs", "14"], ["14:30"]]', "'14' '14:30'"),
        ('discriminator = "1404"', ""),
        ('repeat = "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH"', ""),
        ('images = ["hundred-row 1080x1440"]', ""),
    ],
)
def test_names_of_files_senders_and_numbers_in_cells_are_texts(
    small: Callable[..., Path], entry: str, found: str
) -> None:
    folder = small(ledger=LEDGER + '[[facts]]\nkey = "an.order"\nkind = "id"\nvalue = "AB-10000"\n')
    path = folder / "spec" / "slack" / "channels.toml"
    before = check_facts(Spec(folder)).findings
    path.write_text(f"{path.read_text('utf-8')}\n[[channels]]\n{entry}\n", "utf-8")

    findings = [each for each in check_facts(Spec(folder)).findings if each not in before]

    assert [each.partition(": ")[2].partition(" (")[0] for each in findings] == found.split()


def test_noise_by_place_excuses_only_texts_that_tell_no_fact(checked: Checked) -> None:
    lunch = "- -1 16:00 ada: Lunch at 12:30, and {{fact:opening.chairs}} chairs at 13:00.\n- -1 16:01 ben: 12:45!\n"
    ledger = LEDGER.replace('tell = ["slack"]', 'rows = ["slack.messages.ts"]')

    report = checked("## #opening\n" + lunch, ledger + NOISE)

    # The line numbers are those of the file; "Lunch" tells a fact, "12:45!" none.
    assert [each.partition(" (")[0] for each in slack(report)] == [
        "slack/talk/all.md:2: '12:30'",
        "slack/talk/all.md:2: '13:00'",
    ]
    assert report.noise["clock"] >= 1


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ('[[noise]]\nfiles = "slack/*"\n', "facts/opening.toml: noise 1: has the keys 'files', a pattern"),
        (NOISE.replace("date", "day"), "facts/opening.toml: noise 1: no kind 'day'; have date, clock"),
    ],
)
def test_an_invalid_entry_of_noise_is_one_line(checked: Checked, entry: str, line: str) -> None:
    with pytest.raises(FactError) as problem:
        checked(TALK, LEDGER + entry)

    assert str(problem.value).startswith(line)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{{fact:a.b}} and {{noise:12:00}} by {{user:ada}}", []),
        ("on {{date:+3 zh_week}} 14:00", [Literal("date", "{{date:+3 zh_week}}"), Literal("clock", "14:00")]),
        ("¥899, 下午两点", [Literal("amount", "¥899"), Literal("clock", "下午两点")]),
        ("order HL-88213, T-20417", [Literal("id", "HL-88213"), Literal("id", "T-20417")]),
        ("GY-2603-A的板子，GY-DRV-7", [Literal("id", "GY-2603-A"), Literal("id", "GY-DRV-7")]),
        ("2.8.1 is out; emb-412 was in 3.0.0-rc1", [Literal("id", each) for each in ("2.8.1", "emb-412", "3.0.0-rc1")]),
        ("about 4.7 of 5", [Literal("number", "4.7"), Literal("number", "5")]),
        ("23 km, 214 users", [Literal("number", "23 km"), Literal("number", "214")]),
        ("明天见, our 1:1, S2 on 9F", []),
        ("two of us, 3 people", [Literal("number", "two"), Literal("number", "3")]),
        ("1. 3 lamps\n2) 5 lamps；3️⃣ 7 lamps", [Literal("number", each) for each in ("3", "5", "7")]),
        ("店里88，加15g，第16天，只有两版三色", [Literal("number", each) for each in ("88", "15g", "16", "两", "三")]),
        ("pairing_android15.log, one week", [Literal("number", "15"), Literal("number", "one")]),
    ],
)
def test_the_typed_values_of_a_text(text: str, found: list[Literal]) -> None:
    reader = LiteralReader(Ledger(()), Spec(content.world_dir("mini")).starts_at)

    assert sorted(reader.literals(text), key=str) == sorted(found, key=str)


OF_SHOP = """
[[facts]]
key = "shop.case"
kind = "id"
value = "SQ-0147"

[[facts]]
key = "shop.machine"
kind = "id"
value = "log-sg-1"

[[facts]]
key = "shop.room"
kind = "place"
value = "北斗"
forms = { en = "Polaris", letter = "P" }
former = [{ key = "old", value = "灯塔" }]
draw = [{ value = "罗盘", forms = { en = "Compass", letter = "C" } }]

[[facts]]
key = "shop.guest"
kind = "person"
value = "Gus Okoye"
forms = { mailbox = "gus.okoye" }
draw = [{ value = "Ida Berg", forms = { mailbox = "ida.berg" } }]

[[facts]]
key = "shop.owner"
kind = "person"
value = "Ada Brandt"
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("8D_SQ-0147_draft.docx", [Literal("id", "SQ-0147")]),
        ("fix/sq-9999-picker and q/sq0148", [Literal("id", "sq-9999"), Literal("id", "sq0148")]),
        ("REL-0147-{{noise:1}}", [Literal("id", "0147")]),
        ("DiskSpaceLow (log-sg-2), not log-sg-21", [Literal("id", "log-sg-2")]),
        ("在北斗，不在灯塔", [Literal("name", "北斗", "shop.room"), Literal("name", "灯塔", "shop.room")]),
        (
            "from Polaris to Compass P, not Polarised",
            [Literal("name", "Polaris", "shop.room"), Literal("name", "Compass", "shop.room")],
        ),
        (
            "Ada Brandt, Gus Okoye, Ida Berg, gus.okoye",
            [Literal("name", "Gus Okoye", "shop.guest"), Literal("name", "Ida Berg", "shop.guest")],
        ),
    ],
)
def test_a_ledger_says_what_its_ids_and_names_look_like(tmp_path: Path, text: str, found: list[Literal]) -> None:
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "shop.toml").write_text(OF_SHOP, "utf-8")
    reader = LiteralReader(Ledger.load([tmp_path]), Spec(content.world_dir("mini")).starts_at)

    assert sorted(reader.literals(text), key=str) == sorted(found, key=str)


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("known = { ben", "known = { bem", "'known' names 'bem', who is nobody; have "),
        (
            'until = "-3 12:00" }]',
            'until = "-3 12:00" }]\nwrong = [{ key = "x", value = "+9 10:00", by = "bem" }]',
            "'wrong' n",
        ),
        ("slack.messages.text", "lark.messages.text", "'rows': the world has no part of 'lark'; have slack"),
        ("slack.messages.text", "slack.mesages.text", "'rows': slack has no table 'mesages'; have "),
        ("slack.messages.text", "slack.messages.txt", "'rows': slack.messages has no column 'txt'; have "),
        (
            "slack.messages.text",
            "slack.messages.user_id",
            "'rows': no row has 24 in slack.messages.user_id; let its entry",
        ),
        ('tell = ["slack"]', 'rows = ["slack.messages.ts"]', "'rows': no row has +4 10:00 in slack.messages.ts"),
    ],
)
def test_people_and_columns_that_a_ledger_names_are_there(
    small: Callable[..., Path], old: str, new: str, finding: str
) -> None:
    assert old in LEDGER

    spec = Spec(small(ledger=LEDGER.replace(old, new, 1)))
    findings = slack(check_facts(spec, rows_of(spec)))

    assert any(each.partition("': ")[2].startswith(finding) for each in findings), findings


def test_a_typed_column_that_holds_a_moment_is_found(small: Callable[..., Path]) -> None:
    # Ben's message of -3 16:00 has its time in a column.
    told = '[[facts]]\nkey = "news.at"\nkind = "moment"\nvalue = "-3 16:00"\nrows = ["slack.messages.ts"]\n'

    spec = Spec(small(ledger=LEDGER + told))

    assert not [each for each in check_facts(spec, rows_of(spec)).findings if "no row" in each]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            "{{noise:+2 weekday_en}}",
            "{{date:+999999999 en}}",
            r"slack/talk/all.md:5: .*needs a signed day of at most five",
        ),
        ("{{noise:+2 weekday_en}}", "{{noise:+999999999 en}}", r"slack/talk/all.md:5: .*needs a signed day of at most"),
        (
            "{{noise:+2 weekday_en}}",
            "{{ms:+3 25:00}}",
            r"slack/talk/all.md:5: .*needs a day of at most five digits and",
        ),
        ("  - 15:04 gus", "  - +999999999 15:04 gus", r"slack/talk/all.md:5: "),
        ("- -1 15:00 ben", "- +999999 15:00 ben", r"slack/talk/all.md:4: '\+999999' is no day"),
    ],
)
def test_a_time_that_no_calendar_has_is_one_line_with_its_place(
    small: Callable[..., Path], old: str, new: str, line: str
) -> None:
    assert old in TALK

    with pytest.raises(FarmError, match=f"^{line}[^\n]*$"):
        rows_of(Spec(small(TALK.replace(old, new))))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            "- -3 16:00 ben",
            "- {{fact:opening.at at}} ben",
            "slack/talk/all.md:2: '{{fact:opening.at at}}' stands for a t",
        ),
        (
            "- -1 15:00 ben",
            "- -1 15:00 {{fact:opening.chairs}}",
            "slack/talk/all.md:4: '{{fact:opening.chairs}}' stands",
        ),
        ("  - 15:04 gus", "  - 15:04 {{fact:opening.chairs}}", "slack/talk/all.md:5: '{{fact:opening.chairs}}' stands"),
        ("{{noise:+2 weekday_en}}", "{{date:+999999999 en}} opening", "slack/talk/all.md:5: a day in "),
    ],
)
def test_what_the_check_cannot_read_is_one_line_with_its_place(checked: Checked, old: str, new: str, line: str) -> None:
    ledger = LEDGER.replace('rows = ["slack.messages.text"]\n', "")

    with pytest.raises(FactError) as problem:
        checked(TALK.replace(old, new), ledger)

    assert str(problem.value).startswith(line)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("words", ["he sat there", "the sun's out", "from the second verse on", "she sat down"])
def test_a_word_that_looks_like_a_day_or_a_time_is_none(words: str) -> None:
    assert not [*LiteralReader(Ledger(()), datetime(2026, 6, 1, tzinfo=UTC)).literals(words)]


def test_a_day_in_small_letters_is_still_a_value() -> None:
    found = [*LiteralReader(Ledger(()), datetime(2026, 6, 1, tzinfo=UTC)).literals("see you sat or on sun")]

    assert [each.kind for each in found] == ["date", "date"]


def test_a_typed_value_is_answered_with_the_reference_that_renders_it(checked: Checked) -> None:
    findings = checked(TALK + "- +0 08:50 jon: {{fact:opening.chairs}} or 24\n").findings

    assert any("'24' (number) belongs to no fact; write {{fact:opening.chairs}} if it is that" in f for f in findings)
