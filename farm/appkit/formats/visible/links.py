"""Links whose address a reader does not see, and pictures: they may tell something else than the words do."""

from __future__ import annotations

import re

_SCHEME = re.compile(r"(?:https?://(?:www\.)?|mailto:|tel:|[a-z][a-z\d+.-]*:)", re.IGNORECASE)
_GAPS = re.compile(r"[\s()-]+")
_SHOWN_MAX = 60  # characters of an address that a doubt names


def doubt_about_picture(address: str) -> str:
    """Return why a reader may learn more from a text: it shows a picture."""
    return f"a picture {address[:_SHOWN_MAX]}".strip()


def doubt_about_link(address: str, words: str) -> str | None:
    """Return why a reader may be misled by a link: its words do not show the address; None for a link within an app."""
    scheme = _SCHEME.match(address.strip())
    if scheme is None:
        return None
    bare = address.strip()[scheme.end() :].casefold().rstrip("/")
    if not bare or _GAPS.sub("", bare) in _GAPS.sub("", words.casefold()):
        return None
    return f"a link to {bare[:_SHOWN_MAX]}"
