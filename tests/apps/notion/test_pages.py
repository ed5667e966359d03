"""Pages, their properties, users, search and comments."""

from __future__ import annotations

import json
from typing import Any

import pytest

from farm import content
from farm.testing import LocalApp
from tests.apps.notion.conftest import (
    ABSENT,
    BO,
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
    Refusal,
)


def text(words: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": {"content": words}}]


@pytest.mark.fact("envelope")
def test_text_and_structured_content_say_the_same(notion: LocalApp) -> None:
    found = notion.result("notion_retrieve_user", user_id=ME)
    refused = notion.result("notion_retrieve_page", page_id=ABSENT)

    assert "isError" not in found
    assert found["content"][0]["text"].startswith('{\n  "object": "user",')
    assert found["structuredContent"]["person"] == {"email": "me@two.example", "email_verified": True}
    assert refused["isError"] is True
    assert refused["structuredContent"]["error"]["message"].startswith(
        "Notion API request failed (404 object_not_found): Could not find page with ID"
    )


@pytest.mark.fact("page")
def test_a_page_has_its_members_in_this_order(notion: LocalApp) -> None:
    page = notion.call("notion_retrieve_page", page_id=FIRST)

    assert list(page) == [
        *(
            "object",
            "id",
            "created_time",
            "last_edited_time",
            "created_by",
            "last_edited_by",
            "cover",
            "icon",
            "parent",
        ),
        *("in_trash", "is_archived", "is_locked", "properties", "url", "public_url", "request_id"),
    ]
    assert page["parent"] == {"type": "data_source_id", "data_source_id": SOURCE, "database_id": DATABASE}
    assert page["url"] == f"https://www.notion.so/Rent-{FIRST.replace('-', '')}"
    assert [each["id"] for each in page["properties"].values()] == sorted(
        each["id"] for each in page["properties"].values()
    )


@pytest.mark.fact("times")
def test_times_are_rounded_but_for_databases(notion: LocalApp) -> None:
    assert notion.call("notion_retrieve_page", page_id=HOME)["created_time"] == "2026-01-05T08:00:00.000Z"
    database = notion.call("notion_retrieve_database", database_id=DATABASE)
    assert database["created_time"] == "2026-01-05T08:00:00.556+00:00"


@pytest.mark.fact("absent")
def test_what_is_not_shared_is_not_found(refusal: Refusal) -> None:
    for page_id in (ABSENT, SECRET):
        assert refusal("notion_retrieve_page", page_id=page_id) == (
            f"Could not find page with ID: {page_id}. Make sure the relevant pages and databases are shared with your "
            'integration "Helper".'
        )
    assert "is a database, not a page" in refusal("notion_retrieve_page", page_id=DATABASE)


@pytest.mark.fact("read-page")
def test_a_page_is_read_with_its_blocks_and_says_where_it_stopped(notion: LocalApp) -> None:
    whole = notion.call("notion_read_page", page_id=HOME, content_format="markdown")
    flat = notion.call("notion_read_page", page_id=HOME, max_depth=1)
    few = notion.call("notion_read_page", page_id=HOME, max_blocks=2)

    assert (whole["content"]["block_count"], whole["content"]["truncated"]) == (7, False)
    assert whole["content"]["markdown"].startswith(
        f'<!-- notion:block id="{LINES[0]}" type="heading_1" -->\n\n# Plan\n\n'
        f'<!-- notion:block id="{LINES[1]}" type="to_do" -->\n\n- [ ] Call Bo'
    )
    assert flat["content"]["outline"][2]["children_omitted"] == "max_depth"
    assert (few["content"]["block_count"], few["content"]["truncated"]) == (2, True)


@pytest.mark.fact("values")
def test_values_are_written_and_shown_by_their_type(notion: LocalApp) -> None:
    written = {
        "Name": {"title": text("New name")},
        "State": {"status": {"name": "Done"}},
        "Kind": {"select": {"name": "B"}},
        "Tags": {"multi_select": [{"name": "x"}, {"name": "y"}]},
        "Price": {"number": 5.0},
        "Due": {"date": {"start": "2026-03-10T10:00:00Z"}},
        "Paid": {"checkbox": True},
        "Who": {"people": [{"id": BO}]},
    }
    shown = notion.call("notion_update_page_properties", page_id=FIRST, properties=written)["properties"]

    assert shown["Name"]["title"][0]["plain_text"] == "New name"
    assert shown["State"]["status"] == {"id": "oDone", "name": "Done", "color": "red"}
    assert (shown["Kind"]["select"]["name"], [each["name"] for each in shown["Tags"]["multi_select"]]) == (
        "B",
        ["x", "y"],
    )
    assert (shown["Price"]["number"], shown["Paid"]["checkbox"]) == (5, True)
    assert shown["Due"]["date"] == {"start": "2026-03-10T10:00:00.000+00:00", "end": None, "time_zone": None}
    assert shown["Who"]["people"][0]["person"] == {"email": "bo@two.example", "email_verified": True}
    options = notion.call("notion_inspect_data_source", data_source_id=SOURCE)["properties"]
    assert next(each for each in options if each["name"] == "Kind")["options"] == ["A", "B"]


@pytest.mark.fact("values")
def test_what_is_empty_is_shown_as_nothing(notion: LocalApp) -> None:
    notion.call(
        "notion_update_page_properties", page_id=FIRST, properties={"Price": {"number": None}, "Due": {"date": None}}
    )

    shown = notion.call("notion_retrieve_page", page_id=FIRST)["properties"]
    assert [shown[name][shown[name]["type"]] for name in ("Price", "Due", "Paid", "Who", "Tags")] == [
        None,
        None,
        False,
        [],
        [],
    ]


@pytest.mark.fact("wrong-values")
def test_wrong_values_are_told_together(refusal: Refusal) -> None:
    wrong = {"Price": {"checkbox": True}, "Nope": {"number": 1}, "Due": {"url": "https://two.example"}}

    assert refusal("notion_update_page_properties", page_id=FIRST, properties=wrong) == (
        "Price is expected to be number. Nope is not a property that exists. Due is expected to be date."
    )


@pytest.mark.fact("status")
def test_a_status_takes_no_new_option(refusal: Refusal) -> None:
    said = refusal("notion_update_page_properties", page_id=FIRST, properties={"State": {"status": {"name": "Later"}}})
    assert said.startswith("Invalid status option.")


@pytest.mark.fact("read-only")
def test_a_formula_is_reckoned_and_not_written(notion: LocalApp, refusal: Refusal) -> None:
    written = {"Double": {"formula": {"number": 1}}}
    assert refusal("notion_update_page_properties", page_id=FIRST, properties=written).startswith(
        "body failed validation. Fix one:\nbody.properties.Double.title should be defined, instead was `undefined`."
    )

    notion.call("notion_update_page_properties", page_id=FIRST, properties={"Price": {"number": 7}})
    shown = notion.call("notion_retrieve_page", page_id=FIRST)["properties"]
    assert shown["Double"]["formula"] == {"type": "number", "number": 14}
    assert shown["No"]["unique_id"] == {"prefix": "T", "number": 1}


@pytest.mark.fact("read-only")
@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("1" + "+1" * 2_000, {"type": "string", "string": None}),
        ("-" * 2_000 + "1", {"type": "string", "string": None}),
        ("round(1, 99999999)", {"type": "string", "string": None}),
        ('toNumber("' + "9" * 400 + '")', {"type": "number", "number": None}),
        ("9" * 5_000, {"type": "number", "number": None}),
        ("2 ^ 10 + round(1.26, 1)", {"type": "number", "number": 1025.3}),
    ],
)
def test_a_formula_of_any_length_comes_to_something(notion: LocalApp, expression: str, shown: Any) -> None:
    config = json.dumps({"expression": expression})
    notion.episode.db.execute("UPDATE properties SET config = ? WHERE type = 'formula'", config)

    assert notion.call("notion_retrieve_page", page_id=FIRST)["properties"]["Double"]["formula"] == shown


@pytest.mark.fact("read-only")
@pytest.mark.parametrize("number", [float("inf"), 10**400])
def test_a_number_beyond_all_is_none(notion: LocalApp, number: float) -> None:
    notion.call("notion_update_page_properties", page_id=FIRST, properties={"Price": {"number": number}})

    assert notion.call("notion_retrieve_page", page_id=FIRST)["properties"]["Price"]["number"] is None


@pytest.mark.fact("search")
def test_any_word_of_the_query_may_be_in_the_title(notion: LocalApp) -> None:
    def titles(**arguments: Any) -> list[str]:
        return [each["title"] for each in notion.call("notion_find", **arguments)["results"]]

    assert titles(query="my homes and bill") == ["Bills", "Home page"]
    assert titles(query="secret") == []
    assert titles(query=HOME) == []
    notion.call("notion_append_content", block_id=NOTES, items=[{"type": "divider"}])
    assert titles(query="notes home")[0] == "Notes"
    assert len(titles(object_type="page")) == 5


@pytest.mark.fact("comments")
def test_a_page_has_one_discussion(notion: LocalApp, refusal: Refusal) -> None:
    first = notion.call("notion_create_comment", parent={"page_id": HOME}, rich_text=text("one"))
    second = notion.call("notion_create_comment", parent={"page_id": HOME}, rich_text=text("two"))
    reply = notion.call("notion_create_comment", discussion_id=first["discussion_id"], rich_text=text("three"))

    assert first["discussion_id"] == second["discussion_id"] == reply["discussion_id"]
    assert reply["parent"] == {"type": "page_id", "page_id": HOME}
    assert reply["display_name"] == {"type": "integration", "resolved_name": "Helper"}
    said = notion.call("notion_retrieve_comments", block_id=HOME)["results"]
    assert [each["rich_text"][0]["plain_text"] for each in said] == ["one", "two", "three"]
    assert refusal("notion_create_comment", rich_text=text("x")) == (
        "Either parent.page_id or discussion_id must be provided"
    )
    assert "should be not present" in refusal(
        "notion_create_comment", parent={"page_id": HOME}, discussion_id=first["discussion_id"], rich_text=text("x")
    )


@pytest.mark.fact("comments")
def test_resolved_comments_are_left_out(notion: LocalApp) -> None:
    notion.call("notion_create_comment", parent={"page_id": HOME}, rich_text=text("one"))
    notion.episode.db.execute("UPDATE comments SET is_resolved = 1")

    assert notion.call("notion_retrieve_comments", block_id=HOME)["results"] == []


@pytest.mark.fact("users")
def test_people_come_before_integrations(notion: LocalApp, refusal: Refusal) -> None:
    listed = notion.call("notion_list_all_users")["results"]

    assert [each["name"] for each in listed] == ["Bo", "Me", "Helper"]
    assert listed[-1]["bot"]["workspace_name"] == "Two"
    assert notion.call("notion_retrieve_bot_user")["id"] == BOT
    assert refusal("notion_retrieve_user", user_id=ABSENT).startswith(f"Could not find user with ID: {ABSENT}.")


@pytest.mark.fact("simple-values")
def test_simple_values_are_checked_against_the_schema(notion: LocalApp, refusal: Refusal) -> None:
    def refused(**values: Any) -> str:
        return refusal("notion_create_data_source_item_from_values", data_source_id=SOURCE, values=values)

    assert refused(State="open") == (
        "Property 'State' does not have option 'open'. Valid options: Open, Done. Did you mean 'Open'? Use "
        "notion_inspect_data_source to confirm current options."
    )
    assert refused(Due=5) == "Property 'Due' must be an ISO date string or { start, end?, time_zone? }."
    assert refused(Nope=1).startswith("Unknown property 'Nope'.")
    assert "unsupported type 'formula' for simple value creation" in refused(Double=1)

    made = notion.call(
        "notion_create_data_source_item_from_values",
        data_source_id=SOURCE,
        values={"Name": "Tea", "State": "Open", "Tags": "new", "Price": 3, "Who": ME, "Due": {"start": "2026-03-12"}},
    )
    assert (made["properties"]["No"]["unique_id"]["number"], made["created_by"]["id"]) == (4, BOT)
    assert made["properties"]["Tags"]["multi_select"][0]["name"] == "new"
    assert notion.call("notion_query_data_source", data_source_id=SOURCE)["results"][0]["id"] == made["id"]


@pytest.mark.fact("append")
def test_an_edit_leaves_other_pages_alone(notion: LocalApp) -> None:
    notion.call("notion_update_page_properties", page_id=SECOND, properties={"Price": {"number": 1}})

    assert {change["key"]["id"] for change in notion.changes()["pages"]} == {SECOND}


@pytest.mark.fact("mentions")
def test_a_mention_names_only_what_is_shared(notion: LocalApp) -> None:
    def said(kind: str, of: str, **more: str) -> str:
        mention = {"type": "mention", "mention": {"type": kind, kind: {"id": of, **more}}}
        made = notion.call("notion_create_comment", parent={"page_id": HOME}, rich_text=[mention])
        return str(made["rich_text"][0]["plain_text"])

    assert [said("page", each) for each in (HOME, SECRET, ABSENT)] == ["Home page", "Untitled", "Untitled"]
    assert [said("user", each, object="user") for each in (ME, ABSENT)] == ["@Me", "@Anonymous"]


@pytest.mark.fact("search")
def test_a_long_query_is_read_once_for_all_titles(notion: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    query, read = "home " * 1000, list[str]()
    kernel = content.kernel_module("notion", "search")
    words_of = kernel.words_of

    def counted(text: str) -> Any:
        read.append(text)
        return words_of(text)

    monkeypatch.setattr(kernel, "words_of", counted)

    found = notion.call("notion_search", query=query)

    assert [each["id"] for each in found["results"]] == [HOME]
    assert read.count(query) == 1
