"""Check what readers of a world's rows rely on: references hold, and people are the same in every app."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import TypeVar

import orjson

from farm.appkit.handler_api import Row
from farm.appkit.world_spec.app_spec import ACCOUNTS, AppSpec
from farm.appkit.world_spec.links import ScheduledRow
from farm.appkit.world_spec.problems import Problems, collecting, report
from farm.appkit.world_spec.realism import Measured, measure
from farm.appkit.world_spec.spec_file import LIFE, PROMPTS
from farm.appkit.world_spec.text import find_literal_date, resolve
from farm.appkit.world_spec.toml_reader import WorldError, require
from farm.appkit.world_spec.voices import out_of_voice
from farm.content import load_app
from farm.context.template import World, build, load_world, shift_rows
from farm.context.world_people import check_rules
from farm.errors import FarmError
from farm.world.facts import FactReport, check_facts
from farm.world.generate import SCHEDULED, ordered, rows_of_app, scheduled_rows_of
from farm.world.generators import generator, schema
from farm.world.spec import Spec

_DAY = timedelta(hours=24)
_RUNS_MAX = 40  # of a generator, each without the messages that it refused before
T = TypeVar("T")


@dataclass(frozen=True)
class Report:
    """The result of a successful check: the world can be generated.

    Attributes:
        counts: app → table → number of rows.
        measures: app → its measures of realism.
        scheduled: app → a summary of its scheduled rows in the week after the start.
        facts: what its texts tell of its ledger.
        findings: what should be changed, one line each.
        unmeasured: the apps whose messages could be measured, and have no life.toml.
    """

    counts: Mapping[str, Mapping[str, int]]
    measures: Mapping[str, list[Measured]]
    scheduled: Mapping[str, str]
    facts: FactReport
    findings: list[str]
    unmeasured: frozenset[str] = frozenset()

    def __str__(self) -> str:
        lines = []
        for app, tables in self.counts.items():
            lines.append(f"{app}: " + ", ".join(f"{table} {number}" for table, number in tables.items()))
            lines += map(str, self.measures.get(app, ()))
            lines += [f"  {'life':<24}not measured: no spec/{app}/life.toml"] if app in self.unmeasured else []
            lines.append(f"  {'scheduled':<24}{self.scheduled[app]}")
        return "\n".join([*lines, str(self.facts)])


def check(world: str) -> Report:
    """Generate a world, check it and measure it.

    Raises:
        WorldError: all errors of world.toml, of the facts and of every app that prevent the world's generation, and
            what else can be found beside them, one line each.
    """
    with collecting() as problems:
        with problems.added():
            result = _report(world, problems)
        if not problems.lines:
            return result
    raise WorldError("\n".join(problems.lines))


def _report(world: str, problems: Problems) -> Report:
    spec = Spec.load(world)
    for read in (spec.check_people, lambda: spec.voices, lambda: spec.links):
        with problems.added():
            read()
    findings: list[str] = []
    made = dict[str, list[Row]]()
    measures, summaries = dict[str, list[Measured]](), dict[str, str]()
    for app, part in spec.apps.items():
        before = len(problems.lines)
        read_files(part, problems)
        rows = generated(rows_of_app, part, problems)
        scheduled = generated(scheduled_rows_of, part, problems)
        with problems.added():
            check_prompts(spec, app)
        if rows is None or scheduled is None or len(problems.lines) > before:
            continue
        made[app] = rows
        with problems.added():
            check_rows(app, rows, load_world(world))
            check_scheduled_rows(app, rows, scheduled, load_world(world))
        check_texts(app, [*rows, *(each.row for each in scheduled)])
        check_accounts(part, rows)
        with problems.added():
            measures[app] = check_life(part, rows, findings)
        summaries[app] = check_scheduled(part, scheduled, findings)
    counts = {app: Counter(row["table"] for row in rows) for app, rows in made.items()}
    if made.keys() == spec.apps.keys():  # otherwise, what is wrong with an app is said again of its rules
        findings += check_rules(load_world(world), {app: _holders(app, rows) for app, rows in made.items()})
    facts = check_facts(spec, made if not problems.lines else None, is_whole=not problems.unread)
    if problems.lines:
        raise WorldError("\n".join([*findings, *facts.findings]))
    unmeasured = frozenset(app for app, part in spec.apps.items() if _lacks_life(part))
    return Report(counts, measures, summaries, facts, [*findings, *facts.findings], unmeasured)


def _holders(app: str, rows: Iterable[Row]) -> frozenset[str]:
    """Return the people who have an account in an app."""
    account = schema(app).account
    return frozenset(row["person"] for row in rows if account and row["table"] == account[0] and row.get("person"))


def read_files(part: AppSpec, problems: Problems) -> None:
    """Report what is wrong with an app's declared files, also where its generator stops before it reads them."""
    for file in part.files:
        for path in sorted(part.folder.glob(file.path)):
            relative = path.relative_to(part.folder).as_posix()
            if path.suffix == ".toml" and part.declaration_of(relative) is file:
                with problems.added():
                    part.read(file, relative)
            elif path.suffix == ".md" and file.entries:
                with problems.added():
                    part.pages(file)
                break


def generated(make: Callable[[AppSpec], list[T]], part: AppSpec, problems: Problems) -> list[T] | None:
    """Return what an app's generator makes, or None after all of its errors are reported.

    A message or entry that the generator refuses is left out, and the generator runs again.
    """
    for _ in range(_RUNS_MAX):
        try:
            return make(part)
        except FarmError as problem:
            problems.add(problem)
            if not part.pass_over(problem):
                return None
        except (LookupError, ValueError, TypeError, AttributeError):
            if not problems.lines:
                raise
            # A stand-in is in the place of what was reported last.
            if not part.pass_over(FarmError(problems.lines[-1])):
                return None
    return None


def _lacks_life(part: AppSpec) -> bool:
    return hasattr(generator(part.app), "said") and not (part.folder / LIFE.path).is_file()


def check_life(spec: AppSpec, rows: list[Row], findings: list[str]) -> list[Measured]:
    """Measure the texts of an app against its ``life.toml``, and each voice if the ranges are binding."""
    where = spec.where(LIFE.path)
    if not (spec.folder / LIFE.path).is_file():
        return []
    ranges = spec.read(LIFE)
    made = generator(spec.app)
    said = list(made.said(rows)) if hasattr(made, "said") else []
    if not said and ranges["binding"]:
        raise WorldError(f"{where}: the generator of {spec.app} has no said(), or nothing is said; nothing is measured")
    if not said:
        return []
    measured = measure(spec.app, said, ranges, where)
    if ranges["binding"]:
        findings += [f"{where}: {each}" for each in map(_describe_outlier, measured) if each]
        findings += [f"{spec.app}: {each}" for each in out_of_voice(spec.world.voices.values(), said)]
    return measured


def _describe_outlier(measured: Measured) -> str:
    if not measured.is_out:
        return ""
    name = f"{measured.measure} ({measured.language})" if measured.language else measured.measure
    wanted = f"{measured.low * 100:g} to {measured.high * 100:g}%"
    return f"{name} is {measured.share:.1%}, and should be {wanted}"


def check_scheduled(spec: AppSpec, scheduled: list[ScheduledRow], findings: list[str]) -> str:
    """Report any 24 hours of the week after the start without a scheduled row, for an app that has scheduled rows."""
    if not scheduled:
        return f"nothing comes after the start (no spec/{spec.app}/{SCHEDULED}/)"
    times = sorted([spec.world.starts_at, *(each.at for each in scheduled), spec.world.week_ends_at])
    longest, until = max((after - before, after) for before, after in pairwise(times))
    summary = f"{len(scheduled)} rows; the longest silence is {longest.total_seconds() / 3600:.1f} h"
    if longest > _DAY:
        ends = f"{until:%a %H:%M}"
        findings.append(
            f"spec/{spec.app}/{SCHEDULED}/: nothing comes for {longest.total_seconds() / 3600:.0f} h up to {ends}"
        )
    return summary


def check_scheduled_rows(app: str, rows: list[Row], scheduled: list[ScheduledRow], world: World) -> None:
    """Insert all scheduled rows, as a live clock would."""
    tree = schema(app)
    searched = next((each.row["table"] for each in scheduled if each.row["table"] in tree.searched), None)
    if searched is not None:
        raise WorldError(f"{app}: rows of '{searched}' cannot be scheduled; it is searched, and its index is made once")
    if scheduled:
        check_rows(app, ordered(tree, [*rows, *(each.row for each in scheduled)]), world)


def check_rows(app: str, rows: list[Row], world: World) -> None:
    """Build the start as an episode would get it, with foreign keys enforced, and parse every JSON column."""
    tree = schema(app)
    json_columns = {table.name: [c.name for c in table.columns if c.info.get("json")] for table in tree.tables}
    rendered = list(shift_rows(tree, rows, world, 0))
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
    """Reject dates that would not move with the world, and unresolved references."""
    times = schema(app).times
    for row in rows:
        for name, value in row.items():
            if not isinstance(value, str) or name in times.get(row["table"], {}):
                continue
            where = f"{app}: {row['table']}.{name}"
            if date := find_literal_date(value):
                report(WorldError(f"{where}: the date '{date}' is written out in '{value[:80]}'"))
            try:
                resolve(value, {})
            except ValueError as problem:
                report(WorldError(f"{where}: {problem}"), problem)


def check_accounts(spec: AppSpec, rows: list[Row]) -> None:
    """Compare an app's account rows with the specification."""
    where = spec.where(ACCOUNTS)
    shown = generator(spec.app).identities(rows)
    for missing in (key for key in spec.members if key not in shown):
        report(WorldError(f"{where}: '{missing}' should have an account, and the generator made none"))
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
                problem = f"the {what} of '{key}' is {said or 'none'}, and the rows say '{value}'"
                report(WorldError(f"{where}: {problem}"))


def check_prompts(world: Spec, app: str) -> None:
    """Reject prompts that name an app outside the world or contain dates that would not move."""
    spec = world.app(app)
    for number, each in enumerate(spec.read(PROMPTS)["prompts"], start=1):
        where = f"{spec.where(PROMPTS.path)}: prompt {number}"
        for other in each.get("with", ()):
            require("app", other, world.apps, where)
        if "me" in each:
            world.person(each["me"], where)
        have = {tool["name"]: tool for name in (app, *each.get("with", ())) for tool in load_app(name).tool_schemas}
        for tool in each.get("tools", ()):
            require("tool", tool, have, where)
        spec.text(each["text"], {}, where)
