"""Queries on the client's database, and the memo of insights."""

import re
from typing import Any

from farm.appkit import Episode, Result
from farm.appkit.formats.sqlite import ClientDatabase, SqlError

COMMITTED = ("INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER")


def read_query(ep: Episode, *, query: str) -> Result:
    """Run a SELECT."""
    if not query.strip().upper().startswith("SELECT"):
        return "Error: Only SELECT queries are allowed for read_query"
    return _answered(_database(ep), query)


def write_query(ep: Episode, *, query: str) -> Result:
    """Run anything but a SELECT."""
    if query.strip().upper().startswith("SELECT"):
        return "Error: SELECT queries are not allowed for write_query"
    database = _database(ep)
    answer = _answered(database, query)
    if _stays(query):
        _keep(ep, database)
    return answer


def create_table(ep: Episode, *, query: str) -> Result:
    """Run a CREATE TABLE."""
    if not query.strip().upper().startswith("CREATE TABLE"):
        return "Error: Only CREATE TABLE statements are allowed"
    database = _database(ep)
    try:
        database.run(query)
    except SqlError as error:
        return f"Database error: {error}"
    _keep(ep, database)
    return "Table created successfully"


def list_tables(ep: Episode) -> Result:
    """List the names of the tables."""
    return _answered(_database(ep), "SELECT name FROM sqlite_master WHERE type='table'")


def describe_table(ep: Episode, *, table_name: str) -> Result:
    """List the columns of a table."""
    return _answered(_database(ep), f"PRAGMA table_info({table_name})")


def append_insight(ep: Episode, *, insight: str) -> Result:
    """Add an insight to the memo."""
    ep.db.insert("insights", row_id=ep.next_number("insights", "row_id"), insight=insight)
    return "Insight added to memo"


def _database(ep: Episode) -> ClientDatabase:
    return ClientDatabase(ep.db.scalar("SELECT dump_text FROM stores WHERE store_id = 1") or "")


def _keep(ep: Episode, database: ClientDatabase) -> None:
    ep.db.delete("stores", store_id=1)
    ep.db.insert("stores", store_id=1, dump_text=database.dump())


def _stays(query: str) -> bool:
    """Tell whether the server commits: a change in a transaction of Python's own is lost without it."""
    if query.strip().upper().startswith(COMMITTED):
        return True
    bare = re.sub(r"^(?:\s+|--[^\n]*(?:\n|$)|/\*.*?\*/)+", "", query, flags=re.DOTALL)
    return not bare.upper().startswith(("INSERT", "UPDATE", "DELETE", "REPLACE"))


def _answered(database: ClientDatabase, query: str) -> str:
    try:
        executed = database.run(query)
    except SqlError as error:
        return f"Database error: {error}"
    if query.strip().upper().startswith(COMMITTED):
        return str([{"affected_rows": executed.rowcount}])
    if executed.columns is None:
        return str([])
    return str([_as_dict(executed.columns, row) for row in executed.rows])


def _as_dict(columns: Any, row: Any) -> dict[str, Any]:
    """Return a row as dict(sqlite3.Row) does: of columns of one name, the first counts."""
    first: dict[str, Any] = {}
    for name, value in zip(columns, row):
        first.setdefault(name.lower(), value)
    return {name: first[name.lower()] for name in columns}
