"""Where blocks go, what the server checks of simple contents, and what its first version says."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.notion.conftest import (
    ABSENT,
    BOT,
    DATABASE,
    FIRST,
    HOME,
    LINES,
    ME,
    NOTES,
    SECOND,
    SECRET,
    SOURCE,
    THIRD,
    Refusal,
    rich,
    rows,
)

NOW_MS = 1_773_018_030_000
NOW = "2026-03-09T01:00:00.000Z"
MADE = "2026-01-05T08:00:00.000Z"
HELPER = {"object": "user", "id": BOT}


def quote(words: str) -> dict[str, Any]:
    return {"type": "quote", "text": words}


def shown(notion: LocalApp, block_id: str = HOME) -> list[str]:
    """Return what stands below a block: the words of new quotes, the ids of the others."""
    listed = notion.call("notion_retrieve_block_children", block_id=block_id, response_mode="full")["results"]
    return [each["quote"]["rich_text"][0]["plain_text"] if each["type"] == "quote" else each["id"] for each in listed]


STANDING = [LINES[0], LINES[1], LINES[2], LINES[4], DATABASE, NOTES]


@pytest.mark.fact("append")
@pytest.mark.parametrize(
    ("position", "before"),
    [
        (None, 6),
        ({"type": "end"}, 6),
        ({"type": "start"}, 0),
        *(({"type": "after_block", "after_block": {"id": each}}, at) for at, each in enumerate(STANDING, 1)),
    ],
)
def test_new_blocks_stand_where_they_were_put(notion: LocalApp, position: Any, before: int) -> None:
    place = {} if position is None else {"position": position}
    listed = notion.call("notion_append_content", block_id=HOME, items=[quote("a"), quote("b")], **place)

    assert shown(notion) == [*STANDING[:before], "a", "b", *STANDING[before:]]
    # The answer begins with what is new and goes on with what follows it.
    told = [each["id"] for each in listed["results"]]
    assert told[2:] == STANDING[before:]
    listed.pop("results")
    assert listed == {
        "object": "list",
        "next_cursor": None,
        "has_more": False,
        "type": "block",
        "block": {},
        "request_id": listed["request_id"],
    }
    again = notion.call("notion_append_content", block_id=HOME, items=[quote("c")], **place)
    is_end = position in (None, {"type": "end"})
    assert len(again["results"]) == 1 + (0 if is_end else 2 + len(STANDING) - before)


@pytest.mark.fact("append")
def test_blocks_are_put_again_and_again_at_one_place(notion: LocalApp) -> None:
    for number in range(12):
        notion.call("notion_append_content", block_id=HOME, items=[quote(str(number))], position={"type": "start"})
    place = {"type": "after_block", "after_block": {"id": LINES[0]}}
    for word in "abcdef":
        notion.call("notion_append_content", block_id=HOME, items=[quote(word)], position=place)

    assert shown(notion) == [*map(str, range(11, -1, -1)), LINES[0], *"fedcba", *STANDING[1:]]


@pytest.mark.fact("append")
def test_the_first_block_of_an_empty_page_has_any_place(notion: LocalApp, refusal: Refusal) -> None:
    notion.call("notion_append_content", block_id=NOTES, items=[quote("a")], position={"type": "start"})
    notion.call("notion_append_content", block_id=LINES[2], items=[quote("b")], position={"type": "end"})

    assert (shown(notion, NOTES), shown(notion, LINES[2])) == (["a"], [LINES[3], "b"])
    place = {"type": "after_block", "after_block": {"id": LINES[3]}}
    assert refusal("notion_append_content", block_id=HOME, items=[quote("x")], position=place) == (
        f"Block to append children after {LINES[3]} is not a child of the parent block {HOME}."
    )
    place = {"type": "after_block", "after_block": {"id": "x"}}
    assert refusal("notion_append_content", block_id=HOME, items=[quote("x")], position=place) == (
        'body failed validation: body.position.after_block.id should be a valid uuid, instead was `"x"`.'
    )
    said = "position.after_block.id must be a block ID string when position.type is 'after_block'."
    for tool, more in (
        ("notion_append_content", {"items": [quote("x")]}),
        ("notion_append_markdown", {"markdown": "x"}),
        ("notion_append_block_children", {"children": []}),
    ):
        assert refusal(tool, block_id=HOME, position={"type": "after_block"}, **more) == said


@pytest.mark.fact("append")
def test_what_was_edited_says_when_and_by_whom(notion: LocalApp) -> None:
    notion.call("notion_append_content", block_id=LINES[2], items=[quote("a")])

    stored = {change["key"]["id"]: change for change in notion.changes()["blocks"]}
    (new,) = [change["new"] for change in stored.values() if change["op"] == "insert"]
    times = {"created_ms": NOW_MS, "created_by": BOT, "edited_ms": NOW_MS, "edited_by": BOT}
    where = {"page_id": HOME, "parent_type": "block_id", "parent_id": LINES[2], "position": 5.0, "in_trash": 0}
    content = {
        "type": "quote",
        "content": json.dumps({"rich_text": rich("a"), "color": "default"}, separators=(",", ":")),
    }
    assert {key: value for key, value in new.items() if key != "id"} == {**where, **content, **times}
    edited = {"edited_ms": NOW_MS, "edited_by": BOT}
    for table, key in (("blocks", LINES[2]), ("pages", HOME)):
        (change,) = [each for each in notion.changes()[table] if each["key"]["id"] == key]
        assert {name: change["new"][name] for name in edited} == edited
    assert len(notion.changes()["pages"]) == 1


@pytest.mark.fact("append")
def test_nothing_appended_is_nothing_edited(notion: LocalApp) -> None:
    listed = notion.call("notion_append_block_children", block_id=HOME, children=[])

    assert (listed["results"], notion.changes()) == ([], {})


@pytest.mark.fact("trash")
@pytest.mark.parametrize(
    ("key", "table", "kind", "content"),
    [
        (LINES[1], "blocks", "to_do", {"rich_text": rich("Call Bo"), "checked": False, "color": "default"}),
        (NOTES, "pages", "child_page", {"title": "Notes"}),
        (DATABASE, "databases", "child_database", {"title": "Bills"}),
    ],
)
def test_what_is_deleted_is_told_whole_and_can_be_restored(
    notion: LocalApp, key: str, table: str, kind: str, content: dict[str, Any]
) -> None:
    gone = notion.call("notion_delete_block", block_id=key)

    stored = {
        "object": "block",
        "id": key,
        "parent": {"type": "page_id", "page_id": HOME},
        "created_time": MADE,
        "last_edited_time": NOW,
        "created_by": {"object": "user", "id": ME},
        # Databases do not say who edited them.
        "last_edited_by": HELPER if table != "databases" else {"object": "user", "id": ME},
        "has_children": False,
        "in_trash": True,
        "type": kind,
        kind: content,
    }
    assert gone == {**stored, "request_id": gone["request_id"]}
    assert key not in shown(notion)
    (change,) = [each["new"] for each in notion.changes()[table] if each["key"]["id"] == key]
    assert change["in_trash"] == 1
    back = notion.call("notion_update_block", block_id=key, block={"in_trash": False})
    assert back == {**stored, "in_trash": False, "request_id": back["request_id"]}
    again = notion.call("notion_update_block", block_id=key, block={"in_trash": False})
    assert again["in_trash"] is False
    gone = notion.call("notion_update_block", block_id=key, block={"in_trash": True})
    assert gone["in_trash"] is True


@pytest.mark.fact("trash")
def test_what_stands_on_a_trashed_page_is_gone_with_it(notion: LocalApp, refusal: Refusal) -> None:
    notion.call("notion_append_content", block_id=NOTES, items=[quote("a")])
    notion.call("notion_delete_block", block_id=NOTES)
    below = "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing page."
    own = "Can't edit block that is archived. You must unarchive the block before editing."

    (inner,) = notion.call("notion_retrieve_block_children", block_id=NOTES)["results"]
    assert inner["in_trash"] is True
    for tool, arguments in (
        ("notion_append_content", {"items": [quote("x")]}),
        ("notion_delete_block", {}),
        ("notion_update_block", {"block": {"quote": {"rich_text": []}}}),
    ):
        key = NOTES if tool != "notion_update_block" else inner["id"]
        assert refusal(tool, block_id=key, **arguments) == (own if key == NOTES else below)
    assert refusal("notion_delete_block", block_id=inner["id"]) == below
    comment = {"parent": {"page_id": NOTES}, "rich_text": [{"type": "text", "text": {"content": "x"}}]}
    assert refusal("notion_create_comment", **comment) == own
    assert refusal("notion_create_comment", **{**comment, "parent": {"block_id": inner["id"]}}) == below
    schema: dict[str, Any] = {"properties": {"N": {"title": {}}}}
    assert refusal("notion_create_database", parent={"page_id": NOTES}, initial_data_source=schema) == own


# -- who sees what ----------------------------------------------------------------------------------------------------


@pytest.mark.fact("absent")
def test_without_an_integration_nothing_is_answered(start: Callable[..., LocalApp]) -> None:
    given = [row for row in rows() if row.get("id") != BOT]
    app = start("notion", rows=given, me="me")

    for tool, arguments in (
        ("notion_retrieve_page", {"page_id": HOME}),
        ("notion_list_all_users", {}),
        ("notion_retrieve_bot_user", {}),
        ("notion_search", {}),
    ):
        with pytest.raises(VendorError) as refused:
            app.call(tool, **arguments)
        assert (refused.value.code, refused.value.message) == ("unauthorized", "API token is invalid.")
        said = app.result(tool, **arguments)["structuredContent"]["error"]["message"]
        assert said == "Notion API request failed (401 unauthorized): API token is invalid."


@pytest.mark.fact("absent")
def test_another_workspace_is_not_seen(notion: LocalApp, refusal: Refusal) -> None:
    db = notion.episode.db
    db.insert("workspaces", id="w2", name="Other")
    db.update("pages", {"id": SECRET}, is_shared=1, workspace_id="w2")
    assert refusal("notion_retrieve_page", page_id=SECRET).startswith("Could not find page with ID: ")
    assert notion.call("notion_search", query="secret")["results"] == []
    db.update("pages", {"id": SECRET}, workspace_id="w1")
    assert notion.call("notion_retrieve_page", page_id=SECRET)["id"] == SECRET


@pytest.mark.fact("absent")
def test_what_is_below_is_shared_too(notion: LocalApp) -> None:
    notion.episode.db.update("pages", {"id": SECRET}, parent_type="page_id", parent_id=NOTES, position=1.0)

    page = notion.call("notion_retrieve_page", page_id=SECRET)
    assert page["parent"] == {"type": "page_id", "page_id": NOTES}
    notion.episode.db.update("pages", {"id": SECRET}, parent_type="block_id", parent_id=LINES[3])
    assert notion.call("notion_retrieve_page", page_id=SECRET)["parent"] == {"type": "block_id", "block_id": LINES[3]}


# -- simple contents --------------------------------------------------------------------------------------------------


@pytest.mark.fact("markdown")
@pytest.mark.parametrize(
    ("markdown", "kinds"),
    [
        ("***", ["divider"]),
        ("___", ["divider"]),
        ("--", ["paragraph"]),
        ("* a\r\n- b", ["bulleted_list_item", "bulleted_list_item"]),
        ("1) a\n23. b", ["numbered_list_item", "numbered_list_item"]),
        ("1.a", ["paragraph"]),
        ("- [X] a\n* [ ] b", ["to_do", "to_do"]),
        ("- []", ["bulleted_list_item"]),
        (">a", ["quote"]),
        ("#a", ["paragraph"]),
        ("### a", ["heading_3"]),
        ("a\n# b\nc", ["paragraph", "heading_1", "paragraph"]),
        ("a\n\nb", ["paragraph", "paragraph"]),
        ("a\n```\nb\n```\nc", ["paragraph", "code", "paragraph"]),
        ("```python\n# a\n\n- b", ["code"]),
        ("```", ["code"]),
    ],
)
def test_a_line_becomes_what_its_signs_say(notion: LocalApp, markdown: str, kinds: list[str]) -> None:
    made = notion.call("notion_append_markdown", block_id=NOTES, markdown=markdown)["results"]

    assert [each["type"] for each in made] == kinds


@pytest.mark.fact("markdown")
def test_markdown_keeps_words_checks_and_languages(notion: LocalApp) -> None:
    markdown = "  ## a b  \n- [X] c\n- [ ] d\n 2. e\n> f\ng\n h \n```c++\n  i\n\nj\n```\n```\nk\n```"
    made = notion.call("notion_append_markdown", block_id=NOTES, markdown=markdown)["results"]

    assert [{each["type"]: each[each["type"]]} for each in made] == [
        {"heading_2": {"rich_text": rich("a b"), "is_toggleable": False, "color": "default"}},
        {"to_do": {"rich_text": rich("c"), "checked": True, "color": "default"}},
        {"to_do": {"rich_text": rich("d"), "checked": False, "color": "default"}},
        {"numbered_list_item": {"rich_text": rich("e"), "color": "default"}},
        {"quote": {"rich_text": rich("f"), "color": "default"}},
        {"paragraph": {"rich_text": rich("g h"), "icon": None, "color": "default"}},
        {"code": {"caption": [], "rich_text": rich("  i\n\nj"), "language": "c++"}},
        {"code": {"caption": [], "rich_text": rich("k"), "language": "plain text"}},
    ]


@pytest.mark.fact("update-block")
@pytest.mark.parametrize(
    ("item", "kept"),
    [
        ({"type": "heading_3", "text": "a", "is_toggleable": True}, {"is_toggleable": True, "color": "default"}),
        ({"type": "heading_1", "text": "a"}, {"is_toggleable": False, "color": "default"}),
        ({"type": "to_do", "text": "a", "checked": True}, {"checked": True, "color": "default"}),
        ({"type": "to_do", "text": "a"}, {"checked": False, "color": "default"}),
        ({"type": "code", "text": "a", "language": "go"}, {"caption": [], "language": "go"}),
        ({"type": "code", "text": "a"}, {"caption": [], "language": "plain text"}),
        ({"type": "code", "text": "a", "language": ""}, {"caption": [], "language": "plain text"}),
        ({"type": "callout", "text": "a"}, {"icon": {"type": "emoji", "emoji": "💡"}, "color": "default"}),
    ],
)
def test_a_simple_item_becomes_a_block(notion: LocalApp, item: dict[str, Any], kept: dict[str, Any]) -> None:
    (made,) = notion.call("notion_append_content", block_id=NOTES, items=[item])["results"]

    assert made[item["type"]] == {"rich_text": rich("a"), **kept}
    changed = notion.call("notion_update_content", block_id=made["id"], item={**item, "text": "b"})
    assert changed[item["type"]] == {"rich_text": rich("b"), **kept}


@pytest.mark.fact("update-block")
@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        (
            "notion_append_content",
            {"block_id": HOME, "items": []},
            "items must be a non-empty array of simple content items.",
        ),
        (
            "notion_append_content",
            {"block_id": HOME, "items": [{"type": "divider"}, {"type": "quote"}]},
            "items[1].text must be a string for quote content.",
        ),
        (
            "notion_append_content",
            {"block_id": HOME, "items": [{"type": "divider", "text": "x"}]},
            "items[0].text is not supported for divider content.",
        ),
        (
            "notion_append_content",
            {"block_id": "", "items": [{"type": "divider"}]},
            "Missing required arguments: block_id and items",
        ),
        (
            "notion_append_markdown",
            {"block_id": HOME, "markdown": ""},
            "Missing required arguments: block_id and markdown",
        ),
        (
            "notion_append_markdown",
            {"block_id": HOME, "markdown": " \n"},
            "Markdown did not contain appendable content",
        ),
        (
            "notion_update_content",
            {"block_id": "", "item": {"type": "to_do", "text": "x"}},
            "Missing required arguments: block_id and item",
        ),
        (
            "notion_update_content",
            {"block_id": LINES[1], "item": {"type": "to_do"}},
            "item.text must be a string for to_do content.",
        ),
        ("notion_update_content_batch", {"updates": []}, "Missing required argument: updates"),
        (
            "notion_update_content_batch",
            {
                "updates": [
                    {"block_id": LINES[1], "item": {"type": "to_do", "text": "x"}},
                    {"block_id": "", "item": {"type": "to_do", "text": "x"}},
                ]
            },
            "updates[1].block_id must be a non-empty block ID string.",
        ),
        (
            "notion_update_content_batch",
            {"updates": [{"block_id": LINES[1], "item": {"type": "to_do"}}]},
            "updates[0].item.text must be a string for to_do content.",
        ),
        (
            "notion_update_content_batch",
            {"updates": [{"block_id": LINES[1].replace("-", ""), "item": {"type": "to_do", "text": "x"}}]},
            f"Block validation order mismatch: expected {LINES[1].replace('-', '')}, received {LINES[1]}.",
        ),
        (
            "notion_append_block_children",
            {"block_id": "", "children": []},
            "Missing required arguments: block_id and children",
        ),
    ],
)
def test_the_server_says_itself_what_it_misses(
    refusal: Refusal, tool: str, arguments: dict[str, Any], why: str
) -> None:
    assert refusal(tool, **arguments) == why


@pytest.mark.fact("update-block")
def test_several_blocks_are_written_at_once(notion: LocalApp) -> None:
    updates = [
        {"block_id": LINES[1], "item": {"type": "to_do", "text": "a", "checked": True}},
        {"block_id": LINES[0], "item": {"type": "heading_1", "text": "b"}},
    ]
    done = notion.call("notion_update_content_batch", updates=updates)

    assert {key: value for key, value in done.items() if key != "results"} == {
        "object": "notion_content_batch_update",
        "updated_count": 2,
    }
    assert [each["id"] for each in done["results"]] == [LINES[1], LINES[0]]
    assert done["results"][0]["to_do"] == {"rich_text": rich("a"), "checked": True, "color": "default"}


# -- version 1 --------------------------------------------------------------------------------------------------------


def answer(app: LocalApp, tool: str, **arguments: Any) -> Any:
    return json.loads(app.result(tool, **arguments)["content"][0]["text"])


def without(answered: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in answered.items() if key not in ("request_id", *names)}


@pytest.mark.fact("old-shapes")
def test_version_1_tells_a_database_whole(older: LocalApp) -> None:
    told = without(answer(older, "notion_retrieve_database", database_id=DATABASE))

    properties = told.pop("properties")
    assert told == {
        "object": "database",
        "id": DATABASE,
        "cover": None,
        "icon": None,
        "created_time": MADE,
        "created_by": {"object": "user", "id": ME},
        "last_edited_by": {"object": "user", "id": ME},
        "last_edited_time": MADE,
        "title": rich("Bills"),
        "description": [],
        "is_inline": False,
        "parent": {"type": "page_id", "page_id": HOME},
        "url": f"https://www.notion.so/{DATABASE.replace('-', '')}",
        "public_url": None,
        "archived": False,
        "in_trash": False,
    }
    assert properties["Kind"] == {
        "id": "k1",
        "name": "Kind",
        "type": "select",
        "select": {"options": [{"id": "k-a", "name": "A", "color": "red"}]},
    }


@pytest.mark.fact("old-shapes")
def test_version_1_tells_a_row_and_a_block_whole(older: LocalApp) -> None:
    row = without(answer(older, "notion_retrieve_page", page_id=FIRST), "properties")
    assert row == {
        "object": "page",
        "id": FIRST,
        "created_time": MADE,
        "last_edited_time": MADE,
        "created_by": {"object": "user", "id": ME},
        "last_edited_by": {"object": "user", "id": ME},
        "cover": None,
        "icon": None,
        "parent": {"type": "database_id", "database_id": DATABASE},
        "archived": False,
        "in_trash": False,
        "url": f"https://www.notion.so/Rent-{FIRST.replace('-', '')}",
        "public_url": None,
    }
    assert without(answer(older, "notion_retrieve_block", block_id=FIRST))["parent"] == row["parent"]
    assert without(answer(older, "notion_retrieve_block", block_id=LINES[3])) == {
        "object": "block",
        "id": LINES[3],
        "parent": {"type": "block_id", "block_id": LINES[2]},
        "created_time": MADE,
        "last_edited_time": MADE,
        "created_by": {"object": "user", "id": ME},
        "last_edited_by": {"object": "user", "id": ME},
        "has_children": False,
        "archived": False,
        "in_trash": False,
        "type": "paragraph",
        "paragraph": {"rich_text": rich("inside"), "color": "default"},
    }
    comment = answer(older, "notion_create_comment", parent={"page_id": HOME}, rich_text=[{"text": {"content": "x"}}])
    assert "display_name" not in comment


@pytest.mark.fact("old")
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("notion_append_block_children", {"block_id": HOME}, "Missing required arguments: block_id and children"),
        ("notion_retrieve_page", {"page_id": ""}, "Missing required argument: page_id"),
        ("notion_update_block", {"block": {}}, "Missing required arguments: block_id and block"),
        ("notion_update_page_properties", {}, "Missing required arguments: page_id and properties"),
        ("notion_retrieve_user", {}, "Missing required argument: user_id"),
        ("notion_retrieve_comments", {"block_id": 0}, "Missing required argument: block_id"),
    ],
)
def test_version_1_says_what_is_missing(older: LocalApp, tool: str, arguments: dict[str, Any], said: str) -> None:
    assert answer(older, tool, **arguments) == {"error": said}


@pytest.mark.fact("old")
def test_version_1_refuses_with_the_apis_own_body(older: LocalApp) -> None:
    missing = answer(older, "notion_retrieve_page", page_id=ABSENT)

    assert without(missing) == {
        "object": "error",
        "status": 404,
        "code": "object_not_found",
        "message": f"Could not find page with ID: {ABSENT}. Make sure the relevant pages and databases are shared with "
        'your integration "Helper".',
    }
    assert len(missing["request_id"]) == 36


@pytest.mark.fact("old")
def test_version_1_makes_queries_and_changes_databases(older: LocalApp) -> None:
    made = answer(
        older,
        "notion_create_database",
        parent={"page_id": NOTES},
        title=[{"text": {"content": "Shops"}}],
        properties={
            "N": {"title": {}},
            "Stage": {"status": {}},
            "rel": {"relation": {"database_id": DATABASE, "type": "single_property", "single_property": {}}},
        },
    )
    assert made["properties"]["rel"]["relation"] == {
        "database_id": DATABASE,
        "type": "single_property",
        "single_property": {},
    }
    assert (made["title"], made["parent"]) == (rich("Shops"), {"type": "page_id", "page_id": NOTES})
    item = answer(
        older,
        "notion_create_database_item",
        database_id=made["id"],
        properties={"N": {"title": [{"text": {"content": "x"}}]}},
    )
    assert item["parent"] == {"type": "database_id", "database_id": made["id"]}
    listed = answer(older, "notion_query_database", database_id=DATABASE, page_size=2)
    assert [each["id"] for each in listed["results"]] == [THIRD, SECOND]
    assert (listed["type"], listed["next_cursor"], listed["page_or_database"]) == ("page_or_database", FIRST, {})
    rest = answer(older, "notion_query_database", database_id=DATABASE, start_cursor=FIRST)
    assert [each["id"] for each in rest["results"]] == [FIRST]
    found = answer(older, "notion_search", filter={"property": "object", "value": "database"}, query="shops")
    assert [(each["object"], each["id"]) for each in found["results"]] == [("database", made["id"])]
    wrong = answer(older, "notion_search", filter={"property": "object", "value": "data_source"})
    assert wrong["message"] == (
        'body failed validation: body.filter.value should be `"page"` or `"database"`, instead was `"data_source"`.'
    )
    changed = answer(older, "notion_update_database", database_id=DATABASE, title=[{"text": {"content": "Costs"}}])
    assert changed["title"] == rich("Costs")
    assert SOURCE
