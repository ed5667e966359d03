"""Paths on their way to the plugin: they go into a URL as they are, and Python's HTTP client tidies that.

``#`` and ``?`` end a path, ``.`` and ``..`` are resolved, escapes are decoded: so one may read another file than asked.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote_to_bytes

from . import errors

_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
_PATH_END = re.compile(r"[?#]")
# What stands in a path as it is; all else is escaped. Python's quote never escapes letters, digits and _.-~
_SAFE_IN_PATH = "!$&'()*+,;=:@/"
_SAFE_AT_LAST = "!#$%&'()*+,/:;=?@[]~"
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def request_target(path: str) -> str:
    """Return what is sent for a path: escaped, without what ``?`` and ``#`` cut off, dots resolved."""
    sent = _PATH_END.split(path, maxsplit=1)[0]
    resolved = "/".join(_resolved(sent)) or "/"
    return quote(_unescape_unreserved(_escaped(resolved)), safe=_SAFE_AT_LAST)


def _resolved(path: str) -> list[str]:
    """Return the segments of a path without ``.`` and ``..``; a path that ends in one of them ends in a slash."""
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == ".":
            continue
        if segment != "..":
            kept.append(segment)
        elif kept:
            kept.pop()
    if path.startswith("/") and (not kept or kept[0]):
        kept.insert(0, "")
    if path.endswith(("/.", "/..")):
        kept.append("")
    return kept


def _escaped(path: str) -> str:
    """Escape what may not stand in a path; a ``%`` stays where every one of them begins an escape."""
    upper = _ESCAPE.sub(lambda escape: escape[0].upper(), path)
    is_escaped = len(_ESCAPE.findall(path)) == path.count("%")
    return quote(upper.encode("utf-8", "surrogatepass"), safe=_SAFE_IN_PATH + ("%" if is_escaped else ""))


def _unescape_unreserved(path: str) -> str:
    def unescaped(escape: re.Match[str]) -> str:
        code = int(escape[0][1:], 16)
        return chr(code) if code in _UNRESERVED else escape[0]

    return _ESCAPE.sub(unescaped, path)


def decoded(target: str) -> str:
    """Return a target as the plugin decodes it.

    Raises:
        InternalServerError: its escapes are no UTF-8.
    """
    try:
        return unquote_to_bytes(target).decode()
    except UnicodeDecodeError:
        raise errors.InternalServerError(f"Failed to decode param '{target}'") from None
