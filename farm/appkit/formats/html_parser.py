"""A linear-time HTML parser for untrusted pages, with the interface of the standard library's HTMLParser.

The standard library's parser searches the rest of the page again for every unclosed construct, and raises on some
declarations. Its releases also treat such pages differently. On pages without unclosed constructs the two agree.
"""

from __future__ import annotations

import re
from html import unescape

_TAG_NAME = re.compile(r"[a-zA-Z][^\t\n\r\f />\x00]*")
_END_TAG_NAME = re.compile(r"</\s*([a-zA-Z][^\t\n\r\f />\x00]*)")
_SPACES = re.compile(r"[\s/]*")
_ATTRIBUTE = re.compile(r"([^\s/>][^\s/=>]*)(\s*=+\s*)?")
_BARE_VALUE = re.compile(r"[^>\s]*")
_COMMENT_END = re.compile(r"--\s*>")
_SECTION = re.compile(r"<!\[(?:(temp|cdata|ignore|include|rcdata)|if|else|endif)(?![-_.a-z0-9])", re.IGNORECASE)
_SECTION_END = re.compile(r"\]\s*\]\s*>")
_OFFICE_SECTION_END = re.compile(r"\]\s*>")
# Elements whose content is not HTML → their ends.
_RAW_ENDS = {name: re.compile(rf"</\s*{name}\s*>", re.IGNORECASE) for name in ("script", "style")}
# int() refuses more than 4,300 digits, and the last code point has seven.
_LONG_NUMBER = re.compile(r"&#([0-9]{9,});?")

Attributes = list[tuple[str, str | None]]


class LinearHTMLParser:
    """Reports tags and texts in order to the methods that a subclass overrides; never raises itself.

    An unclosed construct is text up to the next ``>``, or to the end of the page.
    """

    def parse(self, html: str) -> None:
        """Report a whole page."""
        at, last_end = 0, html.rfind(">")
        self._unended: set[re.Pattern[str] | str] = set()
        while (begins := html.find("<", at)) >= 0:
            if begins > at:
                self.handle_data(_unescaped(html[at:begins]))
            if begins > last_end:
                at = begins
                break
            at = self._construct(html, begins)
        if at < len(html):
            self.handle_data(_unescaped(html[at:]))

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        """Begin an element; ``<br/>`` begins one, too."""

    def handle_endtag(self, tag: str) -> None:
        """End an element."""

    def handle_data(self, data: str) -> None:
        """Handle text with its character references replaced; one text may arrive in several parts."""

    def _construct(self, html: str, begins: int) -> int:
        """Report the construct at a ``<`` that some ``>`` follows; return its end."""
        following = html[begins + 1]
        if following.isascii() and following.isalpha():
            return self._start_tag(html, begins)
        if following == "/":
            return self._end_tag(html, begins)
        if following in "!?":
            return self._declaration(html, begins)
        self.handle_data("<")
        return begins + 1

    def _start_tag(self, html: str, begins: int) -> int:
        name = _match(_TAG_NAME, html, begins + 1)
        at = begins + 1 + len(name)
        attributes: Attributes = []
        while True:
            spaces = _match(_SPACES, html, at)
            at += len(spaces)
            if html.startswith(">", at):
                break
            attribute = _ATTRIBUTE.match(html, at)
            if attribute is None:  # the page ends here
                return self._as_text(html, begins, at)
            at, value = attribute.end(), None
            if attribute[2]:
                ends = self._value_end(html, at)
                if ends < 0:
                    return self._as_text(html, begins, at)
                value, at = _unquoted(html[at:ends]), ends
            attributes.append((attribute[1].lower(), value))
        tag = name.lower()
        self.handle_starttag(tag, attributes)
        if tag in _RAW_ENDS and not spaces.endswith("/"):
            return self._raw_text(html, tag, at + 1)
        return at + 1

    def _value_end(self, html: str, at: int) -> int:
        quote = html[at : at + 1]
        if quote not in ("'", '"'):
            return at + len(_match(_BARE_VALUE, html, at))
        ends = self._find(html, quote, at + 1)
        return ends if ends < 0 else ends + 1

    def _raw_text(self, html: str, tag: str, at: int) -> int:
        ends = _RAW_ENDS[tag].search(html, at)
        if ends is None:  # an unclosed element is skipped
            return len(html)
        if ends.start() > at:
            self.handle_data(html[at : ends.start()])
        self.handle_endtag(tag)
        return ends.end()

    def _end_tag(self, html: str, begins: int) -> int:
        if name := _END_TAG_NAME.match(html, begins):  # </> and </3> are ignored
            self.handle_endtag(name[1].lower())
        return html.index(">", begins) + 1

    def _declaration(self, html: str, begins: int) -> int:
        """Skip a comment, a declaration, an instruction or a marked section."""
        if html.startswith("<!--", begins):
            ends = self._search(html, _COMMENT_END, begins + 4)
        elif section := _SECTION.match(html, begins):
            ends = self._search(html, _SECTION_END if section[1] else _OFFICE_SECTION_END, section.end())
        else:
            ends = html.index(">", begins) + 1
        return ends if ends >= 0 else self._as_text(html, begins, begins)

    def _as_text(self, html: str, begins: int, at: int) -> int:
        """Report an unclosed construct as text, up to the first ``>`` after a given position."""
        ends = self._find(html, ">", at) + 1 or len(html)
        self.handle_data(_unescaped(html[begins:ends]))
        return ends

    def _find(self, html: str, text: str, at: int) -> int:
        """Find a text; once it is not found, do not search again, as positions only grow."""
        found = -1 if text in self._unended else html.find(text, at)
        if found < 0:
            self._unended.add(text)
        return found

    def _search(self, html: str, ending: re.Pattern[str], at: int) -> int:
        """Return the end of a match, or -1; once it is not found, do not search again."""
        found = None if ending in self._unended else ending.search(html, at)
        if found is None:
            self._unended.add(ending)
            return -1
        return found.end()


def _match(pattern: re.Pattern[str], html: str, at: int) -> str:
    found = pattern.match(html, at)
    assert found is not None, "the pattern matches any text that its caller checked"
    return found[0]


def _unquoted(value: str) -> str:
    return _unescaped(value[1:-1] if value[:1] in ("'", '"') else value)


def _unescaped(text: str) -> str:
    if "&" not in text:
        return text
    return unescape(_LONG_NUMBER.sub(lambda found: f"&#{found[1].lstrip('0')[:8] or 0};", text))
