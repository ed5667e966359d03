"""Rows that are shown again and again, printed once.

For lists that were *measured* to be hot, and for nothing else: a handler that builds dictionaries is quick enough.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

import orjson

from farm.kernel import Row
from farm.server.kept import ENTRY_BYTES, exact

P = ParamSpec("P")
# JSON as it is → the same as it stands inside a JSON string.
Escape = Callable[[bytes], bytes]

# What one function's memory may hold.
ROWS_MAX = 4_096
BYTES_MAX = 4 * 1024 * 1024
# A row this large is printed anew each time.
ROW_BYTES_MAX = 64 * 1024
# An escaped row so many times longer than the row is escaped anew each time: ``<`` may become ``\\u003c``.
QUOTED_TIMES_MAX = 2

# Kinds of values that orjson would print like others: they are no key.
_PLAIN_ONLY = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
# Stands where a printed row goes; no byte of printed JSON is zero.
_HOLE = orjson.Fragment(b"\0")


class PrintedRow:
    """A row as JSON, for a body to hold, not for a handler to look into.

    Attributes:
        text: the JSON.
    """

    __slots__ = ("_escape", "_quoted", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text
        self._escape: Escape | None = None
        self._quoted = b""

    def quoted(self, escape: Escape) -> bytes:
        """Return the JSON as it stands inside a JSON string; escaped once, unless that makes it very long."""
        if self._escape is escape:
            return self._quoted
        quoted = escape(self.text)
        if len(quoted) <= QUOTED_TIMES_MAX * len(self.text):
            self._escape, self._quoted = escape, quoted
        return quoted


# What a memoised function returns; a dictionary where orjson cannot print it.
Shown = PrintedRow | dict[str, Any]


def memoised_row(
    *, depth: int | None = None, sort_keys: bool = False
) -> Callable[[Callable[Concatenate[Row, P], dict[str, Any]]], Callable[Concatenate[Row, P], Shown]]:
    """Return a decorator for a function from a row to what is shown of it; what it returns is kept as printed JSON.

    The function is called with a row and with whatever else its answer depends on: all of it plain data as JSON knows
    it, and together the key. It may look at nothing else. A body holds what comes back like any dictionary::

        @memoised_row()
        def _member(row: Row, team: str) -> dict[str, Any]: ...

        return {"ok": True, "members": [_member(row, "T1") for row in ep.db.all(_PAGE)]}

    Args:
        depth: for bodies that are printed indented: how many levels deep in the body the row stands. None: bodies are
            compact.
        sort_keys: for bodies whose keys are printed in order.
    """

    def decorate(function: Callable[Concatenate[Row, P], dict[str, Any]]) -> Callable[Concatenate[Row, P], Shown]:
        memory = Memory()
        print_row = _printer(depth, sort_keys)

        @wraps(function)
        def shown(row: Row, /, *args: P.args, **more: P.kwargs) -> Shown:
            try:
                # Printed, a value says its type: 1, 1.0, true and "1" are four keys.
                key = orjson.dumps((row, args, more), None, _PLAIN_ONLY)
            except orjson.JSONEncodeError:
                return function(row, *args, **more)
            if (found := memory.rows.get(key) or memory.find(key)) is not None:
                return found
            made = function(row, *args, **more)
            try:
                printed = PrintedRow(exact(print_row(made)))
            except orjson.JSONEncodeError:
                # Half a surrogate pair or an integer beyond 64 bits; the renderer knows what to do with them.
                return made
            memory.keep(key, printed)
            return printed

        shown.memory = memory  # type: ignore[attr-defined]
        return shown

    return decorate


class Memory:
    """Key → printed row, bounded in number and in bytes.

    What was asked for since the last turn, and what had been before: when the first is half of all that may be kept,
    the second is forgotten and the first takes its place. So what is asked for again stays.

    Attributes:
        rows: what was asked for since the last turn.
        older: what had been before.
        size_bytes: the most that ``rows`` may take, counted as every memory of the farm counts: the texts, a row's with
            the longest escaped form that it keeps, and what an entry takes beside them.
    """

    def __init__(self) -> None:
        self.rows: dict[bytes, PrintedRow] = {}
        self.older: dict[bytes, PrintedRow] = {}
        self.size_bytes = 0

    def find(self, key: bytes) -> PrintedRow | None:
        """Return a row that is not among ``rows``, where it is from now on."""
        row = self.older.get(key)
        if row is not None:
            self.keep(key, row)
        return row

    def keep(self, key: bytes, row: PrintedRow) -> None:
        """Keep a row unless it is large."""
        size = ENTRY_BYTES + len(key) + (1 + QUOTED_TIMES_MAX) * len(row.text)
        if size > ROW_BYTES_MAX:
            return
        if len(self.rows) >= ROWS_MAX // 2 or self.size_bytes + size > BYTES_MAX // 2:
            self.older, self.rows, self.size_bytes = self.rows, {}, 0
        self.rows[exact(key)] = row
        self.size_bytes += size


def _printer(depth: int | None, sort_keys: bool) -> Callable[[Any], bytes]:
    option = orjson.OPT_SORT_KEYS if sort_keys else 0
    if depth is None:
        return lambda shown: orjson.dumps(shown, None, option)
    line = b"\n" + b"  " * depth
    return lambda shown: orjson.dumps(shown, None, option | orjson.OPT_INDENT_2).replace(b"\n", line)


def quoted(body: Any, escape: Escape, option: int | None = None) -> bytes:
    """Return a body's JSON as it stands inside a JSON string; the memoised rows in it are put in as they are kept.

    Raises:
        orjson.JSONEncodeError: the body holds what orjson cannot print.
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
    """Put a memoised row into JSON as it is: orjson's ``default``."""
    if isinstance(value, PrintedRow):
        return orjson.Fragment(value.text)
    raise TypeError(f"{type(value).__name__} is no JSON")


def unprinted(value: Any) -> Any:
    """Return what a memoised row shows: the standard library's ``default``."""
    if isinstance(value, PrintedRow):
        return orjson.loads(value.text)
    raise TypeError(f"{type(value).__name__} is no JSON")
