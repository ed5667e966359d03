"""What people do in Notion, and what they notice of comments, pages and blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Row, Value
from farm.appkit.acts import Acts, Surroundings

from .errors import ServerError
from .json_columns import dump, load, plain_text


def _said(text: str) -> list[dict[str, Any]]:
    """Return a plain text as rich text."""
    plain = {"bold": False, "italic": False, "strikethrough": False, "underline": False, "code": False}
    return [
        {
            "type": "text",
            "text": {"content": text, "link": None},
            "annotations": {**plain, "color": "default"},
            "plain_text": text,
            "href": None,
        }
    ]


def reply(ep: Episode, row: Row, *, text: str) -> None:
    """Comment in the discussion of a comment, or in that of a page, or of the page of a block or cell."""
    place = {name: row.get(name) for name in ("discussion_id", "page_id", "block_id")}
    if place["discussion_id"] is None:
        page_id = row.get("page_id") or row["id"]
        sql = "SELECT discussion_id FROM comments WHERE page_id = ? AND block_id IS NULL AND is_resolved = 0 "
        known = ep.db.scalar(f"{sql} ORDER BY created_ms, id LIMIT 1", page_id)
        place = {"discussion_id": known or ep.new_id("discussion"), "page_id": page_id, "block_id": None}
    if ep.db.scalar("SELECT in_trash FROM pages WHERE id = ?", place["page_id"]) != 0:
        raise ServerError("Could not find the page.")
    written: dict[str, Value] = {"rich_text": dump(_said(text)), "created_ms": ep.now_ms, "created_by": ep.me}
    ep.db.insert("comments", id=ep.new_id("comment"), **place, **written)


def resolve(ep: Episode, row: Row) -> None:
    """Resolve the discussion of a comment."""
    ep.db.update("comments", {"discussion_id": row["discussion_id"]}, is_resolved=1)


def _title(ep: Episode, page_id: str | None) -> str:
    return plain_text(load(ep.db.scalar("SELECT title FROM pages WHERE id = ?", page_id) or "[]"))


def _around_comment(ep: Episode, row: Row) -> Mapping[str, Any]:
    rich = load(row["rich_text"])
    named = [each["mention"]["user"]["id"] for each in rich if (each.get("mention") or {}).get("type") == "user"]
    sql = "SELECT DISTINCT created_by FROM comments WHERE discussion_id = ? AND id != ? ORDER BY created_by"
    others = [each["created_by"] for each in ep.db.all(sql, row["discussion_id"], row["id"])]
    return {"text": plain_text(rich), "page": _title(ep, row["page_id"]), "to": list(dict.fromkeys([*named, *others]))}


def _around_page(ep: Episode, row: Row) -> Mapping[str, Any]:
    return {"name": plain_text(load(row["title"])), "place": _title(ep, row["parent_id"])}


def _around_block(ep: Episode, row: Row) -> Mapping[str, Any]:
    return {"page": _title(ep, row["page_id"])}


ACTS = Acts(
    verbs={"reply": reply, "resolve": resolve},
    around={
        "comments": Surroundings(("text", "page", "to"), _around_comment, texts=("text",)),
        "pages": Surroundings(("name", "place"), _around_page, texts=("name",)),
        "blocks": Surroundings(("page",), _around_block),
        "cells": Surroundings(("page",), _around_block),
    },
)
