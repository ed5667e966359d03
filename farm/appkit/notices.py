"""What an app's ``notices.py`` is written with: which rows the person's phone shows on its lock screen, and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from farm.appkit.handler_api import Episode, Row

_TEXT_MAX = 160

# Returns the text of a notice, or None if the person is not notified.
Notice = Callable[[Episode, Row], str | None]
# A table, or ``table.column`` of a column declared with ``due``, → its notice.
Notices = Mapping[str, Notice]


def lock_screen(who: str, text: str, where: str = "") -> str:
    """Return a notice: who, where and the beginning of the text, in one line."""
    said = " ".join(text.split())
    said = said if len(said) <= _TEXT_MAX else f"{said[: _TEXT_MAX - 1]}…"
    return f"{who}{f' in {where}' if where else ''}: {said}"
