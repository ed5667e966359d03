"""Checks what a task file says of apps, tables, tools, people and values against what there is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from farm import content
from farm.context.placeholders import render_dates
from farm.context.template import load_world
from farm.score.operators import OPERATORS
from farm.score.predicates import BUILT_IN, CALL_KEYS
from farm.score.resolve import CHECKPOINT_KEYS, ME, NAME, PERSON_KEYS, ROW_KEYS, is_checkpoint, is_person, is_row
from farm.task import Checkpoint, Other

Say = Callable[[str, str], None]
_OFFSET = re.compile(r"[+-]\d+")
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d")


class Checker:
    """The things one task may name. Each method reports what is wrong through ``say``."""

    def __init__(self, raw: Mapping[str, Any], say: Say) -> None:
        self._say = say
        self._world = load_world(raw["world"])
        self._apps = tuple(raw["apps"])
        self._lookups: Mapping[str, Any] = raw.get("lookups", {})
        self._points = [each["id"] for each in raw["checkpoints"] if isinstance(each.get("id"), str)]
        for name, entry in self._lookups.items():
            if not NAME.fullmatch(f"{{{{{name}}}}}"):
                say(f"lookups.{name}", "a name is lower-case letters, digits and underscores")
            if not isinstance(entry, Mapping) or not (is_person(entry) or is_row(entry)) or "app" not in entry:
                say(f"lookups.{name}", "must be { app, person } or { app, table, where, column }")
            else:
                self.value(entry, f"lookups.{name}", entry["app"])

    def app(self, app: Any, where: str) -> bool:
        """Whether an app is one of the task's."""
        if app in self._apps:
            return True
        self._say(where, f"app {app!r} is not among the task's apps ({', '.join(self._apps)})")
        return False

    def tool(self, app: Any, tool: Any, where: str) -> None:
        """A tool must exist in its app."""
        if self.app(app, where) and tool not in content.load_app(app).bound:
            self._say(where, f"no tool '{tool}' in '{app}'; see 'farm tools {app}'")

    def columns(self, app: str, table: str, keys: Iterable[str], where: str) -> bool:
        """Whether a table exists and has these columns."""
        shapes = content.load_app(app).schema.shapes
        if table not in shapes:
            self._say(where, f"no table '{table}' in '{app}'; have {', '.join(sorted(shapes))}")
            return False
        known = shapes[table].columns
        missing = [key for key in keys if key.partition(".")[0] not in known]
        for key in missing:
            self._say(where, f"no column '{key}' in {app}.{table}; have {', '.join(known)}")
        return not missing

    def row(self, app: Any, table: Any, wanted: Mapping[str, Any], where: str) -> bool:
        """Check a table of column → wanted value; return whether app, table and columns exist."""
        if not self.app(app, where) or not self.columns(app, table, wanted, where):
            return False
        for key, value in wanted.items():
            self.value(value, f"{where}.{key}", app)
        return True

    def value(self, value: Any, where: str, app: str) -> None:
        """Check one wanted value."""
        match value:
            case str():
                self.text(value, where)
            case list():
                for each in value:
                    self.value(each, where, app)
            case Mapping() if is_person(value):
                self._person(value["person"], where)
                if "app" in value:
                    self.app(value["app"], where)
            case Mapping() if is_row(value):
                self.row(value.get("app", app), value["table"], value.get("where", {}), f"{where}.where")
                if self.app(value.get("app", app), where):
                    self.columns(value.get("app", app), value["table"], [value["column"]], where)
            case Mapping() if is_checkpoint(value):
                if value["checkpoint"] not in self._points:
                    self._say(where, f"no checkpoint '{value['checkpoint']}'; have {', '.join(self._points)}")
            case Mapping():
                self.operators(value, where, app)

    def operators(self, value: Mapping[str, Any], where: str, app: str | None = None) -> None:
        """Check a table of operators."""
        for operator, wanted in value.items():
            place = f"{where}.{operator}"
            if operator not in OPERATORS:
                forms = f"{sorted(PERSON_KEYS)}, {sorted(ROW_KEYS)} or {sorted(CHECKPOINT_KEYS)}"
                self._say(place, f"no such operator; have {', '.join(sorted(OPERATORS))}, or a reference of {forms}")
                continue
            each = wanted if isinstance(wanted, list) else [wanted]
            match operator:
                case "dates":
                    self._all(each, _OFFSET, place, "an offset of days such as '+17'")
                case "clocks":
                    self._all(each, _CLOCK, place, "a time of day such as '15:00'")
                case "numbers":
                    for number in each:
                        if isinstance(number, bool) or not isinstance(number, (int, float)):
                            self._say(place, f"must be numbers, not {number!r}")
                case "names" | "not_names":
                    for person in each:
                        self._person(person, place)
                case "regex":
                    for pattern in each:
                        self._pattern(pattern, place)
                case _:
                    self.value(each, place, app or self._apps[0])

    def _all(self, values: list[Any], form: re.Pattern[str], where: str, words: str) -> None:
        for value in values:
            if not isinstance(value, str) or not form.fullmatch(value):
                self._say(where, f"must be {words}, not {value!r}")

    def _pattern(self, pattern: Any, where: str) -> None:
        try:
            re.compile(pattern)
        except (re.error, TypeError) as problem:
            self._say(where, f"{pattern!r} is no regular expression: {problem}")

    def _person(self, person: Any, where: str) -> None:
        if person != ME and person not in self._world.people:
            self._say(where, f"no person {person!r} in world '{self._world.name}'")

    def text(self, text: str, where: str) -> None:
        """Check the placeholders of a text."""
        self.dates(text, where)
        for found in NAME.finditer(text):
            if found[1] not in self._lookups:
                self._say(where, f"no lookup '{found[1]}'; have {', '.join(self._lookups) or 'none'}")

    def dates(self, value: Any, where: str) -> None:
        """Check the date placeholders in every text of a value."""
        match value:
            case str():
                try:
                    render_dates(value, self._world.monday, self._world.zone)
                except ValueError as problem:
                    self._say(where, str(problem))
            case Mapping():
                for each in value.values():
                    self.dates(each, where)
            case list():
                for each in value:
                    self.dates(each, where)

    def call(self, raw: Mapping[str, Any], where: str) -> None:
        """Check the description of a call."""
        for key in raw:
            if key not in CALL_KEYS:
                self._say(f"{where}.{key}", f"unknown key; have {', '.join(CALL_KEYS)}")
        tools = raw.get("tool", [])
        for tool in [tools] if isinstance(tools, str) else tools:
            if "app" not in raw:
                self._say(where, "a tool needs its app")
            else:
                self.tool(raw["app"], tool, where)

    def predicate(self, name: str, options: Mapping[str, Any], where: str) -> None:
        """Check the options of a built-in predicate."""
        if name == "order":
            for key in ("first", "then"):
                if not isinstance(options.get(key), Mapping):
                    self._say(f"{where}.{key}", "missing; it describes a call")
                else:
                    self.call(options[key], f"{where}.{key}")
        elif name in ("called", "not_called"):
            self.call({key: value for key, value in options.items() if key in CALL_KEYS}, where)
        elif name == "calls_max" and not isinstance(options.get("max"), int):
            self._say(f"{where}.max", "missing; it is a whole number")

    def module(self, name: str, path: Path, points: list[Checkpoint]) -> None:
        """A predicate that is not built in must be a function of the module beside the task."""
        own = [each for each in points if isinstance(each, Other) and each.predicate not in BUILT_IN]
        source = path.with_name(f"{name}.py")
        for point in own:
            if not source.is_file():
                have = ", ".join(BUILT_IN)
                self._say(point.id, f"no predicate '{point.predicate}'; have {have}, or a function in {source.name}")
            elif not re.search(rf"^def {re.escape(point.predicate)}\(", source.read_text("utf-8"), re.MULTILINE):
                self._say(point.id, f"{source.name} has no function '{point.predicate}'")
