"""Add rows of a real export to a world, after a redactor has replaced its private values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from farm.appkit.handler_api import Row
from farm.appkit.world_spec.toml_reader import WorldError
from farm.context.template import load_world
from farm.world.authentic import row_problems, world_value, write_authentic
from farm.world.check import check_rows
from farm.world.generate import ordered, rows_of_app
from farm.world.generators import schema
from farm.world.privacy import PrivacyReader, is_running_text
from farm.world.spec import Spec


def add_rows(
    spec: Spec,
    app: str,
    rows: list[Row],
    name: str,
    *,
    origin: str,
    licence: str,
    redact: Callable[[list[Row]], list[Row]],
) -> Path:
    """Write the rows of an export into a world and return their file.

    Args:
        spec: the world.
        app: the app.
        rows: the rows of an export.
        name: the export's name, which the file gets.
        origin: where the rows come from.
        licence: under which licence.
        redact: replaces private values by stand-ins.

    Raises:
        WorldError: everything that is wrong with the rows, one line each; nothing is written.
    """
    part, tree = spec.app(app), schema(app)
    clean, left = _sanitised(spec, app, redact(rows))
    others = rows_of_app(part)
    problems = [*row_problems(tree, clean, others), *left]
    if problems:
        raise WorldError("\n".join(problems))
    check_rows(app, ordered(tree, [*others, *clean]), load_world(spec.name))
    return write_authentic(part.folder, name, clean, origin=origin, licence=licence)


def _sanitised(spec: Spec, app: str, rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Return the rows with numbers and addresses that nobody has, and what is still private, one line each."""
    reader, done, left = PrivacyReader(spec), list[Row](), list[str]()
    for number, row in enumerate(rows, start=1):
        clean = dict(row)
        for column, value in row.items():
            if column == "table" or not isinstance(value, str):
                continue
            for kind, found in reader.find(value, is_running=is_running_text(app, str(row.get("table")), column)):
                stand_in = world_value(kind, found, spec.own_values.phones, str(spec.seed))
                if stand_in is None:
                    place = f"row {number}: {row.get('table')}.{column}"
                    left.append(f"{place}: '{found}' looks like a {kind}; list it in the file that --private names")
                else:
                    clean[column] = clean[column].replace(found, stand_in)
        done.append(clean)
    return done, left
