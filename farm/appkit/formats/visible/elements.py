"""Which HTML elements are visible: hidden, struck through, or written in the colour of their background."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from farm.appkit.formats.html_parser import Attributes
from farm.appkit.formats.visible.links import doubt_about_picture

_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
# HTML's rendering section gives these "display: none"; the content of the last three is a control's.
_UNSEEN = frozenset(
    ("script", "style", "head", "title", "template", "noscript", "datalist", "noframes", "object", "audio", "video")
)
_PICTURES = frozenset(("img", "video", "audio", "object", "embed", "iframe"))  # and what else is shown and not read
_STRUCK = frozenset(("s", "del", "strike"))
_DECLARATION = re.compile(r"([\w-]{1,40})\s*:\s*([^;]{0,200})")
_COMMENT = re.compile(r"/\*.{0,200}?\*/", re.DOTALL)
_NOTHING = re.compile(r"[-+]?0*\.?0+(?:px|pt|em|rem|%|ex|vw|vh)?")
_TINY = re.compile(r"0?\.\d+(?:px|pt|em|rem)?|1(?:px|pt)")
_FAR = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|pt|em|rem)")
_HEX = re.compile("#([0-9a-f]{3,8})")
_RGB = re.compile(
    r"rgba?\(\s*([\d.]{1,6})\s*[, ]\s*([\d.]{1,6})\s*[, ]\s*([\d.]{1,6})\s*(?:[,/]\s*([\d.]{1,6})(%?)\s*)?\)"
)
# CSS names of colours that can hardly be told from white, and black.
_WHITE = frozenset(
    ("white", "snow", "ivory", "whitesmoke", "ghostwhite", "floralwhite", "mintcream", "azure", "aliceblue", "seashell")
)
_CONTRAST_MIN = 1.5  # WCAG 2 asks for 4.5; below this nobody reads it

Colour = tuple[float, float, float, float]  # red, green, blue from 0 to 1, and opacity
_BLACK_INK: Colour = (0, 0, 0, 1)
_WHITE_PAGE: Colour = (1, 1, 1, 1)


@dataclass(frozen=True)
class _Element:
    tag: str
    is_hidden: bool
    is_struck: bool
    ink: Colour
    page: Colour


class OpenElements:
    """The open elements of a page, and whether text inside them is visible.

    Attributes:
        doubts: why an element may look different from what is assumed.
    """

    def __init__(self) -> None:
        self.doubts: dict[str, None] = {}
        self._open: list[_Element] = []
        self._tags: Counter[str] = Counter()

    @property
    def depth(self) -> int:
        """The number of open elements."""
        return len(self._open)

    @property
    def is_hidden(self) -> bool:
        """Whether text is not visible here."""
        return bool(self._open) and self._open[-1].is_hidden

    @property
    def is_struck(self) -> bool:
        """Whether text is struck through here."""
        return bool(self._open) and self._open[-1].is_struck

    def open(self, tag: str, attributes: Attributes) -> None:
        """Begin an element."""
        if tag in _PICTURES and not self.is_hidden:
            self.doubts[doubt_about_picture(dict(attributes).get("src") or "")] = None
        if tag in _VOID:
            return
        given = {name: (value or "").lower() for name, value in attributes}
        written = _COMMENT.sub("", given.get("style", ""))
        style = {name.lower(): value.strip().lower() for name, value in _DECLARATION.findall(written)}
        outer = self._open[-1] if self._open else _Element("", False, False, _BLACK_INK, _WHITE_PAGE)
        ink = _colour(style.get("color") or (given.get("color", "") if tag == "font" else "")) or outer.ink
        ground = style.get("background-color") or style.get("background") or given.get("bgcolor", "")
        page = _colour(ground.partition(" ")[0] if "(" not in ground else ground) or outer.page
        page = page if page[3] > 0 else outer.page
        is_hidden = outer.is_hidden or tag in _UNSEEN or "hidden" in given or _hides(style)
        is_struck = outer.is_struck or tag in _STRUCK or "line-through" in style.get("text-decoration", "")
        is_struck = is_struck or "line-through" in style.get("text-decoration-line", "")
        self._open.append(_Element(tag, is_hidden or _is_invisible(ink, page), is_struck, ink, page))
        self._tags[tag] += 1
        if "\\" in written:
            self.doubts["escapes in a style"] = None
        if given.get("aria-hidden") == "true":
            self.doubts["a part that is hidden from some readers"] = None
        if tag == "details":
            self.doubts["a part that is folded away"] = None

    def close(self, tag: str) -> None:
        """End an element, and those inside it that were not ended."""
        if not self._tags[tag]:
            return
        while self._open:
            last = self._open.pop()
            self._tags[last.tag] -= 1
            if last.tag == tag:
                return

    def close_to(self, depth: int) -> None:
        """End the elements that were opened since there were this many."""
        while len(self._open) > depth:
            self._tags[self._open.pop().tag] -= 1


def _hides(style: dict[str, str]) -> bool:
    """Return whether declarations of CSS make an element's text invisible."""
    if style.get("display", "").startswith("none") or style.get("visibility", "").startswith(("hidden", "collapse")):
        return True
    if style.get("mso-hide", "").startswith("all") or _is_nothing(style.get("opacity", "")):
        return True
    size = style.get("font-size", "").partition(" ")[0]
    if _is_nothing(size) or _TINY.fullmatch(size) or style.get("content-visibility", "").startswith("hidden"):
        return True
    is_clipped = style.get("overflow", "").startswith(("hidden", "clip"))
    sides = [style.get(side, "").partition(" ")[0] for side in ("height", "max-height", "width", "max-width")]
    if is_clipped and any(_is_nothing(side) or _TINY.fullmatch(side) for side in sides):
        return True
    if "scale(0)" in style.get("transform", "") or style.get("filter", "").startswith(("opacity(0)", "opacity(0%)")):
        return True
    if any(
        _FAR.match(style.get(side, "")) for side in ("left", "top", "right", "bottom", "text-indent", "margin-left")
    ):
        return True
    return style.get("clip", "").startswith("rect(0") or style.get("clip-path", "").startswith(
        ("inset(50%", "inset(100%")
    )


def _is_nothing(value: str) -> bool:
    return _NOTHING.fullmatch(value.partition(" ")[0]) is not None


def _colour(written: str) -> Colour | None:
    """Return a colour of CSS; None for none, and for one whose name says nothing of how light it is."""
    name = written.removesuffix("!important").strip()
    if name in _WHITE:
        return _WHITE_PAGE
    if name == "black":
        return _BLACK_INK
    if name == "transparent":
        return 0, 0, 0, 0
    if found := _HEX.fullmatch(name):
        digits = found[1]
        pairs = [each * 2 for each in digits] if len(digits) in (3, 4) else re.findall("..", digits)
        parts = [int(each, 16) / 255 for each in pairs]
        return (parts[0], parts[1], parts[2], parts[3] if len(parts) > 3 else 1) if len(parts) >= 3 else None
    if found := _RGB.fullmatch(name):
        opacity = _number(found[4]) / (100 if found[5] else 1) if found[4] else 1
        return _number(found[1]) / 255, _number(found[2]) / 255, _number(found[3]) / 255, opacity
    return None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _is_invisible(ink: Colour, page: Colour) -> bool:
    """Return whether text of one colour cannot be read on another; by the contrast ratio of WCAG 2."""
    seen = ink[3]
    red, green, blue = (seen * mine + (1 - seen) * other for mine, other in zip(ink[:3], page[:3], strict=True))
    light, dark = sorted((_luminance(red, green, blue), _luminance(*page[:3])), reverse=True)
    return (light + 0.05) / (dark + 0.05) < _CONTRAST_MIN


def _luminance(red: float, green: float, blue: float) -> float:
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
