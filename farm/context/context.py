"""An open context, that of one app in one episode: its connection, call log and clock."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from farm._util.names import list_names
from farm.appkit.handler_api import Database, Episode
from farm.content import BoundTool, LoadedApp
from farm.context import due_deeds, person_acts, rule_book, scheduled_rows
from farm.context.answering import Answering
from farm.context.clock import Motion, wall_ms
from farm.context.corrupt_file import WAY_OUT, CorruptFileError
from farm.context.fault_rules import Calendar, Rule, require_fault
from farm.context.faults import Delivery, FaultPlan, as_line
from farm.context.files import EpisodeFiles, copy_checked, copy_new
from farm.context.journal import Connection, Plan, journal_plan
from farm.context.limits import Limits, is_limited
from farm.context.log import FAULT, PERSON, CallLog, Sealed, has_lines, read_lines, read_parts
from farm.context.open_contexts import OpenContexts, is_exhausted
from farm.context.reference import load_reference
from farm.context.search import SearchIndex
from farm.context.settings import Settings
from farm.context.shared_start import SharedStart, interruptible
from farm.context.template import load_world
from farm.errors import FarmError, NotFoundError

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
        next_due_ms: when the next scheduled row is due; ``NEVER`` where nothing arrives.
        actor: the end of a log line that names who calls; empty for the person whom the agent works for.
        plan: the planned faults; None for none.
        deeds: what the app does by itself when a moment comes.
        answering: the people who answer here; None where no rule is about this app and nobody has acted in it.
        has_outgoing: whether somebody is going to act in another app, and this app was not asked for it yet.
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
        self.plan: FaultPlan | None = None
        self.deeds = due_deeds.deeds_of(loaded)
        self.answering: Answering | None = None
        self.has_outgoing = False
        self.actor = b""
        self._person: str | None = None
        self._accounts: dict[str, str] = {}
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
        self.next_due_ms = self._next_due_ms(database.connection, has_acts=shared is None)
        files = self.files
        path = files.at(files.log_name(self.generation))
        if not os.path.exists(path):
            raise CorruptFileError(f"{path} is missing, and its calls with it; {WAY_OUT}")
        self.log = self._log = CallLog(path)
        files.require_parts(self.log.sealed)
        self.calls = self.log.repair(self._committed)
        app = self.loaded.app
        self.episode = Episode(
            database,
            app=app.name,
            me=me,
            seed=self.seed,
            forms=app.ids,
            find_zone=self._find_zone,
            find_reference=self.find_reference,
        )
        self._open_plans()
        if is_limited(self.settings):
            self.limits = self._open_limits()

    @cached_property
    def bound(self) -> Mapping[str, BoundTool]:
        """Tool name → its bound tool: the app's own table, unless faults are planned here."""
        return self.loaded.bound if self.plan is None else self.plan.bound

    @property
    def find_reference(self) -> Callable[[], Database] | None:
        """Loads the app's reference; None if it names none."""
        reference = self.loaded.app.reference
        return partial(load_reference, reference) if reference else None

    def _open_plans(self) -> None:
        """Bring planned faults and people's rules to where the log ends; a log without any costs one search."""
        folder, parts, path = self.files.folder, self.log.sealed.parts, self.log.path
        if self.log.size == len(self.log.sealed.dump()) and not parts:
            return
        logs = [*parts, (path.name, self.log.size)]
        found = [has_lines(folder / name, size, FAULT, PERSON) for name, size in logs]
        has_faults, has_people = any(each[0] for each in found), any(each[1] for each in found)
        if has_faults:
            self._require_plan().replay(chain(read_parts(folder, parts), read_lines(path)))
        if has_people:
            answering = self._require_answering()
            try:
                answering.book.replay(chain(read_parts(folder, parts), read_lines(path)))
                answering.book.replay(person_acts.list_done(self.reader))
            except (KeyError, TypeError, ValueError, AttributeError) as problem:  # a log of another farm
                raise CorruptFileError(f"{path} has what is no rule of a person ({problem!r}); {WAY_OUT}") from problem
            self.has_outgoing = bool(person_acts.list_waiting(self.reader, person_acts.OUT))

    def _require_plan(self) -> FaultPlan:
        if self.plan is None:
            self.plan = FaultPlan(self.loaded, self.seed)
            self.__dict__.pop("bound", None)
        return self.plan

    def _require_answering(self) -> Answering:
        if self.answering is None:
            self.answering = Answering(self)
        return self.answering

    def add_person_rule(self, raw: Mapping[str, Any]) -> None:
        """Let a person answer from now on, by a rule that was checked, and record it in the log."""
        self.log.append(rule_book.as_line(raw, self.calls))
        self._require_answering().add(raw)

    @property
    def person_rules(self) -> list[Mapping[str, Any]]:
        """The rules of people about this app, in order."""
        return [] if self.answering is None else self.answering.book.raw

    def show_people(self) -> dict[str, Any]:
        """Return the rules of people about this app, what waits, and what people did here."""
        return (self.answering or Answering(self)).show()

    def take_outgoing(self) -> list[dict[str, Any]]:
        """Return the acts that wait here for other apps: ``id``, ``at_ms`` and ``act``."""
        self.has_outgoing = False
        return person_acts.list_waiting(self.reader, person_acts.OUT)

    def bring_act(self, at_ms: int, act: Mapping[str, Any]) -> None:
        """Let an act that another app caused wait here; brought a second time it changes nothing."""
        if not person_acts.is_known(self.connection, act["name"], act["cause"]):
            person_acts.schedule(self.connection, self.loaded.app.name, [(at_ms, self.loaded.app.name, act)])
            self.next_due_ms = min(self.next_due_ms, at_ms)

    def drop_outgoing(self, ids: Iterable[int]) -> None:
        """Forget acts that were brought to their apps."""
        person_acts.remove(self.connection, ids)

    def call_flags(self) -> bytes:
        """Return the end of a call's log line: who calls, and what the plan of faults says of it."""
        return self.actor if self.plan is None else self.actor + self.plan.take_flags()

    @property
    def faults(self) -> list[Rule]:
        """The rules of the planned faults, in order."""
        return [] if self.plan is None else self.plan.rules

    def add_fault(self, raw: Mapping[str, Any]) -> Rule:
        """Plan a fault from now on, and record it in the log.

        Raises:
            FarmError: the rule is wrong, or the app has no words for it.
        """
        rule = require_fault(self.loaded, raw, [each.id for each in self.faults], self._calendar())
        self.log.append(as_line(rule, self.calls))
        self._require_plan().add(rule)
        return self.faults[-1]

    def heal_fault(self, rule_id: str) -> Rule:
        """End a fault, and record it in the log.

        Raises:
            NotFoundError: no fault of this id is planned.
        """
        rule = (self.plan or FaultPlan(self.loaded, self.seed)).require(rule_id)
        self.log.append(orjson.dumps({"heal": rule_id, "after": self.calls}) + b"\n")
        rule.is_healed = True
        return rule

    @property
    def counted(self) -> int:
        """The number of calls that count against the episode's limit.

        A call that failed as planned is not counted, up to the limit itself, so that nobody retries for ever.
        """
        if self.plan is None or self.settings.calls_max is None:
            return self.calls
        return self.calls - min(self.plan.undone, self.settings.calls_max)

    def take_call(self) -> str | None:
        """Count a call before it is made; return the reason, worded for an agent, if it is refused."""
        return None if self.limits is None else self.limits.take(self.counted + 1)

    def end_planned(self) -> Delivery | None:
        """Correct the count after a call in a context with a plan; return how its answer reaches the client."""
        assert self.plan is not None
        if self.limits is not None and self.limits.count is not None:
            self.limits.count.set(self.counted)
        return self.plan.take_delivery()

    def _calendar(self) -> Calendar | None:
        if self.settings.world is None:
            return None
        return Calendar.of(load_world(self.settings.world), self.settings.shift_days)

    def _open_limits(self) -> Limits:
        limits = Limits(self.files, self.settings)
        if limits.count is not None:
            limits.count.set(self.counted)  # the previous process may have died between counting a call and logging it
        return limits

    def _find_zone(self) -> tzinfo:
        return self.find_zone_of(self._person or self.settings.me)

    def find_zone_of(self, person: str | None) -> tzinfo:
        """Return a person's time zone; without a world, the offset of the configured start time."""
        if self.settings.world is not None:
            return load_world(self.settings.world).zone_of(person)
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
            self.seed, self.clock_ms, self.motion = self.settings.seed, self.settings.clock_ms, self.settings.motion
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
            seed, clock_ms, live = settings.seed, settings.clock_ms, settings.motion.pack()
        self.seed, self.clock_ms, self.motion = int(seed), int(clock_ms), Motion.unpack(live)
        self._committed = self.writes = 0
        for call, writes, written_ms in connection.execute(_LAST).fetchall():
            self._committed, self.writes = call, writes
            if written_ms is not None and self.motion.rate:
                self.clock_ms = max(self.clock_ms, written_ms)
        return "" if me is None else str(me)

    @contextmanager
    def acting_as(self, person: str) -> Iterator[None]:
        """Let the calls inside be those of another person, by key or, without a world, by their account's id.

        Raises:
            NotFoundError: nobody of that name has an account here; the message names those who do.
        """
        episode = self.episode
        own = episode.me
        episode.me = self.require_account(person)
        self.actor, self._person = b',"by":%b' % orjson.dumps(person), person
        try:
            yield
        finally:
            episode.me = own
            self.actor, self._person = b"", None

    def require_account(self, person: str) -> str:
        """Return a person's account.

        Raises:
            NotFoundError: they have none here; the message names those who do.
        """
        found = self._accounts.get(person)
        if found is None:
            found = self.find_account(person)
            if found is None:
                have = list_names(self.people(), person) or "nobody"
                raise NotFoundError(f"'{person}' has no account in {self.loaded.app.name}; have {have}")
            self._accounts[person] = found
        return found

    def find_account(self, person: str) -> str | None:
        """Return a person's account, by key or account, or None; it is empty in an app without anybody's account."""
        if self.loaded.schema.account is None:
            return ""
        table, key = self.loaded.schema.account
        for column in ("person", key):
            sql = f'SELECT "{key}" AS id FROM "{table}" WHERE "{column}" = ?'
            for row in self.reader.execute(sql, (person,)).fetchall():
                return str(row["id"])
        return None if self.people() else ""

    def admits(self, account: str) -> bool:
        """Return whether an account holder can use the app: where some lack a token, only those who have one."""
        if self.loaded.schema.admission is None:
            return True
        table, column = self.loaded.schema.admission
        sql = f'SELECT count(*) AS every, count(*) FILTER (WHERE "{column}" = ?) AS own FROM "{table}"'
        (row,) = self.reader.execute(sql, (account,)).fetchall()
        return not row["every"] or bool(row["own"])

    def people(self) -> list[str]:
        """Return the keys of the people with an account here, or, if no account names its person, the accounts."""
        if self.loaded.schema.account is None:
            return []
        table, key = self.loaded.schema.account
        named = f'SELECT DISTINCT person AS id FROM "{table}" WHERE person IS NOT NULL ORDER BY 1'
        every = f'SELECT "{key}" AS id FROM "{table}" ORDER BY 1'
        found = self.reader.execute(named).fetchall() or self.reader.execute(every).fetchall()
        return [str(row["id"]) for row in found]

    def _apply_settings(self) -> None:
        """Write seed and clock into the file, so that copies have them."""
        if self._is_start:
            values = (self.seed, self.settings.clock_ms, self.motion.pack())
            self.connection.execute("UPDATE _meta SET seed = ?, clock_ms = ?, live = ?", values)
            self._is_start = False

    def now_ms(self, writes: bool) -> int:
        """Return the simulated time of a call that starts now, in milliseconds; it never goes back.

        A frozen clock advances one millisecond per committed write, so that two writes never share a time, and, in an
        episode with a pace, by that per call of any app.
        """
        motion = self.motion
        if not motion.rate:
            return int(self.clock_ms + self._passed_ms())
        # For a moving clock, clock_ms is the time of the last write: two writes in one millisecond must differ too.
        return int(max(motion.at(time.time_ns() // 1_000_000), self.clock_ms + writes))

    def _passed_ms(self) -> int:
        """Return how far a frozen clock has advanced by itself."""
        if not self.settings.pace_ms or self.limits is None or self.limits.count is None:
            return self.writes
        return self.writes + self.settings.pace_ms * self.limits.count.total

    def receive_due(self) -> None:
        """Insert the rows that are due now, as a call would, before the context is inspected or copied."""
        now_ms = self.now_ms(False)
        if now_ms >= self.next_due_ms:
            self.deliver_due(now_ms)

    def _next_due_ms(self, db: sqlite3.Connection, *, has_acts: bool = True) -> int:
        """Return when the next scheduled row, act or deed is due; a frozen clock has rows only where asked for."""
        next_ms = scheduled_rows.next_ms(db) if self.settings.has_arrivals else scheduled_rows.NEVER
        act_ms = person_acts.bounds_ms(db)[0] if has_acts else None
        next_ms = next_ms if act_ms is None else min(next_ms, act_ms)
        deeds = due_deeds.bounds_ms(self, db) if self.deeds else None
        return next_ms if deeds is None else min(next_ms, deeds[0])

    def last_due_ms(self) -> int | None:
        """Return when the last of the waiting rows, acts and deeds is due; None if nothing waits."""
        row_ms = scheduled_rows.last_ms(self.reader) if self.settings.has_arrivals else None
        deeds = due_deeds.bounds_ms(self, self.reader) if self.deeds else None
        ends = row_ms, person_acts.bounds_ms(self.reader)[1], deeds and deeds[1]
        return max((each for each in ends if each is not None), default=None)

    def next_act_ms(self) -> int | None:
        """Return when the next of the waiting acts is due; None if none waits."""
        return person_acts.bounds_ms(self.reader)[0]

    def deliver_due(self, now_ms: int) -> list[dict[str, Any]]:
        """Insert the rows due by ``now_ms``, let people act, and return what came. What cannot be written waits."""
        came: list[dict[str, Any]] = []
        try:
            while (act_ms := person_acts.bounds_ms(self.connection)[0]) is not None and act_ms <= now_ms:
                self._deliver_rows(act_ms, came)
                came += self._require_answering().perform_due(act_ms)
            self._deliver_rows(now_ms, came)
            self.next_due_ms = self._next_due_ms(self.connection)
        except (sqlite3.OperationalError, FarmError) as problem:
            _logger.warning("%s: what has come waits (%s)", self._path, problem)
            self.next_due_ms = now_ms + _AGAIN_MS
        for each in came:
            if "dropped" in each:
                _logger.warning("%s: a row of %s came and no longer fits", self._path, each["table"] or each["rule"])
        return came

    def _deliver_rows(self, until_ms: int, came: list[dict[str, Any]]) -> None:
        while self.deeds and (ahead := due_deeds.bounds_ms(self, self.connection)) and ahead[0] <= until_ms:
            self._insert_rows(ahead[0], came)
            came += due_deeds.perform_due(self, ahead[0])
        self._insert_rows(until_ms, came)

    def _insert_rows(self, until_ms: int, came: list[dict[str, Any]]) -> None:
        if self.settings.has_arrivals and scheduled_rows.next_ms(self.connection) <= until_ms:
            came += scheduled_rows.deliver_due(self.connection, until_ms)

    def notice(self, number: int, now_ms: int) -> bytes:
        """Let people notice what the open call changed; return what the call's log line says of it."""
        assert self.answering is not None
        return self.answering.notice(number, self._person or self.settings.me, now_ms)

    def begin(self, number: int, now_ms: int) -> None:
        """Start the transaction of a writing call and record the call's number and time."""
        execute = self.connection.execute
        execute("BEGIN")
        try:
            execute(
                "INSERT INTO _journal (call, writes, now_ms) VALUES (?, ?, ?)",
                (number, self.writes + 1, now_ms if self.motion.rate else None),
            )
        except sqlite3.OperationalError as problem:  # the first write opens the rollback journal
            if is_exhausted(problem):
                self._contexts.require_descriptors()
            raise

    def commit(self, now_ms: int) -> None:
        """Commit a writing call."""
        self.connection.execute("COMMIT")
        if self.answering is not None:
            self.answering.end(is_committed=True)
        self.writes += 1
        if self.motion.rate:
            self.clock_ms = now_ms
        if self.deeds:
            self.next_due_ms = self._next_due_ms(self.connection)

    def rollback(self) -> None:
        """Roll back a writing call. An interrupted write has ended its transaction already."""
        if self._own is not None and self._own.in_transaction:
            self._own.execute("ROLLBACK")
        if self.answering is not None:
            self.answering.end(is_committed=False)

    def set_clock(self, to_ms: int, rate: int | None = None, at_ms: int | None = None) -> list[dict[str, Any]]:
        """Move the clock forward to a time, record it in the log, and return the rows that came.

        Args:
            to_ms: the simulated time.
            rate: how fast it moves from then on; None for as before.
            at_ms: the wall time at which it is to have this time; None for now.

        Raises:
            FarmError: the time is before that of a frozen clock.
        """
        at_ms = wall_ms() if at_ms is None else at_ms
        if self.motion.rate:
            to_ms = max(to_ms, self.motion.at(at_ms))  # it has moved since the caller looked
        elif to_ms < self.clock_ms + self._passed_ms():
            raise FarmError("a clock only moves forward; reset the episode to go back")
        motion = self.motion.through(to_ms, at_ms, rate)
        clock_ms = to_ms if motion.rate else to_ms - self._passed_ms()
        line = {"clock_ms": clock_ms, "after": self.calls}
        line |= {"rate": motion.rate, "offset_ms": motion.offset_ms} if motion != self.motion else {}
        self.log.append(orjson.dumps(line) + b"\n")
        self._apply_settings()
        self.connection.execute("UPDATE _meta SET clock_ms = ?, live = ?", (clock_ms, motion.pack()))
        self.clock_ms, self.motion = clock_ms, motion
        return self.deliver_due(to_ms) if to_ms >= self.next_due_ms else []

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
