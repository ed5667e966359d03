"""The types of blocks: what a request may say of each, and what is kept of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from farm.appkit import Episode

from . import errors
from .languages import LANGUAGES
from .request_validation import TEXT_COLORS, RequestField, fault, refuse
from .rich_texts import read_rich_text

Content = dict[str, Any]

_MEDIA = ("image", "video", "pdf", "file", "audio")
_LINKS = ("page_id", "database_id", "comment_id")
_TEXTS = ("bulleted_list_item", "numbered_list_item", "toggle", "quote")
# In the order in which the API tells which of them it wanted.
CREATABLE = (
    *("embed", "bookmark", *_MEDIA, "code", "equation", "divider", "breadcrumb", "table_of_contents", "link_to_page"),
    *("table_row", "table", "column_list", "column", "heading_1", "heading_2", "heading_3", "heading_4", "paragraph"),
    *("bulleted_list_item", "numbered_list_item", "quote", "to_do", "toggle", "template", "callout", "synced_block"),
)
_HEADINGS = ("heading_1", "heading_2", "heading_3", "heading_4")
# Which may have others below them; a heading only where it can be toggled.
PARENTS = frozenset(
    ("paragraph", *_TEXTS, *_HEADINGS, "to_do", "template", "callout", "synced_block", "table", "column_list", "column")
)
_URL_MAX, _CAPTION = 2000, "caption"
_WEB = re.compile(r"https?://[^\s/?#]+\S*", re.IGNORECASE)


def block_type(block: RequestField) -> str:
    """Return which type a request says a block is of.

    Raises:
        Invalid: it says none, or two.
    """
    named = [kind for kind in CREATABLE if kind in block.value]
    if not named:
        raise refuse(*(fault(f"{block.path}.{kind}", "defined") for kind in CREATABLE))
    kind = named[0]
    if "type" in block.value:
        block.at("type").one_of((kind,))
    if "object" in block.value:
        block.at("object").one_of(("block",))
    block.only("object", "type", kind)
    return kind


def read_content(ep: Episode, kind: str, content: RequestField) -> Content:
    """Return what is kept of a new block's content, in the order in which the API shows it.

    Raises:
        Invalid: something is missing, wrong or too much.
    """
    content.a("object")
    allowed, made = _READERS[kind](ep, content)
    content.only(*allowed, *(("children",) if kind in PARENTS else ()))
    return made


def change_content(ep: Episode, kind: str, content: RequestField, old: Content) -> Content:
    """Return a block's content with what a request changes in it.

    Raises:
        Invalid: something is wrong, or cannot be changed.
    """
    content.a("object")
    if kind == "table":
        content.only("has_column_header", "has_row_header")
        changes = {key: content.at(key).a("boolean").value for key in content.value}
        return {**old, **changes}
    if "children" in content.value:
        raise content.at("children").fault("not present")
    if kind in _MEDIA:
        return {**old, **_changed_media(ep, kind, content)}
    # What is left out stays: read it with what the block holds in its place.
    merged = RequestField({**_sent_anew(old), **content.value}, content.path)
    return read_content(ep, kind, merged)


def _sent_anew(old: Content) -> Content:
    return {key: value for key, value in old.items() if key != "icon" or value is not None}


def _changed_media(ep: Episode, kind: str, content: RequestField) -> Content:
    changed: Content = {}
    if _CAPTION in content.value:
        changed[_CAPTION] = read_rich_text(ep, content.at(_CAPTION))
    if "external" in content.value:
        changed |= {"type": "external", "external": {"url": _url(content.at("external").a("object").at("url"))}}
        changed["file"] = None
    if "name" in content.value and kind == "file":
        changed["name"] = content.at("name").a("string").value
    return {key: value for key, value in changed.items() if value is not None}


Read = tuple[tuple[str, ...], Content]


def _color(content: RequestField) -> str:
    color = content.at("color")
    return str(color.one_of(TEXT_COLORS).value) if color.is_there else "default"


def _flag(content: RequestField, key: str) -> bool:
    given = content.at(key)
    return bool(given.a("boolean").value) if given.is_there else False


def _optional_text(ep: Episode, content: RequestField, key: str) -> list[Content]:
    given = content.at(key)
    return read_rich_text(ep, given) if given.is_there else []


def _url(place: RequestField) -> str:
    return str(place.a("string").most(_URL_MAX).value)


def _text(ep: Episode, content: RequestField) -> Read:
    made = {"rich_text": read_rich_text(ep, content.at("rich_text")), "color": _color(content)}
    return ("rich_text", "color"), made


def _paragraph(ep: Episode, content: RequestField) -> Read:
    text = read_rich_text(ep, content.at("rich_text"))
    return ("rich_text", "icon", "color"), {"rich_text": text, "icon": _icon(content, None), "color": _color(content)}


def _heading(ep: Episode, content: RequestField) -> Read:
    text = read_rich_text(ep, content.at("rich_text"))
    made = {"rich_text": text, "is_toggleable": _flag(content, "is_toggleable"), "color": _color(content)}
    return ("rich_text", "color", "is_toggleable"), made


def _to_do(ep: Episode, content: RequestField) -> Read:
    text = read_rich_text(ep, content.at("rich_text"))
    made = {"rich_text": text, "checked": _flag(content, "checked"), "color": _color(content)}
    return ("rich_text", "color", "checked"), made


def _icon(content: RequestField, default: Content | None) -> Content | None:
    given = content.at("icon")
    if not given.is_there or given.value is None:
        return default
    return read_icon(given)


def read_icon(place: RequestField) -> Content:
    """Return an icon: an emoji, or a picture by its address."""
    icon = place.a("object")
    if "emoji" in icon.value:
        return {"type": "emoji", "emoji": icon.at("emoji").a("string").value}
    if "external" in icon.value:
        return {"type": "external", "external": {"url": _url(icon.at("external").a("object").at("url"))}}
    raise refuse(fault(f"{icon.path}.emoji", "defined"), fault(f"{icon.path}.external", "defined"))


def read_cover(place: RequestField) -> Content:
    """Return a cover: a picture by its address."""
    cover = place.a("object")
    return {"type": "external", "external": {"url": _url(cover.at("external").a("object").at("url"))}}


def _callout(ep: Episode, content: RequestField) -> Read:
    text = read_rich_text(ep, content.at("rich_text"))
    icon = _icon(content, {"type": "emoji", "emoji": "💡"})
    return ("rich_text", "icon", "color"), {"rich_text": text, "icon": icon, "color": _color(content)}


def _code(ep: Episode, content: RequestField) -> Read:
    caption = _optional_text(ep, content, _CAPTION)
    text = read_rich_text(ep, content.at("rich_text"))
    language = content.at("language").one_of(LANGUAGES).value
    return (_CAPTION, "rich_text", "language"), {_CAPTION: caption, "rich_text": text, "language": language}


def _template(ep: Episode, content: RequestField) -> Read:
    return ("rich_text",), {"rich_text": read_rich_text(ep, content.at("rich_text"))}


def _equation(ep: Episode, content: RequestField) -> Read:
    return ("expression",), {"expression": content.at("expression").a("string").most(1000).value}


def _empty(ep: Episode, content: RequestField) -> Read:
    return (), {}


def _contents(ep: Episode, content: RequestField) -> Read:
    return ("color",), {"color": _color(content)}


def _bookmark(ep: Episode, content: RequestField) -> Read:
    url = _url(content.at("url"))
    return (_CAPTION, "url"), {_CAPTION: _optional_text(ep, content, _CAPTION), "url": url}


def _media(ep: Episode, content: RequestField) -> Read:
    caption = _optional_text(ep, content, _CAPTION)
    if "file_upload" in content.value:
        # No tool of the server uploads, so there is no upload to name.
        upload = content.at("file_upload").a("object").at("id").uuid()
        raise errors.Invalid(f"Could not find file_upload with ID: {upload}.")
    if "external" not in content.value:
        raise refuse(fault(f"{content.path}.external", "defined"), fault(f"{content.path}.file_upload", "defined"))
    url = _url(content.at("external").a("object").at("url"))
    return (_CAPTION, "type", "external"), {_CAPTION: caption, "type": "external", "external": {"url": url}}


def _image(ep: Episode, content: RequestField) -> Read:
    allowed, made = _media(ep, content)
    if not _WEB.fullmatch(made["external"]["url"]):
        raise errors.InvalidAddress("Invalid image url.")
    return allowed, made


def _file(ep: Episode, content: RequestField) -> Read:
    allowed, made = _media(ep, content)
    name = content.at("name")
    given = name.a("string").value if name.is_there else made["external"]["url"].rsplit("/", 1)[-1]
    return (*allowed, "name"), {**made, "name": given}


def _link_to_page(ep: Episode, content: RequestField) -> Read:
    kind = next((each for each in _LINKS if each in content.value), None)
    if kind is None:
        raise refuse(*(fault(f"{content.path}.{each}", "defined") for each in _LINKS))
    return ("type", kind), {"type": kind, kind: content.at(kind).uuid()}


def _table(ep: Episode, content: RequestField) -> Read:
    width = content.at("table_width").a("number")
    if width.value < 1:
        raise width.fault("≥ `1`")
    rows = content.at("children").a("array")
    if not rows.value:
        raise refuse(fault(f"{rows.path}.length", "≥ `1`", 0))
    flags = {key: _flag(content, key) for key in ("has_column_header", "has_row_header")}
    return ("table_width", *flags), {"table_width": int(width.value), **flags}


def _table_row(ep: Episode, content: RequestField) -> Read:
    cells = content.at("cells").a("array")
    return ("cells",), {"cells": [read_rich_text(ep, cell) for cell in cells.items()]}


def _column(ep: Episode, content: RequestField) -> Read:
    ratio = content.at("width_ratio")
    return ("width_ratio",), {"width_ratio": ratio.a("number").value} if ratio.is_there else {}


def _synced_block(ep: Episode, content: RequestField) -> Read:
    source = content.at("synced_from").given()
    if source.value is None:
        return ("synced_from",), {"synced_from": None}
    block_id = source.a("object").at("block_id").uuid()
    return ("synced_from",), {"synced_from": {"type": "block_id", "block_id": block_id}}


_READERS: Mapping[str, Callable[[Episode, RequestField], Read]] = {
    **dict.fromkeys(_TEXTS, _text),
    **dict.fromkeys(_HEADINGS, _heading),
    **dict.fromkeys(("embed", "bookmark"), _bookmark),
    **dict.fromkeys(("video", "pdf", "audio"), _media),
    **dict.fromkeys(("divider", "breadcrumb", "column_list"), _empty),
    "image": _image,
    "file": _file,
    "paragraph": _paragraph,
    "to_do": _to_do,
    "callout": _callout,
    "code": _code,
    "template": _template,
    "equation": _equation,
    "table_of_contents": _contents,
    "link_to_page": _link_to_page,
    "table": _table,
    "table_row": _table_row,
    "column": _column,
    "synced_block": _synced_block,
}
