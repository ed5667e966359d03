"""What was done and undone: read from the journal, between calls, without what the app moves by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from farm.appkit.schema import INTEGER, MetaData, Schema, column, parent, table
from farm.context import diff
from farm.context.context import connect
from farm.context.journal import Connection, journal_plan
from farm.context.template import build


def a_schema() -> Schema:
    metadata = MetaData()
    table(
        "notes",
        metadata,
        column("id", primary_key=True),
        column("text"),
        column("title"),
        column("data", json=True),
        column("edits", INTEGER, server_managed=True),
    )
    table(
        "labels",
        metadata,
        column("note_id", parent("notes.id"), primary_key=True),
        column("place", INTEGER, primary_key=True),
        column("put_at", INTEGER, server_managed=True),
    )
    return Schema(metadata)


NOTE = {"id": "n", "text": "one", "title": "t", "data": '{"a":1,"b":1}', "edits": 0}
LABEL = {"note_id": "n", "place": 1, "put_at": 5}


class Calls:
    """Makes calls of several statements each, and reads what came of them."""

    def __init__(self, db: Connection, schema: Schema) -> None:
        self._db, self._schema, self._number = db, schema, 0

    def call(self, *statements: str) -> None:
        self._number += 1
        self._db.execute("BEGIN")
        self._db.execute("INSERT INTO _journal (call, writes, now_ms) VALUES (?, ?, NULL)", (self._number,) * 2)
        for each in statements:
            self._db.execute(each)
        self._db.execute("COMMIT")

    def reverted(self) -> diff.Reverted:
        return diff.reverted(self._db, self._schema)

    def only(self) -> tuple[str, list[str], list[tuple[str, int]]]:
        """Return table, columns and steps of the only row that was changed back."""
        ((name, (found,)),) = self.reverted().items()
        return name, found["columns"], [(step["op"], step["call"]) for step in found["steps"]]


@pytest.fixture
def calls(tmp_path: Path) -> Iterator[Calls]:
    schema, path = a_schema(), tmp_path / "c.db"
    path.write_bytes(build(schema, [{"table": "notes", **NOTE}, {"table": "labels", **LABEL}]))
    db = connect(str(path), journal_plan(schema))
    yield Calls(db, schema)
    db.close()


def text(value: str) -> str:
    return f"UPDATE notes SET text = '{value}', edits = edits + 1 WHERE id = 'n'"


def data(**entries: Any) -> str:
    # Written with spaces, as another encoder would: it is the value that counts.
    return f"UPDATE notes SET data = '{json.dumps(entries)}' WHERE id = 'n'"


ADD = "INSERT INTO labels VALUES ('n', 2, 7)"
REMOVE = "DELETE FROM labels WHERE place = 2"


def test_a_column_that_was_changed_back_is_reverted_though_the_row_counted_its_edits(calls: Calls) -> None:
    calls.call(text("two"))
    calls.call("UPDATE notes SET title = 'new' WHERE id = 'n'")
    calls.call(text("one"))

    # The title stays changed, so it is in the diff and not here; its call did nothing to the text.
    assert calls.reverted() == {
        "notes": [
            {
                "key": {"id": "n"},
                "row": NOTE,
                "columns": ["text"],
                "steps": [{"op": "update", "call": 1}, {"op": "update", "call": 3}],
            }
        ]
    }


def test_a_row_that_went_and_came_again_is_reverted_whatever_it_holds_now(calls: Calls) -> None:
    calls.call("DELETE FROM labels")
    calls.call("INSERT INTO labels VALUES ('n', 1, 9)")

    assert calls.only() == ("labels", [], [("delete", 1), ("insert", 2)])
    assert calls.reverted()["labels"][0]["row"] == LABEL


def test_a_row_that_was_made_and_removed_is_reverted_with_what_it_held(calls: Calls) -> None:
    calls.call(ADD)
    calls.call(REMOVE)

    assert calls.only() == ("labels", [], [("insert", 1), ("delete", 2)])
    assert calls.reverted()["labels"][0]["row"] == {"note_id": "n", "place": 2, "put_at": 7}


def test_every_coming_and_going_is_a_step(calls: Calls) -> None:
    for statement in (ADD, REMOVE, ADD):
        calls.call(statement)

    assert calls.only() == ("labels", [], [("insert", 1), ("delete", 2), ("insert", 3)])


def test_rows_that_went_with_their_owner_and_came_with_it_are_reverted_too(calls: Calls) -> None:
    calls.call("DELETE FROM notes")
    calls.call("INSERT INTO notes VALUES ('n', 'one', 't', '{}', 0)", "INSERT INTO labels VALUES ('n', 1, 5)")

    assert list(calls.reverted()) == ["notes", "labels"]


def test_of_a_json_column_the_entry_that_was_changed_back_is_named(calls: Calls) -> None:
    calls.call(data(a=2, b=2))
    calls.call(data(a=1, b=2))

    assert calls.only() == ("notes", ["data.a"], [("update", 1), ("update", 2)])


@pytest.mark.parametrize(
    "made",
    [
        [],
        [[text("two")]],
        # Wrong at first, then right: nothing is as it was.
        [[text("two")], [text("three")]],
        # Within one call nobody saw it.
        [[text("two"), text("one")]],
        [[ADD, REMOVE]],
        [[ADD, REMOVE], [ADD]],
        [[ADD, REMOVE], [ADD, REMOVE]],
        # What was made meanwhile and stays may be changed at will, and what goes in the end is in the diff.
        [[ADD], ["UPDATE labels SET put_at = 8 WHERE place = 2"], ["UPDATE labels SET put_at = 7 WHERE place = 2"]],
        [[text("two")], [text("one")], ["DELETE FROM labels"], ["DELETE FROM notes"]],
        # The app's own doing.
        [["UPDATE notes SET edits = 1"], ["UPDATE notes SET edits = 0"]],
        # An object that was emptied and has another entry now is not as it was.
        [["UPDATE notes SET data = NULL WHERE id = 'n'"], [data(a=1, b=9)]],
        # Another text of the same value.
        [[data(b=1, a=1)], [data(a=1, b=1)]],
    ],
)
def test_what_ends_otherwise_or_was_never_seen_is_no_reverted(calls: Calls, made: list[list[str]]) -> None:
    for statements in made:
        calls.call(*statements)

    assert calls.reverted() == {}


def test_a_row_made_and_removed_within_one_call_may_still_come_and_go(calls: Calls) -> None:
    for statements in ([ADD, REMOVE], [ADD], [REMOVE]):
        calls.call(*statements)

    assert calls.only() == ("labels", [], [("insert", 2), ("delete", 3)])
    assert calls.reverted()["labels"][0]["row"]["place"] == 2
