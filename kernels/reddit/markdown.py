"""Reddit's Markdown as HTML: what stands in ``body_html`` and ``selftext_html``.

The blocks of a text: paragraphs, headings, quotes, spoilers, lists in lists, code, rules and tables, by the rules of
Snudown, the renderer that Reddit published, facts only; ``markdown_spans`` has what stands inside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .markdown_links import escape
from .markdown_spans import to_html as inline

_EMPTY = re.compile(r" *\Z")
_RULE = re.compile(r" {0,3}([-*_])(?: *\1){2,} *\Z")
_UNDERLINE = re.compile(r"(?:(=+)|-+) *\Z")
_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,}) *(?:\{(?P<braced>[^}]*)\}|(?P<language>\S*))\s*\Z")
_HEADING = re.compile(r"(#{1,6}) *(.*)")
_QUOTE, _SPOILER = re.compile(r" {0,3}>(?!!) ?"), re.compile(r" {0,3}>!(?!.*!<) ?")
_BULLET, _NUMBER = re.compile(r" {0,3}[-*+] "), re.compile(r" {0,3}[0-9]+\. ")
_COLUMN = re.compile(r" *(:?)-*(:?) *")
_ALIGNED = {(True, False): "left", (False, True): "right", (True, True): "center"}
_COLUMNS_MAX, _DEPTH_MAX = 64, 8


def to_html(text: str) -> str:
    """Return a text as Reddit shows it, inside its ``md`` frame."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).split("\n")
    return f'<div class="md">{_blocks(lines, 0)}</div>'


def selftext_html(text: str) -> str | None:
    """Return a post's text as HTML; None for an empty one."""
    return f"<!-- SC_OFF -->{to_html(text)}<!-- SC_ON -->" if text.strip() else None


def _blocks(lines: list[str], depth: int) -> str:
    """Return blocks one below the other; what is nested too deep is shown as a paragraph."""
    if depth >= _DEPTH_MAX:
        return _paragraph(lines)
    return "\n".join(_each_block(lines, depth))


def _each_block(lines: list[str], depth: int) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if found := _HEADING.match(line):
            at += 1
            if words := found[2].rstrip("#").rstrip(" "):
                yield f"<h{len(found[1])}>{inline(words)}</h{len(found[1])}>\n"
        elif _EMPTY.match(line):
            at += 1
        elif _RULE.match(line):
            at += 1
            yield "<hr/>\n"
        elif found := _FENCE.match(line):
            begun, at = at + 1, _end_of_fence(lines, at + 1)
            yield _code(lines[begun:at], (found["braced"] or found["language"] or "").strip())
            at += 1
        elif (columns := _columns(lines, at)) is not None:
            begun, at = at, _end_of_table(lines, at + 2)
            yield _table(lines[begun], lines[begun + 2 : at], columns)
        elif _QUOTE.match(line) or _SPOILER.match(line):
            mark, kind = (_QUOTE, "") if _QUOTE.match(line) else (_SPOILER, ' class="md-spoiler-text"')
            quoted, at = _quoted(lines, at, mark)
            yield f"<blockquote{kind}>\n{_blocks(quoted, depth + 1)}</blockquote>\n"
        elif line.startswith("    "):
            begun = at
            while at < len(lines) and (lines[at].startswith("    ") or _EMPTY.match(lines[at])):
                at += 1
            code = [each[4:] for each in lines[begun:at]]
            while _EMPTY.match(code[-1]):
                code.pop()
            yield _code(code, "")
        elif _begins_item(lines, at, _BULLET) or _begins_item(lines, at, _NUMBER):
            listed = _List(lines, is_numbered=not _BULLET.match(line), depth=depth)
            at = listed.read(at)
            yield listed.html()
        else:
            begun, at = at, _end_of_paragraph(lines, at)
            level = _level(lines[at]) if at < len(lines) else 0
            if level:
                if at - 1 > begun:
                    yield _paragraph(lines[begun : at - 1])
                yield f"<h{level}>{inline(lines[at - 1]) if at > begun else ''}</h{level}>\n"
                at += 1
            else:
                yield _paragraph(lines[begun:at])


def _level(line: str) -> int:
    """Return which heading an underline makes of what stands above it, or 0."""
    found = _UNDERLINE.match(line)
    return 0 if found is None else 1 if found[1] else 2


def _end_of_paragraph(lines: list[str], at: int) -> int:
    begun = at
    while at < len(lines):
        line = lines[at]
        if _EMPTY.match(line) or _level(line):
            break
        # Lists, code and spoilers wait for an empty line.
        if at > begun and (_QUOTE.match(line) or line.startswith("#") or _RULE.match(line)):
            break
        at += 1
    return at


def _paragraph(lines: list[str]) -> str:
    return f"<p>{inline(chr(10).join(lines).lstrip())}</p>\n"


def _code(lines: list[str], language: str) -> str:
    text = "".join(f"{'' if _EMPTY.match(line) else line}\n" for line in lines)
    kind = f' class="md-code-language-{escape(language.removeprefix("."))}"' if language else ""
    return f"<pre><code{kind}>{escape(text)}</code></pre>\n"


def _end_of_fence(lines: list[str], at: int) -> int:
    while at < len(lines):
        found = _FENCE.match(lines[at])
        if found is not None and not (found["braced"] or found["language"]):
            return at
        at += 1
    # What nobody closed goes on to the end, where no line is left.
    while at and not lines[at - 1]:
        at -= 1
    return at


def _quoted(lines: list[str], at: int, mark: re.Pattern[str]) -> tuple[list[str], int]:
    """Return what stands in a quote without its marks, and where it ends: lines without a mark belong to it, too."""
    inside: list[str] = []
    while at < len(lines):
        line = lines[at]
        if found := mark.match(line):
            line = line[found.end() :]
        elif _EMPTY.match(line):
            following = lines[at + 1] if at + 1 < len(lines) else ""
            if not mark.match(following) and (not _EMPTY.match(following) or at + 1 >= len(lines)):
                break
        inside.append(line)
        at += 1
    return inside, at


# -- tables -----------------------------------------------------------------------------------------------------------


def _cells(row: str) -> list[str]:
    row = row.strip()
    return [cell.strip() for cell in row.removeprefix("|").removesuffix("|").split("|")]


def _columns(lines: list[str], at: int) -> list[str] | None:
    """Return how the columns are aligned of a table that begins here; None: none does."""
    if "|" not in lines[at] or at + 1 >= len(lines):
        return None
    count = len(_cells(lines[at]))
    rules = lines[at + 1].removeprefix("|").rstrip().removesuffix("|").split("|")
    found = [_COLUMN.fullmatch(rule) if rule.strip() else None for rule in rules[:count]]
    if count > _COLUMNS_MAX or len(found) < count or None in found:
        return None
    return [_ALIGNED.get((bool(each[1]), bool(each[2])), "") for each in found if each is not None]


def _end_of_table(lines: list[str], at: int) -> int:
    while at < len(lines) and "|" in lines[at]:
        at += 1
    return at


def _table(head: str, rows: list[str], columns: list[str]) -> str:
    body = "".join(_row(row, "td", columns) for row in rows)
    return f"<table><thead>\n{_row(head, 'th', columns)}</thead><tbody>\n{body}</tbody></table>\n"


def _row(row: str, tag: str, columns: list[str]) -> str:
    cells = _cells(row)[: len(columns)]
    aligned = [f' align="{each}"' if each else "" for each in columns]
    made = [f"<{tag}{side}>{inline(cell)}</{tag}>\n" for side, cell in zip(aligned, cells, strict=False)]
    if left := len(columns) - len(cells):
        wide = f' colspan="{left}" ' if left > 1 else ""
        made.append(f"<{tag}{wide}{aligned[len(cells)]}></{tag}>\n")
    return f"<tr>\n{''.join(made)}</tr>\n"


# -- lists ------------------------------------------------------------------------------------------------------------


def _begins_item(lines: list[str], at: int, mark: re.Pattern[str]) -> bool:
    is_underlined = at + 1 < len(lines) and _level(lines[at + 1]) > 0
    return mark.match(lines[at]) is not None and not is_underlined


@dataclass
class _List:
    """A list that is being read.

    Attributes:
        is_loose: an empty line stood in it, so its items are of blocks from there on.
    """

    lines: list[str]
    is_numbered: bool
    depth: int
    is_loose: bool = False
    is_over: bool = False
    items: list[str] = field(default_factory=list)

    def read(self, at: int) -> int:
        """Read all items and return where the list ends."""
        while at < len(self.lines) and not self.is_over:
            mark = _BULLET.match(self.lines[at]) or _NUMBER.match(self.lines[at])
            if mark is None or not (_begins_item(self.lines, at, _BULLET) or _begins_item(self.lines, at, _NUMBER)):
                break
            at = self._read_item(at, mark.end())
        return at

    def html(self) -> str:
        """Return what was read."""
        tag = "ol" if self.is_numbered else "ul"
        return f"<{tag}>\n{''.join(f'<li>{item}</li>{chr(10)}' for item in self.items)}</{tag}>\n"

    def _read_item(self, at: int, text_at: int) -> int:
        lines, first = self.lines, self.lines[at]
        indent = min(3, len(first) - len(first.lstrip(" ")))
        held, below, is_after_empty, in_fence = [first[text_at:]], 0, False, False
        at += 1
        while at < len(lines):
            line = lines[at]
            if _EMPTY.match(line):
                is_after_empty = True
                at += 1
                continue
            own = min(4, len(line) - len(line.lstrip(" ")))
            line = line[own:]
            in_fence ^= _FENCE.match(line) is not None
            bullet, number = (not in_fence and mark.match(line) is not None for mark in (_BULLET, _NUMBER))
            if is_after_empty and (bullet if self.is_numbered else number):
                self.is_over = True
                break
            if number or (bullet and not _RULE.match(line)):
                self.is_loose |= is_after_empty
                if own == indent:
                    break
                below = below or len(held)
            elif is_after_empty and own == 0:
                self.is_over = True
                break
            elif is_after_empty:
                held.append("")
                self.is_loose = True
            is_after_empty = False
            held.append(line)
            at += 1
        self.items.append(self._item(held, below))
        return at

    def _item(self, held: list[str], below: int) -> str:
        """Return an item: its own lines, and from ``below`` on the list in it."""
        own, nested = (held[:below], held[below:]) if below else (held, [])
        made = _blocks(own, self.depth + 1) if self.is_loose else inline("".join(f"{line}\n" for line in own))
        if nested:
            made += f"\n{_blocks(nested, self.depth + 1)}"
        return made.rstrip("\n")
