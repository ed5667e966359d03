"""Changing the database."""

import re

from farm.appkit import Episode, Result, VendorError
from farm.appkit.formats.sqlite import SqlError

from . import context

COMMITTED = ("INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER")


class IsSelect(VendorError):
    """Error: SELECT queries are not allowed for write_query"""

    code = "is_select"


class WriteFailed(VendorError):
    """Database error: {reason}"""

    code = "write_failed"


def write_query(ep: Episode, *, query: str) -> Result:
    """Run anything but a SELECT.

    Raises:
        IsSelect: the query is a SELECT.
        WriteFailed: SQLite refuses the query.
    """
    start = query.strip().upper()
    if start.startswith("SELECT"):
        raise IsSelect()
    database = context.database(ep)
    try:
        executed = database.run(query)
    except SqlError as error:
        raise WriteFailed(reason=str(error))
    if start.startswith(COMMITTED):
        context.keep(ep, database)
        return str([{"affected_rows": executed.rowcount}])
    if not _opens_transaction(query):
        context.keep(ep, database)
    return str(context.rows_of(executed.columns or [], executed.rows or []))


def _opens_transaction(query: str) -> bool:
    """Tell whether Python's sqlite3 begins a transaction, which the server does not commit here."""
    bare = re.sub(r"^(?:\s+|--[^\n]*(?:\n|$)|/\*.*?\*/)+", "", query, flags=re.DOTALL)
    return bare.upper().startswith(("INSERT", "UPDATE", "DELETE", "REPLACE"))
