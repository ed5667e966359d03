"""What a tool takes and returns, as learned by play: the roles of its arguments and the kinds of its fields.

``units.json`` beside a kernel holds an app's units. It is data about the app: of the world it was learned in, it keeps
only how to learn it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from farm import content
from farm._util.json_io import loads
from farm.errors import FarmError

UNITS_FILE = "units.json"
Role = Literal["id", "query", "page", "instant", "choice", "payload", "option"]
ROLES: Mapping[Role, str] = {
    "id": "names a row, by a key that an answer shows",
    "query": "words to search for: any text is accepted",
    "page": "how many items an answer has, or where they begin",
    "instant": "a moment or a day",
    "choice": "one of the schema's values, or yes or no",
    "payload": "what is stored: a text, a title, a number",
    "option": "anything else",
}
# Stands in an example in place of a value that a sampled chain fills in.
ID, PAYLOAD, INSTANT = "<id>", "<payload>", "<instant>"


@dataclass(frozen=True)
class Argument:
    """An argument of a tool.

    Attributes:
        path: its dotted path; items of lists are ``name[]``.
        role: what it is for.
        kinds: of an id, the kinds of rows that it names.
        columns: of a payload or an instant, where its value arrives: ``messages.text``.
    """

    path: str
    role: Role
    kinds: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unit:
    """One tool.

    Attributes:
        tool: its name.
        writes: the tables that it may change; the first is what it is for.
        arguments: path → argument.
        accepts: tuples of kinds that its ids had together in accepted calls, in the order of ``ids``.
        example: arguments of an accepted call, ids and payloads left open.
        shows: field of its answers → kind.
        is_personal: whether two people get different answers; None if fewer than two could play it alike.
    """

    tool: str
    writes: tuple[str, ...] = ()
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    accepts: tuple[tuple[str, ...], ...] = ()
    example: Mapping[str, Any] = field(default_factory=dict)
    shows: Mapping[str, str] = field(default_factory=dict)
    is_personal: bool | None = None

    def of_role(self, role: Role) -> list[Argument]:
        """Return its arguments with a role."""
        return [each for each in self.arguments.values() if each.role == role]


@dataclass(frozen=True, order=True)
class Edge:
    """A field of an answer that was played as an argument, and accepted.

    Attributes:
        source: the tool that showed the value.
        path: the field in its answer, ``.channels[].id``.
        tool: the tool that took it.
        argument: the argument's path.
        kind: what the value is.
    """

    source: str
    path: str
    tool: str
    argument: str
    kind: str


@dataclass(frozen=True)
class AppUnits:
    """The units of an app.

    Attributes:
        world: the world that they were learned in.
        suites: the suites whose oracles gave the example calls.
        units: tool → unit.
        edges: which results feed which arguments.
        missing: tools of which nothing could be learned → why.
    """

    app: str
    world: str
    suites: tuple[str, ...]
    units: Mapping[str, Unit]
    edges: tuple[Edge, ...]
    missing: Mapping[str, str] = field(default_factory=dict)


def units_path(app: str) -> Path:
    """Return where an app's units are."""
    return content.load_app(app).folder / UNITS_FILE


def load_units(app: str) -> AppUnits:
    """Return an app's units.

    Raises:
        FarmError: there are none, the file is no such file, or a unit's tool is gone.
    """
    path = units_path(app)
    try:
        raw = loads(path.read_bytes())
    except FileNotFoundError:
        raise FarmError(
            f"{app} has no {UNITS_FILE}; 'farm tasks units {app} --world WORLD --write' learns it"
        ) from None
    except ValueError as problem:
        raise FarmError(f"{path} is no JSON: {problem}") from None
    try:
        found = _parsed(app, raw)
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise FarmError(
            f"{path} is no file of units ({problem!r}); 'farm tasks units {app} --write' writes it anew"
        ) from None
    tools = {each.name for each in content.load_app(app).app.tools}
    if gone := sorted(found.units.keys() - tools):
        raise FarmError(
            f"{path}: {app} has no tool {', '.join(gone)} any more; 'farm tasks units {app} --write' learns anew"
        )
    return found


def _parsed(app: str, raw: Mapping[str, Any]) -> AppUnits:
    units = {name: _unit(name, each) for name, each in raw["units"].items()}
    edges = tuple(
        Edge(source, path, tool, argument, kind)
        for tool, arguments in raw["edges"].items()
        for argument, sources in arguments.items()
        for source, fields in sources.items()
        for path, kind in fields.items()
    )
    return AppUnits(app, raw["world"], tuple(raw["suites"]), units, edges, raw.get("missing", {}))


def _unit(name: str, raw: Mapping[str, Any]) -> Unit:
    arguments = {}
    for path, each in raw["arguments"].items():
        if each["role"] not in get_args(Role):
            raise ValueError(f"role {each['role']}")
        arguments[path] = Argument(path, each["role"], tuple(each.get("kinds", ())), tuple(each.get("columns", ())))
    return Unit(
        name,
        tuple(raw.get("writes", ())),
        arguments,
        tuple(raw.get("ids", ())),
        tuple(map(tuple, raw.get("accepts", ()))),
        raw.get("example", {}),
        raw.get("shows", {}),
        raw.get("personal"),
    )


def as_text(found: AppUnits) -> str:
    """Return the text of ``units.json``: a line for each argument, field and edge, so that differences can be read."""
    edges: dict[str, dict[str, dict[str, dict[str, str]]]] = {}
    for each in sorted(found.edges):
        sources = edges.setdefault(each.tool, {}).setdefault(each.argument, {})
        sources.setdefault(each.source, {})[each.path] = each.kind
    data = {
        "world": found.world,
        "suites": list(found.suites),
        "units": {name: _as_json(each) for name, each in found.units.items()},
        "edges": edges,
        "missing": dict(found.missing),
    }
    return "\n".join(_lines(data, "")) + "\n"


def _as_json(unit: Unit) -> dict[str, Any]:
    arguments = {
        path: {"role": each.role, "kinds": list(each.kinds), "columns": list(each.columns)}
        for path, each in unit.arguments.items()
    }
    raw: dict[str, Any] = {
        "writes": list(unit.writes),
        "arguments": {path: {key: each for key, each in raw.items() if each} for path, raw in arguments.items()},
        "ids": list(unit.ids),
        "accepts": [list(each) for each in unit.accepts],
        "example": unit.example,
        "shows": dict(sorted(unit.shows.items())),
        "personal": unit.is_personal,
    }
    return {key: each for key, each in raw.items() if each not in ([], {}, None) or key == "arguments"}


def _lines(value: Any, indent: str) -> Iterator[str]:
    """Yield the lines of JSON; an object whose line is short enough has one."""
    short = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict) or len(short) + len(indent) <= 110:
        yield short
        return
    yield "{"
    for number, (name, each) in enumerate(value.items(), 1):
        begin, *rest = _lines(each, indent + "  ")
        lines = [f"{indent}  {json.dumps(name, ensure_ascii=False)}: {begin}", *rest]
        lines[-1] += "," if number < len(value) else ""
        yield from lines
    yield indent + "}"


def differences(old: AppUnits, new: AppUnits) -> Sequence[str]:
    """Return what differs between two sets of units, a line each; empty if nothing does."""
    one, other = (set(as_text(each).splitlines()) for each in (old, new))
    gone = (f"- {line.strip()}" for line in sorted(one - other))
    return [*gone, *(f"+ {line.strip()}" for line in sorted(other - one))]
