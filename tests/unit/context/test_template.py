"""The start of a context: rows moved in time, written into a file, and kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from farm.appkit.schema import INTEGER, TEXT, MetaData, Schema, column, parent, table
from farm.content import load_app
from farm.context import template
from farm.context.ddl import context_ddl
from farm.context.template import (
    InitialStates,
    World,
    account_holders,
    build,
    load_world,
    populate,
    read_rows,
    shift_rows,
)
from farm.errors import FarmError, NotFoundError

METADATA = MetaData()
table("calendars", METADATA, column("id", primary_key=True))
table(
    "events",
    METADATA,
    column("id", primary_key=True),
    column("calendar_id", parent("calendars.id")),
    column("s", INTEGER, time="s"),
    column("ms", INTEGER, time="ms"),
    column("us", INTEGER, time="us"),
    column("s_text", TEXT, time="s_text"),
    column("ms_text", TEXT, time="ms_text"),
    column("ts", TEXT, time="ts"),
    column("date", TEXT, time="date"),
    column("rfc3339", TEXT, time="rfc3339"),
    column("text", TEXT),
    column("count", INTEGER),
)
SCHEMA = Schema(METADATA)
# Tuesday the 10th; the week begins on the 9th.
WORLD = World("w", "W", datetime.fromisoformat("2026-03-10T01:00:00+08:00"), ZoneInfo("Asia/Shanghai"), "lin.wan", ())


def moved(days: int, **row: Any) -> dict[str, Any]:
    (only,) = shift_rows(SCHEMA, [{"table": "events", **row}], WORLD, days)
    assert only.pop("table") == "events"
    return only


@pytest.mark.parametrize(
    ("form", "before", "after"),
    [
        ("s", 1_000, 1_000 + 604_800),
        ("ms", 1_000, 1_000 + 604_800_000),
        ("us", 1_000, 1_000 + 604_800_000_000),
        ("s_text", "1000", "605800"),
        ("ms_text", "1000", "604801000"),
        ("ts", "1000.000200", "605800.000200"),
        ("ts", "1000", "605800"),
        ("date", "2026-02-27", "2026-03-06"),
        ("rfc3339", "2026-02-27T23:30:00+08:00", "2026-03-06T23:30:00+08:00"),
    ],
)
def test_a_time_moves_by_whole_days_in_the_form_it_is_stored_in(form: str, before: Any, after: Any) -> None:
    assert moved(7, **{form: before}) == {form: after}
    assert moved(-7, **{form: after}) == {form: before}
    assert moved(0, **{form: before}) == {form: before}


@pytest.mark.parametrize(
    ("form", "never"),
    [
        ("s", 0),
        ("ms", 0),
        ("us", 0),
        ("s_text", "0"),
        ("s_text", ""),
        ("ms_text", "0"),
        ("ms_text", ""),
        ("ts", "0000000000.000000"),
        ("ts", "0"),
        ("date", ""),
        ("rfc3339", ""),
        *((form, None) for form in ("s", "ms", "us", "s_text", "ms_text", "ts", "date", "rfc3339")),
    ],
)
def test_a_time_that_stands_for_never_does_not_move(form: str, never: Any) -> None:
    assert moved(7, **{form: never}) == {form: never}


def test_what_is_no_time_stays_and_its_placeholders_follow_the_week() -> None:
    row = {"text": "1000, {{date:+1 iso}}", "count": 1000, "id": None}

    assert moved(0, **row) == {"text": "1000, 2026-03-10", "count": 1000, "id": None}
    assert moved(14, **row) == {"text": "1000, 2026-03-24", "count": 1000, "id": None}


def test_rows_of_a_table_without_times_are_rendered_too() -> None:
    (row,) = shift_rows(SCHEMA, [{"table": "calendars", "id": "{{s:0 08:00}}"}], WORLD, 7)

    assert row == {"table": "calendars", "id": str(1_773_014_400 + 604_800)}


@pytest.mark.parametrize(
    ("moment", "days"),
    [
        # A day of that week, and the start of it is to come yet.
        ("2026-03-10T00:59:59+08:00", -7),
        ("2026-03-10T01:00:00+08:00", 0),
        ("2026-03-09T17:00:00+00:00", 0),
        ("2026-03-17T00:59:59+08:00", 0),
        ("2026-03-17T01:00:00+08:00", 7),
    ],
)
def test_a_world_moves_by_weeks_to_its_latest_start_that_is_past(moment: str, days: int) -> None:
    assert WORLD.starts_at == datetime.fromisoformat("2026-03-10T01:00:00+08:00")
    assert WORLD.shift_to(datetime.fromisoformat(moment)) == days


def test_a_worlds_monday_is_that_of_the_week_its_clock_starts_in() -> None:
    assert WORLD.monday == date(2026, 3, 9)


def test_a_worlds_week_is_that_of_its_own_zone() -> None:
    # Sunday evening in Greenwich is Monday morning in Shanghai.
    late = World("w", "W", datetime.fromisoformat("2026-03-08T20:00:00+00:00"), WORLD.zone, "", ())

    assert late.monday == date(2026, 3, 9)


def opened(data: bytes) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.deserialize(data)
    return db


def test_a_start_holds_its_rows_an_empty_journal_and_no_seed_yet() -> None:
    rows: list[dict[str, Any]] = [
        {"table": "calendars", "id": "c"},
        {"table": "events", "id": "e", "calendar_id": "c", "count": 3},
    ]

    db = opened(build(SCHEMA, rows))

    assert db.execute("SELECT id, calendar_id, count, text FROM events").fetchall() == [("e", "c", 3, None)]
    assert db.execute("SELECT * FROM _journal").fetchall() == []
    assert db.execute("SELECT seed, clock_ms, live FROM _meta").fetchall() == [(None, None, 0)]
    assert db.execute("PRAGMA page_size").fetchone() == (4096,)
    # Statistics of a small start would mislead the planner once an episode has grown.
    assert not db.execute("SELECT 1 FROM sqlite_master WHERE name LIKE 'sqlite_stat%'").fetchall()


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"table": "event", "id": "e"}, "no table 'event'; have "),
        ({"table": "events", "id": "e", "cout": 1, "txt": 2}, "no column 'cout' in 'events'; have id, "),
        (
            {"table": "events", "id": "e", "calendar_id": "x"},
            "events.calendar_id 'x' is no id of 'calendars'; have none: {\"id\":",
        ),
        ({"table": "events", "id": "e", "count": "many"}, "cannot store TEXT value in INTEGER column"),
        ({"table": "events", "id": "e", "text": "x" * 500, "wrong": 1}, "no column 'wrong' in 'events'; have id, "),
    ],
)
def test_a_row_that_does_not_fit_is_shown(row: dict[str, Any], complaint: str) -> None:
    with pytest.raises(FarmError) as refused:
        build(SCHEMA, [row])

    assert complaint in str(refused.value)
    assert len(str(refused.value)) < 400


def test_rows_are_inserted_in_the_order_they_come() -> None:
    db = sqlite3.connect(":memory:")
    db.executescript(context_ddl(SCHEMA))

    populate(db, SCHEMA, ({"table": "calendars", "id": name} for name in "bca"))

    assert db.execute("SELECT id FROM calendars ORDER BY rowid").fetchall() == [("b",), ("c",), ("a",)]


def test_empty_lines_of_a_file_of_rows_count_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "app.jsonl"
    path.write_bytes(b'{"table":"a"}\n\n  \n{"table":"b"}')

    assert read_rows(path) == [{"table": "a"}, {"table": "b"}]


TOML = """
title = "Small"
time_zone = "Asia/Shanghai"
starts_at = 2026-03-10T09:00:00+08:00
protagonist = "lin.wan"
[[people]]
key = "lin.wan"
name = "Lin Wan"
"""
SLACK = (
    b'{"table":"teams","id":"T1","name":"Acme {{date:0 iso}}","domain":"acme"}\n'
    b'{"table":"users","id":"U1","person":"lin.wan","team_id":"T1","name":"lin","real_name":"Lin"}\n'
)


def _forget_worlds() -> None:
    """Let worlds be read anew: a process reads each once."""
    template._load_world.cache_clear()
    template._toml.cache_clear()


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a world ``small`` with rows for Slack alone."""
    folder = tmp_path / "content" / "contexts" / "worlds" / "small"
    folder.mkdir(parents=True)
    (folder / "world.toml").write_text(TOML, "utf-8")
    (folder / "slack.jsonl").write_bytes(SLACK)
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "content"))
    _forget_worlds()
    yield folder
    _forget_worlds()


def test_a_world_says_who_is_in_it_and_which_apps_have_rows(small: Path) -> None:
    (small / "lark.jsonl").touch()

    world = load_world("small")

    assert (world.name, world.title, world.protagonist) == ("small", "Small", "lin.wan")
    assert world.starts_at == datetime.fromisoformat("2026-03-10T09:00:00+08:00")
    assert world.zone == ZoneInfo("Asia/Shanghai")
    assert world.people == {"lin.wan": {"key": "lin.wan", "name": "Lin Wan", "accounts": {}}}
    assert world.apps == ["lark", "slack"]


@pytest.mark.parametrize("key", ["title", "time_zone", "starts_at", "protagonist"])
def test_a_world_that_lacks_something_says_what(small: Path, key: str) -> None:
    (small / "world.toml").write_text(TOML.replace(key, f"x_{key}", 1), "utf-8")

    with pytest.raises(FarmError) as refused:
        load_world("small")

    assert str(refused.value).startswith(f"{small / 'world.toml'} lacks '{key}'")


@pytest.mark.parametrize("languages", ['["zh", "en"]', '[\n"zh",\n]', "[\n[]]", '"""\n["""'])
def test_what_stands_above_a_world_s_clock_does_not_hide_it(small: Path, languages: str) -> None:
    (small / "world.toml").write_text(f"languages = {languages}{TOML}", "utf-8")

    assert load_world("small").protagonist == "lin.wan"


def test_a_world_that_is_no_toml_is_named(small: Path) -> None:
    (small / "world.toml").write_text(f"{TOML}\nthis is none", "utf-8")
    world = load_world("small")

    with pytest.raises(FarmError, match=r"world\.toml: "):
        _ = world.people


def test_a_world_that_does_not_exist_is_named() -> None:
    with pytest.raises(NotFoundError, match="no world 'sunken'"):
        load_world("sunken")


def teams(start: bytes) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = opened(start).execute("SELECT id, name FROM teams").fetchall()
    return found


@pytest.fixture
def starts(tmp_path: Path) -> InitialStates:
    return InitialStates(load_app("slack"), tmp_path / "starts")


def again(starts: InitialStates) -> InitialStates:
    """What another process has."""
    return InitialStates(starts._loaded, starts._cache)


def kept(starts: InitialStates) -> list[str]:
    return sorted(path.name for path in starts._cache.iterdir())


@pytest.mark.usefixtures("small")
def test_a_start_has_the_worlds_rows_moved_by_whole_weeks(starts: InitialStates) -> None:
    assert teams(starts.get("small")) == [("T1", "Acme 2026-03-09")]
    assert teams(starts.get("small", 14)) == [("T1", "Acme 2026-03-23")]


@pytest.mark.usefixtures("small")
def test_without_a_world_or_without_rows_in_it_a_start_is_empty(starts: InitialStates, tmp_path: Path) -> None:
    lark = InitialStates(load_app("lark"), tmp_path / "starts")

    assert teams(starts.get(None)) == []
    assert opened(lark.get("small")).execute("SELECT count(*) FROM users").fetchone() == (0,)


def test_a_start_is_built_once_and_kept_for_the_next_process(
    small: Path, starts: InitialStates, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {name: starts.get(name, days) for name, days in ((None, 0), ("small", 0))} | {
        "later": starts.get("small", 7)
    }
    assert len(kept(starts)) == 3
    assert all(name.startswith("slack-") and name.endswith(".db") for name in kept(starts))

    def never(*_: Any) -> bytes:
        raise AssertionError("built again")

    monkeypatch.setattr(template, "build", never)

    assert [starts.get(None), starts.get("small"), starts.get("small", 7)] == list(made.values())
    other = again(starts)
    assert [other.get(None), other.get("small"), other.get("small", 7)] == list(made.values())


@pytest.mark.parametrize("changed", ["slack.jsonl", "world.toml"])
def test_a_start_is_built_anew_when_its_world_has_changed(small: Path, starts: InitialStates, changed: str) -> None:
    starts.get("small")
    path = small / changed
    path.write_bytes(path.read_bytes().replace(b"Acme", b"Other").replace(b"03-10T", b"03-17T"))
    _forget_worlds()

    other = again(starts)

    expected = "Other 2026-03-09" if changed == "slack.jsonl" else "Acme 2026-03-16"
    assert teams(other.get("small")) == [("T1", expected)]
    assert len(kept(starts)) == 2


def test_a_start_is_built_anew_when_the_form_of_starts_has(
    small: Path, starts: InitialStates, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts.get("small")
    monkeypatch.setattr(template, "FORMAT", template.FORMAT + 1)

    again(starts).get("small")

    assert len(kept(starts)) == 2


def test_a_world_that_is_spoilt_leaves_no_half_start(small: Path, starts: InitialStates) -> None:
    (small / "slack.jsonl").write_bytes(SLACK + b'{"table":"teems"}\n')

    with pytest.raises(FarmError, match="no table 'teems'"):
        starts.get("small")

    assert not starts._cache.exists()


def test_content_is_utf8_wherever_the_farm_runs(small: Path) -> None:
    (small / "world.toml").write_bytes(TOML.replace("Lin Wan", "林婉").encode())

    assert load_world("small").people["lin.wan"]["name"] == "林婉"


ACCOUNTS = """
accounts = [{ person = "lin.wan", handle = "lin" }, { person = "mo.lan" }, { person = "nobody" }, { handle = "bot" }]
"""
OUTSIDERS = """
[[organisations]]
key = "friends"
[[people]]
key = "mo.lan"
"""


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def test_people_are_the_worlds_own_then_outsiders_each_with_the_accounts_they_have(small: Path) -> None:
    write(small / "world.toml", TOML + '[[organisations]]\nkey = "acme"\n')
    write(small / "outsiders" / "friends.toml", OUTSIDERS)
    write(small / "outsiders" / "agencies.toml", '[[people]]\nkey = "an.ping"\n')
    write(small / "spec" / "slack" / "accounts.toml", ACCOUNTS)
    write(small / "spec" / "lark" / "accounts.toml", 'accounts = [{ person = "mo.lan", id = "ou_1" }]\n')

    world = load_world("small")

    assert list(world.people) == ["lin.wan", "an.ping", "mo.lan"]
    assert world.people["lin.wan"]["accounts"] == {"slack": {"person": "lin.wan", "handle": "lin"}}
    assert world.people["mo.lan"]["accounts"] == {
        "lark": {"person": "mo.lan", "id": "ou_1"},
        "slack": {"person": "mo.lan"},
    }
    assert list(world.people["mo.lan"]["accounts"]) == ["lark", "slack"]
    assert world.people["an.ping"]["accounts"] == {}
    assert world.organisations == {"acme": {"key": "acme"}, "friends": {"key": "friends"}}


def test_another_folder_adds_people_accounts_and_prompts_to_a_world(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = tmp_path / "more" / "contexts" / "worlds" / "small"
    write(small / "spec" / "slack" / "prompts.toml", '[[prompts]]\ntext = "Catch me up."\n')
    write(
        more / "spec" / "mail" / "prompts.toml", '[[prompts]]\ntext = "Answer it."\nwith = ["slack"]\nme = "mo.lan"\n'
    )
    write(more / "spec" / "mail" / "accounts.toml", 'accounts = [{ person = "lin.wan" }]\n')
    write(more / "outsiders" / "friends.toml", OUTSIDERS)
    monkeypatch.setenv("FARM_CONTENT", f"{tmp_path / 'content'}:{tmp_path / 'more'}")

    world = load_world("small")

    assert world.folders == (small, more)
    assert list(world.people) == ["lin.wan", "mo.lan"]
    assert world.people["lin.wan"]["accounts"] == {"mail": {"person": "lin.wan"}}
    assert world.prompts == [
        {"text": "Answer it.", "apps": ["mail", "slack"], "tools": None, "me": "mo.lan"},
        {"text": "Catch me up.", "apps": ["slack"], "tools": None, "me": "lin.wan"},
    ]


def test_those_of_a_world_with_an_account_in_an_app_are_the_persons_of_its_rows(small: Path) -> None:
    bot = b'{"table":"users","id":"U2","team_id":"T1","name":"bot","real_name":"Bot"}\n'
    (small / "slack.jsonl").write_bytes(SLACK + bot)

    assert account_holders("small", "slack") == {"lin.wan"}
    assert account_holders("small", "lark") == frozenset()


@pytest.mark.parametrize("broken", ["starts_at = 2026-13-45", 'starts_at = "soon"', 'time_zone = "Asia"'])
def test_a_world_whose_clock_makes_no_sense_is_named(small: Path, broken: str) -> None:
    key = broken.partition(" ")[0]
    lines = [line for line in TOML.strip().splitlines() if not line.startswith(key)]
    write(small / "world.toml", "\n".join([broken, *lines]))

    with pytest.raises(FarmError) as refused:
        load_world("small")

    assert str(refused.value).startswith(f"{small / 'world.toml'}: ")


def test_a_start_is_named_by_all_its_bytes_depend_on_and_by_nothing_else(small: Path, tmp_path: Path) -> None:
    def named(world: str | None, days: int = 0) -> set[str]:
        folder = tmp_path / "named"
        InitialStates(load_app("slack"), folder).get(world, days)
        return {path.name for path in folder.iterdir()}

    first = named("small")
    write(small / "world.toml", TOML.replace("Lin Wan", "Wan Lin").replace("T09:00", "T11:30"))
    _forget_worlds()
    # Another name and another hour of the same day are in no row.
    assert named("small") == first
    write(small / "world.toml", TOML.replace("Asia/Shanghai", "Asia/Tokyo"))
    _forget_worlds()
    second = named("small")
    assert len(second) == 2
    assert len(named("small", 7)) == 3
    assert len(named(None)) == 4
    assert named("small") == named("small", 7) == named(None)


def test_starts_are_kept_wherever_they_are_told_to(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"

    InitialStates(load_app("slack"), folder).get(None)

    assert [path.suffix for path in folder.iterdir()] == [".db"]


def test_a_row_without_its_table_is_refused_by_what_it_has() -> None:
    with pytest.raises(FarmError, match=r"^a row names its 'table': .*C9"):
        build(load_app("slack").schema, [{"id": "C9", "name": "lost"}])
