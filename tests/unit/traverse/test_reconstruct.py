"""The state before a trace, from what its calls showed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.context.template import build
from farm.errors import NotFoundError
from farm.testing import LocalApp
from farm.traverse.reconstruct import ReconstructedStart, reconstruct
from farm.traverse.tree.draft import draft_schema
from farm.traverse.tree.model import Tree
from farm.traverse.tree.pool_calls import read_pool_calls
from farm.traverse.tree.propose import propose
from farm.traverse.tree.toml_file import read_tree
from tests.unit.traverse import _recordings, _slack_traces
from tests.unit.traverse._small_pools import TASKS, answered, loaded, pool_of, todo_calls

SLACK_TREE = Path(__file__).with_name("slack_tree.toml")
ME, BOT, TEAM = "U001FPTWFQX", "U00DW6I0629", "T063J1CWQAD"


def rows_of(start: ReconstructedStart, table: str) -> dict[Any, dict[str, Any]]:
    return {row["id"]: row for row in start.rows if row["table"] == table}


def todo_tree(folder: Path) -> Tree:
    return propose(pool_of(folder / "learnt", todo_calls()))


def start_of(folder: Path, calls: list[dict[str, Any]]) -> ReconstructedStart:
    return reconstruct(pool_of(folder / "met", calls), todo_tree(folder), 0)


def test_a_read_before_any_write_shows_the_row_as_it_was(tmp_path: Path) -> None:
    later = {**TASKS[0], "text": "Buy pears instead, said Ada", "done": True}

    start = start_of(
        tmp_path,
        [
            answered("get_task", {"task_id": TASKS[0]["id"]}, TASKS[0]),
            answered("complete_task", {"task_id": TASKS[0]["id"]}, {"changed": 1}),
            answered("get_task", {"task_id": TASKS[0]["id"]}, later),
        ],
    )

    row = rows_of(start, "tasks")[TASKS[0]["id"]]
    assert (row["text"], row["done"]) == (TASKS[0]["text"], 0)


def test_what_a_call_changed_was_there_with_fields_that_nobody_knows(tmp_path: Path) -> None:
    start = start_of(
        tmp_path,
        [
            answered("complete_task", {"task_id": TASKS[0]["id"]}, {"changed": 1}),
            answered("get_task", {"task_id": TASKS[0]["id"]}, {**TASKS[0], "done": True}),
        ],
    )

    assert rows_of(start, "tasks")[TASKS[0]["id"]] == {"table": "tasks", "id": TASKS[0]["id"]}
    (unknown,) = start.unknown
    assert unknown.columns == ("list_id", "text", "done")
    assert "complete_task changes it (line 1)" in unknown.why


def test_a_field_that_a_tool_never_changed_is_known_after_it_too(tmp_path: Path) -> None:
    done = {**TASKS[1], "done": True}
    before = [
        answered("get_task", {"task_id": TASKS[1]["id"]}, TASKS[1], trace=1),
        answered("complete_task", {"task_id": TASKS[1]["id"]}, {"changed": 1}, trace=1),
        answered("get_task", {"task_id": TASKS[1]["id"]}, done, trace=1),
    ]

    start = start_of(
        tmp_path,
        [
            *before,
            answered("complete_task", {"task_id": TASKS[0]["id"]}, {"changed": 1}),
            answered("get_task", {"task_id": TASKS[0]["id"]}, {**TASKS[0], "done": True}),
        ],
    )

    row = rows_of(start, "tasks")[TASKS[0]["id"]]
    assert row["text"] == TASKS[0]["text"]
    assert "done" not in row


def test_a_row_first_seen_after_it_was_made_was_not_there(tmp_path: Path) -> None:
    new = {"id": "task00000077bb", "list_id": TASKS[0]["list_id"], "text": "Sweep the floor tonight", "done": False}
    tree = todo_tree(tmp_path)
    learnt = [*todo_calls(), answered("create_task", {"text": new["text"]}, new)]
    tree = propose(pool_of(tmp_path / "more", learnt))

    start = reconstruct(
        pool_of(
            tmp_path / "met",
            [
                answered("create_task", {"text": new["text"]}, new),
                answered("get_task", {"task_id": new["id"]}, new),
            ],
        ),
        tree,
        0,
    )

    assert rows_of(start, "tasks") == {}
    assert start.absent == (("tasks", {"id": new["id"]}),)


def test_what_was_deleted_was_there_and_what_is_asked_for_by_its_key_is(tmp_path: Path) -> None:
    calls = [
        *todo_calls(),
        answered("delete_task", {"task_id": TASKS[3]["id"]}, "gone"),
        answered("get_list_name", {"list_id": "list00000002aa"}, "Errands 2"),
    ]
    tree = propose(pool_of(tmp_path / "learnt", calls))

    start = reconstruct(pool_of(tmp_path / "met", calls[-2:]), tree, 0)

    assert set(rows_of(start, "tasks")) == {TASKS[3]["id"]}
    assert set(rows_of(start, "lists")) == {"list00000002aa"}
    assert {each.table for each in start.unknown} == {"tasks", "lists"}


def test_what_a_row_refers_to_was_there(tmp_path: Path) -> None:
    start = start_of(tmp_path, [answered("get_task", {"task_id": TASKS[0]["id"]}, TASKS[0])])

    assert [row["table"] for row in start.rows] == ["lists", "tasks"]
    (unknown,) = start.unknown
    assert (unknown.table, dict(unknown.key)) == ("lists", {"id": TASKS[0]["list_id"]})
    assert "a row of task refers to it" in unknown.why


def test_what_a_person_leaves_out_has_no_rows(tmp_path: Path) -> None:
    tree = todo_tree(tmp_path)
    for each in tree.entities:
        each.is_receipt = each.name == "list"
    calls = [answered("get_task", {"task_id": TASKS[0]["id"]}, TASKS[0])]

    start = reconstruct(pool_of(tmp_path / "met", calls), tree, 0)

    assert [row["table"] for row in start.rows] == ["tasks"]


def test_a_refused_call_tells_nothing(tmp_path: Path) -> None:
    refused = answered("complete_task", {"task_id": TASKS[0]["id"]}, "no such task", verdict="refused")

    assert start_of(tmp_path, [refused]).rows == ()


def test_a_trace_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no trace 7 in .*; have 0"):
        reconstruct(pool_of(tmp_path / "met", todo_calls()), todo_tree(tmp_path), 7)


def start_rows(folder: Path) -> dict[str, dict[tuple[Any, ...], dict[str, Any]]]:
    """Return the rows of Slack in `mini` by table and key."""
    shapes = content.load_app("slack").schema.shapes
    with LocalApp("slack", folder, world="mini") as slack:
        db = slack.episode.db
        return {
            table: {tuple(row[part] for part in shape.key): dict(row) for row in db.all(f'SELECT * FROM "{table}"')}
            for table, shape in shapes.items()
        }


def playable(start: ReconstructedStart) -> list[dict[str, Any]]:
    """Return the rows with what no tool of Slack shows and a start cannot do without: who is in the channels."""
    channels = sorted({row["id"] for row in start.rows if row["table"] == "channels"})
    members = [{"table": "members", "channel_id": each, "user_id": who} for each in channels for who in (ME, BOT)]
    rows = [*start.rows]
    if not any(row["table"] == "users" and row["id"] == BOT for row in rows):
        rows.append({"table": "users", "id": BOT, "team_id": TEAM, "name": "?", "real_name": "?", "is_bot": 1})
    order = ("teams", "users", "bots", "channels", "members", "messages", "reactions")
    return sorted([*rows, *members], key=lambda row: order.index(row["table"]))


def play(folder: Path, rows: Iterable[Mapping[str, Any]], lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    with LocalApp("slack", folder, rows=rows, me="ada", now="2026-06-01T09:00:00+00:00") as slack:
        return [slack.result(each["tool"], **each["arguments"]) for each in lines]


def is_ok(result: Mapping[str, Any]) -> bool:
    return bool(json.loads(result["content"][0]["text"])["ok"])


def test_a_trace_of_slack_is_answered_on_rebuilt_rows_as_on_the_true_ones(tmp_path: Path) -> None:
    lines = _slack_traces.record(tmp_path / "true", _slack_traces.look_round)
    pool = read_pool_calls(_slack_traces.write_pool(tmp_path / "pool", lines))

    start = reconstruct(pool, read_tree(SLACK_TREE), 0)

    answers = play(tmp_path / "again", playable(start), lines)
    differing = [line["tool"] for line, ours in zip(lines, answers, strict=True) if ours != line["result"]]
    # How many are in a channel stands in its list; who the others are, no tool tells.
    assert differing == ["slack_list_channels"]


def test_wandering_traces_of_slack_give_rows_that_were_there(tmp_path: Path) -> None:
    traces = range(6)
    lines = [line for n in traces for line in _slack_traces.record(tmp_path / f"t{n}", _slack_traces.wander(n), n)]
    pool = read_pool_calls(_slack_traces.write_pool(tmp_path / "pool", lines))
    true, shapes = start_rows(tmp_path / "start"), content.load_app("slack").schema.shapes
    tree = read_tree(SLACK_TREE)
    rows = false = known = right = agreeing = 0

    for n in traces:
        start = reconstruct(pool, tree, n)
        doubtful = {(each.table, tuple(each.key.values()), column) for each in start.unknown for column in each.columns}
        for row in start.rows:
            key = tuple(row[part] for part in shapes[row["table"]].key)
            if row["table"] in ("teams", "bots"):
                continue  # given by a person
            rows += 1
            false += key not in true[row["table"]]
            told = [
                (name, value)
                for name, value in row.items()
                # A thread's first message names itself in answers, and has nothing there in ours.
                if name not in ("table", "person", "thread_ts") and (row["table"], key, name) not in doubtful
            ]
            known += len(told)
            right += sum(true[row["table"]][key][name] == value for name, value in told)
        own = [line for line in lines if line["trace"] == n]
        answers = play(tmp_path / f"again{n}", playable(start), own)
        agreeing += sum(is_ok(ours) == is_ok(line["result"]) for ours, line in zip(answers, own, strict=True))

    assert rows > 60
    assert false == 0
    assert known > 1000
    assert right == known
    assert agreeing == len(lines)


@pytest.mark.skipif(not _recordings.UPSTREAM.is_dir(), reason="the recordings of the real services are not here")
def test_the_notes_of_a_real_vault_are_found_with_their_texts(tmp_path: Path) -> None:
    pool = read_pool_calls(_recordings.write_pool("obsidian", tmp_path, traces=(2,)))
    state = json.loads((_recordings.UPSTREAM / "obsidian" / "initial_state_a.json").read_text("utf-8"))["files"]

    start = reconstruct(pool, propose(pool), 2)

    found = {row["filename"]: row for row in start.rows}
    assert state.keys() <= found.keys()
    # The same notes by other paths, as ./Home.md and //Home.md: what a path leads to, no answer tells.
    assert len(found.keys() - state.keys()) <= 10
    texts = {path: row["content"] for path, row in found.items() if "content" in row and path in state}
    wrong = [path for path, text in texts.items() if text != state[path].get("content")]
    assert len(texts) == 14
    assert wrong == ["Assets/pixel.png"]  # its bytes are no text


@pytest.mark.skipif(not _recordings.UPSTREAM.is_dir(), reason="the recordings of the real services are not here")
def test_the_letters_of_a_real_mailbox_are_found_with_their_fields(tmp_path: Path) -> None:
    pool = read_pool_calls(_recordings.write_pool("email163", tmp_path, traces=(2,)))
    state = json.loads((_recordings.UPSTREAM / "email163" / "initial_state_a.json").read_text("utf-8"))
    (inbox,) = [each["messages"] for each in state["folders"] if each["name"] == "INBOX"]
    tree = propose(pool)
    # What a person corrects: sending makes a letter, though its answer does not show which.
    tree.tools = [
        type(each)(each.name, False, each.why, "creates", "email", {}) if each.name == "send_email" else each
        for each in tree.tools
    ]

    start = reconstruct(pool, tree, 2)

    found = {row["uid"]: row for row in start.rows if row["table"] == "emails"}
    letters = {str(each["uid"]): each for each in inbox}
    assert letters.keys() <= found.keys()
    assert len(found.keys() - letters.keys()) <= 2
    for column, name in (("发件人", "from"), ("收件人", "to"), ("抄送", "cc")):
        shown = {uid: row[column].replace('"', "") for uid, row in found.items() if uid in letters and row.get(column)}
        assert shown == {uid: letters[uid][name].replace('"', "") for uid in shown}
        assert set(shown) == {uid for uid, letter in letters.items() if letter[name]}


def test_rows_are_taken_by_the_draft_of_the_same_tree(tmp_path: Path) -> None:
    pool = pool_of(tmp_path, todo_calls())
    tree = propose(pool)

    raw = build(loaded(draft_schema(tree, "tasks"), tmp_path), reconstruct(pool, tree, 0).rows)

    file = tmp_path / "start.db"
    file.write_bytes(raw)
    db = sqlite3.connect(file)
    assert db.execute("SELECT count(*) FROM tasks").fetchone() == (6,)
    assert db.execute("SELECT count(*) FROM lists").fetchone() == (4,)
    db.close()
