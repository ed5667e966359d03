"""What a reader sees of a message in Slack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

from farm.appkit.formats.visible.json_values import DEPTH_MAX, parsed, text_in
from farm.appkit.formats.visible.links import doubt_about_link
from farm.appkit.formats.visible.model import VisibleText, Writer

_PART = re.compile(
    r"```(?P<block>.{0,4000}?)```"
    r"|`(?P<code>[^`\n]{1,1000})`"
    r"|<(?P<link>[^<>|\n]{1,3000})(?:\|(?P<words>[^<>\n]{0,1000}))?>"
    r"|(?<![\w~])~(?=[^\s~])(?P<struck>[^~\n]{1,2000})(?<=\S)~(?![\w~])",
    re.DOTALL,
)
_ENTITY = re.compile("&(?:amp|lt|gt);")
_EVERYBODY = ("!channel", "!here", "!everyone")
_CALLED = re.compile(r"<@([A-Z0-9]+)>")
_COMMAND = re.compile(r"!(?:subteam\^)?([a-z][a-z0-9]*|S[A-Z0-9]+)")


def visible_slack(text: str) -> VisibleText:
    """Return what a reader sees of mrkdwn: of links the words, of mentions the name.

    Source: https://docs.slack.dev/messaging/formatting-message-text
    """
    writer = Writer()
    _write(writer, text)
    return writer.text()


def called_in_slack(text: str) -> set[str]:
    """Return the ids of the people whom a message calls."""
    return set(_CALLED.findall(text))


def with_names_in_slack(text: str, names: Mapping[str, str]) -> str:
    """Return a message with the names of the people whom it calls (id → name)."""
    return _CALLED.sub(lambda found: f"<@{found[1]}|{names[found[1]]}>" if found[1] in names else found[0], text)


def visible_slack_blocks(stored: Any) -> VisibleText:
    """Return what a reader sees of blocks or attachments: no alternative texts of pictures, and no values of buttons.

    Source: https://docs.slack.dev/reference/block-kit/blocks
    """
    writer = Writer()
    _write_block(writer, parsed(stored), DEPTH_MAX)
    return writer.text()


def _write(writer: Writer, text: str) -> None:
    start = 0
    for found in _PART.finditer(text):
        writer.write(_unescaped(text[start : found.start()]))
        start = found.end()
        if found["block"] is not None:
            writer.write_aside(_unescaped(found[0]))
        elif found["code"] is not None:
            writer.write(_unescaped(found["code"]))
        elif found["struck"] is not None:
            for part in _without_links(found["struck"]):
                writer.write(_unescaped(part), is_struck=True)
        else:
            _write_link(writer, found["link"], found["words"])
    writer.write(_unescaped(text[start:]))


def _without_links(text: str) -> Iterator[str]:
    yield re.sub(r"<[^<>|]{1,3000}\|([^<>]{0,1000})>", r"\1", text)


def _write_link(writer: Writer, link: str, words: str | None) -> None:
    if link in _EVERYBODY:  # shown so, whatever words follow
        writer.write(f"@{link[1:]}")
    elif words and link[0] in "@#":
        writer.write(f"{link[0]}{_unescaped(words)}")
    elif words:
        writer.write(_unescaped(words))
        if link.startswith("!date^"):
            writer.doubt("a date that the program works out")
        elif link[0] != "!":
            writer.doubt(doubt_about_link(_unescaped(link), _unescaped(words)))
    elif link.startswith("!"):
        command = _COMMAND.fullmatch(link)
        if command:
            writer.write(f"@{command[1]}")
            writer.doubt("whom it calls" if link.startswith("!subteam^") else None)
        else:
            writer.write_aside(_unescaped(link))
    else:
        writer.write(_unescaped(link.removeprefix("mailto:")))


def _unescaped(text: str) -> str:
    return _ENTITY.sub(lambda entity: unescape(entity[0]), text) if "&" in text else text


def _write_block(writer: Writer, value: Any, depth: int) -> None:
    if not depth:
        return
    if isinstance(value, list):
        for each in value:
            _write_block(writer, each, depth - 1)
        return
    if not isinstance(value, Mapping):
        return
    kind, text = value.get("type"), value.get("text")
    style = value.get("style")
    if kind == "rich_text_preformatted":
        inside = Writer()
        _write_block(inside, value.get("elements"), depth - 1)
        writer.write_aside(f"\n{inside.take()[1]}\n")
        return
    if isinstance(text, str) and kind in ("text", "link", "plain_text"):
        writer.write(text, is_struck=isinstance(style, Mapping) and style.get("strike") is True)
        writer.doubt(doubt_about_link(text_in(value.get("url")), text) if kind == "link" else None)
        writer.write("\n" if kind == "plain_text" else "")
    elif isinstance(text, str):
        _write(writer, f"{text}\n")
    elif kind == "link":
        writer.write(text_in(value.get("url")))
    for key in ("pretext", "title", "text", "fields", "value", "elements", "accessory", "blocks"):
        inner = value.get(key)
        if isinstance(inner, (list, Mapping)):
            _write_block(writer, inner, depth - 1)
        elif (isinstance(inner, str) and key in ("pretext", "title")) or (key == "value" and "short" in value):
            _write(writer, f"{text_in(inner)}\n")
    if str(kind).startswith("rich_text_"):
        writer.write("\n")
