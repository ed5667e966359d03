"""Periodic notes: the one note of today, this week, month, quarter or year."""

from __future__ import annotations

from datetime import date

from farm.appkit import Episode, Json, Result

from . import errors
from .moments import parse_strictly, period_start
from .notes import describe
from .vaults import Vault, connect, text_of

_JSON = Json(indented=True)
_FORMATS = {
    "daily": "YYYY-MM-DD",
    "weekly": "gggg-[W]ww",
    "monthly": "YYYY-MM",
    "quarterly": "YYYY-[Q]Q",
    "yearly": "YYYY",
}


def get_periodic_note(ep: Episode, *, period: str, type: str = "content") -> Result:
    """Return the current note of a period: its text, or all that Obsidian knows of it as JSON.

    Raises:
        PeriodIsNotEnabled: the period is switched off.
        PeriodicNoteDoesNotExist: its folder has no note of today.
        ReadTimedOut: its folder is not there.
    """
    vault = connect(ep, f"/periodic/{period}/")
    path = _current(ep, vault, period)
    note = vault.find_indexed(path)
    assert note is not None, "it was found among the files"
    if type != "metadata":
        return text_of(note)
    if not path.endswith(".md"):
        raise errors.ReadTimedOut
    return _JSON.text(describe(note))


def get_recent_periodic_notes(ep: Episode, *, period: str, limit: int = 5, include_content: bool = False) -> Result:
    """Refuse, as the real server always does: no version of the plugin has the route.

    Raises:
        ServerError: a whole number with a fraction, which the schema lets pass.
        NotFound: otherwise.
    """
    if not isinstance(limit, int):
        raise errors.ServerError(f"Invalid limit: {limit}. Must be a positive integer")
    connect(ep, f"/periodic/{period}/recent?limit={limit}&includeContent={include_content}")
    raise errors.NotFound


def _current(ep: Episode, vault: Vault, period: str) -> str:
    """Return the path of the note; of several the one that comes last in the vault."""
    setting = ep.db.one("SELECT * FROM periods WHERE vault_id = ? AND period = ?", vault.vault_id, period)
    if setting is None or not setting["is_enabled"]:
        raise errors.PeriodIsNotEnabled
    folder = setting["folder"].strip("/")
    if not vault.is_folder(folder):
        raise errors.ReadTimedOut
    # What stands before a slash is folders; the name behind it is what counts.
    pattern = (setting["format"] or _FORMATS[period]).rpartition("/")[2]
    today = vault.now.date()
    found = [path for path in _paths(vault, folder) if _is_of(path, pattern, period, today)]
    if not found:
        raise errors.PeriodicNoteDoesNotExist
    return found[-1]


def _paths(vault: Vault, folder: str) -> list[str]:
    return [file["path"] for file in vault.files() if not folder or file["path"].startswith(f"{folder}/")]


def _is_of(path: str, pattern: str, period: str, today: date) -> bool:
    name = path.rpartition("/")[2]
    stem, dot, _ = name.rpartition(".")
    day = parse_strictly(stem if dot else name, pattern, today)
    return day is not None and period_start(day, period) == period_start(today, period)
