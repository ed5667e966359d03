"""What a reader sees of a note in Obsidian."""

from __future__ import annotations

import re
from collections.abc import Iterator

from farm.appkit.formats.visible.markdown import OBSIDIAN, visible_markdown
from farm.appkit.formats.visible.model import VisibleText

_FENCE = re.compile(r"[ \t]*(?:>[ \t]*)*(`{3,}|~{3,})")
_PROPERTIES = re.compile(r"---[ \t]*\n(.*?)(?<=\n)---[ \t]*(?:\n|\Z)", re.DOTALL)
_CODE = re.compile(r"(`+)(?!`)[^\n]{1,500}?(?<!`)\1(?!`)")
_COMMENT = re.compile(r"%%([^%]{1,2000})%%")  # its owner sees it while editing
_SHOWN_MAX = 60  # characters of a comment that a doubt names
_BLOCK_ID = re.compile(r"(?:^|(?<![ \t])[ \t]+)\^[A-Za-z0-9-]+[ \t]*$", re.MULTILINE)
_MARK = re.compile(r"==(?=\S)([^=\n]{1,500}?)(?<=\S)==")


def visible_obsidian(text: str) -> VisibleText:
    """Return what a reader sees of a note in reading view.

    Comments (``%%``), ids of blocks, embedded notes and reference definitions are not visible. Properties (the
    frontmatter), blocks of code and formulas are on the screen only.

    Source: https://help.obsidian.md/syntax, https://help.obsidian.md/properties
    """
    text = text.replace("\r\n", "\n")
    properties = ""
    if found := _PROPERTIES.match(text):
        properties = "\n".join(line for line in found[1].split("\n") if not line.lstrip().startswith("#"))
        text = text[found.end() :]
    hidden = list[str]()
    if "%%" in text:
        hidden = [f"a comment: {words.strip()[:_SHOWN_MAX]}" for words in _COMMENT.findall(text) if words.strip()]
        text = "\n".join(_without_comments(text.split("\n")))
    visible = visible_markdown(text, OBSIDIAN).map(_without_marks).with_doubts(*hidden)
    if not properties:
        return visible
    return VisibleText(visible.message, f"{properties}\n{visible.screen}", visible.doubts)


def _without_marks(text: str) -> str:
    return _MARK.sub(r"\1", _BLOCK_ID.sub("", text))


def _without_comments(lines: list[str]) -> Iterator[str]:
    """Yield the lines without comments; code has none, and an unclosed comment extends to the end."""
    fence, is_comment = "", False
    for line in lines:
        if not is_comment and (mark := _FENCE.match(line)):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence) and line.strip().strip(mark[1][0]) == "":
                fence = ""
            yield line
        elif fence:
            yield line
        else:
            visible, is_comment = _without_comment(line, is_comment)
            yield visible


def _without_comment(line: str, is_comment: bool) -> tuple[str, bool]:
    """Return what of a line is outside comments, and whether a comment goes on behind it."""
    code = [found.span() for found in _CODE.finditer(line)] if "`" in line else []
    visible, start, at = list[str](), 0, line.find("%%")
    while at >= 0:
        inside = next((end for begin, end in code if begin < at < end), None)
        if inside is not None and not is_comment:
            at = line.find("%%", inside)
            continue
        if not is_comment:
            visible.append(line[start:at])
        is_comment, start = not is_comment, at + 2
        at = line.find("%%", start)
    if not is_comment:
        visible.append(line[start:])
    return "".join(visible), is_comment
