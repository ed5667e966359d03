"""What a reader sees of messages and bases in Lark."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from farm.appkit.formats.visible.json_values import DEPTH_MAX, leaves, objects, parsed, text_in
from farm.appkit.formats.visible.links import doubt_about_link
from farm.appkit.formats.visible.markdown import LARK, visible_markdown
from farm.appkit.formats.visible.model import VisibleText, Writer

# What of a card people see, in the order in which they read it; not its settings or what a button sends.
_CARD_KEYS = (
    *("header", "title", "subtitle", "text_tag_list", "display_name", "label", "text", "content", "body", "fields"),
    *("columns", "elements", "placeholder", "options", "extra", "actions"),
)
# What is in its place for some readers, by the language of their program.
_TRANSLATIONS = ("i18n", "i18n_elements", "i18n_header", "i18n_content")
_ADDRESSES = ("url", "href", "multi_url", "card_link", "behaviors")
_UNREAD_TAGS = {"img": "a picture", "img_combination": "pictures", "media": "a video", "audio": "a sound"}
_UNREAD_TAGS |= {"chart": "a chart", "person": "a person's picture", "person_list": "people's pictures"}
_INLINE_TAGS = frozenset(("text", "a", "at", "emotion", "img", "media", "code_block", "md"))
_MARK = re.compile(r"@_user_\d+")
_AT = re.compile(r"<at\s(?:user_)?(?:id|email)=[\"']?([^\s\"'<>]{1,100})[\"']?\s*>([^<]{0,100})</at>")


def visible_lark_message(stored: Any) -> VisibleText:
    """Return what a reader sees of the content of a message: a text, a post or a card.

    Source: https://open.feishu.cn/document/server-docs/im-v1/message-content-description/create_json
    """
    content = parsed(stored)
    writer = Writer()
    if not isinstance(content, Mapping):
        return VisibleText.from_message(text_in(content))
    title = content.get("title")
    if isinstance(content.get("text"), str) and not {"elements", "header", "body"} & content.keys():
        writer.write(content["text"])
    elif isinstance(content.get("content"), list):
        writer.write(f"{text_in(title)}\n")
        for line in content["content"]:
            _write_line(writer, line)
    else:
        _write_card(writer, content, DEPTH_MAX)
    visible = writer.text()
    return visible.map(str.strip)


def called_in_lark(mentions: Any) -> dict[str, str]:
    """Return mark (``@_user_1``) → id of the people whom a message mentions."""
    return {str(each.get("key")): str(each.get("id")) for each in objects(parsed(mentions)) if "key" in each}


def with_names_in_lark(text: str, names: Mapping[str, str]) -> str:
    """Return a message with the names of the people whom it mentions (mark → name)."""
    return _MARK.sub(lambda found: f"@{names[found[0]]}" if found[0] in names else found[0], text)


def _write_line(writer: Writer, line: Any) -> None:
    for element in objects(line):
        _write_element(writer, element)
    writer.write("\n")


def _write_element(writer: Writer, element: Mapping[str, Any]) -> None:
    text, style = text_in(element.get("text")), element.get("style")
    match element.get("tag"):
        case "text" | "a":
            writer.write(text, is_struck=isinstance(style, list) and "lineThrough" in style)
            writer.doubt(doubt_about_link(text_in(element.get("href")), text))
        case "at":
            writer.write(f"@{text_in(element.get('user_name')) or text_in(element.get('user_id'))} ")
        case "code_block":
            writer.write_aside(f"\n{text}\n")
        case "emotion":
            writer.write(f":{text_in(element.get('emoji_type'))}:")
        case "md":
            _write_markdown(writer, text)
        case "img" | "media":
            _doubt_unread(writer, element)


def _doubt_unread(writer: Writer, element: Mapping[str, Any]) -> None:
    """Doubt what is shown and cannot be read."""
    if what := _UNREAD_TAGS.get(text_in(element.get("tag"))):
        key = next((text_in(element[name]) for name in ("image_key", "img_key", "file_key") if name in element), "")
        writer.doubt(f"{what} {key}".strip())


def _write_markdown(writer: Writer, text: str) -> None:
    visible = visible_markdown(_AT.sub(_called, text) if "<at" in text else text, LARK)
    writer.doubts.update(dict.fromkeys(visible.doubts))
    if visible.screen == visible.message:
        writer.write(visible.message)
    else:
        writer.write_both(visible.message, visible.screen)


def _called(found: re.Match[str]) -> str:
    return "@all" if found[1] == "all" else f"@{found[2]}"


def _write_card(writer: Writer, value: Any, depth: int) -> None:
    """Write a card, or a part of one, in the order in which it is read."""
    if not depth:
        return
    if isinstance(value, list):
        if any(each.get("tag") in _INLINE_TAGS and isinstance(each.get("text"), str) for each in objects(value)):
            _write_line(writer, value)
            return
        for each in value:
            _write_card(writer, each, depth - 1)
    elif isinstance(value, str):
        _write_markdown(writer, value)
        writer.write("\n")
    elif isinstance(value, Mapping):
        _write_component(writer, value, depth)


def _write_component(writer: Writer, component: Mapping[str, Any], depth: int) -> None:
    """Write a component of a card."""
    _doubt_unread(writer, component)
    for name in _TRANSLATIONS:
        if component.get(name):
            writer.doubt("its words in another language")
    for name in _ADDRESSES:
        for address in leaves(component.get(name), depth):
            writer.doubt(doubt_about_link(address, ""))
    if component.get("tag") in ("img", "hr"):
        return
    if component.get("tag") == "plain_text":
        writer.write(f"{text_in(component.get('content'))}\n")
        return
    if isinstance(rows := component.get("rows"), list):
        writer.write("".join(f"{text}\n" for text in leaves(rows, depth)))
    for key in _CARD_KEYS:
        if key in component:
            _write_card(writer, component[key], depth - 1)


def visible_lark_fields(stored: Any) -> VisibleText:
    """Return what a reader sees of a record's fields, or of one: of segments and links the words.

    Source: https://open.feishu.cn/document/server-docs/docs/bitable-v1/app-table-record/bitable-record-data-structure-overview
    """
    value = parsed(stored)
    cells = value.values() if isinstance(value, Mapping) and "text" not in value else [value]
    return VisibleText.from_message("\n".join(map(_cell, cells)))


def _cell(value: Any) -> str:
    value = parsed(value)
    if isinstance(value, Mapping) and isinstance(value.get("text"), str):
        return str(value["text"])
    if isinstance(value, list) and any(isinstance(each.get("text"), str) for each in objects(value)):
        return "".join(text_in(each.get("text")) for each in objects(value))
    return "\n".join(leaves(value))
