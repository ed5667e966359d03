"""The profile paper-2025: version 1.2.4 over the API of 2022."""

from __future__ import annotations

import json
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.notion.conftest import ABSENT, DATABASE, FIRST, HOME, LINES, ME


def answer(app: LocalApp, tool: str, **arguments: Any) -> Any:
    result = app.result(tool, **arguments)
    assert set(result) == {"content"}
    return json.loads(result["content"][0]["text"])


@pytest.mark.fact("old")
def test_refusals_look_like_answers(older: LocalApp) -> None:
    assert answer(older, "notion_query_database") == {"error": "Missing required argument: database_id"}
    assert answer(older, "notion_create_comment", rich_text=[]) == {
        "error": "Either parent.page_id or discussion_id must be provided"
    }
    assert answer(older, "notion_create_page") == {"error": "Unknown tool: notion_create_page"}
    missing = answer(older, "notion_retrieve_page", page_id=ABSENT)
    assert (missing["object"], missing["status"], missing["code"]) == ("error", 404, "object_not_found")
    assert older.outcome("notion_retrieve_page", None).refused


@pytest.mark.fact("old")
def test_addresses_hold_what_javascript_writes_into_them(older: LocalApp) -> None:
    few = answer(older, "notion_list_all_users", page_size="1")
    wrong = answer(older, "notion_list_all_users", page_size={})
    null = answer(older, "notion_retrieve_database", database_id=None)
    missing = answer(older, "notion_retrieve_database")

    assert len(few["results"]) == 1
    assert (wrong["code"], "[object Object]" in wrong["message"]) == ("validation_error", True)
    assert '"null"' in null["message"]
    assert '"undefined"' in missing["message"]


@pytest.mark.fact("old")
def test_a_database_has_its_properties_itself(older: LocalApp) -> None:
    database = answer(older, "notion_retrieve_database", database_id=DATABASE)
    item = answer(older, "notion_retrieve_page", page_id=FIRST)
    listed = answer(older, "notion_query_database", database_id=DATABASE, page_size=1)

    assert list(database)[-5:] == ["url", "public_url", "archived", "in_trash", "request_id"]
    assert (database["properties"]["Name"], item["parent"]) == (
        {"id": "title", "name": "Name", "type": "title", "title": {}},
        {"type": "database_id", "database_id": DATABASE},
    )
    assert (listed["type"], len(listed["results"])) == ("page_or_database", 1)


@pytest.mark.fact("old")
def test_blocks_always_go_to_the_end(older: LocalApp) -> None:
    children = [{"paragraph": {"rich_text": [{"text": {"content": "x"}}]}}]
    made = answer(older, "notion_append_block_children", block_id=HOME, children=children, after=LINES[0])

    assert len(made["results"]) == 1
    below = answer(older, "notion_retrieve_block_children", block_id=HOME)["results"]
    assert below[-1]["id"] == made["results"][0]["id"]


@pytest.mark.fact("old-shapes")
def test_objects_say_that_they_are_archived(older: LocalApp) -> None:
    gone = answer(older, "notion_delete_block", block_id=LINES[2])
    inner = answer(older, "notion_retrieve_block", block_id=LINES[3])

    assert [gone[key] for key in ("archived", "in_trash")] == [True, True]
    assert list(inner["paragraph"]) == ["rich_text", "color"]
    back = answer(older, "notion_update_block", block_id=LINES[2], block={"archived": False})
    assert back["archived"] is False


@pytest.mark.fact("verified", "old")
def test_people_s_mail_is_verified_since_2026(notion: LocalApp, older: LocalApp) -> None:
    assert notion.call("notion_retrieve_user", user_id=ME)["person"] == {
        "email": "me@two.example",
        "email_verified": True,
    }
    assert answer(older, "notion_retrieve_user", user_id=ME)["person"] == {"email": "me@two.example"}
