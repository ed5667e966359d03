"""Recent changes: a table that the Dataview plugin makes of the notes' times."""

from __future__ import annotations

from datetime import timedelta, tzinfo

from farm.appkit import Episode, Result
from farm.appkit.formats.times import local

from . import errors
from .vaults import connect

_LIMIT_MAX = 2**62
_DAYS_MAX = 366 * 9999


def get_recent_changes(ep: Episode, *, limit: int = 10, days: int = 90) -> Result:
    """Return the notes changed since so many days before today's midnight, the last changed first.

    Raises:
        ServerError: a whole number with a fraction, which the schema lets pass.
        InvalidFilterQuery: Dataview is not there.
    """
    for name, given in (("limit", limit), ("days", days)):
        if not isinstance(given, int):
            raise errors.ServerError(f"Invalid {name}: {given}. Must be a positive integer")
    vault = connect(ep, "/search/")
    if not vault.has_dataview:
        raise errors.InvalidFilterQuery("Cannot read properties of undefined (reading 'tryQuery')")
    midnight = vault.now.replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        since_ms = int((midnight - timedelta(days=min(days, _DAYS_MAX))).timestamp() * 1000)
    except OverflowError:
        since_ms = -(2**63)
    changed = vault.changed(since_ms, min(max(limit, -1), _LIMIT_MAX))
    return [
        {"filename": note["path"], "result": {"file.mtime": _iso(note["changed_ms"], vault.zone)}}
        for note in changed[:limit]  # as Python cuts, for a limit below zero
    ]


def _iso(at_ms: int, zone: tzinfo) -> str:
    return local(at_ms, zone).isoformat(timespec="milliseconds")
