"""One copy in memory of a start, for all contexts that nobody has written to yet.

Such a context holds what every other fresh one holds, so it is read there, with statements that are prepared already;
its own file is opened by the first call that writes. Which files are fresh is told by SQLite's own header: a start has
a hash of its bytes where applications keep their numbers, and counts its changes from a number that is only a start's.
The transaction that first changes a file raises that count, whoever makes it; one that is undone does not, not even
when its process was killed half-way. So the mark holds wherever a file goes, by whatever means, at whatever time.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from hashlib import blake2b

from farm.context.search import SearchedTable, SearchIndex
from farm.kernel import Database

# https://www.sqlite.org/fileformat.html#the_database_header: where fields stand and how many bytes they have.
HEADER_BYTES = 100
_CHANGES, _USER_VERSION, _APPLICATION_ID, _SIZE_VALID_FOR = (slice(at, at + 4) for at in (24, 60, 68, 92))
# Far from any count of real changes, and from where the count would begin again.
_UNCHANGED = (1 << 31).to_bytes(4, "big")
# SQLite calls back every so many steps, which is when Python delivers the alarm that cuts a call.
_PROGRESS_STEPS = 10_000


def marked(start: bytes) -> bytes:
    """Return the same context with the header of a start."""
    made = bytearray(start)
    digest = blake2b(start, digest_size=8).digest()
    made[_USER_VERSION], made[_APPLICATION_ID] = digest[:4], digest[4:]
    # SQLite believes the size in the header only as long as the count of changes that goes with it is the present one.
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
    """Whether a file with this header is some start that nobody has written to."""
    return header[_CHANGES] == _UNCHANGED


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
