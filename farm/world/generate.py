"""Makes the rows of a world and writes them as ``<app>.jsonl``. What an app stores: ``contexts/<app>/generate.py``.

A generator module has ``rows(spec)``, the rows of the app in an order in which they can be inserted within a table,
and ``identities(rows)``, the accounts of people as (name, mail, role), for the check that they agree over apps.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import orjson

from farm import content
from farm.context.schema import Schema
from farm.kernel import Row
from farm.world.spec import Spec, WorldError


def generators() -> dict[str, str]:
    """Return app → the package of its ``contexts/<app>``, for every app that can be generated."""
    found = {}
    for root in content.roots():
        for path in sorted((root.folder / "contexts").glob("*/generate.py")):
            found[path.parent.name] = f"{root.package}.contexts.{path.parent.name}"
    return found


def generator(app: str) -> ModuleType:
    """Return the module ``contexts/<app>/generate.py``."""
    return importlib.import_module(f"{generators()[app]}.generate")


def schema(app: str) -> Schema:
    """Return the context tree of an app that can be generated."""
    return Schema(importlib.import_module(f"{generators()[app]}.schema").METADATA)


def generate(world: str) -> dict[str, list[Row]]:
    """Return app → its rows, parents before children, the same for the same specification.

    Raises:
        NotFound: there is no such world.
        WorldError: the specification has a mistake; the message is one line with its place.
    """
    spec = Spec.load(world)
    made = {app: ordered(schema(app), generator(app).rows(spec)) for app in sorted(generators())}
    return {app: rows for app, rows in made.items() if rows}


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
    """Generate a world and write its files; return app → file."""
    folder = content.world_dir(world)
    written = {}
    for app, rows in generate(world).items():
        written[app] = folder / f"{app}.jsonl"
        written[app].write_bytes(as_lines(rows))
    return written
