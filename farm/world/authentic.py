"""Rows of real exports in a world: sanitised, checked by the schema, and kept with their origin and licence.

``spec/<app>/authentic/*.jsonl`` has one row a line: ``{"origin": …, "licence": …, "row": {"table": …, …}}``.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import INTEGER, REAL, Column

from farm._util.json_io import loads
from farm._util.names import list_names
from farm.appkit.handler_api import Row
from farm.appkit.schema import Schema
from farm.appkit.world_spec.own_values import FICTION
from farm.appkit.world_spec.text import find_literal_date
from farm.appkit.world_spec.toml_reader import WorldError
from farm.errors import FarmError

FOLDER = "authentic"
_PER_SECOND = {"ms": 1_000, "ms_text": 1_000, "us": 1_000_000}
# Columns of when something was made or changed.
_MADE = re.compile(r"(?:^|_)(?:created|made|sent|posted|updated|edited|modified|date)(?:_|$)")
_KEYS = {"origin", "licence", "row"}


def authentic_rows(part: Path, app: str) -> list[Row]:
    """Return the authentic rows of an app's part of a world; raises ``WorldError`` as ``read_authentic``."""
    return [line["row"] for line in read_authentic(part, app)]


def read_authentic(part: Path, app: str) -> list[dict[str, Any]]:
    """Return the lines of an app's authentic rows: ``origin``, ``licence`` and ``row``.

    Args:
        part: ``spec/<app>``.
        app: the app, for messages.

    Raises:
        WorldError: a line has another form, or no origin and licence.
    """
    return [line for path in sorted((part / FOLDER).glob("*.jsonl")) for line in _lines(path, app)]


def _lines(path: Path, app: str) -> Iterator[dict[str, Any]]:
    for number, text in enumerate(path.read_bytes().splitlines(), start=1):
        where = f"{app}/{FOLDER}/{path.name}:{number}"
        try:
            line = orjson.loads(text)
        except orjson.JSONDecodeError as problem:
            raise WorldError(f"{where}: is no JSON ({problem})") from None
        if not isinstance(line, dict) or line.keys() != _KEYS or not (line["origin"] and line["licence"]):
            raise WorldError(f"{where}: has the keys origin, licence and row, and the first two say something")
        yield line


def write_authentic(part: Path, name: str, rows: Iterable[Row], *, origin: str, licence: str) -> Path:
    """Write rows with their origin and licence, and return the file.

    Raises:
        FarmError: the file exists.
    """
    path = part / FOLDER / f"{name}.jsonl"
    if path.exists():
        raise FarmError(f"{path} exists; rename the export, or remove the file")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(orjson.dumps({"origin": origin, "licence": licence, "row": row}) + b"\n" for row in rows))
    return path


def read_export(path: Path) -> list[Row]:
    """Return the rows of an export; raises ``FarmError`` if the file cannot be read, is no JSON or has no rows."""
    try:
        return rows_in(loads(path.read_bytes()))
    except OSError as problem:
        raise FarmError(f"{path} cannot be read ({problem.strerror})") from None
    except orjson.JSONDecodeError as problem:
        raise FarmError(f"{path} is no JSON: {problem}") from None


def rows_in(export: Any) -> list[Row]:
    """Return the rows of an export: a list of rows with ``table``, or table → its rows.

    Raises:
        FarmError: it has another form.
    """
    if isinstance(export, dict) and all(isinstance(each, list) for each in export.values()):
        export = [{"table": name, **row} for name, rows in export.items() for row in rows if isinstance(row, dict)]
    if not isinstance(export, list) or not export or not all(isinstance(row, dict) for row in export):
        raise FarmError('an export is a list of rows, each with "table", or an object of table → list of rows')
    return export


def row_problems(schema: Schema, rows: Sequence[Row], others: Iterable[Row], starts_at: datetime) -> Iterator[str]:
    """Yield what is wrong with rows, one line each.

    Args:
        schema: the app's schema.
        rows: the new rows.
        others: the rows that the world has.
        starts_at: when the world's clock starts; nothing has been made later.
    """
    known = {str(table.name): table for table in schema.tables}
    good: list[tuple[int, Row]] = []
    for number, row in enumerate(rows, start=1):
        problems = [*_shape_problems(known, row)]
        problems += () if problems else _late_problems(schema, row, starts_at)
        yield from (f"row {number}: {problem}" for problem in problems)
        if not problems:
            good.append((number, row))
    every = [*others, *(row for _, row in good)]
    yield from _key_problems(schema, good, every)


def _shape_problems(known: Mapping[str, Any], row: Row) -> Iterator[str]:
    table = str(row.get("table"))
    if table not in known:
        yield f"no table '{table}'; have {list_names(known, table)}"
        return
    columns: dict[str, Column[Any]] = {str(each.name): each for each in known[table].columns}
    for name, value in row.items():
        if name == "table":
            continue
        if name not in columns:
            yield f"{table} has no column '{name}'; have {list_names(columns, name)}"
        else:
            yield from (f"{table}.{name} {problem}" for problem in _value_problems(columns[name], value))
    for name, column in columns.items():
        if name not in row and not column.nullable and column.server_default is None:
            yield f"{table} needs '{name}'"


def _late_problems(schema: Schema, row: Row, starts_at: datetime) -> Iterator[str]:
    """Yield times of a key or of making after the start of the clock; deadlines and events may be later."""
    shape = schema.shapes[row["table"]]
    for name, form in schema.times.get(row["table"], {}).items():
        is_of_making = name in shape.key or _MADE.search(name) is not None
        if is_of_making and (at := _time(row.get(name), form)) is not None and at >= starts_at:
            yield f"{row['table']}.{name} is {row[name]}, which is after the world's start ({starts_at:%Y-%m-%d %H:%M})"


def _time(value: Any, form: str) -> datetime | None:
    """Return a time in one of the schema's forms; None for an absent one, and for a day."""
    if value in (None, "", 0, "0") or form == "date":
        return None
    try:
        if form == "rfc3339":
            found = datetime.fromisoformat(value)
            return found if found.tzinfo else found.replace(tzinfo=UTC)
        return datetime.fromtimestamp(float(value) / _PER_SECOND.get(form, 1), UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _value_problems(column: Column[Any], value: Any) -> Iterator[str]:
    if value is None:
        if not column.nullable:
            yield "is null, and must not be"
        return
    wanted: tuple[type, ...] = (str,)
    if isinstance(column.type, INTEGER):
        wanted = (int,)
    elif isinstance(column.type, REAL):
        wanted = (int, float)
    if not isinstance(value, wanted) or isinstance(value, bool):
        yield f"must be {'a number' if str not in wanted else 'a text'}, not {str(value)[:40]!r}"
    elif isinstance(value, str):
        yield from _text_problems(column, value)


def _text_problems(column: Column[Any], value: str) -> Iterator[str]:
    if column.info.get("json") and not _is_json(value):
        yield f"is no JSON: {value[:40]}"
    elif not column.info.get("time") and (date := find_literal_date(value)):
        yield f"has the date '{date}' in its text, which does not move with the world; write {{{{date:+3 zh}}}}"


def _is_json(text: str) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def _key_problems(schema: Schema, rows: Sequence[tuple[int, Row]], every: Sequence[Row]) -> Iterator[str]:
    """Yield keys that two rows have, and references to rows that are not there."""
    keys = Counter((row["table"], _values(row, schema.shapes[row["table"]].key)) for row in every)
    for number, row in rows:
        table = row["table"]
        key = _values(row, schema.shapes[table].key)
        if keys[table, key] > 1:
            yield f"row {number}: {table} has another row with the key {', '.join(map(str, key))}"
    for table in schema.tables:
        for owned in table.foreign_key_constraints:
            names = [str(each.parent.name) for each in owned.elements]
            columns = [str(each.column.name) for each in owned.elements]
            target = str(owned.referred_table.name)
            have = {_values(row, columns) for row in every if row["table"] == target}
            for number, row in rows:
                value = _values(row, names)
                if row["table"] == str(table.name) and None not in value and value not in have:
                    written = ", ".join(f"{name} {part}" for name, part in zip(names, value, strict=True))
                    yield f"row {number}: {table.name} refers to {target} that are not there: {written}"


def _values(row: Row, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in names)


def world_value(kind: str, value: str, blocks: Sequence[str], salt: str) -> str | None:
    """Return a stand-in that no real person has, for a phone number or mail address; None for other kinds.

    Args:
        kind: what the value looks like.
        value: the value, which may be a stand-in itself.
        blocks: the world's blocks of phone numbers.
        salt: makes other stand-ins in another world.
    """
    digest = hashlib.blake2b(f"{salt}:{value}".encode(), digest_size=16).hexdigest()
    if kind == "mail address":
        # The redactor has replaced a plain address; of a spelt-out one, nothing is kept.
        local = value.partition("@")[0] if "@" in value else f"u{digest[:8]}"
        return f"{local}@mail.example"
    if kind == "phone number":
        digits = iter(str(int(digest, 16)))
        return "".join(next(digits) if letter == "x" else letter for letter in (*blocks, *FICTION)[0])
    return None
