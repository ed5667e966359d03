"""What a value is: the column whose key it is, by the declared roles and references of an app's tables."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any

from sqlalchemy import Column, Table

from farm import content
from farm.appkit.schema import Schema
from farm.benchmark.generate.answers import leaves_of
from farm.context.operators import parsed_json

Rows = Callable[[str], Iterable[Mapping[str, Any]]]  # table → its rows

# A shorter value occurs by chance, as a count or a flag.
_LETTERS_MIN = 4
# A column whose values are nearly all keys of another refers to it, whether or not a foreign key says so.
_ALIAS_SHARE_MIN = 0.9
_ALIAS_VALUES_MIN = 3


class Kinds:
    """Value → kinds, of the rows of one app. A kind is a key column, ``channels.id``."""

    def __init__(self, schema: Schema, rows: Rows) -> None:
        self._of: dict[str, set[str]] = defaultdict(set)
        self._labels: set[str] = set()
        self._bodies: set[str] = set()
        self._names: dict[str, set[str]] = defaultdict(set)
        tables = {each.name: list(rows(each.name)) for each in schema.tables}
        for table in schema.tables:
            for column in table.columns:
                kind = kind_of_column(column)
                values = {str(row[column.name]) for row in tables[table.name] if row[column.name] not in (None, "", 0)}
                if kind:
                    for value in values:
                        if len(value) >= _LETTERS_MIN:
                            self._of[value].add(kind)
                if column.info["role"] == "title":
                    self._labels |= values
                elif column.info["role"] == "body":
                    self._bodies |= {text for value in values for text in _texts_in(value)}
            for row in tables[table.name]:
                self._name(table, row)
        self.aliases = _aliases(self._of)
        self._of = {value: {self._root(kind) for kind in kinds} for value, kinds in self._of.items()}

    def _name(self, table: Table, row: Mapping[str, Any]) -> None:
        """Know what people call a row: its titles and texts, by each key of its own."""
        named = {
            text
            for column in table.columns
            if column.info["role"] in ("title", "body") and row[column.name] not in (None, "")
            for text in _texts_in(str(row[column.name]))
        }
        for column in table.columns if named else ():
            if kind_of_column(column) and not column.foreign_keys and row[column.name] not in (None, ""):
                self._names[str(row[column.name])] |= named

    def names_of(self, value: Any) -> Set[str]:
        """Return the titles and texts of the row whose key a value is; empty if nothing is known of it."""
        return self._names.get(str(value), frozenset())

    def _root(self, kind: str) -> str:
        seen = {kind}
        while (kind := self.aliases.get(kind, kind)) not in seen:
            seen.add(kind)
        return kind

    def add(self, value: Any, kind: str) -> None:
        """Know a key that the start does not have."""
        self._of.setdefault(str(value), set()).add(self._root(kind))

    def of(self, value: Any) -> tuple[str, ...]:
        """Return the kinds of a value, in the order of their names; empty for one that is no key."""
        return tuple(sorted(self._of.get(str(value), ())))

    def is_label(self, value: Any) -> bool:
        """Return whether a value is the title of a row: what people call it."""
        return isinstance(value, str) and value in self._labels

    def is_body(self, value: Any) -> bool:
        """Return whether a value is the running text of a row."""
        return isinstance(value, str) and value in self._bodies


def is_account(app: str, kind: str) -> bool:
    """Return whether the values of a kind name accounts of an app: people."""
    account = content.load_app(app).schema.account
    return account is not None and kind.startswith(f"{account[0]}.")


def kind_of_column(column: Column[Any]) -> str | None:
    """Return the kind of a column's values: what its foreign key names, itself if it is a key of its own, or None."""
    target = next(iter(column.foreign_keys), None)
    if target is not None:
        return str(target.target_fullname)
    is_own = column.primary_key or column.unique
    return f"{column.table.name}.{column.name}" if is_own and not column.info.get("person") else None


def _texts_in(value: str) -> Iterable[str]:
    """Return a text, or the texts inside of JSON, which are what an answer shows."""
    parsed = parsed_json(value)
    return (value,) if isinstance(parsed, str) else (each for _, each in leaves_of(parsed) if isinstance(each, str))


def _aliases(of: Mapping[str, set[str]]) -> dict[str, str]:
    values: dict[str, set[str]] = defaultdict(set)
    for value, kinds in of.items():
        for kind in kinds:
            values[kind].add(value)
    found: dict[str, str] = {}
    for one, other in itertools.permutations(sorted(values), 2):
        shared = len(values[one] & values[other])
        is_inside = len(values[one]) >= _ALIAS_VALUES_MIN and shared >= _ALIAS_SHARE_MIN * len(values[one])
        if is_inside and len(values[other]) > len(values[one]):
            found.setdefault(one, other)
    return found
