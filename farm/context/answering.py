"""People who answer in one context: they notice what calls change, and act when the clock has come to it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import orjson

from farm.appkit.handler_api import Episode, Row, VendorError
from farm.context import journal, person_acts
from farm.context.claim_reading import WrittenText, claim_reader
from farm.context.person_rules import PersonRule, acts_of, drawn, fill
from farm.context.rule_book import Change, Met, RuleBook

if TYPE_CHECKING:
    from farm.context.context import Context

# What a turn changed: its entries are the last of the journal while it is open.
_TURN = 'SELECT "table", key, old FROM _journal WHERE id > ? ORDER BY id'
_LAST_TURN = 'SELECT id FROM _journal WHERE "table" IS NULL ORDER BY id DESC LIMIT 1'
_logger = logging.getLogger("farm.context")

Came = dict[str, Any]


class Answering:
    """The people of one context.

    Attributes:
        book: the rules that this app's changes are held against.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._acts = acts_of(context.loaded.app.name)
        self.book = RuleBook(context.seed, self._acts, context.find_account, self._says)
        self._uncommitted: list[Met] = []

    def add(self, raw: Mapping[str, Any]) -> PersonRule:
        """Add a checked rule."""
        return self.book.add(raw)

    def _says(self, table: str, column: str, row: Row, value: Any, now_ms: int, claims: Any) -> bool:
        """Return whether a column of a row, written at a time, surely makes claims."""
        app, settings = self._context.loaded.app.name, self._context.settings
        assert settings.world is not None  # where there is none, such a rule is refused
        at = datetime.fromtimestamp(now_ms / 1000, UTC)
        written = WrittenText(app, table, column, row, value, at, settings.world, settings.shift_days)
        return claim_reader().says(claims, written)

    def notice(self, number: int, caller: str | None, now_ms: int) -> bytes:
        """Hold the rows that the open call changed against the rules; what follows waits in the same transaction.

        Returns:
            What the call's log line says of it.
        """
        cause = {"app": self._context.loaded.app.name, "call": number}
        met = self._follow(self._changes(), caller, now_ms, cause, is_agent=True)
        self._uncommitted = met
        return b',"people":%b' % orjson.dumps(met) if met else b""

    def end(self, *, is_committed: bool) -> None:
        """Forget or keep what the call that ends has met."""
        if not is_committed:
            self.book.forget(self._uncommitted)
        elif self._uncommitted:
            self._call_for_carrier()
        self._uncommitted = []

    def _call_for_carrier(self) -> None:
        """Let whoever reaches all apps know of acts for others; where the clock is frozen, whoever moves it asks."""
        moves = self._context.motion.rate or self._context.settings.pace_ms
        if self._context.has_outgoing and moves:
            episode = self._context.files.folder
            called = episode.parent.parent / person_acts.OUTGOING / episode.name
            called.parent.mkdir(exist_ok=True)
            called.touch()

    def _follow(
        self,
        changes: Iterator[Change],
        caller: str | None,
        now_ms: int,
        cause: Mapping[str, Any],
        *,
        is_agent: bool,
    ) -> list[Met]:
        """Schedule what follows changes, and return the rules that they met."""
        context, found = self._context, []
        for met, follows in self.book.notice(changes, caller, now_ms, context.episode, is_agent=is_agent):
            found.append(met)
            if not follows:
                continue
            acts = [(at_ms, app, {**act, "cause": cause}) for at_ms, app, act in follows]
            person_acts.schedule(context.connection, context.loaded.app.name, acts)
            for at_ms, app, _ in acts:
                if app == context.loaded.app.name:
                    context.next_due_ms = min(context.next_due_ms, at_ms)
                else:
                    context.has_outgoing = True
        return found

    def _changes(self) -> Iterator[Change]:
        """Yield what the open turn of the journal changed in tables that rules are about."""
        db = self._context.connection
        ((turn,),) = db.execute(_LAST_TURN).fetchall()
        firsts: dict[tuple[str, Any], str | None] = {}
        for table, key, old in db.execute(_TURN, (turn,)).fetchall():
            if self.book.watches(table):
                firsts.setdefault((table, key), old)
        shapes = self._context.loaded.schema.shapes
        for (table, key), old in firsts.items():
            shape = shapes[table]
            row = journal.find_row(self._context.episode.db, shape, key)
            if row is not None:
                yield table, "insert" if old is None else "update", row
            elif old is not None:
                yield table, "delete", dict(zip(shape.columns, orjson.loads(old), strict=True))

    def perform_due(self, until_ms: int) -> list[Came]:
        """Let people do what is due at the earliest time up to ``until_ms``, and return it."""
        return [
            self._perform(id_, at_ms, act) for id_, at_ms, act in person_acts.due(self._context.connection, until_ms)
        ]

    def _perform(self, id_: int, at_ms: int, act: Mapping[str, Any]) -> Came:
        """Do one act as the person, at its time, in a turn of the journal; what the app refuses is told as dropped."""
        db = self._context.connection
        try:
            return self._in_turn(id_, at_ms, act, lambda: self._do(at_ms, act))
        except VendorError as refused:
            why = str(refused.message)
        except Exception as problem:  # the boundary to a kernel's code: a bug there costs one act
            if db.in_transaction:
                db.execute("ROLLBACK")
            if _is_of_disk(problem):
                raise
            _logger.error("%s cannot %s", act["who"], act["do"], exc_info=problem)
            why = f"{type(problem).__name__}: {problem}"
        return self._in_turn(id_, at_ms, {**act, "dropped": why}, lambda: "")

    def _in_turn(self, id_: int, at_ms: int, act: Mapping[str, Any], do: Callable[[], str]) -> Came:
        db = self._context.connection
        db.execute("BEGIN")
        try:
            journal.begin_turn(db, person_acts.author(act["who"]), at_ms)
            ((turn,),) = db.execute("SELECT max(id) FROM _journal").fetchall()
            said = do()
            came = self._came(turn, at_ms, act) | ({"said": said} if said else {})
            met = self._follow(self._changes(), act["who"], at_ms, act["cause"], is_agent=False)
            kept = {**act, "people": met} if met else act
            db.execute("UPDATE _journal SET old = ? WHERE id = ?", (orjson.dumps(kept).decode(), turn))
            person_acts.remove(db, [id_])
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")
        self._call_for_carrier()
        return came

    def _do(self, at_ms: int, act: Mapping[str, Any]) -> str:
        """Do an act, and return what the person says by it."""
        context, who = self._context, act["who"]
        # Ids are of the act's name, so the agent's own do not depend on who has answered.
        theirs = Episode(
            context.episode.db,
            app=f"{context.loaded.app.name}/{act['name']}",
            me=context.require_account(who),
            seed=context.seed,
            forms=context.loaded.app.ids,
            find_zone=partial(context.find_zone_of, who),
            find_reference=context.find_reference,
        )
        theirs.start_call(at_ms, 0)
        arguments = {
            name: each[drawn(context.seed, act["name"], name) % len(each)] if isinstance(each, list) else each
            for name, each in act["arguments"].items()
        }
        if self._acts is None or act["do"] not in self._acts.verbs:
            raise VendorError(f"nobody can {act['do']} in {context.loaded.app.name}")
        filled = fill(arguments, act["row"], context.find_account)
        self._acts.verbs[act["do"]](theirs, act["row"], **filled)
        return str(filled.get("text") or filled.get("emoji") or "")

    def _came(self, turn: int, at_ms: int, act: Mapping[str, Any]) -> Came:
        """Return an act for whoever moved the clock: the first row that it changed, by whom, and all ``rows``."""
        came: Came = {"at_ms": at_ms, "by": act["who"], "rule": act["rule"], "do": act["do"], "table": "", "row": {}}
        if "dropped" in act:
            came["dropped"] = True
            return came
        shapes, db = self._context.loaded.schema.shapes, self._context.episode.db
        changed = dict.fromkeys(
            (table, key) for table, key, _ in self._context.connection.execute(_TURN, (turn,)).fetchall()
        )
        found = ((table, journal.find_row(db, shapes[table], key)) for table, key in changed)
        rows = [(table, row) for table, row in found if row is not None]
        return came | {"table": rows[0][0], "row": rows[0][1], "rows": rows} if rows else came

    def show(self) -> dict[str, Any]:
        """Return rules, what waits and what was done, for an operator."""
        db = self._context.reader
        waiting = person_acts.list_waiting(db) + person_acts.list_waiting(db, person_acts.OUT)
        return {
            "rules": self.book.show(),
            "waiting": [_told(each["at_ms"], each["act"]) for each in waiting],
            "acted": [_told(each["at_ms"], each) for each in person_acts.list_done(db)],
        }


def _told(at_ms: int, act: Mapping[str, Any]) -> dict[str, Any]:
    told = {"at_ms": at_ms, **{name: act[name] for name in ("app", "who", "do", "rule")}}
    return told | ({"dropped": act["dropped"]} if "dropped" in act else {})


def _is_of_disk(problem: Exception) -> bool:
    """Return whether the file could not be written: the act waits."""
    return isinstance(problem, sqlite3.OperationalError)
