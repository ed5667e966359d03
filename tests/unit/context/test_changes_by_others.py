"""Rows that others than the agent change: what a diff makes of them, and that journal and comparison make the same."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farm.appkit.schema import INTEGER, MetaData, Schema, column, parent, table
from farm.context import diff, journal
from farm.context.context import connect
from farm.context.journal import Connection, journal_plan
from farm.context.template import build

Turn = tuple[str, str]  # who, and the statement
AGENT, WORLD = "agent", "world"


def a_schema() -> Schema:
    metadata = MetaData()
    table("chats", metadata, column("id", primary_key=True), column("topic"))
    table(
        "posts",
        metadata,
        column("chat_id", parent("chats.id"), primary_key=True),
        column("n", INTEGER, primary_key=True),
        column("text"),
        column("likes", INTEGER),
    )
    return Schema(metadata)


SCHEMA = a_schema()
START = build(
    SCHEMA,
    [
        {"table": "chats", "id": "c", "topic": "t"},
        {"table": "posts", "chat_id": "c", "n": 1, "text": "one", "likes": 0},
    ],
)


def play(db: Connection, turns: Sequence[Turn]) -> None:
    """Make one turn a statement."""
    (calls,) = db.execute("SELECT count(call) FROM _journal").fetchone()
    for now_ms, (who, sql) in enumerate(turns):
        db.execute("BEGIN")
        if who == AGENT:
            calls += 1
            db.execute("INSERT INTO _journal (call, writes) VALUES (?, ?)", (calls, calls))
        else:
            journal.begin_turn(db, who, now_ms)
        db.execute(sql)
        db.execute("COMMIT")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    (tmp_path / "c.db").write_bytes(START)
    (tmp_path / "copy.db").write_bytes(START)
    with closing(connect(str(tmp_path / "c.db"), journal_plan(SCHEMA))) as opened:
        yield opened


def seen(changes: diff.Changes) -> dict[str, Any]:
    """Return table → op, key and what the row was and became without its key."""

    def rest(row: dict[str, Any] | None, key: dict[str, Any]) -> list[Any] | None:
        return None if row is None else [value for name, value in row.items() if name not in key]

    return {
        name: [(c["op"], *c["key"].values(), rest(c["old"], c["key"]), rest(c["new"], c["key"])) for c in found]
        for name, found in changes.items()
    }


POST_2 = "INSERT INTO posts VALUES ('c', 2, 'two', 0)"
GONE_2 = "DELETE FROM posts WHERE n = 2"
GONE_1 = "DELETE FROM posts WHERE n = 1"
AGAIN_1 = "INSERT INTO posts VALUES ('c', 1, 'again', 9)"


def text(value: str, n: int = 1) -> str:
    return f"UPDATE posts SET text = '{value}' WHERE n = {n}"


def likes(value: int, n: int = 1) -> str:
    return f"UPDATE posts SET likes = {value} WHERE n = {n}"


CASES: dict[str, tuple[list[Turn], list[Any]]] = {
    "a row that came": ([(WORLD, POST_2)], []),
    "a row that others changed": ([(WORLD, text("w"))], []),
    "a row that others deleted": ([(WORLD, GONE_1)], []),
    "a row that came and that others changed": ([(WORLD, POST_2), (WORLD, likes(3, 2))], []),
    "a row made, changed by others": (
        [(AGENT, POST_2), (WORLD, likes(3, 2))],
        [("insert", "c", 2, None, ["two", 0])],
    ),
    "a row made, deleted by others": ([(AGENT, POST_2), (WORLD, GONE_2)], [("insert", "c", 2, None, ["two", 0])]),
    "a row made, changed and deleted by others": (
        [(AGENT, POST_2), (WORLD, likes(3, 2)), (WORLD, GONE_2)],
        [("insert", "c", 2, None, ["two", 0])],
    ),
    "a row made, changed by others and by a call": (
        [(AGENT, POST_2), (WORLD, likes(3, 2)), (AGENT, text("a", 2)), (AGENT, likes(5, 2))],
        [("insert", "c", 2, None, ["a", 5])],
    ),
    "a row made and deleted, which others make": ([(AGENT, POST_2), (AGENT, GONE_2), (WORLD, POST_2)], []),
    "a row that came, changed": (
        [(WORLD, POST_2), (AGENT, text("a", 2))],
        [("update", "c", 2, ["two", 0], ["a", 0])],
    ),
    "a row that came, deleted": ([(WORLD, POST_2), (AGENT, GONE_2)], [("delete", "c", 2, ["two", 0], None)]),
    "a row that came, changed and changed back": (
        [(WORLD, POST_2), (AGENT, text("a", 2)), (AGENT, text("two", 2))],
        [],
    ),
    "a row that others changed before": (
        [(WORLD, likes(5)), (AGENT, text("a"))],
        [("update", "c", 1, ["one", 5], ["a", 5])],
    ),
    "another column changed by others": (
        [(AGENT, text("a")), (WORLD, likes(5))],
        [("update", "c", 1, ["one", 5], ["a", 5])],
    ),
    "the same column changed by others": ([(AGENT, text("a")), (WORLD, text("w"))], []),
    "the same column changed by others, then again": (
        [(AGENT, text("a")), (WORLD, text("w")), (AGENT, text("b"))],
        [("update", "c", 1, ["w", 0], ["b", 0])],
    ),
    "the same column changed by others, then back to what it was": (
        [(AGENT, text("a")), (WORLD, text("w")), (AGENT, text("one"))],
        [("update", "c", 1, ["w", 0], ["one", 0])],
    ),
    "changed and changed back, another column by others": (
        [(AGENT, text("a")), (WORLD, likes(5)), (AGENT, text("one"))],
        [],
    ),
    "changed, by others, then deleted": (
        [(AGENT, text("a")), (WORLD, likes(5)), (AGENT, GONE_1)],
        [("delete", "c", 1, ["one", 5], None)],
    ),
    "changed, then deleted by others": (
        [(AGENT, text("a")), (WORLD, GONE_1)],
        [("update", "c", 1, ["one", 0], ["a", 0])],
    ),
    "changed, deleted by others, made again": (
        [(AGENT, text("a")), (WORLD, GONE_1), (AGENT, AGAIN_1)],
        [("insert", "c", 1, None, ["again", 9])],
    ),
    "changed, deleted by others, made again and deleted": (
        [(AGENT, text("a")), (WORLD, GONE_1), (AGENT, AGAIN_1), (AGENT, GONE_1)],
        [("update", "c", 1, ["one", 0], ["a", 0])],
    ),
    "deleted, made again by others": (
        [(AGENT, GONE_1), (WORLD, AGAIN_1)],
        [("delete", "c", 1, ["one", 0], None)],
    ),
    "deleted, made again by others, changed": (
        [(AGENT, GONE_1), (WORLD, AGAIN_1), (AGENT, text("a"))],
        [("update", "c", 1, ["again", 9], ["a", 9])],
    ),
    "deleted and made again, another column by others": (
        [(AGENT, GONE_1), (AGENT, "INSERT INTO posts VALUES ('c', 1, 'one', 0)"), (WORLD, likes(5))],
        [],
    ),
    "the owner of a row that came, deleted": (
        [(WORLD, POST_2), (AGENT, "DELETE FROM chats")],
        [("delete", "c", 1, ["one", 0], None), ("delete", "c", 2, ["two", 0], None)],
    ),
    "texts that JSON can write in several ways": (
        [(AGENT, text("é/\u2028")), (WORLD, likes(5)), (AGENT, text("one"))],
        [],
    ),
}


@pytest.mark.parametrize(("turns", "posts"), CASES.values(), ids=CASES)
def test_a_diff_tells_what_calls_changed_whatever_others_did_to_the_row(
    db: Connection, tmp_path: Path, turns: list[Turn], posts: list[Any]
) -> None:
    play(db, turns)

    by_journal, by_copy = diff.since_start(db, SCHEMA), diff.since_copy(db, SCHEMA, str(tmp_path / "copy.db"))

    assert seen(by_journal).get("posts", []) == posts
    assert seen(by_copy) == seen(by_journal)
    assert {c["call"] for found in by_copy.values() for c in found} <= {None}


def test_the_last_call_is_named_and_never_what_others_did(db: Connection) -> None:
    play(db, [(AGENT, text("a")), (AGENT, text("b")), (WORLD, likes(5)), (WORLD, POST_2)])

    ((change,),) = diff.since_start(db, SCHEMA).values()
    assert change["call"] == 2


def test_what_a_call_changed_is_told_by_call_as_it_left_it(db: Connection) -> None:
    play(db, [(WORLD, likes(1)), (AGENT, POST_2), (WORLD, likes(3, 2)), (AGENT, text("b", 2)), (WORLD, GONE_2)])

    assert {n: seen(changes) for n, changes in diff.by_call(db, SCHEMA, 0).items()} == {
        1: {"posts": [("insert", "c", 2, None, ["two", 0])]},
        2: {"posts": [("update", "c", 2, ["two", 3], ["b", 3])]},
    }
    assert list(diff.by_call(db, SCHEMA, 1)) == [2]
    assert diff.by_call(db, SCHEMA, 2) == {}


@pytest.mark.parametrize(
    ("turns", "columns"),
    [
        ([(AGENT, text("a")), (WORLD, likes(5)), (AGENT, text("one"))], ["text"]),
        ([(WORLD, POST_2), (AGENT, text("a", 2)), (AGENT, text("two", 2))], ["text"]),
        ([(AGENT, POST_2), (WORLD, likes(3, 2)), (AGENT, GONE_2)], []),
        ([(AGENT, text("a")), (AGENT, text("one")), (WORLD, GONE_1)], ["text"]),
    ],
)
def test_what_a_call_undid_is_reverted_whatever_others_did_meanwhile(
    db: Connection, turns: list[Turn], columns: list[str]
) -> None:
    play(db, turns)

    (found,) = diff.reverted(db, SCHEMA)["posts"]
    assert found["columns"] == columns
    assert [step["call"] for step in found["steps"]] == [1, 2]
    assert diff.reverted(db, SCHEMA, after=1) == {}


@pytest.mark.parametrize(
    "turns",
    [
        [(WORLD, POST_2), (WORLD, GONE_2)],
        [(AGENT, POST_2), (WORLD, GONE_2)],
        [(WORLD, POST_2), (AGENT, GONE_2)],
        [(AGENT, text("a")), (WORLD, text("one"))],
        [(AGENT, text("a")), (WORLD, text("w")), (AGENT, text("one"))],
        [(AGENT, GONE_1), (WORLD, AGAIN_1), (AGENT, text("one"))],
    ],
)
def test_what_others_undid_is_no_reverted(db: Connection, turns: list[Turn]) -> None:
    play(db, turns)

    assert diff.reverted(db, SCHEMA) == {}


def saved(db: Connection, tmp_path: Path) -> str:
    """Save the context as it stands and return the copy's path."""
    path = tmp_path / "later.db"
    path.write_bytes((tmp_path / "c.db").read_bytes())
    return str(path)


def test_a_copy_that_others_changed_before_it_was_saved_says_nothing_of_that(db: Connection, tmp_path: Path) -> None:
    play(db, [(AGENT, text("a")), (WORLD, POST_2), (WORLD, likes(1))])
    copy = saved(db, tmp_path)

    play(db, [(WORLD, likes(2)), (AGENT, text("b"))])

    assert seen(diff.since_copy(db, SCHEMA, copy)) == {"posts": [("update", "c", 1, ["a", 2], ["b", 2])]}


def test_a_copy_that_the_context_went_back_from_shows_what_calls_had_done_there(tmp_path: Path) -> None:
    here, there = [(WORLD, POST_2)], [(AGENT, text("a")), (WORLD, POST_2), (AGENT, text("b", 2))]
    for name, turns in (("here", here), ("there", there)):
        (tmp_path / name).write_bytes(START)
        with closing(connect(str(tmp_path / name), journal_plan(SCHEMA))) as db:
            play(db, turns)

    with closing(connect(str(tmp_path / "here"), journal_plan(SCHEMA))) as db:
        found = diff.since_copy(db, SCHEMA, str(tmp_path / "there"))
        play(db, [(AGENT, likes(7, 2))])
        later = diff.since_copy(db, SCHEMA, str(tmp_path / "there"))

    assert seen(found) == {
        "posts": [("update", "c", 1, ["a", 0], ["one", 0]), ("update", "c", 2, ["b", 0], ["two", 0])]
    }
    assert seen(later)["posts"][1] == ("update", "c", 2, ["b", 0], ["two", 7])


def test_what_came_on_one_side_alone_is_nobodys_change(tmp_path: Path) -> None:
    for name, turns in (("here", [(WORLD, POST_2), (AGENT, text("a"))]), ("there", [(WORLD, likes(4))])):
        (tmp_path / name).write_bytes(START)
        with closing(connect(str(tmp_path / name), journal_plan(SCHEMA))) as db:
            play(db, turns)

    for name, other, expected in (("here", "there", 1), ("there", "here", 1)):
        with closing(connect(str(tmp_path / name), journal_plan(SCHEMA))) as db:
            found = seen(diff.since_copy(db, SCHEMA, str(tmp_path / other)))
        assert len(found["posts"]) == expected
        assert found["posts"][0][:3] == ("update", "c", 1)


def test_two_ways_whose_journals_are_alike_and_whose_rows_are_not_are_compared(tmp_path: Path) -> None:
    for name, value in (("here", "a"), ("there", "b")):
        (tmp_path / name).write_bytes(START)
        with closing(connect(str(tmp_path / name), journal_plan(SCHEMA))) as db:
            play(db, [(AGENT, text(value))])
    with closing(connect(str(tmp_path / "here"), journal_plan(SCHEMA))) as db:
        play(db, [(WORLD, likes(4))])

        found = diff.since_copy(db, SCHEMA, str(tmp_path / "there"))

    assert seen(found) == {"posts": [("update", "c", 1, ["b", 0], ["a", 4])]}


STATEMENTS = st.one_of(
    st.builds(text, st.sampled_from(["one", "a", "b"]), st.integers(1, 3)),
    st.builds(likes, st.integers(0, 2), st.integers(1, 3)),
    st.integers(1, 3).map(lambda n: f"DELETE FROM posts WHERE n = {n}"),
    st.integers(1, 3).map(lambda n: f"INSERT OR IGNORE INTO posts VALUES ('c', {n}, 'new', 0)"),
    st.just("DELETE FROM chats"),
    st.just("INSERT OR IGNORE INTO chats VALUES ('c', 't')"),
    st.just("UPDATE chats SET topic = 'u'"),
)
TURNS = st.lists(st.tuples(st.sampled_from([AGENT, WORLD]), STATEMENTS), max_size=12)


def tried(turns: Sequence[Turn]) -> Sequence[Turn]:
    """Return the turns whose rows have an owner then, as a foreign key wants it."""
    has_chat, found = True, []
    for who, sql in turns:
        if "INTO posts" in sql and not has_chat:
            continue
        has_chat = (has_chat or "INTO chats" in sql) and sql != "DELETE FROM chats"
        found.append((who, sql))
    return found


@given(TURNS, TURNS)
def test_journal_and_comparison_agree_whoever_does_what(before: list[Turn], after: list[Turn]) -> None:
    turns = tried([*before, *after])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "c.db").write_bytes(START)
        (folder / "copy.db").write_bytes(START)
        with closing(connect(str(folder / "c.db"), journal_plan(SCHEMA))) as db:
            play(db, turns)
            assert seen(diff.since_copy(db, SCHEMA, str(folder / "copy.db"))) == seen(diff.since_start(db, SCHEMA))


@given(TURNS)
def test_what_the_agent_has_no_part_in_is_in_no_diff(turns: list[Turn]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "c.db").write_bytes(START)
        with closing(connect(str(folder / "c.db"), journal_plan(SCHEMA))) as db:
            play(db, [(AGENT, text("a"))])
            (folder / "copy.db").write_bytes((folder / "c.db").read_bytes())
            play(db, tried([(WORLD, sql) for _, sql in turns]))

            assert diff.since_copy(db, SCHEMA, str(folder / "copy.db")) == {}
            assert diff.reverted(db, SCHEMA) == {}


# Where the agent and others never meet in a cell, a diff has another definition: the difference between the context
# as it stands and the context that the others alone would have left.
APART = st.lists(
    st.one_of(
        st.tuples(st.just(AGENT), st.builds(text, st.sampled_from(["one", "a", "b"]), st.integers(1, 3))),
        st.tuples(st.just(WORLD), st.builds(likes, st.integers(0, 2), st.integers(1, 3))),
        st.tuples(st.just(AGENT), st.just("INSERT OR IGNORE INTO posts VALUES ('c', 4, 'mine', 0)")),
        st.tuples(st.just(AGENT), st.just("DELETE FROM posts WHERE n = 4")),
        st.tuples(
            st.just(WORLD), st.integers(2, 3).map(lambda n: f"INSERT OR IGNORE INTO posts VALUES ('c', {n}, 'w', 0)")
        ),
    ),
    max_size=12,
)


@given(APART)
def test_a_diff_is_what_would_be_otherwise_without_the_agent(turns: list[Turn]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows: list[dict[Any, Any]] = []
        for each in ("all", "others"):
            (folder / each).write_bytes(START)
            with closing(connect(str(folder / each), journal_plan(SCHEMA))) as db:
                play(db, [turn for turn in turns if each == "all" or turn[0] == WORLD])
                rows.append({row["n"]: [row["text"], row["likes"]] for row in db.execute("SELECT * FROM posts")})
                if each == "all":
                    found = seen(diff.since_start(db, SCHEMA)).get("posts", [])

    now, without = rows
    expected = {n: (without.get(n), now.get(n)) for n in {*now, *without} if now.get(n) != without.get(n)}
    assert {n: (old, new) for _, _, n, old, new in found} == expected
