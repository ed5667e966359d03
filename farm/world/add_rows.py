"""Add rows of a real export to a world, after a redactor has replaced its private values."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from farm.appkit.handler_api import Row
from farm.appkit.schema import Schema
from farm.appkit.world_spec.toml_reader import WorldError
from farm.context.template import load_world
from farm.world.authentic import row_problems, world_value, write_authentic
from farm.world.check import check_rows
from farm.world.generate import ordered, rows_of_app
from farm.world.generators import schema
from farm.world.privacy import PrivacyReader, is_running_text
from farm.world.spec import Spec

_NAMES = re.compile(
    r"(?:real|display|first|last|full|given|family|sender|author|user)_?name|nickname|nick|name_(?:en|zh)"
)
# The name before a mail address: "Gerd Hohlbein <gerd@…>".
_OF_ADDRESS = re.compile(r"([^\W\d_][^<>@,;\"\n]{1,60}?)\\?\"? <[^<>@\s]+@[^<>@\s]+>")
# A table of people has one of these columns beside "name".
_OF_PEOPLE = ("email", "phone", "person", "real_name", "address", "handle")
_PHONE = "phone number"
_NAME_MIN = 2
_SIGNIFICANT = 9  # digits of a phone number that stay the same with and without a country's code


@dataclass(frozen=True)
class PrivateRows:
    """Rows of an export, and what is known of them before a redactor reads them.

    Attributes:
        rows: with numbers that nobody has in the place of phone numbers.
        names: the names of their people.
        numbers: phone number → what stands for it, equal for all notations of one number.
    """

    rows: list[Row]
    names: Collection[str]
    numbers: Mapping[str, str]


def add_rows(
    spec: Spec,
    app: str,
    rows: list[Row],
    name: str,
    *,
    origin: str,
    licence: str,
    redact: Callable[[PrivateRows], list[Row]],
) -> Path:
    """Write the rows of an export into a world and return their file.

    Args:
        spec: the world.
        app: the app.
        rows: the rows of an export.
        name: the export's name, which the file gets.
        origin: where the rows come from.
        licence: under which licence.
        redact: replaces private values by stand-ins, the names of people among them.

    Raises:
        WorldError: everything that is wrong with the rows, one line each; nothing is written.
    """
    part, tree, reader = spec.app(app), schema(app), PrivacyReader(spec)
    numbers = _numbers(spec, reader, rows)
    private = PrivateRows([_with(row, numbers) for row in rows], _names(tree, reader, rows), numbers)
    clean, left = _sanitised(spec, app, redact(private), rows)
    others = rows_of_app(part)
    problems = [*row_problems(tree, clean, others, spec.starts_at), *left]
    if problems:
        raise WorldError("\n".join(problems))
    check_rows(app, ordered(tree, [*others, *clean]), load_world(spec.name))
    return write_authentic(part.folder, name, clean, origin=origin, licence=licence)


def _names(tree: Schema, reader: PrivacyReader, rows: Sequence[Row]) -> list[str]:
    """Return what people are called in the rows, and nobody of the world is."""
    found: dict[str, None] = {}
    for row in rows:
        columns = tree.shapes[row["table"]].columns if row.get("table") in tree.shapes else ()
        is_of_people = any(each in columns for each in _OF_PEOPLE)
        for column, value in row.items():
            is_name = _NAMES.fullmatch(column) or (column == "name" and is_of_people)
            said = [] if not isinstance(value, str) else [value] if is_name else _OF_ADDRESS.findall(value)
            for name in map(str.strip, said):
                if len(name) >= _NAME_MIN and not reader.has_name(name):
                    found.setdefault(name)
    return [*found]


def _numbers(spec: Spec, reader: PrivacyReader, rows: Sequence[Row]) -> dict[str, str]:
    """Return phone number → one that nobody has, equal for ``+49 176 1234567`` and ``01761234567``."""
    found: dict[str, str] = {}
    for row in rows:
        for column, value in row.items():
            for kind, number in reader.find(value, is_running=False) if isinstance(value, str) else ():
                if kind == _PHONE and column != "table":
                    significant = re.sub(r"\D", "", number)[-_SIGNIFICANT:]
                    found[number] = world_value(_PHONE, significant, spec.own_values.phones, str(spec.seed)) or ""
    return found


def _with(row: Row, numbers: Mapping[str, str]) -> Row:
    """Return a row with other phone numbers, the longest first."""
    made = dict(row)
    for column, value in row.items():
        if column != "table" and isinstance(value, str):
            for number in sorted(numbers, key=len, reverse=True):
                value = value.replace(number, numbers[number])
            made[column] = value
    return made


def _sanitised(spec: Spec, app: str, rows: Sequence[Row], before: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Return the rows with numbers and addresses that nobody has, and what is still private, one line each.

    Args:
        spec: the world.
        app: the app.
        rows: the rows after a redactor.
        before: the rows of the export: what they do not have is a stand-in, and may look private.
    """
    reader, done, left = PrivacyReader(spec), list[Row](), list[str]()
    export = "\n".join(value for row in before for value in row.values() if isinstance(value, str))
    for number, row in enumerate(rows, start=1):
        clean = dict(row)
        for column, value in row.items():
            if column == "table" or not isinstance(value, str):
                continue
            for kind, found in reader.find(value, is_running=is_running_text(app, str(row.get("table")), column)):
                stand_in = world_value(kind, found, spec.own_values.phones, str(spec.seed))
                if stand_in is not None:
                    clean[column] = clean[column].replace(found, stand_in)
                elif found in export:
                    place = f"row {number}: {row.get('table')}.{column}"
                    left.append(f"{place}: '{found}' looks like a {kind}; list it in the file that --private names")
        done.append(clean)
    return done, left
