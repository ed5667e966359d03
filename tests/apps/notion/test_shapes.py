"""The members of every object beside those that the real API was recorded to send, in their order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "notion" / "api_samples.jsonl"
OBJECTS = ("page", "block", "data_source", "database", "comment", "user")


def members(part: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what each object in an answer is, and its members but for the one that only whole answers have."""
    if isinstance(part, list):
        for each in part:
            yield from members(each)
    if not isinstance(part, dict):
        return
    kind = part.get("object")
    if kind in OBJECTS:
        own = f" {part['type']}" if kind in ("block", "user") and "type" in part else ""
        yield f"{kind}{own}", tuple(key for key in part if key != "request_id")
    if kind == "block":
        yield f"content {part['type']}", tuple(part[part["type"]])
    if kind in ("page", "data_source"):
        for each in part["properties"].values():
            value = each[each["type"]]
            yield f"{kind} property {each['type']}", tuple(each)
            if isinstance(value, dict):
                yield f"{kind} value {each['type']}", tuple(value)
    if "plain_text" in part:
        yield f"text {part['type']}", tuple(part)
    for each in part.values():
        yield from members(each)


@pytest.mark.fact("page")
@pytest.mark.fact("database")
def test_objects_have_the_members_that_were_recorded(start: Callable[..., LocalApp]) -> None:
    if not RECORDED.is_file():
        pytest.skip("the recorded answers are not on this machine")
    recorded: dict[str, set[tuple[str, ...]]] = {}
    for line in map(json.loads, RECORDED.read_text("utf-8").splitlines()):
        if "2026-03-11" in line["note"]:
            for kind, keys in members(line["response"]):
                recorded.setdefault(kind, set()).add(keys)
    app = start("notion", world="harbor")
    answers = [app.call("notion_list_all_users", response_mode="full"), app.call("notion_retrieve_bot_user")]
    for table, tool, argument in (
        ("pages", "notion_retrieve_page", "page_id"),
        ("pages", "notion_retrieve_block_children", "block_id"),
        ("pages", "notion_retrieve_comments", "block_id"),
        ("databases", "notion_retrieve_database", "database_id"),
        ("data_sources", "notion_retrieve_data_source", "data_source_id"),
    ):
        for row in app.episode.db.all(f"SELECT id FROM {table} ORDER BY id"):
            mode = {"response_mode": "full"} if "children" in tool or "comments" in tool else {}
            answers.append(app.result(tool, **{argument: row["id"], **mode})["structuredContent"])

    ours = {(kind, keys) for answer in answers for kind, keys in members(answer) if kind in recorded}

    assert [(kind, keys) for kind, keys in sorted(ours) if keys not in recorded[kind]] == []
    assert len({kind for kind, _ in ours}) >= 40
