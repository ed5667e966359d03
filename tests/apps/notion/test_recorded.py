"""Recorded answers of the running server, on rows made of what the stand-in behind it had answered."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from farm.testing import LocalApp
from tests.apps.notion.conftest import ME, made

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "notion" / "validation.jsonl"
PAGE = "11111111-2222-4333-8444-555555555555"
AUTHOR = "9a3b5ae0-c6e6-482d-b0e1-ed315ee6dc57"
PARENT = "0c940186-ab70-4351-bb34-2d16f0635d49"
_AT_MS = 1_767_600_000_000  # 2026-01-05T08:00Z, when everything there was made
# Which lines there is a row for; the others tell what the API refused with, or show what no row holds.
READ = (
    *("notion_retrieve_block_children", "notion_read_page", "notion_inspect_data_source", "notion_search"),
    *("notion_query_data_source_by_values", "notion_create_data_source_item_from_values", "notion_open_page_workbench"),
)


def _lines() -> list[dict[str, Any]]:
    if not RECORDED.is_file():
        pytest.skip("the recorded calls are not on this machine")
    return [json.loads(line) for line in RECORDED.read_text("utf-8").splitlines()]


def _rows(bodies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    own = {"workspace_id": "w1"}
    author = made(created_by=AUTHOR, edited_by=AUTHOR, edited_ms=_AT_MS + 3_600_000)
    found: list[dict[str, Any]] = [
        {"table": "workspaces", "id": "w1", "name": "W"},
        {"table": "users", "id": ME, "person": "me", **own, "name": "Me"},
        {"table": "users", "id": AUTHOR, **own, "type": "bot", "name": "Bot", "is_self": 1},
        {"table": "pages", "id": PARENT, **own, **author, "is_shared": 1},
    ]
    page = {"table": "pages", "id": PAGE, **own, **author, "parent_type": "page_id", "parent_id": PARENT}
    blocks = {each["id"]: each for body in bodies for each in _blocks(body)}
    nested = [key for key, each in blocks.items() if each["has_children"]]
    first = next(({each["id"] for each in _blocks(body)} for body in bodies if _blocks(body)), set())
    title: list[Any] = next((body["properties"]["title"]["title"] for body in bodies if body["object"] == "page"), [])
    found.append({**page, "title": json.dumps(title)})
    for number, (key, each) in enumerate(blocks.items(), 1):
        top = key in first
        where = {"parent_type": "page_id" if top else "block_id", "parent_id": PAGE if top else nested[0]}
        made_by = made(created_by=AUTHOR, edited_by=AUTHOR)
        content = json.dumps(each[each["type"]])
        what = {"position": float(number), "type": each["type"], "content": content}
        found.append({"table": "blocks", "id": key, "page_id": PAGE, **where, **what, **made_by})
    for body in bodies:
        if body["object"] == "data_source":
            found += _source_rows(body, own)
    return found


def _blocks(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for each in body.get("results", ()) if each["object"] == "block"]


def _source_rows(source: dict[str, Any], own: dict[str, Any]) -> list[dict[str, Any]]:
    database = source["parent"]["database_id"]
    where = {"parent_type": "page_id", "parent_id": PARENT}
    times = {"created_ms": _AT_MS, "created_by": AUTHOR, "edited_ms": _AT_MS}
    return [
        {"table": "databases", "id": database, **own, **where, **times},
        {
            "table": "data_sources",
            "id": source["id"],
            "database_id": database,
            "title": json.dumps(source["title"]),
            **times,
            "edited_by": AUTHOR,
        },
        *(
            {
                "table": "properties",
                "data_source_id": source["id"],
                "id": unquote(each["id"]),
                "name": name,
                "type": each["type"],
                "config": json.dumps(each[each["type"]]),
            }
            for name, each in source["properties"].items()
        ),
    ]


@pytest.mark.fact("recorded")
def test_what_the_server_makes_of_the_api_s_answers_is_the_same(start: Callable[..., LocalApp]) -> None:
    compared = 0
    for line in _lines():
        if not isinstance(line.get("backend"), dict) or "server" in line or line["tool"] not in READ:
            continue
        bodies = [each["body"] for each in line["backend"]["responses"]]
        if any(each["object"] == "list" and any("properties" in one for one in each["results"]) for each in bodies):
            continue  # what was found there fits no filter of the call
        app = start("notion", rows=_rows(bodies), me="me")

        ours, theirs = app.result(line["tool"], **line["arguments"]), line["result"]

        for each in (ours, theirs):
            each["structuredContent"].pop("request_id", None)
            # The stand-in had them in an order of its own; the API's is that of their ids, which is recorded.
            each["structuredContent"].get("properties", []).sort(key=lambda one: one["id"])
        assert ours["structuredContent"] == theirs["structuredContent"], line["tool"]
        assert ours.get("isError") == theirs.get("isError")
        compared += 1
    assert compared >= 7


@pytest.mark.fact("old")
def test_version_1_says_to_the_letter_what_was_recorded(start: Callable[..., LocalApp]) -> None:
    app = start("notion", profile="paper-2025")
    lines = [each for each in _lines() if each.get("server") == "v1.2.4" and "backend" not in each]

    for line in lines:
        assert json.loads(app.outcome(line["tool"], line["arguments"]).result) == line["result"]
    assert len(lines) == 3
