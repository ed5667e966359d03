"""HTML as plain text, in the form that mail and note servers return."""

from __future__ import annotations

import re

from farm.appkit.formats.html_parser import Attributes, LinearHTMLParser

_HIDDEN = frozenset({"script", "style", "head", "title", "template", "noscript"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
# The minimum number of line ends before and after a block.
_BLOCKS = dict.fromkeys(("p", "ul", "ol", "dl", "blockquote", "pre", "table", *_HEADINGS), 2) | dict.fromkeys(
    ("div", "section", "article", "header", "footer", "main", "tr", "li", "dt", "dd", "form", "figure", "hr"), 1
)
_START = re.compile("[0-9]{1,9}")  # a list's first number; HTML has 32 bits for it
_WHITE = re.compile(r"[ \t\r\n\f]+")


def html_to_text(html: str, *, shouts_headings: bool = False, shows_links: bool = True) -> str:
    """Return a page's visible text: blocks on separate lines, white space folded, scripts omitted.

    Args:
        html: the page.
        shouts_headings: print headings in capitals, as the npm package html-to-text does.
        shows_links: print a link's address in brackets after its text, unless they are equal.
    """
    reader = HtmlTextReader(shouts_headings=shouts_headings, shows_links=shows_links)
    reader.parse(html)
    return reader.text()


class HtmlTextReader(LinearHTMLParser):
    """Collects a page's visible text while the page is parsed; see ``html_to_text``."""

    def __init__(self, *, shouts_headings: bool, shows_links: bool) -> None:
        self._shouts, self._shows_links = shouts_headings, shows_links
        self._parts: list[str] = []
        self._breaks = 0  # line ends before the next word
        self._space = False  # whether a space precedes the next word, if no line end does
        self._hidden: list[str] = []
        self._headings = self._preformatted = 0
        self._links: list[tuple[str, int]] = []  # address, and the start of its text
        self.followed: list[tuple[str, str]] = []  # address and words of each link that has ended
        self._lists: list[int | None] = []  # next number of each open list; None: bullets

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        """Begin an element."""
        given = dict(attrs)
        if tag in _HIDDEN:
            self._hidden.append(tag)
        if tag in _BLOCKS:
            # A list inside a list follows its item without a blank line.
            self._break(1 if tag in ("ul", "ol") and self._lists else _BLOCKS[tag])
        self._headings += tag in _HEADINGS
        self._preformatted += tag == "pre"
        match tag:
            case "br":
                self._parts.append("\n" * (1 + self._pending()))
                self._space = False
            case "a":
                if self._links:  # a link ends where the next one begins
                    self._end_link()
                self._links.append((given.get("href") or "", len(self._parts)))
            case "ul" | "ol":
                start = _START.fullmatch(given.get("start") or "1")
                self._lists.append(None if tag == "ul" else int(start[0]) if start else 1)
            case "li":
                self._begin_item()
            case "img" if given.get("alt"):
                self._write(str(given["alt"]))
            case "td" | "th":
                self._space = True

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
        self.followed.append((address, words))
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
        """Return the text."""
        return "".join(self._parts).strip("\n")
