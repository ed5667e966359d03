"""What the generator makes of a script of Lark's chats, and which scripts it refuses."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from farm.appkit.handler_api import Row
from farm.appkit.world_spec import WorldError
from farm.world import Spec
from farm.world.generate import rows_of_app
from farm.world.generators import generators
from tests.unit._two_people import PERSON, WORLD

CHATS = """
[[chats]]
key = "launch"
name = "Launch"
description = ""
owner = "lin.wan"
created = "-30 10:00"
members = ["lin.wan", "chen.mei"]
"""
APPS = '[[apps]]\nkey = "ci"\nname = "CI"\nchats = ["launch"]\n'
Said = Callable[[str], list[Row]]


@pytest.fixture
def said(tmp_path: Path) -> Said:
    """Return a function that gives the messages of a script of one chat with two people and a bot."""
    module = generators()["lark"]

    def messages_of(talk: str) -> list[Row]:
        folder = tmp_path / "small"
        lark = folder / "spec" / "lark"
        (lark / "talk").mkdir(parents=True)
        people = PERSON.format(key="lin.wan", name="林晚") + PERSON.format(key="chen.mei", name="陈梅")
        (folder / "world.toml").write_text(WORLD + people, "utf-8")
        (lark / "accounts.toml").write_text('accounts = [{ person = "lin.wan" }, { person = "chen.mei" }]', "utf-8")
        (lark / "tenant.toml").write_text('[countries]\nShanghai = "CN"\n', "utf-8")
        (lark / "chats.toml").write_text(CHATS, "utf-8")
        (lark / "apps.toml").write_text(APPS, "utf-8")
        (lark / "talk" / "talk.md").write_text("## #launch\n" + talk, "utf-8")
        spec = Spec(folder).app("lark")
        company = importlib.import_module(f"{module}._generate_people").Company(spec)
        return list(importlib.import_module(f"{module}._generate_messages").rows(spec, company))[1:]

    return messages_of


EVENTS = """
events = [
{ cal = "chen.mei", at = "+1 10:00", min = 30, title = "New lot {{fact:board.lot}}" },
{ cal = "chen.mei", at = "+1 11:00", min = 30, title = "Old lot {{fact:board.lot#first}}" },
{ cal = "lin.wan", at = "-2 07:30", min = 30, title = "Run", private = true },
{ cal = "lin.wan", at = "-12 15:00", min = 30, title = "Past" },
{ cal = "lin.wan", at = "+3 16:00", min = 30, title = "Changed to {{fact:board.lot}}", made = "-40 10:00" },
{ cal = "lin.wan", at = "+3 15:00", min = 30, title = "Given", made = "-40 10:00" },
{ cal = "lin.wan", at = "-333 15:00", min = 30, title = "Weekly", repeat = "FREQ=WEEKLY;BYDAY=WE" },
%s
]
"""
FACT = """
[[facts]]
key = "board.lot"
kind = "id"
value = "B-12"
since = "%s"
former = [{ key = "first", value = "B-11", until = "%s" }]
"""


def _events(tmp_path: Path, since: str) -> dict[str, Row]:
    """Return title → event of a small world with 200 events without a cause."""
    return {row["summary"]: row for row in _rows(tmp_path, since) if row["table"] == "events"}


def _rows(tmp_path: Path, since: str) -> list[Row]:
    folder = tmp_path / "small"
    lark = folder / "spec" / "lark"
    lark.mkdir(parents=True)
    (folder / "facts").mkdir()
    (folder / "facts" / "lot.toml").write_text(FACT % (since, since), "utf-8")
    people = PERSON.format(key="lin.wan", name="林晚") + PERSON.format(key="chen.mei", name="陈梅")
    (folder / "world.toml").write_text(WORLD + people, "utf-8")
    (lark / "accounts.toml").write_text(
        'accounts = [{ person = "lin.wan", joined = "-400 10:00" }, { person = "chen.mei" }]', "utf-8"
    )
    for name in ("chats", "apps", "bases", "tasks", "wiki"):
        key = {"chats": "chats", "apps": "apps", "bases": "bases", "wiki": "spaces"}.get(name)
        (lark / f"{name}.toml").write_text(f"{key} = []\n" if key else "lists = []\ntasks = []\n", "utf-8")
    (lark / "calendars.toml").write_text("calendars = []\nprimaries = []\nrooms = []\n", "utf-8")
    (lark / "tenant.toml").write_text('[countries]\nShanghai = "CN"\n', "utf-8")
    many = [f'{{ cal = "lin.wan", at = "+{1 + n % 9} 10:00", min = 30, title = "Event {n}" }},' for n in range(200)]
    (lark / "events.toml").write_text(EVENTS % "\n".join(many), "utf-8")
    return list(rows_of_app(Spec(folder).app("lark")))


def _made(event: Row) -> datetime:
    return datetime.fromtimestamp(event["created_at"], ZoneInfo("Asia/Shanghai"))


def test_events_are_made_at_work_before_they_begin(tmp_path: Path) -> None:
    events = _events(tmp_path, "-3 10:00")

    for title, event in events.items():
        made = _made(event)
        assert event["created_at"] < event["start_at"]
        assert 8 <= made.hour < 23
        if title.startswith("Event"):
            assert (9 <= made.hour < 19, made.weekday() < 5) == (True, True), made
    assert len({_made(event).second for event in events.values()}) > 40


def test_an_event_is_made_after_what_it_tells_became_true(tmp_path: Path) -> None:
    since = "-1 08:50"  # a Sunday, ten minutes and a day before the world
    events = _events(tmp_path, since)

    assert events["New lot B-12"]["created_at"] > events["Old lot B-11"]["created_at"]
    world = Spec(tmp_path / "small").app("lark").world
    assert world.at(since, "") < _made(events["New lot B-12"]) < world.starts_at


def test_what_is_to_come_was_made_in_the_last_two_working_days(tmp_path: Path) -> None:
    events = _events(tmp_path, "-3 10:00")

    days = {(_made(event).month, _made(event).day) for title, event in events.items() if title.startswith("Event")}
    assert days == {(3, 5), (3, 6)}
    assert _made(events["Past"]).day in {23, 24, 25}  # Wednesday the 25th of February, and two working days before


def test_a_given_time_wins(tmp_path: Path) -> None:
    made = _made(_events(tmp_path, "-3 10:00")["Given"])

    assert (made.month, made.day, made.hour, made.minute) == (1, 28, 10, 0)


def test_an_event_that_tells_something_newer_was_changed_for_it(tmp_path: Path) -> None:
    since = "-3 10:00"
    events = _events(tmp_path, since)

    world = Spec(tmp_path / "small").app("lark").world
    changed = datetime.fromtimestamp(events["Changed to B-12"]["updated_at"] / 1000, ZoneInfo("Asia/Shanghai"))
    assert world.at(since, "") < changed < world.starts_at
    assert events["Given"]["updated_at"] == events["Given"]["created_at"] * 1000


def test_an_event_is_made_before_what_it_tells_changed(tmp_path: Path) -> None:
    since = "-6 12:00"
    events = _events(tmp_path, since)

    changed = Spec(tmp_path / "small").app("lark").world.at(since, "")
    assert _made(events["Old lot B-11"]) < changed < _made(events["New lot B-12"])


def test_a_calendar_is_older_than_its_first_event(tmp_path: Path) -> None:
    rows = _rows(tmp_path, "-3 10:00")

    made_ms = {row["calendar_id"]: row["updated_at"] for row in rows if row["table"] == "calendars"}
    events = [row for row in rows if row["table"] == "events"]
    assert all(made_ms[event["organizer_calendar_id"]] < event["created_at"] * 1000 for event in events)
    (weekly,) = (event for event in events if event["summary"] == "Weekly")
    assert 0 < weekly["start_at"] - weekly["created_at"] < 3 * 86_400


def test_answers_quote_and_those_to_a_thread_stand_in_it(said: Said) -> None:
    asked, answer, opener, inside = said(
        "- -1 09:00 lin.wan: one\n  - 09:01 chen.mei: two\n"
        "- -1 10:00 lin.wan {thread}: three\n  - 10:01 chen.mei: four\n"
    )

    assert (asked["thread_id"], answer["thread_id"]) == (None, None)
    assert answer["root_id"] == answer["parent_id"] == asked["message_id"]
    assert opener["thread_id"] is not None
    assert inside["thread_id"] == opener["thread_id"]
    assert inside["root_id"] == opener["message_id"]


def test_several_in_one_minute_keep_their_order_and_their_minute(said: Said) -> None:
    rows = said("".join(f"- -1 09:07 lin.wan: {number}\n" for number in range(9)))

    assert [json.loads(row["content"])["text"] for row in rows] == list("012345678")
    times = [row["created_at"] for row in rows]
    assert times == sorted(times)
    assert times[-1] - times[0] < 60_000


def test_who_comes_goes_and_renames_is_the_services_word(said: Said) -> None:
    rows = said(
        "- -3 09:00 chen.mei {joins: lin.wan}:\n- -2 09:00 chen.mei {leaves: lin.wan}:\n- -1 09:00 lin.wan {renames}:\n"
    )

    bodies = [json.loads(row["content"]) for row in rows]
    assert [body["from_user"] for body in bodies] == [["林晚"]] * 3
    assert [body["to_chatters"] for body in bodies] == [["陈梅"], ["陈梅"], []]
    assert [body["template"].split()[1] for body in bodies] == ["invited", "removed", "updated"]
    assert {(row["msg_type"], row["sender_type"], row["sender_id"]) for row in rows} == {("system", "", "")}


def test_a_card_has_a_line_for_each_of_its_text(said: Said) -> None:
    (card,) = said(
        "- -1 09:00 ci {card: Build}: 3 of [9](https://ci.example/9) failed\\n---\\n[Again] [Stop]\\n> main\n"
    )

    assert card["sender_type"] == "app"
    assert json.loads(card["content"]) == {
        "title": "Build",
        "elements": [
            [
                {"tag": "text", "text": "3 of "},
                {"tag": "a", "href": "https://ci.example/9", "text": "9"},
                {"tag": "text", "text": " failed"},
            ],
            [{"tag": "hr"}],
            [
                {"tag": "button", "text": "Again", "type": "primary"},
                {"tag": "button", "text": "Stop", "type": "default"},
            ],
            [{"tag": "note", "elements": [{"tag": "text", "text": "main"}]}],
        ],
    }


def test_a_sticker_is_one_file_whoever_sends_it_and_a_picture_is_not(said: Said) -> None:
    one, two, picture, other = said(
        "- -1 09:00 lin.wan {sticker: cat}:\n- -1 09:01 chen.mei {sticker: cat}:\n"
        "- -1 09:02 lin.wan {image: a lamp}:\n- -1 09:03 lin.wan {image: a shade}:\n"
    )

    assert one["content"] == two["content"]
    assert picture["content"] != other["content"]


@pytest.mark.parametrize(
    ("talk", "complaint"),
    [
        ("- -1 09:00 lin.wan {file: a.pdf}: here\n", "talk.md:2: in Lark what is 'file' has no words"),
        ("- -1 09:00 lin.wan {broadcast}: here\n", "talk.md:2: lark has no 'broadcast'"),
        ("- -1 09:00 chen.mei {joins}:\n", "talk.md:2: who does it? write {joins: PERSON}"),
        ("- -1 09:00 lin.wan {forward: launch}:\n", "talk.md:2: write {forward: CHAT: -3 10:05, -3 10:07}"),
        ("- -1 09:00 lin.wan {forward: lunch: -3 10:05}:\n", "talk.md:2: no chat 'lunch'; nearest: launch"),
        ("- -1 09:00 lin.wan {forward: launch: -3 10:05}:\n", "talk.md:2: nothing was said in 'launch' at '-3 10:05'"),
        ("- -1 09:00 lin.wan: hi\n  - :eyes: chen.mei\n", "talk.md:2: Lark stores no reactions; use a reply"),
    ],
)
def test_a_script_with_what_lark_has_not_is_refused_with_its_place(said: Said, talk: str, complaint: str) -> None:
    with pytest.raises(WorldError) as refused:
        said(talk)

    assert complaint in str(refused.value)


_BASE = """
[[bases]]
key = "tracker"
title = "Tracker"
owner = "lin.wan"
created = "-30 10:00"
edited = "-20 10:00"

[[bases.tables]]
name = "Issues"
by = "lin.wan"
at = "-30 10:05"
%s
fields = [{ name = "Title", type = "text" }, { name = "Found", type = "date" }]
views = []
records = [
    ["flicker", "-6 00:00"],
    ["older than that", "-20 00:00"],
    ["lot {{fact:board.lot}}", ""],
    ["draft of {{noise:-2 slash}}", ""],
    ["idea", ""],
    ["another idea", ""],
]
"""


def _records(folder: Path, own: str = "") -> tuple[dict[str, Row], Row]:
    """Return the records of a base by their title, and the base's file."""
    lark = folder / "small" / "spec" / "lark"
    (lark / "talk").mkdir(parents=True)
    (folder / "small" / "facts").mkdir()
    people = PERSON.format(key="lin.wan", name="林晚")
    (folder / "small" / "world.toml").write_text(WORLD + people, "utf-8")
    (folder / "small" / "facts" / "small.toml").write_text(
        '[[facts]]\nkey = "board.lot"\nkind = "id"\nvalue = "B-12"\nsince = "-3 20:10"\n', "utf-8"
    )
    (lark / "accounts.toml").write_text('accounts = [{ person = "lin.wan" }]', "utf-8")
    (lark / "tenant.toml").write_text('[countries]\nShanghai = "CN"\n', "utf-8")
    for name in ("chats", "apps", "tasks", "wiki", "calendars", "events"):
        (lark / f"{name}.toml").write_text("", "utf-8")
    (lark / "bases.toml").write_text(_BASE % own, "utf-8")
    rows = list(rows_of_app(Spec(folder / "small").app("lark")))
    records = [row for row in rows if row["table"] == "base_records"]
    titles = {re.findall(r'"fld\w+":"([^"{]*)', row["fields"])[0].strip(): row for row in records}
    return titles, next(row for row in rows if row["table"] == "files")


def _day(ms: int) -> tuple[int, int]:
    at = datetime.fromtimestamp(ms // 1000, ZoneInfo("Asia/Shanghai"))
    assert 9 <= at.hour < 19
    return at.month, at.day


def test_a_record_is_edited_after_what_it_tells(tmp_path: Path) -> None:
    records, file = _records(tmp_path)

    assert _day(records["lot B-12"]["modified_at"]) == (3, 7)  # the morning after an evening, -3 20:10
    assert _day(records["draft of"]["modified_at"]) == (3, 7)
    assert _day(records["lot B-12"]["created_at"]) == (2, 7)
    assert records["idea"]["modified_at"] == records["idea"]["created_at"]
    assert file["edited_at"] == max(each["modified_at"] for each in records.values())


def test_a_record_is_made_on_its_day_and_others_in_one_sitting(tmp_path: Path) -> None:
    records, _ = _records(tmp_path)

    assert _day(records["flicker"]["created_at"]) == (3, 3)
    assert _day(records["older than that"]["created_at"]) == (2, 17)
    assert 0 < records["another idea"]["created_at"] - records["idea"]["created_at"] < 600_000
    in_order = sorted(records.values(), key=lambda each: each["created_at"])
    assert [each["number"] for each in in_order] == [1, 2, 3, 4, 5, 6]


def test_a_table_may_say_when_a_record_was_made_and_edited(tmp_path: Path) -> None:
    records, _ = _records(
        tmp_path, 'made = { "idea" = "-9 11:20" }\nedited = { "idea" = "-8 12:00", "flicker" = "-2 9:40" }'
    )

    assert _day(records["idea"]["created_at"]) == (2, 28)
    assert _day(records["idea"]["modified_at"]) == (3, 1)
    assert _day(records["flicker"]["modified_at"]) == (3, 7)


def test_a_time_of_a_cell_that_no_record_has_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="edited: 0 records have a cell 'ideas'"):
        _records(tmp_path, 'edited = { "ideas" = "-2 9:40" }')
