"""How the site counts and shows numbers and texts, and how Go prints them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

# The server runs where its user lives; every time in a sentence is local.
LOCAL = timezone(timedelta(hours=8), "Asia/Shanghai")

_GO_ESCAPES = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    '"': '\\"',
    "\\": "\\\\",
}


def counter(number: int) -> str:
    """Return a number as the site shows it: in full below ten thousand, then in 万 and 亿 with one digit, cut off."""
    if number < 10_000:
        return str(number)
    unit, name = (10_000, "万") if number < 100_000_000 else (100_000_000, "亿")
    whole, tenth = divmod(number * 10 // unit, 10)
    return f"{whole}.{tenth}{name}" if tenth else f"{whole}{name}"


def units(text: str) -> int:
    """Return the length in UTF-16 units, which is what browsers and the site count."""
    return len(text) + sum(character > "\uffff" for character in text)


def title_length(title: str) -> int:
    """Return the length the 20 is compared with: ASCII counts half, every other UTF-16 unit one, rounded up."""
    halves = sum(1 if character < "\x80" else 4 if character > "\uffff" else 2 for character in title)
    return (halves + 1) // 2


def local(at_ms: int, pattern: str = "%Y-%m-%d %H:%M") -> str:
    """Return a point in time in the server's zone."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at_ms)).astimezone(LOCAL).strftime(pattern)


def quoted(text: str) -> str:
    """Return what Go's ``%q`` prints: double quotes, unprintable characters escaped."""
    return '"' + "".join(_GO_ESCAPES.get(each) or _printed(each) for each in text) + '"'


def _printed(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x80:
        return f"\\x{code:02x}"
    if 0xD800 <= code < 0xE000:
        return "\ufffd"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
