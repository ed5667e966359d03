"""Find private values in a world: what looks like a real person's, and is not the world's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import orjson

from farm._util.private_values.detectors import RESERVED_DOMAIN, find
from farm._util.private_values.personal_forms import find_names, find_personal
from farm.appkit.handler_api import Row
from farm.appkit.world_spec.toml_reader import WorldError
from farm.world.authentic import FOLDER as AUTHENTIC
from farm.world.authentic import authentic_rows
from farm.world.generate import SCHEDULED, rows_of, scheduled_rows_of
from farm.world.generators import schema
from farm.world.spec import Spec

_TEXT_ROLES = ("body", "title", "person", "place")
_FILES = (".toml", ".md")
_NAME_KEYS = ("name", "nickname", "real_name")
_WRITTEN = "written"  # prompts and answers, accepted or not; what was accepted stands in spec/
_LINE_MAX = 20_000
# A reference, or a value of the ledger's own forms, in a line of a specification.
_REFERENCE = re.compile(r"\{\{[^{}]*\}\}")


_BLOCK = re.compile(r"\+?\d[\d ().-]*x{2,}")  # a declared block of phone numbers


@dataclass(frozen=True)
class PrivateFinding:
    """A private value.

    Attributes:
        place: file and line, or app, table and column of a generated row.
        kind: what it looks like.
        value: the value.
    """

    place: str
    kind: str
    value: str

    def __str__(self) -> str:
        return f"{self.place}: '{self.value}' looks like a {self.kind}; invent another, or declare it ([privacy])"


class PrivacyReader:
    """Knows a world's own values, and finds others in its texts."""

    def __init__(self, spec: Spec) -> None:
        self._spec, self._own = spec, spec.own_values

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of people, accounts and organisations, of facts, and what world.toml declares."""
        spec = self._spec
        found = [*self._own.names, *(name for each in spec.people.values() for name in (each.name_zh, each.name_en))]
        found += (each.name for part in spec.apps.values() for each in part.accounts.values())
        found += (name for each in spec.organisations.values() for name in (each.name_zh, each.name_en))
        found += _named_in(spec)
        for fact in spec.facts.values():
            if fact.kind in ("person", "place", "choice", "text"):
                found += (str(fact.value), *fact.forms.values(), *(str(each.value) for each in fact.versions))
        return frozenset(filter(None, found))

    @cached_property
    def _ids(self) -> frozenset[str]:
        """The numbers of orders, invoices and the like in the ledger, some of which look like a phone's."""
        ids = (fact for fact in self._spec.facts.values() if fact.kind == "id")
        return frozenset(str(value) for each in ids for value in (each.value, *(one.value for one in each.versions)))

    @cached_property
    def _users(self) -> frozenset[str]:
        """What people and firms are called in paths: the parts of their keys, in any order, in small letters."""
        parts = [key.lower().split(".") for key in self._spec.people]
        people = {name for each in parts for name in (*each, "".join(each), "".join(reversed(each)))}
        firms = {
            part for each in self._spec.organisations.values() for part in (each.key, each.domain.partition(".")[0])
        }
        return frozenset(people | {re.sub(r"[^a-z]", "", each.lower()) for each in (self._spec.name, *firms)})

    def find(self, text: str, *, is_running: bool = True) -> Iterator[tuple[str, str]]:
        """Yield kind and value of what is private in a text.

        Args:
            text: any text, with or without references.
            is_running: whether people wrote it, so that names and words before a value count.
        """
        text = _REFERENCE.sub(" ", text[:_LINE_MAX])
        text = _BLOCK.sub(" ", text)
        personal = (*find_personal(text), *self._named(text)) if is_running else ()
        seen = set[str]()
        for found in (*find(text), *personal):
            value = text[found.start : found.end]
            if value not in seen and not self._is_own(found.kind, value):
                seen.add(value)
                yield found.kind, value

    def _named(self, text: str) -> Iterator[Any]:
        return (each for each in find_names(text) if not self._is_name(text[each.start : each.end]))

    def has_name(self, value: str) -> bool:
        """Return whether a name is exactly one of the world's own."""
        return value in self._names

    def _is_name(self, value: str) -> bool:
        """Return whether a name is the world's own, or begins with one: what follows may be the next word."""
        return any(value.startswith(name) or name in value.split() or value in name for name in self._names)

    def _is_own(self, kind: str, value: str) -> bool:
        if value in self._own.values:
            return True
        if kind == "mail address":
            domain = value.rpartition("@")[2]
            is_reserved = RESERVED_DOMAIN.fullmatch(domain) is not None
            return is_reserved or self._own.has_address(value)
        if kind == "street address":
            return any(name in value or value in name for name in (*self._names, *self._own.values) if len(name) > 1)
        if kind == "phone number":
            return self._own.has_phone(value) or value in self._ids
        return kind == "user" and re.sub(r"[^a-z]", "", value.lower()) in self._users


def _named_in(spec: Spec) -> Iterator[str]:
    """Yield the names that entries of the apps' files have: accounts of people outside, their nicknames."""

    def walk(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            yield from (str(value[key]) for key in _NAME_KEYS if isinstance(value.get(key), str))
            for each in value.values():
                yield from walk(each)
        elif isinstance(value, list):
            for each in value:
                yield from walk(each)

    for part in spec.apps.values():
        for path in sorted(part.folder.glob("*.toml")):
            yield from walk(spec.toml(path, path.name))


def audit_privacy(spec: Spec) -> list[PrivateFinding]:
    """Return the private values of a world's files and rows, each once, at its first place.

    Raises:
        WorldError: nothing is found in the files, and the world cannot be generated.
    """
    reader, found = PrivacyReader(spec), dict[str, PrivateFinding]()

    def look(texts: Iterable[tuple[str, str, bool]]) -> None:
        for place, text, is_running in texts:
            for kind, value in reader.find(text, is_running=is_running):
                found.setdefault(value, PrivateFinding(place, kind, value))

    look(_lines(spec))
    try:
        look(_values(spec))
    except WorldError:
        if not found:  # what was found in files is mended first
            raise
    return [*found.values()]


def _lines(spec: Spec) -> Iterator[tuple[str, str, bool]]:
    """Yield place and text of each line of the specification's files."""
    for folder in spec.folders:
        for path in sorted(folder.rglob("*")):
            is_read = path.suffix in _FILES and path.relative_to(folder).parts[0] != _WRITTEN
            if is_read and path.is_file():
                yield from _lines_of(path, path.relative_to(folder).as_posix())


def _lines_of(path: Path, name: str) -> Iterator[tuple[str, str, bool]]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if line.strip():
            yield f"{name}:{number}", line, True


def _values(spec: Spec) -> Iterator[tuple[str, str, bool]]:
    """Yield place and text of each text of the rows: those on disk, or generated ones if there are none.

    Rows of an export are read where they stand, too: those on disk may be older.
    """
    for app, part in spec.apps.items():
        for row in authentic_rows(part.folder, app):
            for column, value in row.items():
                if column != "table" and isinstance(value, str):
                    is_running = is_running_text(app, row["table"], column)
                    yield f"spec/{app}/{AUTHENTIC}: {row['table']}.{column}", value, is_running
    for app, rows in _rows(spec):
        for row in rows:
            table = row["table"]
            for column, value in row.items():
                if column != "table" and isinstance(value, str):
                    yield f"{app}.{table}.{column}", value, is_running_text(app, table, column)


@cache
def _running_columns(app: str) -> frozenset[tuple[str, str]]:
    roles = schema(app).roles
    return frozenset(
        (table, name) for table, each in roles.items() for name, role in each.items() if role in _TEXT_ROLES
    )


def is_running_text(app: str, table: str, column: str) -> bool:
    """Return whether people write what a column holds, by its role."""
    return (table, column) in _running_columns(app)


def _rows(spec: Spec) -> Iterator[tuple[str, Iterable[Row]]]:
    made: Mapping[str, Iterable[Row]] = {}
    for app, part in spec.apps.items():
        folder = part.folder.parents[1]
        files = [path for path in (folder / f"{app}.jsonl", folder / SCHEDULED / f"{app}.jsonl") if path.is_file()]
        if files:
            yield app, (orjson.loads(line) for path in files for line in path.read_bytes().splitlines())
        else:
            made = made or rows_of(spec)
            yield app, [*made[app], *(each.row for each in scheduled_rows_of(part))]
