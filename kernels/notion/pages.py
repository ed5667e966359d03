"""Pages: what stands in their properties. The server makes none but in data sources, and moves none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Result, Row

from .access import Access, title_of
from .blocks import old_parent, parent_view
from .json_columns import load, row_of
from .mcp_validation import js_truthy, require
from .property_types import list_properties
from .property_values import PageValues, ValueWriter, cells_of, match_properties
from .request_validation import RequestField, body
from .times import minute
from .users import partial

Body = dict[str, Any]

# A page that stands in no data source has one property.
_TITLE: Row = {"id": "title", "name": "title", "type": "title", "config": {}, "description": None}


def address(title: str, page_id: str) -> str:
    """Return where a page or a database is opened."""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-")
    bare = page_id.replace("-", "")
    return f"https://www.notion.so/{slug}-{bare}" if slug else f"https://www.notion.so/{bare}"


def properties_of(ep: Episode, page: Row) -> list[Row]:
    """Return the properties that a page has."""
    return list_properties(ep, page["parent_id"]) if page["parent_type"] == "data_source_id" else [_TITLE]


def page_view(reach: Access, page: Row, values: PageValues, cells: Mapping[str, str], *, is_old: bool = False) -> Body:
    """Return a page as the API shows it; ``is_old`` as that of 2022."""
    is_gone = reach.is_gone(page)
    parent = parent_view(reach, page)
    states = {"in_trash": is_gone, "is_archived": False, "is_locked": bool(page["is_locked"])}
    return {
        "object": "page",
        "id": page["id"],
        "created_time": minute(page["created_ms"]),
        "last_edited_time": minute(page["edited_ms"]),
        "created_by": partial(page["created_by"]),
        "last_edited_by": partial(page["edited_by"]),
        "cover": load(page["cover"]),
        "icon": load(page["icon"]),
        "parent": old_parent(parent) if is_old else parent,
        **({"archived": is_gone, "in_trash": is_gone} if is_old else states),
        "properties": values.view(page, cells),
        "url": address(title_of(page), page["id"]),
        "public_url": None,
    }


def page_response(ep: Episode, reach: Access, page: Row, *, is_old: bool = False) -> Body:
    """Return a page as an answer of its own."""
    values = PageValues(ep, properties_of(ep, page))
    shown = page_view(reach, page, values, cells_of(ep, page["id"]), is_old=is_old)
    return {**shown, "request_id": ep.new_id("request")}


def get_page(ep: Episode, page_id: Any, *, is_old: bool = False) -> Body:
    """Return one page."""
    reach = Access(ep)
    return page_response(ep, reach, reach.require_page(page_id), is_old=is_old)


def change_page(ep: Episode, page_id: Any, properties: Any, *, is_old: bool = False) -> Body:
    """Write properties of a page and return it."""
    reach = Access(ep)
    page = reach.require_page(page_id)
    reach.require_editable(page)
    written = match_properties(body(properties=properties).at("properties"), properties_of(ep, page))
    writer = ValueWriter(ep, reach, page)
    for row, value in written:
        writer.write(row, value)
    reach.touch("pages", page)
    return page_response(ep, Access(ep), row_of(ep, "pages", page["id"]), is_old=is_old)


def create_item(ep: Episode, reach: Access, source: Row, properties: Any, *, is_old: bool = False) -> Body:
    """Make a page in a data source and return it."""
    reach.require_editable(source)
    rows = list_properties(ep, source["id"])
    written = match_properties(RequestField(properties, "body.properties").given(), rows)
    page_id, bot_id = ep.new_id("page"), reach.bot["id"]
    place = ep.db.scalar("SELECT max(position) FROM pages WHERE parent_id = ?", source["id"])
    # A number that is there, so that the index of numbers is used.
    number = ep.db.scalar("SELECT max(number) FROM pages WHERE parent_id = ? AND number IS NOT NULL", source["id"])
    numbered = any(row["type"] == "unique_id" for row in rows)
    ep.db.insert(
        "pages",
        id=page_id,
        workspace_id=reach.bot["workspace_id"],
        parent_type="data_source_id",
        parent_id=source["id"],
        position=(place or 0.0) + 1.0,
        number=(number or 0) + 1 if numbered else None,
        created_ms=ep.now_ms,
        created_by=bot_id,
        edited_ms=ep.now_ms,
        edited_by=bot_id,
    )
    page = row_of(ep, "pages", page_id)
    writer = ValueWriter(ep, reach, page)
    for row, value in written:
        writer.write(row, value)
    return page_response(ep, reach, row_of(ep, "pages", page_id), is_old=is_old)


def retrieve_page(ep: Episode, *, page_id: str) -> Result:
    """Return a page with its properties, without what stands on it."""
    require(page_id=page_id)
    return get_page(ep, page_id)


def update_page_properties(ep: Episode, *, page_id: str, properties: dict[str, Any]) -> Result:
    """Write properties of a page; those left out stay."""
    if not js_truthy(properties) or not page_id:
        require(page_id=page_id, properties=properties)
    return change_page(ep, page_id, properties)
