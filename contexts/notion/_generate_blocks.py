"""Pages' texts: a Markdown of few forms, as people write it into a world, and the blocks that are made of it.

Lines are paragraphs; ``#`` to ``###`` headings, ``-`` and ``1.`` items, ``- [ ]`` and ``- [x]`` to-dos, ``>`` quotes,
``!! 💡`` callouts, ``+`` toggles, ``---`` dividers, fenced code, ``| a | b |`` tables with a header,
``![caption](address)`` pictures, a bare address a bookmark. Two spaces before a line put it below the one before. In
a line: ``**bold**``, ``*italic*``, ``~~struck~~``, `` `code` ``, ``[words](address)``, and the references ``user``,
``page`` and ``doc``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from farm.appkit.world_spec import WorldError

RichText = list[dict[str, Any]]
Mention = Callable[[str, str], dict[str, Any]]

_INLINE = re.compile(
    r"\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*\s][^*]*)\*|~~(?P<strikethrough>[^~]+)~~|`(?P<code>[^`]+)`"
    r"|\[(?P<words>[^\]]+)\]\((?P<url>[^)]+)\)|\ue000(?P<kind>user|page|doc):(?P<key>[^\ue001]+)\ue001"
)
# Around a reference whose words are not made yet: two characters that no text has.
OPEN, CLOSE = "\ue000", "\ue001"
_STYLES = ("bold", "italic", "strikethrough", "underline", "code")
_LINES = (
    (re.compile(r"- \[( |x)\] (.*)"), "to_do"),
    (re.compile(r"(###|##|#) (.*)"), "heading"),
    (re.compile(r"(-) (.*)"), "bulleted_list_item"),
    (re.compile(r"(\d+\.) (.*)"), "numbered_list_item"),
    (re.compile(r"(>) (.*)"), "quote"),
    (re.compile(r"(\+) (.*)"), "toggle"),
    (re.compile(r"!! (\S+) (.*)"), "callout"),
)
_PICTURE = re.compile(r"!\[([^\]]*)\]\((\S+)\)")


@dataclass
class Block:
    """A block with those below it."""

    type: str
    content: dict[str, Any]
    children: list[Block] = field(default_factory=list)


def item(what: dict[str, Any], words: str, href: str | None = None, style: str | None = None) -> dict[str, Any]:
    """Return one piece of rich text."""
    annotations = {**{each: each == style for each in _STYLES}, "color": "default"}
    return {**what, "annotations": annotations, "plain_text": words, "href": href}


def text_item(words: str, url: str | None = None, style: str | None = None) -> dict[str, Any]:
    """Return a piece of plain, styled or linked text."""
    link = None if url is None else {"url": url}
    return item({"type": "text", "text": {"content": words, "link": link}}, words, url, style)


def rich_text(line: str, mention: Mention) -> RichText:
    """Return what a line says, piece by piece."""
    made, at = [], 0
    for found in _INLINE.finditer(line):
        if found.start() > at:
            made.append(text_item(line[at : found.start()]))
        at = found.end()
        if found["kind"]:
            made.append(mention(found["kind"], found["key"]))
        elif found["words"]:
            made.append(text_item(found["words"], found["url"]))
        else:
            style = next(each for each in _STYLES if each != "underline" and found[each])
            made.append(text_item(found[style], style=style))
    return [*made, text_item(line[at:])] if at < len(line) else made


class Reader:
    """Makes blocks of one text."""

    def __init__(self, mention: Mention, where: str) -> None:
        self.mention, self.where = mention, where

    def read(self, text: str) -> list[Block]:
        """Return the blocks at the top."""
        root: list[Block] = []
        open_blocks: list[list[Block]] = [root]
        lines = iter(text.strip("\n").split("\n"))
        for line in lines:
            if not line.strip():
                continue
            depth = (len(line) - len(line.lstrip(" "))) // 2
            if depth >= len(open_blocks):
                raise WorldError(f"{self.where}: '{line.strip()}' stands too deep")
            block = self._block(line.strip(), lines)
            del open_blocks[depth + 1 :]
            if block is None:
                continue
            if block.type == "table_row":
                self._add_row(open_blocks[depth], block)
                continue
            open_blocks[depth].append(block)
            open_blocks.append(block.children)
        return root

    def _add_row(self, among: list[Block], row: Block) -> None:
        if not among or among[-1].type != "table":
            width = len(row.content["cells"])
            among.append(Block("table", {"table_width": width, "has_column_header": True, "has_row_header": False}))
        among[-1].children.append(row)

    def _block(self, line: str, lines: Iterator[str]) -> Block | None:
        if line == "---":
            return Block("divider", {})
        if line.startswith("```"):
            code = []
            for each in lines:
                if each.strip() == "```":
                    break
                code.append(each)
            text = [text_item("\n".join(code))]
            return Block("code", {"caption": [], "rich_text": text, "language": line[3:] or "plain text"})
        if line.startswith("|"):
            if set(line) <= set("|- "):
                return None
            cells = [rich_text(cell.strip(), self.mention) for cell in line.strip("|").split("|")]
            return Block("table_row", {"cells": cells})
        if found := _PICTURE.fullmatch(line):
            caption = rich_text(found[1], self.mention) if found[1] else []
            return Block("image", {"caption": caption, "type": "external", "external": {"url": found[2]}})
        if re.fullmatch(r"https?://\S+", line):
            return Block("bookmark", {"caption": [], "url": line})
        return self._text_block(line)

    def _text_block(self, line: str) -> Block:
        for pattern, kind in _LINES:
            if found := pattern.fullmatch(line):
                text = {"rich_text": rich_text(found[2], self.mention)}
                if kind == "heading":
                    return Block(f"heading_{len(found[1])}", {**text, "is_toggleable": False, "color": "default"})
                more: dict[str, Any] = {"checked": found[1] == "x"} if kind == "to_do" else {}
                if kind == "callout":
                    more = {"icon": {"type": "emoji", "emoji": found[1]}}
                return Block(kind, {**text, **more, "color": "gray_background" if kind == "callout" else "default"})
        return Block("paragraph", {"rich_text": rich_text(line, self.mention), "icon": None, "color": "default"})
