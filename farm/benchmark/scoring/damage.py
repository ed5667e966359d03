"""Damage: changes in any app that no checkpoint and no ``allow`` line accounts for.

A new row that a checkpoint accounts for is closed: what the checkpoint does not name holds what the app gives to a row
about which nothing was said. Only columns whose role is ``internal`` or ``cosmetic`` are exempt. In a row of the start,
only columns that the app's schema declares ``server_managed`` may change freely. A mail may stand in any thread with
the people whom it goes to, and in no other unless the checkpoint names the thread. A time set to the moment of the
change is an ordinary change: ticking off a task changes only that. A mark of what was read is never damage. Neither are
the copies that an app makes for others of a new row that a checkpoint accounts for: the receivers' of a sent mail.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from farm import content
from farm.appkit.column_vocabulary import Role
from farm.appkit.handler_api import Row
from farm.benchmark.scoring.app_schemas import schema_of
from farm.benchmark.scoring.evidence import CHANGES, CheckpointVerdict, Damage, Evidence, RowChange, RowName, row_name
from farm.benchmark.scoring.initial_state import chosen_columns, filled_columns, fits, is_internal, is_read_mark
from farm.benchmark.scoring.resolve import UnresolvedDependencyError, ValueResolver
from farm.benchmark.scoring.stored_texts import mail_thread
from farm.benchmark.tasks import Allow
from farm.benchmark.tasks.checkpoints import EVERY_COLUMN
from farm.context.diff import is_part

_ADDRESS = re.compile(r"[\w.+-]+@[\w.-]+\w")


def _addresses(app: str, table: str, row: Row, *roles: Role) -> set[str]:
    """Return the e-mail addresses in a row's columns of some roles."""
    columns = (name for name, role in schema_of(app).roles[table].items() if role in roles)
    return {address for name in columns for address in _ADDRESS.findall(str(row[name]))}


class AllowedChanges:
    """The changes that a task accounts for: the rows of its checkpoints, and its ``allow`` lines."""

    def __init__(self, verdicts: Iterable[CheckpointVerdict], allow: Sequence[Allow], values: ValueResolver) -> None:
        self._allow = allow
        self._values = values
        self._named: dict[RowName, set[str]] = {}
        for verdict in verdicts:
            for row, keys in verdict.may_change.items():
                self._named.setdefault(row, set()).update(keys)

    def has(self, row: RowName) -> bool:
        """Return whether a checkpoint accounts for a row."""
        return row in self._named

    def unnamed(self, row: RowName, columns: Iterable[str]) -> list[str]:
        """Return the columns of a row that no checkpoint names."""
        named = self._named.get(row, ())
        if EVERY_COLUMN in named:
            return []
        return [column for column in columns if not any(is_part(column, each) for each in named)]

    def strange_threads(self, app: str, table: str, row: Row) -> Iterator[str]:
        """Yield the column with a new mail's thread if nobody in the mail has written or got anything in it."""
        column = mail_thread(app, table)
        if column is None:
            return
        before = self._values.start.find(app, table, {column: row[column]})
        receivers = _addresses(app, table, row, "person") - _addresses(app, table, row, "author")
        if before and not any(receivers & _addresses(app, table, each, "person", "author") for each in before):
            yield column

    def is_allowed(self, app: str, table: str, ops: Collection[str], row: Row, columns: Collection[str]) -> bool:
        """Return whether one ``allow`` line covers all changes of a row."""
        for each in self._allow:
            if (each.app, each.table) != (app, table) or not {CHANGES[op] for op in ops} <= {*each.changes}:
                continue
            if each.columns and columns and not all(any(is_part(key, own) for own in each.columns) for key in columns):
                continue
            try:
                where = self._values.resolve(each.where, app)
            except UnresolvedDependencyError:
                continue
            if fits(row, where, app, table, self._values.clock_context):
                return True
        return False


def find_damage(evidence: Evidence, accounts: AllowedChanges) -> Iterator[Damage]:
    """Yield each changed row that nothing accounts for, and each right row with further changes."""
    for app, tables in evidence.diff.items():
        if not content.has_app(app):
            continue
        copies = frozenset(_copies(app, tables, accounts))
        for table, changes in tables.items():
            if is_internal(app, table):
                continue
            for change in changes:
                if row_name(app, table, change) in copies:
                    continue
                why = _why(app, table, change, accounts)
                if why:
                    yield Damage(app, table, CHANGES[change["op"]], change["key"], change.get("call"), why)


def _copies(app: str, tables: Mapping[str, Sequence[RowChange]], accounts: AllowedChanges) -> Iterator[RowName]:
    """Yield the new rows that give others what a checkpoint accounts for: its copies, and what belongs to them."""
    for table, (column, parts) in schema_of(app).copies.items():
        new = [each for each in tables.get(table, ()) if each["op"] == "insert"]
        asked = {
            (each.get("call"), each["new"][column]): each["new"]
            for each in new
            if accounts.has(row_name(app, table, each))
        }
        for change in new:
            original = asked.get((change.get("call"), change["new"][column]))
            if original is None or change["new"] is original or not _says_no_more(app, table, change["new"], original):
                continue
            yield row_name(app, table, change)
            for part, parent in parts.items():
                for each in tables.get(part, ()):
                    is_new = each["op"] == "insert" and each.get("call") == change.get("call")
                    if is_new and each["new"][parent] in change["key"].values():
                        yield row_name(app, part, each)


def _says_no_more(app: str, table: str, copy: Row, original: Row) -> bool:
    """Return whether all that people write and read in a copy stands in the original, too."""
    roles = schema_of(app).roles.get(table, {})
    said = [name for name, role in roles.items() if role in ("title", "body", "person", "file", "author")]
    return all(str(copy.get(name) or "") in str(original.get(name) or "") for name in said)


def _filled(app: str, table: str, row: Row, accounts: AllowedChanges) -> list[str]:
    """Return the columns of a new row that hold something about which nobody said anything."""
    return [*filled_columns(app, table, row), *accounts.strange_threads(app, table, row)]


def _why(app: str, table: str, change: RowChange, accounts: AllowedChanges) -> str | None:
    if is_read_mark(app, table, change):
        return None
    row, op = row_name(app, table, change), change["op"]
    changed: list[str] = []
    if op == "update":
        changed = accounts.unnamed(row, chosen_columns(app, table, change))
        if not changed:
            return None
    elif accounts.has(row):
        changed = accounts.unnamed(row, _filled(app, table, change["new"], accounts)) if op == "insert" else []
        if not changed:
            return None
    if accounts.is_allowed(app, table, (op,), change["new"] or change["old"], changed):
        return None
    if accounts.has(row) and op == "insert":
        verb = "were" if len(changed) > 1 else "was"
        return f"{app}.{table}: {', '.join(changed)} of the new row {verb} filled although nobody asked"
    if accounts.has(row):
        return f"{app}.{table}: {', '.join(changed)} of the right row changed too"
    what = f" ({', '.join(changed)})" if changed else ""
    return f"{app}.{table}: a row was {CHANGES[op]}d that nobody asked for{what}"
