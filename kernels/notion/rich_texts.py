"""Rich text: what a request may hold, and how the API gives it back."""

from __future__ import annotations

import re
from typing import Any

from farm.appkit import Episode

from . import errors
from .access import Access, title_of
from .request_validation import TEXT_COLORS, RequestField, fault, refuse
from .times import date_value

RichText = list[dict[str, Any]]

_CONTENT_MAX, _ITEMS_MAX, _EXPRESSION_MAX, _URL_MAX = 2000, 100, 1000, 2000
_STYLES = ("bold", "italic", "strikethrough", "underline", "code")
_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*:\S+|/\S*|#\S*|[\w-]+(?:\.[\w-]+)+\S*)", re.I)
_MENTIONS = ("user", "date", "page", "database", "template_mention", "link_preview", "custom_emoji")


def rich(words: str) -> RichText:
    """Return words without any style."""
    return [_item({"type": "text", "text": {"content": words, "link": None}}, {}, words, None)] if words else []


def read_rich_text(ep: Episode, place: RequestField) -> RichText:
    """Return a rich text as it is kept and shown.

    Raises:
        Invalid: it is none, or too long.
    """
    items = place.a("array").most(_ITEMS_MAX).items()
    read = [_read_item(ep, each.a("object")) for each in items]
    return [each for each in read if each["plain_text"] or each["type"] != "text"]


def _read_item(ep: Episode, item: RequestField) -> dict[str, Any]:
    kinds = [kind for kind in ("text", "mention", "equation") if kind in item.value]
    if "type" in item.value:
        kind = item.at("type").one_of(("text", "mention", "equation")).value
        item.at(kind).a("object")
    elif not kinds:
        raise refuse(*(fault(f"{item.path}.{kind}", "defined") for kind in ("text", "mention", "equation")))
    else:
        kind = kinds[0]
    item.at(kind).a("object")
    annotations = _annotations(item)
    if kind == "text":
        return _read_text(item.at("text"), annotations)
    if kind == "equation":
        expression = item.at("equation").at("expression").a("string").most(_EXPRESSION_MAX).value
        return _item({"type": "equation", "equation": {"expression": expression}}, annotations, expression, None)
    return _read_mention(ep, item.at("mention"), annotations)


def _read_text(text: RequestField, annotations: dict[str, Any]) -> dict[str, Any]:
    content = text.at("content").a("string").most(_CONTENT_MAX).value
    url = None
    link = text.at("link")
    if link.is_there and link.value is not None:
        url = link.a("object").at("url").a("string").most(_URL_MAX).value
        if not _URL.fullmatch(url):
            raise errors.InvalidAddress("Invalid URL for link.")
    return _item(
        {"type": "text", "text": {"content": content, "link": url and {"url": url}}}, annotations, content, url
    )


def _read_mention(ep: Episode, mention: RequestField, annotations: dict[str, Any]) -> dict[str, Any]:
    kind = next((each for each in _MENTIONS if each in mention.value), None)
    if kind is None:
        raise refuse(*(fault(f"{mention.path}.{each}", "defined") for each in _MENTIONS))
    what = mention.at(kind).a("object")
    href: str | None = None
    value: dict[str, Any] = what.value
    if kind == "user":
        user_id = what.at("id").uuid()
        sql = "SELECT name FROM users WHERE id = ? AND workspace_id = ?"
        name = ep.db.scalar(sql, user_id, Access(ep).bot["workspace_id"])
        words, value = f"@{name or 'Anonymous'}", {"object": "user", "id": user_id}
    elif kind in ("page", "database"):
        target = what.at("id").uuid()
        # Of what is not shared with the integration it learns no title.
        row = Access(ep).find(f"{kind}s", target)
        words = (title_of(row) if row is not None else "") or "Untitled"
        value, href = {"id": target}, f"https://www.notion.so/{target.replace('-', '')}"
    elif kind == "date":
        value = date_value(what)
        words = value["start"] + (f" → {value['end']}" if value["end"] else "")
    elif kind == "template_mention":
        words = "@" + str(next((each for each in what.value.values() if each in ("today", "now", "me")), "today"))
    else:
        words = str(what.value.get("url", what.value.get("name", "")))
    return _item({"type": "mention", "mention": {"type": kind, kind: value}}, annotations, words, href)


def _annotations(item: RequestField) -> dict[str, Any]:
    given = item.at("annotations")
    if not given.is_there:
        return {}
    given.a("object").only(*_STYLES, "color")
    for style in _STYLES:
        if style in given.value:
            given.at(style).a("boolean")
    if "color" in given.value:
        given.at("color").one_of(TEXT_COLORS)
    return dict(given.value)


def _item(what: dict[str, Any], annotations: dict[str, Any], words: str, href: str | None) -> dict[str, Any]:
    styles = {style: annotations.get(style, False) for style in _STYLES}
    return {
        **what,
        "annotations": {**styles, "color": annotations.get("color", "default")},
        "plain_text": words,
        "href": href,
    }
