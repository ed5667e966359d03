"""Markdown as a document keeps it: the blocks an import makes of it, and their plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

BLOCKS_MOST = 20_000
CELLS_MOST = 2_000
COLUMNS_MOST = 100
TEXT_MOST = 100_000

_FENCE = re.compile(r" {0,3}(```+|~~~+)(.*)")
# Blanks are matched from their first on and in one place only: else long ones are gone through again and again.
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:(?<![ \t])[ \t]+#+)?$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$")
_ORDERED = re.compile(r"[ \t]*\d")
_TODO = re.compile(r"\[([ xX])\][ \t]+(.*)$")
_QUOTE = re.compile(r" {0,3}>[ \t]?(.*)$")
_TABLE_RULE = re.compile(r"[ \t]*(\|[ \t]*)?:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*(\|[ \t]*)?$")
_CELL_BREAK = re.compile(r"(?<!\\)\|")

# Inline marks leave their text; links and pictures leave their words; a mention leaves the person's name.
# Lengths are bounded so that a text full of opening marks takes no more than linear time.
_MENTION = re.compile(r"<at (?:user_)?id=\"([^\"]{0,100})\">([^<]{0,200})</at>")
_INLINE: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"!\[([^\]]{0,500})\]\([^)]{0,2000}\)"), ""),
    (re.compile(r"\[([^\]]{0,500})\]\([^)]{0,2000}\)"), r"\1"),
    (re.compile(r"<(https?://[^>]{1,2000})>"), r"\1"),
    (re.compile(r"(\*\*|__)(?=\S)(.{1,500}?)(?<=\S)\1", re.DOTALL), r"\2"),
    (re.compile(r"~~(?=\S)(.{1,500}?)(?<=\S)~~", re.DOTALL), r"\1"),
    (re.compile(r"(?<![\w*])([*])(?=\S)([^*]{1,500}?)(?<=\S)\1(?![\w*])"), r"\2"),
    (re.compile(r"(?<!\w)_(?=\S)([^_]{1,500}?)(?<=\S)_(?!\w)"), r"\1"),
    (re.compile(r"\\([\\`*_{}\[\]()#+\-.!|~>])"), r"\1"),
)
# Ticks, code and as many ticks again; nobody writes more than a few, and a long run is not to be tried at every length.
_CODE = re.compile(r"(`{1,32})(.{1,500}?)\1")
_MARKED = re.compile(r"[`*_~<\[\\]")

# What a mention shows: open id and the name written in the text → the name to show.
Names = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Block:
    """One block: its kind (text, heading1 …, bullet, ordered, todo, quote, code, divider, cell) and its text."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Import:
    """The blocks of a text, and the vendor's numbers for what was too large and left off."""

    blocks: tuple[Block, ...]
    notices: tuple[str, ...]


def written_name(_open_id: str, name: str) -> str:
    """Show a mention as it was written."""
    return name


def read(markdown: str, names: Names = written_name) -> Import:
    """Return the blocks of a text, cut to what a document holds."""
    notices: set[str] = set()
    blocks: list[Block] = []
    for block in _blocks(markdown.replace("\r\n", "\n").split("\n"), names, notices):
        if len(blocks) == BLOCKS_MOST:
            notices.add("1000")
            break
        if len(block.text) > TEXT_MOST:
            notices.add("1003")
            block = replace(block, text=block.text[:TEXT_MOST])
        blocks.append(block)
    return Import(tuple(blocks), tuple(sorted(notices)))


def plain_text(title: str, markdown: str, names: Names = written_name) -> str:
    """Return a document's plain text: its title and every block on a line of its own."""
    lines = (block.text for block in read(markdown, names).blocks if block.kind != "divider")
    return "\n".join((title, *lines, ""))


def _blocks(lines: list[str], names: Names, notices: set[str]) -> Iterator[Block]:
    paragraph: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = _FENCE.match(line)
        is_table = "|" in line and at + 1 < len(lines) and "|" in lines[at + 1] and _TABLE_RULE.match(lines[at + 1])
        block = None if fence or is_table else _single(line, names)
        if paragraph and (fence or is_table or block or not line.strip()):
            yield Block("text", _inline("\n".join(paragraph), names))
            paragraph = []
        if fence:
            at, code = _code(lines, at, fence[1])
            yield code
        elif is_table:
            at, cells = _table(lines, at, names, notices)
            yield from cells
        else:
            if block:
                yield block
            elif line.strip():
                paragraph.append(line.strip())
            at += 1
    if paragraph:
        yield Block("text", _inline("\n".join(paragraph), names))


def _single(line: str, names: Names) -> Block | None:
    if heading := _HEADING.match(line.rstrip(" \t")):
        return Block(f"heading{len(heading[1])}", _inline(heading[2] or "", names))
    if _RULE.match(line):
        return Block("divider", "")
    if item := _ITEM.match(line):
        if todo := _TODO.match(item[1]):
            return Block("todo", _inline(todo[2], names))
        return Block("ordered" if _ORDERED.match(line) else "bullet", _inline(item[1], names))
    if quote := _QUOTE.match(line):
        return Block("quote", _inline(quote[1], names))
    return None


def _code(lines: list[str], at: int, fence: str) -> tuple[int, Block]:
    body: list[str] = []
    at += 1
    while at < len(lines):
        if (closing := lines[at].strip()).startswith(fence) and not closing.strip(fence[0]):
            return at + 1, Block("code", "\n".join(body))
        body.append(lines[at])
        at += 1
    return at, Block("code", "\n".join(body))


def _table(lines: list[str], at: int, names: Names, notices: set[str]) -> tuple[int, list[Block]]:
    rows = [_cells(lines[at])]
    at += 2
    while at < len(lines) and "|" in lines[at] and lines[at].strip():
        rows.append(_cells(lines[at]))
        at += 1
    if len(rows[0]) > COLUMNS_MOST:
        notices.add("1002")
    width = min(len(rows[0]), COLUMNS_MOST)
    if len(rows) * width > CELLS_MOST:
        notices.add("1001")
    cells = [cell for row in rows for cell in (row + [""] * width)[:width]][:CELLS_MOST]
    return at, [Block("cell", _inline(cell, names)) for cell in cells]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL_BREAK.split(line.strip().removeprefix("|").removesuffix("|"))]


def _inline(text: str, names: Names) -> str:
    if not _MARKED.search(text):
        return text
    parts = _CODE.split(text)
    # Between the parts stand, each time, the ticks and the code inside them, which is left as it is.
    plain = [_marks(part, names) for part in parts[::3]]
    codes = [code.strip() or code for code in parts[2::3]]
    return "".join(piece for pair in zip(plain, [*codes, ""], strict=True) for piece in pair)


def _marks(text: str, names: Names) -> str:
    text = _MENTION.sub(lambda match: f"@{names(match[1], match[2])}", text)
    for pattern, kept in _INLINE:
        text = pattern.sub(kept, text)
    return text


def mentioned(markdown: str) -> list[str]:
    """Return the open ids of the people a text mentions."""
    return [match[1] for match in _MENTION.finditer(markdown)]
