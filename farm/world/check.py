"""Proves of a world's rows what a reader takes for granted: references hold, people are the same everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from farm.context.template import World, build, load_world, moved_rows
from farm.errors import FarmError
from farm.kernel import Row
from farm.world.app_spec import ACCOUNTS, PROMPTS, AppSpec
from farm.world.generate import rows_of
from farm.world.generators import generator, schema
from farm.world.read import WorldError, require
from farm.world.spec import Spec
from farm.world.text import find_literal_date, resolve


@dataclass(frozen=True)
class Report:
    """What a check found: app → table → number of rows. That it was returned says that nothing was wrong."""

    counts: Mapping[str, Mapping[str, int]]

    def __str__(self) -> str:
        lines = [f"{app}: " + ", ".join(f"{t} {n}" for t, n in tables.items()) for app, tables in self.counts.items()]
        return "\n".join(lines)


def check(world: str) -> Report:
    """Generate a world and check it.

    Raises:
        WorldError: the first thing that is wrong, in one line.
    """
    spec = Spec.load(world)
    spec.check_people()
    made = rows_of(spec)
    for app, rows in made.items():
        check_rows(app, rows, load_world(world))
        check_texts(app, rows)
        check_accounts(spec.app(app), rows)
        check_prompts(spec, app)
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


def check_accounts(spec: AppSpec, rows: list[Row]) -> None:
    """Compare an app's accounts in its rows with what the specification says of them."""
    where = spec.where(ACCOUNTS)
    shown = generator(spec.app).identities(rows)
    missing = next((key for key in spec.members if key not in shown), None)
    if missing is not None:
        raise WorldError(f"{where}: '{missing}' should have an account, and the generator made none")
    for key, found in shown.items():
        account = require("account", key, spec.accounts, where)
        person = account.owner
        allowed = {
            "name": {account.name} if account.name else {person.name_zh, person.name_en},
            "address": {account.address},
            "handle": {account.handle},
            "title": {person.title_en, person.title_zh},
        }
        for what, value in found.items():
            if value not in allowed[what]:
                said = " or ".join(f"'{each}'" for each in sorted(allowed[what] - {""}))
                raise WorldError(f"{where}: the {what} of '{key}' is {said or 'none'}, and the rows say '{value}'")


def check_prompts(world: Spec, app: str) -> None:
    """Look for prompts that name an app the world has not, and for dates in them that would not move."""
    spec = world.app(app)
    if not (spec.folder / PROMPTS).is_file():
        return
    for number, each in enumerate(spec.tables(PROMPTS, prompts="text with?")["prompts"], start=1):
        where = f"{spec.where(PROMPTS)}: prompt {number}"
        for other in each.get("with", ()):
            require("app", other, world.apps, where)
        spec.text(each["text"], {}, where)
