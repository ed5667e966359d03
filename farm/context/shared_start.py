"""A copy of a start in memory, shared by all contexts that have not been written to.

Such contexts have equal contents, so calls read the shared copy, whose statements are already prepared. The first call
that writes opens the context's own file. SQLite's header marks unchanged files: a start has a hash of its bytes in the
fields for applications, and its change counter begins at a number that only starts have. The first transaction that
changes a file raises the counter, in any process; one that is rolled back does not, even if its process was killed. So
the mark stays valid wherever and however a file is copied.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from hashlib import blake2b

from farm.appkit.handler_api import Database
from farm.appkit.table_info import SearchedTable
from farm.context.search import SearchIndex

# https://www.sqlite.org/fileformat.html#the_database_header: offsets and sizes of the fields.
HEADER_BYTES = 100
_CHANGES, _USER_VERSION, _APPLICATION_ID, _SIZE_VALID_FOR = (slice(at, at + 4) for at in (24, 60, 68, 92))
# Far from any count of real changes, and from the overflow.
_UNCHANGED = (1 << 31).to_bytes(4, "big")
# SQLite calls back every so many steps; then Python delivers the alarm of a call that times out.
_PROGRESS_STEPS = 10_000


def marked(start: bytes) -> bytes:
    """Return the context's bytes with the header of a start."""
    made = bytearray(start)
    digest = blake2b(start, digest_size=8).digest()
    made[_USER_VERSION], made[_APPLICATION_ID] = digest[:4], digest[4:]
    # SQLite trusts the size in the header only if the change counter stored with it is the current one.
    made[_CHANGES] = made[_SIZE_VALID_FOR] = _UNCHANGED
    return bytes(made)


def read_header(file: str) -> bytes:
    """Return the header of a context's file."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        return os.read(descriptor, HEADER_BYTES)
    finally:
        os.close(descriptor)


def is_unchanged(header: bytes) -> bool:
    """Return whether a file with this header is an unchanged start."""
    return header[_CHANGES] == _UNCHANGED


class SharedStart(Database):
    """Reads a start from memory.

    Attributes:
        accounts: person → their account, for people queried so far.
    """

    def __init__(self, start: bytes, searched: Mapping[str, SearchedTable]) -> None:
        db = sqlite3.connect(":memory:", isolation_level=None, cached_statements=256, check_same_thread=False)
        db.deserialize(start)
        # Writes by mistake are refused: they would affect every context that shares the copy.
        db.execute("PRAGMA query_only=ON")
        interruptible(db)
        super().__init__(db, SearchIndex(db, searched) if searched else None)
        self.accounts: dict[str | None, str] = {}


def shared_start(start: bytes, searched: Mapping[str, SearchedTable]) -> SharedStart | None:
    """Load a start into memory; return None if SQLite was built without that feature."""
    return SharedStart(start, searched) if hasattr(sqlite3.Connection, "deserialize") else None


def interruptible(db: sqlite3.Connection) -> None:
    """Let calls on a connection time out, and make its rows ``sqlite3.Row``."""
    db.set_progress_handler(_go_on, _PROGRESS_STEPS)
    db.row_factory = sqlite3.Row


def _go_on() -> int:
    return 0
