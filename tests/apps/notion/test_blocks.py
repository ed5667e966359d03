"""Blocks: reading, appending, changing, the trash."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.notion.conftest import ABSENT, BOT, DATABASE, HOME, LINES, NOTES, Refusal


def paragraph(words: str, *children: Any) -> dict[str, Any]:
    content: dict[str, Any] = {"rich_text": [{"type": "text", "text": {"content": words}}]}
    return {
        "object": "block",
        "type": "paragraph",
        "paragraph": {**content, **({"children": [*children]} if children else {})},
    }


def ids(listed: dict[str, Any]) -> list[str]:
    return [each["id"] for each in listed["results"]]


@pytest.mark.fact("children")
def test_pages_and_databases_are_blocks_of_their_page(notion: LocalApp) -> None:
    listed = notion.call("notion_retrieve_block_children", block_id=HOME)

    assert ids(listed) == [LINES[0], LINES[1], LINES[2], LINES[4], DATABASE, NOTES]
    assert [listed["results"][-2][key] for key in ("type", "child_database")] == ["child_database", {"title": "Bills"}]
    assert (listed["type"], listed["block"], listed["has_more"]) == ("block", {}, False)


@pytest.mark.fact("children")
def test_a_cursor_is_the_id_of_the_next_block(notion: LocalApp, refusal: Refusal) -> None:
    first = notion.call("notion_retrieve_block_children", block_id=HOME, page_size=2)
    rest = notion.call("notion_retrieve_block_children", block_id=HOME, start_cursor=first["next_cursor"])

    assert (first["has_more"], first["next_cursor"]) == (True, LINES[2])
    assert ids(rest)[0] == LINES[2]
    assert "start_cursor provided is invalid" in refusal(
        "notion_retrieve_block_children", block_id=HOME, start_cursor=ABSENT
    )


@pytest.mark.fact("append")
def test_what_is_appended_at_the_end_is_all_of_the_answer(notion: LocalApp) -> None:
    listed = notion.call("notion_append_block_children", block_id=HOME, children=[paragraph("new", paragraph("below"))])

    (new,) = listed["results"]
    assert (new["has_children"], new["parent"], new["created_by"]["id"]) == (
        True,
        {"type": "page_id", "page_id": HOME},
        BOT,
    )
    assert new["paragraph"]["rich_text"][0]["plain_text"] == "new"
    assert new["last_edited_time"] == "2026-03-09T01:00:00.000Z"
    assert {change["op"] for change in notion.changes()["blocks"]} == {"insert"}


@pytest.mark.fact("append")
def test_what_is_put_in_between_is_answered_with_what_follows(notion: LocalApp) -> None:
    place = {"type": "after_block", "after_block": {"id": LINES[0]}}
    listed = notion.call("notion_append_content", block_id=HOME, items=[{"type": "quote", "text": "q"}], position=place)

    assert ids(listed)[1:] == [LINES[1], LINES[2], LINES[4], DATABASE, NOTES]
    first = notion.call("notion_append_content", block_id=HOME, items=[{"type": "divider"}], position={"type": "start"})
    assert ids(notion.call("notion_retrieve_block_children", block_id=HOME, response_mode="full"))[0] == ids(first)[0]


@pytest.mark.fact("append-limits")
def test_what_is_too_much_is_refused_with_its_place(refusal: Refusal) -> None:
    many = refusal("notion_append_block_children", block_id=HOME, children=[paragraph("x")] * 101)
    long = refusal("notion_append_content", block_id=HOME, items=[{"type": "quote", "text": "x" * 2001}])

    assert many == "body failed validation: body.children.length should be ≤ `100`, instead was `101`."
    assert long == (
        "body failed validation: body.children[0].quote.rich_text[0].text.content.length should be ≤ `2000`, "
        "instead was `2001`."
    )


@pytest.mark.fact("one-type")
def test_a_third_level_of_children_is_not_taken(refusal: Refusal) -> None:
    deep = paragraph("1", paragraph("2", paragraph("3", paragraph("4"))))

    assert refusal("notion_append_block_children", block_id=HOME, children=[deep]).startswith(
        "body failed validation: body.children[0].paragraph.children[0].paragraph.children[0].paragraph.children "
        'should be not present, instead was `[{"object":"block","type":"paragraph",'
    )


@pytest.mark.fact("no-type")
def test_a_block_without_a_type_is_told_every_type(refusal: Refusal) -> None:
    said = refusal("notion_append_block_children", block_id=HOME, children=[{"object": "block", "type": "embed"}])

    lines = said.split("\n")
    assert lines[0] == "body failed validation. Fix one:"
    assert lines[1] == "body.children[0].embed should be defined, instead was `undefined`."
    assert "body.children[0].to_do should be defined, instead was `undefined`." in lines


@pytest.mark.fact("append")
def test_what_takes_no_children_gets_none(refusal: Refusal) -> None:
    for block_id in (LINES[0], LINES[4], DATABASE):
        said = refusal("notion_append_block_children", block_id=block_id, children=[paragraph("x")])
        assert said == "Block does not support children."


@pytest.mark.fact("trash")
def test_a_deleted_block_can_be_restored_with_what_is_below(notion: LocalApp) -> None:
    gone = notion.call("notion_delete_block", block_id=LINES[2])
    assert (gone["in_trash"], gone["has_children"]) == (True, True)
    assert LINES[2] not in ids(notion.call("notion_retrieve_block_children", block_id=HOME))
    assert notion.call("notion_retrieve_block", block_id=LINES[3])["in_trash"] is True

    back = notion.call("notion_update_block", block_id=LINES[2], block={"in_trash": False})

    assert back["in_trash"] is False
    assert notion.call("notion_retrieve_block", block_id=LINES[3])["in_trash"] is False


@pytest.mark.fact("trash")
def test_a_deleted_page_is_answered_as_a_block_and_still_found_by_its_id(notion: LocalApp) -> None:
    gone = notion.call("notion_delete_block", block_id=NOTES)

    assert (gone["object"], gone["child_page"]) == ("block", {"title": "Notes"})
    page = notion.call("notion_retrieve_page", page_id=NOTES)
    assert (page["in_trash"], page["is_archived"]) == (True, False)
    assert notion.call("notion_search", query="Notes")["results"] == []


@pytest.mark.fact("trash-edit")
def test_what_lies_in_the_trash_cannot_be_edited(notion: LocalApp, refusal: Refusal) -> None:
    notion.call("notion_delete_block", block_id=LINES[2])

    own = refusal("notion_update_block", block_id=LINES[2], block={"toggle": {"rich_text": []}})
    below = refusal("notion_update_block", block_id=LINES[3], block={"paragraph": {"rich_text": []}})

    assert own == "Can't edit block that is archived. You must unarchive the block before editing."
    assert "archived ancestor" in below


@pytest.mark.fact("update-block")
def test_an_update_of_another_type_writes_nothing(notion: LocalApp, refusal: Refusal) -> None:
    said = refusal("notion_update_content", block_id=LINES[1], item={"type": "paragraph", "text": "x"})
    assert said == f"Block type mismatch: block {LINES[1]} is to_do, but item.type was paragraph"

    batch = [{"block_id": LINES[1], "item": {"type": "to_do", "text": "x"}}]
    batch.append({"block_id": LINES[0], "item": {"type": "heading_2", "text": "x"}})
    assert "is heading_1, but item.type was heading_2" in refusal("notion_update_content_batch", updates=batch)
    done = notion.call("notion_update_content_batch", updates=batch[:1])
    assert (done["updated_count"], done["results"][0]["to_do"]["rich_text"][0]["plain_text"]) == (1, "x")


@pytest.mark.fact("update-block")
def test_what_an_update_leaves_out_stays(notion: LocalApp) -> None:
    ticked = notion.call("notion_update_block", block_id=LINES[1], block={"to_do": {"checked": True}})

    assert (ticked["to_do"]["checked"], ticked["to_do"]["rich_text"][0]["plain_text"]) == (True, "Call Bo")
    page = notion.call("notion_retrieve_page", page_id=HOME)
    assert (page["last_edited_time"], page["last_edited_by"]["id"]) == ("2026-03-09T01:00:00.000Z", BOT)


@pytest.mark.fact("markdown")
def test_markdown_becomes_blocks(notion: LocalApp, refusal: Refusal) -> None:
    markdown = "# T\n- [x] done\n> q\n---\n1. one\ntext a\ntext b\n\n```python\nx\n```\n#### deep"
    made = notion.call("notion_append_markdown", block_id=NOTES, markdown=markdown)["results"]

    assert [each["type"] for each in made] == [
        *("heading_1", "to_do", "quote", "divider", "numbered_list_item", "paragraph", "code", "paragraph"),
    ]
    assert made[1]["to_do"]["checked"] is True
    assert [made[n]["paragraph"]["rich_text"][0]["plain_text"] for n in (5, 7)] == ["text a text b", "#### deep"]
    assert refusal("notion_append_markdown", block_id=NOTES, markdown="\n ") == (
        "Markdown did not contain appendable content"
    )


@pytest.mark.fact("bad-id")
def test_an_id_that_is_none_is_told_so(refusal: Refusal) -> None:
    for given in ("abc", "12345678-1234-1234-1234-123456789abc"):
        assert refusal("notion_retrieve_block", block_id=given) == (
            f'path failed validation: path.block_id should be a valid uuid, instead was `"{given}"`.'
        )


@pytest.mark.fact("compact")
def test_long_lists_come_short(notion: LocalApp) -> None:
    notion.call("notion_append_content", block_id=NOTES, items=[{"type": "quote", "text": str(n)} for n in range(11)])

    short = notion.call("notion_retrieve_block_children", block_id=NOTES)
    full = notion.call("notion_retrieve_block_children", block_id=NOTES, response_mode="full")

    assert (short["object"], short["result_count"], short["results"][3]["text"]) == ("notion_compact_list", 11, "3")
    assert (full["object"], len(full["results"])) == ("list", 11)
    assert notion.call("notion_retrieve_block_children", block_id=HOME, page_size=1)["object"] == "list"


def block(kind: str, *children: Any, **content: Any) -> dict[str, Any]:
    return {"object": "block", "type": kind, kind: {**content, **({"children": [*children]} if children else {})}}


COLUMN = block("column", paragraph("x"))
ROW = block("table_row", cells=[[{"type": "text", "text": {"content": "x"}}]])


@pytest.mark.fact("columns")
@pytest.mark.parametrize(
    ("child", "why"),
    [
        (block("column_list", COLUMN), "column_list.children.length should be ≥ `2`, instead was `1`."),
        (
            block("column_list", COLUMN, block("column")),
            "column_list.children[1].column.children should be defined, instead was `undefined`.",
        ),
        (COLUMN, "column should be not present, instead was `"),
        (ROW, "table_row should be not present, instead was `"),
        (paragraph("x", COLUMN), "paragraph.children[0].column should be not present, instead was `"),
    ],
)
def test_columns_and_rows_stand_only_where_they_belong(
    notion: LocalApp, refusal: Refusal, child: dict[str, Any], why: str
) -> None:
    said = refusal("notion_append_block_children", block_id=HOME, children=[child])

    assert said.startswith(f"body failed validation: body.children[0].{why}")
    assert notion.changes() == {}


@pytest.mark.fact("columns")
def test_two_columns_with_something_in_each_are_appended(notion: LocalApp, refusal: Refusal) -> None:
    made = notion.call("notion_append_block_children", block_id=HOME, children=[block("column_list", COLUMN, COLUMN)])
    columns = ids(notion.call("notion_retrieve_block_children", block_id=made["results"][0]["id"]))
    third = notion.call("notion_append_block_children", block_id=made["results"][0]["id"], children=[COLUMN])

    assert len(columns) == 2
    assert third["results"][0]["type"] == "column"
    assert "column should be not present" in refusal(
        "notion_append_block_children", block_id=columns[0], children=[COLUMN]
    )


@pytest.mark.fact("addresses")
@pytest.mark.parametrize(
    ("child", "why"),
    [
        (block("image", type="external", external={"url": "not a url"}), "Invalid image url."),
        (block("image", type="external", external={"url": "https://"}), "Invalid image url."),
        (
            block("paragraph", rich_text=[{"type": "text", "text": {"content": "x", "link": {"url": "no url"}}}]),
            "Invalid URL for link.",
        ),
    ],
)
def test_new_content_without_an_address_is_told_so(
    notion: LocalApp, refusal: Refusal, child: dict[str, Any], why: str
) -> None:
    said = refusal("notion_append_block_children", block_id=HOME, children=[child])

    assert said == f"Content creation Failed. Fix the following: \n{why}"
    assert notion.changes() == {}


@pytest.mark.fact("addresses")
def test_an_image_with_an_address_is_appended(notion: LocalApp) -> None:
    image = block("image", type="external", external={"url": "https://example.org/a"})

    made = notion.call("notion_append_block_children", block_id=HOME, children=[image])

    assert made["results"][0]["image"]["external"] == {"url": "https://example.org/a"}


@pytest.mark.fact("payload")
def test_a_request_beyond_the_limit_of_bytes_writes_nothing(notion: LocalApp) -> None:
    long = {"type": "text", "text": {"content": "x" * 2000}}
    children = [block("paragraph", rich_text=[long] * 50)]

    said = notion.result("notion_append_block_children", block_id=HOME, children=children * 6)

    assert said["isError"] is True
    assert said["structuredContent"]["error"]["message"] == "Notion API request failed (413): Payload Too Large"
    assert notion.changes() == {}
    made = notion.call("notion_append_block_children", block_id=HOME, children=children * 4)
    assert len(made["results"]) == 4
