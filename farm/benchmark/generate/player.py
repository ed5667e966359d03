"""Plays single calls of one app: every call begins with the same rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from farm import content
from farm._util.json_io import loads
from farm.appkit.envelope import body_of
from farm.benchmark.generate.kinds import Kinds
from farm.benchmark.runner.in_process_farm import LocalSession

_CLEAN = "clean"


@dataclass(frozen=True)
class Declared:
    """An argument as the tool's schema declares it.

    Attributes:
        path: its dotted path.
        type: the JSON type; ``any`` if there is none.
        is_required: whether the schema requires it and every object around it.
        schema: its schema.
    """

    path: str
    type: str
    is_required: bool
    schema: Mapping[str, Any]

    @property
    def choices(self) -> list[Any]:
        """The values that the schema allows, if it lists them."""
        return [False, True] if self.type == "boolean" else list(self.schema.get("enum", ()))


def declared_arguments(schema: Mapping[str, Any], path: str = "", *, is_required: bool = True) -> list[Declared]:
    """Return the arguments of a tool that are no objects; of those inside objects, the path is dotted."""
    found = []
    for name, each in (schema.get("properties") or {}).items():
        needed = is_required and name in schema.get("required", ())
        at = f"{path}.{name}" if path else name
        if each.get("properties"):
            found += declared_arguments(each, at, is_required=needed)
        else:
            found.append(Declared(at, _type_of(each), needed, each))
    return found


def _type_of(schema: Mapping[str, Any]) -> str:
    kinds = [schema.get("type"), *(each.get("type") for each in schema.get("anyOf", ()))]
    flat = [one for each in kinds for one in (each if isinstance(each, list) else [each])]
    return next((each for each in flat if each not in (None, "null")), "any")


class Player:
    """Plays an app in an episode, as one person.

    Attributes:
        tools: tool → its declared arguments, in the vendor's order.
        writes: tool → the tables that it may change.
        tries: how many calls were made.
    """

    def __init__(self, session: LocalSession, app: str, person: str | None = None) -> None:
        self.session, self.app, self.person = session, app, person
        loaded = content.load_app(app)
        self.schema = loaded.schema
        declared = {each["name"]: declared_arguments(each["inputSchema"]) for each in loaded.tool_schemas}
        self.writes = {each.name: each.writes for each in loaded.app.tools}
        self.tools = {name: each for name, each in declared.items() if name in self.writes}
        self.tries = 0
        if _CLEAN not in session.store(app).snapshots(session.id):
            session.snapshot(_CLEAN)

    @cached_property
    def kinds(self) -> Kinds:
        """What values are, by the rows of the start."""
        return Kinds(self.schema, lambda table: self.session.rows(self.app, table))

    def play(self, tool: str, arguments: Mapping[str, Any], *, keep: bool = False) -> Any:
        """Return the body of the answer to a call, or None if it was refused.

        Args:
            keep: leave what it changed; otherwise the rows are as before.
        """
        self.tries += 1
        outcome = self.session.outcome(self.app, tool, arguments, self.person)
        body = None if outcome.refused or outcome.is_protocol_error else body_of(loads(outcome.result))
        if outcome.wrote and not keep:
            self.clean()
        return body

    def changes(
        self, tool: str, arguments: Mapping[str, Any], before: Sequence[tuple[str, Mapping[str, Any]]] = ()
    ) -> tuple[Any, dict[str, Any]]:
        """Return the body of the answer to a call, and table → the rows it changed; rows are as before afterwards.

        Args:
            before: calls that are made first; what they changed is left out.
        """
        for earlier, given in before:
            self.play(earlier, given, keep=True)
        old = self.session.diff(_CLEAN).get(self.app, {}) if before else {}
        body = self.play(tool, arguments, keep=True)
        diff = self.session.diff(_CLEAN).get(self.app, {}) if body is not None else {}
        self.clean()
        left = {table: [row for row in rows if row not in old.get(table, ())] for table, rows in diff.items()}
        return body, {table: rows for table, rows in left.items() if rows}

    def clean(self) -> None:
        """Make the rows what they were at the start."""
        self.session.restore(_CLEAN)
