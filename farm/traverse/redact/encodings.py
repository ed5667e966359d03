"""Decode texts inside texts (JSON escapes, percent-encoding, base64) and encode them again in the original notation."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator

# A decoded character and its encoded form.
Piece = tuple[str, str]

_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|[\"\\/bfnrt])")
_SIMPLE = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_FORM = re.compile(r"(?:[^\s?=&]{0,300}\?)?[\w.~%\[\]-]{1,80}=[^?=&]*(?:&[\w.~%\[\]-]{1,80}=[^?=&]*)*", re.DOTALL)
_LONG_MIN = 2_000
_BASE_64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,}={0,2}(?![A-Za-z0-9+/_=-])")


def is_escaped(text: str) -> bool:
    """Return whether a text holds JSON escapes."""
    return "\\" in text and _ESCAPE.search(text) is not None


def is_url_encoded(text: str) -> bool:
    """Return whether a text holds characters in the encoding of URLs or forms."""
    return ("%" in text or "+" in text) and any(meant != raw for meant, raw in url_pieces(text))


def escape_pieces(text: str) -> Iterator[Piece]:
    """Yield the characters of a text with JSON escapes, each with its encoded form."""
    end = 0
    for found in _ESCAPE.finditer(text):
        yield from ((each, each) for each in text[end : found.start()])
        end = found.end()
        yield from _escaped(found[0])
    yield from ((each, each) for each in text[end:])


def _escaped(raw: str) -> Iterator[Piece]:
    if raw[1] != "u":
        yield _SIMPLE.get(raw[1], raw[1]), raw
        return
    units = [int(raw[at + 2 : at + 6], 16) for at in range(0, len(raw), 6)]
    if len(units) == 2 and not 0xD800 <= units[0] <= 0xDBFF:
        # Lone surrogates: each is a character of its own.
        yield from ((chr(unit), raw[6 * at : 6 * at + 6]) for at, unit in enumerate(units))
    elif len(units) == 2:
        yield chr(0x10000 + ((units[0] - 0xD800) << 10) + units[1] - 0xDC00), raw
    else:
        yield chr(units[0]), raw


def _is_form(text: str) -> bool:
    """Return whether a text is form-encoded, so that a plus is a space; base64 also contains pluses."""
    is_sentence = text.count("+") > 1 and "/" not in text and not text.endswith("=")
    return ("%" in text or "&" in text or is_sentence) and _FORM.fullmatch(text) is not None


def url_pieces(text: str) -> Iterator[Piece]:
    """Yield the characters of an encoded URL or form, each with its encoded form."""
    is_form = "+" in text and _is_form(text)

    def plain(letters: str) -> Iterator[Piece]:
        return ((" " if is_form and each == "+" else each, each) for each in letters)

    end = 0
    for found in _PERCENT.finditer(text):
        yield from plain(text[end : found.start()])
        end = found.end()
        try:
            meant = bytes.fromhex(found[0].replace("%", "")).decode()
        except UnicodeDecodeError:
            yield from ((each, each) for each in found[0])
            continue
        at = 0
        for letter in meant:
            size = 3 * len(letter.encode())
            yield letter, found[0][at : at + size]
            at += size
    yield from plain(text[end:])


def written(pieces: list[Piece], meant: str) -> str:
    """Encode a changed text of the same length; unchanged characters keep their encoded form."""
    return "".join(raw if letter == new else _write(new, raw) for (letter, raw), new in zip(pieces, meant, strict=True))


def _write(letter: str, raw: str) -> str:
    if raw.startswith("%") and len(raw) > 1:
        made = "".join(f"%{byte:02X}" for byte in letter.encode())
        return made if raw.upper() == raw else made.lower()
    if raw.startswith("\\u"):
        data = letter.encode("utf-16-be", "surrogatepass")
        digits = [data[at : at + 2].hex() for at in range(0, len(data), 2)]
        is_upper = any(each in "ABCDEF" for each in raw)
        return "".join(f"\\u{each.upper() if is_upper else each}" for each in digits)
    return letter


def is_all_base64(text: str) -> bool:
    """Return whether a long text is a single piece of base64: words in it occur by chance only."""
    return len(text) > _LONG_MIN and _BASE_64.fullmatch(text) is not None


def in_base64(text: str, change: Callable[[bytes], bytes]) -> str:
    """Return a text in which ``change`` was applied to the decoded bytes of each base64 piece; the length stays."""

    def changed(found: re.Match[str]) -> str:
        raw = found[0]
        body = raw.rstrip("=")
        is_url = "-" in body or "_" in body
        if len(body) % 4 == 1 or (is_url and ("+" in body or "/" in body)):
            return raw
        plain = body.replace("-", "+").replace("_", "/")
        data = base64.b64decode(plain + "=" * (-len(plain) % 4))
        new = change(data)
        if new == data or len(new) != len(data):
            return raw
        made = base64.b64encode(new).decode().rstrip("=")
        return (made.replace("+", "-").replace("/", "_") if is_url else made) + raw[len(body) :]

    return _BASE_64.sub(changed, text)
