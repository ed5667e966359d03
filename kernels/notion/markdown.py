"""Blocks and rich text as the server writes them in Markdown, for whoever reads a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from farm.appkit import Json

Body = dict[str, Any]

_INDENTED = Json(indented=True)
_STYLED = (("bold", "**{}**"), ("italic", "*{}*"), ("strikethrough", "~~{}~~"), ("underline", "<u>{}</u>"))
_NESTED = ("bulleted_list_item", "numbered_list_item", "to_do", "quote")


def join(parts: Iterable[str]) -> str:
    """Return what is not empty, with an empty line between."""
    return "\n\n".join(part.strip() for part in parts if part.strip())


def write_rich_text(text: Iterable[Body]) -> str:
    """Return rich text with its styles and links."""
    return "".join(map(_item, text))


def words(text: Iterable[Body]) -> str:
    """Return rich text without any."""
    return "".join(each["plain_text"] for each in text)


def _item(item: Body) -> str:
    raw = item["plain_text"]
    styles = item["annotations"]
    if item["type"] == "equation":
        text = f"${item['equation']['expression'] or raw}$"
    elif styles["code"]:
        text = f"`` {raw} ``" if "`" in raw else f"`{raw}`"
    else:
        text = re.sub(r"([*_~\[\]])", r"\\\1", raw.replace("\\", "\\\\"))
        for style, form in _STYLED:
            text = form.format(text) if styles[style] else text
    if styles["color"] != "default":
        text = f'<span data-notion-color="{styles["color"]}">{text}</span>'
    href = item["href"]
    return f"[{_label(re.sub(r'<[^>]+>', '', text))}]({href})" if href else text


def _label(text: str) -> str:
    return text.replace("[", "\\[").replace("]", "\\]")


def _lines(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.split("\n")) if text else ">"


def _link(label: str, url: str) -> str:
    return f"[{_label(label)}]({url})" if url else label


def write_block(block: Body) -> str:
    """Return one block, without what stands below it."""
    kind = block["type"]
    writer = _WRITERS.get(kind)
    if writer is None:
        text = write_rich_text(block[kind].get("rich_text", ()))
        return text or join([f"> Unsupported Notion block type: `{kind}`", f"```json\n{_INDENTED.text(block)}\n```"])
    return writer(block, block[kind])


def _heading(level: int) -> Callable[[Body, Body], str]:
    def write(block: Body, content: Body) -> str:
        line = f"{'#' * level} {write_rich_text(content['rich_text'])}"
        return f"<details><summary>{line}</summary>" if content.get("is_toggleable") else line

    return write


def _led(lead: str) -> Callable[[Body, Body], str]:
    return lambda block, content: f"{lead} {write_rich_text(content['rich_text'])}"


def _to_do(block: Body, content: Body) -> str:
    return f"- [{'x' if content.get('checked') else ' '}] {write_rich_text(content['rich_text'])}"


def _toggle(block: Body, content: Body) -> str:
    return f"<details>\n<summary>{write_rich_text(content['rich_text']) or 'Toggle'}</summary>\n\n</details>"


def _callout(block: Body, content: Body) -> str:
    icon = content.get("icon") or {}
    kind = icon.get("type", "")
    shown = icon.get("emoji", "") if kind == "emoji" else icon[kind]["url"] if kind in ("external", "file") else ""
    return _lines(" ".join(part for part in (shown, write_rich_text(content["rich_text"])) if part))


def _code(block: Body, content: Body) -> str:
    code = words(content["rich_text"])
    fence = "````" if "```" in code else "```"
    caption = write_rich_text(content.get("caption", ()))
    return f"{fence}{content['language']}\n{code}\n{fence}" + (f"\n\nCaption: {caption}" if caption else "")


def file_url(content: Body) -> str:
    """Return the address of a file."""
    kind = content["type"]
    return str(content[kind]["url"]) if kind in ("external", "file") else ""


def _media(label: str, *, is_image: bool = False) -> Callable[[Body, Body], str]:
    def write(block: Body, content: Body) -> str:
        url = file_url(content)
        text = write_rich_text(content.get("caption", ())) or content.get("name") or label
        if is_image and url:
            return f"![{_label(re.sub(r'<[^>]+>', '', text))}]({url})"
        return _link(text, url)

    return write


def _bookmark(block: Body, content: Body) -> str:
    return _link(words(content.get("caption", ())) or content["url"], content["url"])


def _link_to_page(block: Body, content: Body) -> str:
    for key, label in (("page_id", "page"), ("data_source_id", "data source"), ("database_id", "database")):
        if content.get(key):
            return f"Link to {label}: `{content[key]}`"
    return "Link to page"


def _table(block: Body, content: Body) -> str:
    lines = [f"Table block: {content['table_width']} columns"]
    if content.get("has_column_header"):
        lines.append("- Has column header")
    if content.get("has_row_header"):
        lines.append("- Has row header")
    return "\n".join(lines)


def _row(block: Body, content: Body) -> str:
    cells = (write_rich_text(cell).replace("|", "\\|").replace("\n", " ") for cell in content["cells"])
    return f"| {' | '.join(cells)} |"


def _synced(block: Body, content: Body) -> str:
    source = content["synced_from"]
    return f"Synced block from `{source['block_id']}`" if source else "Original synced block"


def _fixed(text: str) -> Callable[[Body, Body], str]:
    return lambda block, content: text


def _child(kind: str) -> Callable[[Body, Body], str]:
    return lambda block, content: f"Child {kind}: **{content['title'] or 'Untitled'}** (id: `{block['id']}`)"


_WRITERS: Mapping[str, Callable[[Body, Body], str]] = {
    "paragraph": lambda block, content: write_rich_text(content["rich_text"]),
    "heading_1": _heading(1),
    "heading_2": _heading(2),
    "heading_3": _heading(3),
    "bulleted_list_item": _led("-"),
    "numbered_list_item": _led("1."),
    "to_do": _to_do,
    "toggle": _toggle,
    "quote": lambda block, content: _lines(write_rich_text(content["rich_text"])),
    "callout": _callout,
    "code": _code,
    "equation": lambda block, content: f"$$\n{content['expression']}\n$$",
    "divider": _fixed("---"),
    "image": _media("Image", is_image=True),
    "video": _media("Video"),
    "audio": _media("Audio"),
    "file": _media("File"),
    "pdf": _media("PDF"),
    "bookmark": _bookmark,
    "embed": _bookmark,
    "link_preview": lambda block, content: _link(content["url"], content["url"]),
    "child_page": _child("page"),
    "child_database": _child("database"),
    "link_to_page": _link_to_page,
    "table": _table,
    "table_row": _row,
    "table_of_contents": _fixed("[Table of contents block]"),
    "breadcrumb": _fixed("[Breadcrumb block]"),
    "column_list": _fixed("[Column list block]"),
    "column": _fixed("[Column block]"),
    "synced_block": _synced,
    "template": lambda block, content: f"Template: {write_rich_text(content['rich_text'])}",
    "unsupported": lambda block, content: f"> Unsupported Notion block. Raw block ID: `{block['id']}`",
}


def write_tree(nodes: Iterable[Body], depth: int = 0) -> str:
    """Return what was read of a page, each block with its id before it."""
    return "\n\n".join(part for part in (_node(node, depth) for node in nodes) if part)


def _node(node: Body, depth: int) -> str:
    omitted = node.get("children_omitted")
    return join(
        [
            f'<!-- notion:block id="{node["id"]}" type="{node["type"]}" -->',
            _indent(node["markdown"], depth if node["type"] in _NESTED else 0),
            f"> Children omitted because {omitted} was reached." if omitted else "",
            write_tree(node.get("children", ()), depth + 1),
        ]
    )


def _indent(text: str, depth: int) -> str:
    return "\n".join(f"{'  ' * depth}{line}" if line else line for line in text.split("\n"))
