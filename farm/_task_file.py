"""Reads and checks task files. Every problem becomes one line that names the file, the key and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from farm import content
from farm._task_values import Checker
from farm.context.template import load_world
from farm.errors import FarmError, NotFound
from farm.score.predicates import BUILT_IN, module_name
from farm.task import (
    STEPS_MAX,
    Allow,
    Call,
    Change,
    Checkpoint,
    Operate,
    Other,
    Search,
    Steps,
    Task,
    TaskError,
    Variant,
    read_toml,
)

_CHANGES: tuple[str, ...] = get_args(Change)
_SEARCHES = ("generic_search", "personal_search")
_KINDS = (*_SEARCHES, "operate", "other")
# A name, then a path: what an oracle's text refers to. JSON in a text begins with a quote and is never taken for one.
REFERENCE = re.compile(r"\{([a-z_][a-z0-9_]*)((?:\.[\w-]+|\[[^\]]*\])*)\}")

# Key → (what it must be, whether it must be there).
_TASK = {
    "id": ("text", True),
    "title": ("text", True),
    "world": ("text", True),
    "apps": ("texts", True),
    "category": ("text", True),
    "instruction": ("text", True),
    "checkpoints": ("tables", True),
    "oracle": ("tables", True),
    "oracle_answer": ("text", False),
    "steps_max": ("integer", False),
    "me": ("text", False),
    "now": ("text", False),
    "necessary": ("texts", False),
    "unnecessary": ("texts", False),
    "lookups": ("table", False),
    "allow": ("tables", False),
    "variants": ("tables", False),
    "near_misses": ("tables", False),
    "exact_texts": ("boolean", False),
}
_SEARCH = {"id": ("text", True), "kind": ("text", True), "answer": ("table", True), "looked_up": ("tables", False)}
_OPERATE = {
    "id": ("text", True),
    "kind": ("text", True),
    "change": ("text", True),
    "app": ("text", True),
    "table": ("text", True),
    "where": ("table", True),
    "after": ("table", False),
    "count": ("integer", False),
    "may_change": ("texts", False),
}
_ALLOW = {
    "app": ("text", True),
    "table": ("text", True),
    "changes": ("texts", False),
    "where": ("table", False),
    "columns": ("texts", False),
}
_STEP = {"calls": ("tables", True)}
_CALL = {"app": ("text", True), "tool": ("text", True), "arguments": ("table", False), "as": ("text", False)}
_VARIANT = {
    "why": ("text", True),
    "answer": ("text", False),
    "change": ("table", False),
    "drop": ("texts", False),
    "steps": ("tables", False),
}
_SUITE = {"title": ("text", False), "allow": ("tables", False)}

_TYPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "text": ("a text", lambda v: isinstance(v, str) and bool(v.strip())),
    "texts": ("a list of texts", lambda v: isinstance(v, list) and all(isinstance(each, str) for each in v)),
    "integer": ("a whole number from 1", lambda v: isinstance(v, int) and not isinstance(v, bool) and v >= 1),
    "boolean": ("true or false", lambda v: isinstance(v, bool)),
    "table": ("a table", lambda v: isinstance(v, dict)),
    "tables": ("a list of tables", lambda v: isinstance(v, list) and all(isinstance(each, dict) for each in v)),
}


class _Reader:
    """Collects the problems of one file while it is read."""

    def __init__(self, path: Path) -> None:
        self.file = path.name
        self.problems: list[str] = []

    def say(self, where: str, problem: str) -> None:
        self.problems.append(f"{self.file}: {where}: {problem}" if where else f"{self.file}: {problem}")

    def shape(self, raw: Mapping[str, Any], keys: Mapping[str, tuple[str, bool]], where: str) -> bool:
        """Check the keys of a table and their types; return whether it can be read further."""
        before = len(self.problems)
        dot = f"{where}." if where else ""
        for key in raw:
            if key not in keys:
                self.say(f"{dot}{key}", f"unknown key; have {', '.join(keys)}")
        for key, (type_, required) in keys.items():
            if key not in raw:
                if required:
                    self.say(f"{dot}{key}", f"missing; it is {_TYPES[type_][0]}")
                continue
            words, fits = _TYPES[type_]
            if not fits(raw[key]):
                self.say(f"{dot}{key}", f"must be {words}, not {raw[key]!r}")
        return len(self.problems) == before

    def choice(self, value: Any, allowed: tuple[str, ...], where: str) -> bool:
        if value in allowed:
            return True
        self.say(where, f"must be one of {', '.join(allowed)}, not {value!r}")
        return False


def read_suite_file(path: Path) -> tuple[str | None, tuple[Allow, ...]]:
    """Return title and ``allow`` lines of ``suite.toml``; nothing when there is none."""
    if not path.is_file():
        return None, ()
    raw, reader = read_toml(path), _Reader(path)
    allow: list[Allow] = []
    if reader.shape(raw, _SUITE, ""):
        allow = [each for index, each in enumerate(raw.get("allow", [])) if _check_allow(reader, each, index)]
    if reader.problems:
        raise TaskError(reader.problems)
    return raw.get("title"), tuple(_allow(each) for each in allow)  # type: ignore[arg-type]


def read_task(path: Path, suite: str, allow: tuple[Allow, ...]) -> Task:
    """Read one task file; raise ``TaskError`` with everything wrong in it."""
    raw, reader = read_toml(path), _Reader(path)
    if not reader.shape(raw, _TASK, ""):
        raise TaskError(reader.problems)
    _check_head(reader, raw, path)
    if reader.problems:
        raise TaskError(reader.problems)
    checker = Checker(raw, reader.say)
    points = [point for index, each in enumerate(raw["checkpoints"]) if (point := _point(reader, checker, each, index))]
    _check_ids(reader, points)
    for index, each in enumerate(raw.get("allow", [])):
        if _check_allow(reader, each, index):
            checker.row(each["app"], each["table"], each.get("where", {}), f"allow[{index}].where")
    oracle = _steps(reader, checker, raw["oracle"], "oracle")
    variants = {
        key: tuple(_variants(reader, checker, raw.get(key, []), oracle, key)) for key in ("variants", "near_misses")
    }
    checker.module(module_name(raw["id"]), path, points)
    if any(isinstance(point, Search) for point in points) and not raw.get("oracle_answer"):
        reader.say("oracle_answer", "missing; a task with a search checkpoint has the answer that satisfies it")
    if reader.problems:
        raise TaskError(reader.problems)
    return Task(
        id=raw["id"],
        suite=suite,
        title=raw["title"],
        world=raw["world"],
        apps=tuple(raw["apps"]),
        category=raw["category"],
        instruction=raw["instruction"].strip(),
        checkpoints=tuple(points),
        oracle=oracle,
        oracle_answer=raw.get("oracle_answer", ""),
        steps_max=raw.get("steps_max", STEPS_MAX),
        me=raw.get("me"),
        now=raw.get("now"),
        necessary=tuple(raw.get("necessary", ())),
        unnecessary=tuple(raw.get("unnecessary", ())),
        lookups=raw.get("lookups", {}),
        allow=(*allow, *(_allow(each) for each in raw.get("allow", ()))),
        variants=variants["variants"],
        near_misses=variants["near_misses"],
        exact_texts=raw.get("exact_texts", False),
        raw=path.read_bytes(),
    )


def _check_head(reader: _Reader, raw: Mapping[str, Any], path: Path) -> None:
    if raw["id"] != path.stem:
        reader.say("id", f"'{raw['id']}' is not the file's name, '{path.stem}'")
    if not raw["checkpoints"]:
        reader.say("checkpoints", "a task needs at least one")
    if not raw["apps"]:
        reader.say("apps", "a task needs at least one")
    for app in raw["apps"]:
        try:
            content.load_app(app)
        except NotFound as missing:
            reader.say("apps", str(missing))
    try:
        world = load_world(raw["world"])
    except FarmError as missing:
        reader.say("world", str(missing))
        return
    if raw.get("me", world.protagonist) not in world.people:
        reader.say("me", f"no person '{raw['me']}' in world '{world.name}'")


def _point(reader: _Reader, checker: Checker, raw: Mapping[str, Any], index: int) -> Checkpoint | None:
    where = f"checkpoints[{index}]"
    if not reader.choice(raw.get("kind"), _KINDS, f"{where}.kind"):
        return None
    if raw["kind"] in _SEARCHES:
        return _search(reader, checker, raw, where)
    if raw["kind"] == "operate":
        return _operate(reader, checker, raw, where)
    return _other(reader, checker, raw, where)


def _search(reader: _Reader, checker: Checker, raw: Mapping[str, Any], where: str) -> Search | None:
    if not reader.shape(raw, _SEARCH, where):
        return None
    if not raw["answer"]:
        reader.say(f"{where}.answer", "names nothing, so any answer would do")
    checker.operators(raw["answer"], f"{where}.answer")
    for number, each in enumerate(raw.get("looked_up", [])):
        checker.call(each, f"{where}.looked_up[{number}]")
    return Search(raw["id"], raw["kind"], raw["answer"], tuple(raw.get("looked_up", ())))


def _operate(reader: _Reader, checker: Checker, raw: Mapping[str, Any], where: str) -> Operate | None:
    if not reader.shape(raw, _OPERATE, where) or not reader.choice(raw["change"], _CHANGES, f"{where}.change"):
        return None
    if not raw["where"]:
        reader.say(f"{where}.where", "names no column, so any row would do")
    if raw["change"] == "delete" and raw.get("after"):
        reader.say(f"{where}.after", "a deleted row holds nothing afterwards; leave it out")
    if raw["change"] == "update" and not raw.get("after"):
        reader.say(f"{where}.after", "missing; say what an updated row must hold")
    if checker.row(raw["app"], raw["table"], raw["where"], f"{where}.where"):
        checker.row(raw["app"], raw["table"], raw.get("after", {}), f"{where}.after")
        checker.columns(raw["app"], raw["table"], raw.get("may_change", []), f"{where}.may_change")
    return Operate(
        id=raw["id"],
        change=raw["change"],
        app=raw["app"],
        table=raw["table"],
        where=raw["where"],
        after=raw.get("after", {}),
        count=raw.get("count", 1),
        may_change=tuple(raw.get("may_change", ())),
    )


def _other(reader: _Reader, checker: Checker, raw: Mapping[str, Any], where: str) -> Other | None:
    options = {key: value for key, value in raw.items() if key not in ("id", "kind", "predicate")}
    for key in ("id", "predicate"):
        if not isinstance(raw.get(key), str):
            reader.say(f"{where}.{key}", "missing; it is a text")
            return None
    known = BUILT_IN.get(raw["predicate"])
    if known is not None:
        for key in options:
            reader.choice(key, known, f"{where}.{key}")
        checker.predicate(raw["predicate"], options, where)
    return Other(raw["id"], raw["predicate"], options)


def _check_ids(reader: _Reader, points: list[Checkpoint]) -> None:
    seen: set[str] = set()
    for point in points:
        if point.id in seen:
            reader.say("checkpoints", f"two have the id '{point.id}'")
        seen.add(point.id)


def _check_allow(reader: _Reader, raw: Mapping[str, Any], index: int) -> bool:
    where = f"allow[{index}]"
    if not reader.shape(raw, _ALLOW, where):
        return False
    return all(reader.choice(change, _CHANGES, f"{where}.changes") for change in raw.get("changes", ()))


def _allow(raw: Mapping[str, Any]) -> Allow:
    changes = tuple(raw.get("changes", _CHANGES))
    return Allow(raw["app"], raw["table"], changes, raw.get("where", {}), tuple(raw.get("columns", ())))


def _steps(reader: _Reader, checker: Checker, raw: list[Mapping[str, Any]], where: str) -> Steps:
    steps: list[tuple[Call, ...]] = []
    known: set[str] = set()
    for number, step in enumerate(raw):
        place = f"{where}[{number}]"
        if not reader.shape(step, _STEP, place):
            continue
        made = [
            call for index, each in enumerate(step["calls"]) if (call := _call(reader, each, f"{place}.calls[{index}]"))
        ]
        for index, call in enumerate(made):
            checker.tool(call.app, call.tool, f"{place}.calls[{index}]")
            for name in sorted(set(references_in(call.arguments)) - known):
                reader.say(f"{place}.calls[{index}]", f"'{{{name}…}}' names no earlier step's result")
            checker.dates(call.arguments, f"{place}.calls[{index}].arguments")
        known |= {call.name for call in made if call.name}
        steps.append(tuple(made))
    return tuple(steps)


def _call(reader: _Reader, raw: Mapping[str, Any], where: str) -> Call | None:
    if not reader.shape(raw, _CALL, where):
        return None
    return Call(raw["app"], raw["tool"], raw.get("arguments", {}), raw.get("as"))


def references_in(value: Any) -> Iterator[str]:
    """Yield the names of the calls that a value refers to."""
    match value:
        case str():
            yield from (found[1] for found in REFERENCE.finditer(value))
        case Mapping():
            for each in value.values():
                yield from references_in(each)
        case list():
            for each in value:
                yield from references_in(each)


def _variants(
    reader: _Reader, checker: Checker, raw: list[Mapping[str, Any]], oracle: Steps, key: str
) -> Iterator[Variant]:
    names = tuple(call.name for step in oracle for call in step if call.name)
    for index, each in enumerate(raw):
        where = f"{key}[{index}]"
        if not reader.shape(each, _VARIANT, where):
            continue
        for name in (*each.get("change", {}), *each.get("drop", ())):
            reader.choice(name, names, where)
        for name in sorted(set(references_in(each.get("change", {}))) - set(names)):
            reader.say(f"{where}.change", f"'{{{name}…}}' names no call's result")
        steps = _steps(reader, checker, each["steps"], f"{where}.steps") if "steps" in each else None
        if not {"answer", "change", "drop", "steps"} & each.keys():
            reader.say(where, "changes nothing; give answer, change, drop or steps")
        yield Variant(each["why"], each.get("answer"), each.get("change", {}), tuple(each.get("drop", ())), steps)
