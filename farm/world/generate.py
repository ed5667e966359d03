"""Generate the rows of a world by each app's ``contexts/<app>/generate.py`` and write them as ``<app>.jsonl``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import orjson

from farm._util.renamed_words import called
from farm.appkit.handler_api import Row
from farm.appkit.schema import Schema
from farm.appkit.world_spec.app_spec import AppSpec
from farm.appkit.world_spec.links import ScheduledRow
from farm.appkit.world_spec.toml_reader import WorldError
from farm.world.authentic import authentic_rows
from farm.world.generators import generator, schema
from farm.world.spec import Spec

SCHEDULED = "scheduled"
_FORMER = "later"


def generate(world: str) -> dict[str, list[Row]]:
    """Return app → its rows, parents before children; the same specification always gives the same rows.

    Raises:
        NotFoundError: there is no such world.
        WorldError: the specification has a mistake; the message is one line with its place.
    """
    return rows_of(Spec.load(world))


def rows_of(spec: Spec) -> dict[str, list[Row]]:
    """Return app → its rows, for every app with a part in the specification."""
    return {app: rows_of_app(part) for app, part in spec.apps.items()}


def rows_of_app(part: AppSpec) -> list[Row]:
    """Return the rows of an app: those that its generator makes, and authentic ones."""
    made = [*generator(part.app).rows(part), *authentic_rows(part.folder, part.app)]
    return ordered(schema(part.app), made)


def scheduled_rows_of(spec: AppSpec) -> list[ScheduledRow]:
    """Return the rows scheduled for an app in the week after the start, by time; most apps have none."""
    made = generator(spec.app)
    if hasattr(made, _FORMER) and not hasattr(made, SCHEDULED):
        raise WorldError(f"{made.__file__}: no generator has a function '{_FORMER}'{called(_FORMER, SCHEDULED)}")
    return sorted(made.scheduled(spec), key=lambda each: each.at) if hasattr(made, SCHEDULED) else []


def ordered(tree: Schema, rows: Iterable[Row]) -> list[Row]:
    """Return the rows table by table, owners first; the order within a table is kept."""
    by_table: dict[str, list[Row]] = {name: [] for name in tree.shapes}
    for row in rows:
        if row["table"] not in by_table:
            raise WorldError(f"no table '{row['table']}'; have {', '.join(by_table)}")
        by_table[row["table"]].append(row)
    return [row for each in by_table.values() for row in each]


def as_lines(rows: Iterable[Row]) -> bytes:
    """Return the rows as the bytes of a ``.jsonl`` file."""
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def as_scheduled_lines(scheduled: Iterable[ScheduledRow]) -> bytes:
    """Return the scheduled rows as the bytes of a ``.jsonl`` file, each row with its second."""
    return as_lines({**each.row, "due_at_s": int(each.at.timestamp())} for each in scheduled)


def write(world: str) -> dict[str, Path]:
    """Generate a world and write the changed files, each beside the ``spec/`` it is made from; return name → file.

    An app from another content folder writes nothing into the world's own folder.
    """
    return write_rows(Spec.load(world))


def write_rows(spec: Spec) -> dict[str, Path]:
    """Generate a loaded world's rows and write the changed files; return name → file, as ``write``."""
    written = {}
    for app, rows in rows_of(spec).items():
        folder, scheduled = spec.app(app).folder.parents[1], scheduled_rows_of(spec.app(app))
        if _changed(folder / f"{app}.jsonl", as_lines(rows)):
            written[app] = folder / f"{app}.jsonl"
        path = folder / SCHEDULED / f"{app}.jsonl"
        if (scheduled or path.is_file()) and _changed(path, as_scheduled_lines(scheduled)):
            written[f"{SCHEDULED}/{app}"] = path
    return written


def _changed(path: Path, lines: bytes) -> bool:
    """Write a file unless its content is the same; return whether it was written."""
    if path.is_file() and path.read_bytes() == lines:
        return False
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(lines)
    return True
