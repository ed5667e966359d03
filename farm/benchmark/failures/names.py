"""The names of what a call is made to: of the person, the channel, the page or the file whose id it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from farm.benchmark.failures.case import Case, leaves_of, texts_in
from farm.benchmark.failures.targets import person_ids
from farm.benchmark.failures.tries import wanted_call
from farm.benchmark.scoring.app_schemas import schema_of
from farm.benchmark.scoring.call_metrics import BODY_TEXTS
from farm.benchmark.scoring.initial_state import Start
from farm.benchmark.scoring.people import names_of
from farm.benchmark.scoring.resolve import UnresolvedDependencyError
from farm.benchmark.tasks import Operate
from farm.context.operators import parsed_json

_NAME_MAX = 60  # characters; a longer text is content
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def names_of_point(case: Case, point: Operate) -> frozenset[str]:
    """Return the names of what a missed change was to be made to, folded: of its rows, and of the call for it."""
    asked: dict[str, Any] = {}
    for form in (point.where, point.after):
        for key, wanted in form.items():
            with suppress(UnresolvedDependencyError):
                asked |= case.values.resolve({key: wanted}, point.app)
    return names_in(case, point.app, wanted_call(case, point)) | names_in(case, point.app, asked)


def names_in(case: Case, app: str, arguments: Any) -> frozenset[str]:
    """Return the names of the people and rows whose ids some arguments have, and the names in them, folded."""
    me = case.task.me or case.start.world.protagonist
    people, titles = person_ids(case.start, app), _titles(case.start, app)
    found: set[str] = set()
    for path, value in leaves_of(arguments):
        for text in texts_in(parsed_json(value) if isinstance(value, str) else value):
            if (who := people.get(text)) == me:
                continue
            if who is not None and who in case.start.world.people:
                found |= set(_names_of_person(case.start, who))
            found |= titles.get(text, frozenset())
            if path.rpartition(".")[2] not in BODY_TEXTS and len(text) <= _NAME_MAX:
                found |= {text, text.rpartition("/")[2].rpartition(".")[0]}
    return frozenset(filter(_is_name, (name.casefold().strip("# ") for name in found)))


def is_named(name: str, text: str) -> bool:
    """Return whether a folded text has a folded name, as whole words if it is in Latin letters."""
    if _CHINESE.search(name):
        return name in text
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", text) is not None


def _is_name(name: str) -> bool:
    return len(name) >= (2 if _CHINESE.search(name) else 3) and not name.isdecimal()


def _names_of_person(start: Start, key: str) -> Iterator[str]:
    """Yield the full and the given names of a person."""
    who = start.world.people[key]
    yield from names_of(key, start.world.people)
    yield from str(who.get("name_en") or "").split()[:1]
    chinese = str(who.get("name_zh") or "")
    yield chinese[1:] if len(chinese) == len("名姓名") else ""


_TITLES: dict[tuple[int, str], Mapping[str, frozenset[str]]] = {}


def _titles(start: Start, app: str) -> Mapping[str, frozenset[str]]:
    """Return key of each row of an app → the row's titles."""
    known = _TITLES.get((id(start), app))
    if known is None:
        found: dict[str, frozenset[str]] = {}
        schema = schema_of(app)
        for table in schema.tables:
            columns = [name for name, role in schema.roles.get(table.name, {}).items() if role == "title"]
            keys = [column.name for column in table.primary_key.columns]
            for row in start.rows(app, table.name) if columns else ():
                titles = frozenset(row[name] for name in columns if isinstance(row.get(name), str) and row[name])
                for key in keys:
                    # A table's name can be a column of several keys, of which only the last tells its rows apart.
                    if key == keys[-1] and len(str(row.get(key))) > 1:
                        found[str(row[key])] = found.get(str(row[key]), frozenset()) | titles
        known = _TITLES[(id(start), app)] = found
    return known
