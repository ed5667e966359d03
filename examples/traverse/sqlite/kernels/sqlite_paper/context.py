"""The stored state: the client's own database as a text, and the memo of insights."""

from typing import Any

from farm.appkit import Episode
from farm.appkit.formats.sqlite import ClientDatabase


def database(ep: Episode) -> ClientDatabase:
    """Return the client's database as it was kept last, empty at the start."""
    return ClientDatabase(ep.db.scalar("SELECT dump_text FROM stores WHERE store_id = 1") or "")


def keep(ep: Episode, changed: ClientDatabase) -> None:
    """Keep the client's database for the next calls."""
    ep.db.delete("stores", store_id=1)
    ep.db.insert("stores", store_id=1, dump_text=changed.dump())


def rows_of(columns: Any, rows: Any) -> list[dict[str, Any]]:
    """Return rows as dict(sqlite3.Row) makes them: of columns of one name, the first counts."""
    result = []
    for row in rows:
        first: dict[str, Any] = {}
        for name, value in zip(columns, row):
            first.setdefault(name.lower(), value)
        result.append({name: first[name.lower()] for name in columns})
    return result


def add_insight(ep: Episode, insight: str) -> None:
    """Add an insight to the memo."""
    ep.db.insert("insights", row_id=ep.next_number("insights", "row_id"), insight=insight)
