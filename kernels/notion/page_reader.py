"""What the server makes of several answers of the API for whoever reads: a page with its blocks, a schema in short."""

from __future__ import annotations

import math
from typing import Any

from farm.appkit import Episode, Result

from . import blocks
from .access import Access, title_of
from .compact_view import page_title
from .databases import source_view
from .markdown import words, write_block, write_rich_text, write_tree
from .mcp_validation import require
from .pages import get_page

Body = dict[str, Any]

_DEPTH, _BLOCKS, _PAGE = 2, 100, 100
_NOTE = "Use block IDs from content.outline when inserting after a specific block."
_WITH_TEXT = ("title", "rich_text")
_AS_IT_IS = ("number", "checkbox")
_OR_NULL = ("url", "email", "phone_number")


class _Reader:
    """Reads what stands on a page, level by level, until there is enough."""

    def __init__(self, ep: Episode, *, depth: int, most: int) -> None:
        self.ep, self.reach = ep, Access(ep)
        self.depth_max, self.blocks_max = depth, most
        self.count, self.is_truncated = 0, False

    def read(self, block_id: str, depth: int) -> list[Body]:
        """Return what stands below a block.

        How many blocks are asked for at once changes nothing in what comes out.
        """
        below = blocks.list_children(self.ep, block_id)
        nodes: list[Body] = []
        for table, row in below:
            if self.count >= self.blocks_max:
                self.is_truncated = True
                return nodes
            block = blocks.block_view(self.ep, self.reach, table, row)
            node = _summary(block)
            self.count += 1
            if block["has_children"]:
                self._go_on(node, depth)
            nodes.append(node)
        return nodes

    def _go_on(self, node: Body, depth: int) -> None:
        if depth < self.depth_max and self.count < self.blocks_max:
            node["children"] = self.read(node["id"], depth + 1)
            return
        node["children_omitted"] = "max_depth" if depth >= self.depth_max else "max_blocks"
        self.is_truncated = True


def _summary(block: Body) -> Body:
    kept = {"has_children": block["has_children"], "in_trash": block["in_trash"]}
    markdown = write_block(block)
    return {"id": block["id"], "type": block["type"], "text": _text(block), "markdown": markdown, **kept}


def _text(block: Body) -> str:
    kind = block["type"]
    content = block[kind]
    if kind in ("child_page", "child_database"):
        return str(content["title"])
    if kind in ("bookmark", "embed", "link_preview"):
        return str(content["url"])
    if kind in ("image", "file", "pdf", "video"):
        return words(content.get("caption", ())) or content.get("name", "")
    return words(content.get("rich_text", ()))


def _positive_integer(value: float | None, otherwise: int) -> int:
    """Return a number where it is whole and more than none."""
    is_whole = value is not None and value > 0 and math.isfinite(value) and value == int(value)
    return int(value) if value is not None and is_whole else otherwise


def read_page(
    ep: Episode,
    *,
    page_id: str,
    content_format: str | None = None,
    max_depth: float | None = None,
    max_blocks: float | None = None,
    page_size: float | None = None,
    include_properties: bool | None = None,
) -> Result:
    """Return a page with what stands on it."""
    require(page_id=page_id)
    page = get_page(ep, page_id)
    form = content_format or "outline"
    reader = _Reader(ep, depth=_positive_integer(max_depth, _DEPTH), most=_positive_integer(max_blocks, _BLOCKS))
    outline = reader.read(page["id"], 1)
    shown = {
        "id": page["id"],
        "title": page_title(page),
        "url": page["url"],
        "parent": page["parent"],
        "last_edited_time": page["last_edited_time"],
        "in_trash": page["in_trash"],
    }
    if include_properties:
        shown["properties"] = [_property(name, each) for name, each in page["properties"].items()]
    content = {
        "format": form,
        "max_depth": reader.depth_max,
        "block_count": reader.count,
        "truncated": reader.is_truncated,
        "outline": outline,
        **({"markdown": write_tree(outline)} if form == "markdown" else {}),
    }
    hint = {"append_tool": "notion_append_content", "parent_block_id": page["id"], "note": _NOTE}
    return {"object": "notion_page_read", "page": shown, "content": content, "editing_hint": hint}


def _property(name: str, value: Body) -> Body:
    return {"name": name, "id": value["id"], "type": value["type"], "value": _value(value)}


def _value(value: Body) -> Any:
    kind, held = value["type"], value[value["type"]]
    if kind in _WITH_TEXT:
        return write_rich_text(held)
    if kind in _AS_IT_IS:
        return held
    if kind in ("select", "status"):
        return held["name"] if held else None
    if kind == "multi_select":
        return [each["name"] for each in held]
    if kind == "date" and held:
        return f"{held['start']}..{held['end']}" if held["end"] else held["start"]
    return held or None if kind in _OR_NULL else None


def inspect_data_source(ep: Episode, *, data_source_id: str) -> Result:
    """Return a data source's schema in short."""
    require(data_source_id=data_source_id)
    reach = Access(ep)
    source = reach.require_source(data_source_id)
    shown = source_view(ep, reach, source)
    properties = [_schema(each) for each in shown["properties"].values()]
    return {
        "object": "notion_data_source_schema",
        "id": source["id"],
        "title": title_of(source) or "Untitled data source",
        "parent_database_id": shown["parent"]["database_id"],
        "property_count": len(properties),
        "properties": properties,
        "create_item_hint": {
            "tool": "notion_create_data_source_item",
            "required_parent": {"data_source_id": source["id"]},
        },
    }


def _schema(row: Body) -> Body:
    kind = row["type"]
    made = {"name": row["name"], "id": row["id"], "type": kind}
    options = [each["name"] for each in row[kind].get("options", ())]
    if options:
        made["options"] = options
    if kind == "relation":
        made["relation"] = {key: row[kind][key] for key in ("database_id", "data_source_id")}
    return made
