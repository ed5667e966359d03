"""HTML as plain text, the way mail and note servers show it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_HIDDEN = frozenset({"script", "style", "head", "title", "template", "noscript"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
# How many line ends stand before and behind a block at least.
_BLOCKS = dict.fromkeys(("p", "ul", "ol", "dl", "blockquote", "pre", "table", *_HEADINGS), 2) | dict.fromkeys(
    ("div", "section", "article", "header", "footer", "main", "tr", "li", "dt", "dd", "form", "figure", "hr"), 1
)
_WHITE = re.compile(r"[ \t\r\n\f]+")


def html_to_text(html: str, *, shouts_headings: bool = False, shows_links: bool = True) -> str:
    """Return what a reader of the page reads: blocks on lines of their own, white space folded, scripts left out.

    Args:
        shouts_headings: headings in capitals, as the npm package html-to-text does.
        shows_links: a link's address stands in brackets behind its words, unless it is the words.
    """
    reader = _Reader(shouts_headings=shouts_headings, shows_links=shows_links)
    reader.feed(html)
    reader.close()
    return reader.text()


class _Reader(HTMLParser):
    def __init__(self, *, shouts_headings: bool, shows_links: bool) -> None:
        super().__init__(convert_charrefs=True)
        self._shouts, self._shows_links = shouts_headings, shows_links
        self._parts: list[str] = []
        self._breaks = 0  # line ends that stand before the next word
        self._space = False  # a space stands there, if no line end does
        self._hidden: list[str] = []
        self._headings = self._preformatted = 0
        self._links: list[tuple[str, int]] = []  # address, and where its words begin
        self._lists: list[int | None] = []  # next number of each open list; None: bullets

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        given = dict(attrs)
        if tag in _HIDDEN:
            self._hidden.append(tag)
        if tag in _BLOCKS:
            # Lists inside a list follow their item at once.
            self._break(1 if tag in ("ul", "ol") and self._lists else _BLOCKS[tag])
        self._headings += tag in _HEADINGS
        self._preformatted += tag == "pre"
        match tag:
            case "br":
                self._parts.append("\n" * (1 + self._pending()))
                self._space = False
            case "a":
                self._links.append((given.get("href") or "", len(self._parts)))
            case "ul" | "ol":
                start = given.get("start") or "1"
                self._lists.append(int(start) if tag == "ol" and start.isdigit() else 1 if tag == "ol" else None)
            case "li":
                self._begin_item()
            case "img" if given.get("alt"):
                self._write(str(given["alt"]))
            case "td" | "th":
                self._space = True

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take ``<br/>`` as ``<br>``."""
        self.handle_starttag(tag, attrs)

    def _begin_item(self) -> None:
        number = self._lists[-1] if self._lists else None
        if self._lists and number is not None:
            self._lists[-1] = number + 1
        self._write(" * " if number is None else f" {number}. ")
        self._space = False

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        if self._hidden and self._hidden[-1] == tag:
            self._hidden.pop()
        if tag in _HEADINGS:
            self._headings = max(0, self._headings - 1)
        if tag == "pre":
            self._preformatted = max(0, self._preformatted - 1)
        if tag in ("ul", "ol") and self._lists:
            self._lists.pop()
        if tag == "a" and self._links:
            self._end_link()
        if tag in _BLOCKS:
            self._break(1 if tag in ("ul", "ol") and self._lists else _BLOCKS[tag])

    def _end_link(self) -> None:
        address, begins = self._links.pop()
        words = "".join(self._parts[begins:]).strip()
        if self._shows_links and address and address not in (words, f"mailto:{words}"):
            self._space = bool(words)
            self._write(f"[{address}]")

    def handle_data(self, data: str) -> None:
        """Take some text."""
        if self._hidden:
            return
        if self._preformatted:
            self._write(data)
            return
        folded = _WHITE.sub(" ", data)
        words = folded.strip(" ")
        self._space |= folded.startswith(" ")
        if words:
            self._write(words.upper() if self._headings and self._shouts else words)
            self._space = folded.endswith(" ")

    def _break(self, lines: int) -> None:
        self._breaks = max(self._breaks, lines)
        self._space = False

    def _pending(self) -> int:
        lines, self._breaks = self._breaks, 0
        return lines if self._parts else 0

    def _write(self, text: str) -> None:
        lines = self._pending()
        if lines:
            self._parts.append("\n" * lines)
        elif self._space and self._parts and not self._parts[-1].endswith("\n"):
            self._parts.append(" ")
        self._space = False
        self._parts.append(text)

    def text(self) -> str:
        """Return what was read."""
        return "".join(self._parts).strip("\n")
