"""An open context, that of one app in one episode: its connection, call log and clock."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path

import orjson

from farm.appkit.handler_api import Database, Episode
from farm.content import LoadedApp
from farm.context import scheduled_rows
from farm.context.corrupt_file import WAY_OUT, CorruptFileError
from farm.context.files import EpisodeFiles, copy_checked, copy_new
from farm.context.journal import Connection, Plan, journal_plan
from farm.context.limits import Limits, is_limited
from farm.context.log import CallLog, Sealed
from farm.context.open_contexts import OpenContexts, is_exhausted
from farm.context.reference import load_reference
from farm.context.search import SearchIndex
from farm.context.settings import Settings
from farm.context.shared_start import SharedStart, interruptible
from farm.context.template import load_world
from farm.errors import FarmError

# One script instead of nine calls, because it runs whenever a context is opened.
_OPENING = """
PRAGMA locking_mode=EXCLUSIVE; -- a second owner fails instead of corrupting
PRAGMA synchronous=OFF; -- survives a killed process, not a power cut
PRAGMA foreign_keys=ON;
PRAGMA recursive_triggers=ON; -- without it REPLACE deletes rows behind the journal's back
PRAGMA cache_size=-512;
PRAGMA temp_store=MEMORY;
PRAGMA journal_mode=PERSIST;
BEGIN EXCLUSIVE; COMMIT; -- takes the lock now and not with the first write
"""
# Each writing call has one row of the journal with its number; this selects the last.
_LAST = "SELECT call, writes, now_ms FROM _journal WHERE call IS NOT NULL ORDER BY id DESC LIMIT 1"
_AGAIN_MS = 60_000  # delay before due rows that could not be written are tried again
_logger = logging.getLogger("farm.context")


def connect(path: str, plan: Plan) -> Connection:
    """Return a connection for the state engine: autocommit, exclusive, journaled, rows by name.

    SQLite's rollback journal stays beside the file between calls and between openings (PERSIST). A write-ahead log
    would be created at every opening and checkpointed at every closing, and ext4 creates files slowly in folders where
    many were deleted recently.
    """
    db = sqlite3.connect(
        f"file:{path}?mode=rw",
        uri=True,
        isolation_level=None,
        cached_statements=256,
        check_same_thread=False,
        factory=Connection,
    )
    db.use(plan)
    try:
        sqlite3.Connection.executescript(db, _OPENING)
    except BaseException:
        db.close()
        raise
    interruptible(db)
    return db


class Context:
    """An open context. It belongs to one thread of one process; nothing else opens its file.

    Attributes:
        episode: the object that handlers receive.
        calls: number of the last call.
        generation: the open generation of files.
        limits: the maximum of calls and the deadline; None for no limits.
        next_due_ms: when the next scheduled row is due; only live contexts have any.
    """

    def __init__(
        self,
        loaded: LoadedApp,
        files: EpisodeFiles,
        settings: Settings,
        generation: int,
        shared: SharedStart | None = None,
        contexts: OpenContexts | None = None,
    ) -> None:
        """Open a context.

        Args:
            loaded: the app.
            files: the app's files in the episode.
            settings: the episode's settings.
            generation: the generation of files to open.
            shared: serves reads of the start until a call writes.
            contexts: the open contexts; the least recently used are closed if no descriptor is left.
        """
        self._contexts = contexts or OpenContexts()
        self.loaded = loaded
        self.files = files
        self.settings = settings
        self.generation = generation
        self._path = files.at(files.db_name(generation))
        self._descriptor: int | None = None
        self._own: Connection | None = None
        self._log: CallLog | None = None
        self.limits: Limits | None = None
        try:
            self._open(shared)
        except sqlite3.DatabaseError as problem:
            self.close()
            raise CorruptFileError(f"{self._path} cannot be read ({problem}); {WAY_OUT}") from problem
        except BaseException:
            self.close()  # a forgotten lock would block every later opening
            raise

    def _open(self, shared: SharedStart | None) -> None:
        database: Database
        if shared is None:
            self._own = self._connect()
            me = self._read(self._own)
            database = self._database(self._own)
        else:
            me = self._read_shared(shared)
            database = shared
        self.next_due_ms = scheduled_rows.next_ms(database.connection) if self.live else scheduled_rows.NEVER
        files = self.files
        path = files.at(files.log_name(self.generation))
        if not os.path.exists(path):
            raise CorruptFileError(f"{path} is missing, and its calls with it; {WAY_OUT}")
        self.log = self._log = CallLog(path)
        files.require_parts(self.log.sealed)
        self.calls = self.log.repair(self._committed)
        if is_limited(self.settings):
            self.limits = self._open_limits()
        app = self.loaded.app
        self.episode = Episode(
            database,
            app=app.name,
            me=me,
            seed=self.seed,
            forms=app.ids,
            find_zone=self._find_zone,
            find_reference=partial(load_reference, app.reference) if app.reference else None,
        )

    def _open_limits(self) -> Limits:
        limits = Limits(self.files, self.settings)
        if limits.count is not None:
            limits.count.set(self.calls)  # the previous process may have died between counting a call and logging it
        return limits

    def _find_zone(self) -> tzinfo:
        """Return the world's time zone; without a world, the offset of the configured start time."""
        if self.settings.world is not None:
            return load_world(self.settings.world).zone
        return (None if self.settings.is_live else datetime.fromisoformat(self.settings.now).tzinfo) or UTC

    def _connect(self) -> Connection:
        try:
            try:
                return connect(self._path, journal_plan(self.loaded.schema))
            except sqlite3.OperationalError as problem:
                if not is_exhausted(problem):
                    raise
                self._contexts.require_descriptors()
                return connect(self._path, journal_plan(self.loaded.schema))
        except sqlite3.OperationalError as problem:
            raise FarmError(
                f"{self._path} cannot be opened ({problem}); is a second farm using this data folder?"
            ) from problem

    def _database(self, connection: Connection) -> Database:
        searched = self.loaded.schema.searched
        return Database(connection, SearchIndex(connection, searched) if searched else None)

    @property
    def connection(self) -> Connection:
        """The connection to the context's own file, opened on first use."""
        if self._own is None:
            self._own = self._connect()
            self.episode.db = self._database(self._own)
        return self._own

    @property
    def reader(self) -> sqlite3.Connection:
        """A connection for reading only."""
        return self.episode.db.connection

    def _read_shared(self, shared: SharedStart) -> str:
        """Do as ``_read`` does for an unchanged start: the account is queried once for all, the rest are settings."""
        me = shared.accounts.get(self.settings.me)
        if me is None:
            me = shared.accounts[self.settings.me] = self._read(shared.connection)
        else:
            self._is_start, self._committed, self.writes = True, 0, 0
            self.seed, self.clock_ms, self.live = self.settings.seed, self.settings.clock_ms, self.settings.is_live
        return me

    def _read(self, connection: sqlite3.Connection) -> str:
        """Read seed, clock and calls from the file; return the account of the agent."""
        account, settings = self.loaded.schema.account, self.settings
        if account is None or settings.me is None:
            sql = "SELECT seed, clock_ms, live, ? FROM _meta"
        else:
            table, key = account
            sql = f'SELECT seed, clock_ms, live, (SELECT "{key}" FROM "{table}" WHERE person = ?) FROM _meta'
        ((seed, clock_ms, live, me),) = connection.execute(sql, (settings.me,)).fetchall()
        # A start is shared by every episode; seed and clock come from the settings until the file is copied.
        self._is_start = seed is None
        if self._is_start:
            seed, clock_ms, live = settings.seed, settings.clock_ms, settings.is_live
        self.seed, self.clock_ms, self.live = int(seed), int(clock_ms), bool(live)
        self._committed = self.writes = 0
        for call, writes, written_ms in connection.execute(_LAST).fetchall():
            self._committed, self.writes = call, writes
            if written_ms is not None:
                self.clock_ms = max(self.clock_ms, written_ms)
        return "" if me is None else str(me)

    def _apply_settings(self) -> None:
        """Write seed and clock into the file, so that copies have them."""
        if self._is_start:
            values = (self.seed, self.settings.clock_ms, int(self.live))
            self.connection.execute("UPDATE _meta SET seed = ?, clock_ms = ?, live = ?", values)
            self._is_start = False

    def now_ms(self, writes: bool) -> int:
        """Return the simulated time of a call that starts now, in milliseconds; it never goes back.

        A frozen clock advances one millisecond per committed write, so that two writes never share a time.
        """
        if not self.live:
            return int(self.clock_ms + self.writes)
        # For a live clock, clock_ms is the time of the last write: two writes in one millisecond must differ too.
        return int(max(time.time_ns() // 1_000_000, self.clock_ms + writes))

    def receive_due(self) -> None:
        """Insert the rows that are due now, as a call would, before the context is inspected or copied."""
        now_ms = self.now_ms(False)
        if now_ms >= self.next_due_ms:
            self.deliver_due(now_ms)

    def deliver_due(self, now_ms: int) -> None:
        """Insert the rows due by ``now_ms``. If they cannot be written, they wait, and the call continues."""
        try:
            scheduled_rows.deliver_due(self.connection, now_ms)
            self.next_due_ms = scheduled_rows.next_ms(self.connection)
        except (sqlite3.OperationalError, FarmError) as problem:
            _logger.warning("%s: what has come waits (%s)", self._path, problem)
            self.next_due_ms = now_ms + _AGAIN_MS

    def begin(self, number: int, now_ms: int) -> None:
        """Start the transaction of a writing call and record the call's number and time."""
        execute = self.connection.execute
        execute("BEGIN")
        try:
            execute(
                "INSERT INTO _journal (call, writes, now_ms) VALUES (?, ?, ?)",
                (number, self.writes + 1, now_ms if self.live else None),
            )
        except sqlite3.OperationalError as problem:  # the first write opens the rollback journal
            if is_exhausted(problem):
                self._contexts.require_descriptors()
            raise

    def commit(self, now_ms: int) -> None:
        """Commit a writing call."""
        self.connection.execute("COMMIT")
        self.writes += 1
        if self.live:
            self.clock_ms = now_ms

    def rollback(self) -> None:
        """Roll back a writing call. An interrupted write has ended its transaction already."""
        if self._own is not None and self._own.in_transaction:
            self._own.execute("ROLLBACK")

    def set_clock(self, to_ms: int) -> None:
        """Move the frozen clock forward to a time and record it in the log.

        Raises:
            FarmError: the time is before the current one, or the clock is live.
        """
        if self.live:
            raise FarmError("this episode's clock is live; create one with a fixed 'now' to move its clock")
        clock_ms = to_ms - self.writes
        if clock_ms < self.clock_ms:
            raise FarmError("a clock only moves forward; reset the episode to go back")
        self.log.append(orjson.dumps({"clock_ms": clock_ms, "after": self.calls}) + b"\n")
        self._apply_settings()
        self.connection.execute("UPDATE _meta SET clock_ms = ?", (clock_ms,))
        self.clock_ms = clock_ms

    def copy_to(self, path: str | Path, check: Callable[[str], object] | None = None) -> None:
        """Copy the whole context to a new file. Between two calls all of its state is in its file.

        Args:
            path: the new file.
            check: called with the checksum before the copy is renamed to ``path``.

        Raises:
            FileExistsError: ``path`` exists.
            OSError: the disk is full.
        """
        if check is None:
            copy_new(path, self._readable())
        else:
            copy_checked(path, self._readable(), check)

    def _readable(self) -> int:
        """Return a descriptor of the file, which holds the whole context until the next call."""
        if self.connection.in_transaction:
            raise FarmError("the context is busy; a handler left a transaction open")
        self._apply_settings()
        if self._descriptor is None:
            # Closing a second descriptor of the file would release SQLite's locks (POSIX), so it stays open.
            self._descriptor = os.open(self._path, os.O_RDONLY)
        return self._descriptor

    def sealed(self) -> Sealed:
        """Seal the log and return its current position."""
        return Sealed(self.log.seal(), self.calls)

    def close(self) -> None:
        """Close the connection, then the second descriptor, as closing that first would release the locks."""
        if self._own is not None:
            self._own.close()
        if self._descriptor is not None:
            os.close(self._descriptor)
        if self.limits is not None:
            self.limits.close()
        if self._log is not None:
            self._log.close()
