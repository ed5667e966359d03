"""What a reader sees of HTML."""

from __future__ import annotations

import re

from farm.appkit.formats.html import HtmlTextReader
from farm.appkit.formats.html_parser import Attributes
from farm.appkit.formats.visible.elements import OpenElements
from farm.appkit.formats.visible.links import doubt_about_link
from farm.appkit.formats.visible.model import VisibleText, struck

# Rules that can hide what they select; which elements these are is not looked into.
_HIDING_RULES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0|font-size\s*:\s*0|color\s*:", re.IGNORECASE
)
# Comments as browsers end them (HTML, 13.2.5): "<!-->" is whole, and "--!>" ends one, while "-- >" does not.
_EMPTY_COMMENT = re.compile("<!--(?:-?>)")
_NO_COMMENT_END = re.compile(r"--\s+>")


def visible_html(html: str, *, without_quotes: bool = False) -> VisibleText:
    """Return what a reader sees of a page: no comments, addresses of links, pictures or hidden elements.

    Args:
        html: the page.
        without_quotes: leave ``>`` of a quotation, as a mail has them below its own words.
    """
    reader = VisibleHtmlReader(without_quotes=without_quotes)
    reader.parse_as_browsers(html)
    text = VisibleText.from_message(reader.text().replace("~~~~", ""))
    links = (doubt_about_link(address, words) for address, words in reader.followed if words)
    return text.with_doubts(*reader.elements.doubts, *(doubt for doubt in links if doubt))


class VisibleHtmlReader(HtmlTextReader):
    """Collects what is visible of HTML.

    Attributes:
        elements: the open elements.
    """

    def __init__(self, elements: OpenElements | None = None, *, without_quotes: bool = False) -> None:
        super().__init__(shouts_headings=False, shows_links=False)
        self.elements = elements or OpenElements()
        self._without_quotes = without_quotes
        self._is_style = False

    def parse_as_browsers(self, html: str) -> None:
        """Report a whole page, its comments as browsers end them; an unclosed one extends to the end."""
        if "<!--" in html:
            html = _NO_COMMENT_END.sub("- -", _EMPTY_COMMENT.sub("", html).replace("--!>", "-->"))
            unclosed = html.find("<!--", html.rfind("-->") + 1)
            html = html if unclosed < 0 else html[:unclosed]
        self.parse(html)

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        """Begin an element."""
        self._is_style = tag == "style"
        if tag != "img":
            super().handle_starttag(tag, attrs)
        if self._without_quotes and _is_quote(tag, dict(attrs)):
            if not self.elements.is_hidden:
                super().handle_data(">")  # where a quotation was, as in plain text
            attrs = [*attrs, ("hidden", "")]
        self.elements.open(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        self.elements.close(tag)
        super().handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        """Take some text."""
        if self._is_style and _HIDING_RULES.search(data):
            self.elements.doubts["rules of a style sheet"] = None
        self._is_style = False
        if not self.elements.is_hidden:
            super().handle_data(struck(data) if self.elements.is_struck else data)


def _is_quote(tag: str, attributes: dict[str, str | None]) -> bool:
    kind = attributes.get("class") or ""
    return tag == "blockquote" or (tag == "div" and ("gmail_quote" in kind or "yahoo_quoted" in kind))
