"""One copy in memory of a start, for all contexts that nobody has written to yet.

Such a context holds what every other fresh one holds, so it is read there, with statements that are prepared already;
its own file is opened by the first call that writes. Which files are fresh is told by their time: create and reset
give a file a modification time that only this start's bytes have, and any write changes it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from hashlib import blake2b

from farm.context.search import SearchedTable, SearchIndex
from farm.kernel import Database

# Marks lie in these seconds, 2001 to 2017; a file with a later time needs no second look.
_FROM_S, _SECONDS = 1_000_000_000, 500_000_000
_NS = 1_000_000_000
# SQLite calls back every so many steps, which is when Python delivers the alarm that cuts a call.
_PROGRESS_STEPS = 10_000


def mark_ns(start: bytes) -> int:
    """Return the modification time, in nanoseconds, of files that hold these bytes and were never written since."""
    number = int.from_bytes(blake2b(start, digest_size=16).digest(), "big")
    return (_FROM_S + number % _SECONDS) * _NS + (number >> 64) % _NS


def may_be_fresh(time_ns: int) -> bool:
    """Whether a file of this modification time may be one."""
    return _FROM_S <= time_ns // _NS < _FROM_S + _SECONDS


class SharedStart(Database):
    """Reads a start from memory.

    Attributes:
        accounts: person → the account they are played as, as far as that was asked.
    """

    def __init__(self, start: bytes, searched: Mapping[str, SearchedTable]) -> None:
        db = sqlite3.connect(":memory:", isolation_level=None, cached_statements=256, check_same_thread=False)
        db.deserialize(start)
        # Whoever writes here by mistake is refused; nobody else would ever see it undone.
        db.execute("PRAGMA query_only=ON")
        interruptible(db)
        super().__init__(db, SearchIndex(db, searched) if searched else None)
        self.accounts: dict[str | None, str] = {}


def shared_start(start: bytes, searched: Mapping[str, SearchedTable]) -> SharedStart | None:
    """Return what reads a start from memory, or None where SQLite was built without that."""
    return SharedStart(start, searched) if hasattr(sqlite3.Connection, "deserialize") else None


def interruptible(db: sqlite3.Connection) -> None:
    """Let calls on a connection be cut; its rows are ``sqlite3.Row``."""
    db.set_progress_handler(_go_on, _PROGRESS_STEPS)
    db.row_factory = sqlite3.Row


def _go_on() -> int:
    return 0
