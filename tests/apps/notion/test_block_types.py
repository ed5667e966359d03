"""Every type of block: what is kept of what was sent, how Markdown shows it, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.notion.conftest import ABSENT, BOT, DATABASE, LINES, NOTES, Refusal, rich

NOW = "2026-03-09T01:00:00.000Z"
WEB = "https://two.example/a/list.txt"
HELPER = {"object": "user", "id": BOT}
SENT: dict[str, Any] = {"rich_text": [{"type": "text", "text": {"content": "x"}}]}
WORDS: dict[str, Any] = {"rich_text": rich("x")}
CAPTION: dict[str, Any] = {"caption": SENT["rich_text"]}
FILE: dict[str, Any] = {"type": "external", "external": {"url": WEB}}
ROW = {"object": "block", "type": "table_row", "table_row": {"cells": [SENT["rich_text"], []]}}
TEXT = {"object": "block", "type": "paragraph", "paragraph": SENT}


def plain(**more: Any) -> dict[str, Any]:
    """Return what is kept of words without a color."""
    return {**WORDS, **more, "color": "default"}


# Type, what is sent, and what the API's reference says a block of it then holds.
KEPT: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("paragraph", SENT, plain(icon=None)),
    (
        "paragraph",
        {**SENT, "color": "red_background", "icon": None},
        {**WORDS, "icon": None, "color": "red_background"},
    ),
    ("paragraph", {**SENT, "icon": {"emoji": "🍞"}}, plain(icon={"type": "emoji", "emoji": "🍞"})),
    ("heading_1", SENT, plain(is_toggleable=False)),
    ("heading_2", {**SENT, "is_toggleable": True, "color": "blue"}, {**WORDS, "is_toggleable": True, "color": "blue"}),
    ("heading_3", {**SENT, "is_toggleable": False}, plain(is_toggleable=False)),
    ("heading_4", SENT, plain(is_toggleable=False)),
    ("bulleted_list_item", SENT, plain()),
    ("numbered_list_item", {**SENT, "color": "gray"}, {**WORDS, "color": "gray"}),
    ("toggle", SENT, plain()),
    ("quote", SENT, plain()),
    ("to_do", SENT, plain(checked=False)),
    ("to_do", {**SENT, "checked": True, "color": "pink"}, {**WORDS, "checked": True, "color": "pink"}),
    ("callout", SENT, plain(icon={"type": "emoji", "emoji": "💡"})),
    ("callout", {**SENT, "icon": {"external": {"url": WEB}}}, plain(icon=FILE)),
    ("template", SENT, WORDS),
    ("code", {**SENT, "language": "python"}, {"caption": [], **WORDS, "language": "python"}),
    (
        "code",
        {**SENT, **CAPTION, "language": "plain text"},
        {"caption": rich("x"), **WORDS, "language": "plain text"},
    ),
    ("equation", {"expression": "e" * 1000}, {"expression": "e" * 1000}),
    ("divider", {}, {}),
    ("breadcrumb", {}, {}),
    ("table_of_contents", {}, {"color": "default"}),
    ("table_of_contents", {"color": "brown"}, {"color": "brown"}),
    ("bookmark", {"url": WEB, **CAPTION}, {"caption": rich("x"), "url": WEB}),
    ("embed", {"url": WEB}, {"caption": [], "url": WEB}),
    ("image", {**FILE, **CAPTION}, {"caption": rich("x"), **FILE}),
    ("video", {"external": {"url": WEB}}, {"caption": [], **FILE}),
    ("pdf", FILE, {"caption": [], **FILE}),
    ("audio", FILE, {"caption": [], **FILE}),
    ("file", FILE, {"caption": [], **FILE, "name": "list.txt"}),
    ("file", {**FILE, "name": "What to buy"}, {"caption": [], **FILE, "name": "What to buy"}),
    ("link_to_page", {"page_id": NOTES.replace("-", "")}, {"type": "page_id", "page_id": NOTES}),
    (
        "link_to_page",
        {"type": "database_id", "database_id": DATABASE},
        {"type": "database_id", "database_id": DATABASE},
    ),
    ("synced_block", {"synced_from": None}, {"synced_from": None}),
    (
        "synced_block",
        {"synced_from": {"type": "block_id", "block_id": LINES[0]}},
        {"synced_from": {"type": "block_id", "block_id": LINES[0]}},
    ),
]


def append(notion: LocalApp, *blocks: dict[str, Any], below: str = NOTES) -> list[dict[str, Any]]:
    listed = notion.call("notion_append_block_children", block_id=below, children=[*blocks])
    return list(listed["results"])


def block(kind: str, content: Any) -> dict[str, Any]:
    return {"object": "block", "type": kind, kind: content}


@pytest.mark.fact("append")
@pytest.mark.parametrize(("kind", "sent", "kept"), KEPT)
def test_a_block_holds_what_its_type_has(
    notion: LocalApp, kind: str, sent: dict[str, Any], kept: dict[str, Any]
) -> None:
    (made,) = append(notion, block(kind, sent))

    assert made == {
        "object": "block",
        "id": made["id"],
        "parent": {"type": "page_id", "page_id": NOTES},
        "created_time": NOW,
        "last_edited_time": NOW,
        "created_by": HELPER,
        "last_edited_by": HELPER,
        "has_children": False,
        "in_trash": False,
        "type": kind,
        kind: kept,
    }
    assert list(made[kind]) == list(kept)
    assert notion.call("notion_retrieve_block", block_id=made["id"])[kind] == kept


@pytest.mark.fact("append")
def test_a_table_and_columns_hold_what_is_below_them(notion: LocalApp) -> None:
    table = {"table_width": 2, "has_column_header": True, "children": [ROW, ROW]}
    columns = [block("column", {"children": [TEXT]}), block("column", {"width_ratio": 0.25, "children": [TEXT]})]
    made = append(notion, block("table", table), block("column_list", {"children": columns}))

    assert [each["has_children"] for each in made] == [True, True]
    assert made[0]["table"] == {"table_width": 2, "has_column_header": True, "has_row_header": False}
    assert made[1]["column_list"] == {}
    rows, listed = (
        notion.call("notion_retrieve_block_children", block_id=each["id"], response_mode="full")["results"]
        for each in made
    )
    assert [each["table_row"] for each in rows] == [{"cells": [rich("x"), []]}] * 2
    assert [each["column"] for each in listed] == [{}, {"width_ratio": 0.25}]
    assert {each["parent"]["block_id"] for each in rows} == {made[0]["id"]}
    more = append(notion, ROW, below=made[0]["id"])
    assert more[0]["table_row"] == {"cells": [rich("x"), []]}


COLORS = ("default", "gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red")
TEXT_COLORS = (*COLORS, "default_background", *(f"{color}_background" for color in COLORS[1:]))
_NAMED = [f'`"{color}"`' for color in TEXT_COLORS]
A_COLOR = f"{', '.join(_NAMED[:-1])}, or {_NAMED[-1]}"
LONG = [{"type": "text", "text": {"content": "x", "link": {"url": "https://two.example/" + "x" * 1981}}}]
UNDEFINED = "should be defined, instead was `undefined`."


def several(*places: str) -> str:
    return "\n".join(["Fix one:", *(f"body.children[0].{place} {UNDEFINED}" for place in places)])


def api_refusal(older: LocalApp, child: Any) -> str:
    """Return what the API says of a block; version 1 of the server sends it whatever comes."""
    with pytest.raises(VendorError) as refused:
        older.call("notion_append_block_children", block_id=NOTES, children=[child])
    assert older.changes() == {}
    return str(refused.value.message)


# Type, what is sent, and what is said of it after "body failed validation" and a point or a colon.
WRONG: list[tuple[str, Any, str]] = [
    ("paragraph", 5, "body.children[0].paragraph should be an object, instead was `5`."),
    ("paragraph", {}, f"body.children[0].paragraph.rich_text {UNDEFINED}"),
    ("paragraph", {"rich_text": "x"}, 'body.children[0].paragraph.rich_text should be an array, instead was `"x"`.'),
    ("paragraph", {"rich_text": [5]}, "body.children[0].paragraph.rich_text[0] should be an object, instead was `5`."),
    (
        "paragraph",
        {"rich_text": [{}]},
        several(*(f"paragraph.rich_text[0].{kind}" for kind in ("text", "mention", "equation"))),
    ),
    (
        "paragraph",
        {"rich_text": [{"type": "word", "text": {"content": "x"}}]},
        'body.children[0].paragraph.rich_text[0].type should be `"text"`, `"mention"`, or `"equation"`, instead was'
        ' `"word"`.',
    ),
    (
        "paragraph",
        {"rich_text": [{"type": "equation", "text": {"content": "x"}}]},
        f"body.children[0].paragraph.rich_text[0].equation {UNDEFINED}",
    ),
    ("paragraph", {"rich_text": [{"text": {}}]}, f"body.children[0].paragraph.rich_text[0].text.content {UNDEFINED}"),
    (
        "paragraph",
        {"rich_text": [{"equation": {"expression": "x" * 1001}}]},
        "body.children[0].paragraph.rich_text[0].equation.expression.length should be ≤ `1000`, instead was `1001`.",
    ),
    (
        "paragraph",
        {"rich_text": LONG},
        "body.children[0].paragraph.rich_text[0].text.link.url.length should be ≤ `2000`, instead was `2001`.",
    ),
    (
        "paragraph",
        {"rich_text": SENT["rich_text"] * 101},
        "body.children[0].paragraph.rich_text.length should be ≤ `100`, instead was `101`.",
    ),
    (
        "paragraph",
        {"rich_text": [{"text": {"content": "x"}, "annotations": {"bold": 1}}]},
        "body.children[0].paragraph.rich_text[0].annotations.bold should be a boolean, instead was `1`.",
    ),
    (
        "paragraph",
        {"rich_text": [{"text": {"content": "x"}, "annotations": {"big": True}}]},
        "body.children[0].paragraph.rich_text[0].annotations.big should be not present, instead was `true`.",
    ),
    (
        "paragraph",
        {"rich_text": [{"text": {"content": "x"}, "annotations": {"color": "pinkish"}}]},
        f'body.children[0].paragraph.rich_text[0].annotations.color should be {A_COLOR}, instead was `"pinkish"`.',
    ),
    (
        "paragraph",
        {"rich_text": [{"mention": {}}]},
        several(
            *(
                f"paragraph.rich_text[0].mention.{kind}"
                for kind in (*("user", "date", "page", "database", "template_mention", "link_preview", "custom_emoji"),)
            )
        ),
    ),
    (
        "paragraph",
        {**SENT, "color": "pinkish"},
        f'body.children[0].paragraph.color should be {A_COLOR}, instead was `"pinkish"`.',
    ),
    ("paragraph", {**SENT, "bold": True}, "body.children[0].paragraph.bold should be not present, instead was `true`."),
    ("to_do", {**SENT, "checked": "yes"}, 'body.children[0].to_do.checked should be a boolean, instead was `"yes"`.'),
    ("to_do", {**SENT, "icon": None}, "body.children[0].to_do.icon should be not present, instead was `null`."),
    (
        "heading_1",
        {**SENT, "is_toggleable": 1},
        "body.children[0].heading_1.is_toggleable should be a boolean, instead was `1`.",
    ),
    ("callout", {**SENT, "icon": {}}, several("callout.icon.emoji", "callout.icon.external")),
    (
        "callout",
        {**SENT, "icon": {"emoji": 5}},
        "body.children[0].callout.icon.emoji should be a string, instead was `5`.",
    ),
    ("callout", {**SENT, "icon": "🍞"}, 'body.children[0].callout.icon should be an object, instead was `"🍞"`.'),
    ("callout", {**SENT, "icon": {"external": {}}}, f"body.children[0].callout.icon.external.url {UNDEFINED}"),
    ("code", {**SENT}, f"body.children[0].code.language {UNDEFINED}"),
    (
        "code",
        {**SENT, "language": "python", "caption": 5},
        "body.children[0].code.caption should be an array, instead was `5`.",
    ),
    (
        "equation",
        {"expression": "x" * 1001},
        "body.children[0].equation.expression.length should be ≤ `1000`, instead was `1001`.",
    ),
    ("equation", {"expression": 5}, "body.children[0].equation.expression should be a string, instead was `5`."),
    ("bookmark", {}, f"body.children[0].bookmark.url {UNDEFINED}"),
    ("embed", {"url": "x" * 2001}, "body.children[0].embed.url.length should be ≤ `2000`, instead was `2001`."),
    ("video", {}, several("video.external", "video.file_upload")),
    ("video", {"external": 5}, "body.children[0].video.external should be an object, instead was `5`."),
    ("pdf", {"external": {}}, f"body.children[0].pdf.external.url {UNDEFINED}"),
    (
        "image",
        {"file_upload": {"id": "x"}},
        'body.children[0].image.file_upload.id should be a valid uuid, instead was `"x"`.',
    ),
    ("file", {**FILE, "name": 5}, "body.children[0].file.name should be a string, instead was `5`."),
    (
        "link_to_page",
        {},
        several("link_to_page.page_id", "link_to_page.database_id", "link_to_page.comment_id"),
    ),
    (
        "link_to_page",
        {"page_id": "x"},
        'body.children[0].link_to_page.page_id should be a valid uuid, instead was `"x"`.',
    ),
    (
        "table",
        {"table_width": 0, "children": [ROW]},
        "body.children[0].table.table_width should be ≥ `1`, instead was `0`.",
    ),
    ("table", {"children": [ROW]}, f"body.children[0].table.table_width {UNDEFINED}"),
    ("table", {"table_width": 2}, f"body.children[0].table.children {UNDEFINED}"),
    (
        "table",
        {"table_width": 2, "children": []},
        "body.children[0].table.children.length should be ≥ `1`, instead was `0`.",
    ),
    (
        "table",
        {"table_width": 2, "children": [TEXT]},
        f"body.children[0].table.children[0].table_row {UNDEFINED}",
    ),
    (
        "table",
        {"table_width": 2, "has_row_header": "no", "children": [ROW]},
        'body.children[0].table.has_row_header should be a boolean, instead was `"no"`.',
    ),
    (
        "column_list",
        {"children": [block("column", {"children": [TEXT]}), TEXT]},
        f"body.children[0].column_list.children[1].column {UNDEFINED}",
    ),
    (
        "column_list",
        {"children": [block("column", {"children": [TEXT], "width_ratio": "half"})] * 2},
        'body.children[0].column_list.children[0].column.width_ratio should be a number, instead was `"half"`.',
    ),
    ("column_list", {}, f"body.children[0].column_list.children {UNDEFINED}"),
    ("synced_block", {}, f"body.children[0].synced_block.synced_from {UNDEFINED}"),
    (
        "synced_block",
        {"synced_from": {"block_id": 5}},
        "body.children[0].synced_block.synced_from.block_id should be a valid uuid, instead was `5`.",
    ),
    ("divider", {"color": "red"}, 'body.children[0].divider.color should be not present, instead was `"red"`.'),
    (
        "template",
        {**SENT, "color": "red"},
        'body.children[0].template.color should be not present, instead was `"red"`.',
    ),
    (
        "toggle",
        {**SENT, "children": [TEXT] * 101},
        "body.children[0].toggle.children.length should be ≤ `100`, instead was `101`.",
    ),
    ("toggle", {**SENT, "children": {}}, "body.children[0].toggle.children should be an array, instead was `{}`."),
]


@pytest.mark.fact("append-limits")
@pytest.mark.parametrize(("kind", "sent", "why"), WRONG)
def test_a_block_that_cannot_be_made_is_told_where(older: LocalApp, kind: str, sent: Any, why: str) -> None:
    said = api_refusal(older, block(kind, sent))

    assert said == f"body failed validation{'.' if why.startswith('Fix one') else ':'} {why}"


@pytest.mark.fact("append-limits")
@pytest.mark.parametrize(
    ("child", "why"),
    [
        (5, "body failed validation: body.children[0] should be an object, instead was `5`."),
        (
            {**TEXT, "type": "quote"},
            'body failed validation: body.children[0].type should be `"paragraph"`, instead was `"quote"`.',
        ),
        (
            {**TEXT, "object": "page"},
            'body failed validation: body.children[0].object should be `"block"`, instead was `"page"`.',
        ),
        (
            {**TEXT, "id": "x"},
            'body failed validation: body.children[0].id should be not present, instead was `"x"`.',
        ),
        (block("image", {"file_upload": {"id": ABSENT}}), f"Could not find file_upload with ID: {ABSENT}."),
        (block("heading_1", {**SENT, "children": [TEXT]}), "Block does not support children."),
        (
            block("table", {"table_width": 3, "children": [ROW]}),
            "Number of cells in table row must match the table width of the parent table",
        ),
        (
            block("image", {"external": {"url": "https://two example"}}),
            "Content creation Failed. Fix the following: \nInvalid image url.",
        ),
    ],
)
def test_a_block_that_is_wrong_as_a_whole_is_told_so(older: LocalApp, child: Any, why: str) -> None:
    assert api_refusal(older, child) == why


@pytest.mark.fact("append-limits")
def test_a_request_holds_a_hundred_children_a_block_and_a_thousand_in_all(notion: LocalApp, refusal: Refusal) -> None:
    full = block("toggle", {**SENT, "children": [TEXT] * 100})
    half = block("toggle", {**SENT, "children": [TEXT] * 89})

    assert refusal("notion_append_block_children", block_id=NOTES, children=[full] * 9 + [half] * 2) == (
        "body failed validation: body.children should have at most 1000 blocks in all."
    )
    # 9 with 101 blocks each, and 91.
    assert len(append(notion, *[full] * 9, block("toggle", {**SENT, "children": [TEXT] * 90}))) == 10


@pytest.mark.fact("append")
def test_rows_and_columns_go_below_what_takes_them(notion: LocalApp, refusal: Refusal) -> None:
    table, columns, heading = append(
        notion,
        block("table", {"table_width": 2, "children": [ROW]}),
        block("column_list", {"children": [block("column", {"children": [TEXT]})] * 2}),
        block("heading_2", {**SENT, "is_toggleable": True}),
    )

    def refused(below: dict[str, Any], child: dict[str, Any]) -> str:
        return refusal("notion_append_block_children", block_id=below["id"], children=[child])

    assert refused(table, TEXT) == refused(columns, TEXT) == "Block does not support children."
    assert refused(table, block("table_row", {"cells": [[]]})) == (
        "Number of cells in table row must match the table width of the parent table"
    )
    assert append(notion, TEXT, below=heading["id"])[0]["parent"] == {"type": "block_id", "block_id": heading["id"]}
    assert notion.call("notion_retrieve_block", block_id=heading["id"])["has_children"] is True


# -- rich text --------------------------------------------------------------------------------------------------------


STYLES = ("bold", "italic", "strikethrough", "underline", "code")


@pytest.mark.fact("append")
def test_rich_text_comes_back_with_every_style_and_what_it_leads_to(older: LocalApp) -> None:
    sent: list[dict[str, Any]] = [
        {"text": {"content": "a", "link": {"url": "https://two.example"}}, "annotations": {"bold": True}},
        {"type": "text", "text": {"content": "b", "link": None}, "annotations": {"color": "red", "code": True}},
        {"type": "text", "text": {"content": ""}},
        {"equation": {"expression": "x^2"}, "annotations": {"italic": True, "underline": True}},
        {"mention": {"page": {"id": NOTES.replace("-", "")}}, "annotations": {"strikethrough": True}},
        {"mention": {"database": {"id": DATABASE}}},
        {"mention": {"date": {"start": "2026-03-09", "end": "2026-03-10"}}},
        {"mention": {"date": {"start": "2026-03-09"}}},
        {"mention": {"template_mention": {"type": "template_mention_user", "template_mention_user": "me"}}},
        {"mention": {"link_preview": {"url": "https://two.example/p"}}},
    ]
    (made,) = append(older, block("paragraph", {"rich_text": sent}))

    def item(what: dict[str, Any], words: str, href: str | None = None, **styles: Any) -> dict[str, Any]:
        kept = {**dict.fromkeys(STYLES, False), "color": "default", **styles}
        return {**what, "annotations": kept, "plain_text": words, "href": href}

    def text(words: str, url: str | None) -> dict[str, Any]:
        return {"type": "text", "text": {"content": words, "link": url and {"url": url}}}

    def mention(kind: str, what: dict[str, Any]) -> dict[str, Any]:
        return {"type": "mention", "mention": {"type": kind, kind: what}}

    def days(start: str, end: str | None) -> dict[str, Any]:
        return {"start": start, "end": end, "time_zone": None}

    def address(of: str) -> str:
        return f"https://www.notion.so/{of.replace('-', '')}"

    user = {"type": "template_mention_user", "template_mention_user": "me"}
    assert made["paragraph"]["rich_text"] == [
        item(text("a", "https://two.example"), "a", "https://two.example", bold=True),
        item(text("b", None), "b", code=True, color="red"),
        item({"type": "equation", "equation": {"expression": "x^2"}}, "x^2", italic=True, underline=True),
        item(mention("page", {"id": NOTES}), "Notes", address(NOTES), strikethrough=True),
        item(mention("database", {"id": DATABASE}), "Bills", address(DATABASE)),
        item(mention("date", days("2026-03-09", "2026-03-10")), "2026-03-09 → 2026-03-10"),
        item(mention("date", days("2026-03-09", None)), "2026-03-09"),
        item(mention("template_mention", user), "@me"),
        item(mention("link_preview", {"url": "https://two.example/p"}), "https://two.example/p"),
    ]


# -- changes ----------------------------------------------------------------------------------------------------------


@pytest.mark.fact("update-block")
@pytest.mark.parametrize(
    ("made", "change", "kept"),
    [
        (block("code", {**SENT, "language": "python"}), {"language": "go"}, {"caption": [], **WORDS, "language": "go"}),
        (block("callout", SENT), {"icon": {"emoji": "🍞"}}, plain(icon={"type": "emoji", "emoji": "🍞"})),
        (block("paragraph", SENT), {"color": "red"}, {**WORDS, "icon": None, "color": "red"}),
        (
            block("image", FILE),
            {"external": {"url": "https://two.example/b"}},
            {"caption": [], "type": "external", "external": {"url": "https://two.example/b"}},
        ),
        (block("file", FILE), {"name": "n", **CAPTION}, {"caption": rich("x"), **FILE, "name": "n"}),
        (
            block("table", {"table_width": 2, "children": [ROW]}),
            {"has_row_header": True},
            {"table_width": 2, "has_column_header": False, "has_row_header": True},
        ),
        (
            block("bookmark", {"url": WEB}),
            {"url": "https://two.example"},
            {"caption": [], "url": "https://two.example"},
        ),
    ],
)
def test_a_change_leaves_the_rest_of_a_block_as_it_was(
    notion: LocalApp, made: dict[str, Any], change: dict[str, Any], kept: dict[str, Any]
) -> None:
    (stored,) = append(notion, made)

    changed = notion.call("notion_update_block", block_id=stored["id"], block={made["type"]: change})

    assert changed[made["type"]] == kept


@pytest.mark.fact("update-block")
def test_a_change_that_is_none_is_told_why(notion: LocalApp, refusal: Refusal) -> None:
    (table,) = append(notion, block("table", {"table_width": 2, "children": [ROW]}))

    def refused(block_id: str, change: Any) -> str:
        return refusal("notion_update_block", block_id=block_id, block=change)

    assert refused(table["id"], {"table": {"table_width": 3}}) == (
        "body failed validation: body.table.table_width should be not present, instead was `3`."
    )
    assert refused(LINES[2], {"toggle": {"children": [TEXT]}}).startswith(
        "body failed validation: body.toggle.children should be not present, instead was `["
    )
    assert refused(LINES[1], {"to_do": {"checked": 1}}) == (
        "body failed validation: body.to_do.checked should be a boolean, instead was `1`."
    )
    assert refused(LINES[1], {"nothing": {}}) == (
        "body failed validation. Fix one:\nbody.to_do should be defined, instead was `undefined`.\n"
        "body.nothing should be not present, instead was `{}`."
    )
    assert refused(LINES[1], {}) == "body failed validation: body.to_do should be defined, instead was `undefined`."
    assert refused(LINES[1], {"type": "quote", "to_do": {}}) == (
        'body failed validation: body.type should be `"to_do"`, instead was `"quote"`.'
    )
    assert refused(LINES[1], {"to_do": {}, "quote": {}}) == (
        "body failed validation: body.quote should be not present, instead was `{}`."
    )
    assert refused(LINES[1], {"archived": True}) == (
        "body failed validation: body.archived should be not present, instead was `true`."
    )
    assert refused(LINES[1], {"in_trash": "yes"}) == (
        'body failed validation: body.in_trash should be a boolean, instead was `"yes"`.'
    )
    assert refused(NOTES, {"child_page": {"title": "x"}}) == (
        "Updating child_page blocks is not supported. Use the update page endpoint instead."
    )
    assert refused("", {"to_do": {}}) == "Missing required arguments: block_id and block"
