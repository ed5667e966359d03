"""Texts of rows as their readers see them: what a column stores, in its format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from farm.appkit.column_vocabulary import Format, Role
from farm.appkit.formats.visible import (
    MARKDOWN_FORMATS,
    VisibleText,
    visible_part_of_mail,
    visible_text,
    without_struck,
)
from farm.benchmark.scoring.app_schemas import schema_of
from farm.context.operators import at_path, texts_in

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
        is_mail: whether it is a part of a mail, in which quoted words are somebody else's.
        is_code_read: whether its blocks of code are a part of the message.
        doubts: why its reader may see something else.
        role: what its column is; None for an answer.
    """

    format: Format
    raw: str
    value: Any
    is_mail: bool = False
    is_code_read: bool = False
    doubts: tuple[str, ...] = ()
    role: Role | None = None

    @classmethod
    def from_row(cls, app: str, table: str, row: Mapping[str, Any], key: str, shown: Any) -> StoredText:
        """Return the text in a column, or at a dotted path inside it.

        Args:
            shown: the visible part of the value, which is all there is to a text without a format.
        """
        format, raw = format_of(app, table, key), texts_in(shown)
        value = raw if format == "plain" else at_path(row, key)
        return cls(format, raw, value, role=role_of(app, table, key))

    def visible(self) -> VisibleText:
        """Return what a reader sees of it."""
        if self.is_mail:
            return visible_part_of_mail(self.format, self.raw)
        is_text = isinstance(self.value, str)
        visible = _visible(self.format, self.value) if is_text else visible_text(self.format, self.value)
        visible = visible.with_doubts(*self.doubts)
        return VisibleText(visible.screen, visible.screen, visible.doubts) if self.is_code_read else visible

    def on_screen(self) -> str:
        """Return every word that a reader sees, except struck-through ones."""
        return without_struck(self.visible().screen)

    def keeps(self, before: str) -> bool:
        """Return whether a text of the start stands in it in the same form, not only in the same words."""
        if self.format == "html":
            return _words(without_struck(visible_text("html", before).message)) in _words(self.on_screen())
        if self.format not in MARKDOWN_FORMATS:
            return True  # a mark is no mark there
        kept, whole = _lines(before), _lines(self.raw)
        at = whole.find(kept)
        around = whole[max(0, at - 1) : at] + whole[at + len(kept) : at + len(kept) + 1]
        if at >= 0:
            return _MARKS.isdisjoint(around)
        lines = iter(whole.split("\n"))
        return all(line in lines for line in kept.split("\n"))  # with others at the ends of its sections


# Checkpoints judge the same text several times, and the audit thousands of times.
@lru_cache(maxsize=512)
def _visible(format: Format, text: str) -> VisibleText:
    return visible_text(format, text)


def _words(text: str) -> str:
    return " ".join(text.split())


def _lines(text: str) -> str:
    """Return a text's lines with single blanks and one form of bullets and quotes."""
    lines = (" ".join(line.split()) for line in text.translate(_PLAIN_QUOTES).splitlines())
    return "\n".join(_BULLET.sub("-", line) for line in lines if line)


def format_of(app: str, table: str, key: str) -> Format:
    """Return the format of a column's text; every character is visible unless the app's schema says otherwise."""
    return schema_of(app).formats.get(table, {}).get(key.partition(".")[0], "plain")


def role_of(app: str, table: str, key: str) -> Role:
    """Return what a column is, or the one that holds a value at a dotted path."""
    return schema_of(app).roles[table][key.partition(".")[0]]


@lru_cache(maxsize=128)
def is_mail(app: str, table: str) -> bool:
    """Return whether a table holds mails, in which quoted words are somebody else's."""
    return any(each.name == table and each.info["view"].kind == "mail" for each in schema_of(app).tables)


@lru_cache(maxsize=128)
def mail_thread(app: str, table: str) -> str | None:
    """Return the column with a mail's thread; None if the table holds no mails, or they have no threads."""
    views = (each.info["view"] for each in schema_of(app).tables if each.name == table)
    return next((view.thread for view in views if view.kind == "mail" and view.thread), None)


@lru_cache(maxsize=128)
def _mail_columns(app: str, table: str) -> tuple[str, str] | None:
    """Return the columns of a table that hold a text and the same as HTML: of mails, and of what a chat shows so."""
    schema = schema_of(app)
    formats, roles = schema.formats.get(table, {}), schema.roles.get(table, {})
    bodies = [name for name, role in roles.items() if role == "body"]
    text = next((name for name in bodies if formats.get(name) == "plain"), None)
    html = next((name for name in bodies if formats.get(name) == "html"), None)
    return (text, html) if text and html else None


def other_part_of_mail(app: str, table: str, column: str) -> str | None:
    """Return the column with a mail's HTML if this one has its text, and the other way round."""
    pair = _mail_columns(app, table)
    if pair is None or column not in pair:
        return None
    return pair[1] if column == pair[0] else pair[0]


def stored_texts(app: str, table: str, row: Mapping[str, Any], key: str, shown: Any) -> tuple[StoredText, ...]:
    """Return the text in a column, or at a dotted path inside it; of a mail, each part that it has.

    A mail program shows the HTML of a mail, some readers' programs its text: both are the mail.

    Args:
        shown: the visible part of the column's value.
    """
    mail_columns = _mail_columns(app, table)
    if mail_columns is None or key not in mail_columns:
        return (StoredText.from_row(app, table, row, key, shown),)
    quotes = is_mail(app, table)
    stored = ((format_of(app, table, name), row.get(name) or "") for name in mail_columns)
    parts = tuple(StoredText(form, raw, raw, is_mail=quotes, role="body") for form, raw in stored if raw.strip())
    return parts or (StoredText("plain", "", "", is_mail=quotes),)


def with_mail_words(app: str, table: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row with a mail's visible words in place of its parts, as it does not matter in which they stand."""
    mail_columns = _mail_columns(app, table)
    if mail_columns is None:
        return row
    parts = stored_texts(app, table, row, mail_columns[0], None)
    words = sorted({" ".join(part.visible().screen.split()) for part in parts})
    return {name: value for name, value in row.items() if name not in mail_columns} | {mail_columns[0]: words}
