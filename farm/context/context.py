"""One app's context in one episode, open: the held connection, the call log, the clock."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

import orjson

from farm.content import LoadedApp
from farm.context.files import EpisodeFiles, copy_new
from farm.context.log import CallLog, Sealed
from farm.context.search import SearchIndex
from farm.context.settings import Settings
from farm.errors import FarmError
from farm.kernel import Database, Episode

_PRAGMAS = (
    "locking_mode=EXCLUSIVE",  # a second owner fails instead of corrupting
    "journal_mode=WAL",
    "synchronous=OFF",  # survives a killed process, not a power cut
    "foreign_keys=ON",
    "recursive_triggers=ON",  # without it REPLACE deletes rows behind the journal's back
    "cache_size=-512",
)
# SQLite calls back every so many steps, which is when Python delivers the alarm that cuts a call.
_PROGRESS_STEPS = 10_000


def connect(path: str) -> sqlite3.Connection:
    """Return a connection as the state engine holds them: autocommit, WAL, exclusive, rows by name."""
    db = sqlite3.connect(
        f"file:{path}?mode=rw", uri=True, isolation_level=None, cached_statements=256, check_same_thread=False
    )
    for pragma in _PRAGMAS:
        db.execute(f"PRAGMA {pragma}").fetchall()
    db.set_progress_handler(lambda: 0, _PROGRESS_STEPS)
    db.row_factory = sqlite3.Row
    return db


class Context:
    """An open context. Belongs to one thread of one process; nobody else opens its file.

    Attributes:
        episode: what handlers see.
        calls: number of the last call.
        generation: which generation of files is open.
    """

    def __init__(self, loaded: LoadedApp, files: EpisodeFiles, settings: Settings, generation: int) -> None:
        self.loaded = loaded
        self.files = files
        self.settings = settings
        self.generation = generation
        path = files.db(generation)
        self.connection = connect(str(path))
        # Opening and closing the file anew for a snapshot would drop SQLite's locks (POSIX): keep one descriptor.
        self._descriptor = os.open(path, os.O_RDONLY)
        row = self.connection.execute("SELECT seed, clock_ms, live, call, writes FROM _meta").fetchone()
        if row["seed"] is None:
            self._apply_settings()
            row = self.connection.execute("SELECT seed, clock_ms, live, call, writes FROM _meta").fetchone()
        self.seed, self.clock_ms, self.live = row["seed"], row["clock_ms"], bool(row["live"])
        self.committed, self.writes = row["call"], row["writes"]
        self.log = CallLog(files.log(generation))
        self.calls = self.log.repair(self.committed)
        app = loaded.app
        index = SearchIndex(self.connection, loaded.schema.searched) if loaded.schema.searched else None
        self.episode = Episode(
            Database(self.connection, index), app=app.name, me=self._me(), seed=self.seed, forms=app.ids
        )

    def _apply_settings(self) -> None:
        """A start is shared by every episode; seed and clock become its own when it is first opened."""
        values = (self.settings.seed, self.settings.clock_ms, int(self.settings.is_live))
        self.connection.execute("UPDATE _meta SET seed = ?, clock_ms = ?, live = ?", values)

    def _me(self) -> str:
        account = self.loaded.schema.account
        if account is None or self.settings.me is None:
            return self.settings.me or ""
        table, key = account
        row = self.connection.execute(
            f'SELECT "{key}" FROM "{table}" WHERE person = ?',
            (self.settings.me,),
        ).fetchone()
        return "" if row is None else str(row[0])

    def now_ms(self, writes: bool) -> int:
        """Return the simulated time of a call that starts now, in milliseconds; it never goes back.

        A standing clock moves by one millisecond a committed write, so that two writes never share a time.
        """
        if not self.live:
            return int(self.clock_ms + self.writes)
        # A live clock keeps the last written time in clock_ms: two writes in one millisecond must differ too.
        return int(max(time.time_ns() // 1_000_000, self.clock_ms + writes))

    def begin(self, number: int, now_ms: int) -> None:
        """Start the transaction of a writing call; the context then holds the call's number and time."""
        execute = self.connection.execute
        execute("BEGIN")
        if self.live:
            execute("UPDATE _meta SET call = ?, writes = writes + 1, clock_ms = ?", (number, now_ms))
        else:
            execute("UPDATE _meta SET call = ?, writes = writes + 1", (number,))

    def commit(self, number: int, now_ms: int) -> None:
        """Commit a writing call."""
        self.connection.execute("COMMIT")
        self.committed = number
        self.writes += 1
        if self.live:
            self.clock_ms = now_ms

    def rollback(self) -> None:
        """Undo a writing call. An interrupted write has ended its transaction already."""
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def set_clock(self, to_ms: int) -> None:
        """Move the standing clock forward to a time and record it in the log.

        Raises:
            FarmError: the time lies before the present one, or the clock is live.
        """
        if self.live:
            raise FarmError("this episode's clock is live; create one with a fixed 'now' to move its clock")
        clock_ms = to_ms - self.writes
        if clock_ms < self.clock_ms:
            raise FarmError("a clock only moves forward; reset the episode to go back")
        self.log.append(orjson.dumps({"clock_ms": clock_ms, "after": self.calls}) + b"\n")
        self.connection.execute("UPDATE _meta SET clock_ms = ?", (clock_ms,))
        self.clock_ms = clock_ms

    def copy_to(self, path: Path) -> None:
        """Write the whole context, the write-ahead log folded in, to a new file.

        Raises:
            FileExistsError: the name is taken.
            OSError: the disk is full.
        """
        busy, *_ = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise FarmError("the context is busy; a cursor was left open by a handler")
        copy_new(path, self._descriptor)

    def sealed(self) -> Sealed:
        """Return where the log stands now."""
        return Sealed(self.log.seal(), self.calls)

    def close(self) -> None:
        """Close the connection first and then what was kept open beside it."""
        self.connection.close()
        os.close(self._descriptor)
        self.log.close()
