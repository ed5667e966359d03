"""Reading by SELECT."""

from farm.appkit import Episode, Result, VendorError
from farm.appkit.formats.sqlite import SqlError

from . import context


class NoSelect(VendorError):
    """Error: Only SELECT queries are allowed for read_query"""

    code = "no_select"


class SelectFailed(VendorError):
    """Database error: {reason}"""

    code = "select_failed"


def read_query(ep: Episode, *, query: str) -> Result:
    """Run a SELECT and show its rows as Python prints them.

    Raises:
        NoSelect: the query is none.
        SelectFailed: SQLite refuses the query.
    """
    if not query.strip().upper().startswith("SELECT"):
        raise NoSelect()
    try:
        executed = context.database(ep).run(query)
    except SqlError as error:
        raise SelectFailed(reason=str(error))
    return str(context.rows_of(executed.columns or [], executed.rows or []))
