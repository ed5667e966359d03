"""HTML as the plain text that the npm package html-to-text 9 makes of it with its own defaults.

Lines are filled up to 80 characters; blocks keep a number of line ends between each other; headings are in capitals;
links and pictures have their address in brackets behind them. ``farm.appkit.formats.html`` is for readers that fill
no lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from farm.appkit.formats.html_parser import Attributes, LinearHTMLParser

_WIDTH = 80
_WIDTH_MIN = 20
_WHITE = " \t\r\n\f\u200b"
_WORD = re.compile(f"[^{_WHITE}]+")
_EMPTY_TAGS = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
# Line ends before and behind a block at least.
_BLOCKS = {
    **dict.fromkeys(("article", "aside", "div", "footer", "form", "header", "main", "nav", "section"), (1, 1)),
    **dict.fromkeys(("p", "pre", "table", "h4", "h5", "h6"), (2, 2)),
    **dict.fromkeys(("h1", "h2", "h3"), (3, 2)),
}
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_HIDDEN = frozenset(("script", "style"))
# An open element → the tags that end it where nobody closed it.
_ENDED_BY = {"li": {"li"}, "p": {*_BLOCKS, "ul", "ol", "li", "blockquote", "hr"}, "td": {"td", "th", "tr"}}
_ENDED_BY |= {"th": {"td", "th", "tr"}, "tr": {"tr"}, "option": {"option"}, "dt": {"dt", "dd"}, "dd": {"dt", "dd"}}
_DEPTH_MAX = 200
# Lists and quotes in each other that move their lines to the right: each passes all lines on, and makes them longer.
_INDENTS_MAX = 40


def html_to_text(html: str) -> str:
    """Return what a reader of the page reads."""
    tree = _Tree()
    tree.parse(html)
    writer = _Writer()
    for each in list(_bodies(tree.root)) or [tree.root]:
        writer.walk(each.children)
    return writer.block.text()


@dataclass
class _Element:
    name: str
    given: dict[str, str]
    parent: str = ""
    children: list[_Element | str] = field(default_factory=list)


def _bodies(root: _Element) -> Iterator[_Element]:
    """Yield every body that is in no other body."""
    pending = root.children[::-1]
    while pending:
        child = pending.pop()
        if isinstance(child, _Element):
            if child.name == "body":
                yield child
            else:
                pending += child.children[::-1]


class _Tree(LinearHTMLParser):
    """Builds the tree of elements; what is nested deeper than anybody would is put beside each other."""

    def __init__(self) -> None:
        self.root = _Element("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        while tag in _ENDED_BY.get(self._open[-1].name, ()):
            self._open.pop()
        element = _Element(tag, {name: value or "" for name, value in attrs}, self._open[-1].name)
        self._open[-1].children.append(element)
        if tag not in _EMPTY_TAGS and len(self._open) < _DEPTH_MAX:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if any(each.name == tag for each in self._open[1:]):
            while self._open.pop().name != tag:
                pass

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


class _Block:
    """A block in the making: what is finished, and the words of the lines that follow it."""

    def __init__(self, width: int = _WIDTH, breaks: int = 0, *, is_pre: bool = False) -> None:
        self.width, self.breaks, self.is_pre = width, breaks, is_pre
        self.stashed_breaks = 0
        self._parts: list[str] = []  # what is finished; none is empty
        self._lines: list[list[list[str]]] = []
        self._words: list[list[str]] = []  # each in the pieces that it was joined of
        self._last_length = 0
        self._left = width
        self.has_space = False

    def push(self, word: str) -> None:
        self._push([word], len(word))

    def join(self, word: str) -> None:
        if not self._words:
            self.push(word)
            return
        pieces = self._words.pop()
        pieces.append(word)
        self._left += self._last_length + bool(self._words)
        self._push(pieces, self._last_length + len(word))

    def _push(self, pieces: list[str], length: int) -> None:
        if self._left <= 0:
            self.end_line()
        cost = length + bool(self._words)
        if cost > self._left and self._words:
            self.end_line()
            cost = length
        self._words.append(pieces)
        self._last_length = length
        self._left -= cost

    def end_line(self, count: int = 1) -> None:
        self._lines += [self._words, *([] for _ in range(count - 1))]
        self._words, self._left = [], self.width

    def add(self, text: str, before: int, behind: int) -> None:
        """Put the text of a block within this one behind what there is."""
        self.write(self._unfinished())
        self._lines, self._words, self._left = [], [], self.width
        breaks = max(self.stashed_breaks, before)
        if self._parts:
            self.write("\n" * breaks)
        else:
            self.breaks = breaks
        self.write(text)
        self.stashed_breaks = behind

    def text(self) -> str:
        return "".join(self._parts) + self._unfinished()

    def _unfinished(self) -> str:
        return "\n".join(" ".join(map("".join, line)) for line in [*self._lines, self._words])

    def write(self, text: str) -> None:
        """Put text behind what there is as it stands."""
        if text:
            self._parts.append(text)


class _Writer:
    def __init__(self) -> None:
        self.block = _Block()
        self._changes: list[Callable[[str], str]] = []
        self._indents = 0

    def walk(self, children: list[_Element | str]) -> None:
        for child in children:
            if isinstance(child, str):
                self._add(child)
            elif child.name not in _HIDDEN:
                self._element(child)

    def _element(self, element: _Element) -> None:
        match element.name:
            case "br" if self.block.is_pre:
                self.block.write("\n")
            case "br":
                self.block.end_line()
            case "hr":
                self._in_block(2, 2, lambda: self._add("-" * _WIDTH))
            case "img":
                self._picture(element.given)
            case "a":
                self._link(element)
            case "ul" | "ol" | "blockquote" if self._indents < _INDENTS_MAX:
                self._indents += 1
                if element.name == "blockquote":
                    self._in_block(2, 2, lambda: self.walk(element.children), width=-2, change=_quoted)
                else:
                    self._list(element)
                self._indents -= 1
            case name if name in _HEADINGS:
                self._changes.append(str.upper)
                self._in_block(*_BLOCKS[name], lambda: self.walk(element.children))
                self._changes.pop()
            case name if name in _BLOCKS:
                self._in_block(*_BLOCKS[name], lambda: self.walk(element.children), is_pre=name == "pre")
            case _:
                self.walk(element.children)

    def _in_block(
        self,
        before: int,
        behind: int,
        write: Callable[[], None],
        *,
        width: int = 0,
        change: Callable[[str], str] = str,
        is_pre: bool = False,
    ) -> None:
        outer = self.block
        self.block = _Block(max(_WIDTH_MIN, outer.width + width), before, is_pre=is_pre or outer.is_pre)
        write()
        inner, self.block = self.block, outer
        outer.add(change(inner.text()), inner.breaks, max(inner.stashed_breaks, behind))

    def _add(self, text: str, *, is_changed: bool = True) -> None:
        block = self.block
        if block.is_pre:
            block.write(text)
            return
        words = _WORD.findall(text)
        if not text or (block.stashed_breaks and not words):
            return
        if block.stashed_breaks:
            block.end_line(block.stashed_breaks)
            block.stashed_breaks = 0
        change = self._changed if is_changed else str
        for number, word in enumerate(words):
            is_apart = number or block.has_space or text[0] in _WHITE
            (block.push if is_apart else block.join)(change(word))
        block.has_space = (block.has_space and not words) or text[-1] in _WHITE

    def _changed(self, word: str) -> str:
        for change in reversed(self._changes):
            word = change(word)
        return word

    def _picture(self, given: dict[str, str]) -> None:
        alt, source = given.get("alt", ""), given.get("src", "")
        self._add(f"{alt} [{source}]" if alt and source else f"[{source}]" if source else alt, is_changed=False)

    def _link(self, element: _Element) -> None:
        address = element.given.get("href", "").removeprefix("mailto:")
        if not address or address.startswith("#"):
            self.walk(element.children)
            return
        said: list[str] = []

        def hear(word: str) -> str:
            said.append(word)
            return word

        self._changes.append(hear)
        self.walk(element.children)
        self._changes.pop()
        self._add(f" [{address}]" if any(said) else address, is_changed=False)

    def _list(self, element: _Element) -> None:
        children = [each for each in element.children if not isinstance(each, str) or each.strip()]
        if not children:
            return
        is_nested = element.parent == "li"
        number = _start(element) if element.name == "ol" else None
        prefixes = []
        for child in children:
            is_item = isinstance(child, _Element) and child.name == "li"
            prefix = "" if not is_item else " * " if number is None else f" {_numbered(element, number)}. "
            prefixes.append(prefix.lstrip() if is_nested else prefix)
            number = None if number is None else number + is_item
        longest = max(map(len, prefixes))
        outer = self.block
        breaks = 1 if is_nested else 2
        items = _Block(outer.width)
        for child, prefix in zip(children, prefixes, strict=True):
            length = max(len(prefix), longest)
            self.block = _Block(max(_WIDTH_MIN, outer.width - length), 1, is_pre=outer.is_pre)
            self.walk([child])
            text = prefix.ljust(length) + self.block.text().replace("\n", "\n" + " " * length)
            items.add(text, self.block.breaks, max(self.block.stashed_breaks, 1))
        self.block = outer
        outer.add(items.text(), breaks, breaks)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.strip("\n").split("\n"))


def _start(element: _Element) -> int:
    given = element.given.get("start") or "1"
    return int(given) if re.fullmatch(r"-?[0-9]{1,9}", given) else 1


def _numbered(element: _Element, number: int) -> str:
    kind = element.given.get("type", "1")
    if kind not in ("a", "A") or number < 1:
        return str(number)
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord(kind) + rest) + letters
    return letters
