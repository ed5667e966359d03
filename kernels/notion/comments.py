"""Comments: discussions on a page, and on blocks of it."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row

from .access import Access
from .errors import ServerError
from .json_columns import dump, load, row_of
from .mcp_validation import require
from .pagination import page_of, shorten
from .request_validation import RequestField, body, fault, refuse
from .request_validation import page_size as read_page_size
from .rich_texts import read_rich_text
from .times import minute
from .users import partial

Body = dict[str, Any]


def comment_view(ep: Episode, comment: Row, *, is_old: bool = False) -> Body:
    """Return a comment; the API of 2024 does not say yet by which name its author goes."""
    on_block = comment["block_id"] is not None
    key = "block_id" if on_block else "page_id"
    author = ep.db.one("SELECT type, name FROM users WHERE id = ?", comment["created_by"])
    kind = "integration" if author and author["type"] == "bot" else "user"
    shown = {
        "object": "comment",
        "id": comment["id"],
        "parent": {"type": key, key: comment[key]},
        "discussion_id": comment["discussion_id"],
        "created_time": minute(comment["created_ms"]),
        "last_edited_time": minute(comment["created_ms"]),
        "created_by": partial(comment["created_by"]),
        "rich_text": load(comment["rich_text"]),
    }
    named = {"type": kind, "resolved_name": author["name"] if author else None}
    return shown if is_old else {**shown, "display_name": named}


def add_comment(ep: Episode, sent: dict[str, Any], *, is_old: bool = False) -> Body:
    """Say something in the discussion of a page, or in one that there is.

    Raises:
        Invalid: both are named, or what is said is nothing.
        ObjectNotFound: there is no such page or discussion.
    """
    asked = body(**sent)
    reach = Access(ep)
    text = read_rich_text(ep, asked.at("rich_text"))
    if asked.at("parent").is_there and asked.at("discussion_id").is_there:
        raise asked.at("discussion_id").fault("not present")
    if not text:
        raise refuse(fault("body.rich_text.length", "≥ `1`", 0))
    if asked.at("discussion_id").is_there:
        place = _discussion(ep, reach, asked.at("discussion_id"))
    else:
        place = _page_discussion(ep, reach, asked.at("parent").a("object"))
    comment_id = ep.new_id("comment")
    ep.db.insert(
        "comments",
        id=comment_id,
        **place,
        rich_text=dump(text),
        created_ms=ep.now_ms,
        created_by=reach.bot["id"],
    )
    comment = row_of(ep, "comments", comment_id)
    return {**comment_view(ep, comment, is_old=is_old), "request_id": ep.new_id("request")}


def _discussion(ep: Episode, reach: Access, given: RequestField) -> Body:
    discussion_id = given.uuid()
    first = ep.db.one(
        "SELECT discussion_id, page_id, block_id FROM comments WHERE discussion_id = ? ORDER BY created_ms, id LIMIT 1",
        discussion_id,
    )
    page = None if first is None else reach.find("pages", first["page_id"])
    if first is None or page is None:
        raise reach.missing("discussion", discussion_id)
    reach.require_editable(page)
    return first


def _page_discussion(ep: Episode, reach: Access, parent: RequestField) -> Body:
    """Return the one discussion that a page has, which its first comment begins; or that of a block."""
    key = "block_id" if "block_id" in parent.value and "page_id" not in parent.value else "page_id"
    parent.only("type", key)
    wanted = parent.at(key).uuid()
    row = reach.require(key.removesuffix("_id"), wanted)
    reach.require_editable(row)
    if key == "block_id":
        return {"discussion_id": ep.new_id("discussion"), "page_id": row["page_id"], "block_id": wanted}
    sql = (
        "SELECT discussion_id FROM comments WHERE page_id = ? AND block_id IS NULL AND is_resolved = 0"
        " ORDER BY created_ms, id LIMIT 1"
    )
    known = ep.db.scalar(sql, wanted)
    return {"discussion_id": known or ep.new_id("discussion"), "page_id": wanted, "block_id": None}


def list_comments(ep: Episode, block_id: Any, start_cursor: Any, size: Any, *, is_old: bool = False) -> Body:
    """Return a page of what is said of a page or a block and not resolved, oldest first."""
    most = read_page_size(size, "query")
    reach = Access(ep)
    key = RequestField(block_id, "query.block_id").uuid()
    table, _ = reach.require_block(key)
    where = "block_id = ?" if table == "blocks" else "page_id = ? AND block_id IS NULL"
    rows = ep.db.all(f"SELECT * FROM comments WHERE {where} AND is_resolved = 0 ORDER BY created_ms, rowid", key)
    there, listed = page_of(ep, rows, [row["id"] for row in rows], cursor=start_cursor, size=most, kind="comment")
    return {**listed, "results": [comment_view(ep, row, is_old=is_old) for row in there]}


def create_comment(
    ep: Episode,
    *,
    rich_text: list[Any],
    parent: dict[str, Any] | None = None,
    discussion_id: str | None = None,
) -> Result:
    """Comment on a page, or answer in a discussion."""
    if parent is None and not discussion_id:
        raise ServerError("Either parent.page_id or discussion_id must be provided")
    return add_comment(ep, {"rich_text": rich_text, "parent": parent, "discussion_id": discussion_id or None})


def retrieve_comments(
    ep: Episode,
    *,
    block_id: str,
    start_cursor: str | None = None,
    page_size: float | None = None,
    response_mode: str | None = None,
) -> Result:
    """List the comments of a page or a block that are not resolved."""
    require(block_id=block_id)
    return shorten(list_comments(ep, block_id, start_cursor, page_size), response_mode)
