"""Turns what a task file writes into values: dates by offset, accounts by person, ids by what a row holds.

In any text: ``{{date:+17 iso}}``, ``{{rfc3339:+17 10:00}}`` and so on, and ``{{name}}`` for an entry of ``[lookups]``.
As a value: ``{ person = "yu.han" }`` (``app`` where it is another one), ``{ table, where, column }`` (``app``; ``all =
true`` for a list), and ``{ checkpoint, column }``, the row another checkpoint was satisfied by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from farm.context.placeholders import render_dates
from farm.errors import FarmError, NotFound
from farm.kernel import Row
from farm.score.initial_state import Start, one
from farm.task import Task
from farm.task.forms import LOOKUP, ME, is_checkpoint, is_person, is_row


class Waiting(FarmError):
    """A value depends on a checkpoint that is not satisfied."""


class Values:
    """Resolves the values of one task in one start."""

    def __init__(
        self,
        start: Start,
        lookups: Mapping[str, Mapping[str, Any]],
        me: str | None = None,
        *,
        at: datetime | None = None,
        said: Sequence[str] = (),
    ) -> None:
        """Resolve in one start; ``at`` is where the simulated clock stands, ``said`` what the agent was asked."""
        self.start = start
        self._matched: Mapping[str, Sequence[Row]] = {}
        self._lookups = lookups
        self._me = me or start.world.protagonist
        self._found: dict[str, Any] = {}
        self.setting = replace(start.setting, at=at, said=tuple(map(self.text, said)))

    @classmethod
    def of(cls, task: Task, start: Start, at: datetime | None = None) -> Values:
        """Return the values of a task, with what it asks an agent."""
        return cls(start, task.lookups, task.me, at=at, said=(task.instruction, *task.necessary))

    def knowing(self, matched: Mapping[str, Sequence[Row]]) -> Values:
        """Return these values where references to other checkpoints (id → the rows that satisfied it) resolve, too."""
        known = copy(self)
        known._matched = dict(matched)
        return known

    def text(self, text: str) -> str:
        """Return a text with its placeholders rendered."""
        monday = self.start.world.monday + timedelta(days=self.start.setting.shift_days)
        rendered = render_dates(text, monday, self.start.world.zone)
        return LOOKUP.sub(lambda found: str(self.lookup(found[1])), rendered)

    def lookup(self, name: str) -> Any:
        """Return the value of an entry of ``[lookups]``.

        Raises:
            NotFound: there is no such entry.
        """
        if name not in self._lookups:
            have = ", ".join(self._lookups) or "none"
            raise NotFound(f"no lookup '{name}'; have {have}")
        if name not in self._found:
            # An entry names its app itself.
            self._found[name] = self.resolve(self._lookups[name], "")
        return self._found[name]

    def resolve(self, value: Any, app: str) -> Any:
        """Return a value of the file as it is to be compared; ``app`` is where persons and tables are looked up.

        Raises:
            FarmError: a lookup means no row, or several.
            Waiting: it depends on a checkpoint that is not satisfied.
        """
        match value:
            case str():
                whole = LOOKUP.fullmatch(value)
                return self.lookup(whole[1]) if whole else self.text(value)
            case list():
                return [self.resolve(each, app) for each in value]
            case Mapping():
                return self._resolve_table(value, app)
            case _:
                return value

    def _resolve_table(self, value: Mapping[str, Any], app: str) -> Any:
        if is_person(value):
            person = self._me if value["person"] == ME else value["person"]
            return self.start.account(value.get("app", app), person)
        if is_row(value):
            return self._row(value, value.get("app", app))
        if is_checkpoint(value):
            rows = self._matched.get(value["checkpoint"])
            if not rows:
                raise Waiting(f"checkpoint '{value['checkpoint']}' is not satisfied")
            return {"in": [row[value["column"]] for row in rows]}
        return {self.text(key): self.resolve(each, app) for key, each in value.items()}

    def _row(self, value: Mapping[str, Any], app: str) -> Any:
        table, column = value["table"], value["column"]
        rows = self.start.find(app, table, self.resolve(value.get("where", {}), app))
        if value.get("all"):
            return {"in": [row[column] for row in rows]}
        return one(rows, f"{app}.{table} where {dict(value.get('where', {}))}")[column]
