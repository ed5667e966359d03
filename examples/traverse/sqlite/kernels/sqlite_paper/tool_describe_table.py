"""Describing tables."""

from farm.appkit import Episode, Result, VendorError
from farm.appkit.formats.sqlite import SqlError

from . import context


class DescribeFailed(VendorError):
    """Database error: {reason}"""

    code = "describe_failed"


def describe_table(ep: Episode, *, table_name: str) -> Result:
    """List the columns of a table; an unknown one has none.

    Raises:
        DescribeFailed: the name makes no SQL.
    """
    try:
        executed = context.database(ep).run(f"PRAGMA table_info({table_name})")
    except SqlError as error:
        raise DescribeFailed(reason=str(error))
    return str(context.rows_of(executed.columns or [], executed.rows or []))
