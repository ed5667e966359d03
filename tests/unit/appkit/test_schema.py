"""What is derived from an app's tables: the script that makes them, and what the engine has to know of them."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from sqlalchemy import ForeignKey

from farm.appkit.schema import (
    DEFAULT,
    INTEGER,
    OPEN,
    REAL,
    TEXT,
    MetaData,
    Schema,
    View,
    column,
    parent,
    person,
    reference,
    table,
)
from farm.appkit.table_info import SearchedTable, TableShape
from farm.context.ddl import context_ddl
from farm.errors import FarmError


def a_tree() -> MetaData:
    """Users own notes, a note has labels and may point at another note; labels have a key of two columns."""
    metadata = MetaData()
    table("users", metadata, column("id", primary_key=True), person())
    table(
        "notes",
        metadata,
        column("id", primary_key=True, generation="random"),
        column("user_id", parent("users.id"), nullable=False),
        column("answers", reference("notes.id")),
        column("text", role="body", format="plain", nullable=False, searched=True),
        column("shade", role="cosmetic"),
        column("extra", role="internal"),
        column("maker", role="author", usual=OPEN),
        column(
            "data",
            role="body",
            format="lark_fields",
            open_keys=("made",),
            json=True,
            searched=True,
            visible_keys=("text", "title"),
        ),
        column("made_ms", INTEGER, time="ms", index=True),
        column("day", time="date"),
        column("weight", REAL, role="amount", server_default="1.5"),
        column("edits", INTEGER, server_managed=True),
        column("state", deleted_value="withdrawn", server_default="kept"),
        column("level", INTEGER, role="setting", usual=4, server_default="3"),
        view="feed",
        notifies=True,
    )
    table(
        "labels",
        metadata,
        column("note_id", parent("notes.id"), primary_key=True),
        column("name", read_mark="UNREAD", primary_key=True),
    )
    return metadata


@pytest.fixture
def schema() -> Schema:
    return Schema(a_tree())


@pytest.fixture
def db(schema: Schema) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute("PRAGMA foreign_keys=ON")
    db.executescript(context_ddl(schema))
    return db


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"time": "milliseconds"}, "time='milliseconds'"),
        ({"generation": "real"}, "generation='real'"),
        ({"role": "colour"}, "role='colour'"),
        ({"format": "rtf"}, "format='rtf'"),
        ({"seen_by": "friends"}, "seen_by='friends'"),
    ],
)
def test_a_form_that_there_is_not_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(FarmError) as refused:
        column("made_ms", INTEGER, **wrong)

    assert f"column 'made_ms': {said} is none of " in str(refused.value)


def test_a_key_is_never_server_managed() -> None:
    with pytest.raises(FarmError, match="column 'id': a key never changes, so it cannot be server_managed"):
        column("id", primary_key=True, server_managed=True)


def test_every_table_has_its_columns_and_key_owners_first(schema: Schema) -> None:
    assert schema.shapes == {
        "users": TableShape("users", ("id", "person"), ("id",)),
        "notes": TableShape(
            "notes",
            (
                *("id", "user_id", "answers", "text", "shade", "extra", "maker", "data"),
                *("made_ms", "day", "weight", "edits", "state", "level"),
            ),
            ("id",),
        ),
        "labels": TableShape("labels", ("note_id", "name"), ("note_id", "name")),
    }
    assert list(schema.shapes) == ["users", "notes", "labels"]
    # The JSON encoder takes no subclass of str for a key.
    assert {type(name) for shape in schema.shapes.values() for name in (shape.name, *shape.columns, *shape.key)} == {
        str
    }


def test_what_a_column_says_of_itself_is_kept_for_the_engine(schema: Schema) -> None:
    notes = schema.metadata.tables["notes"]

    plain: dict[str, Any] = {
        "role": None,
        "format": None,
        "seen_by": "everyone",
        "usual": DEFAULT,
        "open_keys": (),
        "generation": "free-form",
        "time": None,
        "searched": False,
        "json": False,
        "server_managed": False,
        "read_mark": False,
        "copies": False,
        "due": False,
        "admits": False,
    }
    plain |= {"deleted_value": None, "visible_keys": (), "many": False}
    assert notes.c.id.info == plain | {"role": "key", "generation": "random"}
    assert notes.c.text.info == plain | {"role": "body", "format": "plain", "searched": True}
    data = {"role": "body", "format": "lark_fields", "open_keys": ("made",), "searched": True, "json": True}
    assert notes.c.data.info == plain | data | {"visible_keys": ("text", "title")}
    assert notes.c.edits.info == plain | {"server_managed": True}
    assert notes.c.made_ms.info["time"] == "ms"
    assert notes.info == {"view": View("feed"), "notifies": True, "internal": False, "few": False}
    assert schema.metadata.tables["users"].info["view"].kind == "grid"
    assert not schema.metadata.tables["users"].info["notifies"]
    assert schema.notifies == ["notes"]
    assert schema.deleted_value == {"notes": ("state", "withdrawn")}
    assert schema.metadata.tables["users"].c.person.info == {
        "role": "person",
        "format": None,
        "seen_by": "nobody",
        "generation": "authentic",
        "person": True,
        "time": None,
    }
    assert schema.times == {"users": {}, "notes": {"made_ms": "ms", "day": "date"}, "labels": {}}
    assert schema.read_marks == {"labels": {"name": "UNREAD"}}
    assert schema.server_managed == {"notes": ["edits"]}
    assert schema.visible_keys == {"notes": {"data": ["text", "title"]}}
    assert schema.formats == {"notes": {"text": "plain", "data": "lark_fields"}}


def test_a_role_is_derived_from_what_a_column_is_otherwise(schema: Schema) -> None:
    roles = schema.roles["notes"]

    assert {name: roles.get(name) for name in ("id", "user_id", "answers", "made_ms", "day", "state", "edits")} == {
        "id": "key",
        "user_id": "reference",
        "answers": "reference",
        "made_ms": "time",
        "day": "time",
        "state": "status",
        "edits": None,
    }
    assert roles["text"] == "body"
    assert schema.roles["users"] == {"id": "key", "person": "person"}


def test_who_sees_a_column_is_said_by_it_or_its_table(schema: Schema) -> None:
    metadata = MetaData()
    drafts = table(
        "drafts",
        metadata,
        column("id", primary_key=True),
        column("text"),
        column("title", seen_by="everyone"),
        column("hash", role="internal"),
        seen_by="owner",
    )

    assert {each.name: each.info["seen_by"] for each in drafts.columns} == {
        "id": "owner",
        "text": "owner",
        "title": "everyone",
        "hash": "nobody",
    }
    cache = table("cache", metadata, column("key", primary_key=True), internal=True)
    assert cache.c.key.info["seen_by"] == "nobody"


def test_a_new_row_has_the_usual_values_but_where_none_is_known_or_none_matters(schema: Schema) -> None:
    # No text, which is always given; no key; none that nobody sees or that the app sets.
    assert schema.usual == {
        "notes": {
            "answers": None,
            "data": None,
            "made_ms": None,
            "day": None,
            "weight": 1.5,
            "state": "kept",
            "level": 4,
        }
    }
    assert schema.open_keys == {"notes": ["data.made"]}


def test_the_account_is_the_table_with_a_person(schema: Schema) -> None:
    assert schema.account == ("users", "id")

    metadata = MetaData()
    table("users", metadata, column("id", primary_key=True))
    assert Schema(metadata).account is None


def test_searched_columns_have_their_places_in_a_row(schema: Schema) -> None:
    assert schema.searched == {"notes": SearchedTable("notes", "id", {"text": (3, False), "data": (7, True)})}


def test_tables_follow_those_that_own_them_and_not_those_they_point_at(schema: Schema) -> None:
    assert schema.follows == {"users": ["notes"], "notes": ["labels"]}


@pytest.mark.parametrize(
    ("ondelete", "follows"),
    [(None, {}), ("NO ACTION", {}), ("RESTRICT", {}), ("CASCADE", {"a": ["b"]}), ("SET NULL", {"a": ["b"]})],
)
def test_a_table_follows_where_deleting_changes_its_rows(ondelete: str | None, follows: dict[str, list[str]]) -> None:
    metadata = MetaData()
    table("a", metadata, column("id", primary_key=True))
    table("b", metadata, column("id", primary_key=True), column("a", ForeignKey("a.id", ondelete=ondelete)))

    assert Schema(metadata).follows == follows


def test_rows_go_with_their_owner_and_a_reference_is_checked_at_once(db: sqlite3.Connection) -> None:
    db.execute("INSERT INTO users (id) VALUES ('u')")
    db.execute("INSERT INTO notes (id, user_id, text) VALUES ('n', 'u', 'x')")
    db.execute("INSERT INTO labels VALUES ('n', 'red')")
    db.execute("BEGIN")
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        db.execute("UPDATE notes SET answers = 'nowhere'")
    db.execute("COMMIT")

    db.execute("DELETE FROM users")

    assert db.execute("SELECT count(*) FROM labels").fetchone() == (0,)


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO notes (id, user_id, text, made_ms) VALUES ('n', 'u', 'x', 'soon')",
        "INSERT INTO notes (id, user_id) VALUES ('n', 'u')",
        "INSERT INTO notes (user_id, text) VALUES ('u', 'x')",
        "INSERT INTO labels (note_id) VALUES ('n')",
        "INSERT INTO users VALUES ('v', 'me')",
        "INSERT INTO _meta (id) VALUES (2)",
        "INSERT INTO _meta (id) VALUES (1)",
        "UPDATE _meta SET live = NULL",
        "INSERT INTO _journal (call) VALUES ('one')",
    ],
)
def test_a_context_refuses_what_does_not_fit_its_columns(db: sqlite3.Connection, sql: str) -> None:
    db.execute("INSERT INTO users VALUES ('u', 'me')")

    with pytest.raises(sqlite3.IntegrityError):
        db.execute(sql)


def test_a_column_may_be_empty_unless_it_says_otherwise(db: sqlite3.Connection) -> None:
    db.execute("INSERT INTO users VALUES ('u', NULL), ('v', NULL)")
    db.execute("INSERT INTO notes (id, user_id, text) VALUES ('n', 'u', 'x')")

    assert db.execute("SELECT data, shade, answers FROM notes").fetchone() == (None, None, None)


def test_a_new_context_has_one_row_of_bookkeeping_and_its_indexes(db: sqlite3.Connection) -> None:
    assert db.execute("SELECT id, seed, clock_ms, live FROM _meta").fetchall() == [(1, None, None, 0)]
    assert db.execute("SELECT count(*) FROM _journal").fetchone() == (0,)
    made = db.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").fetchall()
    assert made == [("ix_notes_made_ms",)]
    assert db.execute("SELECT journal FROM _search_state").fetchall() == [(0,)]


def test_indexes_are_made_in_the_order_of_their_names() -> None:
    metadata = MetaData()
    columns = [column(name, index=True) for name in ("c", "a", "b")]
    table("t", metadata, column("id", primary_key=True), *columns)

    script = Schema(metadata).ddl()

    assert sorted(("ix_t_a", "ix_t_b", "ix_t_c"), key=script.index) == ["ix_t_a", "ix_t_b", "ix_t_c"]


def test_a_context_whose_text_nobody_searches_has_no_index_of_text() -> None:
    metadata = MetaData()
    table("t", metadata, column("id", primary_key=True), column("text", TEXT))

    schema = Schema(metadata)

    assert schema.searched == {}
    assert "_search" not in context_ddl(schema)


def without_key(metadata: MetaData) -> None:
    table("t", metadata, column("id"))


def with_moving_key(metadata: MetaData) -> None:
    table("a", metadata, column("id", primary_key=True))
    table("t", metadata, column("id", primary_key=True), column("a", ForeignKey("a.id", onupdate="CASCADE")))


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (without_key, "table t has no primary key; every row of a context needs one"),
        (with_moving_key, "table t has an ON UPDATE; leave it out, keys never change"),
    ],
)
def test_tables_the_journal_could_not_follow_are_refused(make: Any, complaint: str) -> None:
    metadata = MetaData()
    make(metadata)

    with pytest.raises(ValueError, match=f"^{complaint}$"):
        Schema(metadata)


def test_a_table_that_the_server_keeps_for_itself_is_told() -> None:
    metadata = a_tree()
    table("answers", metadata, column("key", primary_key=True), internal=True)

    assert Schema(metadata).internal == ["answers"]
