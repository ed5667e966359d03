"""The text index: it narrows a search, misses nothing, and costs writes nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from farm.appkit.handler_api import Database
from farm.appkit.schema import INTEGER, MetaData, Schema, column, table
from farm.context import search
from farm.context.context import connect
from farm.context.journal import journal_plan
from farm.context.search import SearchIndex
from farm.context.settings import Settings
from farm.context.template import build
from farm.testing import EPISODE, LocalApp

METADATA = MetaData()
table("people", METADATA, column("id", primary_key=True), column("name", nullable=False, searched=True))
table(
    "posts",
    METADATA,
    column("id", primary_key=True),
    column("text", nullable=False, searched=True),
    column("labels", json=True, searched=True),
    column("likes", INTEGER, server_default="0"),
)
SCHEMA = Schema(METADATA)

# Few letters, so that queries hit: Chinese, Latin of both cases, accents, Japanese, Korean, emoji, signs, digits.
ALPHABET = "会议发布的aAbcÄßİ29テス한국🎉👍🏽 -_,。\n\"'*\u0301\u3000"
texts = st.text(ALPHABET, max_size=12)


class Posts:
    """A context of posts, opened as the engine opens it."""

    def __init__(self, path: Path, data: bytes) -> None:
        path.write_bytes(data)
        self.connection = connect(str(path), journal_plan(SCHEMA))
        self.index = SearchIndex(self.connection, SCHEMA.searched)
        self.db = Database(self.connection, self.index)

    def rows(self) -> list[tuple[str, str, str]]:
        return self.connection.execute("SELECT id, text, coalesce(labels, '[]') FROM posts ORDER BY id").fetchall()

    def indexed(self) -> int:
        """How much of the journal has been read."""
        return int(self.connection.execute("SELECT journal FROM _search_state").fetchone()[0])


def made_of(posts: list[str], labels: str = "[]") -> bytes:
    return build(
        SCHEMA, [{"table": "posts", "id": f"p{at}", "text": text, "labels": labels} for at, text in enumerate(posts)]
    )


@pytest.fixture
def open_posts(tmp_path: Path) -> Iterator[Callable[[bytes], Posts]]:
    opened: list[Posts] = []

    def make(data: bytes) -> Posts:
        opened.append(Posts(tmp_path / f"{len(opened)}.db", data))
        return opened[-1]

    yield make
    for each in opened:
        each.connection.close()


@given(text=texts, before=texts, after=texts)
def test_a_text_has_every_piece_a_part_of_it_is_asked_for(text: str, before: str, after: str) -> None:
    whole = search.pieces(before + text + after)

    query = search.match(text)

    for asked in query.partition(" OR ")[0].strip("()").split(" AND ") if query else ():
        piece = asked.strip('"*')
        assert piece in whole or (asked.endswith("*") and any(each.startswith(piece) for each in whole))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("会", {"p0", "p1"}),
        ("会议", {"p0"}),
        ("发布会", {"p0", "p1"}),
        ("布会议", {"p0"}),
        ("议", {"p0"}),
        ("LAUNCH", {"p1", "p2"}),
        ("aunc", {"p1", "p2"}),
        ("pl", {"p2"}),
        ("an", {"p2"}),
        ("q3", {"p1"}),
        ("🎉", {"p2"}),
        ("straße", {"p3"}),
        ("STRASSE", {"p3"}),
        ("launch-plan", {"p2"}),
        ("nothing", set()),
    ],
)
def test_any_part_of_a_text_finds_it_chinese_from_one_character(
    open_posts: Callable[[bytes], Posts], query: str, found: set[str]
) -> None:
    posts = open_posts(made_of(["发布会议", "Q3发布会 Launch", "launch plan 🎉", "Hauptstraße"]))

    assert posts.index.candidates("posts", query) == found


@pytest.mark.parametrize("query", ["", " ", "a", "-", "。", "…!"])
def test_a_query_without_a_piece_is_not_narrowed(open_posts: Callable[[bytes], Posts], query: str) -> None:
    posts = open_posts(made_of(["a - 。"]))

    assert posts.index.candidates("posts", query) is None


def test_json_is_searched_as_written_and_as_meant(open_posts: Callable[[bytes], Posts]) -> None:
    posts = open_posts(made_of(["x"], labels=json.dumps({"zh_cn": ["咖啡馆"]})))

    assert posts.index.candidates("posts", "咖啡") == {"p0"}
    assert posts.index.candidates("posts", "zh_cn") == {"p0"}
    assert posts.index.candidates("posts", "5561") == {"p0"}  # of the escape \u5561


def test_words_must_all_be_there_and_each_may_stand_in_any_column(open_posts: Callable[[bytes], Posts]) -> None:
    posts = open_posts(made_of(["coffee", "coffee and tea"], labels='["周末"]'))

    assert posts.index.candidates("posts", "coffee", "周末") == {"p0", "p1"}
    assert posts.index.candidates("posts", "tea", "周末") == {"p1"}


def test_more_than_a_page_cares_for_is_not_narrowed(open_posts: Callable[[bytes], Posts]) -> None:
    posts = open_posts(made_of(["coffee"] * 5 + ["tea"]))

    assert posts.index.candidates("posts", "coffee", most=4) is None
    assert posts.index.candidates("posts", "tea", most=4) == {"p5"}


def test_a_word_in_a_great_share_of_a_large_table_is_not_narrowed(open_posts: Callable[[bytes], Posts]) -> None:
    posts = open_posts(made_of([f"coffee {'tea' if at % 4 == 0 else ''}" for at in range(2000)]))

    assert posts.index.candidates("posts", "coffee") is None
    assert posts.index.candidates("posts", "coffee", "tea") == {f"p{at}" for at in range(0, 2000, 4)}


def test_a_row_that_is_gone_hides_no_row_that_is_there(open_posts: Callable[[bytes], Posts]) -> None:
    posts = open_posts(made_of(["coffee"] * 3))
    posts.connection.execute("DELETE FROM posts WHERE id IN ('p0', 'p1')")

    assert posts.index.candidates("posts", "coffee", most=1) == {"p2"}


def test_a_text_too_long_to_cut_counts_as_found(open_posts: Callable[[bytes], Posts]) -> None:
    posts = open_posts(made_of(["会议 " * 20_000, "tea"]))

    assert posts.index.candidates("posts", "会议") == {"p0"}
    assert posts.index.candidates("posts", "tea") == {"p0", "p1"}


def test_tables_do_not_see_each_others_rows(open_posts: Callable[[bytes], Posts]) -> None:
    people = [{"table": "people", "id": f"u{at}", "name": "Lin" if at == 1 else "Bo"} for at in range(4)]
    written = [{"table": "posts", "id": f"p{at}", "text": "Linie" if at == 2 else "x y"} for at in range(4)]
    posts = open_posts(build(SCHEMA, people + written))

    assert posts.index.candidates("people", "lin") == {"u1"}
    assert posts.index.candidates("posts", "lin") == {"p2"}


def test_a_change_is_found_at_once_and_a_search_writes_nothing_for_a_few(
    open_posts: Callable[[bytes], Posts],
) -> None:
    posts = open_posts(made_of(["one", "two"]))
    posts.db.update("posts", {"id": "p0"}, text="three")
    posts.db.insert("posts", id="p9", text="threefold")

    assert posts.index.candidates("posts", "three") == {"p0", "p9"}
    assert posts.indexed() == 0


def test_many_changes_are_indexed_by_the_next_searches_a_bounded_number_each(
    open_posts: Callable[[bytes], Posts],
) -> None:
    posts = open_posts(made_of([]))
    for at in range(1200):
        posts.db.insert("posts", id=f"p{at:04}", text="会议" if at % 100 == 0 else "other")
    expected = {f"p{at:04}" for at in range(0, 1200, 100)}

    seen: list[int] = []
    while not seen or posts.indexed() != seen[-1]:
        seen.append(posts.indexed())
        assert (posts.index.candidates("posts", "会议") or set()) >= expected

    assert seen == [0, 250, 500, 750, 1000]
    assert posts.db.scalar("SELECT count(*) FROM _journal") == 1200


def test_long_texts_are_indexed_fewer_at_once_and_none_is_forgotten(open_posts: Callable[[bytes], Posts]) -> None:
    posts = open_posts(made_of([]))
    for at in range(210):
        posts.db.insert("posts", id=f"p{at}", text=f"word{at:03} " * 50)

    for _ in range(4):
        assert "p209" in (posts.index.candidates("posts", "word209") or ())

    assert 0 < posts.indexed() < 210
    assert "p150" in (posts.index.candidates("posts", "word150") or ())


def test_a_counter_that_moves_is_no_change_of_text(open_posts: Callable[[bytes], Posts]) -> None:
    posts = open_posts(made_of(["one", "two"]))
    posts.db.update("posts", {"id": "p0"}, likes=5)

    assert posts.index.candidates("posts", "two") == {"p1"}


def test_what_a_refused_call_indexed_is_undone_with_it(open_posts: Callable[[bytes], Posts]) -> None:
    posts = open_posts(made_of(["one"]))
    posts.connection.execute("BEGIN")
    for at in range(300):
        posts.db.insert("posts", id=f"n{at}", text="new")
    assert len(posts.index.candidates("posts", "new") or ()) == 300

    posts.connection.execute("ROLLBACK")

    assert posts.indexed() == 0
    assert posts.index.candidates("posts", "new") == set()
    assert posts.index.candidates("posts", "one") == {"p0"}


def test_indexing_that_times_out_is_undone_and_done_by_the_next_search(
    open_posts: Callable[[bytes], Posts], monkeypatch: pytest.MonkeyPatch
) -> None:
    posts = open_posts(made_of([]))
    for at in range(240):
        posts.db.insert("posts", id=f"p{at}", text="new")

    def cut(*_: Any) -> None:
        posts.connection.execute("UPDATE _search_state SET journal = 7")
        raise KeyboardInterrupt

    with monkeypatch.context() as alarm:
        alarm.setattr(posts.index, "_add", cut)
        with pytest.raises(KeyboardInterrupt):
            posts.index.candidates("posts", "new")

    assert not posts.connection.in_transaction
    assert posts.indexed() == 0
    assert len(posts.index.candidates("posts", "new") or ()) == 240
    assert posts.indexed() == 240


def test_a_context_made_before_there_was_an_index_is_read_in_full(open_posts: Callable[[bytes], Posts]) -> None:
    posts = open_posts(made_of(["one"]))
    posts.connection.executescript("DROP TABLE _search; DROP TABLE _search_state")

    assert posts.index.candidates("posts", "one") is None


changes = st.lists(st.tuples(st.sampled_from("iurd"), st.integers(0, 7), texts), max_size=30)


@examples(max_examples=60, deadline=None)
@given(before=st.lists(texts, max_size=5), done=changes, queries=st.lists(texts, min_size=1, max_size=6))
def test_index_and_predicate_find_what_a_full_scan_finds(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], done: list[tuple[str, int, str]], queries: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("posts")
    posts = Posts(folder / "0.db", made_of(before))
    with pytest.MonkeyPatch.context() as patch:
        # Some changes are indexed and some still waiting, at every size.
        patch.setattr(search, "PENDING_MOST", 3)
        for op, number, text in done:
            _change(posts, op, f"p{number}", text)
            _compare(posts, queries[0])
        copy = Posts(folder / "1.db", (folder / "0.db").read_bytes())
        for query in queries:
            assert _compare(posts, query) == _compare(copy, query)
    posts.connection.close()
    copy.connection.close()


def _change(posts: Posts, op: str, key: str, text: str) -> None:
    values = {"text": text, "labels": json.dumps([text[::-1]], ensure_ascii=len(text) % 2 == 0)}
    match op:
        case "i":
            posts.connection.execute("INSERT OR IGNORE INTO posts (id, text) VALUES (?, ?)", (key, text))
        case "u":
            posts.db.update("posts", {"id": key}, **values)
        case "r":
            posts.connection.execute("REPLACE INTO posts (id, text) VALUES (?, ?)", (key, text))
        case _:
            posts.db.delete("posts", id=key)


def _compare(posts: Posts, query: str) -> set[str]:
    """Check three predicates, as apps have them, with and without the index, and return what is found."""
    words = query.split()
    candidates = posts.index.candidates("posts", *words)
    all_found: set[str] = set()
    for holds in (_folded, _sqlite_lower, _decoded):
        found = {key for key, text, labels in posts.rows() if all(holds(word, text, labels) for word in words)}
        assert candidates is None or found <= candidates
        all_found |= found
    return all_found


def _folded(word: str, text: str, labels: str) -> bool:
    return word.casefold() in text.casefold() or word.casefold() in labels.casefold()


def _sqlite_lower(word: str, text: str, labels: str) -> bool:
    return _ascii_lower(word) in _ascii_lower(text)


def _decoded(word: str, text: str, labels: str) -> bool:
    return word in text or any(word in label for label in json.loads(labels))


def _ascii_lower(text: str) -> str:
    return "".join(each.lower() if each.isascii() else each for each in text)


KEYWORDS = (
    "咖啡",
    "咖啡 上海",
    "的",
    "新能源汽车充电",
    "露营装备清单推荐",
    "a",
    "上海",
    "plan",
    "Lin",
    "评审",
    "会",
    "周 会",
    "zz",
)
SEARCHES: dict[str, list[tuple[str, Callable[[str], dict[str, Any]]]]] = {
    "rednote": [("search_feeds", lambda word: {"keyword": word})],
    "lark": [
        ("docx_builtin_search", lambda word: {"data": {"search_key": word, "count": 50}}),
        ("wiki_v1_node_search", lambda word: {"data": {"query": word}}),
        ("im_v1_chat_search", lambda word: {"params": {"query": word}}),
        ("calendar_v4_calendar_search", lambda word: {"data": {"query": word}}),
    ],
}


@pytest.mark.parametrize("app", SEARCHES)
def test_an_app_answers_the_same_with_and_without_the_index(start: Callable[..., LocalApp], app: str) -> None:
    local = start(app, world="harbor")
    calls = [(tool, arguments(word)) for tool, arguments in SEARCHES[app] for word in KEYWORDS]
    indexed = [local.outcome(tool, arguments).result for tool, arguments in calls]

    local.episode.db.execute("DROP TABLE _search")
    local.store.close_all()

    assert [local.outcome(tool, arguments).result for tool, arguments in calls] == indexed
    assert len(set(indexed)) > len(calls) / 3


def test_an_events_search_answers_the_same_with_and_without_the_index(start: Callable[..., LocalApp]) -> None:
    lark = start("lark", world="harbor")
    calendar = lark.episode.db.scalar(
        "SELECT calendar_id FROM calendars WHERE owner_id = ? AND type = 'primary'", lark.episode.me
    )
    ever = {"start_time": {"timestamp": "1"}, "end_time": {"timestamp": "4000000000"}}

    def answers() -> list[bytes]:
        asked = ({"path": {"calendar_id": calendar}, "data": {"query": word, "filter": ever}} for word in KEYWORDS)
        return [lark.outcome("calendar_v4_calendarEvent_search", each).result for each in asked]

    indexed = answers()
    lark.episode.db.execute("DROP TABLE _search")
    lark.store.close_all()

    assert answers() == indexed
    assert len(set(indexed)) > 3


def test_snapshots_restores_and_forks_find_what_their_rows_hold(start: Callable[..., LocalApp]) -> None:
    rednote = start(
        "rednote", rows=[{"table": "users", "user_id": "u", "person": "me", "red_id": "1", "nickname": "Me"}]
    )
    for at in range(300):
        _note(rednote, at, "发布会")
    assert len(rednote.episode.db.candidates("notes", "发布会") or ()) == 300
    rednote.store.snapshot(EPISODE, "s")
    _note(rednote, 300, "后来")
    twin = rednote.store.episodes / "twin"
    twin.mkdir()
    Settings("twin", None, ("rednote",), seed=7, now="2026-03-09T09:00:00+08:00", me="me").save(twin)

    rednote.store.fork(EPISODE, "twin")
    forked = rednote.store.open("twin").episode.db
    rednote.store.restore(EPISODE, "s")

    # The last fifty wait to be indexed and count as found; the first ones were, and do not.
    found = forked.candidates("notes", "后来")
    assert found is not None
    assert "n300" in found
    assert "n0" not in found
    assert len(forked.candidates("notes", "发布") or ()) >= 300
    assert "n300" not in (rednote.episode.db.candidates("notes", "后来") or ())
    assert len(rednote.episode.db.candidates("notes", "发布") or ()) == 300
    assert rednote.store.diff(EPISODE, "s") == {}


def _note(rednote: LocalApp, at: int, title: str) -> None:
    rednote.episode.db.insert("notes", note_id=f"n{at}", user_id="u", type="normal", title=title, body="", time=at)


def test_a_searched_table_needs_a_key_of_one_column() -> None:
    metadata = MetaData()
    table("lines", metadata, column("a", primary_key=True), column("b", primary_key=True), column("c", searched=True))

    with pytest.raises(ValueError, match="table lines has searched columns; it needs a primary key of one column"):
        _ = Schema(metadata).searched


def test_the_index_is_no_table_of_the_context(start: Callable[..., LocalApp]) -> None:
    rednote = start("rednote", world="harbor")

    rednote.call("search_feeds", keyword="咖啡")

    assert rednote.changes() == {}
    assert not [name for name in rednote.store.loaded.schema.shapes if name.startswith("_")]


@pytest.mark.e2e
def test_a_start_has_the_same_bytes_in_every_process() -> None:
    program = (
        "import hashlib; from farm.content import load_app; from farm.context.template import build; "
        "rows = [{'table': 'users', 'user_id': f'{at}', 'red_id': f'{at}', 'nickname': '会议 ab'} for at in range(9)]; "
        "print(hashlib.sha256(build(load_app('rednote').schema, rows)).hexdigest())"
    )

    made = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }

    assert len(made) == 1


def test_what_is_not_there_has_no_text(open_posts: Callable[[bytes], Posts]) -> None:
    rows = [
        {"table": "posts", "id": f"p{at}", "text": "tea", "labels": labels} for at, labels in enumerate((None, "[]"))
    ]
    posts = open_posts(build(SCHEMA, rows))

    for query in ("none", "null", "xxxx"):
        assert posts.index.candidates("posts", query) == set()
    assert posts.index.candidates("posts", "tea") == {"p0", "p1"}
