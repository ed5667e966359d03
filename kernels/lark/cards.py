"""Cards as they are read: kept as sent, shown in the simplified form that the platform gives out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .post_markdown import AT, Element, Mention

# What a card of the second form is read as: its content is given to nobody.
UPGRADE = "请升级至最新版本客户端，以查看内容"
# Columns inside columns, no deeper.
NESTED_MOST = 5
_LINK_OR_AT = re.compile(AT.pattern + r"|\[([^\[\]]+)\]\(([^\s()]+)\)", re.DOTALL)
_SIGNS = re.compile(r"\*{1,3}|~{2}|</?font[^>]*>")


def is_second_form(card: Mapping[str, Any]) -> bool:
    """Return whether a card has a ``body``, as cards of version 2.0 have."""
    return card.get("schema") == "2.0" or "body" in card


def texts(value: Any) -> Iterator[str]:
    """Yield every text of a card, in order."""
    left = [value]
    while left:
        match left.pop():
            case str() as text:
                yield text
            case list() as items:
                left.extend(reversed(items))
            case dict() as members:
                left.extend(reversed(members.values()))


def simplified(card: dict[str, Any], mention: Mention) -> dict[str, Any]:
    """Return a card as it is read: a title, and for each component a paragraph of tags.

    A card that a world holds in this form already stays as it is.
    """
    if "title" in card and "header" not in card:
        return card
    title = _content(_find_object(card, "header").get("title")) or None
    if is_second_form(card):
        return {"title": title, "elements": [[{"tag": "text", "text": UPGRADE}]]}
    components: Any = card.get("elements") or next(iter(_find_object(card, "i18n_elements").values()), None)
    return {"title": title, "elements": list(_paragraphs(components, mention, NESTED_MOST))}


def _objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list: cards come from agents, and anything may stand anywhere."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _find_object(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _content(value: Any) -> str:
    """Return what a text object, or a text, says."""
    if isinstance(value, dict):
        value = value.get("content", "")
    return value if isinstance(value, str) else ""


def _paragraphs(components: Any, mention: Mention, nested: int) -> Iterator[list[Element]]:
    for component in _objects(components):
        if component.get("tag") == "column_set":
            for column in _objects(component.get("columns")) if nested else ():
                yield from _paragraphs(column.get("elements"), mention, nested - 1)
        elif found := list(_tags(component, mention)):
            yield found


def _tags(component: dict[str, Any], mention: Mention) -> Iterator[Element]:
    match component.get("tag"):
        case "hr":
            yield {"tag": "hr"}
        case "markdown":
            yield from _words(_content(component), mention)
        case "div":
            yield from _words(_content(component.get("text")), mention)
            for each in _objects(component.get("fields")):
                yield from _words(_content(each.get("text")), mention)
            for each in _objects([component.get("extra")]):
                yield from _widget(each)
        case "img":
            yield from _words(_content(component.get("title")), mention)
            yield {"tag": "img", "image_key": component.get("img_key", "")}
        case "note":
            inside = _objects(component.get("elements"))
            yield {"tag": "note", "elements": [tag for each in inside for tag in _noted(each, mention)]}
        case "action":
            for each in _objects(component.get("actions")):
                yield from _widget(each)


def _noted(each: dict[str, Any], mention: Mention) -> Iterator[Element]:
    if each.get("tag") == "img":
        yield {"tag": "img", "image_key": each.get("img_key", "")}
    else:
        yield from _words(_content(each), mention)


def _words(text: str, mention: Mention) -> Iterator[Element]:
    start = 0
    for found in _LINK_OR_AT.finditer(text):
        if words := _SIGNS.sub("", text[start : found.start()]):
            yield {"tag": "text", "text": words}
        start = found.end()
        yield mention(found[1]) if found[1] else {"tag": "a", "href": found[4], "text": found[3]}
    if words := _SIGNS.sub("", text[start:]):
        yield {"tag": "text", "text": words}


def _widget(widget: dict[str, Any]) -> Iterator[Element]:
    tag, placeholder = widget.get("tag"), _content(widget.get("placeholder"))
    options = [_content(each.get("text")) for each in _objects(widget.get("options"))]
    match tag:
        case "button":
            yield {"tag": tag, "text": _content(widget.get("text")), "type": widget.get("type", "default")}
        case "select_static" | "select_person":
            yield {"tag": tag, "options": options, "placeholder": placeholder}
        case "overflow":
            yield {"tag": tag, "options": options}
        case "date_picker" | "picker_time" | "picker_datetime":
            initial = {"initial_date": widget["initial_date"]} if "initial_date" in widget else {}
            yield {"tag": tag, "placeholder": placeholder, **initial}
        case "img":
            yield {"tag": "img", "image_key": widget.get("img_key", "")}
