"""Which statements need which triggers, and that what they write down is what happened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.appkit.schema import INTEGER, MetaData, Schema, column, parent, table
from farm.appkit.table_info import TableShape
from farm.context import diff, journal
from farm.context.context import connect
from farm.context.journal import Connection, Plan, journal_plan
from farm.context.template import build


def a_schema() -> Schema:
    metadata = MetaData()
    table("users", metadata, column("id", primary_key=True), column("name"))
    table("notes", metadata, column("id", primary_key=True), column("user_id", parent("users.id")), column("text"))
    table(
        "labels",
        metadata,
        column("note_id", parent("notes.id"), primary_key=True),
        column("place", INTEGER, primary_key=True),
        column("name"),
    )
    table("other", metadata, column("number", INTEGER, primary_key=True), column("text"))
    return Schema(metadata)


ROWS: list[dict[str, Any]] = [
    {"table": "users", "id": "u", "name": "Lin"},
    {"table": "notes", "id": "n", "user_id": "u", "text": "one"},
    {"table": "labels", "note_id": "n", "place": 1, "name": "red"},
    {"table": "labels", "note_id": "n", "place": 2, "name": "blue"},
    {"table": "other", "number": 1, "text": "x"},
]
ALL = ("insert", "update", "delete")


@pytest.fixture
def schema() -> Schema:
    return a_schema()


@pytest.fixture
def db(schema: Schema, tmp_path: Path) -> Iterator[Connection]:
    path = tmp_path / "c.db"
    path.write_bytes(build(schema, ROWS))
    db = connect(str(path), journal_plan(schema))
    yield db
    db.close()


def begin(db: Connection, number: int) -> None:
    db.execute("BEGIN")
    db.execute("INSERT INTO _journal (call, writes, now_ms) VALUES (?, ?, NULL)", (number, number))


def entries(db: Connection) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in db.execute('SELECT call, "table", key, old FROM _journal ORDER BY id')]


def made(db: Connection) -> list[str]:
    """The triggers there are."""
    found = db.execute("SELECT name FROM temp.sqlite_master WHERE type = 'trigger' ORDER BY name").fetchall()
    return [name for (name,) in found]


def needs(happens: tuple[str, ...], *tables: str) -> set[tuple[str, str]]:
    return {(each, table) for each in happens for table in tables}


@pytest.mark.parametrize(
    ("sql", "needed"),
    [
        ("SELECT * FROM notes", set()),
        ("values (1)", set()),
        ("PRAGMA table_info(notes)", set()),
        ("BEGIN", set()),
        ("COMMIT", set()),
        ("ROLLBACK", set()),
        ("", set()),
        ("INSERT INTO notes VALUES (1)", needs(("insert",), "notes")),
        ("insert into Notes values (1)", needs(("insert",), "notes")),
        ("UPDATE other SET text = ''", needs(("update",), "other")),
        ("REPLACE INTO other VALUES (1)", needs(ALL, "other")),
        ("INSERT OR REPLACE INTO other VALUES (1)", needs(ALL, "other")),
        ("UPDATE OR REPLACE other SET text = ''", needs(ALL, "other")),
        ("UPDATE other SET text = replace(text, 'a', 'b')", needs(("update",), "other")),
        ("DELETE FROM other", needs(("delete",), "other")),
        # Rows that others own may go or change with them, and theirs with those.
        ("DELETE FROM notes", needs(("delete",), "notes") | needs(("update", "delete"), "labels")),
        ("DELETE FROM users", needs(("delete",), "users") | needs(("update", "delete"), "notes", "labels")),
        ("WITH n AS (SELECT 1) DELETE FROM other", needs(("delete",), "other")),
        ("WITH n AS (SELECT 1) SELECT * FROM other", set()),
        ("INSERT INTO other SELECT * FROM notes", needs(("insert",), "other", "notes")),
        ("CREATE TABLE notes2 (x)", set()),
    ],
)
def test_a_statement_needs_the_triggers_of_what_it_does_to_which_tables(
    schema: Schema, sql: str, needed: set[tuple[str, str]]
) -> None:
    plan = Plan(schema.shapes, schema.follows)

    # Asked twice, as the second answer is remembered.
    assert plan.needed(sql) == plan.needed(sql) == needed


def test_only_queries_that_name_nothing_that_changes_are_remembered_as_reads(schema: Schema) -> None:
    plan = Plan(schema.shapes, schema.follows)
    reads = ("select 1", "VALUES (1)", "WITH n AS (SELECT 1) SELECT * FROM n")
    for sql in (*reads, "BEGIN", "PRAGMA user_version", "CREATE TABLE x (y)", "WITH n AS (SELECT 1) DELETE FROM other"):
        plan.needed(sql)

    assert plan.reads == set(reads)


def test_statements_without_end_are_forgotten_in_time(schema: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_TEXTS_MOST", 3)
    plan = Plan(schema.shapes, schema.follows)

    for number in range(10):
        plan.needed(f"select {number}")
        assert plan.needed(f"UPDATE other SET text = '{number}'") == needs(("update",), "other")

    assert len(plan.reads) <= 3


@pytest.mark.parametrize(
    ("shape", "sql"),
    [
        (TableShape("t", ("a", "b"), ("a",)), 'new."a"'),
        (TableShape("t", ("a", "b"), ("b", "a")), 'json_array(new."b", new."a")'),
    ],
)
def test_a_key_is_the_value_itself_or_an_array_of_several(shape: TableShape, sql: str) -> None:
    assert journal.key_of("new", shape) == sql


def test_each_change_is_written_down_with_its_key_and_the_row_as_it_was(db: Connection) -> None:
    begin(db, 1)
    db.execute("INSERT INTO other VALUES (2, 'y')")
    db.execute("UPDATE labels SET name = 'green' WHERE place = 2")
    db.execute("DELETE FROM other WHERE number = 1")
    db.execute("COMMIT")

    assert entries(db) == [
        (1, None, None, None),
        (None, "other", 2, None),
        (None, "labels", '["n",2]', '["n",2,"blue"]'),
        (None, "other", 1, '[1,"x"]'),
    ]


def test_a_deletion_is_written_down_with_all_that_goes_with_it(db: Connection, schema: Schema) -> None:
    begin(db, 1)
    db.execute("DELETE FROM users")
    db.execute("COMMIT")

    changes = diff.since_start(db, schema)

    assert {
        table: [(c["op"], list(c["key"].values()), c["call"]) for c in found] for table, found in changes.items()
    } == {
        "users": [("delete", ["u"], 1)],
        "notes": [("delete", ["n"], 1)],
        "labels": [("delete", ["n", 1], 1), ("delete", ["n", 2], 1)],
    }
    assert list(changes) == ["users", "notes", "labels"]


@pytest.mark.parametrize("sql", ["UPDATE labels SET place = 3 WHERE place = 2", "UPDATE other SET number = 9"])
def test_a_key_that_moves_is_refused_and_nothing_is_written_down(db: Connection, sql: str) -> None:
    with pytest.raises(Exception, match="a primary key never changes"):
        db.execute(sql)

    assert entries(db) == []


def test_triggers_are_made_when_they_are_needed_and_once(db: Connection) -> None:
    assert made(db) == []
    db.execute("SELECT count(*) FROM other")
    assert made(db) == []

    db.execute("UPDATE other SET text = 'a'")
    db.execute("UPDATE other SET text = 'b'")

    assert made(db) == ["_update_other"]
    assert [old for _, _, _, old in entries(db)] == ['[1,"x"]', '[1,"a"]']


@pytest.mark.parametrize("end", ["COMMIT", "ROLLBACK"])
def test_triggers_made_in_a_transaction_stay_or_go_with_it_and_are_there_when_needed(db: Connection, end: str) -> None:
    begin(db, 1)
    db.execute("UPDATE other SET text = 'a'")
    db.execute(end)
    assert made(db) == (["_update_other"] if end == "COMMIT" else [])

    begin(db, 2)
    db.execute("UPDATE other SET text = 'b'")
    db.execute("COMMIT")

    assert made(db) == ["_update_other"]
    assert entries(db)[-1] == (None, "other", 1, '[1,"a"]' if end == "COMMIT" else '[1,"x"]')


def test_a_transaction_that_the_database_ended_takes_its_triggers_along(db: Connection) -> None:
    begin(db, 1)
    db.execute("UPDATE other SET text = 'a'")
    with pytest.raises(Exception, match="UNIQUE"):
        db.execute("INSERT OR ROLLBACK INTO users VALUES ('u', 'again')")
    assert not db.in_transaction

    db.execute("UPDATE other SET text = 'b'")

    assert entries(db) == [(None, "other", 1, '[1,"x"]')]


@pytest.mark.parametrize("way", ["cursor", "many", "script"])
def test_every_way_to_execute_makes_the_triggers_it_needs(db: Connection, way: str) -> None:
    sql = "UPDATE other SET text = 'a'"
    match way:
        case "cursor":
            assert db.cursor().execute(sql).rowcount == 1
        case "many":
            assert db.executemany("UPDATE other SET text = ?", [("a",)]).rowcount == 1
        case _:
            db.executescript(sql)

    assert entries(db) == [(None, "other", 1, '[1,"x"]')]


def test_a_cursor_reads_what_it_asked_for(db: Connection) -> None:
    cursor = db.cursor()

    assert [tuple(row) for row in cursor.execute("SELECT text FROM other WHERE number = ?", (1,))] == [("x",)]
    assert [tuple(row) for row in cursor.execute("values (1)")] == [(1,)]
    assert made(db) == []


def changed(db: Connection, *statements: str) -> None:
    """Make one call a statement."""
    (last,) = db.execute("SELECT coalesce(max(call), 0) FROM _journal").fetchone()
    for number, sql in enumerate(statements, last + 1):
        begin(db, number)
        db.execute(sql)
        db.execute("COMMIT")


def test_what_came_back_as_it_was_is_no_change_and_the_last_call_is_named(db: Connection, schema: Schema) -> None:
    changed(
        db,
        "INSERT INTO other VALUES (2, 'gone')",
        "UPDATE other SET text = 'a' WHERE number = 1",
        "DELETE FROM other WHERE number = 2",
        "UPDATE labels SET name = 'x' WHERE place = 1",
        "UPDATE other SET text = 'b' WHERE number = 1",
        "UPDATE labels SET name = 'red' WHERE place = 1",
    )

    assert diff.since_start(db, schema) == {
        "other": [
            {
                "op": "update",
                "key": {"number": 1},
                "old": {"number": 1, "text": "x"},
                "new": {"number": 1, "text": "b"},
                "call": 5,
            }
        ]
    }


def test_changes_by_call_tell_each_step_in_order(db: Connection, schema: Schema) -> None:
    changed(
        db,
        "INSERT INTO other VALUES (2, 'a')",
        "UPDATE other SET text = 'b' WHERE number = 2",
        "SELECT 1",
        "DELETE FROM other WHERE number = 2",
    )
    steps = {
        1: ("insert", None, "a"),
        2: ("update", "a", "b"),
        4: ("delete", "b", None),
    }

    def told(after: int) -> dict[int, tuple[str, Any, Any]]:
        return {
            call: (c["op"], c["old"] and c["old"]["text"], c["new"] and c["new"]["text"])
            for call, changes in diff.by_call(db, schema, after).items()
            for c in changes["other"]
        }

    assert told(0) == told(-1) == steps
    assert told(1) == {2: steps[2], 4: steps[4]}
    assert told(2) == told(3) == {4: steps[4]}
    assert told(4) == {}


def test_what_was_written_before_any_call_is_call_zeros(db: Connection, schema: Schema) -> None:
    db.execute("UPDATE other SET text = 'a'")
    changed(db, "UPDATE users SET name = 'Bo'")

    found = diff.since_start(db, schema)
    assert {table: change["call"] for table, (change,) in found.items()} == {"other": 0, "users": 1}
    assert list(diff.by_call(db, schema, 0)) == [1]


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO other VALUES (2, 'y'), (10, NULL)",
        "UPDATE other SET text = NULL",
        "DELETE FROM other",
        "INSERT INTO labels VALUES ('n', 3, NULL)",
        "UPDATE labels SET name = NULL",
        "UPDATE labels SET name = 'x' WHERE place = 2",
        "DELETE FROM labels WHERE place = 1",
        "DELETE FROM users",
        "UPDATE users SET name = 'Bo'",
        "SELECT 1",
    ],
)
def test_journal_and_comparison_agree_on_whole_rows(db: Connection, schema: Schema, tmp_path: Path, sql: str) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes((tmp_path / "c.db").read_bytes())
    changed(db, sql)

    by_journal, by_copy = diff.since_start(db, schema), diff.since_copy(db, schema, str(copy))

    def plain(changes: diff.Changes) -> bytes:
        return orjson.dumps({t: [{**c, "call": None} for c in found] for t, found in changes.items()})

    assert plain(by_journal) == plain(by_copy)
    assert {c["call"] for found in by_copy.values() for c in found} <= {None}
    assert bool(by_copy) == (sql != "SELECT 1")
    # Nothing stays attached: the next comparison may be with another copy.
    assert diff.since_copy(db, schema, str(copy)) == by_copy


def test_a_comparison_lets_go_of_its_copy_even_when_it_fails(db: Connection, schema: Schema, tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(b"no database at all")
    with pytest.raises(Exception, match="not a database"):
        diff.since_copy(db, schema, str(tmp_path / "broken.db"))
    copy = tmp_path / "copy.db"
    copy.write_bytes((tmp_path / "c.db").read_bytes())

    assert diff.since_copy(db, schema, str(copy)) == {}
