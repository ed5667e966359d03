"""The API of tool handlers: the episode they work on, the errors they raise, the bodies they return.

A kernel imports only this module, ``farm.appkit.formats``, ``farm.appkit.geography`` and itself.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from hashlib import blake2b
from typing import Any, ClassVar, Protocol, Self

import orjson

from farm.appkit.ids import id_maker

# A row by the names of its columns.
Row = dict[str, Any]
Value = str | int | float | None
RowMakers = tuple[Callable[..., Row], Callable[[list[Any]], list[Row]]]
_SQL_MAX = 4096  # characters of a statement whose columns are cached
_MAKERS_MAX = 512  # statements whose columns are cached: some statements vary with the number of their values
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class VendorError(Exception):
    """The simulated service refuses. Subclasses carry the vendor's ``code``; their docstring is its message.

    Keyword arguments fill the docstring's placeholders: ``raise NotFound(kind="page")`` for ``No such {kind}``.
    """

    code: ClassVar[str | int] = ""
    commits = False  # whether the call's writes stay: only its answer was lost

    def __init__(self, message: str | None = None, **details: Any) -> None:
        if message is None:
            message = (type(self).__doc__ or "").strip()
            message = message.format(**details) if details else message
        self.message = message
        self.details = details
        super().__init__(self.message)

    @classmethod
    def define(cls, code: str | int, message: str, **attributes: Any) -> type[Self]:
        """Return the class of an error that is only a code: ``NoText = SlackError.define("no_text", "The …")``.

        Args:
            code: the vendor's code.
            message: its message, in which ``{names}`` are filled as in a docstring.
            attributes: further class attributes, such as an HTTP status.
        """
        named = {"__doc__": message, "__module__": cls.__module__, "code": code}
        return type(f"{cls.__name__}_{code}", (cls,), named | attributes)


class ProtocolError(VendorError):
    """The answer is a JSON-RPC error with this ``code`` instead of a result; ``data`` is sent unless it is None."""

    code: ClassVar[int] = -32603

    def __init__(self, message: str | None = None, *, data: Any = None, **details: Any) -> None:
        super().__init__(message, **details)
        self.data = data


@dataclass(frozen=True, slots=True)
class Image:
    """An image content item of a result. ``data`` is base64 text."""

    data: str
    mime_type: str


# A text, an image, or any other content item in MCP's form: a resource, audio, a link.
Item = str | Image | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Content:
    """Several content items, in order."""

    items: tuple[Item, ...]


# The usual result of a handler: a JSON body, a text, or several content items. The app's envelope serializes it.
Body = Mapping[str, Any] | Sequence[Any] | str | Content


@dataclass(slots=True)  # not frozen: every refusal creates one, and a frozen one takes three times as long to create
class Answer:
    """A body, with values that override the app's envelope.

    Attributes:
        body: the body, as a handler returns it.
        structured: the ``structuredContent``; True for the envelope's own, False for none.
        is_error: ``isError``; None for the envelope's value for successes. Only refusals may be True, and handlers
            raise those.
    """

    body: Body
    structured: Mapping[str, Any] | bool = True
    is_error: bool | None = None


Result = Body | Answer


def parse_json(text: str) -> Any:
    """Parse the text of a JSON column: the result of ``json.loads``, in a tenth of its time."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        # orjson rejects NaN, lone surrogates and very deep nesting.
        return json.loads(text)


def best_match(responses: Sequence[Row], asked: Mapping[str, Any]) -> Any | None:
    """Return the body of the most specific canned response to a request, or None.

    A row matches if the request has all of its parameters; the matching row with the most parameters wins.

    Args:
        responses: rows with ``asked``, an object of parameters, and ``body``, both JSON. The first of equal rows wins.
        asked: all parameters of the request.
    """
    fitting = [
        (len(wanted), row["body"]) for row in responses if (wanted := parse_json(row["asked"])).items() <= asked.items()
    ]
    return parse_json(max(fitting, key=lambda each: each[0])[1]) if fitting else None


@lru_cache(maxsize=4096)
def _insert_sql(table: str, columns: tuple[str, ...]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


@lru_cache(maxsize=4096)
def _update_sql(table: str, columns: tuple[str, ...], keys: tuple[str, ...]) -> str:
    sets = ", ".join(f"{column} = ?" for column in columns)
    return f"UPDATE {table} SET {sets} WHERE {' AND '.join(f'{key} IS ?' for key in keys)}"


@lru_cache(maxsize=4096)
def _delete_sql(table: str, keys: tuple[str, ...]) -> str:
    return f"DELETE FROM {table} WHERE {' AND '.join(f'{key} IS ?' for key in keys)}"


@lru_cache(maxsize=4096)
def _row_makers(names: tuple[str, ...]) -> RowMakers:
    """Return two functions that turn tuples of values into rows: one for a single tuple, one for many.

    They are compiled from source, as ``namedtuple`` does: a dictionary display takes half the time of
    ``dict(zip(…))``.
    """
    values = [f"v{number}" for number in range(len(names))]
    row = f"{{{', '.join(f'{name!r}: {value}' for name, value in zip(names, values, strict=True))}}}"
    listed = ", ".join(values)
    return eval(f"lambda {listed}: {row}", {}), eval(f"lambda rows: [{row} for {listed}, in rows]", {})


class TextIndex(Protocol):
    """A text index: it returns the rows that may contain given words."""

    def candidates(self, table: str, *words: str, most: int | None = None) -> set[str] | None:
        """Return the keys of the rows that may contain all words, or None if any row may."""


class Database:
    """A thin wrapper over one SQLite connection; values are bound by position or by name.

    A row is a dictionary by the names of its columns.
    """

    __slots__ = ("_execute", "_index", "_makers", "_query", "connection")

    def __init__(self, connection: sqlite3.Connection, index: TextIndex | None = None) -> None:
        self.connection = connection
        self._index = index
        # The bound C method itself saves a Python frame per statement.
        self._execute = connection.execute
        # One cursor for all queries: every query fetches all rows at once, so it is never left half read.
        cursor = connection.cursor()
        cursor.row_factory = None
        self._query = cursor.execute
        self._makers: dict[str, RowMakers] = {}

    def one(self, sql: str, *values: Value, **named: Value) -> Row | None:
        """Return the first row, or None. All rows are fetched, so a query that may match many needs ``LIMIT 1``."""
        cursor = self._query(sql, named or values)
        rows = cursor.fetchall()
        return (self._makers.get(sql) or self._maker(sql, cursor))[0](*rows[0]) if rows else None

    def all(self, sql: str, *values: Value, **named: Value) -> list[Row]:
        """Return every row, in the order of the query."""
        cursor = self._query(sql, named or values)
        return (self._makers.get(sql) or self._maker(sql, cursor))[1](cursor.fetchall())

    def _maker(self, sql: str, cursor: sqlite3.Cursor) -> RowMakers:
        names = tuple(column[0] for column in cursor.description)
        assert len(set(names)) == len(names), f"two columns of one name: {sql}"
        maker = _row_makers(names)
        if len(sql) <= _SQL_MAX:
            if len(self._makers) >= _MAKERS_MAX:
                self._makers.clear()
            self._makers[sql] = maker
        return maker

    def scalar(self, sql: str, *values: Value, **named: Value) -> Any:
        """Return the first column of the first row, or None when there is no row."""
        row = self._execute(sql, named or values).fetchone()
        return None if row is None else row[0]

    def execute(self, sql: str, *values: Value, **named: Value) -> int:
        """Run a statement that the methods below cannot express; return the number of changed rows."""
        return self._execute(sql, named or values).rowcount

    def insert(self, table: str, /, **values: Value) -> None:
        """Insert one row."""
        self._execute(_insert_sql(table, tuple(values)), tuple(values.values()))

    def update(self, table: str, key: Mapping[str, Value], /, **values: Value) -> int:
        """Set columns of the rows that match ``key``; return the number of rows."""
        if not values:
            return 0
        sql = _update_sql(table, tuple(values), tuple(key))
        return self._execute(sql, (*values.values(), *key.values())).rowcount

    def delete(self, table: str, /, **key: Value) -> int:
        """Delete the matching rows; return the number of rows."""
        return self._execute(_delete_sql(table, tuple(key)), tuple(key.values())).rowcount

    def candidates(self, table: str, *words: str, most: int | None = None) -> set[str] | None:
        """Return the keys of the rows that may contain all these words, or None if any row may.

        The result may include rows without the words, but never misses a row with them. So a handler applies the
        vendor's own condition to these rows instead of to all, with the same answer.

        Args:
            table: a table with columns declared ``searched=True``; together they are its text.
            words: each is contained in one searched column, by the vendor's comparison; the index ignores case.
            most: return None also if there are more rows than this, for lists that stop after a page.
        """
        return None if self._index is None else self._index.candidates(table, *words, most=most)


class Episode:
    """One app's context in one episode, as a handler sees it.

    Attributes:
        db: the context, inside the call's transaction when the tool writes.
        me: the account of the agent (the app's own user id).
        now_ms: simulated time, milliseconds since 1970 UTC; constant during a call.
        seed: the integer from which ids derive.
        notices: what the person was notified of while this call waited, in order, or, for a resource, since the episode
            began; None for any other call.
        answer: what the person at the client answered to this call's question; None if nobody was asked or answered.
    """

    __slots__ = (
        *("_find_reference", "_find_zone", "_forms", "_made", "_prefix"),
        *("answer", "db", "me", "notices", "now_ms", "seed", "writes"),
    )

    def __init__(
        self,
        db: Database,
        *,
        app: str,
        me: str,
        seed: int,
        forms: Mapping[str, str],
        find_zone: Callable[[], tzinfo] = lambda: UTC,
        find_reference: Callable[[], Database] | None = None,
    ) -> None:
        self.db = db
        self.me = me
        self.seed = seed
        self.now_ms = 0
        self.notices: Sequence[Mapping[str, Any]] | None = None
        self.answer: str | None = None
        # The number of writing calls committed before this one. With the count of ids made in this call it is the
        # sequence behind new_id, so reads and refusals never shift later ids.
        self.writes = 0
        self._made = 0
        self._prefix = f"{seed}:{app}:"
        self._forms = forms
        # Called lazily: few handlers need the zone, and finding it reads the world's files.
        self._find_zone = find_zone
        self._find_reference = find_reference

    def start_call(self, now_ms: int, writes: int) -> None:
        """Set the time and the position in the id sequence; the pipeline calls this before every call."""
        self.now_ms = now_ms
        self.writes = writes
        self._made = 0

    @property
    def now(self) -> datetime:
        """Simulated time as an aware UTC datetime."""
        return _EPOCH + timedelta(milliseconds=self.now_ms)

    @property
    def zone(self) -> tzinfo:
        """The server's time zone, which is its user's: for times in sentences (``farm.appkit.formats.times``)."""
        return self._find_zone()

    @property
    def reference(self) -> Database:
        """The read-only data of ``App(reference=…)``, shared by all episodes."""
        assert self._find_reference is not None, "the app names no reference"
        return self._find_reference()

    def new_id(self, kind: str) -> str:
        """Return a fresh id in the form the app declares for this kind; the same seed and calls give the same ids."""
        self._made += 1
        source = f"{self._prefix}{kind}:{self.writes}:{self._made}"
        return id_maker(self._forms[kind])(source.encode())

    def next_number(self, table: str, column: str, /, **where: Value) -> int:
        """Return the number after the largest one in a column: 1, 2, 3 … within the rows that match ``where``.

        This is for services that number things in a chat or a list. Deleting the row with the largest number would
        reuse that number, so mark rows of such a table as deleted instead.
        """
        conditions = " AND ".join(f"{name} IS ?" for name in where) or "1"
        sql = f"SELECT coalesce(max({column}), 0) + 1 FROM {table} WHERE {conditions}"
        return int(self.db.scalar(sql, *where.values()))

    def hash(self, *parts: object) -> int:
        """Return a 64-bit hash of the seed and these parts, for choices that must look arbitrary."""
        source = self._prefix + ":".join(map(str, parts))
        return int.from_bytes(blake2b(source.encode(), digest_size=32).digest()[24:], "big")


Handler = Callable[..., Result]
