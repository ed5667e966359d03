"""Checks the apps, tables, tools, people and values in a task file against the farm's content."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from farm import content
from farm._util.json_strings import strings_in
from farm.appkit.world_spec.placeholders import render_dates
from farm.benchmark.tasks.sheet_fields import FIELD_KINDS, NAME, RESERVED, SheetField, items_of, kind_of_field, words_of
from farm.benchmark.tasks.text_rules import (
    CLAIM_KINDS,
    TEXT_KEYS,
    ClaimForm,
    OnlyForm,
    StanceForm,
    TextForm,
    kind_of,
    wants_text,
)
from farm.benchmark.tasks.toml_schema import keys_of, near, problems_in
from farm.benchmark.tasks.value_syntax import (
    LOOKUP,
    ME,
    PREDICATES,
    AccountOf,
    MatchedBy,
    ValueOf,
    checkpoints_in,
    is_checkpoint,
    is_person,
    is_row,
)
from farm.content import LoadedApp
from farm.context.operators import OPERATORS, instant
from farm.context.template import load_world

if TYPE_CHECKING:
    from farm.appkit.schema import TimeForm

Say = Callable[[str, str], None]
_OFFSET = re.compile(r"[+-]\d+")
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d|24:00")
_AMOUNT = re.compile(r"[A-Z]{3} \d+(\.\d+)?")


class Checker:
    """Checks names in one task. Each method reports problems through ``say``."""

    def __init__(self, raw: Mapping[str, Any], say: Say, *, row_kinds: Sequence[str]) -> None:
        """Check a parsed file; ``row_kinds`` are the kinds of checkpoints that others can refer to."""
        self._said = 0
        self._tell = say
        self._row_kinds = row_kinds
        self._world = load_world(raw["world"])
        self._apps = tuple(raw["apps"])
        self._loaded: dict[str, LoadedApp] = {}
        self._lookups: Mapping[str, Any] = raw.get("lookups", {})
        self._points = {each["id"]: each for each in raw["checkpoints"] if isinstance(each.get("id"), str)}
        for name, entry in self._lookups.items():
            if not LOOKUP.fullmatch(f"{{{{{name}}}}}"):
                self._say(f"lookups.{name}", "a name is lower-case letters, digits and underscores")
            if not isinstance(entry, Mapping) or not (is_person(entry) or is_row(entry)) or "app" not in entry:
                self._say(f"lookups.{name}", "must be { app, person } or { app, table, where, column }")
            elif any(checkpoints_in(entry)):
                self._say(f"lookups.{name}", "is found in the start, which knows nothing of checkpoints")
            else:
                self.value(entry, f"lookups.{name}", entry["app"])

    def _say(self, where: str, problem: str) -> None:
        self._said += 1
        self._tell(where, problem)

    def _load(self, app: str) -> LoadedApp:
        # Cached, as every call and row of a task needs its app, and loading scans folders.
        if app not in self._loaded:
            self._loaded[app] = content.load_app(app)
        return self._loaded[app]

    def app(self, app: Any, where: str) -> bool:
        """Return whether an app is one of the task's."""
        if app in self._apps:
            return True
        self._say(where, f"app {app!r} is not among the task's apps ({', '.join(self._apps)})")
        return False

    def tool(self, app: Any, tool: Any, where: str) -> None:
        """Check that a tool exists in its app."""
        if self.app(app, where) and tool not in (bound := self._load(app).bound):
            self._say(where, f"no tool '{tool}' in '{app}'; see 'farm tools {app}'{near(tool, bound)}")

    def columns(self, app: str, table: str, keys: Iterable[str], where: str) -> bool:
        """Return whether a table exists and has these columns."""
        shapes = self._load(app).schema.shapes
        if table not in shapes:
            self._say(where, f"no table '{table}' in '{app}'; have {', '.join(sorted(shapes))}{near(table, shapes)}")
            return False
        known = shapes[table].columns
        missing = [key for key in keys if key.partition(".")[0] not in known]
        for key in missing:
            self._say(where, f"no column '{key}' in {app}.{table}; have {', '.join(known)}{near(key, known)}")
        return not missing

    def row(self, app: Any, table: Any, wanted: Mapping[str, Any], where: str) -> bool:
        """Check a table of column → wanted value; return whether app, table and columns exist."""
        if not self.app(app, where) or not self.columns(app, table, wanted, where):
            return False
        times = self._load(app).schema.times.get(table, {})
        for key, value in wanted.items():
            self.value(value, f"{where}.{key}", app)
            if key in times and isinstance(value, str) and not _is_time(value, times[key]):
                self._say(
                    f"{where}.{key}",
                    f"{value!r} is no time; write one such as '{{{{rfc3339:+1 15:00}}}}' (days from the world's "
                    "first Monday) or '2026-06-02T15:00:00+01:00'",
                )
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
                self._matched(value["checkpoint"], value["column"], where)
            case Mapping():
                self.operators(value, where, app)

    def answer(self, value: Any, where: str) -> None:
        """Check the conditions of an answer, which belongs to no app, so that references must name theirs."""
        self.operators(value, where)
        for each in _references_without_app(value):
            self._say(where, f"an answer is in no app: name the app of {dict(each)!r}")

    def sheet(self, fields: Mapping[str, Any], where: str) -> None:
        """Check the fields of an answer sheet: their names, types and values."""
        for name, raw in fields.items():
            place = f"{where}.{name}"
            if not NAME.fullmatch(name):
                self._say(place, "a field's name is lower-case words and numbers, joined by underscores")
            elif name in RESERVED:
                self._say(place, f"'{name}' is a key of programs' own output; name the field by what it holds")
            elif not isinstance(raw, Mapping):
                self._say(place, f"must be a table such as {{ number = 3 }}, not {raw!r}")
            elif self._fits(SheetField, raw, place) and self._field(raw, place):
                self._gives_nothing_away(name, raw, place)

    def _field(self, raw: Mapping[str, Any], where: str) -> bool:
        """Return whether a field has one type and values of it; report problems."""
        kind, items = kind_of_field(raw), items_of(raw)
        before = self._said
        match kind:
            case None:
                self._say(where, f"must name exactly one of {', '.join(FIELD_KINDS)}")
            case "number":
                if not all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in items):
                    self._say(f"{where}.number", f"must be a number, not {raw['number']!r}")
            case "date":
                self._all(items, _OFFSET, f"{where}.date", "an offset of days such as '+17'")
            case "clock":
                self._all(items, _CLOCK, f"{where}.clock", "a time of day such as '15:00'")
            case "person":
                for each in items:
                    self._person(each, f"{where}.person")
                    if each == ME:
                        self._say(f"{where}.person", "name the person by the key, not as 'me'")
            case "text":
                self.answer(raw["text"], f"{where}.text")
            case "id" | "choice":
                self._names(items, f"{where}.{kind}", may_nest=kind == "choice" and bool(raw.get("all")))
        for key, kinds in (
            ("unit", ("number",)),
            ("options", ("choice",)),
            ("example", ("text",)),
            ("all", FIELD_KINDS[:-1]),
        ):
            if key in raw and kind not in (None, *kinds):
                self._say(f"{where}.{key}", f"is for {', '.join(kinds)}, not {kind}")
        if "options" in raw and not any(each in raw["options"] for each in items):
            self._say(f"{where}.options", "does not hold the right choice")
        if kind and not items:
            self._say(where, "an empty list asks for nothing; leave it out")
        return self._said == before

    def _names(self, items: list[Any], where: str, *, may_nest: bool) -> None:
        for each in items:
            names = each if may_nest and isinstance(each, list) and each else [each]
            for name in names:
                if not isinstance(name, str) or not name.strip():
                    self._say(where, f"must be texts, not {each!r}")

    def _gives_nothing_away(self, name: str, raw: Mapping[str, Any], where: str) -> None:
        """Check that a field's name, which the agent is told, holds no word of its value."""
        kind, items = kind_of_field(raw), items_of(raw)
        days = {each: self._world.monday + timedelta(days=int(each)) for each in items if kind == "date"}
        people = self._world.people
        names = {each: [each, *_names_in(people[each])] for each in items if kind == "person"}
        given_away = words_of(raw, days, names)
        for word in name.split("_"):
            if word in given_away:
                self._say(where, f"the name gives the value away: agents are told it, and it holds '{word}'")

    def _matched(self, checkpoint: Any, column: Any, where: str) -> None:
        """Check that a referenced checkpoint has rows with such a column."""
        point = self._points.get(checkpoint)
        if point is None:
            self._say(where, f"no checkpoint '{checkpoint}'; have {', '.join(self._points)}")
        elif point.get("kind") not in self._row_kinds:
            wanted = " or ".join(self._row_kinds)
            self._say(where, f"checkpoint '{checkpoint}' has no rows; its kind is {point.get('kind')}, not {wanted}")
        elif point.get("app") in self._apps and point.get("table") in self._load(point["app"]).schema.shapes:
            self.columns(point["app"], point["table"], [column], where)

    def operators(self, value: Mapping[str, Any], where: str, app: str | None = None) -> None:
        """Check a table of operators and conditions of a text."""
        if not value:
            self._say(where, "an empty table asks for nothing; leave it out")
        if wants_text(value):
            self._text_form({key: each for key, each in value.items() if key in TEXT_KEYS}, where, app)
        for operator, wanted in value.items():
            place = f"{where}.{operator}"
            if operator in TEXT_KEYS:
                continue
            if operator not in OPERATORS:
                forms = [f"{{ {', '.join(keys_of(form))} }}" for form in (AccountOf, ValueOf, MatchedBy)]
                have = f"{', '.join(sorted([*OPERATORS, *TEXT_KEYS]))}, or a reference: {', '.join(forms)}"
                self._say(place, f"no such operator; have {have}{near(operator, [*OPERATORS, *TEXT_KEYS])}")
                continue
            each = wanted if isinstance(wanted, list) else [wanted]
            if OPERATORS[operator].needs_content and (not each or "" in each):
                self._say(place, f"an empty {'list' if not each else 'text'} asks for nothing; leave it out")
                continue
            match OPERATORS[operator].wants:
                case "pattern":
                    for pattern in each:
                        self._pattern(pattern, place)
                case "value" if any(map(is_checkpoint, each)):
                    # Operators compare one value with one; a reference stands for the values of several rows.
                    self._say(place, "the rows of a checkpoint are compared as they are, not by an operator")
                case "value":
                    self.value([one for one in each if one != {}], place, app or self._apps[0])

    def _text_form(self, raw: Mapping[str, Any], where: str, app: str | None) -> None:
        """Check the conditions of a text."""
        if not self._fits(TextForm, raw, where):
            return
        if raw.get("claims") == []:
            self._say(f"{where}.claims", "an empty list asks for nothing; leave it out")
        for number, claim in enumerate(raw.get("claims", ())):
            self._claim(claim, f"{where}.claims[{number}]", app)
        for name, form in (("stance", StanceForm), ("only", OnlyForm)):
            if name in raw:
                self._fits(form, raw[name], f"{where}.{name}")
                self.value(list(strings_in(raw[name])), f"{where}.{name}", app or self._apps[0])
        if "keeps" in raw and raw["keeps"] is not True and not isinstance(raw["keeps"], str):
            self._say(f"{where}.keeps", f"must be true, or the text that is kept, not {raw['keeps']!r}")
        self.value([raw.get("keeps"), raw.get("bans")], where, app or self._apps[0])

    def rule_claims(self, claims: Any, where: str) -> None:
        """Check the claims in a rule of people, which is held against one text, and knows no rows of the start."""
        if not isinstance(claims, list) or not claims or not all(isinstance(each, Mapping) for each in claims):
            self._say(where, f"must be a list of claims, each a table, not {claims!r}")
            return
        for number, claim in enumerate(claims):
            place = f"{where}[{number}]"
            for name in ("rivals", "not_of"):
                if any(map(_is_table, [claim.get(name), *_listed(claim.get(name))])):
                    self._say(f"{place}.{name}", "must be texts, or lists of one thing's names")
            if claim.get("name") == ME:
                self._say(f"{place}.name", "must be the key of a person")
            if "fact" in claim and kind_of(claim) is None:  # in a task, its value has been filled in
                say = 'is filled in by tasks alone; elsewhere refer to it: date = "{{fact:launch.at offset}}"'
                self._say(f"{place}.fact", say)
                continue
            self._claim(claim, place, None)

    def _claim(self, raw: Mapping[str, Any], where: str, app: str | None) -> None:
        """Check one claim."""
        if not self._fits(ClaimForm, raw, where):
            return
        kind = kind_of(raw)
        given = raw[kind] if kind else None
        each = given if isinstance(given, list) else [given]
        match kind:
            case None:
                self._say(where, f"must name exactly one of {', '.join(CLAIM_KINDS)}")
            case "date":
                self._all(each, _OFFSET, f"{where}.date", "an offset of days such as '+17'")
            case "clock" | "span":
                self._all(each, _CLOCK, f"{where}.{kind}", "a time of day such as '15:00'")
                if kind == "span" and len(each) != 2:
                    self._say(f"{where}.span", f"must be two times of day, not {given!r}")
            case "amount":
                self._all(each, _AMOUNT, f"{where}.amount", "a currency and a sum such as 'MYR 395'")
            case "name":
                self._person(given, f"{where}.name")
        others = ("rivals", "not_of", "from")
        self.operands(raw, where, app)
        texts = list(strings_in({name: raw[name] for name in raw if name not in others}))
        self.value(texts, where, app or self._apps[0])
        for name in others[:2]:
            given = raw.get(name, [])
            if isinstance(given, Mapping) and not (is_row(given) and given.get("all")):
                say = "must be texts, lists of one thing's names, or { table, column, all = true }"
                self._say(f"{where}.{name}", say)
            elif given:
                self.value(given, f"{where}.{name}", app or self._apps[0])

    def operands(self, raw: Mapping[str, Any], where: str, app: str | None) -> None:
        """Check what a value follows from."""
        if "how" in raw and "from" not in raw:
            self._say(f"{where}.how", "needs `from`, the operands")
        for number, each in enumerate(raw.get("from", ())):
            place = f"{where}.from[{number}]"
            if isinstance(each, Mapping) and not is_row(each):
                self._say(place, "must be a text, a number or { table, where, column }")
            elif isinstance(each, Mapping) and app is None and "app" not in each:
                self._say(place, f"an answer is in no app: name the app of {dict(each)!r}")
            else:
                self.value(each, place, app or self._apps[0])

    def _fits(self, form: type, raw: Mapping[str, Any], where: str) -> bool:
        problems = list(problems_in(form, raw, where))
        for place, problem in problems:
            self._say(place, problem)
        return not problems

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
            close = near(person, self._world.people)
            self._say(where, f"no person {person!r} in world '{self._world.name}'{close}")

    def text(self, text: str, where: str) -> None:
        """Check the placeholders of a text."""
        self.dates(text, where)
        for found in LOOKUP.finditer(text):
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

    def calls(self, raw: Mapping[str, Any], where: str) -> None:
        """Check the names in a description of calls."""
        tools = raw.get("tool", [])
        for tool in [tools] if isinstance(tools, str) else tools:
            if "app" not in raw:
                self._say(where, "a tool needs its app")
            else:
                self.tool(raw["app"], tool, where)
        for path, value in raw.get("arguments", {}).items():
            self.value(value, f"{where}.arguments.{path}", raw.get("app", self._apps[0]))
        if isinstance(raw.get("contains"), str):
            self.text(raw["contains"], f"{where}.contains")

    def function(self, name: str, source: Path, where: str) -> None:
        """Check that a predicate is a function of the module beside the task."""
        if not source.is_file():
            have = ", ".join(PREDICATES)
            self._say(where, f"no predicate '{name}'; have {have}, or a function in {source.name}")
            return
        try:
            module = ast.parse(source.read_text("utf-8"))
        except (SyntaxError, UnicodeDecodeError) as problem:
            self._say(where, f"{source.name} is no Python: {problem}")
            return
        if not any(isinstance(each, ast.FunctionDef) and each.name == name for each in module.body):
            self._say(where, f"{source.name} has no function '{name}'")


def _names_in(person: Mapping[str, Any]) -> Iterator[str]:
    yield from (str(person[key]) for key in ("name_en", "name_zh") if person.get(key))


def _references_without_app(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the accounts and rows in a value that do not name their app."""
    match value:
        case Mapping() if is_person(value) or is_row(value):
            if "app" not in value:
                yield value
        case Mapping():
            for each in value.values():
                yield from _references_without_app(each)
        case list():
            for each in value:
                yield from _references_without_app(each)


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_time(value: str, form: TimeForm) -> bool:
    """Return whether a text can be a time; one with placeholders or references is known only later."""
    return not value or "{" in value or instant(value, form) is not None
