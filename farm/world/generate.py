"""Makes the rows of a world and writes them as ``<app>.jsonl``. What an app stores: ``contexts/<app>/generate.py``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import orjson

from farm.context.schema import Schema
from farm.kernel import Row
from farm.world.generators import generator, schema
from farm.world.read import WorldError
from farm.world.spec import Spec


def generate(world: str) -> dict[str, list[Row]]:
    """Return app → its rows, parents before children, the same for the same specification.

    Raises:
        NotFound: there is no such world.
        WorldError: the specification has a mistake; the message is one line with its place.
    """
    return rows_of(Spec.load(world))


def rows_of(spec: Spec) -> dict[str, list[Row]]:
    """Return app → its rows, of every app that has a part in the specification."""
    return {app: ordered(schema(app), generator(app).rows(part)) for app, part in spec.apps.items()}


def ordered(tree: Schema, rows: Iterable[Row]) -> list[Row]:
    """Return the rows table by table, owners first; within a table they stay as they came."""
    by_table: dict[str, list[Row]] = {name: [] for name in tree.shapes}
    for row in rows:
        if row["table"] not in by_table:
            raise WorldError(f"no table '{row['table']}'; have {', '.join(by_table)}")
        by_table[row["table"]].append(row)
    return [row for each in by_table.values() for row in each]


def as_lines(rows: Iterable[Row]) -> bytes:
    """Return the rows as the bytes of a ``.jsonl`` file."""
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def write(world: str) -> dict[str, Path]:
    """Generate a world and write the files that change, each beside the ``spec/`` it is made from; return app → file.

    Whoever adds an app from a content folder of their own writes nothing into the folder of the world.
    """
    spec = Spec.load(world)
    written = {}
    for app, rows in rows_of(spec).items():
        path, lines = spec.app(app).folder.parents[1] / f"{app}.jsonl", as_lines(rows)
        if not path.is_file() or path.read_bytes() != lines:
            path.write_bytes(lines)
            written[app] = path
    return written
