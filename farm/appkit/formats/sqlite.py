"""A client's own SQLite database, for servers that execute their clients' SQL.

It lives in memory during a call. Between calls, its content is a text in a column of the app, so that it is reset,
copied and compared with the rest of the context.
"""

from __future__ import annotations

import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_STEPS_MAX = 20_000_000
_STEPS_A_LOOK = 100_000
# The header's fields for the version of the library that wrote the file: the content does not depend on it.
_VERSION_FIELDS = slice(92, 100)


class SqlError(Exception):
    """SQLite rejects a statement, in its own words."""


@dataclass(frozen=True, slots=True)
class Executed:
    """The result of a statement.

    Attributes:
        columns: the names of the result's columns, or None if the statement has no result.
        rows: the rows, each a tuple of values.
        rowcount: the number of inserted, changed or deleted rows; -1 for other statements.
    """

    columns: tuple[str, ...] | None
    rows: tuple[tuple[Any, ...], ...]
    rowcount: int


class ClientDatabase:
    """A database in memory on which a client's statements are executed.

    Not simulated: the clock and random numbers of SQL functions (``datetime('now')``, ``random()``), other files.
    """

    def __init__(self, dumped: str = "") -> None:
        """Open an empty database, or the one that ``dump`` gave."""
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        if dumped:
            self._connection.deserialize(b64decode(dumped))
        self._connection.set_authorizer(_authorize)
        self._looks = 0
        self._connection.set_progress_handler(self._look, _STEPS_A_LOOK)

    def run(self, sql: str, values: Sequence[Any] = ()) -> Executed:
        """Execute one statement and commit it.

        Raises:
            SqlError: SQLite rejects it.
        """
        try:
            cursor = self._connection.execute(sql, values)
            rows = tuple(cursor.fetchall())
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as problem:
            raise SqlError(str(problem)) from None
        columns = None if cursor.description is None else tuple(each[0] for each in cursor.description)
        return Executed(columns, rows, cursor.rowcount)

    def dump(self) -> str:
        """Return the content as a text; equal contents made by equal statements give equal texts."""
        raw = bytearray(self._connection.serialize())
        if len(raw) >= _VERSION_FIELDS.stop:
            raw[_VERSION_FIELDS] = bytes(_VERSION_FIELDS.stop - _VERSION_FIELDS.start)
        return b64encode(raw).decode("ascii")

    def _look(self) -> int:
        self._looks += 1
        return int(self._looks > _STEPS_MAX // _STEPS_A_LOOK)


def _authorize(action: int, *_: Any) -> int:
    return sqlite3.SQLITE_DENY if action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH) else sqlite3.SQLITE_OK
