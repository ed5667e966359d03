"""Parses task files. Every problem becomes one line with the file, the key and the allowed values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Integer

from farm import content
from farm.appkit.world_spec.placeholders import render_dates
from farm.benchmark.tasks.check import Checker
from farm.benchmark.tasks.checkpoints import ROW_KINDS, Checkpoint, Search, read_checkpoint
from farm.benchmark.tasks.dependency_order import in_order
from farm.benchmark.tasks.model import (
    Allow,
    Fault,
    KnownSurvivor,
    OracleCall,
    PersonRule,
    RevertedRule,
    StartRow,
    Steps,
    Suite,
    Task,
    Variant,
)
from farm.benchmark.tasks.paths import with_paths
from farm.benchmark.tasks.reader import Reader, TaskError
from farm.benchmark.tasks.toml_schema import key, near, table
from farm.benchmark.tasks.value_syntax import LOOKUP, references_in
from farm.context.added_times import require_times
from farm.context.episode_request import parse_pace, rule_checker, takers_of_user
from farm.context.fault_rules import Calendar, require_fault
from farm.context.template import World, load_world
from farm.context.world_people import rendered, world_rules
from farm.errors import FarmError, NotFoundError

SUITE_FILE = "suite.toml"


@table
class _SuiteFile:
    """The settings that apply to every task of a suite."""

    title: str | None = key("one line for people; the folder's name when left out", default=None)
    allow: tuple[Allow, ...] = key("what may change without being damage in any of its tasks", default=())


@table
class _Step:
    """Calls that count as parallel."""

    calls: tuple[OracleCall, ...] = key("the calls, sent in this order")


def load_task(path: Path, suite: str, *, allow: tuple[Allow, ...] = ()) -> Task:
    """Parse one task file.

    Args:
        path: the file.
        suite: the suite's name.
        allow: ``allow`` lines in addition to the file's own.

    Raises:
        TaskError: with one line for each problem.
    """
    return _TaskReader(path).read(suite, allow)


@table
class _Expectations:
    """The expectations for an episode without a task."""

    checkpoints: tuple[Mapping[str, Any], ...] = key("as in a task", default=())
    allow: tuple[Mapping[str, Any], ...] = key("as in a task", default=())
    lookups: Mapping[str, Mapping[str, Any]] = key("as in a task", default={})
    reverted: RevertedRule = key("as in a task", default="noticed")
    instruction: str = key("what was asked; claims read answers beside it", default="")


def read_expectations(raw: Mapping[str, Any], *, world: str, apps: tuple[str, ...], me: str | None) -> Task:
    """Parse the expectations for an episode into a task without a script.

    Unlike in a task file, any row of a table, and any update of it, may satisfy a checkpoint.

    Raises:
        TaskError: with one line for each problem.
    """
    return _ExpectationsReader(Path("expectations"), raw).expected(world, apps, me)


def load_suite(name: str) -> Suite:
    """Parse every task of a suite; ``title`` and ``allow`` in ``suite.toml`` apply to all of them.

    Raises:
        NotFoundError: the suite does not exist.
        TaskError: with the problems of every file.
    """
    folder = content.suite_dir(name)
    title, allow = read_suite_file(folder / SUITE_FILE)
    tasks, problems = [], []
    for path in sorted(folder.glob("*.toml")):
        if path.name == SUITE_FILE:
            continue
        try:
            tasks.append(load_task(path, name, allow=allow))
        except TaskError as wrong:
            problems += wrong.problems
    if problems:
        raise TaskError(problems)
    return Suite(name, title or name, tuple(tasks))


def read_suite_file(path: Path) -> tuple[str | None, tuple[Allow, ...]]:
    """Return a suite's title and ``allow`` lines, which apply to all tasks; None and empty without a file."""
    if not path.is_file():
        return None, ()
    reader = _FileReader(path)
    allow = reader.allow() if reader.fits(_SuiteFile, reader.raw, "") else {}
    reader.end()
    return reader.raw.get("title"), tuple(allow.values())


class _FileReader(Reader):
    """Reads the tables that tasks and suites share."""

    def allow(self) -> dict[str, Allow]:
        """Return the file's ``allow`` lines, each with its place."""
        lines = {f"allow[{number}]": each for number, each in enumerate(self.raw.get("allow", ()))}
        return {where: self.made(Allow, each) for where, each in lines.items() if self.fits(Allow, each, where)}


class _TaskReader(_FileReader):
    """Reads a task, part by part."""

    def read(self, suite: str, allow: tuple[Allow, ...]) -> Task:
        """Return the task, or raise all of its problems."""
        self.raw = raw = with_paths(self.raw, self.say)
        if self.fits(Task, raw, ""):
            self._check_head()
        self.end()
        self.checker = Checker(raw, self.say, row_kinds=ROW_KINDS)
        points = self._checkpoints()
        own = self.allow()
        for where, each in own.items():
            self.checker.row(each.app, each.table, each.where, f"{where}.where")
        faults, people, rows = tuple(self._faults()), tuple(self._people()), tuple(self._rows())
        self._check_time()
        oracle = self._steps(raw["oracle"], "oracle")
        task = self.made(
            Task,
            raw,
            suite=suite,
            instruction=raw["instruction"].strip(),
            checkpoints=points,
            allow=(*allow, *own.values()),
            faults=faults,
            people=people,
            rows=rows,
            oracle=oracle,
            variants=tuple(self._variants("variants", oracle)),
            near_misses=tuple(self._variants("near_misses", oracle)),
            known_survivors=tuple(self._survivors()),
            raw=self.text.encode(),
        )
        made = sum(map(len, oracle))
        if made > task.calls_max:
            self.say("calls_max", f"the oracle itself makes {made} calls, more than {task.calls_max}")
        if any(point.is_on_answer for point in points) and not task.oracle_answer:
            self.say("oracle_answer", "missing; a task with a search checkpoint has the answer that satisfies it")
        self.end()
        return task

    def _check_head(self) -> None:
        raw = self.raw
        if raw["id"] != self.path.stem:
            self.say("id", f"'{raw['id']}' is not the file's name, '{self.path.stem}'")
        for each in ("checkpoints", "apps"):
            if not raw[each]:
                self.say(each, "a task needs at least one")
        for app in raw["apps"]:
            try:
                content.load_app(app)
            except NotFoundError as missing:
                self.say("apps", str(missing))
        try:
            world = load_world(raw["world"])
        except FarmError as missing:
            self.say("world", str(missing))
            return
        if raw.get("me", world.protagonist) not in world.people:
            self.say("me", f"no person '{raw['me']}' in world '{world.name}'{near(raw['me'], world.people)}")

    # -- checkpoints -----------------------------------------------------------------------------------------------

    def _checkpoints(self) -> tuple[Checkpoint, ...]:
        read = (read_checkpoint(each, f"checkpoints[{n}]", self) for n, each in enumerate(self.raw["checkpoints"]))
        points = tuple(point for point in read if point)
        seen: set[str] = set()
        for point in points:
            if point.id in seen:
                self.say("checkpoints", f"two have the id '{point.id}'")
            seen.add(point.id)
        names = [name for point in points if isinstance(point, Search) for name in point.sheet]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self.say("checkpoints", f"two have the field '{name}' in their sheets")
        try:
            in_order(points)
        except FarmError as circle:
            self.say("checkpoints", str(circle))
        return points

    def _faults(self) -> Iterator[Mapping[str, Any]]:
        """Yield the rules of planned faults, each with its id, as far as they are right."""
        world, taken = load_world(self.raw["world"]), dict[str, list[str]]()
        for number, raw in enumerate(self.raw.get("faults", ())):
            where = f"faults[{number}]"
            if not self.fits(Fault, raw, where):
                continue
            app = raw["app"]
            if app not in self.raw["apps"]:
                self.say(f"{where}.app", f"no app '{app}' in this task; have {', '.join(self.raw['apps'])}")
                continue
            ids = taken.setdefault(app, [])
            try:
                checked = require_fault(content.load_app(app), raw, ids, Calendar.of(world, 0))
            except FarmError as problem:
                self.say(where, str(problem))
                continue
            ids.append(checked["id"])
            yield {**raw, "id": checked["id"]}

    def _check_time(self) -> None:
        """Check how time passes, and who can be asked."""
        try:
            parse_pace(self.raw.get("pace"))
            if (user := self.raw.get("user")) is not None:
                for rows_of in takers_of_user(self.raw["apps"]).values():
                    rows_of(user)
        except FarmError as problem:
            self.say("user" if "user" in str(problem) else "pace", str(problem))

    def _people(self) -> Iterator[Mapping[str, Any]]:
        """Yield the rules of people who answer, each with its id, as far as they are right."""
        if not self.raw.get("people"):
            return
        world = load_world(self.raw["world"])
        own = world_rules(world, 0, self.raw["apps"]) if self.raw.get("world_people") else ()
        checker = rule_checker(world, self.raw["apps"], {}, own)
        for number, raw in enumerate(self.raw["people"]):
            where = f"people[{number}]"
            if not self.fits(PersonRule, raw, where):
                continue
            try:
                checked = checker.add(rendered(_without_outdated(raw), world.monday, world.zone))
            except FarmError as problem:
                self.say(where, str(problem))
            else:
                yield checked

    def _rows(self) -> Iterator[StartRow]:
        """Yield the rows that the start has besides the world's, with days and times, as far as they are right."""
        world = load_world(self.raw["world"])
        for number, raw in enumerate(self.raw.get("rows", ())):
            where = f"rows[{number}]"
            if not self.fits(StartRow, raw, where):
                continue
            app, name = raw["app"], raw["table"]
            if app not in self.raw["apps"]:
                self.say(f"{where}.app", f"no app '{app}' in this task; have {', '.join(self.raw['apps'])}")
                continue
            schema = content.load_app(app).schema
            columns = {each.name: {str(c.name): c for c in each.columns} for each in schema.tables}
            if name not in columns:
                self.say(f"{where}.table", f"no table '{name}' in {app}{near(name, columns)}")
            elif unknown := [column for column in raw["values"] if column not in columns[name]]:
                self.say(
                    f"{where}.values", f"no column '{unknown[0]}' in {app}.{name}{near(unknown[0], columns[name])}"
                )
            else:
                for value in raw["values"].values():
                    if not isinstance(value, str) or LOOKUP.search(value):
                        self.checker.value(value, f"{where}.values", app)
                try:
                    values = {
                        column: _stored(value, columns[name][column], world) for column, value in raw["values"].items()
                    }
                    told = {column: value for column, value in values.items() if not LOOKUP.search(str(value))}
                    require_times(schema, {"table": name, **told})
                except (FarmError, ValueError) as problem:
                    self.say(f"{where}.values", str(problem))
                else:
                    yield StartRow(app, name, values)

    # -- scripts ---------------------------------------------------------------------------------------------------

    def _steps(self, raw: list[Mapping[str, Any]], where: str) -> Steps:
        steps: list[tuple[OracleCall, ...]] = []
        known: set[str] = set()
        for number, step in enumerate(raw):
            if self.fits(_Step, step, f"{where}[{number}]"):
                steps.append(tuple(self._calls(step["calls"], known, f"{where}[{number}].calls")))
                known |= {call.name for call in steps[-1] if call.name}
        return tuple(steps)

    def _calls(self, raw: list[Mapping[str, Any]], known: set[str], where: str) -> Iterator[OracleCall]:
        for number, each in enumerate(raw):
            place = f"{where}[{number}]"
            if not self.fits(OracleCall, each, place):
                continue
            call = self.made(OracleCall, each)
            self.checker.tool(call.app, call.tool, place)
            for name in sorted(set(references_in(call.arguments)) - known):
                self.say(place, f"'{{{name}…}}' names no earlier step's result")
            self.checker.dates(call.arguments, f"{place}.arguments")
            yield call

    def _variants(self, name: str, oracle: Steps) -> Iterator[Variant]:
        names = {call.name: call for step in oracle for call in step if call.name}
        for number, raw in enumerate(self.raw.get(name, ())):
            where = f"{name}[{number}]"
            if not self.fits(Variant, raw, where):
                continue
            for each in (*raw.get("change", ()), *raw.get("drop", ())):
                if each not in names:
                    self.say(where, f"must be one of {', '.join(names)}, not {each!r}")
            for each in sorted(set(references_in(raw.get("change", {}))) - names.keys()):
                self.say(f"{where}.change", f"'{{{each}…}}' names no call's result")
            if raw.keys() == {"why"}:
                self.say(where, "changes nothing; give answer, change, drop or steps")
            steps = self._steps(raw["steps"], f"{where}.steps") if "steps" in raw else None
            yield self.made(Variant, raw, steps=steps)

    def _survivors(self) -> Iterator[KnownSurvivor]:
        for number, raw in enumerate(self.raw.get("known_survivors", ())):
            if self.fits(KnownSurvivor, raw, f"known_survivors[{number}]"):
                yield self.made(KnownSurvivor, raw)


class _ExpectationsReader(_TaskReader):
    """Parses checkpoints outside of a task."""

    is_loose = True

    def expected(self, world: str, apps: tuple[str, ...], me: str | None) -> Task:
        """Return them as a task, or raise all of their problems."""
        if self.fits(_Expectations, self.raw, ""):
            resolved = with_paths(self.raw, self.say)
            self.raw = {"checkpoints": [], "lookups": {}, **resolved, "world": world, "apps": apps}
            self.checker = Checker(self.raw, self.say, row_kinds=ROW_KINDS)
        self.end()
        points, own = self._checkpoints(), self.allow()
        for where, each in own.items():
            self.checker.row(each.app, each.table, each.where, f"{where}.where")
        self.end()
        return Task(
            id="expectations",
            suite="",
            title="",
            world=world,
            apps=apps,
            category="",
            instruction=self.raw.get("instruction", ""),
            checkpoints=points,
            oracle=(),
            me=me,
            lookups=self.raw["lookups"],
            allow=tuple(own.values()),
            reverted=self.raw.get("reverted", "noticed"),
        )


def _stored(value: Any, column: Column[Any], world: World) -> Any:
    """Return a value of a row with its days and times filled in, as a number where the column holds numbers."""
    if not isinstance(value, str) or "{{" not in value:
        return value
    text = render_dates(value, world.monday, world.zone)
    return int(text) if isinstance(column.type, Integer) and text.lstrip("-").isdigit() else text


def _without_outdated(rule: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a rule of people without ``only``, which claims of facts bring along: it asks not what else is said."""
    when = rule["when"]
    where = when.get("where") if isinstance(when, Mapping) else None
    if not isinstance(where, Mapping):
        return rule
    open_where = {
        name: {key: each for key, each in wanted.items() if key != "only"}
        if isinstance(wanted, Mapping) and _names_fact(wanted.get("claims"))
        else wanted
        for name, wanted in where.items()
    }
    return {**rule, "when": {**when, "where": open_where}}


def _names_fact(claims: Any) -> bool:
    return isinstance(claims, list) and any(isinstance(each, Mapping) and "fact" in each for each in claims)
