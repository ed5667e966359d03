"""What a reader sees of Notion's rich text, blocks and properties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit.formats.visible.json_values import leaves, objects, parsed, text_in
from farm.appkit.formats.visible.links import doubt_about_link
from farm.appkit.formats.visible.model import VisibleText, Writer, doubt_about_ticked


def visible_rich_text(stored: Any) -> VisibleText:
    """Return what a reader sees of a list of rich text objects; each of Notion's colours can be read on its background.

    Source: https://developers.notion.com/reference/rich-text
    """
    value = parsed(stored)
    if isinstance(value, str):
        return VisibleText.from_message(value)
    writer = Writer()
    _write_rich_text(writer, value)
    return writer.text()


def _write_rich_text(writer: Writer, value: Any) -> None:
    for each in objects(value):
        words, style = text_in(each.get("plain_text")), each.get("annotations")
        if each.get("type") == "equation":
            writer.write_aside(words)
        else:
            writer.write(words, is_struck=isinstance(style, Mapping) and style.get("strikethrough") is True)
            writer.doubt(doubt_about_link(text_in(each.get("href")), words) if each.get("type") == "text" else None)


def visible_block(stored: Any) -> VisibleText:
    """Return what a reader sees of a block's content. A block of code has a language.

    Source: https://developers.notion.com/reference/block
    """
    content = parsed(stored)
    if not isinstance(content, Mapping):
        return VisibleText.from_message(text_in(content))
    writer = Writer()
    if "language" in content:
        inside = Writer()
        _write_rich_text(inside, content.get("rich_text"))
        writer.write_aside(inside.take()[1])
    else:
        _write_rich_text(writer, content.get("rich_text"))
    for cell in content["cells"] if isinstance(content.get("cells"), list) else ():
        _write_rich_text(writer, cell)
        writer.write(" | ")
    writer.write(text_in(content.get("title")))
    if caption := content.get("caption"):
        writer.write("\n")
        _write_rich_text(writer, caption)
    for shown in ("expression", "url"):
        if isinstance(content.get(shown), str):
            writer.write_aside(content[shown])
    visible = writer.text()
    return visible.with_doubts(doubt_about_ticked(visible.message)) if content.get("checked") is True else visible


def visible_property(stored: Any) -> VisibleText:
    """Return what a reader sees of a property: of rich text the words, of everything else all values.

    Source: https://developers.notion.com/reference/page-property-values
    """
    value = parsed(stored)
    if any("plain_text" in each for each in objects(value)):
        return visible_rich_text(value)
    return VisibleText.from_message("\n".join(leaves(value)))
