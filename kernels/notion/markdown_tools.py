"""Simple contents: paragraphs, headings, lists and the like, which the server turns into the API's blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from farm.appkit import Episode, Result

from . import blocks
from .errors import ServerError
from .mcp_validation import js_truthy, require

Item = dict[str, Any]

_HEADINGS = ("heading_1", "heading_2", "heading_3")
# Lines of Markdown, each with what it becomes; the first that fits counts.
_DIVIDER = re.compile(r"(-{3,}|\*{3,}|_{3,})")
_HEADING = re.compile(r"(#{1,3})\s+(.+)")
_TO_DO = re.compile(r"[-*]\s+\[( |x|X)\]\s+(.+)")
_BULLET = re.compile(r"[-*]\s+(.+)")
_NUMBERED = re.compile(r"[0-9]+[.)]\s+(.+)")
_QUOTE = re.compile(r">\s?(.+)")
_FENCE = re.compile(r"```([A-Za-z0-9_#+.-]*)\s*")


def block_of(item: Item) -> Item:
    """Return the API's block for a simple item."""
    kind = item["type"]
    if kind == "divider":
        return {"object": "block", "type": kind, kind: {}}
    text = item["text"]
    content: Item = {"rich_text": [{"type": "text", "text": {"content": text}, "plain_text": text}]}
    if kind in _HEADINGS:
        content["is_toggleable"] = item.get("is_toggleable", False)
    elif kind == "to_do":
        content["checked"] = item.get("checked", False)
    elif kind == "code":
        content["language"] = item.get("language") or "plain text"
    return {"object": "block", "type": kind, kind: content}


def check_item(item: Item, path: str) -> None:
    """Refuse an item whose text is missing, or not wanted."""
    kind = item["type"]
    if kind != "divider" and "text" not in item:
        raise ServerError(f"{path}.text must be a string for {kind} content.")
    if kind == "divider" and "text" in item:
        raise ServerError(f"{path}.text is not supported for divider content.")


def read_markdown(markdown: str) -> list[Item]:
    """Return what Markdown becomes; lines that stand together are one paragraph."""
    return list(_items(markdown.replace("\r\n", "\n").split("\n")))


def _items(lines: list[str]) -> Iterator[Item]:
    open_lines: list[str] = []
    fence: Item | None = None
    for line in lines:
        opened = _FENCE.fullmatch(line)
        if opened and fence is not None:
            yield {**fence, "text": "\n".join(fence["text"])}
            fence = None
        elif opened:
            yield from _paragraph(open_lines)
            fence = {"type": "code", "text": [], "language": opened[1]}
        elif fence is not None:
            fence["text"].append(line)
        else:
            item = _line(line.strip())
            if item is not None or not line.strip():
                yield from _paragraph(open_lines)
            if item is not None:
                yield item
            elif line.strip():
                open_lines.append(line.strip())
    if fence is not None:
        yield {**fence, "text": "\n".join(fence["text"])}
    yield from _paragraph(open_lines)


def _paragraph(lines: list[str]) -> Iterator[Item]:
    if lines:
        yield {"type": "paragraph", "text": " ".join(lines)}
        lines.clear()


def _line(line: str) -> Item | None:
    if _DIVIDER.fullmatch(line):
        return {"type": "divider"}
    if found := _HEADING.fullmatch(line):
        return {"type": f"heading_{len(found[1])}", "text": found[2]}
    if found := _TO_DO.fullmatch(line):
        return {"type": "to_do", "text": found[2], "checked": found[1] != " "}
    for pattern, kind in ((_BULLET, "bulleted_list_item"), (_NUMBERED, "numbered_list_item"), (_QUOTE, "quote")):
        if found := pattern.fullmatch(line):
            return {"type": kind, "text": found[1]}
    return None


# -- the tools --------------------------------------------------------------------------------------------------------


def append_content(ep: Episode, *, block_id: str, items: list[Any], position: dict[str, Any] | None = None) -> Result:
    """Put simple items below a block or a page."""
    require(block_id=block_id, items=items)
    place = blocks.check_position(position)
    if not items:
        raise ServerError("items must be a non-empty array of simple content items.")
    for number, item in enumerate(items):
        check_item(item, f"items[{number}]")
    return blocks.add_below(ep, block_id, [block_of(item) for item in items], place)


def append_markdown(ep: Episode, *, block_id: str, markdown: str, position: dict[str, Any] | None = None) -> Result:
    """Put what Markdown says below a block or a page."""
    require(block_id=block_id, markdown=markdown)
    place = blocks.check_position(position)
    items = read_markdown(markdown)
    if not items:
        raise ServerError("Markdown did not contain appendable content")
    return blocks.add_below(ep, block_id, [block_of(item) for item in items], place)


def update_content(ep: Episode, *, block_id: str, item: dict[str, Any]) -> Result:
    """Write a block anew from a simple item of its type."""
    if not block_id or not js_truthy(item):
        require(block_id=block_id, item=item)
    check_item(item, "item")
    _require_type(blocks.get_block(ep, block_id), block_id, item)
    return blocks.change(ep, block_id, _change(item))


def update_content_batch(ep: Episode, *, updates: list[Any]) -> Result:
    """Write several blocks anew, once all of them are found to be of the right type."""
    if not updates:
        raise ServerError("Missing required argument: updates")
    for number, update in enumerate(updates):
        if not update["block_id"]:
            raise ServerError(f"updates[{number}].block_id must be a non-empty block ID string.")
        check_item(update["item"], f"updates[{number}].item")
    found = [blocks.get_block(ep, update["block_id"]) for update in updates]
    for update, block in zip(updates, found, strict=True):
        if block["id"] != update["block_id"]:
            raise ServerError(
                f"Block validation order mismatch: expected {update['block_id']}, received {block['id']}."
            )
        _require_type(block, update["block_id"], update["item"])
    results = [blocks.change(ep, update["block_id"], _change(update["item"])) for update in updates]
    return {"object": "notion_content_batch_update", "updated_count": len(results), "results": results}


def _require_type(block: Item, block_id: str, item: Item) -> None:
    if block["type"] != item["type"]:
        raise ServerError(f"Block type mismatch: block {block_id} is {block['type']}, but item.type was {item['type']}")


def _change(item: Item) -> Item:
    return {item["type"]: block_of(item)[item["type"]]}
