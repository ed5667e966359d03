"""What is wrong with a row that a table refuses, in the words of its columns and not in those of SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from farm._util.names import list_names

_NAME_COLUMNS = ("name", "title", "summary", "subject", "display_name")
_SHOWN_MAX = 5


def find_row_problem(db: sqlite3.Connection, table: str, values: Mapping[str, Any], problem: sqlite3.Error) -> str:
    """Return why a table refuses a row: the missing columns, the reference that leads nowhere, or the key in use."""
    said = str(problem)
    if said.startswith("NOT NULL") and (missing := _missing(db, table, values)):
        return f"a row of '{table}' needs {', '.join(missing)}, too"
    if said.startswith("FOREIGN KEY"):
        return next(_dangling(db, table, values), said)
    if said.startswith("UNIQUE") and ": " in said:
        columns = [each.rpartition(".")[2] for each in said.partition(": ")[2].split(", ")]
        return f"'{table}' has a row with this {' and '.join(columns)} already"
    return said


def _missing(db: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> list[str]:
    """Return every column that must have a value and has none."""
    found = db.execute('SELECT name FROM pragma_table_info(?) WHERE "notnull" AND dflt_value IS NULL', (table,))
    given = db.execute('SELECT name FROM pragma_table_info(?) WHERE "notnull" AND dflt_value IS NOT NULL', (table,))
    emptied = [name for (name,) in given if name in values and values[name] is None]
    return [name for (name,) in found if values.get(name) is None] + emptied


def _dangling(db: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each reference to a row that does not exist."""
    keys: dict[int, list[tuple[str, str, str]]] = {}
    for number, _, parent, column, target, *_ in db.execute(f'PRAGMA foreign_key_list("{table}")'):
        keys.setdefault(number, []).append((parent, column, target or column))
    for parts in keys.values():
        parent = parts[0][0]
        wanted = [values.get(column) for _, column, _ in parts]
        if None in wanted:
            continue
        marks = " AND ".join(f'"{target}" = ?' for *_, target in parts)
        if db.execute(f'SELECT 1 FROM "{parent}" WHERE {marks}', wanted).fetchone() is None:
            said = " and ".join(f"{table}.{column} {values[column]!r}" for _, column, _ in parts)
            key = " and ".join(target for *_, target in parts)
            yield f"{said} is no {key} of '{parent}'; {_have(db, parent, parts[-1][2], wanted[-1])}"


def _have(db: sqlite3.Connection, parent: str, target: str, wanted: Any) -> str:
    """Return which keys a table has, or the key of the row that has the wanted value as its name."""
    columns = {name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (parent,))}
    name = next((each for each in _NAME_COLUMNS if each in columns and each != target), None)
    if name and isinstance(wanted, str):
        named = db.execute(f'SELECT "{target}" FROM "{parent}" WHERE "{name}" = ?', (wanted.lstrip("#@"),)).fetchone()
        if named:
            return f"the row called '{wanted}' there has {named[0]!r}"
    have = [str(each) for (each,) in db.execute(f'SELECT DISTINCT "{target}" FROM "{parent}" ORDER BY 1')]
    return f"have {list_names(have, str(wanted), _SHOWN_MAX)}"
