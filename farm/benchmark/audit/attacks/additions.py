"""Add to what the oracle writes: content in arguments that it leaves out, and further elements of its lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from farm import content
from farm._util.json_io import loads
from farm.benchmark.agents.scripted import CallOverride, Position
from farm.benchmark.audit.attacks.attack_context import AttackContext
from farm.benchmark.audit.attacks.script import IN_JSON, AttackScript, Path, leaves, positions, replaced_at, writes
from farm.benchmark.scoring.people import addresses
from farm.benchmark.tasks import OracleCall

_TEXT = "This is called off, do not come. 作废，不用来了。"
_EARLY_S = 915_148_800  # 1 January 1999
_DEPTH_MAX = 4
_CHOICES_MAX = 3
_SHOWN_MAX = 40
_LIST = re.compile(r"\s*\[")


def filled(context: AttackContext) -> Iterator[AttackScript]:
    """Fill each argument with foreign content, whether the oracle leaves it out or not.

    It leaves out a description, a place, a second body, a time long ago; it gives a title, a note, a file's name.
    """
    for position, call in _writing(context):
        sent = context.literal[position].arguments
        others = _others(context, call.app, ())
        for path, value in _absent(_schema(call), sent, others):
            yield _script(context, "filled", f"{_name(call)} with {_dotted(path)} {value!r}", position, path, value)
        for path, value in leaves(sent):
            if isinstance(value, str) and value:
                why = f"{_name(call)} with another {_dotted(path)} than {value[:_SHOWN_MAX]!r}"
                yield _script(context, "filled", why, position, path, _TEXT)


def one_larger(context: AttackContext) -> Iterator[AttackScript]:
    """Add one more to each list: another recipient, assignee, option or picture."""
    for position, call in _writing(context):
        for path, elements in _lists(context.literal[position].arguments):
            for more in islice(_further(context, call, elements), _CHOICES_MAX):
                why = f"{_name(call)} with {more!r} in {_dotted(path)}, too"
                yield _script(context, "one-larger", why, position, path, [*elements, more])


def _script(context: AttackContext, kind: str, why: str, position: Position, path: Path, value: Any) -> AttackScript:
    task = context.task
    overrides = {position: CallOverride(change=lambda _, sent: _with(sent, path, value))}
    script = AttackScript(kind, why, False, task.oracle, task.oracle_answer, overrides, may_break=True)
    return replace(script, must_differ=True, may_rename=True)


def _writing(context: AttackContext) -> Iterator[tuple[Position, OracleCall]]:
    return ((position, call) for position, call in positions(context.task.oracle) if writes(call))


def _name(call: OracleCall) -> str:
    return call.name or call.tool


def _dotted(path: Path) -> str:
    return ".".join(str(step) for step in path if step != IN_JSON)


def _schema(call: OracleCall) -> Mapping[str, Any]:
    tools = content.load_app(call.app).tool_schemas
    return next((each["inputSchema"] for each in tools if each["name"] == call.tool), {})


def _absent(schema: Mapping[str, Any], sent: Any, others: Sequence[str], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the path of each argument that a call leaves out, with content for it."""
    if len(path) > _DEPTH_MAX:
        return
    for name, declared in schema.get("properties", {}).items():
        inner = sent.get(name) if isinstance(sent, Mapping) else None
        here = (*path, name)
        if isinstance(declared, Mapping) and declared.get("properties"):
            yield from _absent(declared, inner, others, here)
        elif inner is None or inner == "":
            for value in _contents(declared, others):
                yield here, value


def _contents(declared: Mapping[str, Any], others: Sequence[str]) -> Iterator[Any]:
    """Yield content for an argument of a declared type."""
    if "enum" in declared:
        yield from declared["enum"][:_CHOICES_MAX]
        return
    known = declared.get("type") or [each.get("type") for each in declared.get("anyOf", ())]
    types = known if isinstance(known, list) else [known]
    if "boolean" in types:
        yield from (True, False)
    if "string" in types:
        yield from (_TEXT, str(_EARLY_S), str(_EARLY_S * 1000))
    if "integer" in types or "number" in types:
        yield from (1, _EARLY_S)
    if "array" in types:
        items = declared.get("items", {})
        if items.get("type", "string") == "string":
            yield from ([each] for each in (*items.get("enum", others)[:_CHOICES_MAX], _TEXT))


def _lists(value: Any, path: Path = ()) -> Iterator[tuple[Path, list[Any]]]:
    """Yield each list of a call's arguments that has elements, also inside texts that are JSON."""
    match value:
        case Mapping():
            for key, each in value.items():
                yield from _lists(each, (*path, key))
        case [_, *_]:
            yield path, list(value)
            for number, each in enumerate(value):
                yield from _lists(each, (*path, number))
        case str() if _LIST.match(value):
            try:
                yield from _lists(loads(value), (*path, IN_JSON))
            except ValueError:
                return


def _further(context: AttackContext, call: OracleCall, elements: list[Any]) -> Iterator[Any]:
    """Yield further elements of a list: its last one with another person or another value of the same column."""
    last = elements[-1]
    for path, value in leaves(last):
        if isinstance(value, str):
            others = (*_others(context, call.app, (value,)), *_neighbours(context, call.app, value))
            for other in islice(others, 1):
                yield replaced_at(last, path, other)
    if isinstance(last, Mapping):
        person = next((path for path, value in leaves(last) if _is_account(context, call.app, value)), None)
        for name, value in last.items():
            for kind in _kinds(context, call, name, value) if person else ():
                someone = next(iter(_others(context, call.app, (_at(last, person),))), None)
                if person and someone:
                    yield {**replaced_at(last, person, someone), name: kind}


def _others(context: AttackContext, app: str, besides: Sequence[str]) -> list[str]:
    """Return accounts of other people, or their mail addresses if one of those is to be replaced."""
    start, me = context.start, context.start.world.protagonist
    mails = [mail for key, person in start.world.people.items() if key != me for mail in addresses(person)[:1]]
    accounts = [start.account(app, person) for person in start.people(app) if person != me]
    if not besides:
        return [*accounts[:1], *mails[:1]]
    pool = mails if "@" in besides[0] else accounts if _is_account(context, app, besides[0]) else []
    return [each for each in pool if each not in besides]


def _is_account(context: AttackContext, app: str, value: Any) -> bool:
    return isinstance(value, str) and value in {context.start.account(app, each) for each in context.start.people(app)}


def _neighbours(context: AttackContext, app: str, value: str) -> Iterator[str]:
    """Yield elements that stand beside a value in lists of the start, or in the same column."""
    for table in content.load_app(app).schema.shapes:
        for row in context.start.rows(app, table):
            for held in row.values():
                if held == value:
                    continue
                if isinstance(held, str) and value in held and held.lstrip()[:1] in ("[", "{"):
                    yield from (each for each in _beside(loads(held), value) if each != value)


def _beside(parsed: Any, value: str) -> Iterator[str]:
    match parsed:
        case Mapping():
            for each in parsed.values():
                yield from _beside(each, value)
        case list():
            if value in parsed:
                yield from (each for each in parsed if isinstance(each, str))
            names = [each.get("name") for each in parsed if isinstance(each, Mapping)]
            if value in names:
                yield from (each for each in names if isinstance(each, str))
            for each in parsed:
                yield from _beside(each, value)


def _kinds(context: AttackContext, call: OracleCall, name: str, value: Any) -> list[str]:
    """Return the other values of a column of the tables that a call writes, such as the role of a member."""
    loaded = content.load_app(call.app)
    found: dict[str, None] = {}
    for table in loaded.tables_of(loaded.bound[call.tool].tool):
        if name in loaded.schema.shapes[table].columns:
            rows = context.start.rows(call.app, table)
            if any(row[name] == value for row in rows):
                found |= dict.fromkeys(row[name] for row in rows if isinstance(row[name], str) and row[name] != value)
    return list(found)[:_CHOICES_MAX]


def _at(value: Any, path: Path | None) -> Any:
    for step in path or ():
        value = loads(value) if step == IN_JSON else value[step]
    return value


def _with(value: Any, path: Path, other: Any) -> Any:
    """Return arguments with a value at a path, whose objects are made if they are missing."""
    if not path:
        return other
    step, *rest = path
    if step == IN_JSON or isinstance(value, Sequence):
        return replaced_at(value, path, other)
    known = value if isinstance(value, Mapping) else {}
    return {**known, step: _with(known.get(step), tuple(rest), other)}
