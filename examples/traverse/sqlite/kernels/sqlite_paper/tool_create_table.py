"""Making tables."""

from farm.appkit import Episode, Result, VendorError
from farm.appkit.formats.sqlite import SqlError

from . import context


class NoCreateTable(VendorError):
    """Error: Only CREATE TABLE statements are allowed"""

    code = "no_create_table"


class CreateFailed(VendorError):
    """Database error: {reason}"""

    code = "create_failed"


def create_table(ep: Episode, *, query: str) -> Result:
    """Run a CREATE TABLE.

    Raises:
        NoCreateTable: the query is none.
        CreateFailed: SQLite refuses the query.
    """
    if not query.strip().upper().startswith("CREATE TABLE"):
        raise NoCreateTable()
    database = context.database(ep)
    try:
        database.run(query)
    except SqlError as error:
        raise CreateFailed(reason=str(error))
    context.keep(ep, database)
    return "Table created successfully"
