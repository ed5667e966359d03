"""A cache of serialized rows.

Use it only for lists that were *measured* to be hot: a handler that builds dictionaries is fast enough elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

import orjson

from farm._util.bounded_cache import ENTRY_BYTES, compact_bytes
from farm.appkit.handler_api import Row

P = ParamSpec("P")
# JSON → the same, escaped for the inside of a JSON string.
Escape = Callable[[bytes], bytes]

# Rows in one function's cache.
ROWS_MAX = 4_096
BYTES_MAX = 4 * 1024 * 1024
# A larger row is not cached.
ROW_BYTES_MAX = 64 * 1024
# An escaped form that is this many times longer than the row is not cached: ``<`` may become ``\\u003c``.
QUOTED_TIMES_MAX = 2

# orjson would print values of these types like others, so they must not be part of a key.
_JSON_TYPES_ONLY = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
# Placeholder for a printed row; printed JSON contains no zero byte.
_HOLE = orjson.Fragment(b"\0")


class PrintedRow:
    """A row as JSON, for use inside a body; handlers must not look into it.

    Attributes:
        text: the JSON.
    """

    __slots__ = ("_escape", "_quoted", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text
        self._escape: Escape | None = None
        self._quoted = b""

    def quoted(self, escape: Escape) -> bytes:
        """Return the JSON escaped for the inside of a JSON string; that form is cached unless it is very long."""
        if self._escape is escape:
            return self._quoted
        quoted = escape(self.text)
        if len(quoted) <= QUOTED_TIMES_MAX * len(self.text):
            self._escape, self._quoted = escape, quoted
        return quoted


# The result of a memoised function; a dictionary if orjson cannot serialize it.
CachedRow = PrintedRow | dict[str, Any]


def memoised_row(
    *, depth: int | None = None, sort_keys: bool = False
) -> Callable[[Callable[Concatenate[Row, P], dict[str, Any]]], Callable[Concatenate[Row, P], CachedRow]]:
    """Return a decorator that caches a function's dictionary for a row as serialized JSON.

    The function's arguments are the row and all else that its result depends on. They are plain JSON data and
    together form the key; the function must depend on nothing else. A body may contain the result like a dictionary::

        @memoised_row()
        def _member(row: Row, team: str) -> dict[str, Any]: ...

        return {"ok": True, "members": [_member(row, "T1") for row in ep.db.all(_PAGE)]}

    Args:
        depth: the level of the row in an indented body; None for compact bodies.
        sort_keys: whether bodies are printed with sorted keys.
    """

    def decorate(function: Callable[Concatenate[Row, P], dict[str, Any]]) -> Callable[Concatenate[Row, P], CachedRow]:
        memory = Memory()
        print_row = _printer(depth, sort_keys)

        @wraps(function)
        def wrapper(row: Row, /, *args: P.args, **more: P.kwargs) -> CachedRow:
            try:
                # Serialized values keep their type: 1, 1.0, true and "1" are four keys.
                key = orjson.dumps((row, args, more), None, _JSON_TYPES_ONLY)
            except orjson.JSONEncodeError:
                return function(row, *args, **more)
            if (found := memory.rows.get(key) or memory.find(key)) is not None:
                return found
            made = function(row, *args, **more)
            try:
                printed = PrintedRow(compact_bytes(print_row(made)))
            except orjson.JSONEncodeError:
                # A lone surrogate or an integer beyond 64 bits; the renderer handles these.
                return made
            memory.keep(key, printed)
            return printed

        wrapper.memory = memory  # type: ignore[attr-defined]
        return wrapper

    return decorate


class Memory:
    """Key → printed row, bounded in number and in bytes.

    The cache has two generations. When ``rows`` reaches half of the limit, it replaces ``older``, and the old ``older``
    is evicted. A row that is used again moves to ``rows``, so it stays.

    Attributes:
        rows: the rows used since the last rotation.
        older: the rows of the generation before.
        size_bytes: an upper bound for the size of ``rows``: keys, texts with the longest escaped form that is cached,
            and the overhead of each entry.
    """

    def __init__(self) -> None:
        self.rows: dict[bytes, PrintedRow] = {}
        self.older: dict[bytes, PrintedRow] = {}
        self.size_bytes = 0

    def find(self, key: bytes) -> PrintedRow | None:
        """Return a row of the older generation and move it to ``rows``, or return None."""
        row = self.older.get(key)
        if row is not None:
            self.keep(key, row)
        return row

    def keep(self, key: bytes, row: PrintedRow) -> None:
        """Store a row unless it is too large."""
        size = ENTRY_BYTES + len(key) + (1 + QUOTED_TIMES_MAX) * len(row.text)
        if size > ROW_BYTES_MAX:
            return
        if len(self.rows) >= ROWS_MAX // 2 or self.size_bytes + size > BYTES_MAX // 2:
            self.older, self.rows, self.size_bytes = self.rows, {}, 0
        self.rows[compact_bytes(key)] = row
        self.size_bytes += size


def _printer(depth: int | None, sort_keys: bool) -> Callable[[Any], bytes]:
    option = orjson.OPT_SORT_KEYS if sort_keys else 0
    if depth is None:
        return lambda wrapper: orjson.dumps(wrapper, None, option)
    line = b"\n" + b"  " * depth
    return lambda wrapper: orjson.dumps(wrapper, None, option | orjson.OPT_INDENT_2).replace(b"\n", line)


def quoted(body: Any, escape: Escape, option: int | None = None) -> bytes:
    """Return a body's JSON escaped for the inside of a JSON string; memoised rows are inserted from the cache.

    Raises:
        orjson.JSONEncodeError: orjson cannot serialize the body.
    """
    rows: list[bytes] = []

    def leave_hole(value: Any) -> orjson.Fragment:
        if not isinstance(value, PrintedRow):
            raise TypeError(f"{type(value).__name__} is no JSON")
        rows.append(value._quoted if value._escape is escape else value.quoted(escape))
        return _HOLE

    text = escape(orjson.dumps(body, leave_hole, option))
    return text.replace(b"%", b"%%").replace(b"\0", b"%b") % tuple(rows) if rows else text


def embed(value: Any) -> orjson.Fragment:
    """Insert a memoised row's JSON unchanged: orjson's ``default``."""
    if isinstance(value, PrintedRow):
        return orjson.Fragment(value.text)
    raise TypeError(f"{type(value).__name__} is no JSON")


def unprinted(value: Any) -> Any:
    """Return a memoised row as data: the standard library's ``default``."""
    if isinstance(value, PrintedRow):
        return orjson.loads(value.text)
    raise TypeError(f"{type(value).__name__} is no JSON")
