"""Markdown's blocks as marked 14 finds them: GitHub's flavour, each with the very text it was read from.

The plugin looks those texts up in the document again, so how far each one reaches decides what a patch hits. What is
inside a line matters for pictures alone, and is not taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from farm.appkit.formats.untrusted_regex import compile_sent

# Counted, not left to Python's stack: how much of that is left differs from one way here to another.
_DEPTH_MAX = 100
_BLANK = re.compile(r"(?:[ \t]*(?:\n|\Z))+")
_INDENTED = re.compile(r"(?:(?: {4}| {0,3}\t)[^\n]+(?:\n(?:[ \t]*(?:\n|\Z))*)?)+")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})[^\n]*(?:\n|\Z)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=\s|\Z)([^\n]*)(?:\n+|\Z)")
_MARKS = r"((?:-{blank}){{3,}}|(?:_{blank}){{3,}}|(?:\*{blank}){{3,}})(?:\n+|\Z)"
_RULE = re.compile(" {0,3}" + _MARKS.format(blank=r"[\t ]*"))
_QUOTE = re.compile(r" {0,3}>")
_QUOTE_MARK = re.compile(r"^ {0,3}>[ \t]?", re.MULTILINE)
_SETEXT_LOOK = re.compile(r"\n {0,3}((?:=+|-+) *)(?=\n|\Z)")
_BULLET = r"(?:[*+-]|\d{1,9}[.)])"
_LIST = re.compile(rf"( {{0,3}}{_BULLET})(?:[ \t][^\n]+?)?(?:\n|\Z)", re.ASCII)
_TASK = re.compile(r"\[[ xX]\] +")
_UNDERLINE = re.compile(r" {0,3}(=+|-+) *(?:\n+|\Z)")
_NO_SETEXT = re.compile(
    rf"{_BULLET} |(?: {{4}}| {{0,3}}\t)| {{0,3}}(?:`{{3,}}|~{{3,}})| {{0,3}}>| {{0,3}}#{{1,6}}| {{0,3}}<[^\n>]+>\n",
    re.ASCII,
)
_LINE = re.compile(r"[^\n]+")
_LABEL = r"(?!\s*\])(?:\\.|[^\[\]\\])+"
_TITLE = r""""(?:\\"?|[^"\\])*"|'[^'\n]*(?:\n[^'\n]+)*\n?'|\([^()]*\)"""
_DEFINITION = re.compile(
    rf" {{0,3}}\[{_LABEL}\]: *(?:\n[ \t]*)?(?:[^<\s]\S*|<.*?>)"
    rf"(?:(?: +(?:\n[ \t]*)?| *\n[ \t]*)(?:{_TITLE}))? *(?:\n+|\Z)"
)
_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    "menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|"
    "tr|track|ul"
)
_RAW_TAGS = "script|pre|style|textarea"
_TO_BLANK_LINE = r"[\s\S]*?(?:(?:\n[ \t]*)+\n|\Z)"
_ATTRIBUTE = r""" +[a-zA-Z:_][\w.:-]*(?: *= *"[^"\n]*"| *= *'[^'\n]*'| *= *[^\s"'=<>`]+)?"""
_HTML = re.compile(
    r" {0,3}(?:"
    rf"<({_RAW_TAGS})[\s>][\s\S]*?(?:</\1>[^\n]*\n+|\Z)"
    r"|<!--(?:-?>|[\s\S]*?(?:-->|\Z))[^\n]*(?:\n+|\Z)"
    r"|<\?[\s\S]*?(?:\?>\n*|\Z)"
    r"|<![A-Z][\s\S]*?(?:>\n*|\Z)"
    r"|<!\[CDATA\[[\s\S]*?(?:\]\]>\n*|\Z)"
    rf"|</?(?:{_BLOCK_TAGS})(?: +|\n|/?>){_TO_BLANK_LINE}"
    rf"|<(?!{_RAW_TAGS})[a-z][\w-]*(?:{_ATTRIBUTE})*? */?>(?=[ \t]*(?:\n|\Z)){_TO_BLANK_LINE}"
    rf"|</(?!{_RAW_TAGS})[a-z][\w-]*\s*>(?=[ \t]*(?:\n|\Z)){_TO_BLANK_LINE}"
    r")",
    re.IGNORECASE,
)
_FENCE_BEGINS = r" {0,3}(?:`{3,}(?=[^`\n]*\n)|~{3,})[^\n]*\n"
_HTML_BEGINS = rf"</?(?:{_BLOCK_TAGS})(?: +|\n|/?>)|<(?:{_RAW_TAGS}|!--)"
# What ends a paragraph, and a table, where a line begins with it.
_INTERRUPTS = re.compile(
    rf"{_RULE.pattern}| {{0,3}}#{{1,6}}(?:\s|\Z)| {{0,3}}>|{_FENCE_BEGINS}| {{0,3}}(?:[*+-]|1[.)]) |{_HTML_BEGINS}"
)
_BLANKS_ONLY = re.compile(r" +\n")
_TABLE_HEAD = re.compile(r" *([^\n ][^\n]*)\n {0,3}((?:\| *)?:?-+:? *(?:\| *:?-+:? *)*(?:\| *)?)(\n|\Z)")
_TABLE_BLANK = re.compile(r" *\n")
_CODE_BEGINS = re.compile(r"(?: {4}| {0,3}\t)[^\n]")
# What a line's text is cut into: strong and stressed words, code, pictures and links. Roughly: marked knows more.
_INLINE = re.compile(
    r"(?P<code>(?<!`)`++)[^`].*?(?P=code)(?!`)|(?P<strong>\*\*|__)(?=\S)(?P<loud>.+?)(?P=strong)|(?P<mark>[*_])(?=\S)(?P<said>[^*_\n]+)(?P=mark)"
    r"|(?P<picture>!?)\[(?P<shown>[^\]\[]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)"
)


@dataclass(slots=True)
class Token:
    """One block.

    Attributes:
        kind: as marked names it.
        raw: the text it was read from, later lines without what a list or quote puts in front of them.
        text: what it says: a heading's words, or what there is to read inside.
        depth: a heading's level.
        inside: the blocks in it, in the order they are walked.
    """

    kind: str
    raw: str
    text: str = ""
    depth: int = 0
    inside: list[Token] = field(default_factory=list)


class TooDeepError(Exception):
    """Lists and quotes stand in each other deeper than anybody writes them."""


def lex(document: str) -> list[Token]:
    """Return the blocks of a document.

    Raises:
        TooDeepError: lists and quotes in it are nested more than a hundred deep.
    """
    return _Lexer().blocks(document.replace("\r\n", "\n").replace("\r", "\n"))


def walk(tokens: list[Token]) -> Iterator[Token]:
    """Yield every block, those inside others right behind them, then the text and pictures in each."""
    for token in tokens:
        yield token
        if token.kind in ("heading", "paragraph", "text") and token.text:
            yield from _inline(token.text)
        yield from walk(token.inside)


def _inline(text: str) -> Iterator[Token]:
    at = 0
    for found in _INLINE.finditer(text):
        if found.start() > at:
            yield Token("inline", text[at : found.start()])
        yield Token("image" if found["picture"] else "inline", found[0])
        said = found["loud"] or found["said"] or ("" if found["picture"] else found["shown"])
        if said:
            yield from _inline(said)
        at = found.end()
    if at < len(text):
        yield Token("inline", text[at:])


class _Lexer:
    """Reads blocks one behind the other; each kind is tried in turn where the last one ended."""

    def __init__(self) -> None:
        # Whether loose text is a paragraph; in a list's item it is not, until another list was read there.
        self.is_top = True
        self._depth = 0
        # How many quotes are being read again with what follows.
        self._again = 0
        # Up to here no line of the source is a heading's that is underlined.
        self._no_setext_until = 0

    def blocks(self, source: str, tokens: list[Token] | None = None) -> list[Token]:
        made: list[Token] = [] if tokens is None else tokens
        self._depth += 1
        if self._depth > _DEPTH_MAX:
            raise TooDeepError
        outer, self._no_setext_until = self._no_setext_until, 0
        at = 0
        while at < len(source):
            at = self._next(source, at, made)
        self.is_top = True
        self._no_setext_until = outer
        self._depth -= 1
        return made

    def _next(self, source: str, at: int, made: list[Token]) -> int:
        """Read one block into ``made`` and return where it ends."""
        last = made[-1] if made else None
        blank = _BLANK.match(source, at)
        if blank and blank[0]:
            if len(blank[0]) == 1 and last is not None:
                last.raw += "\n"
            else:
                made.append(Token("space", blank[0]))
            return blank.end()
        if indented := _INDENTED.match(source, at):
            if last is not None and last.kind in ("paragraph", "text"):
                last.raw += f"\n{indented[0]}"
            else:
                made.append(Token("code", indented[0]))
            return indented.end()
        for read in (_fenced, _heading, _rule, self._quote, self._list, _html):
            if token := read(source, at):
                made.append(token)
                return at + len(token.raw)
        if definition := _DEFINITION.match(source, at):
            if last is not None and last.kind in ("paragraph", "text"):
                last.raw += f"\n{definition[0]}"
                last.text += f"\n{definition[0]}"
            return definition.end()
        if token := _table(source, at) or self._setext(source, at):
            made.append(token)
            return at + len(token.raw)
        return self._words(source, at, made)

    def _words(self, source: str, at: int, made: list[Token]) -> int:
        if self.is_top:
            raw = source[at : _paragraph_end(source, at, has_tables=True)]
            made.append(Token("paragraph", raw, raw.removesuffix("\n")))
            return at + len(raw)
        line = _LINE.match(source, at)
        assert line is not None, "what is no line was blank"
        if made and made[-1].kind == "text":
            made[-1].raw += f"\n{line[0]}"
            made[-1].text += f"\n{line[0]}"
        else:
            made.append(Token("text", line[0], line[0]))
        return line.end()

    def _setext(self, source: str, at: int) -> Token | None:
        """Read a heading that is underlined; other blocks may not stand among its lines."""
        if at < self._no_setext_until or _NO_SETEXT.match(source, at):
            return None
        place = source.find("\n", at) + 1
        while 0 < place < len(source):
            if underline := _UNDERLINE.match(source, place):
                text = source[at : place - 1]
                return Token("heading", source[at : underline.end()], text, 1 if underline[1][0] == "=" else 2)
            line_end = source.find("\n", place)
            if line_end < 0 or not source[place:line_end].strip() or _NO_SETEXT.match(source, place):
                break
            place = line_end + 1
        self._no_setext_until = place
        return None

    # -- quotes -------------------------------------------------------------------------------------------------------

    def _quote(self, source: str, at: int) -> Token | None:
        end = _quote_end(source, at)
        if end == at:
            return None
        lines = source[at:end].rstrip("\n").split("\n")
        read = 0
        raw = ""
        inside: list[Token] = []
        while read < len(lines):
            until = _marked_run(lines, read)
            here = "\n".join(lines[read:until])
            read = until
            raw = f"{raw}\n{here}" if raw else here
            was_top, self.is_top = self.is_top, True
            self._quoted_blocks(_QUOTE_MARK.sub("", _SETEXT_LOOK.sub(r"\n    \1", here)), inside)
            self.is_top = was_top
            last = inside[-1] if inside else None
            if read == len(lines) or last is None or last.kind not in ("code", "blockquote", "list"):
                continue
            if last.kind == "code":
                break
            # What follows goes on with a quote or list inside, which is read again with it.
            whole = f"{last.raw}\n" + "\n".join(lines[read:])
            self._again += 1
            if self._again > _DEPTH_MAX:
                raise TooDeepError
            again = self._quote(whole, 0) if last.kind == "blockquote" else self._list(whole, 0)
            self._again -= 1
            assert again is not None, "it was one before, with less behind it"
            inside[-1] = again
            raw = raw[: len(raw) - len(last.raw)] + again.raw
            if last.kind == "blockquote":
                break
            lines, read = whole[len(again.raw) :].split("\n"), 0
        return Token("blockquote", raw, inside=inside)

    def _quoted_blocks(self, text: str, inside: list[Token]) -> None:
        """Read on in a quote; a paragraph right behind another goes on with it."""
        before = len(inside)
        is_open = bool(inside) and inside[-1].kind == "paragraph"
        self.blocks(text, inside)
        if is_open and len(inside) > before and inside[before].kind == "paragraph":
            later = inside.pop(before)
            inside[before - 1].raw += f"\n{later.raw}"
            inside[before - 1].text += f"\n{later.text}"

    # -- lists --------------------------------------------------------------------------------------------------------

    def _list(self, source: str, at: int) -> Token | None:
        begun = _LIST.match(source, at)
        if begun is None:
            return None
        mark = begun[1].strip()
        bullet = rf"\d{{1,9}}\{mark[-1]}" if len(mark) > 1 else rf"\{mark}"
        items: list[Token] = []
        place = at
        while place < len(source) and (item := _item(source, place, bullet)):
            items.append(item)
            place += len(item.raw)
        if not items:
            return None
        whole = source[at:place]
        items[-1].raw = items[-1].raw.rstrip()
        items[-1].text = items[-1].text.rstrip()
        for item in items:
            self.is_top = False
            item.inside = self.blocks(item.text)
            item.text = ""
        return Token("list", whole.rstrip(), inside=items)


# -- blocks of one kind -----------------------------------------------------------------------------------------------


def _fenced(source: str, at: int) -> Token | None:
    opened = _FENCE.match(source, at)
    if opened is None:
        return None
    closing = compile_sent(rf" {{0,3}}{opened[1]}[~`]* *(?=\n|\Z)")
    place = opened.end()
    while place < len(source):
        if closed := closing.match(source, place):
            return Token("code", source[at : closed.end()])
        line_end = source.find("\n", place)
        place = len(source) if line_end < 0 else line_end + 1
    return Token("code", source[at:])


def _heading(source: str, at: int) -> Token | None:
    found = _HEADING.match(source, at)
    if found is None:
        return None
    text = found[2].strip()
    if text.endswith("#"):
        trimmed = text.rstrip("#")
        if not trimmed or trimmed.endswith(" "):
            text = trimmed.strip()
    return Token("heading", found[0], text, len(found[1]))


def _rule(source: str, at: int) -> Token | None:
    found = _RULE.match(source, at)
    return Token("hr", found[0].rstrip("\n")) if found else None


def _html(source: str, at: int) -> Token | None:
    found = _HTML.match(source, at)
    return Token("html", found[0]) if found else None


def _paragraph_end(source: str, at: int, *, has_tables: bool) -> int:
    """Return where the paragraph ends, the line end behind it left out."""
    place = source.find("\n", at)
    while place >= 0:
        line = place + 1
        if line >= len(source) or source[line] == "\n" or _INTERRUPTS.match(source, line):
            return place
        if _BLANKS_ONLY.match(source, line) or (has_tables and _table_end(source, line)):
            return place
        place = source.find("\n", line)
    return len(source)


def _quote_end(source: str, at: int) -> int:
    """Return where a quote ends, the lines included that go on with a paragraph of it without a mark."""
    while mark := _QUOTE.match(source, at):
        inside = mark.end() + source.startswith(" ", mark.end())
        line_end = source.find("\n", mark.end())
        is_empty = inside >= len(source) or source[inside] == "\n"
        if not is_empty:
            line_end = _paragraph_end(source, inside, has_tables=False)
        at = len(source) if line_end < 0 or line_end >= len(source) else line_end + 1
    return at


def _marked_run(lines: list[str], since: int) -> int:
    """Return the place of the first line without a mark behind one with it."""
    is_marked = False
    for place in range(since, len(lines)):
        if _QUOTE.match(lines[place]):
            is_marked = True
        elif is_marked:
            return place
    return len(lines)


def _table_end(source: str, at: int) -> int | None:
    """Return where something that looks like a table ends."""
    head = _TABLE_HEAD.match(source, at)
    if head is None:
        return None
    place = head.end()
    if not head[3]:
        return place
    while place < len(source):
        if _TABLE_BLANK.match(source, place) or _INTERRUPTS.match(source, place) or _CODE_BEGINS.match(source, place):
            break
        line_end = source.find("\n", place)
        place = len(source) if line_end < 0 else line_end + 1
    while source.startswith("\n", place):
        place += 1
    return place


def _table(source: str, at: int) -> Token | None:
    end = _table_end(source, at)
    head = _TABLE_HEAD.match(source, at)
    if end is None or head is None or not re.search(r"[:|]", head[2]):
        return None
    aligns = re.sub(r"^\||\| *\Z", "", head[2]).split("|")
    names = _cells(head[1])
    if len(names) != len(aligns):
        return None
    rows = source[head.end() : end].strip("\n")
    cells = [*names, *(cell for row in rows.split("\n") if rows for cell in _cells(row)[: len(names)])]
    inside = [each for cell in cells if cell for each in _inline(cell)]
    return Token("table", source[at:end], inside=inside)


def _cells(row: str) -> list[str]:
    """Return the cells of a table's row; a bar behind a backslash is part of a cell."""
    cells = re.split(r"(?<!\\)(?:\\\\)*\|", row)
    if not cells[0].strip():
        del cells[0]
    if cells and not cells[-1].strip():
        del cells[-1]
    return [cell.strip().replace("\\|", "|") for cell in cells]


def _item_pattern(bullet: str) -> re.Pattern[str]:
    return re.compile(rf"( {{0,3}}{bullet})((?:[\t ][^\n]*)?(?:\n|\Z))", re.ASCII)


def _item_ends(most_blanks: int) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what ends an item: fence or heading, either again of the line before, a rule, another bullet or HTML."""
    most = f" {{0,{most_blanks}}}"
    return (
        re.compile(rf"{most}(?:```|~~~)"),
        re.compile(rf"{most}#"),
        re.compile(most + _MARKS.format(blank=" *")),
        re.compile(rf"{most}(?:{_BULLET}(?:[ \t][^\n]*)?(?:\n|\Z)|<(?:[a-zA-Z].*>|!--))", re.ASCII),
    )


_ITEM_ENDS = tuple(map(_item_ends, range(4)))


def _item(source: str, at: int, bullet: str) -> Token | None:
    """Read one item of a list: its line, and those below it that belong to it."""
    begun = _item_pattern(bullet).match(source, at)
    if begun is None or _RULE.match(source, at):
        return None
    end = begun.end()
    line = re.sub(r"^\t+", lambda tabs: "   " * len(tabs[0]), begun[2].split("\n", 1)[0])
    is_blank = not line.strip()
    if is_blank:
        indent, contents = len(begun[1]) + 1, ""
    else:
        first = _first_word(begun[2])
        first = 1 if first > 4 else first
        contents, indent = line[first:], first + len(begun[1])
    next_line = source[end : _line_end(source, end)]
    if is_blank and not next_line.strip(" \t"):
        end += len(next_line) + 1
    else:
        end, more = _item_lines(source, end, line, indent, is_blank=is_blank)
        contents += more
    task = _TASK.match(contents)
    # Behind the source's last line there is no line end.
    return Token("list_item", source[at:end], contents[task.end() :] if task else contents)


def _item_lines(source: str, at: int, line: str, indent: int, *, is_blank: bool) -> tuple[int, str]:
    """Return where the lines end that go on with an item, and what they say without its indentation."""
    fence, heading, rule, begins = _ITEM_ENDS[max(0, min(3, indent - 1))]
    contents: list[str] = []
    while at < len(source):
        raw_line = source[at : _line_end(source, at)]
        if any(each.match(raw_line) for each in (fence, heading, rule, begins)):
            break
        spaced = raw_line.replace("\t", "    ")
        if _first_word(spaced) >= indent or not raw_line.strip():
            contents.append(f"\n{spaced[indent:]}")
        else:
            is_code = _first_word(line.replace("\t", "    ")) >= 4
            if is_blank or is_code or fence.match(line) or heading.match(line) or rule.match(line):
                break
            contents.append(f"\n{raw_line}")
        is_blank = is_blank or not raw_line.strip()
        at += len(raw_line) + 1
        line = spaced[indent:]
    return at, "".join(contents)


def _line_end(source: str, at: int) -> int:
    end = source.find("\n", at)
    return len(source) if end < 0 else end


def _first_word(line: str) -> int:
    """Return the place of the first character that is no blank, or -1."""
    place = len(line) - len(line.lstrip(" "))
    return place if place < len(line) else -1
