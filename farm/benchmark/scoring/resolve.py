"""Resolves references in task files: dates by offset, accounts by person, ids by the contents of a row.

In texts: ``{{date:+17 iso}}``, ``{{rfc3339:+17 10:00}}`` and so on, and ``{{name}}`` for an entry of ``[lookups]``.
As values: ``{ person = "yu.han" }`` (``app`` for another app), ``{ table, where, column }`` (``app``; ``all = true``
for a list), and ``{ checkpoint, column }``, the row that satisfied another checkpoint.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from farm.appkit.envelope import body_of, texts_of
from farm.appkit.handler_api import Row
from farm.appkit.world_spec.placeholders import render_dates
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.initial_state import Start, one
from farm.benchmark.scoring.reading_budget import ReadingBudget
from farm.benchmark.tasks import Task
from farm.benchmark.tasks.value_syntax import LOOKUP, ME, is_checkpoint, is_person, is_row
from farm.context.operators import OPERATORS, at_path, texts_in, unquoted
from farm.context.trace import Call
from farm.errors import FarmError, NotFoundError


def _as_list(value: Any) -> Any:
    """Return several rows' values as the list that an operator takes: ``not_contains`` refuses each of them."""
    return value["in"] if isinstance(value, Mapping) and value.keys() == {"in"} else value


class UnresolvedDependencyError(FarmError):
    """A value depends on a checkpoint that is not satisfied."""


class ValueResolver:
    """Resolves the values of one task in one start."""

    def __init__(
        self,
        start: Start,
        lookups: Mapping[str, Mapping[str, Any]],
        me: str | None = None,
        *,
        at: datetime | None = None,
        said: Sequence[str] = (),
        samples: Sequence[str] = (),
        budget: ReadingBudget | None = None,
    ) -> None:
        """Resolve in one start.

        Args:
            at: the simulated time.
            said: the texts that instructed the agent.
            samples: right texts.
        """
        self.start = start
        self._matched: Mapping[str, Sequence[Row]] = {}
        self.lookups = lookups
        self._me = me or start.world.protagonist
        self._found: dict[str, Any] = {}
        # By identity, beside the call that keeps it: checkpoints search the same long results again and again.
        self._results: dict[int, tuple[Call, str]] = {}
        said, samples = tuple(map(self.text, said)), tuple(map(self._with_dates, samples))
        self.clock_context = replace(start.clock_context, at=at, said=said, samples=samples, budget=budget)

    @classmethod
    def from_task(
        cls, task: Task, start: Start, at: datetime | None = None, budget: ReadingBudget | None = None
    ) -> ValueResolver:
        """Return the values of a task, with its instruction and what ``--context +named`` adds to it.

        So a text is judged in the same way whether the agent was told the names or found them.
        """
        said = (task.instruction, *task.necessary, *task.named)
        return cls(start, task.lookups, task.me, at=at, said=said, samples=task.samples, budget=budget)

    def knowing(self, matched: Mapping[str, Sequence[Row]]) -> ValueResolver:
        """Return these values with ``matched`` (id of a checkpoint → its rows) to resolve references to checkpoints."""
        known = copy(self)
        known._matched = dict(matched)
        return known

    def in_context(self, clock_context: ClockContext) -> ValueResolver:
        """Return these values with another context of comparisons."""
        known = copy(self)
        known.clock_context = clock_context
        return known

    def result_text(self, call: Call) -> str:
        """Return all texts in a call's result, for a search that ignores case."""
        if id(call) not in self._results:
            result = call["result"]
            found = texts_of(result) if isinstance(result, Mapping) else ()
            # Of any other result, all that its body says stands in it as well.
            body = body_of(result) if len(found) > 1 or any(text[:1] == '"' for text in found) else None
            texts = [result, unquoted(body)] if isinstance(body, str) else [result]
            self._results[id(call)] = call, texts_in(texts).casefold()
        return self._results[id(call)][1]

    def text(self, text: str) -> str:
        """Return a text with its placeholders rendered."""
        if "{{" not in text:
            return text
        return LOOKUP.sub(lambda found: str(self.lookup(found[1])), self._with_dates(text))

    def _with_dates(self, text: str) -> str:
        if "{{" not in text:
            return text
        monday = self.start.world.monday + timedelta(days=self.start.clock_context.shift_days)
        return render_dates(text, monday, self.start.world.zone)

    def lookup(self, name: str) -> Any:
        """Return the value of an entry of ``[lookups]``.

        Raises:
            NotFoundError: the entry does not exist.
        """
        if name not in self.lookups:
            have = ", ".join(self.lookups) or "none"
            raise NotFoundError(f"no lookup '{name}'; have {have}")
        if name not in self._found:
            # An entry names its own app.
            self._found[name] = self.resolve(self.lookups[name], "")
        return self._found[name]

    def wrong_lookups(self) -> Iterator[str]:
        """Yield a line for each entry of ``[lookups]`` that has no value in the start, or several."""
        for name in self.lookups:
            try:
                self.lookup(name)
            except FarmError as wrong:
                yield f"lookups.{name}: {wrong}"

    def resolve(self, value: Any, app: str) -> Any:
        """Resolve a value of the file for comparison; ``app`` is the default app of people and tables.

        Raises:
            FarmError: a lookup matches no row, or several.
            UnresolvedDependencyError: the value depends on a checkpoint that is not satisfied.
        """
        match value:
            case str():
                whole = LOOKUP.fullmatch(value) if "{{" in value else None
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
                raise UnresolvedDependencyError(f"checkpoint '{value['checkpoint']}' is not satisfied")
            return {"in": [row[value["column"]] for row in rows]}
        resolved = {self.text(key): self.resolve(each, app) for key, each in value.items()}
        return {key: _as_list(each) if key in OPERATORS else each for key, each in resolved.items()}

    def _row(self, value: Mapping[str, Any], app: str) -> Any:
        table, column = value["table"], self.text(value["column"])
        rows = self.start.find(app, table, self.resolve(value.get("where", {}), app))
        if value.get("all"):
            return {"in": [at_path(row, column) for row in rows]}
        return at_path(one(rows, f"{app}.{table} where {dict(value.get('where', {}))}"), column)
