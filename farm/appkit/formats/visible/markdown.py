"""What a reader sees of Markdown, in the dialects of the apps.

A text keeps its lines and the marks before them (headings, items, quotations); what is not visible is taken out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from farm.appkit.formats.html_parser import LinearHTMLParser
from farm.appkit.formats.visible.elements import OpenElements
from farm.appkit.formats.visible.html import VisibleHtmlReader
from farm.appkit.formats.visible.links import doubt_about_link, doubt_about_picture
from farm.appkit.formats.visible.model import VisibleText, Writer, doubt_about_ticked

# A text without any of these has nothing to take out.
_MARKED = re.compile(r"[`~<\[\\&$%|]|^(?: {4}|[ \t]*\t|---)|>!|!\[|\^", re.MULTILINE)
_BLOCK_MAX = 10_000  # characters of a block between $$
_SPAN_MAX = 500  # characters of a span; a longer one is text
_FOOTNOTE = re.compile(r"^( {0,3})\[\^", re.MULTILINE)
_BULLET = re.compile(r"^([ \t>]*)[*+](?=[ \t])", re.MULTILINE)
_LINE_END = re.compile(r"(?<![ \t\r])[ \t\r]+$", re.MULTILINE)
_DISCORD_EMOJI = re.compile(r"<a?(:\w{2,32}:)\d{1,20}>")
_SPOILER_LINE = re.compile(r"^( {0,3})>!", re.MULTILINE)
_TICKED = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[xX-]\][ \t]")


@dataclass(frozen=True)
class Dialect:
    """The constructs of one app's Markdown.

    Attributes:
        has_html: whether HTML is interpreted; otherwise it is shown as written.
        disabled: rules of CommonMark and GitHub's tables and strikethrough that the app lacks.
        spans: further constructs inside a line: name → what opens and closes it.
        has_wiki_links: whether ``[[note|words]]`` is a link and ``![[note]]`` an embedded note.
    """

    has_html: bool = True
    disabled: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    has_wiki_links: bool = False


@dataclass(frozen=True)
class Span:
    """A construct inside a line whose content is on the screen and no message: a spoiler, a formula."""

    opens: str
    closes: str
    is_tight: bool = False  # no blank inside its ends, and no digit follows: $x$, not 5$ or $6


_FORMULAS = (Span("$$", "$$"), Span("$", "$", is_tight=True))
COMMONMARK = Dialect(spans=_FORMULAS[:1])
OBSIDIAN = Dialect(spans=_FORMULAS, has_wiki_links=True)
# https://support.discord.com/hc/en-us/articles/210298617: no tables, pictures or indented code; spoilers.
DISCORD = Dialect(
    has_html=False,
    disabled=("table", "image", "code", "reference", "lheading", "hr", "entity"),
    spans=(Span("||", "||"),),
)
# Snudown has no inline HTML; a spoiler is >!…!<.
REDDIT = Dialect(has_html=False, spans=(Span(">!", "!<"),))
LARK = Dialect(disabled=("code", "lheading"), spans=_FORMULAS[:1])


def visible_markdown(text: str, dialect: Dialect = COMMONMARK) -> VisibleText:
    """Return what a reader sees of a Markdown text; blanks at the ends of lines go, and all bullets are hyphens."""
    if not _MARKED.search(text):
        return VisibleText.from_message(_with_tidy_lines(text))
    source = _FOOTNOTE.sub(r"\1\\[^", text.replace("\r\n", "\n").replace("\r", "\n"))
    page = _Page(source.split("\n"))
    page.read(_parser(dialect).parse(source))
    return page.text().map(_with_tidy_lines)


def visible_discord(text: str) -> VisibleText:
    """Return what a reader sees of a message in Discord; an emoji of a server's own is shown by its name.

    Source: https://support.discord.com/hc/en-us/articles/210298617
    """
    return visible_markdown(_DISCORD_EMOJI.sub(r"\1", text), DISCORD)


def visible_reddit(text: str) -> VisibleText:
    """Return what a reader sees of a post or comment on Reddit.

    Source: https://support.reddithelp.com/hc/en-us/articles/360043033952
    """
    # A spoiler at the beginning of a line is no quotation; the character before it is not displayed.
    return visible_markdown(_SPOILER_LINE.sub("\\1\u200b>!", text), REDDIT)


def _with_tidy_lines(text: str) -> str:
    return _BULLET.sub(r"\1-", _LINE_END.sub("", text))


@dataclass
class _Page:
    """The lines of a text, filled with what is visible of them."""

    source: Sequence[str]
    message: list[str] = field(init=False)
    screen: list[str] = field(init=False)
    elements: OpenElements = field(default_factory=OpenElements)
    doubts: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.message = [""] * len(self.source)
        self.screen = [""] * len(self.source)

    def read(self, tokens: Sequence[Token]) -> None:
        """Fill the lines that the tokens cover."""
        cells: list[tuple[str, str]] | None = None
        row = 0
        for token in tokens:
            first = token.map[0] if token.map else 0
            match token.type:
                case "inline" if cells is not None:
                    cells.append(self._inline(token))
                case "inline":
                    self._lines(token, first)
                case "tr_open":
                    cells, row = [], first
                case "tr_close":
                    self._row(cells or [], row)
                    cells = None
                case "table_open":
                    self._keep(first + 1)
                case "fence" | "code_block" if token.map:
                    for number in range(first, min(token.map[1], len(self.source))):
                        self.screen[number] = self.source[number] if not self.elements.is_hidden else ""
                case "html_block":
                    self._html(token.content, first)
                case "hr":
                    self._keep(first)

    def _keep(self, number: int) -> None:
        self.message[number] = self.screen[number] = self.source[number]

    def _row(self, cells: Sequence[tuple[str, str]], number: int) -> None:
        self.message[number] = f"| {' | '.join(message for message, _ in cells)} |"
        self.screen[number] = f"| {' | '.join(screen for _, screen in cells)} |"

    def _html(self, html: str, first: int) -> None:
        reader = VisibleHtmlReader(self.elements)
        reader.parse_as_browsers(html)
        self._put(first, reader.text().replace("~~~~", ""))
        if self.elements.is_hidden or self.elements.is_struck:
            self.doubts["an element that hides text and does not end in its block"] = None

    def _put(self, first: int, words: str) -> None:
        self.message[first] = self.screen[first] = words

    def _inline(self, token: Token) -> tuple[str, str]:
        depth = self.elements.depth
        parts = _InlineReader(self.elements).read(token.children or ())
        if self.elements.depth > depth and (self.elements.is_hidden or self.elements.is_struck):
            self.doubts["an element that hides text and does not end in its block"] = None
        self.elements.close_to(depth)
        return parts

    def _lines(self, token: Token, first: int) -> None:
        """Put a paragraph's words behind the marks of its lines."""
        marks = list(self._marks(token, first))
        for line in self.source[first : first + len(marks)]:
            if ticked := _TICKED.match(line):
                self.doubts[doubt_about_ticked(line[ticked.end() :])] = None
        for side, words in zip((self.message, self.screen), self._inline(token), strict=True):
            for number, line in enumerate(words.split("\n")):
                mark = marks[number] if number < len(marks) and line.strip() else ""
                at = first + min(number, len(marks) - 1)
                side[at] = f"{mark}{line}" if number < len(marks) else f"{side[at]}\n{line}"

    def _marks(self, token: Token, first: int) -> Iterator[str]:
        """Yield what stands before the words of each line: ``## ``, ``- ``, ``> ``."""
        for number, content in enumerate(token.content.split("\n"), first):
            line = self.source[number] if number < len(self.source) else ""
            yield line[: max(0, line.find(content.strip()))] if content.strip() else ""

    def text(self) -> VisibleText:
        """Return the whole text."""
        message, screen = ("\n".join(lines).rstrip() for lines in (self.message, self.screen))
        return VisibleText(message, screen).with_doubts(*self.doubts, *self.elements.doubts)


class _InlineReader:
    """Reads the words of one paragraph."""

    def __init__(self, elements: OpenElements) -> None:
        self._elements = elements
        self._writer = Writer()
        self._tags = _TagReader(elements)
        self._struck = 0
        self._address = ""  # of the link that is open
        self._words: list[str] = []

    def read(self, tokens: Sequence[Token]) -> tuple[str, str]:
        """Return the message and the screen."""
        for token in tokens:
            match token.type:
                case "text" | "text_special" | "code_inline":
                    self._write(token.content)
                case "softbreak" | "hardbreak":
                    self._write("\n")
                case "link_open":
                    self._address, self._words = str(token.attrGet("href") or ""), []
                case "link_close":
                    self._end_link()
                case "image" | "embedded" if not self._elements.is_hidden:
                    self._elements.doubts[doubt_about_picture(str(token.attrGet("src") or token.content))] = None
                case "s_open":
                    self._struck += 1
                case "s_close":
                    self._struck -= 1
                case "html_inline":
                    self._tags.parse(token.content)
                    if self._tags.has_break:
                        self._write("\n")
                case "aside" if not self._elements.is_hidden:
                    self._writer.write_aside(token.content)
        return self._writer.take()

    def _end_link(self) -> None:
        doubt = doubt_about_link(self._address, "".join(self._words))
        if doubt and self._words:
            self._elements.doubts[doubt] = None
        self._address = ""

    def _write(self, words: str) -> None:
        if self._address:
            self._words.append(words)
        if not self._elements.is_hidden:
            self._writer.write(words, is_struck=self._struck > 0 or self._elements.is_struck)


class _TagReader(LinearHTMLParser):
    """Opens and closes the element of one tag."""

    def __init__(self, elements: OpenElements) -> None:
        self._elements = elements
        self.has_break = False

    def parse(self, html: str) -> None:
        """Read one tag or comment."""
        self.has_break = False
        super().parse(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        self._elements.open(tag, attrs)
        self.has_break |= tag == "br"

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        self._elements.close(tag)


_InlineRule = Callable[[StateInline, bool], bool]


@lru_cache(maxsize=16)
def _parser(dialect: Dialect) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": dialect.has_html}).enable(["table", "strikethrough"])
    for number, span in enumerate(dialect.spans):
        parser.inline.ruler.before("backticks" if span.opens != "||" else "emphasis", f"span{number}", _span_rule(span))
        parser.inline.add_terminator_char(span.opens[0])
    if dialect.has_wiki_links:
        parser.inline.ruler.before("link", "wiki_link", _wiki_link)
    if _FORMULAS[0] in dialect.spans:
        parser.block.ruler.before("fence", "formula", _formula_block, {"alt": ["paragraph", "blockquote", "list"]})
    return parser.disable(list(dialect.disabled))


def _span_rule(span: Span) -> _InlineRule:
    def read(state: StateInline, silent: bool) -> bool:
        begins = state.pos + len(span.opens)
        if not state.src.startswith(span.opens, state.pos):
            return False
        ends = state.src.find(span.closes, begins + 1, min(state.posMax, begins + _SPAN_MAX))
        if ends < 0 or (span.is_tight and not _is_tight(state.src, begins, ends)):
            return False
        if not silent:
            state.push("aside", "", 0).content = state.src[state.pos : ends + len(span.closes)]
        state.pos = ends + len(span.closes)
        return True

    return read


def _is_tight(text: str, begins: int, ends: int) -> bool:
    return not text[begins].isspace() and not text[ends - 1].isspace() and not text[ends + 1 : ends + 2].isdigit()


def _formula_block(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """Read ``$$``, lines, and ``$$`` at the end of one of them."""
    begins = state.bMarks[first] + state.tShift[first]
    if not state.src.startswith("$$", begins):
        return False
    closing = state.src.find("$$", begins + 2, min(state.eMarks[end - 1], begins + _BLOCK_MAX))
    if closing < 0:
        return False
    last = next(number for number in range(first, end) if closing < state.eMarks[number])
    if state.src[closing + 2 : state.eMarks[last]].strip():
        return False
    if not silent:
        state.line = last + 1
        state.push("fence", "", 0).map = [first, last + 1]
    return True


def _wiki_link(state: StateInline, silent: bool) -> bool:
    is_embedded = state.src.startswith("![[", state.pos)
    begins = state.pos + (3 if is_embedded else 2)
    if not is_embedded and not state.src.startswith("[[", state.pos):
        return False
    ends = state.src.find("]]", begins, min(state.posMax, begins + _SPAN_MAX))
    if ends < 0 or "\n" in state.src[begins:ends]:
        return False
    target, _, words = state.src[begins:ends].partition("|")
    if not silent and is_embedded:
        state.push("embedded", "", 0).content = target
    elif not silent:
        state.push("text", "", 0).content = words or target
    state.pos = ends + 2
    return True
