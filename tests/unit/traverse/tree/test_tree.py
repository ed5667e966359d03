"""What a pool suggests of the things that a server keeps."""

from __future__ import annotations

import sqlite3
import warnings
from pathlib import Path
from typing import Any

import pytest

from farm.context.template import build
from farm.errors import FarmError
from farm.traverse.tree.draft import draft_schema
from farm.traverse.tree.model import Entity, Field, Tree
from farm.traverse.tree.pool_calls import read_pool_calls, reads_by_name
from farm.traverse.tree.propose import propose
from farm.traverse.tree.prose import labels_of, read_text
from farm.traverse.tree.toml_file import read_tree, write_tree
from tests.unit.traverse._small_pools import LISTS, TASKS, answered, loaded, pool_of, todo_calls, write


def entity(tree: Tree, name: str) -> Entity:
    found = tree.find(name)
    assert found is not None, [each.name for each in tree.entities]
    return found


def part(found: Entity, name: str) -> Field:
    each = found.find(name)
    assert each is not None, [each.name for each in found.fields]
    return each


def test_objects_of_one_shape_are_one_kind_wherever_tools_show_them(tmp_path: Path) -> None:
    tree = propose(pool_of(tmp_path, todo_calls()))

    lists, tasks = entity(tree, "list"), entity(tree, "task")
    assert {place.tool for place in lists.places} == {"get_lists", "get_list"}
    assert lists.key == ("id",)
    assert tasks.key == ("id",)
    assert part(tasks, "list_id").references == "list"
    assert tasks.owner == "list"


def test_each_field_has_a_type_a_way_to_be_made_and_the_reason(tmp_path: Path) -> None:
    tree = propose(pool_of(tmp_path, todo_calls()))

    made = {each.name: each.generation for each in entity(tree, "task").fields}
    assert made == {"id": "random", "list_id": "authentic", "text": "free-form", "done": "enumerate"}
    assert part(entity(tree, "task"), "done").type == "INTEGER"
    colour = part(entity(tree, "list"), "colour")
    assert colour.values == ("blue", "red")
    assert (colour.count, colour.distinct) == (8, 2)
    assert all(each.why for kind in tree.entities for each in kind.fields)


def test_what_only_writing_tools_answer_is_a_receipt(tmp_path: Path) -> None:
    rows = [{"receipt": f"r{n}", "moved": n, "queue": "main"} for n in range(3)]

    tree = propose(pool_of(tmp_path, [*todo_calls(), answered("move_tasks", {}, {"receipts": rows})]))

    assert entity(tree, "receipt").is_receipt
    assert "move_tasks" in entity(tree, "receipt").why
    assert not entity(tree, "task").is_receipt


def test_a_perturbed_call_does_not_undo_a_key_and_says_that_the_database_may_not_hold_it(tmp_path: Path) -> None:
    calls = todo_calls()
    twice = [TASKS[0], TASKS[0], TASKS[1]]
    calls.append(answered("add_tasks", {"tasks": twice}, {"added": 3}, error_class="semantic_conflict"))
    calls.append(answered("get_tasks", {}, {"tasks": twice}))

    found = entity(propose(pool_of(tmp_path, calls)), "task")

    assert found.key == ("id",)
    assert not found.is_unique
    assert "line 11, get_tasks: two of" in found.contradicts


def test_a_reference_that_leads_nowhere_is_a_plain_column(tmp_path: Path) -> None:
    stray = {"id": "task00000009bb", "list_id": "list00000099aa", "text": "Ring the plumber tomorrow", "done": False}
    calls = [*todo_calls(), answered("get_tasks", {}, {"tasks": [*TASKS, stray]})]

    tree = propose(pool_of(tmp_path, calls))

    each = part(entity(tree, "task"), "list_id")
    assert each.references == "list"
    assert not each.is_enforced
    assert "list00000099aa" in each.contradicts
    assert 'column("list_id", generation="authentic")' in draft_schema(tree, "tasks")


def test_the_argument_that_says_where_is_part_of_a_key_that_counts_anew_there(tmp_path: Path) -> None:
    rooms = [{"id": f"R{n}ABCDEFGH", "topic": f"Room {n}", "size": n} for n in range(2)]
    calls = [answered("list_rooms", {}, {"rooms": rooms})]
    for room in rooms:
        said = [{"ts": f"171000000{n}.000100", "text": f"Hello number {n} to all", "kind": "plain"} for n in range(3)]
        calls.append(answered("get_history", {"room_id": room["id"]}, {"messages": said}))

    found = entity(propose(pool_of(tmp_path, calls)), "message")

    assert found.key == ("room_id", "ts")
    assert found.owner == "room"
    assert part(found, "ts").time == "ts"


def test_what_stands_inside_a_row_belongs_to_it_and_documents_stay_whole(tmp_path: Path) -> None:
    notes = [
        {
            "id": f"note{n:08d}",
            "title": f"Plan {n}",
            "marks": [{"name": "good", "count": n}, {"name": "late", "count": 1}],
            "body": [{"style": "bold", "runs": [{"letters": "x"}]}, {"style": "plain", "runs": []}],
        }
        for n in range(3)
    ]

    tree = propose(pool_of(tmp_path, [answered("get_notes", {}, {"notes": notes})]))

    mark = entity(tree, "mark")
    assert mark.key == ("note.id", "name")
    assert mark.owner == "note"
    assert [each.name for each in tree.entities] == ["note", "mark"]
    assert part(entity(tree, "note"), "body").is_json


def test_a_list_of_keys_becomes_a_table_of_who_belongs_to_what(tmp_path: Path) -> None:
    people = [{"id": f"U{n}ABCDEFGH", "email": f"p{n}@plum.example", "shift": "early"} for n in range(4)]
    teams = [
        {"id": f"G{n}ABCDEFGH", "label": f"Team {n}", "people": [each["id"] for each in people[n:]]} for n in range(3)
    ]
    calls = [answered("list_people", {}, {"people": people}), answered("list_teams", {}, {"teams": teams})]

    tree = propose(pool_of(tmp_path, calls))

    link = entity(tree, "team_people")
    assert link.key == ("team.id", "people")
    assert link.owner == "team"
    assert tree.account == "people"


def test_texts_asked_for_by_a_path_are_files_and_what_writes_them_names_the_text(tmp_path: Path) -> None:
    texts = {f"plans/{name}.md": f"# {name}\n\nBread and jam.\n" for name in ("May", "June", "July", "August")}
    calls = [answered("write_file", {"path": path, "content": text}, "Done") for path, text in texts.items()]
    calls += [answered("read_file", {"path": path}, text) for path, text in texts.items()]
    calls.append(answered("delete_file", {"path": "plans/May.md"}, "Gone"))

    tree = propose(pool_of(tmp_path, calls))

    (found,) = tree.entities
    assert found.key == ("path",)
    assert part(found, "content").generation == "free-form"
    effects = {each.name: (each.effect, dict(each.names)) for each in tree.tools}
    assert effects == {
        "read_file": ("reads", {"path": "path"}),
        "write_file": ("sets", {"path": "path"}),
        "delete_file": ("deletes", {"path": "path"}),
    }


def test_prose_is_read_by_the_labels_that_a_tool_repeats() -> None:
    texts = [
        "📬 2 letters:\n\n📧 No: 7\n👤 From: Ada\n📝 About: Cake\n────\n"
        "📧 No: 8\n👤 From: Ben\n📝 About: Rye: two trays\n────",
        "📬 1 letter:\n\n📧 No: 9\n👤 From: Cleo\n📝 About: Oven\n────",
    ]
    labels = labels_of(texts)

    assert read_text(texts[0], labels, {}) == [
        {"No": "7", "From": "Ada", "About": "Cake"},
        {"No": "8", "From": "Ben", "About": "Rye: two trays"},
    ]
    assert read_text(texts[1], labels, {}) == {"No": "9", "From": "Cleo", "About": "Oven"}


def test_what_people_wrote_is_no_label() -> None:
    texts = ["Letter (No: 1)\nFrom: Ada\nText:\nNote: bring plates\n\nbye", "Letter (No: 2)\nFrom: Ben\nText:\nsee you"]

    first = read_text(texts[0], labels_of(texts), {})

    assert first == {"No": "1", "From": "Ada", "Text": "Note: bring plates\n\nbye"}


@pytest.mark.parametrize(
    ("text", "asked", "data"),
    [
        ("[{'name': 'x', 'size': None}]", {}, [{"name": "x", "size": None}]),
        ("| id | name |\n|---|---|\n| 1 | Ada |", {}, [{"id": "1", "name": "Ada"}]),
        ("[FILE] a.txt\n[DIR] b", {}, [{"tag": "FILE", "name": "a.txt"}, {"tag": "DIR", "name": "b"}]),
        ("id,name,city\n1,Ada,Leeds", {}, [{"id": "1", "name": "Ada", "city": "Leeds"}]),
        (
            "# a.md\n\none\n\n\n---\n\n# b.md\n\nError reading file: no\n\n---\n\n",
            {"paths": ["a.md", "b.md"]},
            [{"path": "a.md", "content": "one\n"}],
        ),
    ],
)
def test_other_forms_of_answers_are_data_too(text: str, asked: dict[str, Any], data: Any) -> None:
    assert read_text(text, frozenset(), asked) == data


@pytest.mark.parametrize(
    ("tool", "reads"),
    [
        ("slack_get_users", True),
        ("conversations.list", True),
        ("createIssue", False),
        ("POST /v1/search", True),
        ("PATCH /v1/pages/ID", False),
        ("frobnicate", False),
    ],
)
def test_a_tool_without_a_hint_reads_where_its_name_says_so(tool: str, reads: bool) -> None:
    assert reads_by_name(tool)[0] is reads


def test_a_hint_goes_before_the_name(tmp_path: Path) -> None:
    folder = write(tmp_path, todo_calls())
    (folder / "tools.json").write_text('{"tools": [{"name": "get_task", "annotations": {"readOnlyHint": false}}]}')

    assert read_pool_calls(folder).reads("get_task") == (False, "readOnlyHint is false")


def test_only_the_train_side_of_a_divided_pool_counts(tmp_path: Path) -> None:
    calls = [{**each, "side": "train"} for each in todo_calls()]
    held = {**answered("get_secrets", {}, {"secrets": [{"id": "s1", "word": "x"}]}), "side": "held"}
    folder = write(tmp_path, [*calls, held])

    assert propose(read_pool_calls(folder, sides=("train",))).find("secret") is None
    assert propose(read_pool_calls(folder)).find("secret") is not None


def test_the_draft_imports_makes_tables_and_takes_rows_of_the_kinds_found(tmp_path: Path) -> None:
    tree = propose(pool_of(tmp_path, todo_calls()))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        schema = loaded(draft_schema(tree, "tasks"), tmp_path)

    assert schema.account == ("accounts", "id")
    assert {key.column.table.name for key in schema.metadata.tables["tasks"].c["list_id"].foreign_keys} == {"lists"}
    rows: list[dict[str, Any]] = [
        {"table": "lists", **LISTS[0]},
        {"table": "tasks", **TASKS[0], "done": 0, "list_id": LISTS[0]["id"]},
    ]
    assert build(schema, rows).startswith(b"SQLite format 3")
    with pytest.raises(FarmError, match="is no id of 'lists'"):
        build(schema, rows[1:])


def test_tables_that_refer_to_each_other_in_a_circle_are_still_a_schema(tmp_path: Path) -> None:
    people = [{"id": f"U{n}ABCDEFGH", "boss_team": f"G{n}ABCDEFGH", "shift": "early"} for n in range(3)]
    teams = [{"id": f"G{n}ABCDEFGH", "lead_person": f"U{n}ABCDEFGH", "floor": n} for n in range(3)]
    calls = [answered("list_people", {}, {"people": people}), answered("list_teams", {}, {"teams": teams})]
    tree = propose(pool_of(tmp_path, calls))
    assert part(entity(tree, "people"), "boss_team").references == "team"
    assert part(entity(tree, "team"), "lead_person").references == "people"

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        schema = loaded(draft_schema(tree, "teams"), tmp_path)

    assert set(schema.shapes) >= {"people", "teams"} or set(schema.shapes) >= {"peoples", "teams"}


def test_a_wrapper_that_says_what_is_in_it_parts_kinds_and_what_only_frames_rows_is_none(tmp_path: Path) -> None:
    post = {"kind": "p", "data": {"id": "post00000001", "title": "Rye again", "score": 3}}
    reply = {"kind": "r", "data": {"id": "reply0000002", "body": "Yes please, two of them", "score": 1}}
    pages = [{"kind": "page", "data": {"after": None, "entries": [each]}} for each in (post, reply)]

    tree = propose(pool_of(tmp_path, [answered("get_thread", {}, pages), answered("get_thread", {}, pages[:1])]))

    assert {each.name: each.key for each in tree.entities} == {"p": ("id",), "r": ("id",)}


def test_the_same_asked_for_twice_is_no_second_row(tmp_path: Path) -> None:
    text = "# plans/a.md\n\nBread.\n\n---\n\n# plans/a.md\n\nBread.\n\n---\n\n# plans/b.md\n\nJam.\n\n---\n\n"
    asked = ["plans/a.md", "plans/a.md", "plans/b.md"]
    calls = [answered("read_files", {"paths": asked}, text)]
    calls += [answered("read_files", {"paths": asked[1:]}, text.partition("---\n\n")[2])]

    (found,) = propose(pool_of(tmp_path, calls)).entities

    assert found.key == ("path",)
    assert found.is_unique


def test_a_field_that_is_a_text_here_and_a_list_there_is_no_key(tmp_path: Path) -> None:
    rows = [
        {"name": name, "floor": at, "since": "May"} for at, name in enumerate(("Ada", ["Ben", "Bo"], "Cleo", "Dan"))
    ]

    (found,) = propose(pool_of(tmp_path, [answered("list_people", {}, {"people": rows})])).entities

    assert "name" not in found.key
    assert part(found, "name").is_json


def test_what_has_no_key_gets_a_number_of_its_own(tmp_path: Path) -> None:
    links = [{"from": "Ada", "to": "Acme", "how": "works at"}, {"from": "Ada", "to": "Acme", "how": "works at"}]
    tree = propose(pool_of(tmp_path, [answered("read_links", {}, {"links": links})]))

    schema = loaded(draft_schema(tree, "links"), tmp_path)

    assert entity(tree, "link").key == ()
    assert schema.shapes["links"].key == ("row_id",)


def test_a_correction_in_the_toml_changes_the_schema(tmp_path: Path) -> None:
    text = write_tree(propose(pool_of(tmp_path, todo_calls())))
    assert 'generation = "free-form"' in text
    file = tmp_path / "tree.toml"

    file.write_text(
        text.replace('table = "tasks"', 'table = "errands"').replace(
            'generation = "free-form"', 'generation = "authentic"'
        )
    )

    draft = draft_schema(read_tree(file), "tasks")
    assert '"errands"' in draft
    assert "free-form" not in draft
    db = sqlite3.connect(":memory:")
    db.executescript(loaded(draft, tmp_path).ddl())
    assert db.execute("SELECT count(*) FROM errands").fetchone() == (0,)


def test_a_written_tree_is_read_back_as_it_was(tmp_path: Path) -> None:
    text = write_tree(propose(pool_of(tmp_path, todo_calls())))
    file = tmp_path / "tree.toml"
    file.write_text(text, "utf-8")

    assert write_tree(read_tree(file)) == text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("key = [", 'key = ["nobody", '), "the key of entity 'task' names 'nobody', which is no field of it"),
        (
            ('generation = "enumerate"', 'generation = "guessed"'),
            "generation = 'guessed'; have enumerate, free-form, random, authentic",
        ),
        (('generation = "enumerate"', 'made = "enumerate"'), "'made' is called 'generation' since 0.1.0"),
        (('references = "list"', 'references = "lost"'), "references 'lost'; have"),
        (('effect = "reads"', 'effect = "eats"'), "effect = 'eats'; have reads"),
        (("[[entities]]", "[[entities"), "is not TOML"),
        (('name = "list"', 'title = "list"'), "needs a 'name'"),
    ],
)
def test_a_tree_that_is_wrong_says_what_and_where(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    file = tmp_path / "tree.toml"
    file.write_text(write_tree(propose(pool_of(tmp_path, todo_calls()))).replace(*change, 1), "utf-8")

    with pytest.raises(FarmError) as refused:
        read_tree(file)

    assert said in str(refused.value)
    assert str(file) in str(refused.value)
