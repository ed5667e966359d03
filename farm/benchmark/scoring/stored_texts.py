"""Texts of rows as their readers see them: what a column stores, in its format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from farm import content
from farm.appkit.column_vocabulary import Format
from farm.appkit.formats.visible import VisibleText, visible_text, without_struck
from farm.benchmark.operators import at_path, texts_in

# Formats whose marks are a part of what must be kept: a heading that was a paragraph is altered.
_MARKDOWN: frozenset[Format] = frozenset({"markdown", "obsidian", "lark_markdown", "reddit", "discord"})
_PLAIN_QUOTES = str.maketrans("’‘“”", "''\"\"")
_BULLET = re.compile(r"^[*+](?=\s)")
_MARKS = frozenset("#*_~`=%<>\\")


@dataclass(frozen=True)
class StoredText:
    """A text of a row.

    Attributes:
        format: how it is stored.
        raw: all that is stored, as a text.
        value: what is stored, for formats that are JSON.
    """

    format: Format
    raw: str
    value: Any

    @classmethod
    def from_row(cls, app: str, table: str, row: Mapping[str, Any], key: str, shown: Any) -> StoredText:
        """Return the text in a column, or at a dotted path inside it.

        Args:
            shown: the visible part of the value, which is all there is to a text without a format.
        """
        format, raw = format_of(app, table, key), texts_in(shown)
        return cls(format, raw, raw if format == "plain" else at_path(row, key))

    def visible(self) -> VisibleText:
        """Return what a reader sees of it."""
        is_text = isinstance(self.value, str)
        return _visible(self.format, self.value) if is_text else visible_text(self.format, self.value)

    def on_screen(self) -> str:
        """Return every word that a reader sees, except struck-through ones."""
        return without_struck(self.visible().screen)

    def keeps(self, before: str) -> bool:
        """Return whether a text of the start stands in it in the same form, not only in the same words."""
        if self.format not in _MARKDOWN:
            return True
        kept, whole = _lines(before), _lines(self.raw)
        at = whole.find(kept)
        around = whole[max(0, at - 1) : at] + whole[at + len(kept) : at + len(kept) + 1]
        return at >= 0 and _MARKS.isdisjoint(around)


# Checkpoints judge the same text several times, and the audit thousands of times.
@lru_cache(maxsize=512)
def _visible(format: Format, text: str) -> VisibleText:
    return visible_text(format, text)


def _lines(text: str) -> str:
    """Return a text's lines with single blanks and one form of bullets and quotes."""
    lines = (" ".join(line.split()) for line in text.translate(_PLAIN_QUOTES).splitlines())
    return "\n".join(_BULLET.sub("-", line) for line in lines if line)


@lru_cache(maxsize=128)
def _formats(app: str) -> Mapping[str, Mapping[str, Format]]:
    return content.load_app(app).schema.formats


def format_of(app: str, table: str, key: str) -> Format:
    """Return the format of a column's text; every character is visible unless the app's schema says otherwise."""
    return _formats(app).get(table, {}).get(key.partition(".")[0], "plain")
