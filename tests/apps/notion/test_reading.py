"""What the server makes of the API's answers: Markdown, a page as it is read, a schema in short, short lists."""

from __future__ import annotations

import json
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.notion.conftest import (
    BO,
    BOT,
    DATABASE,
    FIRST,
    HOME,
    LINES,
    ME,
    NOTES,
    SECOND,
    SOURCE,
    THIRD,
    Refusal,
)

HINT = "If raw Notion API objects are required, call the same tool with response_mode: 'full'."
WEB = "https://two.example/a"
MADE = "2026-01-05T08:00:00.000Z"
NOW = "2026-03-09T01:00:00.000Z"


def text(words: str, link: str | None = None, **styles: Any) -> dict[str, Any]:
    to = {} if link is None else {"link": {"url": link}}
    return {"type": "text", "text": {"content": words, **to}, **({"annotations": styles} if styles else {})}


def block(kind: str, **content: Any) -> dict[str, Any]:
    return {"object": "block", "type": kind, kind: content}


def words(*items: dict[str, Any]) -> dict[str, Any]:
    return {"rich_text": [*items]}


X = words(text("x"))
FILE: dict[str, Any] = {"type": "external", "external": {"url": WEB}}
NAMED: dict[str, Any] = {**FILE, "caption": [text("c [1]")]}
# A block, and the Markdown that the server's code writes for it.
MARKDOWN: list[tuple[dict[str, Any], str]] = [
    (block("paragraph", **X), "x"),
    (block("heading_1", **X), "# x"),
    (block("heading_2", **X), "## x"),
    (block("heading_3", **X), "### x"),
    (block("heading_2", **X, is_toggleable=True), "<details><summary>## x</summary>"),
    (block("bulleted_list_item", **X), "- x"),
    (block("numbered_list_item", **X), "1. x"),
    (block("to_do", **X), "- [ ] x"),
    (block("to_do", **X, checked=True), "- [x] x"),
    (block("toggle", **X), "<details>\n<summary>x</summary>\n\n</details>"),
    (block("toggle", rich_text=[]), "<details>\n<summary>Toggle</summary>\n\n</details>"),
    (block("quote", **words(text("a\nb"))), "> a\n> b"),
    (block("quote", rich_text=[]), ">"),
    (block("callout", **X), "> 💡 x"),
    (block("callout", **X, icon={"external": {"url": WEB}}), f"> {WEB} x"),
    (block("code", **words(text("a*b")), language="python"), "```python\na*b\n```"),
    (block("code", **words(text("```")), language="go", caption=[text("c")]), "````go\n```\n````\n\nCaption: c"),
    (block("equation", expression="x^2"), "$$\nx^2\n$$"),
    (block("divider"), "---"),
    (block("image", **FILE), f"![Image]({WEB})"),
    (block("image", **NAMED), f"![c \\\\[1\\\\]]({WEB})"),
    (block("video", **FILE), f"[Video]({WEB})"),
    (block("audio", **FILE), f"[Audio]({WEB})"),
    (block("pdf", **FILE), f"[PDF]({WEB})"),
    (block("file", **FILE, name="list"), f"[list]({WEB})"),
    (block("bookmark", url=WEB), f"[{WEB}]({WEB})"),
    (block("embed", url=WEB, caption=[text("c [1]", bold=True)]), f"[c \\[1\\]]({WEB})"),
    (block("link_to_page", page_id=NOTES), f"Link to page: `{NOTES}`"),
    (block("link_to_page", database_id=DATABASE), f"Link to database: `{DATABASE}`"),
    (block("table_of_contents"), "[Table of contents block]"),
    (block("breadcrumb"), "[Breadcrumb block]"),
    (block("synced_block", synced_from=None), "Original synced block"),
    (block("synced_block", synced_from={"block_id": LINES[0]}), f"Synced block from `{LINES[0]}`"),
    (block("template", **X), "Template: x"),
    (block("paragraph", **words(text("b", bold=True), text("i", italic=True))), "**b***i*"),
    (block("paragraph", **words(text("s", strikethrough=True), text("u", underline=True))), "~~s~~<u>u</u>"),
    (block("paragraph", **words(text("a", bold=True, italic=True, strikethrough=True))), "~~***a***~~"),
    (block("paragraph", **words(text("c*", code=True), text("`", code=True))), "`c*``` ` ``"),
    (block("paragraph", **words(text("*_~[]\\"))), "\\*\\_\\~\\[\\]\\\\"),
    (block("paragraph", **words(text("r", color="red"))), '<span data-notion-color="red">r</span>'),
    (block("paragraph", **words(text("l", WEB), text("m", WEB, color="red"))), f"[l]({WEB})[m]({WEB})"),
    (block("paragraph", **words({"type": "equation", "equation": {"expression": "x^2"}})), "$x^2$"),
    (block("heading_4", **X), "x"),
]


@pytest.mark.fact("read-page")
@pytest.mark.parametrize(("sent", "written"), MARKDOWN)
def test_a_block_is_written_in_markdown(notion: LocalApp, sent: dict[str, Any], written: str) -> None:
    made = notion.call("notion_append_block_children", block_id=NOTES, children=[sent])["results"][0]

    content = notion.call("notion_read_page", page_id=NOTES, content_format="markdown")["content"]

    head = f'<!-- notion:block id="{made["id"]}" type="{sent["type"]}" -->'
    assert content["outline"][0]["markdown"] == written
    assert content["markdown"] == f"{head}\n\n{written}"


@pytest.mark.fact("read-page")
def test_tables_and_lists_are_written_with_what_is_below_them(notion: LocalApp) -> None:
    row = block("table_row", cells=[[text("a|b")], [text("c\nd")]])
    table = block("table", table_width=2, has_column_header=True, has_row_header=True, children=[row])
    inner = block("bulleted_list_item", **words(text("two")), children=[block("to_do", **words(text("three\nfour")))])
    outer = block("bulleted_list_item", **words(text("one")), children=[inner])
    columns = block("column_list", children=[block("column", children=[block("divider")])] * 2)
    notion.call("notion_append_block_children", block_id=NOTES, children=[table, outer, columns])

    content = notion.call("notion_read_page", page_id=NOTES, content_format="markdown", max_depth=5)["content"]

    ids = [*_ids(content["outline"])]
    kinds = ["table", "table_row", "bulleted_list_item", "bulleted_list_item", "to_do", "column_list"]
    kinds += ["column", "divider", "column", "divider"]
    written = [
        "Table block: 2 columns\n- Has column header\n- Has row header",
        "| a\\|b | c d |",
        "- one",
        # Each part is trimmed, so that only its further lines show how deep it stands.
        "- two",
        "- [ ] three\n    four",
        "[Column list block]",
        "[Column block]",
        "---",
        "[Column block]",
        "---",
    ]
    parts = zip(ids, kinds, written, strict=True)
    assert content["markdown"] == "\n\n".join(
        f'<!-- notion:block id="{key}" type="{kind}" -->\n\n{words}' for key, kind, words in parts
    )
    assert (content["block_count"], content["max_depth"], content["truncated"]) == (10, 5, False)


def _ids(nodes: list[dict[str, Any]]) -> Any:
    for node in nodes:
        yield node["id"]
        yield from _ids(node.get("children", []))


@pytest.mark.fact("read-page")
def test_a_page_that_was_read_is_shown_whole(notion: LocalApp) -> None:
    def node(key: str, kind: str, words: str, markdown: str, **more: Any) -> dict[str, Any]:
        held = {"has_children": bool(more), "in_trash": False, **more}
        return {"id": key, "type": kind, "text": words, "markdown": markdown, **held}

    inner = node(LINES[3], "paragraph", "inside", "inside")
    summary = "<details>\n<summary>More</summary>\n\n</details>"
    assert notion.call("notion_read_page", page_id=HOME) == {
        "object": "notion_page_read",
        "page": {
            "id": HOME,
            "title": "Home page",
            "url": f"https://www.notion.so/Home-page-{HOME.replace('-', '')}",
            "parent": {"type": "workspace", "workspace": True},
            "last_edited_time": MADE,
            "in_trash": False,
        },
        "content": {
            "format": "outline",
            "max_depth": 2,
            "block_count": 7,
            "truncated": False,
            "outline": [
                node(LINES[0], "heading_1", "Plan", "# Plan"),
                node(LINES[1], "to_do", "Call Bo", "- [ ] Call Bo"),
                node(LINES[2], "toggle", "More", summary, children=[inner]),
                node(LINES[4], "divider", "", "---"),
                node(DATABASE, "child_database", "Bills", f"Child database: **Bills** (id: `{DATABASE}`)"),
                node(NOTES, "child_page", "Notes", f"Child page: **Notes** (id: `{NOTES}`)"),
            ],
        },
        "editing_hint": {
            "append_tool": "notion_append_content",
            "parent_block_id": HOME,
            "note": "Use block IDs from content.outline when inserting after a specific block.",
        },
    }


@pytest.mark.fact("read-page")
@pytest.mark.parametrize(
    ("limits", "count", "omitted", "is_truncated"),
    [
        ({"max_depth": 1}, 6, "max_depth", True),
        ({"max_blocks": 3}, 3, "max_blocks", True),
        ({"max_blocks": 4}, 4, None, True),
        ({"max_blocks": 7}, 7, None, False),
        ({"max_depth": 0, "max_blocks": 0}, 7, None, False),
        ({"max_depth": 1.5, "max_blocks": -2}, 7, None, False),
        ({"max_depth": 1, "max_blocks": 3}, 3, "max_depth", True),
    ],
)
def test_a_page_is_read_no_further_than_is_said(
    notion: LocalApp, limits: dict[str, Any], count: int, omitted: str | None, is_truncated: bool
) -> None:
    content = notion.call("notion_read_page", page_id=HOME, content_format="markdown", **limits)["content"]

    toggle = content["outline"][2]
    assert (content["block_count"], content["truncated"]) == (count, is_truncated)
    assert toggle.get("children_omitted") == omitted
    assert ("children" in toggle) is (omitted is None)
    told = [line for line in content["markdown"].splitlines() if line.startswith("> Children")]
    assert told == ([] if omitted is None else [f"> Children omitted because {omitted} was reached."])


def every_type(notion: LocalApp) -> dict[str, Any]:
    """Give the data source a property of every other type, and the first page a value in each."""
    plain = ("rich_text", "url", "email", "phone_number", "files", "created_time", "created_by", "last_edited_by")
    schema: dict[str, Any] = {kind: {kind: {}} for kind in plain}
    schema["rel"] = {"relation": {"data_source_id": SOURCE, "single_property": {}}}
    notion.call("notion_update_data_source", data_source_id=SOURCE, properties=schema)
    notion.call(
        "notion_update_data_source",
        data_source_id=SOURCE,
        properties={
            "roll": {
                "rollup": {"relation_property_name": "rel", "rollup_property_name": "Price", "function": "sum"},
            }
        },
    )
    values: dict[str, Any] = {
        "rich_text": {"rich_text": [text("so", bold=True)]},
        "url": {"url": WEB},
        "email": {"email": "a@two.example"},
        "phone_number": {"phone_number": "123"},
        "files": {"files": [{"name": "list", **FILE}]},
        "rel": {"relation": [{"id": SECOND}]},
        "Tags": {"multi_select": [{"name": "one"}, {"name": "two"}]},
        "Kind": {"select": {"name": "A"}},
        "Who": {"people": [{"id": BO}]},
        "Due": {"date": {"start": "2026-03-09", "end": "2026-03-10"}},
    }
    notion.call("notion_update_page_properties", page_id=FIRST, properties=values)
    return values


@pytest.mark.fact("read-page")
def test_properties_are_told_in_short_with_a_page(notion: LocalApp) -> None:
    every_type(notion)

    read = notion.call("notion_read_page", page_id=FIRST, include_properties=True)
    shown = notion.call("notion_retrieve_page", page_id=FIRST)["properties"]

    assert {each["name"]: each["value"] for each in read["page"]["properties"]} == {
        "Name": "Rent",
        "State": "Open",
        "Kind": "A",
        "Tags": ["one", "two"],
        "Price": 900,
        "Due": "2026-03-09..2026-03-10",
        "Paid": False,
        "Who": None,
        "Double": None,
        "Edited": None,
        "No": None,
        "rich_text": "**so**",
        "url": WEB,
        "email": "a@two.example",
        "phone_number": "123",
        "files": None,
        "created_time": None,
        "created_by": None,
        "last_edited_by": None,
        "rel": None,
        "roll": None,
    }
    assert [(each["name"], each["id"], each["type"]) for each in read["page"]["properties"]] == [
        (name, each["id"], each["type"]) for name, each in shown.items()
    ]
    few = notion.call("notion_read_page", page_id=SECOND, include_properties=True)["page"]["properties"]
    told = {each["name"]: each["value"] for each in few}
    assert [told[name] for name in ("Due", "Kind", "Tags", "url", "rich_text")] == [
        *("2026-03-09T20:00:00.000+08:00", None, [], None, ""),
    ]


@pytest.mark.fact("recorded")
def test_a_schema_is_told_in_short(notion: LocalApp) -> None:
    relation = {"relation": {"data_source_id": SOURCE, "single_property": {}}}
    made = notion.call("notion_update_data_source", data_source_id=SOURCE, properties={"rel": relation})

    shown = notion.call("notion_inspect_data_source", data_source_id=SOURCE)

    listed = {each["name"]: each for each in shown.pop("properties")}
    assert shown == {
        "object": "notion_data_source_schema",
        "id": SOURCE,
        "title": "Bills",
        "parent_database_id": DATABASE,
        "property_count": 12,
        "create_item_hint": {
            "tool": "notion_create_data_source_item",
            "required_parent": {"data_source_id": SOURCE},
        },
    }
    assert listed["State"] == {"name": "State", "id": "s%3A1", "type": "status", "options": ["Open", "Done"]}
    assert listed["Tags"] == {"name": "Tags", "id": "t1", "type": "multi_select"}
    assert listed["rel"] == {
        "name": "rel",
        "id": made["properties"]["rel"]["id"],
        "type": "relation",
        "relation": {"database_id": DATABASE, "data_source_id": SOURCE},
    }
    assert list(listed) == [each["name"] for each in made["properties"].values()]
    notion.call("notion_update_data_source", data_source_id=SOURCE, title=[])
    assert notion.call("notion_inspect_data_source", data_source_id=SOURCE)["title"] == "Untitled data source"


# -- short lists ------------------------------------------------------------------------------------------------------


def short(kind: str, results: list[dict[str, Any]], cursor: str | None = None) -> dict[str, Any]:
    return {
        "object": "notion_compact_list",
        "source_object": "list",
        "source_type": kind,
        "result_count": len(results),
        "has_more": cursor is not None,
        "next_cursor": cursor,
        "response_mode": "compact",
        "results": results,
        "full_response_hint": HINT,
    }


@pytest.mark.fact("compact")
def test_blocks_come_short(notion: LocalApp) -> None:
    def shown(key: str, kind: str, words: str, *, has_children: bool = False) -> dict[str, Any]:
        where = {"has_children": has_children, "in_trash": False}
        return {"object": "block", "id": key, "type": kind, "text": words, **where}

    asked = {"block_id": HOME, "response_mode": "compact"}
    listed = [
        shown(LINES[0], "heading_1", "Plan"),
        shown(LINES[1], "to_do", "Call Bo"),
        shown(LINES[2], "toggle", "More", has_children=True),
        shown(LINES[4], "divider", ""),
        shown(DATABASE, "child_database", "Bills"),
        shown(NOTES, "child_page", "Notes"),
    ]
    assert notion.call("notion_retrieve_block_children", **asked) == short("block", listed)
    assert notion.call("notion_retrieve_block_children", **asked, page_size=2) == short("block", listed[:2], LINES[2])
    bookmark = block("bookmark", url=WEB)
    notion.call("notion_append_block_children", block_id=NOTES, children=[bookmark])
    (only,) = notion.call("notion_retrieve_block_children", block_id=NOTES, response_mode="compact")["results"]
    assert (only["type"], only["text"]) == ("bookmark", WEB)


@pytest.mark.fact("compact")
def test_users_comments_and_data_sources_come_short(notion: LocalApp) -> None:
    said = notion.call("notion_create_comment", parent={"page_id": HOME}, rich_text=[text("a"), text("b", bold=True)])

    users = notion.call("notion_list_all_users", response_mode="compact")
    comments = notion.call("notion_retrieve_comments", block_id=HOME, response_mode="compact")
    wanted = {"property": "object", "value": "data_source"}
    sources = notion.call("notion_search", filter=wanted, response_mode="compact")

    assert users == short(
        "user",
        [
            {"object": "user", "id": BO, "name": "Bo", "type": "person"},
            {"object": "user", "id": ME, "name": "Me", "type": "person"},
            {"object": "user", "id": BOT, "name": "Helper", "type": "bot"},
        ],
    )
    comment = {
        "object": "comment",
        "id": said["id"],
        "discussion_id": said["discussion_id"],
        "parent": {"type": "page_id", "page_id": HOME},
        "text": "ab",
        "created_time": NOW,
        "last_edited_time": NOW,
    }
    assert comments == short("comment", [comment])
    properties = [
        {"name": name, "id": key.replace(":", "%3A"), "type": kind}
        for key, name, kind in sorted(
            [
                *(("title", "Name", "title"), ("s:1", "State", "status"), ("k1", "Kind", "select")),
                *(("t1", "Tags", "multi_select"), ("n1", "Price", "number"), ("d1", "Due", "date")),
                *(("c1", "Paid", "checkbox"), ("p1", "Who", "people"), ("x1", "Double", "formula")),
                *(("e1", "Edited", "last_edited_time"), ("u1", "No", "unique_id")),
            ]
        )
    ]
    source = {
        "object": "data_source",
        "id": SOURCE,
        "title": "Bills",
        "url": f"https://www.notion.so/{DATABASE.replace('-', '')}",
        "parent_database_id": DATABASE,
        "property_count": 11,
        "properties": properties,
        "in_trash": False,
    }
    assert sources == short("page_or_data_source", [source])


@pytest.mark.fact("compact")
def test_pages_come_short_with_a_plain_value_of_every_type(notion: LocalApp) -> None:
    every_type(notion)

    asked = {"data_source_id": SOURCE, "response_mode": "compact"}
    listed = notion.call("notion_query_data_source", **asked)

    assert [each["id"] for each in listed["results"]] == [THIRD, SECOND, FIRST]
    assert listed == short("page_or_data_source", listed["results"])
    assert listed["results"][2] == {
        "object": "page",
        "id": FIRST,
        "title": "Rent",
        "url": f"https://www.notion.so/Rent-{FIRST.replace('-', '')}",
        "parent": {"type": "data_source_id", "data_source_id": SOURCE, "database_id": DATABASE},
        "last_edited_time": NOW,
        "in_trash": False,
        "properties": {
            "Name": "Rent",
            "State": "Open",
            "Kind": "A",
            "Tags": ["one", "two"],
            "Price": 900,
            "Paid": False,
            "Due": {"start": "2026-03-09", "end": "2026-03-10", "time_zone": None},
            "Who": [BO],
            "Double": {"type": "formula"},
            "Edited": NOW,
            "No": {"type": "unique_id"},
            "rich_text": "so",
            "url": WEB,
            "email": "a@two.example",
            "phone_number": "123",
            "files": ["list"],
            "created_time": MADE,
            "created_by": {"type": "created_by"},
            "last_edited_by": {"type": "last_edited_by"},
            "rel": [SECOND],
            "roll": {"type": "rollup"},
        },
    }
    empty = listed["results"][0]["properties"]
    assert [empty[name] for name in ("State", "Kind", "Tags", "Price", "Due", "url", "files", "rel")] == [
        *(None, None, [], None, None, None, [], []),
    ]
    notion.call("notion_update_page_properties", page_id=FIRST, properties={"Name": {"title": []}})
    assert notion.call("notion_query_data_source", **asked)["results"][2]["title"] == "Untitled page"


@pytest.mark.fact("compact")
@pytest.mark.parametrize(("count", "is_short"), [(10, False), (11, True)])
def test_a_list_of_more_than_ten_comes_short(notion: LocalApp, count: int, is_short: bool) -> None:
    notion.call("notion_append_block_children", block_id=NOTES, children=[block("divider")] * count)

    listed = notion.call("notion_retrieve_block_children", block_id=NOTES)

    assert listed["object"] == ("notion_compact_list" if is_short else "list")


@pytest.mark.fact("compact")
def test_a_list_of_more_than_twelve_thousand_signs_comes_short(notion: LocalApp) -> None:
    """Signs are counted as JavaScript does, without spaces between."""
    sent = [*[block("equation", expression="x" * 850)] * 8, block("equation", expression="x" * 1000)]
    notion.call("notion_append_block_children", block_id=NOTES, children=sent)
    whole = notion.call("notion_retrieve_block_children", block_id=NOTES, response_mode="full")
    missing = 12_000 - len(json.dumps(whole, separators=(",", ":"), ensure_ascii=False))
    last = whole["results"][-1]["id"]

    def listed(length: int) -> str:
        content = {"equation": {"expression": "x" * length}}
        notion.call("notion_update_block", block_id=last, block=content)
        return str(notion.call("notion_retrieve_block_children", block_id=NOTES)["object"])

    assert -1000 < missing < 0
    assert [listed(1000 + missing), listed(1001 + missing)] == ["list", "notion_compact_list"]


# -- what is found ----------------------------------------------------------------------------------------------------


@pytest.mark.fact("search")
def test_what_is_found_says_what_to_call_next(notion: LocalApp) -> None:
    found = notion.call("notion_find", query="bills notes")

    assert found == {
        "object": "notion_find_results",
        "query": "bills notes",
        "results": [
            {
                "object": "data_source",
                "id": SOURCE,
                "title": "Bills",
                "url": f"https://www.notion.so/{DATABASE.replace('-', '')}",
                "parent": {"type": "database_id", "database_id": DATABASE},
                "suggested_next_tool": "notion_inspect_data_source",
            },
            {
                "object": "page",
                "id": NOTES,
                "title": "Notes",
                "url": f"https://www.notion.so/Notes-{NOTES.replace('-', '')}",
                "parent": {"type": "page_id", "page_id": HOME},
                "suggested_next_tool": "notion_retrieve_page",
            },
        ],
        "next_cursor": None,
        "has_more": False,
    }
    assert "query" not in notion.call("notion_find", object_type="page")


@pytest.mark.fact("search")
def test_a_search_goes_page_by_page_in_either_direction(notion: LocalApp, refusal: Refusal) -> None:
    for minutes, key in enumerate((THIRD, HOME, FIRST, NOTES, SECOND)):
        notion.episode.db.update("pages", {"id": key}, edited_ms=1_770_000_000_000 + minutes * 60_000)

    def pages(**asked: Any) -> dict[str, Any]:
        wanted = {"property": "object", "value": "page"}
        listed: dict[str, Any] = notion.call("notion_search", filter=wanted, response_mode="full", **asked)
        return listed

    def ids(listed: dict[str, Any]) -> list[str]:
        return [each["id"] for each in listed["results"]]

    up = {"sort": {"timestamp": "last_edited_time", "direction": "ascending"}}
    assert ids(pages()) == [SECOND, NOTES, FIRST, HOME, THIRD]
    assert ids(pages(**up)) == [THIRD, HOME, FIRST, NOTES, SECOND]
    first = pages(page_size=2)
    assert (ids(first), first["next_cursor"], first["has_more"]) == ([SECOND, NOTES], FIRST, True)
    last = pages(page_size=3, start_cursor=FIRST)
    assert (ids(last), last["next_cursor"], last["has_more"]) == ([FIRST, HOME, THIRD], None, False)
    assert ids(pages(**up, start_cursor=FIRST)) == [FIRST, NOTES, SECOND]
    assert (last["object"], last["type"], last["page_or_data_source"]) == ("list", "page_or_data_source", {})
    assert refusal("notion_search", start_cursor=SECOND.replace("0c2", "0c9")) == (
        f"The start_cursor provided is invalid: {SECOND.replace('0c2', '0c9')}"
    )


@pytest.mark.fact("search")
def test_edits_of_one_minute_count_as_one_time(notion: LocalApp) -> None:
    """The API rounds the time of an edit to minutes, so what was made last comes first among those."""
    db = notion.episode.db
    for number, key in enumerate((HOME, NOTES)):
        db.update("pages", {"id": key}, edited_ms=1_770_000_000_000 + 30_000 * (1 - number), created_ms=1000 * number)

    found = notion.call("notion_search", query="home notes")["results"]

    assert [each["id"] for each in found] == [NOTES, HOME]


@pytest.mark.fact("search")
@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("BILL", ["Bills"]),
        ("book", ["Books"]),
        ("lamps", ["Lamp oil"]),
        ("hom", []),
        ("oil rent", ["Lamp oil", "Rent"]),
        (" ", ["Bills", "Books", "Home page", "Lamp oil", "Notes", "Rent"]),
        ("!", []),
    ],
)
def test_a_search_compares_whole_words(notion: LocalApp, query: str, titles: list[str]) -> None:
    found = notion.call("notion_find", query=query)["results"]

    assert sorted(each["title"] for each in found) == titles


@pytest.mark.fact("search")
def test_in_chinese_a_part_of_a_title_is_found(notion: LocalApp) -> None:
    notion.call("notion_update_page_properties", page_id=NOTES, properties={"title": {"title": [text("周五买面包")]}})

    def found(query: str) -> bool:
        return bool(notion.call("notion_find", query=query)["results"])

    assert [found(each) for each in ("面包", "买 茶", "包面", "五")] == [True, True, False, True]
