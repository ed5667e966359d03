"""What a reader sees of a text, by the format in which it is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from farm.appkit.column_vocabulary import Format
from farm.appkit.formats.visible.model import VisibleText, without_struck
from farm.appkit.formats.visible.obsidian import visible_obsidian
from farm.appkit.formats.visible.signs import doubts_of_signs, visible_signs

__all__ = ["VisibleText", "visible_text", "without_struck"]

_READERS: Mapping[Format, Callable[[str], VisibleText]] = {
    "obsidian": visible_obsidian,
}


def visible_text(format: Format, stored: Any) -> VisibleText:
    """Return what a reader sees of a text as it is stored, a value of JSON or its text."""
    reader = _READERS.get(format, VisibleText.from_message)
    text = "" if stored is None else str(stored)
    return reader(text).map(visible_signs).with_doubts(*doubts_of_signs(text))
