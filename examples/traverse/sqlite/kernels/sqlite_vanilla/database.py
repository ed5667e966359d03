"""Executing the client's SQL."""

import json
import re
from typing import Any

from farm.appkit import Episode, Result, parse_json
from farm.appkit.formats.sqlite import ClientDatabase, SqlError

COMMITTED = ("INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER")
CHANGING = ("insert", "update", "delete", "replace")
NAMES = "SELECT name FROM sqlite_master WHERE type='table'"


def read_query(ep: Episode, *, query: str) -> Result:
    """Return the rows of a SELECT."""
    if not query.strip().upper().startswith("SELECT"):
        return "Error: Only SELECT queries are allowed for read_query"
    return _told(ep, query)


def write_query(ep: Episode, *, query: str) -> Result:
    """Execute anything but a SELECT."""
    if query.strip().upper().startswith("SELECT"):
        return "Error: SELECT queries are not allowed for write_query"
    return _told(ep, query)


def create_table(ep: Episode, *, query: str) -> Result:
    """Execute a CREATE TABLE."""
    if not query.strip().upper().startswith("CREATE TABLE"):
        return "Error: Only CREATE TABLE statements are allowed"
    problem, results = _execute(ep, query)
    return problem if problem is not None else "Table created successfully"


def list_tables(ep: Episode) -> Result:
    """Return the names of the tables, in the order of their creation."""
    found = [row[0] for row in _open(ep).run(NAMES).rows]
    row = ep.db.one("SELECT table_names FROM stores WHERE store_id = 1")
    known = parse_json(row["table_names"]) if row is not None else []
    ordered = [name for name in known if name in found]
    ordered.extend(name for name in found if name not in ordered)
    return str([{"name": name} for name in ordered])


def describe_table(ep: Episode, *, table_name: str) -> Result:
    """Return the columns of a table."""
    problem, results = _run(ep, f"PRAGMA table_info({table_name})", "no")
    return problem if problem is not None else str(results)


def append_insight(ep: Episode, *, insight: str) -> Result:
    """Add an insight to the memo."""
    ep.db.insert("insights", row_id=ep.next_number("insights", "row_id"), insight=json.dumps(insight))
    return "Insight added to memo"


def _told(ep: Episode, query: str) -> str:
    problem, results = _execute(ep, query)
    return problem if problem is not None else str(results)


def _execute(ep: Episode, query: str) -> tuple[str | None, Any]:
    start = query.strip().upper()
    if start.startswith(COMMITTED):
        return _run(ep, query, "commit")
    if start.startswith("SELECT") or _bare(query).lower().startswith(CHANGING):
        return _run(ep, query, "no")
    return _run(ep, query, "auto")


def _run(ep: Episode, query: str, saving: str) -> tuple[str | None, Any]:
    try:
        query.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"Error: {error}", None
    if "\0" in query:
        return "Database error: the query contains a null character", None
    if _bare(query) == "":
        return None, []
    database = _open(ep)
    before = [row[0] for row in database.run(NAMES).rows]
    try:
        executed = database.run(query)
    except SqlError as error:
        return f"Database error: {error}", None
    if saving == "commit":
        if executed.columns is not None and executed.rows:
            return "Database error: cannot commit transaction - SQL statements in progress", None
        _save(ep, database, before)
        return None, [{"affected_rows": executed.rowcount}]
    if saving == "auto":
        _save(ep, database, before)
    if executed.columns is None:
        return None, []
    return None, [_shown(executed.columns, row) for row in executed.rows]


def _open(ep: Episode) -> ClientDatabase:
    text = ep.db.scalar("SELECT dump_text FROM stores WHERE store_id = 1")
    return ClientDatabase(text or "")


def _save(ep: Episode, database: ClientDatabase, before: list[str]) -> None:
    after = [row[0] for row in database.run(NAMES).rows]
    row = ep.db.one("SELECT table_names FROM stores WHERE store_id = 1")
    known = parse_json(row["table_names"]) if row is not None else list(before)
    gone = [name for name in known if name not in after]
    fresh = [name for name in after if name not in known]
    if len(gone) == 1 and len(fresh) == 1:
        names = [fresh[0] if name == gone[0] else name for name in known]
    else:
        names = [name for name in known if name in after] + fresh
    if row is None:
        ep.db.insert("stores", store_id=1, dump_text=database.dump(), table_names=json.dumps(names))
    else:
        ep.db.update("stores", {"store_id": 1}, dump_text=database.dump(), table_names=json.dumps(names))


def _shown(columns: Any, row: Any) -> dict[str, Any]:
    lowered = [name.lower() for name in columns]
    return {name: row[lowered.index(name.lower())] for name in columns}


def _bare(query: str) -> str:
    return re.sub(r"\A(?:\s+|--[^\n]*(?:\n|\Z)|/\*.*?\*/)+", "", query, flags=re.DOTALL)
