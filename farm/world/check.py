"""Proves of a world's rows what a reader takes for granted: references hold, people are the same everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from farm.context.template import World, build, load_world, moved_rows
from farm.errors import FarmError
from farm.kernel import Row
from farm.world.generate import generate, generator, schema
from farm.world.spec import Spec, WorldError
from farm.world.text import find_literal_date, resolve


@dataclass(frozen=True)
class Report:
    """What a check found: app → table → number of rows. That it was returned says that nothing was wrong."""

    counts: Mapping[str, Mapping[str, int]]

    def __str__(self) -> str:
        lines = [f"{app}: " + ", ".join(f"{n} {t}" for t, n in tables.items()) for app, tables in self.counts.items()]
        return "\n".join(lines)


def check(world: str) -> Report:
    """Generate a world and check it.

    Raises:
        WorldError: the first thing that is wrong, in one line.
    """
    spec, made = Spec.load(world), generate(world)
    for app, rows in made.items():
        check_rows(app, rows, load_world(world))
        check_texts(app, rows)
    check_people(spec, made)
    return Report({app: Counter(row["table"] for row in rows) for app, rows in made.items()})


def check_rows(app: str, rows: list[Row], world: World) -> None:
    """Build the start as an episode would get it, foreign keys on, and read back every JSON column."""
    tree = schema(app)
    json_columns = {table.name: [c.name for c in table.columns if c.info.get("json")] for table in tree.tables}
    rendered = list(moved_rows(tree, rows, world, 0))
    try:
        build(tree, rendered)
    except FarmError as problem:
        raise WorldError(f"{app}: {problem}") from problem
    for row in rendered:
        for name in json_columns[row["table"]]:
            try:
                orjson.loads(row.get(name) or "null")
            except orjson.JSONDecodeError as problem:
                raise WorldError(f"{app}: {row['table']}.{name} is no JSON: {row[name][:80]} ({problem})") from problem


def check_texts(app: str, rows: list[Row]) -> None:
    """Look for dates that would not move with the world and for references that nothing resolved."""
    times = schema(app).times
    for row in rows:
        for name, value in row.items():
            if not isinstance(value, str) or name in times.get(row["table"], {}):
                continue
            where = f"{app}: {row['table']}.{name}"
            if find_literal_date(value):
                raise WorldError(f"{where}: the date '{find_literal_date(value)}' is written out in '{value[:80]}'")
            try:
                resolve(value, {})
            except ValueError as problem:
                raise WorldError(f"{where}: {problem}") from problem


def check_people(spec: Spec, made: Mapping[str, list[Row]]) -> None:
    """Compare every account with world.toml, and look for accounts that are missing."""
    for app, rows in made.items():
        known = generator(app).identities(rows)
        for person in spec.members(app):
            if person.key not in known:
                raise WorldError(f"{app}: '{person.key}' should have an account (apps in world.toml) and has none")
        for key, shown in known.items():
            person = spec.person(key, f"{app}: account")
            allowed = {
                "name": {person.name_zh, person.name_en, person.rednote},
                "email": {person.email},
                "title": {person.title_en, person.title_zh},
            }
            for what, value in shown.items():
                if value not in allowed[what]:
                    raise WorldError(f"{app}: the {what} of '{key}' is '{value}', and world.toml says {allowed[what]}")
