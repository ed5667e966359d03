"""What a reader sees of a text, by the format in which it is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from farm.appkit.column_vocabulary import Format
from farm.appkit.formats.visible.html import visible_html
from farm.appkit.formats.visible.lark import (
    called_in_lark,
    visible_lark_fields,
    visible_lark_message,
    with_names_in_lark,
)
from farm.appkit.formats.visible.mail import visible_mail_html, visible_mail_text, visible_mime
from farm.appkit.formats.visible.markdown import LARK, visible_discord, visible_markdown, visible_reddit
from farm.appkit.formats.visible.model import VisibleText, without_struck
from farm.appkit.formats.visible.notion import visible_block, visible_property, visible_rich_text
from farm.appkit.formats.visible.obsidian import visible_obsidian
from farm.appkit.formats.visible.signs import doubts_of_signs, visible_signs
from farm.appkit.formats.visible.slack import (
    called_in_slack,
    visible_slack,
    visible_slack_blocks,
    with_names_in_slack,
)

__all__ = [
    "MARKDOWN_FORMATS",
    "VisibleText",
    "called_people",
    "visible_part_of_mail",
    "visible_text",
    "with_names",
    "without_struck",
]

_READERS: Mapping[Format, Callable[[str], VisibleText]] = {
    "plain": VisibleText.from_message,
    "markdown": visible_markdown,
    "html": visible_html,
    "mime": visible_mime,
    "slack": visible_slack,
    "discord": visible_discord,
    "reddit": visible_reddit,
    "lark_markdown": partial(visible_markdown, dialect=LARK),
    "obsidian": visible_obsidian,
    "wecom": partial(visible_markdown, dialect=LARK),
}
# A heading that was a paragraph, or emphasis, alters a text in these.
MARKDOWN_FORMATS: frozenset[Format] = frozenset({"markdown", "obsidian", "lark_markdown", "reddit", "discord"})
# Their values are JSON, parsed or not.
_JSON_READERS: Mapping[Format, Callable[[Any], VisibleText]] = {
    "slack_blocks": visible_slack_blocks,
    "lark_message": visible_lark_message,
    "lark_fields": visible_lark_fields,
    "notion_rich_text": visible_rich_text,
    "notion_block": visible_block,
    "notion_value": visible_property,
}


def visible_text(format: Format, stored: Any) -> VisibleText:
    """Return what a reader sees of a text as it is stored, a value of JSON or its text."""
    text = "" if stored is None else str(stored)
    visible = _JSON_READERS[format](stored) if format in _JSON_READERS else _READERS[format](text)
    return _displayed(visible)


def called_people(format: Format, text: str, row: Mapping[str, Any]) -> Mapping[str, str]:
    """Return mark → id of the people whom a text calls, where marks are stored that people see as names.

    Args:
        row: the text's row, which says who the marks are where they are no ids.
    """
    match format:
        case "slack":
            return {each: each for each in called_in_slack(text)}
        case "lark_message":
            return called_in_lark(row.get("mentions"))
    return {}


def with_names(format: Format, text: str, names: Mapping[str, str]) -> str:
    """Return a text with the names of the people whom it calls (mark → name)."""
    return (with_names_in_slack if format == "slack" else with_names_in_lark)(text, names)


def visible_part_of_mail(format: Format, stored: str | None) -> VisibleText:
    """Return the writer's own words in a part of a mail, which is plain text or HTML."""
    return _displayed((visible_mail_html if format == "html" else visible_mail_text)(stored or ""))


def _displayed(visible: VisibleText) -> VisibleText:
    """Return a text as its characters are displayed; what looks like a comment by now is one that people see."""
    doubts = doubts_of_signs(visible.screen)
    return visible.map(lambda part: visible_signs(part).replace("<!--", "< !--")).with_doubts(*doubts)
