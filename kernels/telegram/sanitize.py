"""What the server takes out of texts that other people wrote, before it shows them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

Clean = Callable[[str | None], str]

_TEXT_MAX, _NAME_MAX = 4096, 256
_EMPTY = "[empty]"
_INVISIBLE = re.compile("[\u2028\u2029]")
_NEWLINES = re.compile(r"\n{3,}")
_SPACES = re.compile(r" {2,}")


def clean_text(text: str | None, length_max: int = _TEXT_MAX) -> str:
    """Return a text without control and format characters, trimmed, with at most one empty line in a row.

    Joiners are format characters, so an emoji of several falls apart. ``[empty]`` stands for nothing.
    """
    if not text:
        return _EMPTY
    if not text.isascii() or not text.isprintable():
        kept = (each for each in text if each in "\n\t" or unicodedata.category(each) not in ("Cc", "Cf"))
        text = _NEWLINES.sub("\n\n", _INVISIBLE.sub("", "".join(kept)))
    text = text.strip()
    if not text:
        return _EMPTY
    return text if len(text) <= length_max else f"{text[:length_max]}... [truncated]"


def clean_name(text: str | None, length_max: int = _NAME_MAX) -> str:
    """Return a name on one line."""
    return _SPACES.sub(" ", clean_text(text, length_max).replace("\n", " ")).strip()


def clean_values(value: Any) -> Any:
    """Return data with all its texts clean."""
    if isinstance(value, dict):
        return {key: clean_values(each) for key, each in value.items()}
    if isinstance(value, list):
        return [clean_values(each) for each in value]
    return clean_text(value) if isinstance(value, str) else value


def unchanged(text: str | None) -> str:
    """Return a text as it is: the server of December 2025 took nothing out."""
    return text or ""
