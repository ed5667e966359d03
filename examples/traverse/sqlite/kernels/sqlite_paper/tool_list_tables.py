"""Listing tables."""

from farm.appkit import Episode, Result

from . import context


def list_tables(ep: Episode) -> Result:
    """List the names of the tables as Python prints them."""
    executed = context.database(ep).run("SELECT name FROM sqlite_master WHERE type='table'")
    return str(context.rows_of(executed.columns or [], executed.rows or []))
