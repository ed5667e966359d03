"""Addresses in a text, and names of communities and people: where they end, and the links that are made of them."""

from __future__ import annotations

import re
from urllib.parse import quote

_CONTROL = {code: None for code in range(32) if chr(code) not in "\t\n\r"} | {127: None}
_HTML = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("'"): "&#39;"} | _CONTROL
_HREF = {ord("&"): "&amp;", ord("'"): "&#x27;", ord("~"): "%7E"}
# Where a link may lead; any other is shown as it was typed.
SAFE = re.compile(
    r"(?:(?:https?|ftp|mailto|git|steam|ircs?|news|mumble|ssh|ts3server)://|/|#)[0-9A-Za-z#/?]", re.IGNORECASE
)
_DOMAIN = re.compile(r"[0-9A-Za-z][0-9A-Za-z.-]*")
_NOT_SPACE = re.compile(r"\S*")
_NAME = r"(?:reddit\.com(?![0-9A-Za-z_])|(?:t:)?[0-9A-Za-z][0-9A-Za-z_]*)"
_COMMUNITY = re.compile(rf"/(?P<names>{_NAME}(?:\+{_NAME})*)(?!\+)(?:/[\w/-]*)?", re.ASCII | re.IGNORECASE)
_ALL_BUT = re.compile(rf"/(?P<names>all(?:[-+]{_NAME})+)(?:/[\w/-]*)?", re.ASCII | re.IGNORECASE)
_PERSON = re.compile(r"/[\w-][\w/-]*", re.ASCII)
_NAME_LENGTHS = range(2, 25)
_CLOSED_BY = {'"': '"', "'": "'", ")": "(", "]": "[", "}": "{"}


def escape(text: str) -> str:
    """Return plain text as HTML."""
    return text.translate(_HTML)


def anchor(address: str, inside: str, title: str = "") -> str:
    """Return a link; ``inside`` is HTML already."""
    href = quote(address.translate(_CONTROL), safe="!#$%()*+,-./:;=?@_&'~", errors="surrogatepass").translate(_HREF)
    said = f' title="{escape(title)}"' if title else ""
    return f'<a href="{href}"{said}>{inside}</a>'


def end_of_word(text: str, at: int) -> int:
    """Return where the next space stands, or the end."""
    found = _NOT_SPACE.match(text, at)
    assert found is not None, "it may be empty"
    return found.end()


def is_domain(text: str, at: int) -> bool:
    """Whether a name with a dot in it stands here."""
    found = _DOMAIN.match(text, at)
    return found is not None and "." in text[at : min(found.end(), len(text) - 1)]


def end_of_address(text: str, at: int, ends: int) -> int:
    """Return where an address ends: without the punctuation of the sentence around it."""
    tag = text.find("<", at, ends)
    ends = tag if tag >= 0 else ends
    while ends > at + 1 and text[ends - 1] in "?!.,;":
        entity = re.search(r"&[A-Za-z]+;\Z", text[at:ends])
        ends -= len(entity[0]) if entity else 1
    closing = text[ends - 1]
    opening = _CLOSED_BY.get(closing)
    # A quote is its own opening sign and closes nothing.
    if opening == closing or (opening is not None and text.count(opening, at, ends) != text.count(closing, at, ends)):
        ends -= 1
    return ends


def end_of_community(text: str, at: int) -> int | None:
    """Return where the name of a community ends, or names of several, and what stands behind them; None: it is none."""
    found = _ALL_BUT.match(text, at) or _COMMUNITY.match(text, at)
    if found is None or any(len(name) not in _NAME_LENGTHS for name in re.split("[-+]", found["names"])):
        return None
    return found.end()


def end_of_person(text: str, at: int) -> int | None:
    """Return where the name of a person ends, and what stands behind it; None: it is none."""
    found = _PERSON.match(text, at) if len(text) - at > 2 else None
    return None if found is None else found.end()
